/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plots that compare the values of an axis share. */
#ifndef BANDSCAPE_REPORT_SWEEP_COMPARE_H
#define BANDSCAPE_REPORT_SWEEP_COMPARE_H

#include "report/sweep_internal.h"

/* Values of one metric side by side. */
struct comparison {
    struct arena *arena;
    struct plot_bars bars; /* its values and missing words are these: */
    double *values;
    const char **missing;
    struct sweep_row *rows; /* by the same places, where both are axes */
    struct sweep_gaps gaps;
    struct text lost; /* names of curves without a point */
    const char *subtitle;
    struct plot_axis y;
};

/* Workloads, their groups and what stands for all of them (`all`), under each value of `by`;
 * without `by`, the values of `x` under each of them. */
int comparison_workloads(const struct sweep *sweep, const struct space_plot *wanted, bool all,
                         struct comparison *c, struct error *error);

/* What is around them: title, what is not there, the axis of the values. */
void comparison_frame(const struct sweep *sweep, const struct space_plot *wanted,
                      struct comparison *c, struct picture *picture);

#endif
