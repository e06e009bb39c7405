/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An axis of a picture: its range, its unit, and, where it is logarithmic, its tics. On linear
 * axes gnuplot places them. */
#ifndef BANDSCAPE_REPORT_AXIS_H
#define BANDSCAPE_REPORT_AXIS_H

#include "report/picture.h"

enum { AXIS_TICS = 64, AXIS_LABEL = 40 };

struct axis {
    const struct plot_axis *plan;
    double least, most; /* of the values seen */
    bool whole_kib;     /* all values are multiples of 1 KiB */
    bool octaves;       /* on a PLOT_LOG2 axis: all are apart by powers of two */
    bool seen;
    double limits[2]; /* of what is shown, as a reader asked for them; NaN: none */

    /* After axis_layout: */
    double from, to;       /* the range shown */
    double factor;         /* what values are divided by for the unit */
    char unit[AXIS_LABEL]; /* behind the title, in brackets; may be empty */
    struct axis_tic {
        double at;
        char label[AXIS_LABEL]; /* empty: a minor tic */
    } tics[AXIS_TICS];          /* of a log axis */
    size_t tic_count, n_labelled;
    double labelled[2]; /* the first and the last */
};

void axis_begin(struct axis *axis, const struct plot_axis *plan);
/* Takes the value of a point into account; NaN, infinity, and values <= 0 on a log axis are
 * errors. */
int axis_see(struct axis *axis, double value, size_t point, struct error *error);
void axis_layout(struct axis *axis);
/* Where a value lies: 0 at the left or lower end, 1 at the other. */
double axis_position(const struct axis *axis, double value);

#endif
