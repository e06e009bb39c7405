/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of all systems, or of those named. */
#include "validate/systems.h"

#include "core/suggest.h"
#include "validate/validations.h"

/* None of the workloads that the user named has one. */
static int nothing_found(const struct validations *all, const char *what,
                         const struct validation_request *request, struct error *error)
{
    struct suggest suggest = suggest_begin(request->workloads[0]);
    for (size_t f = 0; f < all->files.count; f++)
        for (size_t l = 0; l < all->files.items[f]->labels.count; l++) {
            const struct published_label *label = &all->files.items[f]->labels.items[l];
            for (size_t w = 0; w < label->workloads.count; w++)
                suggest_offer(&suggest, label->workloads.items[w].workload);
        }
    error_set(error, STATUS_INPUT, "no %s is published for %.80s", what, request->workloads[0]);
    if (suggest.best)
        error_hint(error, "did you mean \"%s\"?", suggest.best);
    return STATUS_INPUT;
}

int systems_run(systems_of_fn *of, const char *what, const struct validation_request *request,
                struct sheet *rows, struct error *error)
{
    struct validations all;
    size_t found = 0;
    int status = validations_open(&all, error);
    const struct published *const *named = request->systems;
    for (size_t f = 0; !named && f < all.files.count && !status; f++)
        status = of(all.files.items[f], request, rows, &found, error);
    for (; named && *named && !status; named++)
        status = of(*named, request, rows, &found, error);
    if (!status && found == 0 && request->figures)
        status = error_set(error, STATUS_INPUT, "no predicted figure has \"%.80s\" in its name",
                           request->figures[0]);
    else if (!status && found == 0 && request->n_workloads)
        status = nothing_found(&all, what, request, error);
    validations_close(&all);
    return status;
}
