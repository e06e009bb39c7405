/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of a sweep: the scatter with its front, and curves over one axis. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "report/sweep_internal.h"
#include "report/sweep_report.h"

struct scatter_data {
    struct arena *arena;
    struct plot_scatter plot;
    double *xs, *ys;
    int *category;
    size_t *front;
    const char **names;
};

/* Values over more than a decade read better on a log scale, capacities in base 2; values
 * apart by powers of two do so from a factor of 4 on. Even steps stay even. */
static enum plot_scale fitting_scale(const double *values, size_t count, struct dim dim)
{
    double low = HUGE_VAL, high = 0;
    bool doubling = true, even = count > 3, binary = dim_equal(dim, DIM_BYTES);
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > 0))
            return PLOT_LINEAR;
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
        binary = binary && fmod(values[i], 1024) == 0;
        even = even &&
               fabs(values[i] - values[0] - (double)i * (values[1] - values[0])) < 1e-9 * values[i];
    }
    for (size_t i = 0; i < count; i++) {
        double steps = log2(values[i] / low);
        doubling = doubling && fabs(steps - round(steps)) < 1e-9;
    }
    if (doubling && high >= 4 * low)
        return PLOT_LOG2;
    if (even || high < 6 * low)
        return PLOT_LINEAR;
    return binary ? PLOT_LOG2 : PLOT_LOG10;
}

/* Along y only what spans decades: lengths along it are compared by eye. */
static enum plot_scale tall_scale(const double *values, size_t count)
{
    double low = HUGE_VAL, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    return low > 0 && high > 30 * low ? PLOT_LOG10 : PLOT_LINEAR;
}

/* The axis whose labels colour the points: the one asked for, or the first of names. */
static size_t colour_column(const struct sweep *sweep, const char *by)
{
    for (size_t c = 0; c < sweep->n_columns; c++)
        if (sweep->columns[c].text && (!by || strcmp(sweep->columns[c].name, by) == 0))
            return c;
    return SIZE_MAX;
}

static int category_of(struct scatter_data *data, const char *label)
{
    for (int i = 0; i < data->plot.category_count; i++)
        if (strcmp(data->names[i], label) == 0)
            return i;
    data->names[data->plot.category_count] = label;
    return data->plot.category_count++;
}

static int scatter_rows(const struct sweep *sweep, const char *by, size_t x, size_t y,
                        struct scatter_data *data, struct error *error)
{
    struct sweep_ids ids = {0};
    struct sweep_row *rows;
    size_t colour = colour_column(sweep, by);
    for (size_t i = 0; i < sweep->front.count; i++)
        VECTOR_PUSH(&ids, sweep->front.items[i]);
    sweep_sample_ids(sweep, &ids);
    int status = sweep_rows(sweep, ids.items, ids.count, data->arena, &rows, error);
    data->xs = arena_alloc(data->arena, ids.count * sizeof *data->xs);
    data->ys = arena_alloc(data->arena, ids.count * sizeof *data->ys);
    data->category = arena_alloc(data->arena, ids.count * sizeof *data->category);
    data->front = arena_alloc(data->arena, sweep->front.count * sizeof *data->front);
    const struct space_axis *axis =
        colour < SIZE_MAX ? &sweep->space->axes[sweep->columns[colour].axis] : NULL;
    data->names = arena_alloc(data->arena,
                              (ids.count + 1 + (axis ? axis->n_values : 0)) * sizeof *data->names);
    /* Colours follow the axis, so that all pictures of a space agree. */
    for (size_t v = 0; axis && v < axis->n_values; v++)
        category_of(data, axis->values[v].label);
    for (size_t i = 0; i < ids.count && !status; i++) {
        const struct sweep_row *row = &rows[i];
        if (!row->kept || !isfinite(row->values[x]) || !isfinite(row->values[y]))
            continue;
        size_t n = data->plot.count++;
        data->xs[n] = row->values[x];
        data->ys[n] = row->values[y];
        data->category[n] = colour < SIZE_MAX ? category_of(data, row->labels[colour]) : 0;
        if (i < sweep->front.count)
            data->front[data->plot.front_count++] = n;
    }
    VECTOR_FREE(&ids);
    return status;
}

/* The columns of a scatter: the benefit upwards, the cost to the right. */
static int scatter_columns(const struct sweep *sweep, const struct space_plot *wanted, size_t *x,
                           size_t *y, struct error *error)
{
    const struct space *space = sweep->space;
    const char *x_name =
        wanted && wanted->x ? wanted->x : space->objectives[space->n_objectives > 1].name;
    const char *y_name = wanted && wanted->y ? wanted->y : space->objectives[0].name;
    int status = sweep_column_find(sweep, x_name, x, error);
    if (!status)
        status = sweep_column_find(sweep, y_name, y, error);
    if (!status && (sweep->columns[*x].text || sweep->columns[*y].text))
        status = error_set(error, STATUS_INPUT, "a plot's axis cannot be a column of names");
    if (!status && wanted && wanted->by && colour_column(sweep, wanted->by) == SIZE_MAX)
        status =
            error_set(error, STATUS_INPUT, "by: there is no axis of names \"%.80s\"", wanted->by);
    return status;
}

static bool objective_is(const struct sweep *sweep, size_t objective, size_t column)
{
    struct error ignored;
    size_t c;
    return sweep_column_find(sweep, sweep->space->objectives[objective].name, &c, &ignored) == 0 &&
           c == column;
}

static int scatter_make(const struct sweep *sweep, const struct space_plot *wanted,
                        struct scatter_data *data, struct error *error)
{
    const struct space *space = sweep->space;
    size_t x, y;
    int status = scatter_columns(sweep, wanted, &x, &y, error);
    if (!status)
        status = scatter_rows(sweep, wanted ? wanted->by : NULL, x, y, data, error);
    if (status) {
        if (wanted)
            error_place(error, &wanted->mark);
        return status;
    }
    struct plot_scatter *plot = &data->plot;
    for (size_t i = 0; i < space->n_objectives; i++) {
        bool maximise = space->objectives[i].sense == PARETO_MAXIMISE;
        if (objective_is(sweep, i, x))
            plot->x_maximise = maximise;
        if (objective_is(sweep, i, y))
            plot->y_maximise = maximise;
    }
    const char *by = wanted ? wanted->by : NULL;
    size_t colour = colour_column(sweep, by);
    plot->title = sweep_plot_title(sweep, wanted);
    plot->subtitle = sweep_plot_subtitle(sweep, NULL, SIZE_MAX, SIZE_MAX, data->arena);
    plot->legend = colour < SIZE_MAX ? sweep->columns[colour].name : NULL;
    plot->x = sweep_plot_axis(sweep, x, fitting_scale(data->xs, plot->count, sweep->columns[x].dim),
                              true, data->arena);
    plot->y = sweep_plot_axis(sweep, y, tall_scale(data->ys, plot->count), true, data->arena);
    plot->xs = data->xs;
    plot->ys = data->ys;
    plot->category = plot->category_count ? data->category : NULL;
    plot->categories = data->names;
    plot->front = data->front;
    plot->no_steps = space->n_objectives != 2;
    return 0;
}

static int plot_scatter_of(const struct sweep *sweep, const struct space_plot *wanted,
                           const struct plot_output *output, struct error *error)
{
    struct scatter_data data = {.arena = arena_create()};
    int status = scatter_make(sweep, wanted, &data, error);
    if (!status && data.plot.count > 0) /* nothing is kept: nothing to draw */
        status = plot_scatter(output, &data.plot, error);
    arena_destroy(data.arena);
    return status;
}

/* --- curves ------------------------------------------------------------------------ */

static int curve_series(const struct sweep *sweep, size_t axis, size_t by, size_t x, size_t y,
                        struct arena *arena, struct plot_curves *plot, struct error *error)
{
    struct sweep_ids ids = {0};
    struct sweep_row *rows;
    size_t per = sweep->space->axes[axis].n_values;
    int status = sweep_curve_ids(sweep, axis, by, &ids, error);
    if (!status)
        status = sweep_rows(sweep, ids.items, ids.count, arena, &rows, error);
    struct plot_series *series = arena_alloc(arena, (ids.count / per + 1) * sizeof *series);
    for (size_t s = 0; s < ids.count / per && !status; s++) {
        double *xs = arena_alloc(arena, per * sizeof *xs),
               *ys = arena_alloc(arena, per * sizeof *ys);
        size_t n = 0;
        for (size_t i = 0; i < per; i++) {
            const struct sweep_row *row = &rows[s * per + i];
            if (!row->kept || !isfinite(row->values[x]) || !isfinite(row->values[y]))
                continue;
            xs[n] = row->values[x];
            ys[n++] = row->values[y];
        }
        const char *name = by < SIZE_MAX ? sweep_value_label(sweep, by, s, arena) : "";
        if (n > 0)
            series[plot->count++] =
                (struct plot_series){.name = name, .count = n, .xs = xs, .ys = ys};
    }
    plot->series = series;
    if (!status)
        plot->subtitle = sweep_plot_subtitle(sweep, &rows[0], axis, by, arena);
    VECTOR_FREE(&ids);
    return status;
}

struct curve_columns {
    size_t axis, by, x, y;
};

static int curve_columns(const struct sweep *sweep, const struct space_plot *wanted,
                         struct curve_columns *c, struct error *error)
{
    *c = (struct curve_columns){.axis = sweep_axis_find(sweep, wanted->x),
                                .by = sweep_axis_find(sweep, wanted->by)};
    if (c->axis == SIZE_MAX || !sweep->space->axes[c->axis].numeric)
        return error_set(error, STATUS_INPUT, "a curve runs over a numeric axis; \"%.80s\" is none",
                         wanted->x);
    if (wanted->by && c->by == SIZE_MAX)
        return error_set(error, STATUS_INPUT, "by: there is no axis \"%.80s\"", wanted->by);
    int status = sweep_column_find(sweep, wanted->x, &c->x, error);
    return status ? status
                  : sweep_column_find(sweep, wanted->y ? wanted->y : sweep->space->rank_by, &c->y,
                                      error);
}

static int plot_curve_of(const struct sweep *sweep, const struct space_plot *wanted,
                         const struct plot_output *output, struct error *error)
{
    struct curve_columns columns;
    struct plot_curves plot = {0};
    struct arena *arena = arena_create();
    int status = curve_columns(sweep, wanted, &columns, error);
    size_t axis = columns.axis, by = columns.by, x = columns.x, y = columns.y;
    if (!status)
        status = curve_series(sweep, axis, by, x, y, arena, &plot, error);
    if (!status && plot.count > 0) {
        plot.title = sweep_plot_title(sweep, wanted);
        plot.legend = wanted->by;
        plot.x = sweep_plot_axis(
            sweep, x, fitting_scale(plot.series[0].xs, plot.series[0].count, sweep->columns[x].dim),
            true, arena);
        plot.y = sweep_plot_axis(sweep, y, PLOT_LINEAR, true, arena);
        status = plot_curves(output, &plot, error);
    }
    if (status)
        error_place(error, &wanted->mark);
    arena_destroy(arena);
    return status;
}

/* --- all of a space -------------------------------------------------------------------- */

int sweep_report_check_plots(const struct sweep *sweep, struct error *error)
{
    const struct space *space = sweep->space;
    size_t x, y;
    int status = space->n_plots == 0 && space->n_objectives > 1
                     ? scatter_columns(sweep, NULL, &x, &y, error)
                     : 0;
    for (size_t i = 0; i < space->n_plots && !status; i++) {
        const struct space_plot *plot = &space->plots[i];
        struct curve_columns columns;
        status = plot->kind == SPACE_PLOT_CURVE     ? curve_columns(sweep, plot, &columns, error)
                 : plot->kind == SPACE_PLOT_PARETO  ? scatter_columns(sweep, plot, &x, &y, error)
                 : plot->kind == SPACE_PLOT_TORNADO ? sweep_tornado_check(sweep, plot, error)
                                                    : sweep_compare_check(sweep, plot, error);
        if (status)
            error_place(error, &plot->mark);
    }
    return status;
}

/* "pareto", "curve-llc.capacity", "bars", "s-curve", "tornado". */
static void picture_base(const struct space_plot *wanted, struct text *out)
{
    out->length = 0;
    text_append(out, space_plot_kinds[wanted ? wanted->kind : SPACE_PLOT_PARETO]);
    if (wanted && wanted->x && wanted->kind != SPACE_PLOT_PARETO)
        text_printf(out, "-%s", wanted->x);
}

static bool same_name(const char *a, const char *b)
{
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

/* FOLDER/pareto, FOLDER/curve-X; a later one of the same kind and axis is FOLDER/curve-X-Y,
 * and one whose name is taken still has its number. */
static void picture_path(const struct space *space, size_t index, const char *folder,
                         const char *ending, struct text *out)
{
    const struct space_plot *plot = space->n_plots ? &space->plots[index] : NULL;
    bool front = !plot || plot->kind == SPACE_PLOT_PARETO, taken = false, twice = false;
    struct text base = {0}, other = {0};
    picture_base(plot, &base);
    for (size_t k = 0; k < index; k++) {
        picture_base(&space->plots[k], &other);
        bool same = strcmp(base.data, other.data) == 0;
        taken = taken || same;
        twice = twice || (same && (front || same_name(space->plots[k].y, plot->y)));
    }
    text_printf(out, "%s/%s", folder, base.data);
    if (taken && !front && plot->y)
        text_printf(out, "-%s", plot->y);
    if (twice)
        text_printf(out, "-%zu", index + 1);
    text_printf(out, ".%s", ending);
    text_free(&base);
    text_free(&other);
}

static int plot_one(const struct sweep *sweep, const struct space_plot *wanted,
                    const struct plot_output *output, struct error *error)
{
    if (!wanted || wanted->kind == SPACE_PLOT_PARETO)
        return plot_scatter_of(sweep, wanted, output, error);
    if (wanted->kind == SPACE_PLOT_CURVE)
        return plot_curve_of(sweep, wanted, output, error);
    int status = wanted->kind == SPACE_PLOT_BARS ? sweep_plot_bars(sweep, wanted, output, error)
                 : wanted->kind == SPACE_PLOT_TORNADO
                     ? sweep_plot_tornado(sweep, wanted, output, error)
                     : sweep_plot_s_curve(sweep, wanted, output, error);
    if (status)
        error_place(error, &wanted->mark);
    return status;
}

static const char *const endings[] = {"svg", "png", "pdf", "txt"}; /* by terminal */

static size_t plot_count(const struct space *space)
{
    return space->n_plots ? space->n_plots : space->n_objectives > 1;
}

void sweep_report_remove_plots(const struct space *space, const char *folder,
                               enum plot_terminal terminal)
{
    for (size_t i = 0; i < plot_count(space); i++) {
        struct text path = {0};
        picture_path(space, i, folder, endings[terminal], &path);
        remove(path.data);
        text_free(&path);
    }
}

int sweep_report_plots(const struct sweep *sweep, const char *folder, enum plot_terminal terminal,
                       struct text *made, struct error *error)
{
    const struct space *space = sweep->space;
    int status = 0;
    for (size_t i = 0; i < plot_count(space) && !status; i++) {
        const struct space_plot *wanted = space->n_plots ? &space->plots[i] : NULL;
        struct text path = {0};
        struct plot_output output = {.terminal = terminal};
        picture_path(space, i, folder, endings[terminal], &path);
        output.path = path.data;
        status = plot_one(sweep, wanted, &output, error);
        if (!status && file_exists(path.data))
            text_printf(made, "%s\n", path.data);
        text_free(&path);
    }
    return status;
}

int sweep_report_sketch(const struct sweep *sweep, struct text *out, struct error *error)
{
    struct plot_output output = {.terminal = PLOT_DUMB, .text = out};
    return plot_scatter_of(sweep, NULL, &output, error);
}
