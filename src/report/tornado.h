/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each of many changes makes of one value: bars that start at the value without a change,
 * one below the other. */
#ifndef BANDSCAPE_REPORT_TORNADO_H
#define BANDSCAPE_REPORT_TORNADO_H

#include "report/gnuplot.h"

struct plot_change {
    const char *name;    /* at its left: "noc.bandwidth 2.8 TB/s" */
    double value;        /* NaN: no bar, but a word at the base: */
    const char *missing; /* why; NULL: "unknown" */
    int group;           /* those of a group stand together and have one colour; ascending */
};
struct plot_tornado {
    const char *title, *subtitle, *remark; /* NULL: none */
    struct plot_axis x;                    /* PLOT_LINEAR, of the values */
    double base;
    size_t count;
    const struct plot_change *changes; /* from above */
};

int plot_tornado(const struct plot_output *output, const struct plot_tornado *plot,
                 struct error *error);

#endif
