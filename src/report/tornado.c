/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Horizontal bars around a base. The axis along the names is laid out here: it has no values. */
#include "report/tornado.h"

#include <math.h>

#include "report/gnuplot_run.h"
#include "report/picture.h"
#include "report/utf8.h"

/* In bars: their width, the gap between groups. Of the usual height: what a bar takes. */
#define BAR_WIDTH 0.76
#define GROUP_GAP 0.6
#define BAR_HEIGHT 0.036

enum { NAME_LIMIT = 44 };

/* From below, as y grows upwards. */
static double bar_centre(const struct plot_tornado *plot, size_t bar)
{
    const struct plot_change *last = &plot->changes[plot->count - 1];
    return (double)(plot->count - 1 - bar) + GROUP_GAP * (last->group - plot->changes[bar].group);
}

static int tornado_see(struct picture *picture, const struct plot_tornado *plot,
                       struct error *error)
{
    if (plot->count == 0)
        return error_set(error, STATUS_INPUT, "there are no bars to plot");
    double ends[] = {0, bar_centre(plot, 0)};
    int status = axis_see(&picture->y, ends, 2, error);
    if (!status)
        status = axis_see(&picture->x, &plot->base, 1, error);
    for (size_t i = 0; i < plot->count && !status; i++)
        if (!isnan(plot->changes[i].value))
            status = axis_see(&picture->x, &plot->changes[i].value, 1, error);
    return status;
}

static void tornado_names(struct picture *picture, const struct plot_tornado *plot)
{
    struct text *script = &picture->script;
    size_t longest = 0, characters;
    text_printf(script, "set yrange [-0.7:%.17g]\nset grid noytics\nset ytics nomirror scale 0 (",
                bar_centre(plot, 0) + 0.7);
    for (size_t i = 0; i < plot->count; i++) {
        utf8_prefix(plot->changes[i].name, NAME_LIMIT, &characters);
        longest = characters > longest ? characters : longest;
        text_append(script, i ? ", " : "");
        gnuplot_quote(script, plot->changes[i].name, NAME_LIMIT);
        text_printf(script, " %.17g", bar_centre(plot, i));
    }
    text_printf(script, ")\nset lmargin %zu\nset boxwidth %g\nunset key\n", longest + 2, BAR_WIDTH);
    text_printf(script,
                "set arrow from first %.17g, graph 0 to first %.17g, graph 1 nohead front%s\n",
                plot->base, plot->base, picture->dumb ? "" : " dashtype 2 linecolor rgb '#555555'");
}

/* The corners of each bar: boxes that lie are drawn as filled curves. */
static void tornado_bars(struct picture *picture, const struct plot_tornado *plot)
{
    for (size_t i = 0; i < plot->count; i++) {
        double y = bar_centre(plot, i), value = plot->changes[i].value;
        if (isnan(value)) {
            text_append(&picture->script, "set label ");
            gnuplot_quote(&picture->script,
                          plot->changes[i].missing ? plot->changes[i].missing : "unknown",
                          NAME_LIMIT);
            text_printf(&picture->script, " at %.12g,%.12g left offset %s,0 front%s\n", plot->base,
                        y, picture->dumb ? "1" : "0.5",
                        picture->dumb ? "" : " textcolor rgb '#808080'");
            continue;
        }
        text_printf(&picture->script,
                    "set object rectangle from %.12g,%.12g to %.12g,%.12g fillstyle solid 0.85 "
                    "noborder fillcolor rgb '#%s'\n",
                    plot->base, y - BAR_WIDTH / 2, value, y + BAR_WIDTH / 2,
                    picture_colour(plot->changes[i].group));
    }
    /* A plot, so that there is something that objects stand on. */
    text_append(&picture->script, "$ends << END\n");
    for (size_t i = 0; i < plot->count; i++)
        if (!isnan(plot->changes[i].value))
            picture_put_point(picture, plot->changes[i].value, bar_centre(plot, i));
    text_printf(&picture->script, "END\nplot $ends with points pointtype %s notitle\n",
                picture->dumb ? "\"*\"" : "7 pointsize 0.6 linecolor rgb '#303030'");
}

int plot_tornado(const struct plot_output *output, const struct plot_tornado *plot,
                 struct error *error)
{
    struct plot_output own = *output;
    struct plot_axis y = {"", NULL, PLOT_LINEAR, NULL};
    struct picture picture;
    own.tall = fmax(1, BAR_HEIGHT * (double)(plot->count + 5));
    if (own.lines == 0)
        own.lines = (int)plot->count + 8;
    picture_begin(&picture, &own, &plot->x, &y);
    picture.remark = plot->remark;
    int status = tornado_see(&picture, plot, error);
    if (status)
        return status;
    picture_frame(&picture, plot->title, plot->subtitle);
    tornado_names(&picture, plot);
    tornado_bars(&picture, plot);
    return picture_end(&picture, error);
}
