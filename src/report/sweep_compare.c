/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of a sweep that compare the values of one axis: bars by workload or by a second
 * axis, and s-curves (the workloads' speed-ups in ascending order). All other axes stand at
 * the machine's own value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "report/csv.h"
#include "report/groups.h"
#include "report/sweep_internal.h"

static const char *const mean_names[] = {"harmonic mean", "geometric mean", "arithmetic mean"};

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
    size_t column, by = sweep_axis_find(sweep, wanted->by);
    if (by == SIZE_MAX)
        return error_set(error, STATUS_INPUT, "by: there is no axis \"%.80s\"", wanted->by);
    if (wanted->x &&
        (sweep_axis_find(sweep, wanted->x) == SIZE_MAX || sweep_axis_find(sweep, wanted->x) == by))
        return error_set(error, STATUS_INPUT, "x: there is no other axis \"%.80s\"", wanted->x);
    int status = sweep_column_find(sweep, metric, &column, error);
    for (size_t w = 0; w < sweep->space->n_workloads && !status && !wanted->x; w++)
        status = workload_column(sweep, metric, w, &column, error);
    return status;
}

static const char *value_label(const struct sweep *sweep, size_t axis, size_t v,
                               struct arena *arena)
{
    const struct space_value *value = &sweep->space->axes[axis].values[v];
    char buffer[64];
    if (value->label)
        return value->label;
    const struct parameter_value *number = &value->assignments[0].value;
    return arena_strdup(arena, quantity_format((struct quantity){number->number, number->dim}, 4,
                                               buffer, sizeof buffer));
}

/* Values of one metric: for each series (value of `by`) each workload, and their mean. */
struct comparison {
    struct arena *arena;
    size_t series, workloads;
    const char **series_names;
    double *values; /* [series * (workloads + 1) + workload]; the last: the mean */
};

static int comparison_read(const struct sweep *sweep, const struct space_plot *wanted,
                           struct comparison *c, struct error *error)
{
    const char *metric = sweep_compare_metric(sweep->space, wanted);
    size_t by = sweep_axis_find(sweep, wanted->by), n = sweep->space->n_workloads;
    struct sweep_ids ids = {0};
    struct sweep_row *rows = NULL;
    int status = sweep_curve_ids(sweep, by, SIZE_MAX, &ids, error);
    if (!status)
        status = sweep_rows(sweep, ids.items, ids.count, c->arena, &rows, error);
    c->series = ids.count;
    c->workloads = n;
    c->series_names = arena_alloc(c->arena, ids.count * sizeof *c->series_names);
    c->values = arena_alloc(c->arena, ids.count * (n + 1) * sizeof *c->values);
    for (size_t s = 0; s < ids.count && !status; s++) {
        c->series_names[s] = value_label(sweep, by, s, c->arena);
        for (size_t w = 0; w <= n && !status; w++) {
            size_t column;
            status = w < n ? workload_column(sweep, metric, w, &column, error)
                           : sweep_column_find(sweep, metric, &column, error);
            if (!status)
                c->values[s * (n + 1) + w] = rows[s].kept ? rows[s].values[column] : (double)NAN;
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

static struct plot_axis metric_axis(const struct sweep *sweep, const char *metric,
                                    struct arena *arena)
{
    struct error ignored;
    size_t column = 0;
    char unit[64];
    sweep_column_find(sweep, metric, &column, &ignored);
    struct dim dim = sweep->columns[column].dim;
    bool plain = dim_equal(dim, DIM_NONE);
    const char *title = metric;
    const char *dot = strrchr(metric, '.');
    if (is_speedup(metric) && sweep->space->speedup_vs)
        title = arena_printf(arena, "speed-up against %s (%.*s)", sweep->space->speedup_vs,
                             dot ? (int)(dot - metric)
                                 : (int)strlen(sweep->space->models[0]->plugin.name),
                             dot ? metric : sweep->space->models[0]->plugin.name);
    return (struct plot_axis){
        title, plain ? NULL : arena_strdup(arena, dim_unit(dim, unit, sizeof unit)), PLOT_LINEAR};
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

static int bars_by_workload(const struct sweep *sweep, const struct space_plot *wanted,
                            struct plot_groups *plot, struct arena *arena, struct error *error)
{
    struct comparison c = {.arena = arena};
    int status = comparison_read(sweep, wanted, &c, error);
    bool mean = c.workloads > 1;
    const char **names = arena_alloc(arena, (c.workloads + 1) * sizeof *names);
    double *values = arena_alloc(arena, c.series * (c.workloads + 1) * sizeof *values);
    plot->clusters = c.workloads + mean;
    plot->series = c.series;
    for (size_t w = 0; w < c.workloads; w++)
        names[w] = sweep->workload_names[w];
    names[c.workloads] = mean_names[sweep->space->mean];
    for (size_t s = 0; s < c.series; s++)
        for (size_t w = 0; w < plot->clusters; w++)
            values[s * plot->clusters + w] = c.values[s * (c.workloads + 1) + w];
    plot->apart = mean ? c.workloads : 0;
    plot->x_title = "";
    plot->cluster_names = names;
    plot->series_names = c.series_names;
    plot->values = values;
    return status;
}

static int bars_by_axis(const struct sweep *sweep, const struct space_plot *wanted,
                        struct plot_groups *plot, struct arena *arena, struct error *error)
{
    size_t x = sweep_axis_find(sweep, wanted->x), by = sweep_axis_find(sweep, wanted->by), column;
    struct sweep_ids ids = {0};
    struct sweep_row *rows = NULL;
    int status =
        sweep_column_find(sweep, sweep_compare_metric(sweep->space, wanted), &column, error);
    if (!status)
        status = sweep_curve_ids(sweep, x, by, &ids, error);
    if (!status)
        status = sweep_rows(sweep, ids.items, ids.count, arena, &rows, error);
    plot->clusters = sweep->space->axes[x].n_values;
    plot->series = sweep->space->axes[by].n_values;
    const char **names = arena_alloc(arena, plot->clusters * sizeof *names);
    const char **series = arena_alloc(arena, plot->series * sizeof *series);
    double *values = arena_alloc(arena, plot->clusters * plot->series * sizeof *values);
    for (size_t v = 0; v < plot->clusters; v++)
        names[v] = value_label(sweep, x, v, arena);
    for (size_t s = 0; s < plot->series; s++)
        series[s] = value_label(sweep, by, s, arena);
    for (size_t i = 0; i < ids.count && !status; i++)
        values[i] = rows[i].kept ? rows[i].values[column] : (double)NAN;
    plot->x_title = wanted->x;
    plot->cluster_names = names;
    plot->series_names = series;
    plot->values = values;
    VECTOR_FREE(&ids);
    return status;
}

int sweep_plot_bars(const struct sweep *sweep, const struct space_plot *wanted,
                    const struct plot_output *output, struct error *error)
{
    struct arena *arena = arena_create();
    const char *metric = sweep_compare_metric(sweep->space, wanted);
    struct plot_groups plot = {.y = metric_axis(sweep, metric, arena),
                               .reference = is_speedup(metric) ? 1 : (double)NAN};
    int status = wanted->x ? bars_by_axis(sweep, wanted, &plot, arena, error)
                           : bars_by_workload(sweep, wanted, &plot, arena, error);
    plot.title = wanted->x && sweep->space->n_workloads > 1
                     ? arena_printf(arena, "%s: %s of %zu workloads", sweep->space->name,
                                    mean_names[sweep->space->mean], sweep->space->n_workloads)
                     : sweep->space->name;
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
    const char *metric = sweep_compare_metric(sweep->space, wanted);
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
        series[s] = (struct plot_series){c.series_names[s], n, xs, ys};
    }
    struct plot_curves plot = {
        .title = arena_printf(c.arena, "%s: %zu workloads", sweep->space->name, c.workloads),
        .x = {"workloads, each curve in ascending order", NULL, PLOT_LINEAR},
        .y = metric_axis(sweep, metric, c.arena),
        .count = c.series,
        .series = series,
    };
    if (!status && any_value(c.values, c.series * (c.workloads + 1)))
        status = plot_curves(output, &plot, error);
    arena_destroy(c.arena);
    return status;
}

int sweep_write_s_curve(const struct sweep *sweep, const struct space_plot *wanted,
                        const char *path, struct error *error)
{
    struct comparison c = {.arena = arena_create()};
    struct file_writer writer;
    int status = comparison_read(sweep, wanted, &c, error);
    struct place *places = arena_alloc(c.arena, c.workloads * sizeof *places);
    if (!status)
        status = file_writer_open(&writer, path, error);
    if (!status) {
        struct csv_writer csv = {.stream = writer.stream};
        csv_write_text(&csv, wanted->by);
        csv_write_text(&csv, "place");
        csv_write_text(&csv, "workload");
        csv_write_text(&csv, sweep_compare_metric(sweep->space, wanted));
        csv_end_row(&csv);
        for (size_t s = 0; s < c.series; s++) {
            size_t n = sort_series(&c, s, places);
            for (size_t i = 0; i < n; i++) {
                csv_write_text(&csv, c.series_names[s]);
                csv_write_number(&csv, (double)(i + 1));
                csv_write_text(&csv, sweep->workload_names[places[i].workload]);
                csv_write_number(&csv, places[i].value);
                csv_end_row(&csv);
            }
        }
        status = file_writer_commit(&writer, error);
    }
    arena_destroy(c.arena);
    return status;
}
