/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points, and the Pareto front among them as a staircase: everything on its
 * far side is dominated. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/picture.h"

struct place {
    double x, y;
    size_t point;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    if (left->x != right->x)
        return left->x < right->x ? -1 : 1;
    if (left->y != right->y)
        return left->y < right->y ? -1 : 1;
    return (left->point > right->point) - (left->point < right->point);
}

static struct place *sort_front(const struct plot_front *plot, struct arena *arena)
{
    struct place *places = arena_alloc(arena, plot->front_count * sizeof *places);
    for (size_t i = 0; i < plot->front_count; i++) {
        size_t point = plot->front[i];
        places[i] = (struct place){plot->xs[point], plot->ys[point], point};
    }
    if (plot->front_count)
        qsort(places, plot->front_count, sizeof *places, compare_places);
    return places;
}

/* The points of one category, of the front alone where it is given. */
static struct picture_series select_points(const struct plot_front *plot, int category,
                                           const struct place *front, struct arena *arena)
{
    size_t most = front ? plot->front_count : plot->count, n = 0;
    double *xs = arena_alloc(arena, most * sizeof *xs), *ys = arena_alloc(arena, most * sizeof *ys);
    double *zs = arena_alloc(arena, most * sizeof *zs);
    for (size_t i = 0; i < most; i++) {
        size_t point = front ? front[i].point : i;
        if (plot->category && plot->category[point] != category)
            continue;
        if (plot->colours)
            zs[n] = plot->colours[point];
        xs[n] = plot->xs[point];
        ys[n++] = plot->ys[point];
    }
    return (struct picture_series){.count = n,
                                   .xs = xs,
                                   .ys = ys,
                                   .zs = plot->colours ? zs : NULL,
                                   .colour = category,
                                   .shape = plot->category ? picture_shape(category) : 7};
}

/* From the edge where the second objective is worst to the edge where the first one is: between
 * two points the boundary is level with the one whose x is better. */
static void add_stairs(struct picture *picture, const struct plot_front *plot,
                       const struct place *front, int colour)
{
    size_t n = plot->front_count;
    bool x_first = !plot->x_maximise;
    double *xs = arena_alloc(picture->arena, (n + 2) * sizeof *xs);
    double *ys = arena_alloc(picture->arena, (n + 2) * sizeof *ys);
    double worst_y = plot->y_maximise ? -HUGE_VAL : HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        xs[i + 1] = front[i].x;
        ys[i + 1] = front[i].y;
    }
    xs[0] = x_first ? xs[1] : -HUGE_VAL;
    ys[0] = x_first ? worst_y : ys[1];
    xs[n + 1] = x_first ? HUGE_VAL : xs[n];
    ys[n + 1] = x_first ? ys[n] : worst_y;
    VECTOR_PUSH(&picture->series,
                (struct picture_series){.style = x_first ? PICTURE_STEPS : PICTURE_STEPS_FIRST,
                                        .count = n + 2,
                                        .xs = xs,
                                        .ys = ys,
                                        .colour = colour});
}

/* With a white edge; and a ring where categories have the colours and no line says which they
 * are. */
static void add_front_points(struct picture *picture, struct picture_series series, bool ringed)
{
    struct picture_series halo = series, ring = series;
    halo.colour = PICTURE_WHITE;
    halo.zs = ring.zs = NULL;
    halo.size = 1.35;
    halo.mark = 0;
    VECTOR_PUSH(&picture->series, halo);
    VECTOR_PUSH(&picture->series, series);
    ring.colour = PICTURE_DARK;
    ring.shape = 6;
    ring.size = 1.6;
    ring.mark = 0;
    if (ringed)
        VECTOR_PUSH(&picture->series, ring);
}

/* The front's name beside what it is drawn with. */
static void add_front_key(struct picture *picture, const struct plot_front *plot, bool ringed)
{
    struct picture_series key = {.title = "Pareto front", .size = 1.05, .mark = 'O'};
    if (!plot->no_steps)
        key.style = plot->category ? PICTURE_LINES : PICTURE_LINES_POINTS;
    if (plot->category) {
        key.colour = PICTURE_DARK;
        key.mark = 'A';
        key.mark_title = "Pareto front (capitals)";
    }
    if (ringed) {
        key.shape = 6;
        key.size = 1.6;
        key.colour = PICTURE_DARK;
    }
    VECTOR_PUSH(&picture->series, key);
}

void picture_add_front(struct picture *picture, const struct plot_front *plot)
{
    struct place *front = sort_front(plot, picture->arena);
    int categories = plot->category ? plot->category_count : 1;
    bool few = plot->count <= 200, ringed = plot->no_steps && (plot->category || plot->colours);
    /* The more points there are, the fainter they are. */
    for (int c = 0; c < categories; c++) {
        struct picture_series series = select_points(plot, c, NULL, picture->arena);
        series.size = plot->count > 2000 ? 0.4 : few ? 0.9 : 0.6;
        series.veil = few ? 0x30 : plot->category ? 0x99 : 0x60;
        series.mark = (char)(plot->category ? 'a' + c % 26 : '.');
        if (!plot->category)
            series.colour = PICTURE_GREY;
        VECTOR_PUSH(&picture->series, series);
    }
    if (plot->front_count && !plot->no_steps)
        add_stairs(picture, plot, front, plot->category ? PICTURE_DARK : 0);
    for (int c = 0; c < categories; c++) {
        struct picture_series series = select_points(plot, c, front, picture->arena);
        series.size = 1.05;
        series.mark = (char)(plot->category ? 'A' + c % 26 : 'O');
        add_front_points(picture, series, ringed);
    }
    for (int c = 0; c < categories && (plot->category || plot->front_count); c++)
        VECTOR_PUSH(&picture->series,
                    (struct picture_series){
                        .title = plot->category ? plot->categories[c] : "all points",
                        .colour = plot->category ? c : PICTURE_GREY,
                        .size = 1,
                        .mark = (char)(plot->category ? 'a' + c % 26 : '.'),
                    });
    if (plot->front_count)
        add_front_key(picture, plot, ringed);
}

static double axis_place(const struct plot_axis *axis, double value)
{
    return axis->scale == PLOT_LINEAR ? value : log(value);
}

/* The front's point farthest from the line through its ends, both axes stretched to the same
 * length; SIZE_MAX: there is none between the ends. */
static size_t front_knee(const struct picture *picture, const struct plot_front *plot)
{
    struct place *front = sort_front(plot, picture->arena);
    size_t n = plot->front_count, knee = SIZE_MAX;
    double farthest = 0;
    if (n < 3 || plot->no_steps)
        return SIZE_MAX;
    double x0 = axis_place(&picture->x, front[0].x), x1 = axis_place(&picture->x, front[n - 1].x);
    double y0 = axis_place(&picture->y, front[0].y), y1 = axis_place(&picture->y, front[n - 1].y);
    for (size_t i = 1; i + 1 < n && x0 != x1 && y0 != y1; i++) {
        double along = (axis_place(&picture->x, front[i].x) - x0) / (x1 - x0);
        double up = (axis_place(&picture->y, front[i].y) - y0) / (y1 - y0);
        if (fabs(up - along) > farthest) {
            farthest = fabs(up - along);
            knee = front[i].point;
        }
    }
    return knee;
}

void picture_label_front(struct picture *picture, const struct plot_front *plot, size_t count,
                         const char *const *names, const size_t *points)
{
    size_t knee = front_knee(picture, plot);
    for (size_t i = 0; i <= count; i++) {
        size_t point = i < count ? points[i] : knee;
        if (point < plot->count)
            VECTOR_PUSH(&picture->notes,
                        (struct picture_note){i < count ? names[i] : "knee", plot->xs[point],
                                              plot->ys[point], PICTURE_LABEL});
    }
}

const char *plot_front_axes(struct plot_front *plot, const char *const *objectives,
                            const enum pareto_sense *senses, size_t count, const char *x,
                            const char *y, struct arena *arena)
{
    const char *remark = NULL;
    size_t shown = 0;
    for (size_t i = 0; i < count; i++) {
        bool on_x = strcmp(objectives[i], x) == 0, on_y = strcmp(objectives[i], y) == 0;
        plot->x_maximise |= on_x && senses[i] == PARETO_MAXIMISE;
        plot->y_maximise |= on_y && senses[i] == PARETO_MAXIMISE;
        shown += on_x || on_y;
        if (on_x || on_y)
            continue;
        remark = remark ? arena_printf(arena, "%s or %s", remark, objectives[i])
                        : arena_printf(arena,
                                       "front of %zu objective%s, seen over two columns: points on "
                                       "it that look dominated are better in %s",
                                       count, count == 1 ? "" : "s", objectives[i]);
    }
    plot->no_steps = count != 2 || shown != 2 || strcmp(x, y) == 0;
    return remark;
}
