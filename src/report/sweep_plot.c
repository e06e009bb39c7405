/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of a sweep: the scatter with its front, and curves over one axis. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/remark.h"
#include "report/picture_file.h"
#include "report/sweep_internal.h"
#include "report/sweep_report.h"

/* Along y only what spans decades: lengths along it are compared by eye. */
static enum plot_scale tall_scale(const struct plot_axis *axis, const double *values, size_t count)
{
    double low = HUGE_VAL, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    bool decades = low > 0 && high > 30 * low && !plot_axis_is_of_shares(axis, high);
    return decades ? PLOT_LOG10 : PLOT_LINEAR;
}

/* The axis whose labels colour the points: the one asked for, or the first of names. */
static size_t colour_column(const struct sweep *sweep, const char *by)
{
    for (size_t c = 0; c < sweep->n_columns; c++)
        if (sweep->columns[c].text && (!by || strcmp(sweep->columns[c].name, by) == 0))
            return c;
    return SIZE_MAX;
}

/* Where the label is among the names; behind them if it was not. */
static int category_of(const char **names, int *count, const char *label)
{
    int c = 0;
    while (c < *count && strcmp(names[c], label) != 0)
        c++;
    if (c == *count)
        names[(*count)++] = label;
    return c;
}

/* The points of the front, then of an even sample. Colours follow the values of the axis `colour`
 * (SIZE_MAX: none), so that all pictures of a space agree. */
static int front_rows(const struct sweep *sweep, size_t colour, size_t x, size_t y,
                      struct arena *arena, struct plot_front *plot, struct error *error)
{
    struct sweep_ids ids = {0};
    struct sweep_row *rows;
    for (size_t i = 0; i < sweep->front.count; i++)
        VECTOR_PUSH(&ids, sweep->front.items[i]);
    sweep_sample_ids(sweep, &ids);
    int status = sweep_rows_brief(sweep, ids.items, ids.count, arena, &rows, error);
    double *xs = arena_alloc(arena, ids.count * sizeof *xs);
    double *ys = arena_alloc(arena, ids.count * sizeof *ys);
    int *category = arena_alloc(arena, ids.count * sizeof *category);
    size_t *front = arena_alloc(arena, sweep->front.count * sizeof *front);
    const struct space_axis *axis =
        colour < SIZE_MAX ? &sweep->space->axes[sweep->columns[colour].axis] : NULL;
    const char **names =
        arena_alloc(arena, (ids.count + (axis ? axis->n_values : 0)) * sizeof *names);
    *plot = (struct plot_front){.xs = xs,
                                .ys = ys,
                                .front = front,
                                .category = axis ? category : NULL,
                                .categories = names};
    for (size_t v = 0; axis && v < axis->n_values; v++)
        category_of(names, &plot->category_count, axis->values[v].label);
    for (size_t i = 0; i < ids.count && !status; i++) {
        const struct sweep_row *row = &rows[i];
        if (!row->kept || !isfinite(row->values[x]) || !isfinite(row->values[y]))
            continue;
        size_t n = plot->count++;
        xs[n] = row->values[x];
        ys[n] = row->values[y];
        if (axis)
            category[n] = category_of(names, &plot->category_count, row->labels[colour]);
        if (i < sweep->front.count)
            front[plot->front_count++] = n;
    }
    VECTOR_FREE(&ids);
    return status;
}

/* The columns of a scatter: the benefit upwards, the cost to the right. `wanted` may be NULL. */
static int scatter_columns(const struct sweep *sweep, const struct space_plot *wanted, size_t *x,
                           size_t *y, struct error *error)
{
    static const struct space_plot usual;
    const struct space_plot *plot = wanted ? wanted : &usual;
    const struct space_objective *objectives = sweep->space->objectives;
    const char *x_name = plot->x ? plot->x : objectives[sweep->space->n_objectives > 1].name;
    size_t by;
    int status = sweep_plot_column_find(sweep, "x", x_name, &plot->x_mark, x, error);
    if (!status)
        status = sweep_plot_column_find(sweep, "y", plot->y ? plot->y : objectives[0].name,
                                        &plot->y_mark, y, error);
    if (!status && (sweep->columns[*x].text || sweep->columns[*y].text)) {
        status = error_set(error, STATUS_INPUT, "a plot's axis cannot be a column of names");
        error_place(error, sweep->columns[*x].text ? &plot->x_mark : &plot->y_mark);
    }
    if (!status && plot->by)
        status = sweep_plot_axis_find(sweep, "by", plot->by, &plot->by_mark, &by, error);
    if (!status && plot->by && colour_column(sweep, plot->by) == SIZE_MAX)
        status =
            error_at(error, STATUS_INPUT, &plot->by_mark,
                     "by: the axis \"%.80s\" has numbers, and colours are for names", plot->by);
    return status;
}

/* The objective's name, or that of one of these columns where it is the objective's. */
static const char *objective_name(const struct sweep *sweep, size_t objective, size_t x, size_t y)
{
    const char *name = sweep->space->objectives[objective].name;
    struct error ignored;
    size_t c;
    bool shown = sweep_column_find(sweep, name, &c, &ignored) == 0 && (c == x || c == y);
    return shown ? sweep->columns[c].name : name;
}

static int plot_front_of(const struct sweep *sweep, const struct space_plot *wanted,
                         struct picture *picture, struct error *error)
{
    const struct space *space = sweep->space;
    const char *names[PARETO_OBJECTIVES_MAX];
    enum pareto_sense senses[PARETO_OBJECTIVES_MAX];
    struct plot_front plot;
    size_t x, y, colour = colour_column(sweep, wanted ? wanted->by : NULL);
    int status = scatter_columns(sweep, wanted, &x, &y, error);
    if (!status)
        status = front_rows(sweep, colour, x, y, picture->arena, &plot, error);
    if (status)
        return status;
    for (size_t i = 0; i < space->n_objectives; i++) {
        names[i] = objective_name(sweep, i, x, y);
        senses[i] = space->objectives[i].sense;
    }
    picture->remark =
        plot_front_axes(&plot, names, senses, space->n_objectives, sweep->columns[x].name,
                        sweep->columns[y].name, picture->arena);
    picture_add_front(picture, &plot);
    picture->title = sweep_plot_title(sweep, wanted);
    picture->subtitle = sweep_plot_subtitle(sweep, NULL, SIZE_MAX, SIZE_MAX, picture->arena);
    picture->legend = colour < SIZE_MAX ? sweep->columns[colour].name : NULL;
    picture->x = sweep_plot_axis(sweep, x, true, picture->arena);
    plot_axis_fit(&picture->x, plot.xs, plot.count);
    picture->y = sweep_plot_axis(sweep, y, true, picture->arena);
    picture->y.scale = tall_scale(&picture->y, plot.ys, plot.count);
    return 0;
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
        bool curve = plot->kind == SPACE_PLOT_CURVE || plot->kind == SPACE_PLOT_LATENCY;
        bool profiles = plot->kind == SPACE_PLOT_MISSES || plot->kind == SPACE_PLOT_SHARING;
        status = curve                               ? sweep_curve_check(sweep, plot, error)
                 : profiles                          ? 0
                 : plot->kind == SPACE_PLOT_ROOFLINE ? sweep_roofline_check(sweep, plot, error)
                 : plot->kind == SPACE_PLOT_PARETO   ? scatter_columns(sweep, plot, &x, &y, error)
                 : plot->kind == SPACE_PLOT_TORNADO  ? sweep_tornado_check(sweep, plot, error)
                 : plot->kind == SPACE_PLOT_STACKED  ? sweep_stacked_check(sweep, plot, error)
                                                     : sweep_compare_check(sweep, plot, error);
        if (!status)
            status = sweep_published_check(sweep, plot, error);
        if (status)
            error_place(error, &plot->mark);
    }
    return status;
}

/* "pareto", "curve-llc.capacity", "bars", "s-curve", "tornado", "heat-llc.capacity". */
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

/* pareto, curve-X; a later one of the same kind and axis is curve-X-Y, and one whose name is taken
 * still has its number. */
static void picture_name(const struct space *space, size_t index, enum plot_terminal terminal,
                         struct text *out)
{
    const struct space_plot *plot = space->n_plots ? &space->plots[index] : NULL;
    bool front = !plot || plot->kind == SPACE_PLOT_PARETO, taken = false, twice = false;
    struct text base = {0}, other = {0};
    picture_base(plot, &base);
    for (size_t k = 0; k < index; k++) {
        picture_base(&space->plots[k], &other);
        bool same = strcmp(base.data, other.data) == 0;
        taken = taken || same;
        twice = twice || (same && (front || !plot->y || same_name(space->plots[k].y, plot->y)));
    }
    out->length = 0;
    text_append(out, base.data);
    if (taken && !front && plot->y)
        text_printf(out, "-%s", plot->y);
    if (twice)
        text_printf(out, "-%zu", index + 1);
    text_printf(out, ".%s", plot_terminal_ending(terminal));
    text_free(&base);
    text_free(&other);
}

/* The plots that the space names, or one by itself. */
static size_t picture_count(const struct space *space)
{
    return space->n_plots ? space->n_plots : space->n_objectives > 1;
}

void sweep_picture_names(const struct space *space, enum plot_terminal terminal,
                         struct sweep_names *out)
{
    for (size_t i = 0; i < picture_count(space); i++) {
        struct text name = {0}, script = {0}, data = {0}, described = {0};
        picture_name(space, i, terminal, &name);
        int base = (int)(strrchr(name.data, '.') - name.data);
        text_printf(&script, "%.*s" PICTURE_SCRIPT, base, name.data);
        text_printf(&data, "%.*s" PICTURE_DATA, base, name.data);
        text_printf(&described, "%.*s" PICTURE_ENDING, base, name.data);
        VECTOR_PUSH(out, described.data);
        VECTOR_PUSH(out, name.data);
        VECTOR_PUSH(out, script.data);
        VECTOR_PUSH(out, data.data);
    }
}

/* What inputs leave of the machines is said under every picture; the text of a remark that is
 * there, and that. */
static const char *filling_remark(const struct sweep *sweep, const char *remark,
                                  struct arena *arena)
{
    struct text names = {0};
    unsigned set = 0;
    for (size_t i = 0; sweep->filling && i < sweep->space->n_workloads * FILLING_KINDS; i++)
        set |= (unsigned)(sweep->filling[i].text != NULL) << i % FILLING_KINDS;
    filling_append_words(set, &names);
    if (set)
        remark = arena_printf(arena, "%s%sinputs: %s (manifest.yaml)", remark ? remark : "",
                              remark ? "; " : "", names.data);
    text_free(&names);
    return remark;
}

/* `described` (may be NULL) gets the description. */
static int plot_one(const struct sweep *sweep, const struct space_plot *wanted,
                    const struct plot_output *output, struct text *described, struct error *error)
{
    static int (*const kinds[])(const struct sweep *, const struct space_plot *, struct picture *,
                                struct error *) = {
        [SPACE_PLOT_PARETO] = plot_front_of,       [SPACE_PLOT_CURVE] = sweep_plot_curve,
        [SPACE_PLOT_BARS] = sweep_plot_bars,       [SPACE_PLOT_S_CURVE] = sweep_plot_s_curve,
        [SPACE_PLOT_TORNADO] = sweep_plot_tornado, [SPACE_PLOT_HEAT] = sweep_plot_heat,
        [SPACE_PLOT_STACKED] = sweep_plot_stacked, [SPACE_PLOT_ROOFLINE] = sweep_plot_roofline,
        [SPACE_PLOT_LATENCY] = sweep_plot_curve,   [SPACE_PLOT_MISSES] = sweep_plot_misses,
        [SPACE_PLOT_SHARING] = sweep_plot_sharing,
    };
    struct picture picture;
    bool drawn; /* no: none of its points is kept */
    picture_begin(&picture);
    int status = kinds[wanted ? wanted->kind : SPACE_PLOT_PARETO](sweep, wanted, &picture, error);
    picture.remark = filling_remark(sweep, picture.remark, picture.arena);
    if (!status && described && picture.series.count)
        picture_file_print(&picture, described);
    status = picture_end(&picture, output, status, &drawn, error);
    if (status && wanted)
        error_place(error, &wanted->mark);
    return status;
}

/* What stands beside a picture has its name, but for the ending; one serves all formats. */
static void add_beside(struct sweep_folder *folder, const char *picture, const char *ending,
                       struct text *content)
{
    struct text name = {0};
    text_printf(&name, "%.*s%s", (int)(strrchr(picture, '.') - picture), picture, ending);
    bool there = false;
    for (size_t i = 0; i < folder->files.count; i++)
        there = there || strcmp(folder->files.items[i].name, name.data) == 0;
    if (content->length && !there)
        sweep_folder_picture(folder, name.data, content);
    text_free(content);
    text_free(&name);
}

int sweep_report_plots(const struct sweep *sweep, struct sweep_folder *folder,
                       const struct plot_output *how, struct error *error)
{
    const struct space *space = sweep->space;
    bool missing = false; /* gnuplot: it is not asked again */
    int status = 0;
    for (size_t i = 0; i < picture_count(space) && !status; i++) {
        const struct space_plot *wanted = space->n_plots ? &space->plots[i] : NULL;
        struct text name = {0}, picture = {0}, script = {0}, data = {0}, described = {0};
        struct error other = {0};
        picture_name(space, i, how->terminal, &name);
        struct plot_output output = {.terminal = how->terminal,
                                     .look = how->look,
                                     .text = &picture,
                                     .name = name.data,
                                     .script = &script,
                                     .data = &data,
                                     .undrawn = missing};
        status = plot_one(sweep, wanted, &output, &described, missing ? &other : error);
        if (status && missing)
            *error = other;
        if (status == STATUS_NO_PICTURE && !missing) {
            missing = true;
            status = 0;
        }
        if (!status && picture.length)
            sweep_folder_picture(folder, name.data, &picture);
        else if (!status && !script.length)
            remark("%s: not drawn, none of its points is left", name.data);
        add_beside(folder, name.data, PICTURE_SCRIPT, &script);
        add_beside(folder, name.data, PICTURE_DATA, &data);
        add_beside(folder, name.data, PICTURE_ENDING, &described);
        text_free(&picture);
        text_free(&name);
    }
    return status ? status : missing ? STATUS_NO_PICTURE : 0;
}

int sweep_report_sketch(const struct sweep *sweep, struct text *out, struct error *error)
{
    struct plot_output output = {.terminal = PLOT_DUMB, .text = out};
    return plot_one(sweep, NULL, &output, NULL, error);
}
