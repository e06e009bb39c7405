/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of a sweep that compare the values of one axis: bars by workload or by a second
 * axis, and s-curves (the workloads' speed-ups in ascending order). All other axes stand at
 * the machine's own value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/groups.h"
#include "report/sweep_internal.h"

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
    struct mark nowhere = {0};
    const struct mark *y_mark = wanted->y ? &wanted->y_mark : &nowhere;
    size_t column, by = SIZE_MAX, x = SIZE_MAX;
    int status = 0;
    if (wanted->by)
        status = sweep_plot_axis_find(sweep, "by", wanted->by, &wanted->by_mark, &by, error);
    if (!status && wanted->x)
        status = sweep_plot_axis_find(sweep, "x", wanted->x, &wanted->x_mark, &x, error);
    if (!status && wanted->x && x == by)
        status = error_at(error, STATUS_INPUT, &wanted->x_mark,
                          "x: \"%.80s\" is what the bars are by already", wanted->x);
    if (!status)
        status = sweep_plot_column_find(sweep, "y", metric, y_mark, &column, error);
    bool workloads = !wanted->x || !wanted->by;
    for (size_t w = 0; w < sweep->space->n_workloads && !status && workloads; w++)
        if ((status = workload_column(sweep, metric, w, &column, error)))
            error_place(error, y_mark);
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

/* Values of one metric: for each series (a value of `by`, or of `x` without it) each workload,
 * and what stands for all of them. */
struct comparison {
    struct arena *arena;
    size_t series, workloads;
    const char **series_names;
    const char *all; /* "harmonic mean" */
    const char *subtitle;
    struct plot_axis y;
    double *values;       /* [series * (workloads + 1) + workload]; the last: all of them */
    const char **missing; /* why a value is NaN, by the same places */
    struct sweep_gaps gaps, all_gaps; /* of the workloads' values, and of those of all of them */
    struct text lost;                 /* series without a value */
};

static void comparison_value(struct comparison *c, const struct sweep_row *row, size_t column,
                             size_t series, size_t workload)
{
    size_t place = series * (c->workloads + 1) + workload;
    c->missing[place] = sweep_gap(row, column, workload < c->workloads ? &c->gaps : &c->all_gaps);
    c->values[place] = c->missing[place] ? (double)NAN : row->values[column];
}

static int comparison_read(const struct sweep *sweep, const struct space_plot *wanted,
                           struct comparison *c, struct error *error)
{
    const char *metric = sweep_compare_metric(sweep->space, wanted);
    size_t by = sweep_axis_find(sweep, wanted->by ? wanted->by : wanted->x);
    size_t n = sweep->space->n_workloads;
    struct sweep_ids ids = {0};
    struct sweep_row *rows = NULL;
    int status = sweep_curve_ids(sweep, by, SIZE_MAX, &ids, error);
    if (!status)
        status = sweep_rows(sweep, ids.items, ids.count, c->arena, &rows, error);
    c->series = ids.count;
    c->workloads = n;
    c->series_names = arena_alloc(c->arena, ids.count * sizeof *c->series_names);
    c->values = arena_alloc(c->arena, ids.count * (n + 1) * sizeof *c->values);
    c->missing = arena_alloc(c->arena, ids.count * (n + 1) * sizeof *c->missing);
    if (!status)
        c->subtitle =
            sweep_plot_subtitle(sweep, sweep_row_shown(rows, ids.count), by, SIZE_MAX, c->arena);
    for (size_t s = 0; s < ids.count && !status; s++) {
        c->series_names[s] = sweep_value_label(sweep, by, s, c->arena);
        for (size_t w = 0; w <= n && !status; w++) {
            size_t column;
            status = w < n ? workload_column(sweep, metric, w, &column, error)
                           : sweep_column_find(sweep, metric, &column, error);
            if (status)
                break;
            comparison_value(c, &rows[s], column, s, w);
            if (s == 0 && w == n) {
                c->y = sweep_plot_axis(sweep, column, PLOT_LINEAR, false, c->arena);
                c->all = sweep_aggregate_name(sweep, column);
            }
        }
    }
    VECTOR_FREE(&ids);
    return status;
}

static bool is_speedup(const char *metric)
{
    size_t length = strlen(metric);
    return length >= 7 && strcmp(metric + length - 7, "speedup") == 0;
}

/* False when no point is kept: there is nothing to draw. */
static bool any_value(const double *values, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count && !any; i++)
        any = isfinite(values[i]);
    return any;
}

/* --- bars -------------------------------------------------------------------------------- */

/* Workloads and an axis: the series are the axis' values, or (x without by) the workloads. */
static int bars_by_workload(const struct sweep *sweep, const struct space_plot *wanted,
                            struct plot_groups *plot, struct arena *arena, struct error *error)
{
    struct comparison c = {.arena = arena};
    int status = comparison_read(sweep, wanted, &c, error);
    bool axis_across = !wanted->by;
    size_t subjects = c.workloads + (c.workloads > 1);
    const char **names = arena_alloc(arena, subjects * sizeof *names);
    double *values = arena_alloc(arena, c.series * subjects * sizeof *values);
    const char **missing = arena_alloc(arena, c.series * subjects * sizeof *missing);
    for (size_t w = 0; w < subjects; w++)
        names[w] = w < c.workloads ? sweep->workload_names[w] : c.all;
    plot->clusters = axis_across ? c.series : subjects;
    plot->series = axis_across ? subjects : c.series;
    for (size_t s = 0; s < c.series; s++)
        for (size_t w = 0; w < subjects; w++) {
            size_t to = axis_across ? w * c.series + s : s * subjects + w;
            values[to] = c.values[s * (c.workloads + 1) + w];
            missing[to] = c.missing[s * (c.workloads + 1) + w];
        }
    plot->apart = !axis_across && subjects > c.workloads ? c.workloads : 0;
    plot->x_title = axis_across ? wanted->x : "";
    plot->legend = axis_across ? "workload" : wanted->by;
    plot->cluster_names = axis_across ? c.series_names : names;
    plot->series_names = axis_across ? names : c.series_names;
    plot->values = values;
    plot->missing = missing;
    if (subjects > c.workloads) {
        c.gaps.refused += c.all_gaps.refused;
        c.gaps.excluded += c.all_gaps.excluded;
        c.gaps.unknown += c.all_gaps.unknown;
    }
    plot->remark = sweep_gaps_remark(&c.gaps, NULL, arena);
    plot->subtitle = c.subtitle;
    plot->y = c.y;
    return status;
}

static int bars_by_axis(const struct sweep *sweep, const struct space_plot *wanted,
                        struct plot_groups *plot, struct arena *arena, struct error *error)
{
    size_t x = sweep_axis_find(sweep, wanted->x), by = sweep_axis_find(sweep, wanted->by);
    size_t column, x_column;
    struct sweep_gaps gaps = {0};
    struct sweep_ids ids = {0};
    struct sweep_row *rows = NULL;
    int status =
        sweep_column_find(sweep, sweep_compare_metric(sweep->space, wanted), &column, error);
    if (!status)
        status = sweep_column_find(sweep, wanted->x, &x_column, error);
    if (!status)
        status = sweep_curve_ids(sweep, x, by, &ids, error);
    if (!status)
        status = sweep_rows(sweep, ids.items, ids.count, arena, &rows, error);
    plot->clusters = sweep->space->axes[x].n_values;
    plot->series = sweep->space->axes[by].n_values;
    const char **names = arena_alloc(arena, plot->clusters * sizeof *names);
    const char **series = arena_alloc(arena, plot->series * sizeof *series);
    double *values = arena_alloc(arena, plot->clusters * plot->series * sizeof *values);
    const char **missing = arena_alloc(arena, plot->clusters * plot->series * sizeof *missing);
    for (size_t v = 0; v < plot->clusters; v++)
        names[v] = sweep_value_label(sweep, x, v, arena);
    for (size_t s = 0; s < plot->series; s++)
        series[s] = sweep_value_label(sweep, by, s, arena);
    for (size_t i = 0; i < ids.count && !status; i++) {
        missing[i] = sweep_gap(&rows[i], column, &gaps);
        values[i] = missing[i] ? (double)NAN : rows[i].values[column];
    }
    if (!status) {
        plot->subtitle = sweep_plot_subtitle(sweep, sweep_row_shown(rows, ids.count), x, by, arena);
        plot->remark = sweep_gaps_remark(&gaps, NULL, arena);
        plot->y = sweep_plot_axis(sweep, column, PLOT_LINEAR, true, arena);
        plot->x_note = sweep_plot_axis(sweep, x_column, PLOT_LINEAR, false, arena).note;
    }
    plot->x_title = wanted->x;
    plot->legend = wanted->by;
    plot->cluster_names = names;
    plot->series_names = series;
    plot->values = values;
    plot->missing = missing;
    VECTOR_FREE(&ids);
    return status;
}

int sweep_plot_bars(const struct sweep *sweep, const struct space_plot *wanted,
                    const struct plot_output *output, struct error *error)
{
    struct arena *arena = arena_create();
    struct plot_groups plot = {
        .title = sweep_plot_title(sweep, wanted),
        .reference = is_speedup(sweep_compare_metric(sweep->space, wanted)) ? 1 : (double)NAN};
    int status = wanted->x && wanted->by ? bars_by_axis(sweep, wanted, &plot, arena, error)
                                         : bars_by_workload(sweep, wanted, &plot, arena, error);
    if (!status && any_value(plot.values, plot.series * plot.clusters))
        status = plot_groups(output, &plot, error);
    arena_destroy(arena);
    return status;
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
    for (size_t w = 0; w < c->workloads; w++) {
        double value = c->values[series * (c->workloads + 1) + w];
        if (!isnan(value))
            out[n++] = (struct place){value, w};
    }
    qsort(out, n, sizeof *out, compare_places);
    return n;
}

int sweep_plot_s_curve(const struct sweep *sweep, const struct space_plot *wanted,
                       const struct plot_output *output, struct error *error)
{
    struct comparison c = {.arena = arena_create()};
    int status = comparison_read(sweep, wanted, &c, error);
    struct place *places = arena_alloc(c.arena, c.workloads * sizeof *places);
    struct plot_series *series = arena_alloc(c.arena, c.series * sizeof *series);
    for (size_t s = 0; s < c.series && !status; s++) {
        size_t n = sort_series(&c, s, places);
        double *xs = arena_alloc(c.arena, n * sizeof *xs),
               *ys = arena_alloc(c.arena, n * sizeof *ys);
        for (size_t i = 0; i < n; i++) {
            xs[i] = (double)(i + 1);
            ys[i] = places[i].value;
        }
        series[s] = (struct plot_series){.name = c.series_names[s], .count = n, .xs = xs, .ys = ys};
        if (n == 0)
            text_printf(&c.lost, "%s%s", c.lost.length ? ", " : "", c.series_names[s]);
    }
    struct plot_curves plot = {
        .title = sweep_plot_title(sweep, wanted),
        .subtitle = c.subtitle,
        .remark = sweep_gaps_remark(&c.gaps, &c.lost, c.arena),
        .legend = wanted->by,
        .x = {"workloads, each curve in ascending order", NULL, PLOT_LINEAR,
              "s-curve.csv says which is which"},
        .y = c.y,
        .count = c.series,
        .series = series,
    };
    if (!status && any_value(c.values, c.series * (c.workloads + 1)))
        status = plot_curves(output, &plot, error);
    text_free(&c.lost);
    arena_destroy(c.arena);
    return status;
}

int sweep_write_s_curve(const struct sweep *sweep, const struct space_plot *wanted,
                        struct csv_writer *csv, struct error *error)
{
    struct comparison c = {.arena = arena_create()};
    int status = comparison_read(sweep, wanted, &c, error);
    struct place *places = arena_alloc(c.arena, c.workloads * sizeof *places);
    if (!status) {
        csv_write_text(csv, wanted->by);
        csv_write_text(csv, "place");
        csv_write_text(csv, "workload");
        csv_write_text(csv, sweep_compare_metric(sweep->space, wanted));
        csv_end_row(csv);
    }
    for (size_t s = 0; s < c.series && !status; s++) {
        size_t n = sort_series(&c, s, places);
        for (size_t i = 0; i < n; i++) {
            csv_write_text(csv, c.series_names[s]);
            csv_write_number(csv, (double)(i + 1));
            csv_write_text(csv, sweep->workload_names[places[i].workload]);
            csv_write_number(csv, places[i].value);
            csv_end_row(csv);
        }
    }
    arena_destroy(c.arena);
    return status;
}
