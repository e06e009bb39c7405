/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views that figures ask of workloads, made together before any figure is evaluated. */
#ifndef BANDSCAPE_VALIDATE_FIGURE_VIEWS_H
#define BANDSCAPE_VALIDATE_FIGURE_VIEWS_H

#include "explore/views/subjects.h"
#include "explore/views/view_list.h"
#include "validate/figure.h"

struct figure_views {
    struct subject_task *items;
    size_t count, capacity;
    struct { /* variants that models compare: the tasks' until they are done */
        struct machine **items;
        size_t count, capacity;
    } variants;
};

/* Every workload on each machine of the figure and on what its model compares that with. */
int figure_views_add(struct figure_views *views, const struct figure *figure,
                     const struct subjects *subjects, struct error *error);
/* Into the list, without making any; once, as figure_views_make(). */
int figure_views_list(struct figure_views *views, struct view_list *list, struct error *error);
int figure_views_make(struct figure_views *views, int threads, struct error *error);
void figure_views_fini(struct figure_views *views);

#endif
