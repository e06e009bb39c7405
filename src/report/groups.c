/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters of bars. The axis along the names is laid out here: it has no values. */
#include "report/groups.h"

#include <math.h>
#include <stdlib.h>

#include "report/gnuplot_run.h"
#include "report/picture.h"
#include "report/utf8.h"

/* Of the distance between clusters: what their bars take, and the gap before one apart. */
#define GROUP_WIDTH 0.8
#define GROUP_GAP 0.5

enum {
    STEEP_CLUSTERS = 14,
    GROUP_TEXT = 28,
    LEVEL_TEXT = 76, /* characters along x; names that need more are tilted */
    WORD_BARS = 44   /* more bars than this are too thin for a word between them */
};

static double bar_width(const struct plot_groups *plot)
{
    return GROUP_WIDTH / (double)plot->series;
}

static double cluster_centre(const struct plot_groups *plot, size_t cluster)
{
    return (double)cluster + (plot->apart && cluster >= plot->apart ? GROUP_GAP : 0);
}

static double bar_centre(const struct plot_groups *plot, size_t series, size_t cluster)
{
    return cluster_centre(plot, cluster) + ((double)series + 0.5) * bar_width(plot) -
           GROUP_WIDTH / 2;
}

static int groups_see(struct picture *picture, const struct plot_groups *plot, struct error *error)
{
    static const double zero[] = {0};
    size_t bars = 0;
    if (plot->clusters == 0 || plot->series == 0)
        return error_set(error, STATUS_INPUT, "there are no bars to plot");
    double ends[] = {0, cluster_centre(plot, plot->clusters - 1)};
    int status = axis_see(&picture->x, ends, 2, error);
    if (!status)
        status = axis_see(&picture->y, zero, 1, error);
    if (!status && !isnan(plot->reference))
        status = axis_see(&picture->y, &plot->reference, 1, error);
    for (size_t i = 0; i < plot->series * plot->clusters && !status; i++)
        if (!isnan(plot->values[i])) {
            status = axis_see(&picture->y, &plot->values[i], 1, error);
            bars++;
        }
    if (!status && bars == 0)
        status = error_set(error, STATUS_INPUT, "there are no bars to plot");
    return status;
}

/* False when a name, with a blank, would reach its neighbour. */
static bool names_fit(const struct plot_groups *plot)
{
    size_t last = 0, characters;
    bool fit = true;
    for (size_t c = 0; c < plot->clusters; c++) {
        utf8_prefix(plot->cluster_names[c], GROUP_TEXT, &characters);
        fit = fit && (!c || ((last + characters) / 2 + 1) * plot->clusters <= LEVEL_TEXT);
        last = characters;
    }
    return fit;
}

/* Names instead of tics; room at both sides. */
static void groups_axes(struct picture *picture, const struct plot_groups *plot)
{
    struct text *script = &picture->script;
    picture->x.from = -0.6;
    picture->x.to = cluster_centre(plot, plot->clusters - 1) + 0.6;
    text_printf(script, "set xrange [%.17g:%.17g]\nset grid noxtics\nset xtics nomirror scale 0 ",
                picture->x.from, picture->x.to);
    if (!names_fit(plot) && !picture->dumb)
        text_printf(script, "rotate by %d right ", plot->clusters > STEEP_CLUSTERS ? 60 : 30);
    text_append(script, "(");
    for (size_t c = 0; c < plot->clusters; c++) {
        text_append(script, c ? ", " : "");
        gnuplot_quote(script, plot->cluster_names[c], GROUP_TEXT);
        text_printf(script, " %.17g", cluster_centre(plot, c));
    }
    text_printf(script, ")\nset boxwidth %.17g\n", bar_width(plot) * 0.92);
    if (!isnan(plot->reference))
        text_printf(script,
                    "set arrow from graph 0, first %.17g to graph 1, first %.17g nohead front%s\n",
                    plot->reference, plot->reference,
                    picture->dumb ? "" : " dashtype 2 linecolor rgb '#555555'");
}

static void groups_data(struct picture *picture, const struct plot_groups *plot)
{
    double half = bar_width(plot) / 2;
    for (size_t s = 0; s < plot->series; s++) {
        text_printf(&picture->script, "$s%zu << END\n", s);
        for (size_t c = 0; c < plot->clusters; c++) {
            double y = plot->values[s * plot->clusters + c], x = bar_centre(plot, s, c);
            if (isnan(y))
                continue;
            picture_put_point(picture, x, y);
            picture_occupy_box(picture, axis_position(&picture->x, x - half),
                               axis_position(&picture->x, x + half), 0,
                               axis_position(&picture->y, y));
        }
        text_append(&picture->script, "END\n");
    }
}

/* A gap is no bar of height 0: it says what it is, along the bar that is not there. */
static void groups_gaps(struct picture *picture, const struct plot_groups *plot)
{
    bool words = plot->series * plot->clusters <= WORD_BARS && !picture->dumb;
    for (size_t s = 0; s < plot->series; s++)
        for (size_t c = 0; c < plot->clusters; c++) {
            size_t i = s * plot->clusters + c;
            double x = bar_centre(plot, s, c), half = bar_width(plot) / 2;
            if (!isnan(plot->values[i]))
                continue;
            text_append(&picture->script, "set label ");
            gnuplot_quote(&picture->script,
                          !words                              ? "x"
                          : plot->missing && plot->missing[i] ? plot->missing[i]
                                                              : "unknown",
                          GROUP_TEXT);
            text_printf(&picture->script, " at first %.12g, graph %s%s\n", x,
                        words           ? "0.02 rotate by 90 left"
                        : picture->dumb ? "0 center offset 0,1"
                                        : "0.02 center",
                        picture->dumb ? "" : " textcolor rgb '#808080'");
            picture_occupy_box(picture, axis_position(&picture->x, x - half),
                               axis_position(&picture->x, x + half), 0, words ? 0.16 : 0.05);
        }
}

/* A series without a bar is in the key as well: its gaps have its name there. */
static void groups_draw(struct picture *picture, const struct plot_groups *plot)
{
    for (size_t s = 0; s < plot->series; s++) {
        bool any = false;
        for (size_t c = 0; c < plot->clusters; c++)
            any = any || !isnan(plot->values[s * plot->clusters + c]);
        text_append(&picture->script, s ? ", \\\n     " : "plot ");
        if (any)
            text_printf(&picture->script, "$s%zu", s);
        else
            text_append(&picture->script, "NaN");
        text_append(&picture->script, " with boxes");
        if (!picture->dumb)
            text_printf(&picture->script, " fillstyle solid 0.85 noborder linecolor rgb '#%s'",
                        picture_colour((int)s));
        picture_name(picture, plot->series_names[s]);
    }
    text_append(&picture->script, "\n");
}

int plot_groups(const struct plot_output *output, const struct plot_groups *plot,
                struct error *error)
{
    struct plot_axis x = {plot->x_title, NULL, PLOT_LINEAR, plot->x_note};
    struct picture picture;
    picture_begin(&picture, output, &x, &plot->y);
    picture.remark = plot->remark;
    int status = groups_see(&picture, plot, error);
    if (status)
        return status;
    picture_frame(&picture, plot->title, plot->subtitle);
    groups_axes(&picture, plot);
    groups_data(&picture, plot);
    groups_gaps(&picture, plot);
    picture_legend(&picture, plot->legend, plot->series_names, (int)plot->series, true, true);
    groups_draw(&picture, plot);
    return picture_end(&picture, error);
}
