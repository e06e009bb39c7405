/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars, a colour a group. The axis along the names is laid out here: it has no
 * values. */
#include "report/bars.h"

#include <stdlib.h>

#include "report/gnuplot_run.h"
#include "report/picture.h"

/* In bars: their width, the gap between groups. In shares: room above the highest
 * bar for its label, and how much a label takes. */
#define BAR_WIDTH 0.72
#define BAR_GAP 0.7
#define BAR_ROOM 1.3
#define BAR_LABEL 0.08

enum { BAR_TEXT = 24 };

static double bar_centre(const struct plot_bars *plot, size_t bar)
{
    return (double)bar + BAR_GAP * plot->bars[bar].group;
}

static int bars_see(struct picture *picture, const struct plot_bars *plot, struct error *error)
{
    static const double whole[] = {0, 1};
    if (plot->count == 0)
        return error_set(error, STATUS_INPUT, "there are no bars to plot");
    double ends[] = {0, bar_centre(plot, plot->count - 1)};
    int status = axis_see(&picture->x, ends, 2, error);
    if (!status)
        status = axis_see(&picture->y, whole, 2, error);
    for (size_t i = 0; i < plot->count && !status; i++)
        status = axis_see(&picture->y, &plot->bars[i].share, 1, error);
    return status;
}

/* Names instead of tics; room at both sides and above. */
static void bars_axes(struct picture *picture, const struct plot_bars *plot)
{
    struct text *script = &picture->script;
    picture->x.from = -0.7;
    picture->x.to = bar_centre(plot, plot->count - 1) + 0.7;
    picture->y.from = 0;
    picture->y.to = BAR_ROOM;
    text_printf(script, "set xrange [%.17g:%.17g]\nset yrange [0:%.17g]\nset grid noxtics\n",
                picture->x.from, picture->x.to, picture->y.to);
    text_append(script, "set xtics nomirror scale 0 (");
    for (size_t i = 0; i < plot->count; i++) {
        text_append(script, i ? ", " : "");
        gnuplot_quote(script, plot->bars[i].name, BAR_TEXT);
        text_printf(script, " %.17g", bar_centre(plot, i));
    }
    text_append(script, ")\nset boxwidth 0.72\n");
}

static void bars_labels(struct picture *picture, const struct plot_bars *plot)
{
    for (size_t i = 0; i < plot->count; i++) {
        double x = bar_centre(plot, i), y = plot->bars[i].share;
        picture_occupy_box(picture, axis_position(&picture->x, x - BAR_WIDTH / 2),
                           axis_position(&picture->x, x + BAR_WIDTH / 2), 0,
                           axis_position(&picture->y, y + BAR_LABEL));
        text_append(&picture->script, "set label ");
        gnuplot_quote(&picture->script, plot->bars[i].label, BAR_TEXT);
        text_printf(&picture->script, " at %.12g,%.12g center offset 0,0.7\n", x, y);
    }
}

static void bars_draw(struct picture *picture, const struct plot_bars *plot)
{
    struct text *script = &picture->script;
    for (int g = 0; g < plot->group_count; g++) {
        text_printf(script, "$g%d << END\n", g);
        for (size_t i = 0; i < plot->count; i++)
            if (plot->bars[i].group == g)
                picture_put_point(picture, bar_centre(plot, i), plot->bars[i].share);
        text_append(script, "END\n");
    }
    for (int g = 0; g < plot->group_count; g++) {
        text_printf(script, "%s$g%d with boxes", g ? ", \\\n     " : "plot ", g);
        if (!picture->dumb)
            text_printf(script, " fillstyle solid 0.85 noborder linecolor rgb '#%s'",
                        picture_colour(g));
        picture_name(picture, plot->group_names[g]);
    }
    text_append(script, "\n");
}

int plot_bars(const struct plot_output *output, const struct plot_bars *plot, struct error *error)
{
    struct plot_axis x = {plot->x_title, NULL, PLOT_LINEAR, NULL};
    struct plot_axis y = {plot->y_title, NULL, PLOT_LINEAR, NULL};
    struct picture picture;
    picture_begin(&picture, output, &x, &y);
    int status = bars_see(&picture, plot, error);
    if (status)
        return status;
    picture_frame(&picture, plot->title, NULL);
    bars_axes(&picture, plot);
    bars_labels(&picture, plot);
    picture_legend(&picture, NULL, plot->group_names, plot->group_count, true, true);
    bars_draw(&picture, plot);
    return picture_end(&picture, error);
}
