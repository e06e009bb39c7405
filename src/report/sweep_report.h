/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a sweep:
 *
 *     ranking.csv    the best K, best first
 *     pareto.csv     the front, in the order of enumeration
 *     sample.csv     an even sample of all points, so that plots can be redrawn without the space
 *                    being evaluated again
 *     marginals.csv  by value of each axis: how many points are kept, the best and the mean of what
 *                    they are ranked by, that at the best point with this value alone changed
 *                    (of 16 values at most), and, of the axis, the share of the variance
 *     limits.csv     of the first three that differ in it: what limits each workload by the model
 *                    that ranks
 *     points.csv     all points, when asked for
 *     *.npy          all points as columns, likewise, an array a metric, whose axes are the
 * space's; NaN where a point is excluded columns.yaml   what they are: names, units, shape, values
 * of axes s-curve.csv    the points of the s-curve, when the space draws one manifest.yaml  what
 * determines the result run.yaml       what does not: command, time, host, duration
 *     *.svg, *.png   plots
 *     *.picture.yaml what each of them shows: bandscape plot draws it again, looking otherwise
 *
 * All appear together or none does, and no file is replaced that is not an earlier sweep's
 * (report/sweep_folder.h). All but run.yaml are the same bytes for any number of threads. */
#ifndef BANDSCAPE_REPORT_SWEEP_REPORT_H
#define BANDSCAPE_REPORT_SWEEP_REPORT_H

#include "core/ranks.h"
#include "explore/sweep/sweep.h"
#include "report/picture.h"
#include "report/sweep_folder.h"
#include "report/table.h"

struct sweep_run_facts {
    const char *command;
    double profile_s, sweep_s;
    struct ranks_traffic traffic; /* where there are several ranks */
};

/* What a sweep is to leave in its folder. */
struct sweep_wishes {
    bool force; /* in the place of another space's result */
    bool found; /* by a search: not in the place of all points of the space */
    bool all, columns, confirm;
    const enum plot_terminal *terminals;
    size_t n_terminals; /* 0: no plots */
};

/* Refuses a folder that holds the result of another space, or files that no sweep wrote under
 * names that this one writes: before it starts. */
int sweep_report_claim(const struct space *space, const char *folder,
                       const struct sweep_wishes *wishes, struct error *error);

/* Lines that say which sweep it is: two of the same lines have the same result. */
void sweep_report_identity(const struct sweep *sweep, struct text *out);

/* Writes the CSV files; publishing shows them, with a manifest, run.yaml and what was added to the
 * folder since (sweep_report_plots, confirm_report_csv). It may be called again with more. */
int sweep_report_files(const struct sweep *sweep, struct sweep_folder *folder, bool all,
                       struct error *error);
/* The arrays of all points, in the same way. */
int sweep_write_columns(const struct sweep *sweep, struct sweep_folder *folder,
                        struct error *error);
/* A line each for what a ranking does not show: which kinds of answer differ from the one that it
 * is by, on how many of the points that are looked at (ranking and sample), whether another point
 * is their best; axes that do not matter at the best point. */
int sweep_remarks(const struct sweep *sweep, struct text *out, struct error *error);

/* A line: where the front turns, and how much of the box between its ends it dominates
 * (explore/pareto/front_shape.h). Nothing where it has too few points for that. */
int sweep_front_words(const struct sweep *sweep, struct text *out, struct error *error);

int sweep_report_publish(const struct sweep *sweep, struct sweep_folder *folder,
                         const struct sweep_run_facts *facts, struct error *error);

/* Resolves the columns and axes of the plots: before a long sweep, after sweep_columns. */
int sweep_report_check_plots(const struct sweep *sweep, struct error *error);

/* Draws the plots that the space names, or a scatter when it has two objectives or more, to be
 * published: with the terminal and the look of `how`. STATUS_NO_PICTURE: gnuplot does not draw, now
 * and probably the next time; scripts and data are there in place of pictures. */
int sweep_report_plots(const struct sweep *sweep, struct sweep_folder *folder,
                       const struct plot_output *how, struct error *error);

/* The scatter as characters, for a terminal. */
int sweep_report_sketch(const struct sweep *sweep, struct text *out, struct error *error);

/* The first and the last value along x of the series that a trend of a plot is about; NaN where it
 * has none. */
int sweep_trend(const struct sweep *sweep, const struct space_plot *wanted,
                const struct space_trend *trend, double ends[2], struct error *error);

/* The first `count` of the ranking, for a reader. */
int sweep_report_table(const struct sweep *sweep, size_t count, const struct table_style *style,
                       struct text *out, struct error *error);

#endif
