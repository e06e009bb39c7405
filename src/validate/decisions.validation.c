/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The labels of all systems (validate/decisions.h). */
#include "core/suggest.h"
#include "validate/decisions.h"
#include "validate/validations.h"

/* None of the workloads that the user named has a label. */
static int nothing_found(const struct validations *all, const struct validation_request *request,
                         struct error *error)
{
    struct suggest suggest = suggest_begin(request->workloads[0]);
    for (size_t f = 0; f < all->files.count; f++)
        for (size_t l = 0; l < all->files.items[f]->labels.count; l++) {
            const struct published_label *label = &all->files.items[f]->labels.items[l];
            for (size_t w = 0; w < label->workloads.count; w++)
                suggest_offer(&suggest, label->workloads.items[w].workload);
        }
    error_set(error, STATUS_INPUT, "no label is published for %.80s", request->workloads[0]);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"?", suggest.best);
    return STATUS_INPUT;
}

static int decisions_run(const struct validation_request *request, struct sheet *rows,
                         struct error *error)
{
    struct validations all;
    size_t found = 0;
    int status = validations_open(&all, error);
    for (size_t f = 0; f < all.files.count && !status; f++)
        status = decisions_of(all.files.items[f], request, rows, &found, error);
    if (!status && found == 0 && request->n_workloads)
        status = nothing_found(&all, request, error);
    validations_close(&all);
    return status;
}

const struct validation validation_decisions = {
    .plugin = {"validation", "decisions",
               "published choices (organisations, classes) beside those of each kind of answer",
               NULL, NULL},
    .columns = decisions_columns,
    .reads = VALIDATION_MACHINE | VALIDATION_WORKLOADS | VALIDATION_LONG,
    .input = "as published",
    .named = true,
    .run = decisions_run,
};
