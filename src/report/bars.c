/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines over an axis, and clusters of bars, whose axis along the names is laid out here: it has no
 * values. */
#include <math.h>

#include "report/picture.h"

/* Of the distance between clusters: what their bars take, and the gap before one apart. */
#define GROUP_WIDTH 0.8
#define GROUP_GAP 0.5

enum {
    WORD_BARS = 44,       /* more bars than this are too thin for a word between them */
    POINTS_SEEN = 100,    /* of a line; more would run together */
    PUBLISHED_SHAPE = 13, /* a diamond, which bars have not */
};

void picture_add_curve(struct picture *picture, const char *name, size_t count, const double *xs,
                       const double *ys)
{
    int index = (int)picture->series.count;
    struct picture_series series = {.title = name && name[0] ? name : NULL,
                                    .style =
                                        count > POINTS_SEEN ? PICTURE_LINES : PICTURE_LINES_POINTS,
                                    .count = count,
                                    .xs = xs,
                                    .ys = ys,
                                    .colour = index,
                                    .mark = (char)('a' + index % 26)};
    bool any = false;
    for (size_t i = 0; i < count && !any; i++)
        any = !isnan(ys[i]);
    if (!any)
        series.title = NULL;
    VECTOR_PUSH(&picture->series, series);
}

void picture_add_band(struct picture *picture, int colour, size_t count, const double *xs,
                      const double *lows, const double *highs)
{
    double *edge_xs = arena_alloc(picture->arena, 2 * count * sizeof *edge_xs);
    double *edge_ys = arena_alloc(picture->arena, 2 * count * sizeof *edge_ys);
    size_t n = 0;
    for (size_t i = 0; i < 2 * count; i++) {
        size_t at = i < count ? i : 2 * count - 1 - i;
        if (isnan(lows[at]) || isnan(highs[at]))
            continue;
        edge_xs[n] = xs[at];
        edge_ys[n++] = i < count ? lows[at] : highs[at];
    }
    VECTOR_PUSH(
        &picture->series,
        (struct picture_series){
            .style = PICTURE_BAND, .count = n, .xs = edge_xs, .ys = edge_ys, .colour = colour});
}

void picture_add_spans(struct picture *picture, size_t count, const double *xs, const double *lows,
                       const double *highs)
{
    double *line_xs = arena_alloc(picture->arena, 3 * count * sizeof *line_xs);
    double *line_ys = arena_alloc(picture->arena, 3 * count * sizeof *line_ys);
    for (size_t i = 0; i < count; i++) {
        bool known = !isnan(lows[i]) && !isnan(highs[i]);
        for (size_t k = 0; k < 3; k++)
            line_xs[3 * i + k] = xs[i];
        line_ys[3 * i] = known ? lows[i] : (double)NAN;
        line_ys[3 * i + 1] = known ? highs[i] : (double)NAN;
        line_ys[3 * i + 2] = (double)NAN;
    }
    VECTOR_PUSH(&picture->series, (struct picture_series){.style = PICTURE_LINES,
                                                          .count = 3 * count,
                                                          .xs = line_xs,
                                                          .ys = line_ys,
                                                          .colour = PICTURE_DARK,
                                                          .size = 1.2});
}

size_t picture_box(double *xs, double *ys, size_t at, const double x[2], const double y[2])
{
    for (int corner = 0; corner < 2; corner++) {
        xs[at] = x[corner];
        ys[at++] = y[corner];
    }
    return at;
}

static size_t bars_within(const struct plot_bars *plot)
{
    return plot->within ? plot->within : 1;
}

/* Of a name: a cluster, or several stacked ones. */
static double name_centre(const struct plot_bars *plot, size_t name)
{
    return (double)name + (plot->apart && name >= plot->apart ? GROUP_GAP : 0);
}

static double bar_width(const struct plot_bars *plot)
{
    return GROUP_WIDTH / (double)(plot->stacked ? bars_within(plot) : plot->series);
}

double plot_bar_centre(const struct plot_bars *plot, size_t series, size_t cluster)
{
    size_t within = bars_within(plot), place = plot->stacked ? cluster % within : series;
    return name_centre(plot, cluster / within) + ((double)place + 0.5) * bar_width(plot) -
           GROUP_WIDTH / 2;
}

/* What the series before are together; a part that is not known takes no room. */
static double stack_below(const struct plot_bars *plot, size_t series, size_t cluster)
{
    double sum = 0;
    for (size_t s = 0; s < series; s++) {
        double value = plot->values[s * plot->clusters + cluster];
        sum += isnan(value) ? 0 : value;
    }
    return sum;
}

/* A gap is no bar of height 0: it says what it is, along the bar that is not there. A series
 * without a bar is in the key as well: its gaps have its name there. */
static void add_series(struct picture *picture, const struct plot_bars *plot, size_t s)
{
    bool words = (plot->stacked ? 1 : plot->series) * plot->clusters <= WORD_BARS;
    double width = bar_width(plot);
    double *xs = arena_alloc(picture->arena, 2 * plot->clusters * sizeof *xs);
    double *ys = arena_alloc(picture->arena, 2 * plot->clusters * sizeof *ys);
    size_t n = 0;
    for (size_t c = 0; c < plot->clusters; c++) {
        size_t i = s * plot->clusters + c;
        double x = plot_bar_centre(plot, s, c), below = plot->stacked ? stack_below(plot, s, c) : 0;
        if (isnan(plot->values[i]) && plot->stacked && !(plot->missing && plot->missing[i]))
            continue;
        if (isnan(plot->values[i]))
            VECTOR_PUSH(&picture->notes,
                        (struct picture_note){words ? plot->missing[i] : "x", x, (double)NAN,
                                              words ? PICTURE_UPRIGHT : PICTURE_CENTRE});
        else
            n = picture_box(xs, ys, n, (double[]){x - 0.46 * width, x + 0.46 * width},
                            (double[]){below, below + plot->values[i]});
    }
    VECTOR_PUSH(&picture->series, (struct picture_series){.title = plot->series_names[s],
                                                          .style = PICTURE_BOXES,
                                                          .count = n,
                                                          .xs = xs,
                                                          .ys = ys,
                                                          .colour = (int)s,
                                                          .mark = '#'});
}

static void add_published(struct picture *picture, const struct plot_bars *plot)
{
    size_t most = plot->series * plot->clusters;
    double *xs = arena_alloc(picture->arena, most * sizeof *xs);
    for (size_t i = 0; i < most; i++)
        xs[i] = plot_bar_centre(plot, i / plot->clusters, i % plot->clusters);
    picture_add_published(picture, most, xs, plot->published);
}

/* Dark in front of light, so that they are seen on a bar of any colour and beside it. */
void picture_add_published(struct picture *picture, size_t count, const double *all_xs,
                           const double *values)
{
    size_t n = 0;
    double *xs = arena_alloc(picture->arena, count * sizeof *xs);
    double *ys = arena_alloc(picture->arena, count * sizeof *ys);
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i])) {
            xs[n] = all_xs[i];
            ys[n++] = values[i];
        }
    if (n == 0) /* what they are of is not among what is shown */
        return;
    struct picture_series marks = {.title = NULL,
                                   .style = PICTURE_POINTS,
                                   .count = n,
                                   .xs = xs,
                                   .ys = ys,
                                   .colour = PICTURE_WHITE,
                                   .shape = PUBLISHED_SHAPE,
                                   .size = 1.5};
    VECTOR_PUSH(&picture->series, marks);
    marks.title = "published";
    marks.colour = PICTURE_DARK;
    marks.size = 1;
    marks.mark = 'o';
    VECTOR_PUSH(&picture->series, marks);
}

void picture_add_bars(struct picture *picture, const struct plot_bars *plot)
{
    size_t names = plot->clusters / bars_within(plot);
    double *places = arena_alloc(picture->arena, names * sizeof *places);
    for (size_t c = 0; c < names; c++)
        places[c] = name_centre(plot, c);
    picture->x.names = plot->cluster_names;
    picture->x.places = places;
    picture->x.n_names = names;
    picture->x.from = -0.6;
    picture->x.to = names ? places[names - 1] + 0.6 : 0;
    for (size_t s = 0; s < plot->series; s++)
        add_series(picture, plot, s);
    if (plot->published)
        add_published(picture, plot);
}
