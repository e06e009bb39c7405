/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/miss_curves.h"

#include <math.h>

#include "profile/record/view_curve.h"

enum {
    POINTS_AN_OCTAVE = 4,
    CAPACITY_LEAST = 10, /* powers of two, in bytes */
    CAPACITY_MOST = 40,
    CAPACITY_POINTS = (CAPACITY_MOST - CAPACITY_LEAST) * POINTS_AN_OCTAVE + 1,
};
/* Ends of the curves where nothing changes by more than this are cut. */
#define CURVE_FLAT 0.002

static double capacity_at(int point)
{
    return exp2(CAPACITY_LEAST + (double)point / POINTS_AN_OCTAVE);
}

/* The octaves in which a curve moves: the points first to last. */
static void cut_flat_ends(double *const *curves, size_t count, int *first, int *last)
{
    int low = CAPACITY_POINTS - 1, high = 0;
    for (size_t s = 0; s < count; s++) {
        const double *ys = curves[s];
        for (int i = 0; i < CAPACITY_POINTS; i++) {
            if (ys[0] - ys[i] > CURVE_FLAT && i - 1 < low)
                low = i - 1;
            if (ys[i] - ys[CAPACITY_POINTS - 1] > CURVE_FLAT && i + 1 > high)
                high = i + 1;
        }
    }
    /* Whole octaves, at least four, one more at each end. */
    low = low / POINTS_AN_OCTAVE - 1;
    high = (high + POINTS_AN_OCTAVE - 1) / POINTS_AN_OCTAVE + 1;
    low = low < 0 ? 0 : low;
    high = high < low + 4 ? low + 4 : high;
    int octaves = CAPACITY_MOST - CAPACITY_LEAST;
    high = high > octaves ? octaves : high;
    low = low > high - 4 ? high - 4 : low;
    *first = low * POINTS_AN_OCTAVE;
    *last = high * POINTS_AN_OCTAVE;
}

void picture_add_miss_curves(struct picture *picture, const struct miss_curve *curves, size_t count)
{
    struct arena *arena = picture->arena;
    size_t kept = 0;
    double *xs = arena_alloc(arena, CAPACITY_POINTS * sizeof *xs);
    double **ys = arena_alloc(arena, count * sizeof *ys);
    const char **names = arena_alloc(arena, count * sizeof *names);
    for (int i = 0; i < CAPACITY_POINTS; i++)
        xs[i] = capacity_at(i);
    for (size_t c = 0; c < count; c++) {
        const struct profile_view *view = curves[c].view;
        ys[kept] = arena_alloc(arena, CAPACITY_POINTS * sizeof **ys);
        names[kept] = curves[c].name;
        for (int i = 0; i < CAPACITY_POINTS; i++)
            ys[kept][i] = view_curve_miss_ratio(view, curves[c].kind, xs[i] / view->line_bytes);
        kept += !isnan(ys[kept][0]);
    }
    int first, last;
    cut_flat_ends(ys, kept, &first, &last);
    for (size_t k = 0; k < kept; k++)
        picture_add_curve(picture, names[k], (size_t)(last - first) + 1, xs + first, ys[k] + first);
    picture->x = (struct plot_axis){
        .title = "capacity of one cache of the scope", .unit = "B", .scale = PLOT_LOG2};
    picture->y = (struct plot_axis){.title = "miss ratio", .from = 0, .to = 1.02};
}
