/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the predictions of all systems are (validate/predictions.h). */
#include "validate/systems.h"
#include "validate/predictions.h"

static int predictions_run(const struct validation_request *request, struct sheet *rows,
                           struct error *error)
{
    struct validation_request own = *request;
    own.input = own.input ? own.input : "default";
    own.all = false; /* simulations */
    return systems_run(predictions_of, "label or figure", &own, rows, error);
}

const struct validation validation_predictions = {
    .plugin = {"validation", "predictions",
               "published choices and figures of all systems: how many are reached, what is missed",
               NULL, NULL},
    .columns = predictions_columns,
    .reads = VALIDATION_MACHINE | VALIDATION_WORKLOADS | VALIDATION_SYSTEMS | VALIDATION_FIGURES,
    .input = "default",
    .named = true,
    .run = predictions_run,
};
