/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/figure_views.h"

#include <stdlib.h>

static int add_machine(struct figure_views *views, const struct model *model,
                       const struct machine *machine, const struct subjects *subjects,
                       struct error *error)
{
    unsigned parts = PART_BASE;
    int status = model_parts(model, machine, &parts, error);
    for (int v = 0; v <= model->n_variants && !status; v++) {
        struct machine *variant = NULL;
        if (v) {
            status = model_variant(model, machine, v, &variant, error);
            if (variant)
                VECTOR_PUSH(&views->variants, variant);
        }
        for (size_t w = 0; w < subjects->count && !status && (!v || variant); w++)
            VECTOR_PUSH(views, (struct subject_task){.subject = subjects->items[w],
                                                     .machine = v ? variant : machine,
                                                     .parts = parts});
    }
    return status;
}

int figure_views_add(struct figure_views *views, const struct figure *figure,
                     const struct subjects *subjects, struct error *error)
{
    int status = 0;
    for (size_t s = 0; s < figure->sites.count && !status; s++)
        status = add_machine(views, figure->published->model, figure->sites.items[s].machine,
                             subjects, error);
    return status;
}

int figure_views_list(struct figure_views *views, struct view_list *list, struct error *error)
{
    return view_list_add(list, views->items, subject_plan(views->items, views->count), error);
}

int figure_views_make(struct figure_views *views, int threads, struct error *error)
{
    /* Groups of workloads open them each for itself. */
    size_t count = subject_plan(views->items, views->count);
    if (count == 0)
        return 0;
    size_t once = view_list_sort(views->items, count);
    int status = subject_prepare(views->items, once, threads, error);
    return status ? status : subject_prepare(views->items + once, count - once, threads, error);
}

void figure_views_fini(struct figure_views *views)
{
    for (size_t i = 0; i < views->variants.count; i++)
        machine_destroy(views->variants.items[i]);
    VECTOR_FREE(&views->variants);
    VECTOR_FREE(views);
}
