/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each of some changes makes of a value, as bars on both sides of it, the widest on top. */
#include <math.h>
#include <stdlib.h>

#include "report/picture.h"

/* Half of a bar; of the usual height: what one takes. */
#define BAR 0.38
#define BAR_HEIGHT 0.036

struct bar {
    double reach;
    size_t place;
};

static int compare_bars(const void *a, const void *b)
{
    const struct bar *left = a, *right = b;
    if (left->reach != right->reach)
        return left->reach > right->reach ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

/* The places of the widest bars, widest first; returns how many. */
static size_t sort_bars(const struct plot_tornado *plot, struct bar *bars)
{
    size_t n = 0;
    for (size_t i = 0; i < plot->count; i++) {
        double reach = -1;
        for (size_t s = 0; s < plot->series; s++) {
            double value = plot->values[s * plot->count + i];
            if (!isnan(value))
                reach = fmax(reach, fabs(value - plot->base));
        }
        if (reach >= 0)
            bars[n++] = (struct bar){reach, i};
    }
    qsort(bars, n, sizeof *bars, compare_bars);
    return n > plot->most ? plot->most : n;
}

void picture_add_tornado(struct picture *picture, const struct plot_tornado *plot)
{
    struct arena *arena = picture->arena;
    struct bar *bars = arena_alloc(arena, plot->count * sizeof *bars);
    const char **names = arena_alloc(arena, plot->count * sizeof *names);
    double *places = arena_alloc(arena, plot->count * sizeof *places);
    double *rule = arena_alloc(arena, sizeof *rule);
    size_t shown = sort_bars(plot, bars);
    for (size_t s = 0; s < plot->series; s++) {
        double *xs = arena_alloc(arena, 2 * shown * sizeof *xs);
        double *ys = arena_alloc(arena, 2 * shown * sizeof *ys);
        size_t n = 0;
        for (size_t i = 0; i < shown; i++) {
            double y = -(double)i, value = plot->values[s * plot->count + bars[i].place];
            names[i] = plot->names[bars[i].place];
            places[i] = y;
            if (isnan(value))
                VECTOR_PUSH(&picture->notes,
                            (struct picture_note){"x", plot->base, y, PICTURE_LEFT});
            else
                n = picture_box(xs, ys, n, (double[]){plot->base, value},
                                (double[]){y - BAR, y + BAR});
        }
        VECTOR_PUSH(&picture->series, (struct picture_series){.title = plot->series_names[s],
                                                              .style = PICTURE_BOXES,
                                                              .count = n,
                                                              .xs = xs,
                                                              .ys = ys,
                                                              .colour = (int)s,
                                                              .veil = 40,
                                                              .mark = "-+*o"[s % 4]});
    }
    *rule = plot->base;
    picture->x.rule = rule;
    picture->y = (struct plot_axis){.title = "",
                                    .from = 0.3 - (double)shown,
                                    .to = 0.7,
                                    .names = names,
                                    .places = places,
                                    .n_names = shown};
    picture->tall = fmax(0.5, BAR_HEIGHT * (double)(shown + 6));
    picture->lines = (int)shown + 12;
}
