/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a sweep (formats.md, "Output"):
 *
 *     ranking.csv    the best K, best first
 *     pareto.csv     the front, in the order of enumeration
 *     sample.csv     an even sample of all points, for plots
 *     points.csv     all points, when asked for
 *     s-curve.csv    the points of the s-curve, when the space draws one
 *     manifest.yaml  what determines the result
 *     run.yaml       what does not: command, time, host, duration
 *     *.svg, *.png   plots
 *
 * Every file is complete or absent. All but run.yaml are the same bytes for any
 * number of threads. */
#ifndef BANDSCAPE_REPORT_SWEEP_REPORT_H
#define BANDSCAPE_REPORT_SWEEP_REPORT_H

#include "explore/sweep.h"
#include "report/gnuplot.h"
#include "report/table.h"

struct sweep_run_facts {
    const char *command;
    double profile_s, sweep_s;
};

/* Refuses a folder that holds the result of another space. */
int sweep_report_claim(const struct space *space, const char *folder, bool force,
                       struct error *error);

int sweep_report_files(const struct sweep *sweep, const char *folder, bool all,
                       const struct sweep_run_facts *facts, struct error *error);

/* Resolves the columns and axes of the plots: before a long sweep, after sweep_columns. */
int sweep_report_check_plots(const struct sweep *sweep, struct error *error);

/* Those of an earlier result. */
void sweep_report_remove_plots(const struct space *space, const char *folder,
                               enum plot_terminal terminal);

/* The plots that the space names, or a scatter when it has two objectives or more.
 * STATUS_NO_PICTURE: gnuplot does not draw, now and probably the next time. */
int sweep_report_plots(const struct sweep *sweep, const char *folder, enum plot_terminal terminal,
                       struct text *made, struct error *error);

/* The scatter as characters, for a terminal. */
int sweep_report_sketch(const struct sweep *sweep, struct text *out, struct error *error);

/* The first `count` of the ranking, for a reader. */
int sweep_report_table(const struct sweep *sweep, size_t count, const struct table_style *style,
                       struct text *out, struct error *error);

#endif
