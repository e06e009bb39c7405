/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the errors of predictions come from (validate/errors.h). */
#include "validate/errors.h"
#include "validate/systems.h"

static int errors_run(const struct validation_request *request, struct sheet *rows,
                      struct error *error)
{
    return systems_run(errors_of, "figure over workloads", request, rows, error);
}

const struct validation validation_errors = {
    .plugin = {"validation", "errors",
               "parts of the errors of published figures: profile, formula, rest, by simulation",
               NULL, NULL},
    .columns = errors_columns,
    .reads = VALIDATION_MACHINE | VALIDATION_WORKLOADS | VALIDATION_SYSTEMS | VALIDATION_LONG |
             VALIDATION_SIMULATED | VALIDATION_FIGURES,
    .input = "default",
    .named = true,
    .run = errors_run,
};
