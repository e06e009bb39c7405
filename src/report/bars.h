/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars: shares of a few wholes, side by side, with what they are in numbers. */
#ifndef BANDSCAPE_REPORT_BARS_H
#define BANDSCAPE_REPORT_BARS_H

#include "report/gnuplot.h"

struct plot_bar {
    const char *name;  /* below it */
    const char *label; /* above it: "1024 pages" */
    double share;      /* its height, 0 .. 1 */
    int group;         /* those of a group stand together; ascending */
};
struct plot_bars {
    const char *title;              /* NULL: none */
    const char *x_title, *y_title;  /* of the axes; "" for none */
    const char *const *group_names; /* of the legend */
    int group_count;
    size_t count;
    const struct plot_bar *bars;
};

int plot_bars(const struct plot_output *output, const struct plot_bars *plot, struct error *error);

#endif
