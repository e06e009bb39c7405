/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the description of a picture to its gnuplot script: terminal, words, axes, data, and one
 * plot command. Margins and the key's columns are gnuplot's. */
#include "report/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/remark.h"
#include "report/gnuplot_run.h"
#include "report/picture_internal.h"
#include "report/utf8.h"

/* Okabe and Ito's palette (jfly.uni-koeln.de/color, 2008) without the yellow,
 * which is too pale on white; then four darker or greyer ones, for bars, which have no shape.
 * Beyond these, the shape tells more apart. */
static const char *const colours[] = {"0072b2", "d55e00", "009e73", "cc79a7", "e69f00", "56b4e9",
                                      "000000", "999999", "8c510a", "5e3c99", "808000"};
static const char *const other_colours[] = {"9a9a9a", "303030", "ffffff"};
static const int shapes[] = {7, 5, 9, 13, 11};
enum { COLOURS = sizeof colours / sizeof *colours, SHAPES = sizeof shapes / sizeof *shapes };

/* Of more points than this, those on one spot are drawn once. */
enum { MANY_POINTS = 5000, SPOTS_X = 240, SPOTS_Y = 170 };

int picture_shape(int colour)
{
    return shapes[(colour / COLOURS + colour % COLOURS) % SHAPES];
}

/* --- data ----------------------------------------------------------------------------- */

static bool is_steps(const struct picture_series *series)
{
    return series->style == PICTURE_STEPS || series->style == PICTURE_STEPS_FIRST;
}

static bool series_any(const struct picture_series *series)
{
    for (size_t i = 0; i < series->count; i++)
        if (!isnan(series->ys[i]))
            return true;
    return false;
}

/* Steps are seen as the points that they go between. */
static int drawing_see(struct drawing *d, bool *any, struct error *error)
{
    const struct picture *picture = d->picture;
    const struct plot_axis *plans[] = {&picture->x, &picture->y};
    struct axis *axes[] = {&d->x, &d->y};
    size_t limit = canvas_key_limit(&d->canvas);
    int status = 0;
    for (size_t s = 0; s < picture->series.count; s++) {
        const struct picture_series *series = &picture->series.items[s];
        for (size_t i = 0; i < series->count && !status && !is_steps(series); i++) {
            if (isnan(series->ys[i]) && series->style != PICTURE_POINTS)
                continue;
            status = axis_see(&d->x, series->xs[i], i, error);
            if (!status)
                status = axis_see(&d->y, series->ys[i], i, error);
        }
        size_t values = series->style == PICTURE_BOXES ? series->count / 2 : series->count;
        for (size_t i = 0; i < values && series->zs && !status; i++)
            status = axis_see(&d->z, series->zs[i], i, error);
        d->coloured |= series->zs != NULL && values > 0;
        size_t characters = 0;
        if (series->title)
            utf8_prefix(look_label(d->look, series->title, picture->arena), limit, &characters);
        d->keyed += series->title != NULL;
        d->longest = characters > d->longest ? characters : d->longest;
    }
    *any = d->x.seen;
    for (int a = 0; a < 2 && !status && *any; a++) {
        if (plans[a]->rule)
            status = axis_see(axes[a], *plans[a]->rule, 0, error);
        for (int end = 0; end < 2 && !status && plans[a]->from < plans[a]->to; end++)
            status = axis_see(axes[a], end ? plans[a]->to : plans[a]->from, 0, error);
    }
    return status;
}

static double shown(const struct axis *axis, double value)
{
    return (isfinite(value) ? value : value > 0 ? axis->to : axis->from) / axis->factor;
}

/* What a series is, what its columns are and their units: a comment. */
static void put_column(struct drawing *d, const char *title, const char *unit)
{
    gnuplot_quote(&d->script, title, 0);
    text_printf(&d->script, "%s%s ", unit[0] ? " " : "", unit);
}

static void put_data(struct drawing *d, size_t index)
{
    const struct picture_series *series = &d->picture->series.items[index];
    bool many = series->style == PICTURE_POINTS && series->count > MANY_POINTS;
    unsigned char *spots = many ? memory_zero(SPOTS_X * SPOTS_Y, 1) : NULL;
    text_printf(&d->script, "$s%zu << END\n# ", index);
    put_column(d, series->title ? series->title : "", "");
    put_column(d, d->x.plan->title, d->x.unit);
    put_column(d, d->y.plan->title, d->y.unit);
    text_append(&d->script, "\n");
    for (size_t i = 0; i < series->count; i++) {
        double x = series->xs[i], y = series->ys[i];
        if (isnan(y)) { /* where gnuplot breaks the line */
            text_append(&d->script, "\n");
            continue;
        }
        if (many) {
            double across = axis_position(&d->x, x), up = axis_position(&d->y, y);
            if (!(across >= 0 && across <= 1 && up >= 0 && up <= 1)) /* not in the picture */
                continue;
            unsigned char *spot =
                &spots[(int)(up * (SPOTS_Y - 1)) * SPOTS_X + (int)(across * (SPOTS_X - 1))];
            if (*spot)
                continue;
            *spot = 1;
        }
        bool corner = series->style == PICTURE_BOXES && i % 2 == 0;
        text_printf(&d->script, "%.12g %.12g", shown(&d->x, x), shown(&d->y, y));
        if (series->zs && !corner)
            text_printf(&d->script, " %.12g",
                        shown(&d->z, series->zs[series->style == PICTURE_BOXES ? i / 2 : i]));
        text_append(&d->script, corner ? " " : "\n");
    }
    text_append(&d->script, "END\n");
    free(spots);
}

static void put_colour(struct drawing *d, const struct picture_series *series)
{
    int colour = series->colour;
    text_append(&d->script, "rgb '#");
    if (series->veil && series->style != PICTURE_BOXES)
        text_printf(&d->script, "%02x", (unsigned)series->veil);
    text_printf(&d->script, "%s'",
                colour < 0 ? other_colours[-1 - colour] : colours[colour % COLOURS]);
}

/* Of a curve of more points than this, so many that marks would meet, every few have one. */
enum { MARKS_MOST = 24 };

static void put_style(struct drawing *d, const struct picture_series *series)
{
    static const char *const styles[] = {"points", "lines",      "linespoints",        "steps",
                                         "fsteps", "boxxyerror", "filledcurves closed"};
    int colour = series->colour, shape = series->shape;
    bool boxes = series->style == PICTURE_BOXES;
    bool band = series->style == PICTURE_BAND;
    if (d->canvas.dumb && (!boxes || series->zs)) {
        text_printf(&d->script, " with points pointtype \"%c\"", series->mark);
        return;
    }
    text_printf(&d->script, " with %s", boxes && !series->count ? "boxes" : styles[series->style]);
    if (d->canvas.dumb)
        return;
    text_append(&d->script, " linecolor ");
    if (series->zs)
        text_append(&d->script, "palette");
    else
        put_colour(d, series);
    if (!shape)
        shape = colour < 0 ? 7 : picture_shape(colour);
    if (band)
        text_append(&d->script, " fillstyle transparent solid 0.2 noborder");
    else if (boxes)
        text_printf(&d->script,
                    " fillstyle solid %.2f noborder", /* a value's colour is its key's */
                    series->zs ? 1 : 0.85 - series->veil / 255.0);
    else if (series->style == PICTURE_POINTS)
        text_printf(&d->script, " pointtype %d pointsize %g", shape,
                    series->size > 0 ? series->size : 0.8);
    else
        text_printf(&d->script, " linewidth %g pointtype %d pointsize 0.8",
                    series->size > 0   ? series->size
                    : is_steps(series) ? 1.6
                                       : 2.0,
                    shape);
    if (series->style == PICTURE_LINES_POINTS && series->count > MARKS_MOST)
        text_printf(&d->script, " pointinterval %d", (int)(series->count * 2 / MARKS_MOST));
}

/* Which columns of its block a series is of: boxes are two corners there. */
static const char *columns_of(const struct drawing *d, const struct picture_series *series)
{
    if (series->style != PICTURE_BOXES)
        return series->zs && !d->canvas.dumb ? " using 1:2:3" : "";
    if (!series->zs)
        return " using (($1+$3)/2):(($2+$4)/2):1:3:2:4";
    return d->canvas.dumb ? " using (($1+$3)/2):(($2+$4)/2)"
                          : " using (($1+$3)/2):(($2+$4)/2):1:3:2:4:5";
}

static void put_plot(struct drawing *d)
{
    const char *before = "plot ";
    for (size_t s = 0; s < d->picture->series.count; s++) {
        const struct picture_series *series = &d->picture->series.items[s];
        bool dumb = d->canvas.dumb, any = series_any(series);
        const char *title = dumb && series->mark_title ? series->mark_title : series->title;
        if ((dumb && !series->mark) || (!any && !series->title))
            continue;
        text_append(&d->script, before);
        if (any)
            text_printf(&d->script, "$s%zu%s", s, columns_of(d, series));
        else
            text_append(&d->script, "keyentry");
        put_style(d, series);
        text_append(&d->script, " title ");
        draw_quote(d, &d->script, title ? look_label(d->look, title, d->picture->arena) : "",
                   canvas_key_limit(&d->canvas));
        before = ", \\\n     ";
    }
    text_append(&d->script, "\n");
}

/* --- the script ----------------------------------------------------------------------- */

static void put_frame(struct drawing *d)
{
    const struct picture *picture = d->picture;
    bool dumb = d->canvas.dumb;
    text_append(&d->script, "set encoding utf8\nset tics nomirror\nset format x '%h'\n");
    if (d->canvas.tex) /* else TeX reads them as mathematics */
        text_append(&d->script, "set format y '%h'\nset format cb '%h'\n");
    if (!dumb)
        text_append(&d->script, "set border 3 linewidth 1 linecolor rgb '#606060'\n"
                                "set grid xtics ytics back linetype 1 linewidth 0.7 "
                                "linecolor rgb '#e2e2e2'\n"
                                "set tics out scale 0.6,0.35 textcolor rgb '#202020'\n");
    if (!dumb && !d->coloured)
        text_append(&d->script, "set rmargin 4\n");
    text_append(&d->script, !d->keyed ? "unset key\n"
                            : dumb    ? "set key below center horizontal Left reverse width 3\n"
                                   : "set key below center horizontal Left reverse samplen 1.6\n");
    if (d->keyed && !dumb && picture->legend && picture->legend[0]) {
        text_append(&d->script, "set key title ");
        draw_quote(d, &d->script,
                   look_words(look_label(d->look, picture->legend, picture->arena), picture->arena),
                   canvas_key_limit(&d->canvas));
        text_append(&d->script, "\n");
    }
}

/* Dark blue to yellow, ever lighter (viridis, S. van der Walt and N. Smith, 2015): also in grey,
 * and for the colour-blind, what is lighter is more. */
static void put_palette(struct drawing *d)
{
    if (!d->coloured || d->canvas.dumb)
        return;
    text_append(&d->script,
                "set palette defined (0 '#440154', 1 '#414487', 2 '#2a788e', 3 '#22a884', "
                "4 '#7ad151', 5 '#fde725')\nset colorbox vertical\n");
    draw_axis(d, "cb", &d->z);
}

void picture_begin(struct picture *picture)
{
    *picture = (struct picture){.arena = arena_create(), .x.title = "", .y.title = ""};
}

/* The axes as the look has them. */
static int drawing_layout(struct drawing *d, struct error *error)
{
    struct axis *axes[] = {&d->x, &d->y, &d->z};
    for (int a = 0; a < 3; a++) {
        if (a < 2) {
            int status = look_range_ends(&d->look->ranges[a], axes[a]->plan, "xy"[a],
                                         axes[a] -> limits, error);
            if (status)
                return status;
        }
        if (axes[a]->seen)
            axis_layout(axes[a]);
    }
    draw_make_room(d);
    return 0;
}

static void put_all(struct drawing *d, const struct plot_output *output)
{
    const struct picture *picture = d->picture;
    canvas_put(d, output);
    put_frame(d);
    draw_title(d);
    draw_axis(d, "x", &d->x);
    draw_axis(d, "y", &d->y);
    put_palette(d);
    draw_notes(d);
    for (size_t s = 0; s < picture->series.count; s++)
        if (series_any(&picture->series.items[s]))
            put_data(d, s);
    put_plot(d);
}

static int picture_draw(const struct picture *picture, const struct plot_output *output,
                        bool *drawn, struct error *error)
{
    static const struct picture_look usual;
    struct drawing d = {.picture = picture, .look = output->look ? output->look : &usual};
    bool any;
    canvas_begin(&d, output->terminal);
    axis_begin(&d.x, &picture->x);
    axis_begin(&d.y, &picture->y);
    axis_begin(&d.z, &picture->colour);
    int status = drawing_see(&d, &any, error);
    if (!status && !any && !drawn)
        status = error_set(error, STATUS_INPUT, "there are no points to plot");
    if (drawn)
        *drawn = any && !status;
    if (!status && any)
        status = drawing_layout(&d, error);
    if (status || !any)
        return status;
    if (d.canvas.paper && picture->remark) /* a caption may say it */
        remark("%s", picture->remark);
    put_all(&d, output);
    if (!output->undrawn)
        status = gnuplot_run(output, &d.script, error);
    if (!status ? d.look->script || output->undrawn : status == STATUS_NO_PICTURE) {
        struct error second = {0};
        int failed = beside_write(&d, output, &second);
        if (failed)
            *error = second;
        status = failed ? failed : status;
    }
    text_free(&d.script);
    return status;
}

int picture_end(struct picture *picture, const struct plot_output *output, int status, bool *drawn,
                struct error *error)
{
    if (drawn)
        *drawn = false;
    if (!status)
        status = picture_draw(picture, output, drawn, error);
    VECTOR_FREE(&picture->series);
    VECTOR_FREE(&picture->notes);
    arena_destroy(picture->arena);
    return status;
}
