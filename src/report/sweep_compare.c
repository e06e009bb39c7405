/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of a sweep that compare the values of one axis: curves over a second one, bars by workload
 * or by a second axis, and s-curves (the workloads' speed-ups in ascending order). All other axes
 * stand at the machine's own value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/sweep_compare.h"
#include "report/sweep_report.h"

const char *sweep_compare_metric(const struct space *space, const struct space_plot *wanted)
{
    return wanted->y ? wanted->y : space->speedup_vs ? "speedup" : space->rank_by;
}

/* The column of the metric for one workload. */
static int workload_column(const struct sweep *sweep, const char *metric, size_t w, size_t *out,
                           struct error *error)
{
    struct text name = {0};
    text_printf(&name, "%s@%s", metric, sweep->workload_names[w]);
    int status =
        sweep_column_find(sweep, sweep->space->n_workloads > 1 ? name.data : metric, out, error);
    text_free(&name);
    return status;
}

int sweep_compare_check(const struct sweep *sweep, const struct space_plot *wanted,
                        struct error *error)
{
    const char *metric = sweep_compare_metric(sweep->space, wanted);
    size_t column, by = SIZE_MAX, x = SIZE_MAX;
    int status = 0;
    if (wanted->by)
        status = sweep_plot_axis_find(sweep, "by", wanted->by, &wanted->by_mark, &by, error);
    if (!status && wanted->x)
        status = sweep_plot_axis_find(sweep, "x", wanted->x, &wanted->x_mark, &x, error);
    if (!status && wanted->x && x == by)
        status = error_at(error, STATUS_INPUT, &wanted->x_mark,
                          "x: \"%.80s\" is what `by` has already", wanted->x);
    if (!status)
        status = sweep_plot_column_find(sweep, "y", metric, &wanted->y_mark, &column, error);
    bool workloads = !wanted->x || !wanted->by;
    for (size_t w = 0; w < sweep->space->n_workloads && !status && workloads; w++)
        if ((status = workload_column(sweep, metric, w, &column, error)))
            error_place(error, &wanted->y_mark);
    return status;
}

const char *sweep_value_label(const struct sweep *sweep, size_t axis, size_t v, struct arena *arena)
{
    const struct space_value *value = &sweep->space->axes[axis].values[v];
    char buffer[64];
    if (value->label)
        return value->label;
    const struct parameter_value *number = &value->assignments[0].value;
    return arena_strdup(arena, quantity_format((struct quantity){number->number, number->dim}, 4,
                                               buffer, sizeof buffer));
}

const char *sweep_value_exact(const struct sweep *sweep, size_t axis, size_t v, struct arena *arena)
{
    const struct space_value *value = &sweep->space->axes[axis].values[v];
    char buffer[64];
    if (value->label)
        return value->label;
    const struct parameter_value *number = &value->assignments[0].value;
    struct quantity exact = {number->number, number->dim}, read;
    for (int digits = 4; digits <= 17; digits++) {
        quantity_format(exact, digits, buffer, sizeof buffer);
        if (quantity_scan(buffer, &read) == 0 && read.value == exact.value)
            break;
    }
    return arena_strdup(arena, buffer);
}

static const char **sweep_value_labels(const struct sweep *sweep, size_t axis, struct arena *arena)
{
    size_t count = sweep->space->axes[axis].n_values;
    const char **labels = arena_alloc(arena, count * sizeof *labels);
    for (size_t v = 0; v < count; v++)
        labels[v] = sweep_value_label(sweep, axis, v, arena);
    return labels;
}

static void comparison_alloc(struct comparison *c, size_t series, const char **series_names,
                             size_t clusters, const char **cluster_names)
{
    c->values = arena_alloc(c->arena, series * clusters * sizeof *c->values);
    c->missing = arena_alloc(c->arena, series * clusters * sizeof *c->missing);
    c->bars = (struct plot_bars){.clusters = clusters,
                                 .series = series,
                                 .cluster_names = cluster_names,
                                 .series_names = series_names,
                                 .values = c->values,
                                 .missing = c->missing};
}

static void comparison_value(struct comparison *c, const struct sweep_row *row, size_t column,
                             size_t place)
{
    c->missing[place] = sweep_gap(row, column, &c->gaps);
    c->values[place] = c->missing[place] ? (double)NAN : row->values[column];
}

/* What stands beside others in a picture: a workload, a group of them, or all (both NULL). */
struct compared {
    const char *name;
    size_t workload; /* SIZE_MAX: none */
    const struct space_group *group;
};

/* The value of a group: what its workloads' values are together. NaN where one has none. */
static int group_value(const struct sweep *sweep, const char *metric,
                       const struct space_group *group, size_t whole, const struct sweep_row *row,
                       double *out, struct error *error)
{
    double *values = memory_zero(sweep->space->n_workloads, sizeof *values);
    size_t n = 0, column = 0;
    int status = 0;
    for (size_t w = 0; w < sweep->space->n_workloads && !status; w++)
        if (space_group_has(sweep->space, group, w) &&
            !(status = workload_column(sweep, metric, w, &column, error)))
            values[n++] = row->values[column];
    *out = n ? sweep_aggregate(sweep, whole, values, n) : (double)NAN;
    free(values);
    return status;
}

/* Those of a picture; a group of which no workload is left (others may be named in place of the
 * space's) is not there. Returns how many. */
static size_t compared_list(const struct sweep *sweep, const struct space_plot *wanted, bool all,
                            size_t whole, struct compared *out)
{
    const struct space *space = sweep->space;
    size_t n = 0;
    for (size_t w = 0; w < space->n_workloads && !wanted->of_groups; w++)
        out[n++] = (struct compared){sweep->workload_names[w], w, NULL};
    for (size_t g = 0; g < space->n_groups && all; g++) {
        bool any = false;
        for (size_t w = 0; w < space->n_workloads && !any; w++)
            any = space_group_has(space, &space->groups[g], w);
        if (any)
            out[n++] = (struct compared){space->groups[g].name, SIZE_MAX, &space->groups[g]};
    }
    if (all && (space->n_workloads > 1 || wanted->of_groups))
        out[n++] = (struct compared){sweep_aggregate_name(sweep, whole), SIZE_MAX, NULL};
    return n;
}

/* Of a row: where the columns of workloads and of all are not enough, in `own`. */
static int compared_value(const struct sweep *sweep, const char *metric, const struct compared *one,
                          size_t whole, const struct sweep_row *row, struct comparison *c,
                          size_t place, struct error *error)
{
    size_t column = whole;
    int status = 0;
    if (one->workload < SIZE_MAX)
        status = workload_column(sweep, metric, one->workload, &column, error);
    if (status)
        return status;
    comparison_value(c, row, column, place);
    if (one->group && !c->missing[place])
        status = group_value(sweep, metric, one->group, whole, row, &c->values[place], error);
    return status;
}

int comparison_workloads(const struct sweep *sweep, const struct space_plot *wanted, bool all,
                         struct comparison *c, struct error *error)
{
    const char *metric = sweep_compare_metric(sweep->space, wanted);
    size_t by = sweep_axis_find(sweep, wanted->by ? wanted->by : wanted->x), whole = 0;
    size_t n = sweep->space->n_workloads, most = n + sweep->space->n_groups + 1;
    struct compared *list = arena_alloc(c->arena, most * sizeof *list);
    const char **names = arena_alloc(c->arena, most * sizeof *names);
    const char **labels = sweep_value_labels(sweep, by, c->arena);
    struct sweep_ids ids = {0};
    struct sweep_row *rows = NULL;
    int status = sweep_column_find(sweep, metric, &whole, error);
    if (!status)
        status = sweep_curve_ids(sweep, by, SIZE_MAX, &ids, error);
    if (!status)
        status = sweep_rows(sweep, ids.items, ids.count, c->arena, &rows, error);
    size_t subjects = status ? 0 : compared_list(sweep, wanted, all, whole, list);
    if (wanted->by)
        comparison_alloc(c, ids.count, labels, subjects, names);
    else
        comparison_alloc(c, subjects, names, ids.count, labels);
    for (size_t i = 0; i < subjects && !status; i++) {
        names[i] = list[i].name;
        for (size_t s = 0; s < ids.count && !status; s++)
            status = compared_value(sweep, metric, &list[i], whole, &rows[s], c,
                                    wanted->by ? s * subjects + i : i * ids.count + s, error);
    }
    if (!status) {
        c->y = sweep_plot_axis(sweep, whole, false, c->arena);
        c->bars.apart = wanted->by && subjects > n && !wanted->of_groups ? n : 0;
        c->subtitle =
            sweep_plot_subtitle(sweep, sweep_row_shown(rows, ids.count), by, SIZE_MAX, c->arena);
    }
    VECTOR_FREE(&ids);
    return status;
}

/* Values of a column at those of the axis `x`, under each of `by` (SIZE_MAX: one series). */
static int compare_axes(const struct sweep *sweep, size_t x, size_t by, size_t column,
                        struct comparison *c, struct error *error)
{
    static const char *unnamed[] = {""};
    bool one = by == SIZE_MAX;
    struct sweep_ids ids = {0};
    int status = sweep_curve_ids(sweep, x, by, &ids, error);
    if (!status)
        status = sweep_rows(sweep, ids.items, ids.count, c->arena, &c->rows, error);
    comparison_alloc(c, one ? 1 : sweep->space->axes[by].n_values,
                     one ? unnamed : sweep_value_labels(sweep, by, c->arena),
                     sweep->space->axes[x].n_values, sweep_value_labels(sweep, x, c->arena));
    for (size_t i = 0; i < ids.count && !status; i++)
        comparison_value(c, &c->rows[i], column, i);
    if (!status) {
        c->y = sweep_plot_axis(sweep, column, true, c->arena);
        c->subtitle =
            sweep_plot_subtitle(sweep, sweep_row_shown(c->rows, ids.count), x, by, c->arena);
    }
    VECTOR_FREE(&ids);
    return status;
}

int sweep_trend(const struct sweep *sweep, const struct space_plot *wanted,
                const struct space_trend *trend, double ends[2], struct error *error)
{
    struct comparison c = {.arena = arena_create()};
    size_t by = sweep_axis_find(sweep, wanted->by), column, series = SIZE_MAX;
    ends[0] = ends[1] = (double)NAN;
    int status = sweep_plot_value_find(sweep, by, trend->at, &trend->mark, &series, error);
    if (!status)
        status =
            sweep_column_find(sweep, sweep_compare_metric(sweep->space, wanted), &column, error);
    if (!status)
        status = compare_axes(sweep, sweep_axis_find(sweep, wanted->x), by, column, &c, error);
    for (size_t i = 0; !status && i < c.bars.clusters; i++) {
        double value = c.values[series * c.bars.clusters + i];
        if (isnan(value))
            continue;
        ends[1] = value;
        if (isnan(ends[0]))
            ends[0] = value;
    }
    arena_destroy(c.arena);
    return status;
}

void comparison_frame(const struct sweep *sweep, const struct space_plot *wanted,
                      struct comparison *c, struct picture *picture)
{
    picture->title = sweep_plot_title(sweep, wanted);
    picture->subtitle = c->subtitle;
    picture->remark = sweep_gaps_remark(&c->gaps, &c->lost, c->arena);
    picture->legend = wanted->by;
    picture->y = c->y;
    text_free(&c->lost);
}

static void comparison_curve(struct comparison *c, struct picture *picture, size_t series,
                             size_t known, size_t count, const double *xs, const double *ys)
{
    const char *name = c->bars.series_names[series];
    picture_add_curve(picture, name, count, xs, ys);
    if (!known)
        text_printf(&c->lost, "%s%s", c->lost.length ? ", " : "", name);
}

/* --- cells over two axes ------------------------------------------------------------------- */

/* The name of an axis of cells; units are with their values. */
static int heat_axis(const struct sweep *sweep, const char *name, struct arena *arena,
                     struct plot_axis *out, struct error *error)
{
    size_t column;
    int status = sweep_column_find(sweep, name, &column, error);
    if (!status) {
        struct plot_axis axis = sweep_plot_axis(sweep, column, true, arena);
        *out = (struct plot_axis){.title = axis.title, .note = axis.note};
    }
    return status;
}

int sweep_plot_heat(const struct sweep *sweep, const struct space_plot *wanted,
                    struct picture *picture, struct error *error)
{
    struct comparison c = {.arena = picture->arena};
    size_t x = sweep_axis_find(sweep, wanted->x), by = sweep_axis_find(sweep, wanted->by), column;
    int status =
        sweep_column_find(sweep, sweep_compare_metric(sweep->space, wanted), &column, error);
    if (!status)
        status = compare_axes(sweep, x, by, column, &c, error);
    if (status)
        return status;
    comparison_frame(sweep, wanted, &c, picture);
    picture->legend = NULL;
    picture->colour = c.y;
    status = heat_axis(sweep, wanted->x, c.arena, &picture->x, error);
    if (!status)
        status = heat_axis(sweep, wanted->by, c.arena, &picture->y, error);
    bool any = false;
    for (size_t i = 0; i < c.bars.series * c.bars.clusters; i++)
        any = any || !isnan(c.values[i]);
    if (!status && any)
        picture_add_heat(picture, &(struct plot_heat){.columns = c.bars.clusters,
                                                      .rows = c.bars.series,
                                                      .x_names = c.bars.cluster_names,
                                                      .y_names = c.bars.series_names,
                                                      .values = c.values});
    return status;
}

/* --- curves over an axis ------------------------------------------------------------------- */

struct curve_columns {
    size_t axis, by, x, y;
};

static int curve_columns(const struct sweep *sweep, const struct space_plot *wanted,
                         struct curve_columns *c, struct error *error)
{
    const char *y = wanted->y ? wanted->y : sweep->space->rank_by;
    *c = (struct curve_columns){.by = SIZE_MAX};
    int status = sweep_plot_axis_find(sweep, "x", wanted->x, &wanted->x_mark, &c->axis, error);
    if (!status && !sweep->space->axes[c->axis].numeric)
        status = error_at(error, STATUS_INPUT, &wanted->x_mark,
                          "a curve runs over a numeric axis; \"%.80s\" is none", wanted->x);
    if (!status && wanted->by)
        status = sweep_plot_axis_find(sweep, "by", wanted->by, &wanted->by_mark, &c->by, error);
    bool load = wanted->kind == SPACE_PLOT_LATENCY; /* the axis is what raises it */
    if (!status)
        status = sweep_column_find(sweep, load ? "effective_bandwidth" : wanted->x, &c->x, error);
    if (!status)
        status = sweep_plot_column_find(sweep, "y", y, &wanted->y_mark, &c->y, error);
    if (!status && load && !dim_equal(sweep->columns[c->y].dim, DIM_SECONDS))
        status = error_at(error, STATUS_INPUT, &wanted->y_mark,
                          "y: \"%.80s\" is no time, such as latency_remote_hit of network", y);
    return status;
}

int sweep_curve_check(const struct sweep *sweep, const struct space_plot *wanted,
                      struct error *error)
{
    struct curve_columns ignored;
    return curve_columns(sweep, wanted, &ignored, error);
}

/* The axis fits the steps of the first curve, as far as points have it. */
int sweep_plot_curve(const struct sweep *sweep, const struct space_plot *wanted,
                     struct picture *picture, struct error *error)
{
    struct comparison c = {.arena = picture->arena};
    struct curve_columns columns;
    double *published = NULL;
    bool fitted = false;
    int status = curve_columns(sweep, wanted, &columns, error);
    if (!status)
        status = compare_axes(sweep, columns.axis, columns.by, columns.y, &c, error);
    if (status)
        return status;
    if ((status = sweep_published(sweep, wanted, &c.bars, c.arena, &published, error)))
        return status;
    picture->x = sweep_plot_axis(sweep, columns.x, true, c.arena);
    size_t per = c.bars.clusters;
    double *known = arena_alloc(c.arena, per * sizeof *known);
    double *places = arena_alloc(c.arena, c.bars.series * per * sizeof *places);
    for (size_t s = 0; s < c.bars.series; s++) {
        double *xs = arena_alloc(c.arena, per * sizeof *xs), *ys = c.values + s * per;
        size_t count = 0;
        for (size_t i = 0; i < per; i++) {
            xs[i] = c.rows[s * per + i].values[columns.x];
            if (!isfinite(xs[i]))
                ys[i] = (double)NAN;
            if (!isnan(ys[i]))
                known[count++] = xs[i];
        }
        if (count && !fitted)
            plot_axis_fit(&picture->x, known, count);
        fitted = fitted || count;
        comparison_curve(&c, picture, s, count, per, xs, ys);
        memcpy(places + s * per, xs, per * sizeof *xs);
    }
    if (published)
        picture_add_published(picture, c.bars.series * per, places, published);
    comparison_frame(sweep, wanted, &c, picture);
    return 0;
}

/* --- bars -------------------------------------------------------------------------------- */

static bool is_speedup(const char *metric)
{
    size_t length = strlen(metric);
    return length >= 7 && strcmp(metric + length - 7, "speedup") == 0;
}

int sweep_plot_bars(const struct sweep *sweep, const struct space_plot *wanted,
                    struct picture *picture, struct error *error)
{
    static const double one = 1;
    struct comparison c = {.arena = picture->arena};
    const char *metric = sweep_compare_metric(sweep->space, wanted);
    double *published = NULL;
    size_t column, x_column;
    bool axes = wanted->x && wanted->by;
    int status = sweep_column_find(sweep, metric, &column, error);
    if (!status && axes)
        status = sweep_column_find(sweep, wanted->x, &x_column, error);
    if (!status && axes)
        status = compare_axes(sweep, sweep_axis_find(sweep, wanted->x),
                              sweep_axis_find(sweep, wanted->by), column, &c, error);
    else if (!status)
        status = comparison_workloads(sweep, wanted, true, &c, error);
    if (status)
        return status;
    if (axes)
        picture->x.note = sweep_plot_axis(sweep, x_column, false, c.arena).note;
    picture->x.title = wanted->x ? wanted->x : "";
    if ((status = sweep_published(sweep, wanted, &c.bars, c.arena, &published, error)))
        return status;
    c.bars.published = published;
    picture_add_bars(picture, &c.bars);
    comparison_frame(sweep, wanted, &c, picture);
    picture->y.rule = is_speedup(metric) ? &one : NULL;
    if (!wanted->by)
        picture->legend = wanted->of_groups ? "workloads" : "workload";
    return 0;
}

/* --- s-curves ------------------------------------------------------------------------------ */

struct place {
    double value;
    size_t workload;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    if (left->value != right->value)
        return left->value < right->value ? -1 : 1;
    return (left->workload > right->workload) - (left->workload < right->workload);
}

/* The workloads of a series that have a value, in ascending order. */
static size_t sort_series(const struct comparison *c, size_t series, struct place *out)
{
    size_t n = 0;
    for (size_t w = 0; w < c->bars.clusters; w++) {
        double value = c->values[series * c->bars.clusters + w];
        if (!isnan(value))
            out[n++] = (struct place){value, w};
    }
    qsort(out, n, sizeof *out, compare_places);
    return n;
}

int sweep_plot_s_curve(const struct sweep *sweep, const struct space_plot *wanted,
                       struct picture *picture, struct error *error)
{
    struct comparison c = {.arena = picture->arena};
    int status = comparison_workloads(sweep, wanted, false, &c, error);
    struct place *places = arena_alloc(c.arena, c.bars.clusters * sizeof *places);
    for (size_t s = 0; s < c.bars.series && !status; s++) {
        size_t n = sort_series(&c, s, places);
        double *xs = arena_alloc(c.arena, n * sizeof *xs),
               *ys = arena_alloc(c.arena, n * sizeof *ys);
        for (size_t i = 0; i < n; i++) {
            xs[i] = (double)(i + 1);
            ys[i] = places[i].value;
        }
        comparison_curve(&c, picture, s, n, n, xs, ys);
    }
    picture->x = (struct plot_axis){.title = "workloads, each curve in ascending order",
                                    .note = "s-curve.csv says which is which"};
    comparison_frame(sweep, wanted, &c, picture);
    return status;
}

int sweep_write_s_curve(const struct sweep *sweep, const struct space_plot *wanted,
                        struct csv_writer *csv, struct error *error)
{
    struct comparison c = {.arena = arena_create()};
    int status = comparison_workloads(sweep, wanted, false, &c, error);
    struct place *places = arena_alloc(c.arena, c.bars.clusters * sizeof *places);
    if (!status) {
        csv_write_text(csv, wanted->by);
        csv_write_text(csv, "place");
        csv_write_text(csv, "workload");
        csv_write_text(csv, sweep_compare_metric(sweep->space, wanted));
        csv_end_row(csv);
    }
    for (size_t s = 0; s < c.bars.series && !status; s++) {
        size_t n = sort_series(&c, s, places);
        for (size_t i = 0; i < n; i++) {
            csv_write_text(csv, c.bars.series_names[s]);
            csv_write_number(csv, (double)(i + 1));
            csv_write_text(csv, sweep->workload_names[places[i].workload]);
            csv_write_number(csv, places[i].value);
            csv_end_row(csv);
        }
    }
    arena_destroy(c.arena);
    return status;
}
