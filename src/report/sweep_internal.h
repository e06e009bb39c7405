/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sweep_report.c and sweep_plot.c share. */
#ifndef BANDSCAPE_REPORT_SWEEP_INTERNAL_H
#define BANDSCAPE_REPORT_SWEEP_INTERNAL_H

#include "explore/sweep.h"
#include "report/gnuplot.h"

/* An even sample of all ids: at most 2000. */
void sweep_sample_ids(const struct sweep *sweep, struct sweep_ids *out);

/* Bars and s-curves (sweep_compare.c). The metric that they show: `y`, else the speed-up,
 * else what the space ranks by. */
const char *sweep_compare_metric(const struct space *space, const struct space_plot *wanted);
int sweep_compare_check(const struct sweep *sweep, const struct space_plot *wanted,
                        struct error *error);
int sweep_plot_bars(const struct sweep *sweep, const struct space_plot *wanted,
                    const struct plot_output *output, struct error *error);
int sweep_plot_s_curve(const struct sweep *sweep, const struct space_plot *wanted,
                       const struct plot_output *output, struct error *error);
/* The points of an s-curve as CSV. */
int sweep_write_s_curve(const struct sweep *sweep, const struct space_plot *wanted,
                        const char *path, struct error *error);

#endif
