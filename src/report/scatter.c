/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points, and the Pareto front among them as a staircase: everything on its
 * far side is dominated. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/gnuplot.h"
#include "report/gnuplot_run.h"
#include "report/picture.h"
#include "report/utf8.h"

enum {
    SCATTER_MANY = 5000, /* more points than this: those on one spot are drawn once */
    LABEL_LOAD = 3,      /* a label is left out rather than put over so many points */
    SPOTS_X = 240,
    SPOTS_Y = 170,
};

/* Around points of the front where categories have the colours. */
#define RING "pointtype 6 pointsize 1.6 linewidth 1.2 linecolor rgb '#303030'"

struct scatter {
    struct picture picture;
    const struct plot_scatter *plot;
    size_t *front; /* the front's places in plot->front, by x */
    int categories;
    double *stairs_x, *stairs_y;
    size_t steps;
};

static int scatter_category(const struct scatter *scatter, size_t point)
{
    return scatter->plot->category ? scatter->plot->category[point] : 0;
}

/* Sorts places of the front by x, then y, then place: insertion is enough for
 * what a picture can show, merging for the rest. */
static void front_sort(const struct plot_scatter *plot, size_t *places, size_t count, size_t *spare)
{
    size_t half = count / 2;
    if (count < 2)
        return;
    front_sort(plot, places, half, spare);
    front_sort(plot, places + half, count - half, spare);
    memcpy(spare, places, half * sizeof *places);
    for (size_t a = 0, b = half, to = 0; a < half; to++) {
        size_t left = plot->front[spare[a]];
        size_t right = b < count ? plot->front[places[b]] : 0;
        bool later =
            b < count && (plot->xs[right] < plot->xs[left] ||
                          (plot->xs[right] == plot->xs[left] && plot->ys[right] < plot->ys[left]));
        places[to] = later ? places[b++] : spare[a++];
    }
}

static int scatter_begin(struct scatter *scatter, const struct plot_output *output,
                         const struct plot_scatter *plot, struct error *error)
{
    *scatter = (struct scatter){.plot = plot};
    scatter->categories = plot->category ? plot->category_count : 1;
    picture_begin(&scatter->picture, output, &plot->x, &plot->y);
    scatter->picture.remark = plot->remark;
    if (plot->count == 0)
        return error_set(error, STATUS_INPUT, "there are no points to plot");
    int status = axis_see(&scatter->picture.x, plot->xs, plot->count, error);
    if (!status)
        status = axis_see(&scatter->picture.y, plot->ys, plot->count, error);
    if (status)
        return status;
    scatter->front = memory_alloc((2 * plot->front_count) * sizeof *scatter->front);
    for (size_t i = 0; i < plot->front_count; i++)
        scatter->front[i] = i;
    front_sort(plot, scatter->front, plot->front_count, scatter->front + plot->front_count);
    return 0;
}

/* --- data */

/* The points of one category; of many, one for each spot. */
static void data_points(struct scatter *scatter, int category, unsigned char *spots)
{
    const struct plot_scatter *plot = scatter->plot;
    struct picture *picture = &scatter->picture;
    if (spots)
        memset(spots, 0, SPOTS_X * SPOTS_Y);
    text_printf(&picture->script, "$points%d << END\n", category);
    for (size_t i = 0; i < plot->count; i++) {
        if (scatter_category(scatter, i) != category)
            continue;
        if (spots) {
            int x = (int)(axis_position(&picture->x, plot->xs[i]) * (SPOTS_X - 1));
            int y = (int)(axis_position(&picture->y, plot->ys[i]) * (SPOTS_Y - 1));
            if (spots[y * SPOTS_X + x])
                continue;
            spots[y * SPOTS_X + x] = 1;
        }
        picture_put_point(picture, plot->xs[i], plot->ys[i]);
    }
    text_append(&picture->script, "END\n");
}

static size_t data_front(struct scatter *scatter, int category)
{
    const struct plot_scatter *plot = scatter->plot;
    size_t count = 0;
    text_printf(&scatter->picture.script, "$front%d << END\n", category);
    for (size_t i = 0; i < plot->front_count; i++) {
        size_t point = plot->front[scatter->front[i]];
        if (scatter_category(scatter, point) != category)
            continue;
        picture_put_point(&scatter->picture, plot->xs[point], plot->ys[point]);
        count++;
    }
    text_append(&scatter->picture.script, "END\n");
    return count;
}

/* From the edge where the second objective is worst to the edge where the first
 * one is: between two points the boundary is level with the one whose x is
 * better. */
static void stairs_make(struct scatter *scatter)
{
    const struct plot_scatter *plot = scatter->plot;
    const struct picture *picture = &scatter->picture;
    double worst_y = plot->y_maximise ? picture->y.from : picture->y.to;
    double last_x = picture->x.from, last_y = worst_y;
    size_t steps = 2 * plot->front_count + 1, n = 0;
    scatter->stairs_x = memory_alloc(2 * steps * sizeof *scatter->stairs_x);
    scatter->stairs_y = scatter->stairs_x + steps;
    for (size_t i = 0; i < plot->front_count; i++) {
        size_t point = plot->front[scatter->front[i]];
        double x = plot->xs[point], y = plot->ys[point];
        scatter->stairs_x[n] = plot->x_maximise ? last_x : x;
        scatter->stairs_y[n++] = plot->x_maximise ? y : last_y;
        scatter->stairs_x[n] = last_x = x;
        scatter->stairs_y[n++] = last_y = y;
    }
    scatter->stairs_x[n] = plot->x_maximise ? last_x : picture->x.to;
    scatter->stairs_y[n++] = plot->x_maximise ? worst_y : last_y;
    scatter->steps = plot->front_count && !plot->no_steps ? n : 0;
}

static void data_stairs(struct scatter *scatter)
{
    text_append(&scatter->picture.script, "$stairs << END\n");
    for (size_t i = 0; i < scatter->steps; i++)
        picture_put_point(&scatter->picture, scatter->stairs_x[i], scatter->stairs_y[i]);
    text_append(&scatter->picture.script, "END\n");
}

/* --- labels: beside their point, where there is room; else left out */

struct box {
    double left, right, low, high;
};

struct boxes {
    struct box *items;
    size_t count, capacity;
};

static bool box_is_free(const struct boxes *taken, struct box box)
{
    if (box.left < 0.0 || box.right > 1.0 || box.low < 0.0 || box.high > 1.0)
        return false;
    for (size_t i = 0; i < taken->count; i++)
        if (box.left < taken->items[i].right && taken->items[i].left < box.right &&
            box.low < taken->items[i].high && taken->items[i].low < box.high)
            return false;
    return true;
}

/* The place with the fewest points under it, first on the empty side of the
 * front; false when there is none. */
static bool label_place(const struct scatter *scatter, const struct boxes *taken, size_t point,
                        double width, struct box *best, bool *to_right)
{
    const struct plot_scatter *plot = scatter->plot;
    double x = axis_position(&scatter->picture.x, plot->xs[point]);
    double y = axis_position(&scatter->picture.y, plot->ys[point]);
    uint64_t least = LABEL_LOAD;
    for (int side = 0; side < 4; side++) {
        bool right = plot->x_maximise ^ (side & 1), up = plot->y_maximise ^ (side >> 1);
        double left = right ? x + 0.014 : x - 0.014 - width, middle = up ? y + 0.026 : y - 0.026;
        struct box box = {left, left + width, middle - 0.018, middle + 0.018};
        if (!box_is_free(taken, box))
            continue;
        uint64_t load = picture_load(&scatter->picture, box.left, box.right, box.low, box.high);
        if (load < least) {
            least = load;
            *best = box;
            *to_right = right;
        }
    }
    return least < LABEL_LOAD;
}

static void put_labels(struct scatter *scatter)
{
    const struct plot_scatter *plot = scatter->plot;
    struct text *script = &scatter->picture.script;
    struct boxes taken = {0};
    for (size_t i = 0; i < plot->front_count; i++) {
        size_t point = plot->front[scatter->front[i]], characters;
        const char *label = plot->labels ? plot->labels[scatter->front[i]] : NULL;
        struct box box;
        bool to_right;
        if (!label || !label[0])
            continue;
        utf8_prefix(label, PICTURE_NAME, &characters);
        if (!label_place(scatter, &taken, point, 0.0105 * (double)characters, &box, &to_right))
            continue;
        VECTOR_PUSH(&taken, box);
        text_append(script, "set label ");
        gnuplot_quote(script, label, PICTURE_NAME);
        text_printf(script, " at graph %.6f,%.6f %s front textcolor rgb '#404040'\n",
                    to_right ? box.left : box.right, (box.low + box.high) / 2,
                    to_right ? "left" : "right");
    }
    for (size_t i = 0; i < taken.count; i++)
        picture_occupy_box(&scatter->picture, taken.items[i].left, taken.items[i].right,
                           taken.items[i].low, taken.items[i].high);
    VECTOR_FREE(&taken);
}

/* --- the picture */

static void put_legend(struct scatter *scatter)
{
    const struct plot_scatter *plot = scatter->plot;
    const char **names = memory_alloc(((size_t)scatter->categories + 2) * sizeof *names);
    int count = 0;
    if (plot->category)
        for (int c = 0; c < scatter->categories; c++)
            names[count++] = plot->categories[c];
    else
        names[count++] = "all points";
    if (plot->front_count)
        names[count++] = "Pareto front";
    else if (!plot->category)
        count = 0;
    /* The best corner is empty by definition, but for the stairs' ends. */
    picture_occupy_lines(&scatter->picture, scatter->stairs_x, scatter->stairs_y, scatter->steps);
    picture_legend(&scatter->picture, plot->category ? plot->legend : NULL, names, count,
                   plot->x_maximise, plot->y_maximise);
    free(names);
}

static void plot_dumb(struct scatter *scatter, const size_t *front_of)
{
    struct picture *picture = &scatter->picture;
    const char *comma = "plot ";
    for (int c = 0; c < scatter->categories; c++, comma = ", ") {
        text_printf(&picture->script, "%s$points%d with points pointtype \"%c\"", comma, c,
                    scatter->plot->category ? 'a' + c % 26 : '.');
        picture_name(picture,
                     scatter->plot->category ? scatter->plot->categories[c] : "all points");
    }
    for (int c = 0; c < scatter->categories; c++)
        if (front_of[c])
            text_printf(&picture->script, ", $front%d with points pointtype \"%c\" notitle", c,
                        scatter->plot->category ? 'A' + c % 26 : 'O');
    if (scatter->plot->front_count)
        text_printf(&picture->script, ", NaN with points pointtype \"%c\" title '%s'",
                    scatter->plot->category ? 'A' : 'O',
                    scatter->plot->category ? "Pareto front (capitals)" : "Pareto front");
}

static void plot_colour(struct scatter *scatter, const size_t *front_of)
{
    const struct plot_scatter *plot = scatter->plot;
    struct text *script = &scatter->picture.script;
    const char *comma = "plot ";
    /* Points below, the fainter the more there are, then the staircase, then the front's
     * points with a white edge. */
    bool few = plot->count <= 200;
    double size = plot->count > 2000 ? 0.4 : few ? 0.9 : 0.6;
    const char *veil = few ? "30" : plot->category ? "99" : "60";
    bool ringed = plot->no_steps && plot->category; /* no line says which they are */
    for (int c = 0; c < scatter->categories; c++, comma = ", \\\n     ")
        text_printf(script,
                    "%s$points%d with points pointtype %d pointsize %g "
                    "linecolor rgb '#%s%s' notitle",
                    comma, c, plot->category ? picture_shape(c) : 7, size, veil,
                    plot->category ? picture_colour(c) : "9a9a9a");
    if (scatter->steps)
        text_printf(script,
                    ", \\\n     $stairs with lines linewidth 1.6 "
                    "linecolor rgb '#%s' notitle",
                    plot->category ? "303030" : picture_colour(0));
    for (int c = 0; c < scatter->categories; c++) {
        const char *colour = picture_colour(c);
        int shape = plot->category ? picture_shape(c) : 7;
        if (front_of[c])
            text_printf(script,
                        ", \\\n     $front%d with points pointtype %d pointsize 1.35 "
                        "linecolor rgb '#ffffff' notitle, \\\n"
                        "     $front%d with points pointtype %d pointsize 1.05 "
                        "linecolor rgb '#%s' notitle",
                        c, shape, c, shape, colour);
        if (front_of[c] && ringed)
            text_printf(script, ", \\\n     $front%d with points %s notitle", c, RING);
    }
    for (int c = 0; c < scatter->categories; c++) {
        text_printf(script,
                    ", \\\n     NaN with points pointtype %d pointsize 1 "
                    "linecolor rgb '#%s'",
                    plot->category ? picture_shape(c) : 7,
                    plot->category ? picture_colour(c) : "9a9a9a");
        picture_name(&scatter->picture, plot->category ? plot->categories[c] : "all points");
    }
    if (plot->front_count && ringed)
        text_printf(script, ", \\\n     NaN with points %s title 'Pareto front'", RING);
    else if (plot->front_count)
        text_printf(script,
                    ", \\\n     NaN with %s linewidth 1.6 linecolor rgb '#%s' "
                    "title 'Pareto front'",
                    plot->no_steps   ? "points pointtype 7 pointsize 1.05"
                    : plot->category ? "lines"
                                     : "linespoints pointtype 7",
                    plot->category ? "303030" : picture_colour(0));
}

void plot_front_remark(const char *const *objectives, size_t count, const char *x, const char *y,
                       struct text *out)
{
    size_t hidden = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(objectives[i], x) == 0 || strcmp(objectives[i], y) == 0)
            continue;
        if (!hidden++)
            text_printf(out,
                        "front of %zu objective%s, seen over two columns: points on it that look "
                        "dominated are better in ",
                        count, count == 1 ? "" : "s");
        text_printf(out, "%s%s", hidden > 1 ? " or " : "", objectives[i]);
    }
}

int plot_scatter(const struct plot_output *output, const struct plot_scatter *plot,
                 struct error *error)
{
    struct scatter scatter;
    int status = scatter_begin(&scatter, output, plot, error);
    if (status)
        return status;
    picture_frame(&scatter.picture, plot->title, plot->subtitle);
    unsigned char *spots = plot->count > SCATTER_MANY ? memory_alloc(SPOTS_X * SPOTS_Y) : NULL;
    size_t *front_of = memory_zero((size_t)scatter.categories, sizeof *front_of);
    for (int c = 0; c < scatter.categories; c++) {
        data_points(&scatter, c, spots);
        front_of[c] = data_front(&scatter, c);
    }
    stairs_make(&scatter);
    data_stairs(&scatter);
    picture_occupy(&scatter.picture, plot->xs, plot->ys, plot->count);
    if (!scatter.picture.dumb)
        put_labels(&scatter);
    put_legend(&scatter);
    if (scatter.picture.dumb)
        plot_dumb(&scatter, front_of);
    else
        plot_colour(&scatter, front_of);
    text_append(&scatter.picture.script, "\n");
    free(front_of);
    free(spots);
    free(scatter.stairs_x);
    free(scatter.front);
    return picture_end(&scatter.picture, error);
}
