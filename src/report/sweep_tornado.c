/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a one-at-a-time design: what each value of each axis makes of the base point, as
 * bars that start there, one below the other, the axis that moves it most on top. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/sweep_internal.h"

/* In bars: half their width, the gap between axes. Of the usual height: what a bar takes. */
#define BAR 0.38
#define AXIS_GAP 0.6
#define BAR_HEIGHT 0.036

struct tornado {
    const struct sweep *sweep;
    struct picture *picture;
    const struct sweep_row *base;
    size_t column;
    const char **names; /* of the bars, from above */
    double *places;     /* along y, downwards */
    size_t count;
    struct sweep_gaps gaps;
};

int sweep_tornado_check(const struct sweep *sweep, const struct space_plot *wanted,
                        struct error *error)
{
    size_t column;
    return sweep_plot_column_find(sweep, "y", sweep_compare_metric(sweep->space, wanted),
                                  &wanted->y_mark, &column, error);
}

/* Whether the base stands at the row's value of the axis: that would be an empty bar. */
static bool is_base(const struct tornado *t, const struct sweep_row *row, size_t axis)
{
    bool same = row->kept;
    for (size_t c = 0; c < t->sweep->n_columns && same; c++)
        if (t->sweep->columns[c].kind == COLUMN_AXIS && t->sweep->columns[c].axis == axis)
            same = t->sweep->columns[c].text ? strcmp(row->labels[c], t->base->labels[c]) == 0
                                             : row->values[c] == t->base->values[c];
    return same;
}

/* An axis, and how far its values move the metric. */
struct reach {
    double reach;
    size_t axis;
};

static int compare_reaches(const void *a, const void *b)
{
    const struct reach *left = a, *right = b;
    if (left->reach != right->reach)
        return left->reach > right->reach ? -1 : 1;
    return (left->axis > right->axis) - (left->axis < right->axis);
}

static int find_reach(const struct tornado *t, size_t axis, struct reach *out, struct error *error)
{
    struct sweep_ids ids = {0};
    struct sweep_row *rows = NULL;
    int status = sweep_curve_ids(t->sweep, axis, SIZE_MAX, &ids, error);
    if (!status)
        status = sweep_rows(t->sweep, ids.items, ids.count, t->picture->arena, &rows, error);
    *out = (struct reach){.axis = axis};
    for (size_t i = 0; i < ids.count && !status; i++) {
        double moved = fabs(rows[i].values[t->column] - t->base->values[t->column]);
        if (rows[i].kept && isfinite(moved))
            out->reach = fmax(out->reach, moved);
    }
    VECTOR_FREE(&ids);
    return status;
}

/* The `rank`-th axis from above. */
static int add_axis(struct tornado *t, size_t axis, size_t rank, struct error *error)
{
    struct arena *arena = t->picture->arena;
    struct sweep_ids ids = {0};
    struct sweep_row *rows = NULL;
    int status = sweep_curve_ids(t->sweep, axis, SIZE_MAX, &ids, error);
    if (!status)
        status = sweep_rows(t->sweep, ids.items, ids.count, arena, &rows, error);
    double *xs = arena_alloc(arena, 2 * ids.count * sizeof *xs);
    double *ys = arena_alloc(arena, 2 * ids.count * sizeof *ys);
    double *ends = arena_alloc(arena, ids.count * sizeof *ends);
    double *centres = arena_alloc(arena, ids.count * sizeof *centres);
    double from = t->base->values[t->column];
    size_t n = 0;
    for (size_t i = 0; i < ids.count && !status; i++) {
        if (is_base(t, &rows[i], axis))
            continue;
        const char *missing = sweep_gap(&rows[i], t->column, &t->gaps);
        double y = -(double)t->count - AXIS_GAP * (double)rank, value = rows[i].values[t->column];
        t->names[t->count] =
            arena_printf(arena, "%s %s", look_words(t->sweep->space->axes[axis].name, arena),
                         sweep_value_label(t->sweep, axis, i, arena));
        t->places[t->count++] = y;
        if (missing) {
            VECTOR_PUSH(&t->picture->notes, (struct picture_note){missing, from, y, PICTURE_LEFT});
            continue;
        }
        ends[n / 2] = value;
        centres[n / 2] = y;
        n = picture_box(xs, ys, n, (double[]){from, value}, (double[]){y - BAR, y + BAR});
    }
    VECTOR_PUSH(&t->picture->series,
                (struct picture_series){
                    .style = PICTURE_BOXES, .count = n, .xs = xs, .ys = ys, .colour = (int)axis});
    VECTOR_PUSH(&t->picture->series, (struct picture_series){.count = n / 2,
                                                             .xs = ends,
                                                             .ys = centres,
                                                             .colour = PICTURE_DARK,
                                                             .size = 0.6,
                                                             .mark = '*'});
    VECTOR_FREE(&ids);
    return status;
}

static void tornado_frame(struct tornado *t, const struct space_plot *wanted)
{
    struct picture *picture = t->picture;
    picture->title = sweep_plot_title(t->sweep, wanted);
    picture->subtitle =
        arena_printf(picture->arena, "%s; dashed: %s as it is",
                     sweep_plot_subtitle(t->sweep, NULL, SIZE_MAX, SIZE_MAX, picture->arena),
                     t->sweep->space->machine->name);
    picture->remark = sweep_gaps_remark(&t->gaps, NULL, picture->arena);
    picture->x = sweep_plot_axis(t->sweep, t->column, true, picture->arena);
    picture->x.rule = &t->base->values[t->column];
    picture->y = (struct plot_axis){.title = "",
                                    .from = t->count ? t->places[t->count - 1] - 0.7 : 0,
                                    .to = 0.7,
                                    .names = t->names,
                                    .places = t->places,
                                    .n_names = t->count};
    picture->tall = fmax(1, BAR_HEIGHT * (double)(t->count + 5));
    picture->lines = (int)(picture->y.to - picture->y.from) + 8;
}

int sweep_plot_tornado(const struct sweep *sweep, const struct space_plot *wanted,
                       struct picture *picture, struct error *error)
{
    struct arena *arena = picture->arena;
    struct tornado t = {.sweep = sweep, .picture = picture};
    struct sweep_row *base = NULL;
    uint64_t first = 0; /* the base point's id */
    int status =
        sweep_column_find(sweep, sweep_compare_metric(sweep->space, wanted), &t.column, error);
    if (!status)
        status = sweep_rows(sweep, &first, 1, arena, &base, error);
    if (status || !base->kept)
        return status;
    t.base = base;
    t.names = arena_alloc(arena, sweep->points * sizeof *t.names);
    t.places = arena_alloc(arena, sweep->points * sizeof *t.places);
    size_t n_axes = sweep->space->n_axes;
    struct reach *order = arena_alloc(arena, n_axes * sizeof *order);
    for (size_t a = 0; a < n_axes && !status; a++)
        status = find_reach(&t, a, &order[a], error);
    if (!status && n_axes)
        qsort(order, n_axes, sizeof *order, compare_reaches);
    for (size_t a = 0; a < n_axes && !status; a++)
        status = add_axis(&t, order[a].axis, a, error);
    tornado_frame(&t, wanted);
    return status;
}
