/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An axis of a picture: its range, its unit and its tics, laid out here and not
 * by gnuplot so that they are in engineering units ("TB/s", "MiB"). */
#ifndef BANDSCAPE_REPORT_AXIS_H
#define BANDSCAPE_REPORT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/memory.h"
#include "report/gnuplot.h"

enum { AXIS_TICS = 64, AXIS_LABEL = 40 };

struct axis {
    const struct plot_axis *plan;
    double least, most; /* of the values seen */
    bool whole_kib;     /* all values are multiples of 1 KiB */
    bool octaves;       /* on a PLOT_LOG2 axis: all are apart by powers of two */
    bool seen;

    /* After axis_layout: */
    double from, to; /* the range shown */
    struct axis_tic {
        double at;
        char label[AXIS_LABEL]; /* empty: a minor tic */
    } tics[AXIS_TICS];
    size_t tic_count;
    char unit[AXIS_LABEL]; /* behind the title, in brackets; may be empty */
};

void axis_begin(struct axis *axis, const struct plot_axis *plan);
/* Takes values into account; NaN, infinity, and values <= 0 on a log axis are errors. */
int axis_see(struct axis *axis, const double *values, size_t count, struct error *error);
/* Chooses range, unit and at most `most_tics` labelled tics. */
void axis_layout(struct axis *axis, int most_tics);
/* Where a value lies: 0 at the left or lower end, 1 at the other. */
double axis_position(const struct axis *axis, double value);

#endif
