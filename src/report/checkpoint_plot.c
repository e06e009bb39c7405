/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points beside names. The axis along the names is laid out here: it has no values. */
#include "report/checkpoint_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unit.h"
#include "report/picture.h"
#include "validate/checkpoint.h"

/* What the axis shows at least, in percent on both sides. */
#define LEAST_SHOWN 0.1
/* Of a line: half the height of its band. */
#define BAND 0.38

enum { USUAL_LINES = 22, DUMB_COLUMNS = 110, FIGURE_DIGITS = 4, HOWS = CHECKPOINT_PREDICTION + 1 };

static double number_at(const struct sheet *rows, size_t row, size_t column)
{
    return sheet_at(rows, row, column)->number;
}

static const char *text_at(const struct sheet *rows, size_t row, size_t column)
{
    const char *text = sheet_at(rows, row, column)->text;
    return text ? text : "";
}

/* "1.76 -> 1.318 x" */
static const char *figures(const struct sheet *rows, size_t row, struct arena *arena)
{
    char published[64], ours[64];
    double a = number_at(rows, row, CHECKPOINT_COLUMN_PUBLISHED);
    double b = number_at(rows, row, CHECKPOINT_COLUMN_OURS);
    const char *unit = text_at(rows, row, CHECKPOINT_COLUMN_UNIT);
    quantity_format((struct quantity){a, DIM_NONE}, FIGURE_DIGITS, published, sizeof published);
    quantity_format((struct quantity){b, DIM_NONE}, FIGURE_DIGITS, ours, sizeof ours);
    return arena_printf(arena, "%s \xe2\x86\x92 %s%s%s", published, ours, unit[0] ? " " : "", unit);
}

/* What a series shows: points by how ours is obtained, and, last, corners of tolerances. */
enum { BANDS = HOWS };
struct marks {
    double *xs, *ys;
    size_t count;
};

/* Predictions are hollow: they are not expected to meet the published figure. */
static void add_series(struct picture *picture, const struct marks *marks)
{
    static const int shapes[HOWS] = {7, 5, 9, 11, 12}, colours[HOWS + 1] = {0, 2, 3, 5, 1, 5};
    for (int i = 0; i <= HOWS; i++) {
        int k = i == 0 ? BANDS : i - 1; /* bands below */
        struct picture_series series = {
            .count = marks[k].count, .xs = marks[k].xs, .ys = marks[k].ys, .colour = colours[k]};
        if (k == BANDS) {
            series.style = PICTURE_BOXES;
            series.veil = 127;
        } else {
            series.shape = shapes[k];
            series.size = 0.9;
            series.mark = (char)('a' + k);
        }
        if (marks[k].count)
            series.title = k == BANDS ? "tolerance" : checkpoint_how_name((enum checkpoint_how)k);
        VECTOR_PUSH(&picture->series, series);
    }
}

/* Names at the left, figures at the right, the first row on top. */
static void add_rows(struct picture *picture, const struct sheet *rows)
{
    struct arena *arena = picture->arena;
    size_t most = sheet_rows(rows), n = 0;
    const char **names = arena_alloc(arena, most * sizeof *names);
    double *places = arena_alloc(arena, most * sizeof *places);
    double widest = 0;
    struct marks marks[HOWS + 1];
    for (int k = 0; k <= HOWS; k++)
        marks[k] = (struct marks){arena_alloc(arena, 2 * most * sizeof(double)),
                                  arena_alloc(arena, 2 * most * sizeof(double)), 0};
    for (size_t r = 0; r < most; r++) {
        double published = number_at(rows, r, CHECKPOINT_COLUMN_PUBLISHED);
        double ours = number_at(rows, r, CHECKPOINT_COLUMN_OURS), y = -(double)n;
        double band = 100 * number_at(rows, r, CHECKPOINT_COLUMN_TOLERANCE);
        struct marks *own = &marks[checkpoint_how_scan(text_at(rows, r, CHECKPOINT_COLUMN_HOW))];
        if (!isfinite(published) || !isfinite(ours))
            continue;
        names[n] = text_at(rows, r, CHECKPOINT_COLUMN_WHAT);
        places[n++] = y;
        VECTOR_PUSH(&picture->notes,
                    (struct picture_note){figures(rows, r, arena), (double)NAN, y, PICTURE_LEFT});
        own->xs[own->count] = 100 * (ours - published) / (published != 0 ? fabs(published) : 1);
        widest = fmax(widest, fmax(fabs(own->xs[own->count]), band));
        own->ys[own->count++] = y;
        if (band > 0) /* not NaN: none is given */
            marks[BANDS].count =
                picture_box(marks[BANDS].xs, marks[BANDS].ys, marks[BANDS].count,
                            (double[]){-band, band}, (double[]){y - BAND, y + BAND});
    }
    add_series(picture, marks);
    picture->y = (struct plot_axis){.title = "",
                                    .from = 0.3 - (double)n,
                                    .to = 0.7,
                                    .names = names,
                                    .places = places,
                                    .n_names = n};
    if (widest < LEAST_SHOWN) {
        picture->x.from = -LEAST_SHOWN;
        picture->x.to = LEAST_SHOWN;
    }
    picture->tall = fmax(0.5, (double)(n + 6) / (USUAL_LINES + 6));
    picture->lines = (int)n + 12;
}

int checkpoint_plot(const struct sheet *rows, const char *title, const struct plot_output *output,
                    bool *drawn, struct error *error)
{
    static const double zero = 0;
    struct picture picture;
    picture_begin(&picture);
    picture.title = title;
    picture.columns = DUMB_COLUMNS;
    picture.x = (struct plot_axis){.title = "ours above published, %", .rule = &zero};
    add_rows(&picture, rows);
    VECTOR_PUSH(&picture.notes, (struct picture_note){"published \xe2\x86\x92 ours", (double)NAN,
                                                      1.2, PICTURE_LEFT});
    return picture_end(&picture, output, 0, drawn, error);
}
