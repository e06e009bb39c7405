/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars in clusters: a value for each of a few things (clusters, along x) under each of a
 * few alternatives (series, a colour each). */
#ifndef BANDSCAPE_REPORT_GROUPS_H
#define BANDSCAPE_REPORT_GROUPS_H

#include "report/gnuplot.h"

struct plot_groups {
    const char *title;    /* NULL: none */
    const char *subtitle; /* a smaller line under it; NULL: none */
    const char *remark;   /* another; NULL: none */
    const char *legend;   /* what the series are values of; NULL: nothing */
    const char *x_title, *x_note;
    struct plot_axis y; /* PLOT_LINEAR, from 0 on */
    size_t clusters, series;
    const char *const *cluster_names, *const *series_names;
    const double *values;       /* [series * clusters + cluster]; NaN: no bar, but a gap with */
    const char *const *missing; /* a word, by the same places, that says why; NULL: "unknown" */
    size_t apart;     /* this cluster stands apart from those before it, a mean; 0: none */
    double reference; /* a dashed line there; NaN: none */
};

int plot_groups(const struct plot_output *output, const struct plot_groups *plot,
                struct error *error);

#endif
