/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A value over two axes as colours of cells, and where a decision turns as a line between them. */
#include <math.h>
#include <stdlib.h>

#include "report/picture.h"

/* In a picture made of characters: from the least value to the most. */
static const char levels[] = "0123456789";

static double *cell_places(size_t count, struct arena *arena)
{
    double *places = arena_alloc(arena, count * sizeof *places);
    for (size_t i = 0; i < count; i++)
        places[i] = (double)i;
    return places;
}

/* Those cells that `chosen` is true of, as boxes; their values where `zs` is there. */
struct cells {
    double *xs, *ys, *zs;
    size_t count;
};

static struct cells cells_make(const struct plot_heat *plot, struct arena *arena)
{
    size_t n = plot->columns * plot->rows;
    return (struct cells){arena_alloc(arena, 2 * n * sizeof(double)),
                          arena_alloc(arena, 2 * n * sizeof(double)),
                          arena_alloc(arena, n * sizeof(double)), 0};
}

static void cells_add(struct cells *cells, const struct plot_heat *plot, size_t cell)
{
    double x = (double)(cell % plot->columns), y = (double)(cell / plot->columns);
    if (plot->values)
        cells->zs[cells->count / 2] = plot->values[cell];
    cells->count = picture_box(cells->xs, cells->ys, cells->count, (double[]){x - 0.5, x + 0.5},
                               (double[]){y - 0.5, y + 0.5});
}

static void add_values(struct picture *picture, const struct plot_heat *plot)
{
    size_t n = plot->columns * plot->rows;
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, plot->values[i]);
        most = fmax(most, plot->values[i]);
    }
    for (int level = 0; level < 10; level++) {
        struct cells cells = cells_make(plot, picture->arena);
        for (size_t i = 0; i < n; i++) {
            double share = most > least ? (plot->values[i] - least) / (most - least) : 0;
            if (!isnan(plot->values[i]) && fmin(floor(share * 10), 9) == level)
                cells_add(&cells, plot, i);
        }
        VECTOR_PUSH(&picture->series, (struct picture_series){.style = PICTURE_BOXES,
                                                              .count = cells.count,
                                                              .xs = cells.xs,
                                                              .ys = cells.ys,
                                                              .zs = cells.zs,
                                                              .mark = levels[level]});
    }
}

static void add_decisions(struct picture *picture, const struct plot_heat *plot)
{
    for (int d = 0; d < plot->n_decisions; d++) {
        struct cells cells = cells_make(plot, picture->arena);
        for (size_t i = 0; i < plot->columns * plot->rows; i++)
            if (plot->decisions[i] == d)
                cells_add(&cells, plot, i);
        VECTOR_PUSH(&picture->series, (struct picture_series){.title = plot->decision_names[d],
                                                              .style = PICTURE_BOXES,
                                                              .count = cells.count,
                                                              .xs = cells.xs,
                                                              .ys = cells.ys,
                                                              .colour = d,
                                                              .veil = 60,
                                                              .mark = (char)('a' + d % 26)});
    }
}

/* Between two neighbours that are decided differently; an end, a beginning and a gap each. */
static void add_border(struct picture *picture, const struct plot_heat *plot)
{
    size_t columns = plot->columns, n = columns * plot->rows, count = 0;
    double *xs = arena_alloc(picture->arena, 6 * n * sizeof *xs);
    double *ys = arena_alloc(picture->arena, 6 * n * sizeof *ys);
    for (size_t i = 0; i < n; i++)
        for (int up = 0; up < 2; up++) {
            size_t other = i + (up ? columns : 1);
            if ((up ? other >= n : i % columns + 1 == columns) || plot->decisions[i] < 0 ||
                plot->decisions[other] < 0 || plot->decisions[i] == plot->decisions[other])
                continue;
            double x = (double)(i % columns), y = (double)(i / columns);
            xs[count] = up ? x - 0.5 : x + 0.5;
            ys[count++] = up ? y + 0.5 : y - 0.5;
            xs[count] = x + 0.5;
            ys[count++] = y + 0.5;
            xs[count] = x;
            ys[count++] = (double)NAN;
        }
    struct picture_series line = {
        .style = PICTURE_LINES, .count = count, .xs = xs, .ys = ys, .colour = PICTURE_WHITE};
    line.size = 5;
    VECTOR_PUSH(&picture->series, line);
    line.colour = PICTURE_DARK;
    line.size = 2;
    VECTOR_PUSH(&picture->series, line);
}

/* A decision's name in the cell of its own that is nearest to the middle of them all. */
static void add_names(struct picture *picture, const struct plot_heat *plot)
{
    for (int d = 0; d < plot->n_decisions; d++) {
        double x = 0, y = 0, n = 0, nearest = HUGE_VAL;
        size_t at = 0, cells = plot->columns * plot->rows;
        for (size_t i = 0; i < cells; i++)
            if (plot->decisions[i] == d) {
                x += (double)(i % plot->columns);
                y += (double)(i / plot->columns);
                n++;
            }
        for (size_t i = 0; i < cells; i++) {
            double away =
                hypot((double)(i % plot->columns) - x / n, (double)(i / plot->columns) - y / n);
            if (plot->decisions[i] == d && away < nearest) {
                nearest = away;
                at = i;
            }
        }
        if (n > 0)
            VECTOR_PUSH(&picture->notes,
                        (struct picture_note){plot->decision_names[d], (double)(at % plot->columns),
                                              (double)(at / plot->columns), PICTURE_PLATE});
    }
}

void picture_add_heat(struct picture *picture, const struct plot_heat *plot)
{
    struct plot_axis *axes[] = {&picture->x, &picture->y};
    const size_t counts[] = {plot->columns, plot->rows};
    const char *const *names[] = {plot->x_names, plot->y_names};
    for (int a = 0; a < 2; a++) {
        axes[a]->names = names[a];
        axes[a]->n_names = counts[a];
        axes[a]->places = cell_places(counts[a], picture->arena);
        axes[a]->from = -0.5;
        axes[a]->to = (double)counts[a] - 0.5;
    }
    if (plot->values)
        add_values(picture, plot);
    else
        add_decisions(picture, plot);
    if (plot->decisions)
        add_border(picture, plot);
    if (plot->decisions && plot->values)
        add_names(picture, plot);
    for (size_t i = 0; i < plot->columns * plot->rows; i++)
        if (plot->values ? isnan(plot->values[i]) : plot->decisions[i] < 0)
            VECTOR_PUSH(&picture->notes,
                        (struct picture_note){"x", (double)(i % plot->columns),
                                              (double)(i / plot->columns), PICTURE_CENTRE});
}
