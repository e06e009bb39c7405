/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures as gnuplot scripts: what all kinds share, and lines over an axis. */
#include "report/gnuplot.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/suggest.h"
#include "report/gnuplot_run.h"
#include "report/picture.h"
#include "report/utf8.h"

/* Okabe and Ito's palette (jfly.uni-koeln.de/color, 2008) without the yellow,
 * which is too pale on white; then four darker or greyer ones, for bars, which have no shape.
 * Beyond these, the shape tells more apart. */
static const char *const colours[] = {"0072b2", "d55e00", "009e73", "cc79a7", "e69f00", "56b4e9",
                                      "000000", "999999", "8c510a", "5e3c99", "808000"};
static const int shapes[] = {7, 5, 9, 13, 11};
enum { COLOURS = sizeof colours / sizeof *colours, SHAPES = sizeof shapes / sizeof *shapes };

/* In characters: what is longer is cut. */
enum {
    TITLE_LIMIT = 110,
    SUBTITLE_LIMIT = 160,
    AXIS_TITLE_LIMIT = 70,
    AXIS_NOTE_LIMIT = 90,
    TITLE_USUAL = 64,
    SUBTITLE_USUAL = 95,
    AXIS_TITLE_USUAL = 40,
    AXIS_NOTE_USUAL = 70, /* along x; along y: */
    AXIS_NOTE_TALL = 52,
};

const char *picture_colour(int index)
{
    return colours[index % COLOURS];
}

int picture_shape(int index)
{
    return shapes[(index / COLOURS + index % COLOURS) % SHAPES];
}

int plot_terminal_scan(const char *name, enum plot_terminal *out, struct error *error)
{
    static const char *const names[] = {"svg", "png", "pdf", "dumb"};
    struct suggest suggest = suggest_begin(name);
    for (int i = 0; i < 4; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = (enum plot_terminal)i;
            return 0;
        }
        suggest_offer(&suggest, names[i]);
    }
    error_set(error, STATUS_USAGE, "there is no terminal \"%.40s\"", name);
    if (suggest.best)
        error_hint(error, "did you mean %s? terminals: svg, png, pdf, dumb", suggest.best);
    else
        error_hint(error, "terminals: svg, png, pdf, dumb");
    return STATUS_USAGE;
}

void picture_begin(struct picture *picture, const struct plot_output *output,
                   const struct plot_axis *x, const struct plot_axis *y)
{
    *picture = (struct picture){.output = output, .dumb = output->terminal == PLOT_DUMB};
    axis_begin(&picture->x, x);
    axis_begin(&picture->y, y);
}

/* The font has a name: without one, gnuplot's png and pdf depend on what the
 * system prefers, and have no letters where it prefers nothing. */
static void put_terminal(struct picture *picture)
{
    struct text *script = &picture->script;
    double tall = picture->output->tall > 0 ? picture->output->tall : 1;
    switch (picture->output->terminal) {
    case PLOT_SVG:
        text_printf(script,
                    "set terminal svg size 840,%.0f noenhanced name 'bandscape' "
                    "font 'DejaVu Sans,13' background '#ffffff'\n",
                    600 * tall);
        break;
    case PLOT_PNG:
        text_printf(script,
                    "set terminal pngcairo size 1680,%.0f noenhanced fontscale 2 "
                    "linewidth 2 pointscale 2 font 'DejaVu Sans,10.5'\n",
                    1200 * tall);
        break;
    case PLOT_PDF:
        text_printf(script,
                    "set terminal pdfcairo size 16.8cm,%.4gcm noenhanced pointscale 0.5 "
                    "font 'DejaVu Sans,8.5'\n",
                    12 * tall);
        break;
    case PLOT_DUMB:
        text_printf(script, "set terminal dumb size %d,%d noenhanced\n",
                    picture->output->columns > 0 ? picture->output->columns : 79,
                    picture->output->lines > 0 ? picture->output->lines : 24);
        break;
    }
    text_append(script, "set encoding utf8\n");
}

/* A font size relative to the usual one, smaller for a text that would not fit. */
static void put_font(struct picture *picture, double scale, const char *text, size_t usual)
{
    static const double sizes[] = {[PLOT_SVG] = 13, [PLOT_PNG] = 10.5, [PLOT_PDF] = 8.5};
    size_t characters;
    if (picture->dumb)
        return;
    utf8_prefix(text, usual * 2, &characters);
    if (characters > usual)
        scale *= (double)usual / (double)characters;
    text_printf(&picture->script, " font 'DejaVu Sans,%.1f'",
                sizes[picture->output->terminal] * scale);
}

/* In the middle of the picture, whatever a legend beside it takes; below the title up to two
 * smaller lines. */
static void put_title(struct picture *picture, const char *title, const char *subtitle)
{
    static const double margins[] = {0.09, 0.125, 0.163};
    struct text *script = &picture->script;
    const char *below[2] = {subtitle, picture->remark};
    double tall = picture->output->tall > 0 ? picture->output->tall : 1;
    size_t lines = 0;
    if (!title || !title[0])
        return;
    for (size_t i = 0; i < 2 && !picture->dumb; i++)
        if (below[i] && below[i][0])
            below[lines++] = below[i];
    if (picture->dumb)
        text_append(script, "set title ");
    else
        text_printf(script, "set tmargin at screen %.6g\nset label ", 1 - margins[lines] / tall);
    gnuplot_quote(script, title, TITLE_LIMIT);
    if (!picture->dumb)
        text_printf(script, " at screen 0.5,%.6g center", 1 - (lines ? 0.04 : 0.045) / tall);
    put_font(picture, 1.2, title, TITLE_USUAL);
    text_append(script, "\n");
    for (size_t i = 0; i < lines; i++) {
        text_append(script, "set label ");
        gnuplot_quote(script, below[i], SUBTITLE_LIMIT);
        text_printf(script, " at screen 0.5,%.6g center textcolor rgb '#606060'",
                    1 - (0.083 + 0.038 * (double)i) / tall);
        put_font(picture, 0.9, below[i], SUBTITLE_USUAL);
        text_append(script, "\n");
    }
}

/* What stands below an axis' title, lines of its own, and a font that fits the longest. Along y
 * the lines need room that gnuplot does not give by itself. */
static void put_note(struct picture *picture, char letter, const struct axis *axis,
                     const char *title)
{
    struct text *script = &picture->script;
    const char *note = axis->plan->note, *longest = title;
    size_t usual = AXIS_TITLE_USUAL, most = 0, characters, lines = 1;
    char line[3][AXIS_NOTE_LIMIT * 4 + 4];
    for (; note && *note && !picture->dumb && lines < 4; lines++) {
        size_t length = strcspn(note, "\n");
        char *copy = line[lines - 1];
        snprintf(copy, sizeof line[0], "%.*s", (int)length, note);
        text_append(script, ".\"\\n\".");
        gnuplot_quote(script, copy, AXIS_NOTE_LIMIT);
        utf8_prefix(copy, AXIS_NOTE_LIMIT, &characters);
        if (characters > most) {
            most = characters;
            longest = copy;
            usual = letter == 'x' ? AXIS_NOTE_USUAL : AXIS_NOTE_TALL;
        }
        note += length + (note[length] == '\n');
    }
    put_font(picture, 1.0, longest, usual);
    if (letter == 'y' && lines > 1) {
        most = 0;
        for (size_t i = 0; i < axis->tic_count; i++) {
            utf8_prefix(axis->tics[i].label, AXIS_LABEL, &characters);
            most = characters > most ? characters : most;
        }
        text_printf(script, " offset %.3g,0\nset lmargin %zu", -0.5 - 0.5 * (double)lines,
                    most + 3 + 2 * lines);
    }
}

static void put_axis(struct picture *picture, char letter, const struct axis *axis)
{
    struct text *script = &picture->script;
    struct text title = {0};
    size_t count, length = utf8_prefix(axis->plan->title, AXIS_TITLE_LIMIT, &count);
    bool cut = axis->plan->title[length] != '\0';
    text_append_bytes(&title, axis->plan->title, length);
    text_append(&title, cut ? "\xe2\x80\xa6" : "");
    if (axis->unit[0])
        text_printf(&title, " (%s)", axis->unit);
    text_printf(script, "set %clabel ", letter);
    gnuplot_quote(script, title.data, 0);
    put_note(picture, letter, axis, title.data);
    text_printf(script, "\nset %crange [%.17g:%.17g]\n", letter, axis->from, axis->to);
    if (axis->plan->scale != PLOT_LINEAR)
        text_printf(script, "set logscale %c\n", letter);
    text_printf(script, "set %ctics nomirror (", letter);
    for (size_t i = 0; i < axis->tic_count; i++) {
        const struct axis_tic *tic = &axis->tics[i];
        text_append(script, i ? ", " : "");
        gnuplot_quote(script, tic->label, 0); /* no % in it: that would be a format */
        text_printf(script, " %.17g%s", tic->at, tic->label[0] ? "" : " 1");
    }
    text_append(script, ")\n");
    text_free(&title);
}

/* Characters of all labels, with a blank or two between them. */
static size_t axis_characters(const struct axis *axis)
{
    size_t sum = 0, characters;
    for (size_t i = 0; i < axis->tic_count; i++)
        if (axis->tics[i].label[0]) {
            utf8_prefix(axis->tics[i].label, AXIS_LABEL, &characters);
            sum += characters + 2;
        }
    return sum;
}

void picture_frame(struct picture *picture, const char *title, const char *subtitle)
{
    struct text *script = &picture->script;
    int most = picture->dumb ? 6 : 8;
    do /* until the labels below the picture fit */
        axis_layout(&picture->x, most);
    while (axis_characters(&picture->x) > 56 && --most > 2);
    axis_layout(&picture->y, picture->dumb ? 5 : 7);
    put_terminal(picture);
    if (!picture->dumb)
        text_append(script, "set border 3 linewidth 1 linecolor rgb '#606060'\n"
                            "set grid xtics ytics back linetype 1 linewidth 0.7 "
                            "linecolor rgb '#e2e2e2'\n"
                            "set tics out scale 0.6,0.35 textcolor rgb '#202020'\n"
                            "set rmargin 4\n");
    put_title(picture, title, subtitle);
    put_axis(picture, 'x', &picture->x);
    put_axis(picture, 'y', &picture->y);
}

static int picture_cell(double position)
{
    int cell = (int)(position * PICTURE_CELLS);
    return cell < 0 ? 0 : cell >= PICTURE_CELLS ? PICTURE_CELLS - 1 : cell;
}

void picture_occupy(struct picture *picture, const double *xs, const double *ys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        picture->occupied[picture_cell(axis_position(&picture->y, ys[i]))]
                         [picture_cell(axis_position(&picture->x, xs[i]))]++;
}

void picture_occupy_lines(struct picture *picture, const double *xs, const double *ys, size_t count)
{
    picture_occupy(picture, xs, ys, count);
    for (size_t i = 1; i < count; i++) {
        double x = axis_position(&picture->x, xs[i - 1]), to_x = axis_position(&picture->x, xs[i]);
        double y = axis_position(&picture->y, ys[i - 1]), to_y = axis_position(&picture->y, ys[i]);
        int steps = (int)(fmax(fabs(to_x - x), fabs(to_y - y)) * PICTURE_CELLS);
        for (int k = 1; k < steps; k++)
            picture->occupied[picture_cell(y + (to_y - y) * k / steps)]
                             [picture_cell(x + (to_x - x) * k / steps)]++;
    }
}

void picture_occupy_box(struct picture *picture, double left, double right, double low, double high)
{
    for (int row = picture_cell(low); row <= picture_cell(high); row++)
        for (int column = picture_cell(left); column <= picture_cell(right); column++)
            picture->occupied[row][column]++;
}

uint64_t picture_load(const struct picture *picture, double left, double right, double low,
                      double high)
{
    uint64_t load = 0;
    for (int row = picture_cell(low); row <= picture_cell(high); row++)
        for (int column = picture_cell(left); column <= picture_cell(right); column++)
            load += picture->occupied[row][column];
    return load;
}

/* How much lies in one of nine places of that size: across 0 left, 1 middle,
 * 2 right; up 0 bottom, 1 middle, 2 top. */
static uint64_t place_load(const struct picture *picture, int across, int up, double width,
                           double height)
{
    double left = across * 0.5 * (1.0 - width), low = up * 0.5 * (1.0 - height);
    return picture_load(picture, left, left + width, low, low + height);
}

void picture_legend(struct picture *picture, const char *title, const char *const *names, int count,
                    bool right, bool top)
{
    static const char *const horizontal[] = {"left", "center", "right"};
    static const char *const vertical[] = {"bottom", "center", "top"};
    /* Which places are tried in which order: wanted corner, corners, edges. 2
     * stands for the wanted side, 0 for the other. */
    static const int order[][2] = {{2, 2}, {0, 2}, {2, 0}, {0, 0}, {1, 2},
                                   {2, 1}, {0, 1}, {1, 0}, {1, 1}};
    struct text *script = &picture->script;
    size_t longest = 0, characters;
    int best_across = 0, best_up = 0;
    uint64_t least = UINT64_MAX;
    if (count == 0) {
        text_append(script, "unset key\n");
        return;
    }
    for (int i = 0; i < count; i++) {
        utf8_prefix(names[i], PICTURE_NAME, &characters);
        longest = characters > longest ? characters : longest;
    }
    bool titled = title && title[0] && !picture->dumb;
    if (titled) {
        utf8_prefix(title, PICTURE_BESIDE, &characters);
        longest = characters > longest ? characters : longest;
    }
    double width = fmin(0.09 + 0.0125 * (double)longest, 1.0);
    double height = fmin(0.03 + 0.042 * (count + titled), 1.0);
    for (size_t i = 0; i < sizeof order / sizeof *order && least > 0; i++) {
        int across = right ? order[i][0] : 2 - order[i][0];
        int up = top ? order[i][1] : 2 - order[i][1];
        uint64_t load = place_load(picture, across, up, width, height);
        if (load < least) {
            least = load;
            best_across = across;
            best_up = up;
        }
    }
    picture->name_limit = PICTURE_NAME;
    if (least > 0 && !picture->dumb) {
        picture->name_limit = PICTURE_BESIDE;
        text_append(script, "unset rmargin\nset key outside right top vertical");
    } else {
        text_printf(script, "set key inside %s %s vertical", horizontal[best_across],
                    vertical[best_up]);
    }
    text_append(script, " Left reverse samplen 1.6 spacing 1.15 width -1 noautotitle\n");
    if (titled) {
        text_append(script, "set key title ");
        gnuplot_quote(script, title, PICTURE_BESIDE);
        text_append(script, " left\n");
    }
}

void picture_name(struct picture *picture, const char *name)
{
    text_append(&picture->script, " title ");
    gnuplot_quote(&picture->script, name, picture->name_limit);
}

void picture_put_point(struct picture *picture, double x, double y)
{
    text_printf(&picture->script, "%.12g %.12g\n", x, y);
}

int picture_end(struct picture *picture, struct error *error)
{
    int status = gnuplot_run(picture->output, &picture->script, error);
    text_free(&picture->script);
    return status;
}

/* --- lines */

static int curves_see(struct picture *picture, const struct plot_curves *plot, struct error *error)
{
    static const double whole[] = {0, 1};
    size_t points = 0;
    int status = plot->y_shares ? axis_see(&picture->y, whole, 2, error) : 0;
    for (size_t s = 0; s < plot->count && !status; s++) {
        const struct plot_series *series = &plot->series[s];
        for (size_t i = 0; i < series->count && !status; i++) {
            if (isnan(series->ys[i]))
                continue;
            points++;
            status = axis_see(&picture->x, &series->xs[i], 1, error);
            if (!status)
                status = axis_see(&picture->y, &series->ys[i], 1, error);
        }
    }
    if (!status && points == 0)
        status = error_set(error, STATUS_INPUT, "there are no points to plot");
    return status;
}

static bool series_any(const struct plot_series *series)
{
    bool any = false;
    for (size_t i = 0; i < series->count && !any; i++)
        any = !isnan(series->ys[i]);
    return any;
}

static void curves_data(struct picture *picture, const struct plot_curves *plot)
{
    for (size_t s = 0; s < plot->count; s++) {
        text_printf(&picture->script, "$s%zu << END\n", s);
        for (size_t i = 0; i < plot->series[s].count; i++)
            if (isnan(plot->series[s].ys[i]))
                text_append(&picture->script, "\n"); /* where gnuplot breaks the line */
            else
                picture_put_point(picture, plot->series[s].xs[i], plot->series[s].ys[i]);
        text_append(&picture->script, "END\n");
    }
}

/* The pieces between gaps. */
static void curves_occupy(struct picture *picture, const struct plot_series *series)
{
    size_t from = 0;
    for (size_t i = 0; i <= series->count; i++)
        if (i == series->count || isnan(series->ys[i])) {
            if (i > from)
                picture_occupy_lines(picture, series->xs + from, series->ys + from, i - from);
            from = i + 1;
        }
}

static void curves_lines(struct picture *picture, const struct plot_curves *plot)
{
    const char *comma = "plot ";
    for (size_t s = 0; s < plot->count; s++) {
        const struct plot_series *series = &plot->series[s];
        if (!series_any(series))
            continue;
        text_printf(&picture->script, "%s$s%zu with ", comma, s);
        if (picture->dumb)
            text_printf(&picture->script, "points pointtype \"%c\"", (int)('a' + s % 26));
        else
            text_printf(&picture->script,
                        "%s linewidth 2 linecolor rgb '#%s' pointtype %d pointsize 0.8",
                        series->scattered                      ? "points"
                        : series->count > 100 || series->plain ? "lines"
                                                               : "linespoints",
                        picture_colour((int)s), picture_shape((int)s));
        if (series->name && series->name[0])
            picture_name(picture, series->name);
        else
            text_append(&picture->script, " notitle");
        comma = ", \\\n     ";
    }
    text_append(&picture->script, "\n");
}

int plot_curves(const struct plot_output *output, const struct plot_curves *plot,
                struct error *error)
{
    struct picture picture;
    picture_begin(&picture, output, &plot->x, &plot->y);
    picture.remark = plot->remark;
    int status = curves_see(&picture, plot, error);
    if (status)
        return status;
    picture_frame(&picture, plot->title, plot->subtitle);
    const char **names = memory_alloc(plot->count * sizeof *names);
    int named = 0;
    for (size_t s = 0; s < plot->count; s++) {
        curves_occupy(&picture, &plot->series[s]);
        if (series_any(&plot->series[s]) && plot->series[s].name && plot->series[s].name[0])
            names[named++] = plot->series[s].name;
    }
    picture_legend(&picture, plot->legend, names, named, false, true);
    free(names);
    curves_data(&picture, plot);
    curves_lines(&picture, plot);
    return picture_end(&picture, error);
}
