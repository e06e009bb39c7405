/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What labels of all systems hang on (validate/choices.h). */
#include "validate/choices.h"
#include "validate/systems.h"

static int choices_run(const struct validation_request *request, struct sheet *rows,
                       struct error *error)
{
    return systems_run(choices_of, "label", request, rows, error);
}

const struct validation validation_choices = {
    .plugin = {"validation", "choices",
               "published choices under each value of what papers leave open", NULL, NULL},
    .columns = choices_columns,
    .reads = VALIDATION_MACHINE | VALIDATION_WORKLOADS | VALIDATION_SYSTEMS | VALIDATION_LONG,
    .input = "default",
    .named = true,
    .run = choices_run,
};
