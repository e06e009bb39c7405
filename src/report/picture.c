/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the description of a picture to its gnuplot script: terminal, words, axes, data, and one
 * plot command. Tics on linear axes, margins and the key's columns are gnuplot's. */
#include "report/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/suggest.h"
#include "report/axis.h"
#include "report/gnuplot_run.h"
#include "report/utf8.h"

/* Okabe and Ito's palette (jfly.uni-koeln.de/color, 2008) without the yellow,
 * which is too pale on white; then four darker or greyer ones, for bars, which have no shape.
 * Beyond these, the shape tells more apart. */
static const char *const colours[] = {"0072b2", "d55e00", "009e73", "cc79a7", "e69f00", "56b4e9",
                                      "000000", "999999", "8c510a", "5e3c99", "808000"};
static const char *const other_colours[] = {"9a9a9a", "303030", "ffffff"};
static const int shapes[] = {7, 5, 9, 13, 11};
enum { COLOURS = sizeof colours / sizeof *colours, SHAPES = sizeof shapes / sizeof *shapes };

/* In characters: what is longer is cut. */
enum { TITLE_LIMIT = 110, SUBTITLE_LIMIT = 160, AXIS_LIMIT = 90, NAME_LIMIT = 52, KEY_LIMIT = 40 };
/* What is longer gets a smaller font. */
enum { TITLE_USUAL = 64, SUBTITLE_USUAL = 95, ACROSS_USUAL = 76, UP_USUAL = 46 };
/* In a key made of characters, beside each name. */
enum { KEY_ROOM = 10 };
/* Names along x that take more together are tilted. */
enum { LEVEL_NAMES = 76, STEEP_NAMES = 14 };
/* Of more points than this, those on one spot are drawn once. */
enum { MANY_POINTS = 5000, SPOTS_X = 240, SPOTS_Y = 170 };

/* The font has a name: without one, gnuplot's png and pdf depend on what the
 * system prefers, and have no letters where it prefers nothing. */
static const struct terminal {
    const char *name, *ending, *driver, *unit, *more;
    double width, height, font;
} terminals[] = {
    [PLOT_SVG] = {"svg", "svg", "svg", "", "name 'bandscape' background '#ffffff'", 840, 600, 13},
    [PLOT_PNG] = {"png", "png", "pngcairo", "", "fontscale 2 linewidth 2 pointscale 2", 1680, 1200,
                  10.5},
    [PLOT_PDF] = {"pdf", "pdf", "pdfcairo", "cm", "pointscale 0.5", 16.8, 12, 8.5},
    [PLOT_DUMB] = {.name = "dumb", .ending = "txt"},
};
enum { TERMINALS = sizeof terminals / sizeof *terminals };

int picture_shape(int colour)
{
    return shapes[(colour / COLOURS + colour % COLOURS) % SHAPES];
}

int plot_terminal_scan(const char *name, enum plot_terminal *out, struct error *error)
{
    struct suggest suggest = suggest_begin(name);
    for (int i = 0; i < TERMINALS; i++) {
        if (strcmp(terminals[i].name, name) == 0) {
            *out = (enum plot_terminal)i;
            return 0;
        }
        suggest_offer(&suggest, terminals[i].name);
    }
    error_set(error, STATUS_USAGE, "there is no terminal \"%.40s\"", name);
    error_hint(error, "%s%s%sterminals: svg, png, pdf, dumb", suggest.best ? "did you mean " : "",
               suggest.best ? suggest.best : "", suggest.best ? "? " : "");
    return STATUS_USAGE;
}

const char *plot_terminal_ending(enum plot_terminal terminal)
{
    return terminals[terminal].ending;
}

bool plot_terminal_of(const char *path, enum plot_terminal *out)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < TERMINALS; i++)
        if (strcmp(dot + 1, terminals[i].ending) == 0) {
            *out = (enum plot_terminal)i;
            return true;
        }
    return false;
}

/* A picture on its way into a script. */
struct drawing {
    const struct picture *picture;
    const struct terminal *terminal;
    bool dumb;
    size_t keyed, longest; /* names in the key, characters of the longest */
    struct axis x, y;
    struct text script;
};

/* --- words ---------------------------------------------------------------------------- */

/* `set` WHAT and a text; `where` stands behind it, and a font relative to the usual one, smaller
 * for a text that would not fit. What is said of an axis may have several lines. */
static void put_text(struct drawing *d, const char *what, const char *text, size_t most,
                     const char *where, double scale, size_t usual)
{
    char *copy = memory_strdup(text), *next = copy;
    size_t longest = 0, characters;
    bool several = strcmp(what + 1, "label") == 0;
    text_printf(&d->script, "set %s ", what);
    for (char *line; (line = next) != NULL;) {
        if ((next = several ? strchr(line, '\n') : NULL) != NULL)
            *next++ = '\0';
        gnuplot_quote(&d->script, line, most);
        text_append(&d->script, next ? ".\"\\n\"." : "");
        utf8_prefix(line, most, &characters);
        longest = characters > longest ? characters : longest;
    }
    if (longest > usual)
        scale *= (double)usual / (double)(longest < 2 * usual ? longest : 2 * usual);
    text_append(&d->script, where);
    if (!d->dumb)
        text_printf(&d->script, " font 'DejaVu Sans,%.1f'", d->terminal->font * scale);
    text_append(&d->script, "\n");
    free(copy);
}

/* In the middle of the picture, whatever names beside it take; below the title smaller lines. */
static void put_title(struct drawing *d)
{
    const struct picture *picture = d->picture;
    const char *below[] = {picture->subtitle, picture->remark};
    static const char *const places[] = {
        " at screen 0.5,1 center offset 0,-3.2 textcolor rgb '#606060'",
        " at screen 0.5,1 center offset 0,-4.4 textcolor rgb '#606060'"};
    int lines = 0;
    if (!picture->title || !picture->title[0])
        return;
    put_text(d, d->dumb ? "title" : "label", picture->title, TITLE_LIMIT,
             d->dumb ? "" : " at screen 0.5,1 center offset 0,-1.6", 1.2, TITLE_USUAL);
    for (int i = 0; i < 2 && !d->dumb; i++)
        if (below[i] && below[i][0])
            put_text(d, "label", below[i], SUBTITLE_LIMIT, places[lines++], 0.9, SUBTITLE_USUAL);
    if (!d->dumb)
        text_printf(&d->script, "set tmargin %g\n", 3.4 + 1.2 * lines);
}

/* --- axes ----------------------------------------------------------------------------- */

/* The label of a tic is a format. */
static void put_tic(struct drawing *d, const char *label, double at, bool minor)
{
    struct text quoted = {0};
    gnuplot_quote(&quoted, label, NAME_LIMIT);
    for (const char *c = quoted.data; *c; c++)
        text_printf(&d->script, "%c%s", *c, *c == '%' ? "%" : "");
    text_printf(&d->script, " %.17g%s", at, minor ? " 1" : "");
    text_free(&quoted);
}

static void put_names(struct drawing *d, char letter, const struct plot_axis *plan)
{
    size_t longest = 0, characters;
    for (size_t i = 0; i < plan->n_names; i++) {
        utf8_prefix(plan->names[i], NAME_LIMIT, &characters);
        longest = characters > longest ? characters : longest;
    }
    text_printf(&d->script, "set grid no%ctics\nset %ctics scale 0 ", letter, letter);
    if (letter == 'x' && !d->dumb && (longest + 1) * plan->n_names > LEVEL_NAMES)
        text_printf(&d->script, "rotate by %d right ", plan->n_names > STEEP_NAMES ? 60 : 30);
    for (size_t i = 0; i < plan->n_names; i++) {
        text_append(&d->script, i ? ", " : "(");
        put_tic(d, plan->names[i], plan->places[i], false);
    }
    text_append(&d->script, ")\n");
}

static void put_axis(struct drawing *d, char letter, const struct axis *axis)
{
    const struct plot_axis *plan = axis->plan;
    struct text title = {0};
    char what[] = {letter, 'l', 'a', 'b', 'e', 'l', '\0'};
    text_printf(&title, "%s%s%s%s", plan->title, axis->unit[0] ? " (" : "", axis->unit,
                axis->unit[0] ? ")" : "");
    if (plan->note && plan->note[0] && !d->dumb)
        text_printf(&title, "\n%s", plan->note);
    if (letter == 'x' && title.length && d->keyed && !d->dumb) /* room above the key */
        text_append(&title, "\n");
    put_text(d, what, title.data, AXIS_LIMIT, "", 1, letter == 'x' ? ACROSS_USUAL : UP_USUAL);
    text_printf(&d->script, "set %crange [%.17g:%.17g]\n", letter, axis->from / axis->factor,
                axis->to / axis->factor);
    if (plan->scale != PLOT_LINEAR)
        text_printf(&d->script, "set logscale %c\n", letter);
    if (plan->n_names)
        put_names(d, letter, plan);
    for (size_t i = 0; i < axis->tic_count; i++) {
        const struct axis_tic *tic = &axis->tics[i];
        text_printf(&d->script, i ? ", " : "set %ctics (", letter);
        char label[AXIS_LABEL + 1]; /* a blank keeps it off the axis' title */
        snprintf(label, sizeof label, "%s%s", letter == 'y' && tic->label[0] ? " " : "",
                 tic->label);
        put_tic(d, label, tic->at / axis->factor, !tic->label[0]);
    }
    text_append(&d->script, axis->tic_count ? ")\n" : "");
    if (plan->rule) {
        double at = *plan->rule / axis->factor;
        text_printf(&d->script,
                    letter == 'x' ? "set arrow from first %.12g, graph 0 to first %.12g, graph 1"
                                  : "set arrow from graph 0, first %.12g to graph 1, first %.12g",
                    at, at);
        text_printf(&d->script, " nohead %s%s\n", letter == 'x' ? "back" : "front",
                    d->dumb ? "" : " dashtype 2 linecolor rgb '#555555'");
    }
    text_free(&title);
}

static void put_notes(struct drawing *d)
{
    static const char *const places[] = {" left offset 0.5,0", " center", " center offset 0,0.7",
                                         " rotate by 90 left"};
    size_t longest = 0, characters;
    for (size_t i = 0; i < d->picture->notes.count; i++) {
        const struct picture_note *note = &d->picture->notes.items[i];
        const char *text = note->text, *place = places[note->place];
        bool beside = isnan(note->x);
        utf8_prefix(text, NAME_LIMIT, &characters);
        if (beside && characters > longest)
            longest = characters;
        if (beside && d->dumb)
            continue;
        if (note->place == PICTURE_UPRIGHT && d->dumb) { /* it knows no upright text */
            text = "x";
            place = " center offset 0,1";
        } else if (note->place == PICTURE_LEFT && !beside && axis_position(&d->x, note->x) > 0.8) {
            place = " right offset -0.5,0";
        }
        text_append(&d->script, "set label ");
        gnuplot_quote(&d->script, text, NAME_LIMIT);
        text_printf(&d->script, beside ? " at graph 1" : " at first %.12g", note->x / d->x.factor);
        text_printf(&d->script, isnan(note->y) ? ", graph %g" : ", first %.12g",
                    isnan(note->y) ? 0.02 : note->y / d->y.factor);
        text_printf(&d->script, "%s front%s\n", place, d->dumb ? "" : " textcolor rgb '#606060'");
    }
    if (longest && !d->dumb)
        text_printf(&d->script, "set rmargin %zu\n", longest);
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
        size_t characters = 0;
        if (series->title)
            utf8_prefix(series->title, KEY_LIMIT, &characters);
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
    gnuplot_quote(&d->script, title, AXIS_LIMIT);
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
        text_printf(&d->script, "%.12g %.12g%c", shown(&d->x, x), shown(&d->y, y),
                    corner ? ' ' : '\n');
    }
    text_append(&d->script, "END\n");
    free(spots);
}

static void put_style(struct drawing *d, const struct picture_series *series)
{
    static const char *const styles[] = {"points", "lines",  "linespoints",
                                         "steps",  "fsteps", "boxxyerror"};
    int colour = series->colour, shape = series->shape;
    bool boxes = series->style == PICTURE_BOXES;
    if (d->dumb && !boxes) {
        text_printf(&d->script, " with points pointtype \"%c\"", series->mark);
        return;
    }
    text_printf(&d->script, " with %s", boxes && !series->count ? "boxes" : styles[series->style]);
    if (d->dumb)
        return;
    text_append(&d->script, " linecolor rgb '#");
    if (series->veil && !boxes)
        text_printf(&d->script, "%02x", (unsigned)series->veil);
    text_printf(&d->script, "%s'",
                colour < 0 ? other_colours[-1 - colour] : colours[colour % COLOURS]);
    if (!shape)
        shape = colour < 0 ? 7 : picture_shape(colour);
    if (boxes)
        text_printf(&d->script, " fillstyle solid %.2f noborder", 0.85 - series->veil / 255.0);
    else if (series->style == PICTURE_POINTS)
        text_printf(&d->script, " pointtype %d pointsize %g", shape,
                    series->size > 0 ? series->size : 0.8);
    else
        text_printf(&d->script, " linewidth %g pointtype %d pointsize 0.8",
                    is_steps(series) ? 1.6 : 2.0, shape);
}

static void put_plot(struct drawing *d)
{
    const char *before = "plot ";
    for (size_t s = 0; s < d->picture->series.count; s++) {
        const struct picture_series *series = &d->picture->series.items[s];
        const char *title = d->dumb && series->mark_title ? series->mark_title : series->title;
        bool any = series_any(series);
        if ((d->dumb && !series->mark) || (!any && !series->title))
            continue;
        text_append(&d->script, before);
        if (any)
            text_printf(&d->script, "$s%zu%s", s,
                        series->style == PICTURE_BOXES ? " using (($1+$3)/2):(($2+$4)/2):1:3:2:4"
                                                       : "");
        else
            text_append(&d->script, "keyentry");
        put_style(d, series);
        text_append(&d->script, " title ");
        gnuplot_quote(&d->script, title ? title : "", KEY_LIMIT);
        before = ", \\\n     ";
    }
    text_append(&d->script, "\n");
}

/* --- the script ----------------------------------------------------------------------- */

static void put_frame(struct drawing *d, const struct plot_output *output)
{
    const struct picture *picture = d->picture;
    const struct terminal *t = d->terminal;
    if (d->dumb) {
        size_t columns = (size_t)(output->columns > 0 ? output->columns : picture->columns);
        columns = columns ? columns : 79;
        size_t row = columns / (d->longest + KEY_ROOM), rows = d->keyed / (row ? row : 1);
        text_printf(&d->script, "set terminal dumb size %zu,%zu noenhanced\n", columns,
                    (size_t)(picture->lines > 0 ? picture->lines : 24) + (rows > 2 ? rows - 2 : 0));
    } else
        text_printf(&d->script,
                    "set terminal %s size %g%s,%.5g%s noenhanced font 'DejaVu Sans,%g' %s\n",
                    t->driver, t->width, t->unit,
                    t->height * (picture->tall > 0 ? picture->tall : 1), t->unit, t->font, t->more);
    text_append(&d->script, "set encoding utf8\nset tics nomirror\nset format x '%h'\n");
    if (!d->dumb)
        text_append(&d->script, "set border 3 linewidth 1 linecolor rgb '#606060'\n"
                                "set grid xtics ytics back linetype 1 linewidth 0.7 "
                                "linecolor rgb '#e2e2e2'\n"
                                "set tics out scale 0.6,0.35 textcolor rgb '#202020'\n"
                                "set rmargin 4\n");
    text_append(&d->script, !d->keyed ? "unset key\n"
                            : d->dumb
                                ? "set key below center horizontal Left reverse width 3\n"
                                : "set key below center horizontal Left reverse samplen 1.6\n");
    if (d->keyed && !d->dumb && picture->legend && picture->legend[0]) {
        text_append(&d->script, "set key title ");
        gnuplot_quote(&d->script, picture->legend, KEY_LIMIT);
        text_append(&d->script, "\n");
    }
}

void picture_begin(struct picture *picture)
{
    *picture = (struct picture){.arena = arena_create(), .x.title = "", .y.title = ""};
}

static int picture_draw(const struct picture *picture, const struct plot_output *output,
                        bool *drawn, struct error *error)
{
    struct drawing d = {.picture = picture,
                        .terminal = &terminals[output->terminal],
                        .dumb = output->terminal == PLOT_DUMB};
    bool any;
    axis_begin(&d.x, &picture->x);
    axis_begin(&d.y, &picture->y);
    int status = drawing_see(&d, &any, error);
    if (!status && !any && !drawn)
        status = error_set(error, STATUS_INPUT, "there are no points to plot");
    if (drawn)
        *drawn = any && !status;
    if (status || !any)
        return status;
    axis_layout(&d.x);
    axis_layout(&d.y);
    put_frame(&d, output);
    put_title(&d);
    put_axis(&d, 'x', &d.x);
    put_axis(&d, 'y', &d.y);
    put_notes(&d);
    for (size_t s = 0; s < picture->series.count; s++)
        if (series_any(&picture->series.items[s]))
            put_data(&d, s);
    put_plot(&d);
    status = gnuplot_run(output, &d.script, error);
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
