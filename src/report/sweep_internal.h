/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sweep_report.c and sweep_plot.c share. */
#ifndef BANDSCAPE_REPORT_SWEEP_INTERNAL_H
#define BANDSCAPE_REPORT_SWEEP_INTERNAL_H

#include "core/csv.h"
#include "explore/sweep/sweep.h"
#include "report/picture.h"
#include "report/sweep_folder.h"

/* An even sample of all ids: at most 2000; of an adaptive sweep that left some out, 200. */
void sweep_sample_ids(const struct sweep *sweep, struct sweep_ids *out);

/* Points that differ from the best one along an axis alone, at evenly spread places among its
 * `values`; how many. Of a cross product with a ranking. */
enum { SWEEP_AXIS_IDS = 16 };
size_t sweep_axis_ids(const struct sweep *sweep, size_t axis, uint64_t ids[SWEEP_AXIS_IDS],
                      size_t values[SWEEP_AXIS_IDS]);
/* marginals.csv and limits.csv (sweep_details.c). */
int sweep_write_marginals(const struct sweep *sweep, struct sweep_folder *folder,
                          struct error *error);
int sweep_write_limits(const struct sweep *sweep, struct sweep_folder *folder, struct error *error);
/* asked-space.yaml, and asked-machines.yaml where machines are the user's own (sweep_sources.c). */
int sweep_write_sources(const struct sweep *sweep, struct sweep_folder *folder,
                        struct error *error);

/* The front and the ranking in a few numbers, as parts of the manifest (sweep_front.c,
 * sweep_designs.c). */
int sweep_print_front(const struct sweep *sweep, struct text *out, struct error *error);
int sweep_print_designs(const struct sweep *sweep, struct text *out, struct error *error);

/* Whether tables have the column: axes, objectives, what is ranked by, for each workload. */
bool sweep_is_shown(const struct sweep *sweep, size_t column);

/* Words for pictures (sweep_axis.c). A column as an axis: its name, and in a note what it is
 * and (aggregate) what of the workloads' values. */
struct plot_axis sweep_plot_axis(const struct sweep *sweep, size_t column, bool aggregate,
                                 struct arena *arena);
/* The plot's own title, or the space's summary. */
const char *sweep_plot_title(const struct sweep *sweep, const struct space_plot *wanted);
/* The space, its machine, its workloads; `row`: a point shown, and the axes x and by along
 * which others differ (SIZE_MAX: none), or NULL for all points and their front. */
const char *sweep_plot_subtitle(const struct sweep *sweep, const struct sweep_row *row, size_t x,
                                size_t by, struct arena *arena);
/* What a metric's column is over several workloads: "harmonic mean", "sum". */
const char *sweep_aggregate_name(const struct sweep *sweep, size_t column);
/* Over some values of a metric what its column is over all workloads. */
double sweep_aggregate(const struct sweep *sweep, size_t column, const double *values,
                       size_t count);
/* What a picture lacks: points of which there is no number to show. */
struct sweep_gaps {
    size_t refused;  /* cannot be built, or a model does not know it */
    size_t excluded; /* by a condition, or an objective is no finite number */
    size_t unknown;  /* in the result, but without this column */
};
/* Why a row has no number in a column: "refused", "excluded", "unknown", which is counted.
 * NULL: it has one. */
const char *sweep_gap(const struct sweep_row *row, size_t column, struct sweep_gaps *gaps);
/* "not drawn: 2 refused, 1 excluded; manifest.yaml says why"; `lost` (may be NULL): names of
 * series of which nothing is drawn. NULL: all is drawn. */
const char *sweep_gaps_remark(const struct sweep_gaps *gaps, const struct text *lost,
                              struct arena *arena);
/* Of the rows of a picture one to say where the other axes stand: that is known of what was built.
 */
const struct sweep_row *sweep_row_shown(const struct sweep_row *rows, size_t count);
/* A value of an axis: its label, or the number with its unit. */
const char *sweep_value_label(const struct sweep *sweep, size_t axis, size_t v,
                              struct arena *arena);
/* The same with all the digits that a number needs to be read again as it is. */
const char *sweep_value_exact(const struct sweep *sweep, size_t axis, size_t v,
                              struct arena *arena);

/* An axis of the space that a plot names: "by: there is no axis ...", with the nearest. `mark`
 * may be without a place. */
int sweep_plot_axis_find(const struct sweep *sweep, const char *key, const char *name,
                         const struct mark *mark, size_t *out, struct error *error);
/* A column that a plot names. */
int sweep_plot_column_find(const struct sweep *sweep, const char *key, const char *name,
                           const struct mark *mark, size_t *out, struct error *error);

/* Curves, bars and s-curves (sweep_compare.c). The metric that they show: `y`, else the speed-up,
 * else what the space ranks by. */
const char *sweep_compare_metric(const struct space *space, const struct space_plot *wanted);
int sweep_compare_check(const struct sweep *sweep, const struct space_plot *wanted,
                        struct error *error);
int sweep_curve_check(const struct sweep *sweep, const struct space_plot *wanted,
                      struct error *error);
int sweep_plot_heat(const struct sweep *sweep, const struct space_plot *wanted,
                    struct picture *picture, struct error *error);
int sweep_stacked_check(const struct sweep *sweep, const struct space_plot *wanted,
                        struct error *error);
int sweep_plot_stacked(const struct sweep *sweep, const struct space_plot *wanted,
                       struct picture *picture, struct error *error);
/* Workloads under their roofs (sweep_roofline.c); miss ratios and sharing of the profiles at the
 * best point (sweep_profiles.c). */
int sweep_roofline_check(const struct sweep *sweep, const struct space_plot *wanted,
                         struct error *error);
int sweep_plot_roofline(const struct sweep *sweep, const struct space_plot *wanted,
                        struct picture *picture, struct error *error);
int sweep_plot_misses(const struct sweep *sweep, const struct space_plot *wanted,
                      struct picture *picture, struct error *error);
int sweep_plot_sharing(const struct sweep *sweep, const struct space_plot *wanted,
                       struct picture *picture, struct error *error);
int sweep_tornado_check(const struct sweep *sweep, const struct space_plot *wanted,
                        struct error *error);
/* Published values at the places of bars (sweep_published.c): NaN where none is. NULL: the plot has
 * none. */
int sweep_published(const struct sweep *sweep, const struct space_plot *wanted,
                    const struct plot_bars *bars, struct arena *arena, double **out,
                    struct error *error);
/* The place of a value among those of an axis, by its label. */
int sweep_plot_value_find(const struct sweep *sweep, size_t axis, const char *label,
                          const struct mark *mark, size_t *out, struct error *error);
/* Names in `trends` and `published` of a plot. */
int sweep_published_check(const struct sweep *sweep, const struct space_plot *wanted,
                          struct error *error);
/* Each fills a picture, with nothing where no point of it is left. */
int sweep_plot_curve(const struct sweep *sweep, const struct space_plot *wanted,
                     struct picture *picture, struct error *error);
int sweep_plot_bars(const struct sweep *sweep, const struct space_plot *wanted,
                    struct picture *picture, struct error *error);
int sweep_plot_s_curve(const struct sweep *sweep, const struct space_plot *wanted,
                       struct picture *picture, struct error *error);
int sweep_plot_tornado(const struct sweep *sweep, const struct space_plot *wanted,
                       struct picture *picture, struct error *error);
/* The points of an s-curve as CSV. */
int sweep_write_s_curve(const struct sweep *sweep, const struct space_plot *wanted,
                        struct csv_writer *csv, struct error *error);

/* Of the pictures of a space; free each. */
struct sweep_names {
    char **items;
    size_t count, capacity;
};
void sweep_picture_names(const struct space *space, enum plot_terminal terminal,
                         struct sweep_names *out);

#endif
