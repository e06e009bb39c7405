/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures through a pipe to gnuplot.
 *
 * A picture appears under its name only when it is complete. It carries no
 * date: the same data give the same bytes. Text is shown as it is written (no
 * markup), and no data goes through a shell. Colours are those of Okabe and
 * Ito (2008), told apart also by the colour-blind.
 *
 * Values are SI; an axis says its unit as in a manifest ("B/s", "B", "s", "Hz",
 * "J", "cycles", anything else; "1" or NULL for a plain number) and the tics
 * are in engineering units ("TB/s", "MiB"). On a log axis values must be
 * positive; infinity is an error that names the axis, and so is NaN where it is
 * not said to stand for what is not there. */
#ifndef BANDSCAPE_REPORT_GNUPLOT_H
#define BANDSCAPE_REPORT_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/memory.h"

enum plot_terminal { PLOT_SVG, PLOT_PNG, PLOT_PDF, PLOT_DUMB };
enum plot_scale { PLOT_LINEAR, PLOT_LOG2, PLOT_LOG10 };

/* Where a picture goes: to the file `path`, or, when `path` is NULL, appended
 * to `text` (PLOT_DUMB: a picture made of characters). */
struct plot_output {
    enum plot_terminal terminal;
    const char *path;
    struct text *text;
    int columns, lines; /* of PLOT_DUMB; 0: 79 x 24 */
    double tall;        /* of the others: times the usual height; 0: 1 */
    double silent_s;    /* how long gnuplot may be silent; 0: as gnuplot_run.h says */
};

struct plot_axis {
    const char *title; /* "effective_bandwidth" */
    const char *unit;  /* of the values; NULL: a plain number */
    enum plot_scale scale;
    const char *note; /* what it is, in lines of its own (at most three); NULL: none */
};

/* Points, and the front among them as a staircase. */
struct plot_scatter {
    const char *title;    /* NULL: none */
    const char *subtitle; /* a smaller line under it; NULL: none */
    const char *remark;   /* another: what the picture does not show; NULL: none */
    const char *legend;   /* what the categories are values of; NULL: nothing */
    struct plot_axis x, y;
    bool x_maximise, y_maximise; /* which way the steps go */
    size_t count;
    const double *xs, *ys;
    const int *category;           /* of each point, 0 .. categories-1; NULL: one colour */
    const char *const *categories; /* names */
    int category_count;
    const size_t *front; /* indices of points, any order; may be NULL */
    size_t front_count;
    const char *const *labels; /* one per front point, "" or NULL for none; may be NULL */
    bool no_steps;             /* the front is not of x and y alone: no line through it */
};

/* One or more lines over one axis. Points are joined in the order given. */
struct plot_series {
    const char *name;
    size_t count;
    const double *xs, *ys; /* y NaN: no point, and the line is broken there */
    bool scattered;        /* points alone, no lines */
    bool plain;            /* lines alone, no points */
};
struct plot_curves {
    const char *title;    /* NULL: none */
    const char *subtitle; /* as in a scatter */
    const char *remark;   /* as in a scatter */
    const char *legend;   /* what the names are values of; NULL: nothing */
    struct plot_axis x, y;
    bool y_shares; /* y is between 0 and 1, all of which is shown */
    size_t count;
    const struct plot_series *series;
};

int plot_scatter(const struct plot_output *output, const struct plot_scatter *plot,
                 struct error *error);
/* What a front of these objectives is over two columns, where they are not its objectives: then
 * points on it may look dominated. Appends nothing where they are. */
void plot_front_remark(const char *const *objectives, size_t count, const char *x, const char *y,
                       struct text *out);
int plot_curves(const struct plot_output *output, const struct plot_curves *plot,
                struct error *error);

/* "svg", "png", "pdf", "dumb"; an error that lists them otherwise. */
int plot_terminal_scan(const char *name, enum plot_terminal *out, struct error *error);

#endif
