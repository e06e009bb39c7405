/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The labels of all systems (validate/decisions.h). */
#include "validate/systems.h"

static int decisions_run(const struct validation_request *request, struct sheet *rows,
                         struct error *error)
{
    return systems_run(decisions_of, "label", request, rows, error);
}

const struct validation validation_decisions = {
    .plugin = {"validation", "decisions",
               "published choices (organisations, classes) beside those of each kind of answer",
               NULL, NULL},
    .columns = decisions_columns,
    .reads = VALIDATION_MACHINE | VALIDATION_WORKLOADS | VALIDATION_SYSTEMS | VALIDATION_LONG |
             VALIDATION_SIMULATED,
    .input = "as published",
    .named = true,
    .run = decisions_run,
};
