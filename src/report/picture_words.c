/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is written around a picture, and where it fits: titles, axes with their tics. A letter is
 * taken to be 0.6 of its height wide, and the axes to leave some 0.7 of the width and 0.6 of the
 * height. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/gnuplot_run.h"
#include "report/picture_internal.h"
#include "report/utf8.h"

/* In characters: what is longer is cut. */
enum { TITLE_LIMIT = 110, SUBTITLE_LIMIT = 160 };
/* Of the canvas' characters: what is longer gets a smaller font, or on a page several lines. */
#define TITLE_SHARE 0.6
#define SUBTITLE_SHARE 0.88
#define BESIDE_SHARE 0.68 /* names and notes on both sides */
#define LEFT_SHARE 0.46   /* names alone */
/* Characters from one name to the next along x, tilted by 30 and by 60 degrees. */
#define TILTED 5.4
#define STEEP 2.4
#define UPRIGHT 2.1
/* Beneath the axes, of text: numbers, a title, and what is between. */
#define AROUND_LINES 4
/* Characters that numbers and a title leave to the left of the axes. */
#define LEFT_USUAL 8.0
#define TITLE_LINE 2.8 /* every further line of the title there */
/* Heights of letters between two tics up an axis; tics along one at most. */
#define TIC_LINES 2.6
enum { TICS_MOST = 8 };

/* --- texts ---------------------------------------------------------------------------- */

/* Characters that TeX would not show, or pdfTeX's fonts do not have. */
static const char *tex_for(const char *c, size_t length)
{
    static const char *const replaced[][2] = {{"\\", "\\textbackslash{}"},
                                              {"_", "\\_"},
                                              {"%", "\\%"},
                                              {"&", "\\&"},
                                              {"#", "\\#"},
                                              {"$", "\\$"},
                                              {"{", "\\{"},
                                              {"}", "\\}"},
                                              {"~", "\\textasciitilde{}"},
                                              {"^", "\\textasciicircum{}"},
                                              {"\xc2\xb5", "$\\mu$"},
                                              {"\xc2\xb7", "$\\cdot$"},
                                              {"\xc3\x97", "$\\times$"},
                                              {"\xe2\x80\xa6", "\\dots{}"},
                                              {"\xe2\x86\x92", "$\\to$"},
                                              {"\xe2\x81\xb0", "$^0$"},
                                              {"\xc2\xb9", "$^1$"},
                                              {"\xc2\xb2", "$^2$"},
                                              {"\xc2\xb3", "$^3$"},
                                              {"\xe2\x81\xb4", "$^4$"},
                                              {"\xe2\x81\xb5", "$^5$"},
                                              {"\xe2\x81\xb6", "$^6$"},
                                              {"\xe2\x81\xb7", "$^7$"},
                                              {"\xe2\x81\xb8", "$^8$"},
                                              {"\xe2\x81\xb9", "$^9$"},
                                              {"\xe2\x81\xbb", "$^-$"}};
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
        if (strlen(replaced[i][0]) == length && strncmp(replaced[i][0], c, length) == 0)
            return replaced[i][1];
    return NULL;
}

void draw_quote(struct drawing *d, struct text *out, const char *text, size_t most)
{
    struct text cut = {0}, written = {0};
    if (!d->canvas.tex) {
        gnuplot_quote(out, text, most);
        return;
    }
    gnuplot_quote(&cut, text, most); /* nothing in it is no character now */
    for (size_t i = 0, length; cut.data[i]; i += length) {
        length = utf8_length(cut.data + i);
        const char *tex = tex_for(cut.data + i, length);
        if (tex)
            text_append(&written, tex);
        else
            text_append_bytes(&written, cut.data + i, length);
    }
    text_append(out, written.data);
    text_free(&cut);
    text_free(&written);
}

size_t draw_characters(const char *text)
{
    size_t characters;
    utf8_prefix(text, SIZE_MAX, &characters);
    return characters;
}

void draw_font(struct drawing *d, double scale)
{
    if (d->canvas.dumb || d->canvas.tex)
        return;
    text_append(&d->script, " font ");
    gnuplot_quote(&d->script, d->canvas.family, 0);
    d->script.length--;
    text_printf(&d->script, ",%.1f'", d->canvas.font * scale);
}

/* Breaks lines at blanks so that none has more characters than fit, where it can. */
static char *wrap(const char *text, double fit)
{
    char *out = memory_strdup(text), *start = out, *blank = NULL;
    for (char *c = out;; c++) {
        if (*c != ' ' && *c != '\n' && *c)
            continue;
        if (blank && (double)(c - start) > fit) {
            *blank = '\n';
            start = blank + 1;
        }
        blank = *c == ' ' ? c : NULL;
        start = *c == '\n' ? c + 1 : start;
        if (!*c)
            return out;
    }
}

/* `set` WHAT and a text; `where` stands behind it, and a font relative to the usual one. A text
 * with more characters than fit is broken into lines on a page, and smaller on a screen. What is
 * said of an axis may have several lines. */
static void put_text(struct drawing *d, const char *what, const char *text, size_t most,
                     const char *where, double scale, double fit)
{
    bool colour = strcmp(what, "cblabel") == 0; /* gnuplot leaves room for a line beside colours */
    bool several = strcmp(what, "title") == 0 || (!colour && strstr(what, "label") > what);
    char *copy = d->canvas.paper && several ? wrap(text, fit) : memory_strdup(text), *next = copy;
    double longest = 0;
    text_printf(&d->script, "set %s ", what);
    for (char *line; (line = next) != NULL;) {
        if ((next = several ? strchr(line, '\n') : NULL) != NULL)
            *next++ = '\0';
        draw_quote(d, &d->script, line, most);
        text_append(&d->script, next ? d->canvas.tex ? ".'\\\\'." : ".\"\\n\"." : "");
        longest = fmax(longest, fmin((double)draw_characters(line), (double)most));
    }
    if (longest > fit)
        scale *= fit / fmin(longest, 2 * fit);
    text_append(&d->script, where);
    draw_font(d, scale);
    text_append(&d->script, "\n");
    free(copy);
}

/* In the middle of the picture, whatever names beside it take; below the title smaller lines. On a
 * page it has the title that was asked for. */
void draw_title(struct drawing *d)
{
    const struct picture *picture = d->picture;
    const char *below[] = {picture->subtitle, picture->remark};
    static const char *const places[] = {
        " at screen 0.5,1 center offset 0,-3.2 textcolor rgb '#606060'",
        " at screen 0.5,1 center offset 0,-4.4 textcolor rgb '#606060'"};
    const struct canvas *c = &d->canvas;
    const char *title = d->look->title ? d->look->title : c->paper ? NULL : picture->title;
    bool plain = c->dumb || c->paper || c->tex;
    int lines = 0;
    if (!title || !title[0])
        return;
    put_text(d, plain ? "title" : "label", title, TITLE_LIMIT,
             plain ? "" : " at screen 0.5,1 center offset 0,-1.6", c->paper ? 1 : 1.2,
             c->dumb ? TITLE_LIMIT : TITLE_SHARE * c->across);
    double fit = SUBTITLE_SHARE * c->across, longest = fit; /* both lines in one size */
    for (int i = 0; i < 2; i++)
        if (below[i])
            longest = fmax(longest, fmin((double)draw_characters(below[i]), SUBTITLE_LIMIT));
    for (int i = 0; i < 2 && !plain; i++)
        if (below[i] && below[i][0])
            put_text(d, "label", below[i], SUBTITLE_LIMIT, places[lines++],
                     0.9 * fit / fmin(longest, 2 * fit), longest);
    if (!plain)
        text_printf(&d->script, "set tmargin %g\n", 3.4 + 1.2 * lines);
}

/* --- axes ----------------------------------------------------------------------------- */

/* The label of a tic is a format. */
static void put_tic(struct drawing *d, const char *label, size_t most, double at, bool minor)
{
    struct text quoted = {0};
    draw_quote(d, &quoted, label, most);
    for (const char *c = quoted.data; *c; c++)
        text_printf(&d->script, "%c%s", *c, *c == '%' ? "%" : "");
    text_printf(&d->script, " %.17g%s", at, minor ? " 1" : "");
    text_free(&quoted);
}

/* Characters of the longest note to the right of the picture. */
size_t draw_longest_beside(const struct drawing *d)
{
    size_t longest = 0;
    for (size_t i = 0; i < d->picture->notes.count; i++) {
        const struct picture_note *note = &d->picture->notes.items[i];
        size_t characters = draw_characters(look_label(d->look, note->text, d->picture->arena));
        if (isnan(note->x) && characters > longest)
            longest = characters;
    }
    return longest < NAME_LIMIT ? longest : NAME_LIMIT;
}

/* How names stand along an axis. */
struct names {
    int tilt; /* degrees */
    double scale;
    size_t most, longest; /* characters: what is longer is cut, the longest that is left */
};

/* Names along x are tilted where they would meet, and smaller where they do even then. */
static struct names names_layout(const struct drawing *d, bool across, const struct plot_axis *plan)
{
    const struct canvas *c = &d->canvas;
    double each = (across ? ACROSS_SHARE * c->across : UP_SHARE * c->up) / (double)plan->n_names;
    struct names names = {.scale = 1, .most = NAME_LIMIT};
    for (size_t i = 0; i < plan->n_names; i++) {
        size_t characters = draw_characters(look_label(d->look, plan->names[i], d->picture->arena));
        names.longest = characters > names.longest ? characters : names.longest;
    }
    if (across && !c->dumb && (double)(names.longest + 1) > each) {
        names.tilt = each >= TILTED ? 30 : each >= STEEP ? 60 : 90;
        names.scale = fmax(0.5, fmin(1, each / UPRIGHT));
        names.most = (size_t)fmax(8, fmin(NAME_LIMIT, 0.5 * c->up / names.scale));
    } else if (!across && !c->dumb) {
        double beside = (double)draw_longest_beside(d), all = (double)names.longest + beside;
        double share = (beside > 0 ? BESIDE_SHARE : LEFT_SHARE) * c->across;
        names.scale = fmax(0.6, fmin(1, fmin(each / UPRIGHT, share / all)));
        names.most = (size_t)fmax(8, fmin(NAME_LIMIT, share / names.scale - beside));
    }
    if (names.longest > names.most)
        names.longest = names.most;
    return names;
}

double draw_names_height(const struct drawing *d)
{
    const struct plot_axis *plan = &d->picture->x;
    if (!plan->n_names)
        return 0;
    struct names names = names_layout(d, true, plan);
    return sin(names.tilt * acos(-1) / 180) * (double)names.longest * names.scale;
}

/* How far tilted names reach to the left of the axes, in characters. */
static double names_left(const struct drawing *d, const struct plot_axis *plan,
                         const struct names *names)
{
    double each = ACROSS_SHARE * d->canvas.across / (double)plan->n_names, most = 0;
    for (size_t i = 0; i < plan->n_names && names->tilt; i++) {
        const char *name = look_label(d->look, plan->names[i], d->picture->arena);
        double letters = fmin((double)draw_characters(name), (double)names->most) * names->scale;
        most = fmax(most, cos(names->tilt * acos(-1) / 180) * letters - (double)i * each);
    }
    return most + 1;
}

/* A name that is too long and begins as others do ("workload, organisation") keeps its end, which
 * tells it from them: it is cut in the middle. */
static const char *name_shown(const struct drawing *d, const struct plot_axis *plan, size_t i,
                              size_t most)
{
    struct arena *arena = d->picture->arena;
    const char *name = look_label(d->look, plan->names[i], arena), *tail = strrchr(name, ',');
    size_t kept, all = draw_characters(name), head = utf8_prefix(name, most - 1, &kept);
    bool alike = false;
    for (size_t k = 0; k < plan->n_names && all > most; k++) {
        const char *other = look_label(d->look, plan->names[k], arena);
        alike = alike || (k != i && strlen(other) > head && memcmp(other, name, head) == 0);
    }
    if (!alike || !tail || draw_characters(tail) + 3 > most)
        return name;
    head = utf8_prefix(name, most - 1 - draw_characters(tail), &kept);
    return arena_printf(arena, "%.*s…%s", (int)head, name, tail);
}

/* What is said of an axis: words, the unit, and on a screen a note. */
static void axis_title(const struct drawing *d, const struct axis *axis, struct text *out)
{
    const struct plot_axis *plan = axis->plan;
    const char *words = look_label(d->look, plan->title, d->picture->arena);
    text_printf(out, "%s%s%s%s", look_words(words, d->picture->arena), axis->unit[0] ? " (" : "",
                axis->unit, axis->unit[0] ? ")" : "");
    if (plan->note && plan->note[0] && !d->canvas.dumb && !d->canvas.paper)
        text_printf(out, "\n%s", plan->note);
}

/* Characters that numbers and all lines of the title leave to the left of the axes: gnuplot drops
 * those that reach out of the picture. */
static double title_left(const struct drawing *d)
{
    struct text title = {0};
    axis_title(d, &d->y, &title);
    char *lines =
        d->canvas.paper ? wrap(title.data, UP_SHARE * d->canvas.up) : memory_strdup(title.data);
    double left = LEFT_USUAL;
    for (const char *c = lines; (c = strchr(c, '\n')); c++)
        left += TITLE_LINE;
    free(lines);
    text_free(&title);
    return left;
}

static void put_names(struct drawing *d, char letter, const struct plot_axis *plan)
{
    struct names names = names_layout(d, letter == 'x', plan);
    text_printf(&d->script, "set grid no%ctics\nset %ctics scale 0 ", letter, letter);
    if (names.tilt)
        text_printf(&d->script, "rotate by %d right ", names.tilt);
    for (size_t i = 0; i < plan->n_names; i++) {
        text_append(&d->script, i ? ", " : "(");
        put_tic(d, name_shown(d, plan, i, names.most), names.most, plan->places[i], false);
    }
    text_append(&d->script, ")");
    if (names.scale < 1)
        draw_font(d, names.scale);
    text_append(&d->script, "\n");
    bool untitled = letter == 'x' && !plan->title[0] && !d->canvas.dumb && !d->canvas.tex;
    if (untitled && names.tilt && names.scale < 1) {
        /* gnuplot would take them for larger, and leave that much between them and the key; a title
         * would stand there all the same */
        double below = draw_names_height(d) * LETTER + LINE * (d->key_lines + 2);
        text_printf(&d->script, "set bmargin at screen %.4g\n",
                    below * d->canvas.em / d->canvas.height);
    }
    double left = letter == 'x' ? names_left(d, plan, &names) : 0;
    if (left > LEFT_USUAL)
        text_printf(&d->script, "set lmargin at screen %.4g\n",
                    fmax(left, title_left(d)) / d->canvas.across);
    if (letter == 'y' && names.scale < 1) /* gnuplot would take them for larger */
        text_printf(&d->script, "set lmargin at screen %.4g\n",
                    ((double)names.longest * names.scale + (plan->title[0] ? 5 : 2)) /
                        d->canvas.across);
}

/* Characters between the axis and the other side, whose names and notes may take more. */
double draw_room_across(const struct drawing *d)
{
    const struct plot_axis *y = &d->picture->y;
    double room = ACROSS_SHARE * d->canvas.across;
    if (!y->n_names)
        return room;
    struct names names = names_layout(d, false, y);
    double beside = ((double)names.longest + (double)draw_longest_beside(d)) * names.scale;
    return fmin(room, d->canvas.across - beside - 4);
}

/* Lines of text between the axis and the upper side. */
static double room_up(const struct drawing *d)
{
    const struct canvas *c = &d->canvas;
    double tilted = draw_names_height(d) * LETTER, title = d->look->title || !c->paper ? 2 : 0;
    return c->height / c->em - tilted - LINE * (d->key_lines + AROUND_LINES + title);
}

/* Ranks and counts: no tics between them. */
static bool all_whole(const struct picture *picture)
{
    bool some = false;
    for (size_t s = 0; s < picture->series.count; s++)
        for (size_t i = 0; i < picture->series.items[s].count; i++) {
            double x = picture->series.items[s].xs[i];
            if (isfinite(x) && x != floor(x))
                return false;
            some = some || isfinite(x);
        }
    return some;
}

/* Of a linear axis: a step of 1, 2 or 5 with which the numbers have room. */
static void put_step(struct drawing *d, const char *name, const struct axis *axis)
{
    const struct canvas *c = &d->canvas;
    double from = axis->from / axis->factor, to = axis->to / axis->factor, step = 0;
    double most = room_up(d) / TIC_LINES;
    if (c->dumb || !(to > from))
        return;
    for (double power = pow(10, floor(log10(to - from)) - 1); step == 0; power *= 10)
        for (int i = 0; i < 3 && step == 0; i++) {
            double s = power * (i == 0 ? 1 : i == 1 ? 2 : 5);
            char low[64], high[64];
            snprintf(low, sizeof low, "%.10g", ceil(from / s) * s + s);
            snprintf(high, sizeof high, "%.10g", floor(to / s) * s - s);
            double letters = (double)(strlen(low) > strlen(high) ? strlen(low) : strlen(high)) + 2;
            if (name[0] == 'x')
                most = draw_room_across(d) / letters;
            bool between = s < 1 && name[0] == 'x' && axis->factor == 1 && all_whole(d->picture);
            if (!between && ((to - from) / s <= fmin(most, TICS_MOST) || (to - from) / s <= 1))
                step = s;
        }
    text_printf(&d->script, "set %stics %.12g\n", name, step);
}

/* Of a logarithmic axis; every second label, or fewer, where all have no room. */
static void put_log_tics(struct drawing *d, const char *name, const struct axis *axis)
{
    const struct canvas *c = &d->canvas;
    size_t letters = 0, stride = 1, labelled = 0;
    for (size_t i = 0; i < axis->tic_count; i++)
        if (axis->tics[i].label[0])
            letters += draw_characters(axis->tics[i].label) + 2;
    if (!c->dumb && name[0] == 'x')
        stride = (size_t)fmax(1, ceil((double)letters / (ACROSS_SHARE * c->across)));
    for (size_t i = 0; i < axis->tic_count; i++) {
        const struct axis_tic *tic = &axis->tics[i];
        char label[AXIS_LABEL + 1]; /* a blank keeps it off the axis' title */
        bool shown = tic->label[0] && labelled++ % stride == 0;
        snprintf(label, sizeof label, "%s%s", name[0] == 'y' && shown ? " " : "",
                 shown ? tic->label : "");
        if (i)
            text_append(&d->script, ", ");
        else
            text_printf(&d->script, "set %stics (", name);
        put_tic(d, label, NAME_LIMIT, tic->at / axis->factor, !shown);
    }
    text_append(&d->script, axis->tic_count ? ")\n" : "");
}

void draw_axis(struct drawing *d, const char *name, const struct axis *axis)
{
    const struct plot_axis *plan = axis->plan;
    const struct canvas *c = &d->canvas;
    bool across = name[0] == 'x';
    struct text title = {0};
    char what[16];
    snprintf(what, sizeof what, "%slabel", name);
    axis_title(d, axis, &title);
    if (across && title.length && d->keyed && !c->dumb && !c->tex) /* room above the key */
        text_append(&title, "\n");
    put_text(d, what, title.data, AXIS_LIMIT, "", 1,
             c->dumb  ? AXIS_LIMIT
             : across ? draw_room_across(d)
                      : UP_SHARE * c->up);
    text_printf(&d->script, "set %srange [%.17g:%.17g]\n", name, axis->from / axis->factor,
                axis->to / axis->factor);
    if (plan->scale != PLOT_LINEAR)
        text_printf(&d->script, "set logscale %s\n", name);
    if (plan->n_names)
        put_names(d, name[0], plan);
    else if (plan->scale == PLOT_LINEAR)
        put_step(d, name, axis);
    put_log_tics(d, name, axis);
    if (plan->rule) {
        double at = *plan->rule / axis->factor;
        text_printf(&d->script,
                    across ? "set arrow from first %.12g, graph 0 to first %.12g, graph 1"
                           : "set arrow from graph 0, first %.12g to graph 1, first %.12g",
                    at, at);
        text_printf(&d->script, " nohead %s%s\n", across ? "back" : "front",
                    c->dumb ? "" : " dashtype 2 linecolor rgb '#555555'");
    }
    text_free(&title);
}

double draw_beside_scale(const struct drawing *d)
{
    return d->picture->y.n_names ? names_layout(d, false, &d->picture->y).scale : 1;
}
