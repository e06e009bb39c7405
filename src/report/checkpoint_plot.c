/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points beside names. The axis along the names is laid out here: it has no values. */
#include "report/checkpoint_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/unit.h"
#include "report/gnuplot_run.h"
#include "report/picture.h"
#include "validate/checkpoint.h"

/* What the axis shows at least, in percent on both sides. */
#define LEAST_SHOWN 0.1
/* Of a line: half the height of its band. */
#define BAND 0.38

enum {
    NAME_LIMIT = 52,
    USUAL_LINES = 22,
    DUMB_COLUMNS = 110,
    FIGURE_DIGITS = 4,
    HOWS = CHECKPOINT_PREDICTION + 1
};

static const char band_name[] = "tolerance";

struct line {
    const char *name, *figures;
    double percent, band; /* of the published figure; band NaN: no tolerance is given */
    enum checkpoint_how how;
};

struct lines {
    struct {
        struct line *items;
        size_t count, capacity;
    } list;
    struct arena *arena;
    bool banded, used[HOWS];
};

/* A label of a tic is a format to gnuplot. */
static const char *as_label(const char *text, struct arena *arena)
{
    size_t length = 0;
    char *label = arena_alloc(arena, 2 * strlen(text) + 1);
    for (const char *c = text; *c; c++) {
        label[length++] = *c;
        if (*c == '%')
            label[length++] = '%';
    }
    label[length] = '\0';
    return label;
}

/* --- rows ------------------------------------------------------------------------------ */

static double number_at(const struct validation_rows *rows, size_t row, size_t column)
{
    return validation_cell(rows, row, column)->number;
}

static const char *text_at(const struct validation_rows *rows, size_t row, size_t column)
{
    const char *text = validation_cell(rows, row, column)->text;
    return text ? text : "";
}

/* "1.76 -> 1.318 x" */
static const char *figures(const struct validation_rows *rows, size_t row, struct arena *arena)
{
    char published[64], ours[64];
    double a = number_at(rows, row, CHECKPOINT_COLUMN_PUBLISHED);
    double b = number_at(rows, row, CHECKPOINT_COLUMN_OURS);
    const char *unit = text_at(rows, row, CHECKPOINT_COLUMN_UNIT);
    quantity_format((struct quantity){a, DIM_NONE}, FIGURE_DIGITS, published, sizeof published);
    quantity_format((struct quantity){b, DIM_NONE}, FIGURE_DIGITS, ours, sizeof ours);
    return as_label(
        arena_printf(arena, "%s \xe2\x86\x92 %s%s%s", published, ours, unit[0] ? " " : "", unit),
        arena);
}

static void lines_read(const struct validation_rows *rows, struct lines *out)
{
    *out = (struct lines){.arena = arena_create()};
    for (size_t r = 0; r < validation_rows_count(rows); r++) {
        double published = number_at(rows, r, CHECKPOINT_COLUMN_PUBLISHED);
        double ours = number_at(rows, r, CHECKPOINT_COLUMN_OURS);
        if (!isfinite(published) || !isfinite(ours))
            continue;
        struct line line = {
            .name = as_label(text_at(rows, r, CHECKPOINT_COLUMN_WHAT), out->arena),
            .figures = figures(rows, r, out->arena),
            .percent = 100 * (ours - published) / (published != 0 ? fabs(published) : 1),
            .band = 100 * number_at(rows, r, CHECKPOINT_COLUMN_TOLERANCE),
            .how = checkpoint_how_scan(text_at(rows, r, CHECKPOINT_COLUMN_HOW)),
        };
        out->banded |= line.band > 0;
        out->used[line.how] = true;
        VECTOR_PUSH(&out->list, line);
    }
}

static void lines_fini(struct lines *lines)
{
    VECTOR_FREE(&lines->list);
    arena_destroy(lines->arena);
}

/* --- drawing --------------------------------------------------------------------------- */

static int lines_see(struct picture *picture, const struct lines *lines, struct error *error)
{
    double ends[] = {-0.5, (double)lines->list.count - 0.5};
    double least[] = {-LEAST_SHOWN, LEAST_SHOWN};
    int status = axis_see(&picture->y, ends, 2, error);
    if (!status)
        status = axis_see(&picture->x, least, 2, error);
    for (size_t i = 0; i < lines->list.count && !status; i++) {
        const struct line *line = &lines->list.items[i];
        double band[] = {-line->band, line->band};
        status = axis_see(&picture->x, &line->percent, 1, error);
        if (!status && line->band > 0)
            status = axis_see(&picture->x, band, 2, error);
    }
    return status;
}

/* Names at the left, figures at the right, the first row on top. */
static void lines_axes(struct picture *picture, const struct lines *lines)
{
    struct text *script = &picture->script;
    double last = (double)lines->list.count;
    for (int side = 0; side < (picture->dumb ? 1 : 2); side++) {
        const char *axis = side ? "y2" : "y";
        text_printf(script, "set %srange [%.17g:-0.7]\nset %stics nomirror scale 0 (", axis,
                    last - 0.3, axis);
        for (size_t i = 0; i < lines->list.count; i++) {
            const struct line *line = &lines->list.items[i];
            text_append(script, i ? ", " : "");
            gnuplot_quote(script, side ? line->figures : line->name, NAME_LIMIT);
            text_printf(script, " %zu", i);
        }
        text_append(script, ")\n");
    }
    text_append(script, "unset ylabel\nunset rmargin\nset grid noytics\n");
    text_printf(script, "set arrow from 0,%.17g to 0,-0.7 nohead back%s\n", last - 0.3,
                picture->dumb ? "" : " linecolor rgb '#606060'");
    if (!picture->dumb)
        text_append(script, "set label 'published \xe2\x86\x92 ours' at graph 1.01,1.0 left "
                            "offset 0,0.7\n");
}

static void lines_data(struct picture *picture, const struct lines *lines)
{
    struct text *script = &picture->script;
    text_append(script, "$bands << END\n");
    for (size_t i = 0; i < lines->list.count; i++) {
        const struct line *line = &lines->list.items[i];
        if (line->band > 0)
            text_printf(script, "0 %zu %.12g %.12g %.12g %.12g\n", i, -line->band, line->band,
                        (double)i - BAND, (double)i + BAND);
    }
    text_append(script, "END\n");
    for (int how = 0; how < HOWS; how++) {
        text_printf(script, "$h%d << END\n", how);
        for (size_t i = 0; i < lines->list.count; i++)
            if ((int)lines->list.items[i].how == how)
                picture_put_point(picture, lines->list.items[i].percent, (double)i);
        text_append(script, "END\n");
    }
}

/* Predictions are hollow: they are not expected to meet the published figure. */
static void lines_draw(struct picture *picture, const struct lines *lines)
{
    static const int shapes[HOWS] = {7, 5, 9, 11, 12}, colours[HOWS] = {0, 2, 3, 5, 1};
    struct text *script = &picture->script;
    const char *comma = "plot ";
    if (lines->banded && !picture->dumb) {
        text_printf(
            script,
            "%s$bands with boxxyerror fillstyle solid 0.35 noborder linecolor rgb '#56b4e9'",
            comma);
        picture_name(picture, band_name);
        comma = ", \\\n     ";
    }
    for (int how = 0; how < HOWS; how++) {
        if (!lines->used[how])
            continue;
        text_printf(script, "%s$h%d with points ", comma, how);
        if (picture->dumb)
            text_printf(script, "pointtype \"%c\"", 'a' + how);
        else
            text_printf(script, "linecolor rgb '#%s' pointtype %d pointsize 0.9 linewidth 1.5",
                        picture_colour(colours[how]), shapes[how]);
        picture_name(picture, checkpoint_how_name((enum checkpoint_how)how));
        comma = ", \\\n     ";
    }
    text_append(script, "\n");
}

/* Below the picture, in one line: names stand at its left, figures at its right. */
static void lines_legend(struct picture *picture)
{
    picture->name_limit = PICTURE_NAME;
    text_append(&picture->script,
                picture->dumb ? "set key outside bottom center horizontal noautotitle\n"
                              : "set bmargin 5.2\nset key at screen 0.97,screen 0.015 right "
                                "bottom horizontal samplen 1.6 noautotitle\n");
}

int checkpoint_plot(const struct validation_rows *rows, const char *title,
                    const struct plot_output *output, bool *drawn, struct error *error)
{
    struct plot_output own = *output;
    struct plot_axis x = {"ours above published, %", NULL, PLOT_LINEAR, NULL},
                     y = {"", NULL, PLOT_LINEAR, NULL};
    struct picture picture;
    struct lines lines;
    int status = 0;
    lines_read(rows, &lines);
    *drawn = lines.list.count > 0;
    own.tall = fmax(0.5, (double)(lines.list.count + 6) / (USUAL_LINES + 6));
    own.columns = own.columns > 0 ? own.columns : DUMB_COLUMNS;
    own.lines = own.lines > 0 ? own.lines : (int)lines.list.count + 10;
    if (*drawn) {
        picture_begin(&picture, &own, &x, &y);
        status = lines_see(&picture, &lines, error);
        if (!status) {
            picture_frame(&picture, title, NULL);
            lines_axes(&picture, &lines);
            lines_data(&picture, &lines);
            lines_legend(&picture);
            lines_draw(&picture, &lines);
            status = picture_end(&picture, error);
        }
    }
    lines_fini(&lines);
    return status;
}
