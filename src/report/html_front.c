/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Pareto front as a picture in SVG: a sample of all points in grey, the front, the best of the
 * ranking. Each point of the front is a link to its row in the table below; its title has all its
 * values, which browsers show when it is pointed at. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/axis.h"
#include "report/html.h"

/* LEFT: the axis's title, and tics with their unit ("200 GB/s"), as they have it across prefixes. */
enum { WIDTH = 780, HEIGHT = 420, LEFT = 104, RIGHT = 20, TOP = 16, BOTTOM = 56, STEPS = 6 };

struct front {
    struct html *page;
    size_t columns[2]; /* of all tables, x and y */
    bool least[2];     /* is best */
    struct axis axes[2];
    struct plot_axis plans[2];
};

/* --- where things are ---------------------------------------------------------------------- */

static double place(const struct front *f, int i, double value)
{
    double at = axis_position(&f->axes[i], value);
    return i == 0 ? LEFT + at * (WIDTH - LEFT - RIGHT)
                  : HEIGHT - BOTTOM - at * (HEIGHT - TOP - BOTTOM);
}

/* The values of an axis over all tables. */
static bool lay_out(struct front *f, int i)
{
    const struct result *result = f->page->result;
    const struct csv *tables[] = {result->front, result->sample, result->ranking};
    struct axis *axis = &f->axes[i];
    size_t rows = 0, n = 0;
    struct error ignored;
    bool good = true;
    for (int t = 0; t < 3; t++)
        rows += tables[t] ? tables[t]->rows : 0;
    double *values = arena_alloc(f->page->arena, rows * sizeof *values);
    for (int t = 0; t < 3; t++)
        for (size_t r = 0; tables[t] && r < tables[t]->rows; r++) {
            values[n] = result_number(tables[t], r, f->columns[i]);
            n += !isnan(values[n]);
        }
    plot_axis_fit(&f->plans[i], values, n);
    axis_begin(axis, &f->plans[i]);
    for (size_t k = 0; k < n && good; k++)
        good = axis_see(axis, values[k], k, &ignored) == 0;
    if (good && n)
        axis_layout(axis);
    return good && n > 0;
}

/* --- axes ---------------------------------------------------------------------------------- */

static void tic(const struct front *f, int i, double at, const char *label)
{
    char line[160];
    double p = place(f, i, at);
    if (i == 0)
        snprintf(line, sizeof line,
                 "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" class=\"m\">",
                 p, TOP, HEIGHT - BOTTOM, p, HEIGHT - BOTTOM + 18);
    else
        snprintf(line, sizeof line,
                 "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"e\">",
                 LEFT, p, WIDTH - RIGHT, LEFT - 8, p + 4);
    text_append(f->page->out, line);
    html_printf(f->page, "%s</text>\n", label);
}

/* On linear axes: at 1, 2 or 5 times a power of ten. */
static void linear_tics(const struct front *f, int i)
{
    const struct axis *axis = &f->axes[i];
    double rough = (axis->to - axis->from) / axis->factor / STEPS,
           power = pow(10, floor(log10(rough)));
    double step = rough <= power       ? power
                  : rough <= 2 * power ? 2 * power
                  : rough <= 5 * power ? 5 * power
                                       : 10 * power;
    char label[AXIS_LABEL];
    for (double k = ceil(axis->from / axis->factor / step); k * step * axis->factor <= axis->to;
         k++) {
        snprintf(label, sizeof label, "%.6g", k * step + 0.0);
        tic(f, i, k * step * axis->factor, label);
    }
}

static void print_axis(const struct front *f, int i)
{
    const struct axis *axis = &f->axes[i];
    if (f->plans[i].scale == PLOT_LINEAR)
        linear_tics(f, i);
    for (size_t k = 0; f->plans[i].scale != PLOT_LINEAR && k < axis->tic_count; k++)
        if (axis->tics[k].label[0])
            tic(f, i, axis->tics[k].at, axis->tics[k].label);
    if (i == 0)
        text_printf(f->page->out, "<text x=\"%d\" y=\"%d\" class=\"m\">",
                    (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
    else
        text_printf(f->page->out, "<text transform=\"translate(16 %d) rotate(-90)\" class=\"m\">",
                    (TOP + HEIGHT - BOTTOM) / 2);
    html_printf(f->page, "%s%s%s%s, %s is better</text>\n", f->plans[i].title,
                axis->unit[0] ? " (" : "", axis->unit, axis->unit[0] ? ")" : "",
                f->least[i] ? "less" : "more");
}

/* --- points -------------------------------------------------------------------------------- */

/* "name: value" of what is not of single workloads. */
static void print_values(struct html *page, const struct csv *csv, size_t row, const char *first)
{
    html_printf(page, "%s", first);
    for (size_t c = 0; c < csv->columns; c++) {
        const char *value = strchr(csv->titles[c], '@') ? "-" : html_value(page, csv, row, c);
        if (strcmp(value, "-") != 0)
            html_printf(page, "\n%s: %s", csv->titles[c], value);
    }
}

static bool at(const struct front *f, const struct csv *csv, size_t row, double out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = place(f, i, result_number(csv, row, f->columns[i]));
    return !isnan(out[0]) && !isnan(out[1]);
}

/* Of points at one place of the paper the first is drawn. */
static void print_sample(const struct front *f)
{
    enum { CELL = 3, ACROSS = WIDTH / CELL + 1, DOWN = HEIGHT / CELL + 1 };
    const struct csv *csv = f->page->result->sample;
    bool *taken = arena_alloc(f->page->arena, ACROSS * DOWN);
    double p[2];
    for (size_t r = 0; csv && r < csv->rows; r++) {
        if (!at(f, csv, r, p))
            continue;
        bool *cell = &taken[(size_t)(p[1] / CELL) * ACROSS + (size_t)(p[0] / CELL)];
        if (!*cell)
            text_printf(f->page->out,
                        "<circle class=\"other\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", p[0],
                        p[1]);
        *cell = true;
    }
}

struct place {
    double p[2];
};

static int compare(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = (x->p[0] > y->p[0]) - (x->p[0] < y->p[0]);
    return order ? order : (x->p[1] > y->p[1]) - (x->p[1] < y->p[1]);
}

/* The border of what is dominated, which ends at the picture's edges. */
static void print_steps(const struct front *f)
{
    const struct csv *csv = f->page->result->front;
    struct place *places = arena_alloc(f->page->arena, csv->rows * sizeof *places);
    size_t n = 0;
    for (size_t r = 0; r < csv->rows; r++)
        n += at(f, csv, r, places[n].p);
    if (n < 2)
        return;
    qsort(places, n, sizeof *places, compare);
    /* A point dominates what lies to its worse sides: the step goes there first. */
    text_printf(f->page->out, "<path class=\"step\" d=\"M%.1f %.1f", places[0].p[0],
                places[0].p[1]);
    for (size_t k = 1; k < n; k++)
        if (f->least[0])
            text_printf(f->page->out, "H%.1fV%.1f", places[k].p[0], places[k].p[1]);
        else
            text_printf(f->page->out, "V%.1fH%.1f", places[k].p[1], places[k].p[0]);
    text_append(f->page->out, "\"/>\n");
}

static void print_points(const struct front *f)
{
    struct html *page = f->page;
    const struct csv *csv = page->result->front;
    double p[2];
    for (size_t r = 0; r < csv->rows; r++) {
        char first[64];
        if (!at(f, csv, r, p))
            continue;
        snprintf(first, sizeof first, "point %zu of the front", r + 1);
        text_printf(page->out,
                    "<a class=\"point\" href=\"#front-%zu\" aria-label=\"%s\"><circle cx=\"%.1f\" "
                    "cy=\"%.1f\" r=\"5\"/><title>",
                    r + 1, first, p[0], p[1]);
        print_values(page, csv, r, first);
        html_printf(page, "</title></a>\n");
    }
    if (page->result->ranking->rows && at(f, page->result->ranking, 0, p)) {
        text_printf(page->out,
                    "<a class=\"point best\" href=\"#rank-1\" aria-label=\"first of the "
                    "ranking\"><path d=\"M%.1f %.1fl9 9l-9 9l-9 -9z\"/><title>",
                    p[0], p[1] - 9);
        print_values(page, page->result->ranking, 0, "first of the ranking");
        html_printf(page, "</title></a>\n");
    }
}

static void print_picture(const struct front *f, bool stepped)
{
    struct html *page = f->page;
    html_printf(
        page,
        "<figure>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Picture\">\n");
    text_printf(page->out,
                "<svg id=\"front-picture\" viewBox=\"0 0 %d %d\" role=\"group\" aria-label=\"",
                WIDTH, HEIGHT);
    html_printf(page, "Pareto front: %s over %s\">\n", f->plans[1].title, f->plans[0].title);
    print_axis(f, 0);
    print_axis(f, 1);
    text_printf(page->out, "<path class=\"frame\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP,
                HEIGHT - BOTTOM, WIDTH - RIGHT);
    print_sample(f);
    if (stepped)
        print_steps(f);
    print_points(f);
    html_printf(
        page, "</svg>\n</div>\n<figcaption>Filled: the front; the square on its tip: first of the "
              "ranking; grey: a sample of all points. Point at one for its values; it leads "
              "to its row.</figcaption>\n<output id=\"front-detail\" hidden></output>\n"
              "</figure>\n");
}

/* --- the section ----------------------------------------------------------------------------- */

/* The two objectives that are drawn: what costs along x. */
static size_t choose(struct front *f)
{
    const struct result *result = f->page->result;
    const struct yaml_node *list = result_node(result, "objectives", YAML_LIST);
    size_t found = 0;
    for (size_t i = 0; list && i < list->count && found < 2; i++) {
        const char *most = result_scalar(list->items[i], "maximise");
        const char *name = most[0] ? most : result_scalar(list->items[i], "minimise");
        f->columns[found] = result_metric(result, result->front, name);
        f->least[found] = !most[0];
        f->plans[found].title = name;
        found += f->columns[found] < SIZE_MAX;
    }
    if (found == 2 && f->least[1] && !f->least[0]) {
        struct front other = *f;
        for (int i = 0; i < 2; i++) {
            f->columns[i] = other.columns[1 - i];
            f->least[i] = other.least[1 - i];
            f->plans[i] = other.plans[1 - i];
        }
    }
    return list && found == 2 ? list->count : 0;
}

void html_front(struct html *page)
{
    struct front f = {.page = page};
    const struct csv *csv = page->result->front;
    const struct yaml_node *units = result_node(page->result, "columns", YAML_MAP);
    size_t objectives = choose(&f);
    html_printf(page, "<section id=\"front\">\n<h2>Pareto front</h2>\n");
    bool drawn = objectives > 0 && csv->rows > 0;
    for (int i = 0; i < 2 && drawn; i++) {
        f.plans[i].unit = result_scalar(units, csv->titles[f.columns[i]]);
        drawn = lay_out(&f, i);
    }
    if (drawn)
        print_picture(&f, objectives == 2);
    else
        html_printf(page,
                    "<p>No picture: it takes two objectives, and points that have both.</p>\n");
    if (objectives > 2)
        html_printf(page, "<p>The front is of more objectives than the picture shows: a point that "
                          "looks dominated is better in another one.</p>\n");
    html_points(page, csv, csv->rows, "The Pareto front", "front", "point");
    html_printf(page, "</section>\n");
}
