/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terminals, how large a picture is on each, and how much text it holds. */
#include <math.h>
#include <string.h>

#include "core/suggest.h"
#include "report/gnuplot_run.h"
#include "report/picture_internal.h"

/* The font has a name: without one, gnuplot's png and pdf depend on what the
 * system prefers, and have no letters where it prefers nothing. */
#define FAMILY "DejaVu Sans"
/* For a page: letters where none are asked for, pixels of a PNG an inch. */
#define PAPER_FONT_PT 8.0
#define PAPER_DPI 300.0
/* Height over width of a picture of one column, of a wider one. Of rows beneath each other: what
 * the usual height of a screen has, in letters. */
#define PAPER_RATIO 0.75
#define WIDE_RATIO 0.5
#define USUAL_LETTERS 38.0
/* Beside each name in a key: its sign, in characters. */
enum { KEY_SIGN = 7, KEY_SIGN_DUMB = 10 };

static const struct terminal {
    const char *name, *ending, *driver, *unit;
    double width, height, font; /* for a screen */
    double scale;               /* of letters and lines there */
    double per_inch;            /* units, of a page */
    double em_a_point;          /* units that a point of the font is */
} terminals[] = {
    [PLOT_SVG] = {"svg", "svg", "svg", "", 840, 600, 13, 1, 96, 1},
    [PLOT_PNG] = {"png", "png", "pngcairo", "", 1680, 1200, 10.5, 2, PAPER_DPI, 96.0 / 72},
    [PLOT_PDF] = {"pdf", "pdf", "pdfcairo", "cm", 16.8, 12, 8.5, 1, 2.54, 2.54 / 72},
    [PLOT_EPS] = {"eps", "eps", "epscairo", "cm", 16.8, 12, 8.5, 1, 2.54, 2.54 / 72},
    [PLOT_TEX] = {"tex", "tex", "tikz", "cm", 16.8, 12, 10, 1, 2.54, 2.54 / 72},
    [PLOT_DUMB] = {.name = "dumb", .ending = "txt"},
};
enum { TERMINALS = sizeof terminals / sizeof *terminals };

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
    error_hint(error, "%s%s%sterminals: svg, png, pdf, eps, tex, dumb",
               suggest.best ? "did you mean " : "", suggest.best ? suggest.best : "",
               suggest.best ? "? " : "");
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

void canvas_begin(struct drawing *d, enum plot_terminal terminal)
{
    const struct terminal *t = &terminals[terminal];
    const struct picture_look *look = d->look;
    struct canvas *c = &d->canvas;
    *c = (struct canvas){.terminal = terminal,
                         .dumb = terminal == PLOT_DUMB,
                         .tex = terminal == PLOT_TEX,
                         .paper = look->width_mm > 0,
                         .family = look->family ? look->family : FAMILY};
    if (c->dumb)
        return;
    double points = look->font_pt > 0 ? look->font_pt : PAPER_FONT_PT;
    c->width = c->paper ? look->width_mm / 25.4 * t->per_inch : t->width;
    c->height = c->paper ? c->width * (look->width_mm > 120 ? WIDE_RATIO : PAPER_RATIO) : t->height;
    c->font = c->paper || look->font_pt > 0 ? points : t->font;
    if (terminal == PLOT_SVG && (c->paper || look->font_pt > 0))
        c->font = points * 96 / 72; /* it takes pixels */
    c->em = c->font * t->em_a_point *
            (terminal != PLOT_PNG ? 1
             : c->paper           ? PAPER_DPI / 96
                                  : t->scale);
    c->across = c->width / (LETTER * c->em);
    c->up = c->height / (LETTER * c->em);
}

size_t canvas_key_limit(const struct canvas *canvas)
{
    double room = canvas->across - KEY_SIGN;
    return canvas->dumb || room > KEY_LIMIT ? KEY_LIMIT : room > 4 ? (size_t)room : 4;
}

/* What stands beneath each other takes the same room on a page as on a screen; a key of more than
 * two rows, and on a page tilted names, take none of the picture. */
static void fit_height(struct drawing *d)
{
    struct canvas *c = &d->canvas;
    double tall = d->picture->tall > 0 ? d->picture->tall : 1;
    double columns = fmax(1, floor(c->across / (double)(d->longest + KEY_SIGN)));
    double rows = ceil((double)d->keyed / columns);
    if (c->paper && tall != 1)
        c->height = fmax(c->height * fmin(tall, 1), USUAL_LETTERS * tall * c->em);
    else
        c->height *= tall;
    d->key_lines = rows + (d->picture->legend && rows > 0);
    if (rows > 2)
        c->height += (rows - 2) * LINE * c->em;
    if (c->paper)
        c->height += draw_names_height(d) * LETTER * c->em;
}

static void put_characters(struct drawing *d, const struct plot_output *output)
{
    const struct picture *picture = d->picture;
    size_t columns = (size_t)(output->columns > 0 ? output->columns : picture->columns);
    columns = columns ? columns : 79;
    size_t row = columns / (d->longest + KEY_SIGN_DUMB), rows = d->keyed / (row ? row : 1);
    text_printf(&d->script, "set terminal dumb size %zu,%zu noenhanced\n", columns,
                (size_t)(picture->lines > 0 ? picture->lines : 24) + (rows > 2 ? rows - 2 : 0));
}

void canvas_put(struct drawing *d, const struct plot_output *output)
{
    struct canvas *c = &d->canvas;
    const struct terminal *t = &terminals[c->terminal];
    if (c->dumb) {
        put_characters(d, output);
        return;
    }
    fit_height(d);
    text_printf(&d->script, "set terminal %s size %.6g%s,%.5g%s", t->driver, c->width, t->unit,
                c->height, t->unit);
    if (c->tex) { /* letters are the document's */
        if (d->look->font_pt > 0 || c->paper)
            text_printf(&d->script, " font '\\fontsize{%g}{%g}\\selectfont'", c->font,
                        1.2 * c->font);
        text_append(&d->script, "\n");
        return;
    }
    text_append(&d->script, " noenhanced font ");
    gnuplot_quote(&d->script, c->family, 0);
    d->script.length--; /* inside the quotes */
    text_printf(&d->script, ",%g'", c->font);
    if (c->terminal == PLOT_SVG)
        text_append(&d->script, " name 'bandscape' background '#ffffff'");
    else if (c->terminal == PLOT_PNG) {
        double scale = c->paper ? PAPER_DPI / 96 : t->scale;
        text_printf(&d->script, " fontscale %.4g linewidth %.4g pointscale %.4g", scale,
                    c->paper ? 0.75 * scale : scale, c->paper ? 0.55 * scale : scale);
    } else
        text_printf(&d->script, " %spointscale %.4g", c->paper ? "linewidth 0.75 " : "",
                    c->paper ? 0.35 : 0.5);
    if (c->terminal == PLOT_SVG && c->paper)
        text_append(&d->script, " linewidth 0.75");
    text_append(&d->script, "\n");
}
