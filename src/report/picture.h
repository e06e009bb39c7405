/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures: a description of what is shown, from which one function writes a gnuplot script with
 * its data, and has it drawn. A kind of picture is a function that fills the description.
 *
 * A picture appears under its name only when it is complete. It carries no date: the same data
 * give the same bytes. Text is shown as it is written (no markup), and no data goes through a
 * shell. Colours are those of Okabe and Ito (2008), told apart also by the colour-blind.
 *
 * Values are SI; an axis says its unit as in a manifest ("B/s", "B", "s", "Hz", "J", "cycles",
 * anything else; "1" or NULL for a plain number) and is shown in engineering units ("TB/s",
 * "MiB"). On a log axis values must be positive; infinity is an error that names the axis, and so
 * is NaN where it is not said to stand for what is not there. */
#ifndef BANDSCAPE_REPORT_PICTURE_H
#define BANDSCAPE_REPORT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/memory.h"
#include "explore/pareto/pareto_front.h"
#include "report/look.h"

enum plot_terminal { PLOT_SVG, PLOT_PNG, PLOT_PDF, PLOT_EPS, PLOT_TEX, PLOT_DUMB };
enum plot_scale { PLOT_LINEAR, PLOT_LOG2, PLOT_LOG10 };

/* Where a picture goes: to the file `path`, or, when `path` is NULL, appended
 * to `text` (PLOT_DUMB: a picture made of characters). */
struct plot_output {
    enum plot_terminal terminal;
    const char *path;
    struct text *text;
    int columns;                     /* of PLOT_DUMB; 0: the picture's */
    double silent_s;                 /* how long gnuplot may be silent; 0: as gnuplot_run.h says */
    const struct picture_look *look; /* NULL: as a screen shows it */
    /* Of a picture that goes to `text`, under whose name ("front.svg") they would be: what the look
     * asks for beside it, and what there is where gnuplot is not. May be NULL. */
    const char *name;
    struct text *script, *data;
    bool undrawn; /* these two alone */
};
/* The endings of what stands beside a picture. */
#define PICTURE_SCRIPT ".gp"
#define PICTURE_DATA ".data.csv"

struct plot_axis {
    const char *title; /* "effective_bandwidth" */
    const char *unit;  /* of the values; NULL: a plain number */
    enum plot_scale scale;
    const char *note;         /* what it is, in lines of its own; NULL: none */
    double from, to;          /* what is shown; equal: what the values need */
    const char *const *names; /* instead of numbers, at the places; NULL: numbers */
    const double *places;
    size_t n_names;
    const double *rule; /* a dashed line across the picture at this value; NULL: none */
};

/* The scale that fits values along x: over more than a decade they read better on a log scale,
 * capacities in base 2; values apart by powers of two do so from a factor of 4 on. Even steps stay
 * even. */
void plot_axis_fit(struct plot_axis *axis, const double *values, size_t count);
/* Plain numbers up to `high`, at most 1, are taken for shares of a whole: they are compared with
 * the whole, and no ratio of two of them with the next. */
bool plot_axis_is_of_shares(const struct plot_axis *axis, double high);

enum picture_style {
    PICTURE_POINTS,
    PICTURE_LINES,
    PICTURE_LINES_POINTS,
    PICTURE_STEPS,       /* to the next x, then to its y; infinity: the picture's edge */
    PICTURE_STEPS_FIRST, /* to the next y, then to its x */
    PICTURE_BOXES,       /* two opposite corners each */
    PICTURE_BAND,        /* what is within: along one edge and back along the other */
};
/* Beside those of the palette, 0, 1, ... */
enum { PICTURE_GREY = -1, PICTURE_DARK = -2, PICTURE_WHITE = -3 };

struct picture_series {
    const char *title;      /* in the key, also when there is no value; NULL: not there */
    const char *mark_title; /* the same in a picture made of characters; NULL: `title` */
    enum picture_style style;
    size_t count;
    const double *xs, *ys; /* y NaN: a gap (an error among points alone) */
    int colour;
    int shape;        /* gnuplot's point type; 0: the colour's */
    const double *zs; /* what the colour says of each point or box, on picture.colour; NULL: no */
    double size;      /* of points, the width of lines; 0: the usual one */
    int veil;         /* how transparent, 0 .. 255 */
    char mark;        /* in a picture made of characters; 0: not drawn there */
};

/* Text in grey. x NaN: to the right of the picture; y NaN: at its foot. */
struct picture_note {
    const char *text;
    double x, y;
    enum {
        PICTURE_LEFT,
        PICTURE_CENTRE,
        PICTURE_ABOVE,
        PICTURE_UPRIGHT,
        PICTURE_LABEL, /* the name of a point, beside it where there is room, else left out */
        PICTURE_PLATE, /* on a white ground, over what is coloured */
    } place;
};

struct picture {
    struct arena *arena;                   /* of what it shows */
    const char *title, *subtitle, *remark; /* the last two smaller, under it; NULL: none */
    const char *legend;                    /* what the series are values of; NULL: nothing */
    struct plot_axis x, y, colour;         /* the last of series with zs */
    double tall;                           /* times the usual height; 0: 1 */
    int columns, lines;                    /* made of characters; 0: 79 x 24 */
    struct {
        struct picture_series *items;
        size_t count, capacity;
    } series;
    struct {
        struct picture_note *items;
        size_t count, capacity;
    } notes;
};

void picture_begin(struct picture *picture);
/* Draws it, unless `status` says that something went wrong before or there is nothing to draw
 * (`drawn`, may be NULL, says which; without it that is an error), and releases it.
 * STATUS_NO_PICTURE: gnuplot is not there, or does not draw; then its script and data are. */
int picture_end(struct picture *picture, const struct plot_output *output, int status, bool *drawn,
                struct error *error);

/* A line through points in the order given, in the next colour; nothing where no y is known. */
void picture_add_curve(struct picture *picture, const char *name, size_t count, const double *xs,
                       const double *ys);
/* Between two values at each x, in that colour; nothing where one of them is not known. */
void picture_add_band(struct picture *picture, int colour, size_t count, const double *xs,
                      const double *lows, const double *highs);
/* Lines across from `low` to `high` at x, as dark as text. */
void picture_add_spans(struct picture *picture, size_t count, const double *xs, const double *lows,
                       const double *highs);
/* Marks of published values at these places, with their word in the key; NaN: none there. */
void picture_add_published(struct picture *picture, size_t count, const double *xs,
                           const double *values);
/* gnuplot's point type for a colour of the palette. */
int picture_shape(int colour);
/* A box between two opposite corners for picture_series.xs and ys; returns the next place. */
size_t picture_box(double *xs, double *ys, size_t at, const double x[2], const double y[2]);

/* Points, and the front among them as a staircase. */
struct plot_front {
    size_t count;
    const double *xs, *ys;
    const int *category;           /* of each point, 0 .. categories-1; NULL: one colour */
    const char *const *categories; /* names */
    int category_count;
    const double *colours; /* a third value of each point, on picture.colour; NULL: none */
    const size_t *front;   /* indices of points, any order; may be NULL */
    size_t front_count;
    size_t ranked; /* points behind those of the front that are a ranking, best first */
    bool x_maximise, y_maximise; /* which way the steps go */
    bool no_steps;               /* the front is not of x and y alone: no line through it */
};
void picture_add_front(struct picture *picture, const struct plot_front *plot);
/* Names the knee of the front (the point that is farthest from the line through its ends, as the
 * axes, which are there already, show it) and `count` other points: text, at which point. */
void picture_label_front(struct picture *picture, const struct plot_front *plot, size_t count,
                         const char *const *names, const size_t *points);
/* Which way the steps go, and whether there are any, where these objectives make the front. Where
 * others than x and y do, points on it may look dominated: returns what to say of that, else NULL.
 */
const char *plot_front_axes(struct plot_front *plot, const char *const *objectives,
                            const enum pareto_sense *senses, size_t count, const char *x,
                            const char *y, struct arena *arena);

/* Clusters of bars: a value for each of a few things (clusters, along x) under each of a few
 * alternatives (series, a colour each). */
struct plot_bars {
    size_t clusters, series;
    const char *const *cluster_names, *const *series_names;
    const double *values;       /* [series * clusters + cluster]; NaN: no bar, but a gap with */
    const char *const *missing; /* a word, by the same places, that says why */
    size_t apart;            /* this cluster stands apart from those before it, a mean; 0: none */
    const double *published; /* marks by the same places; NaN: none. NULL: no marks */
    bool stacked;            /* each series stands on the one before: parts of a whole */
    size_t within;           /* of stacked: so many bars run under each name; 0: one */
};
void picture_add_bars(struct picture *picture, const struct plot_bars *plot);
/* Where the middle of a bar is, along x. */
double plot_bar_centre(const struct plot_bars *plot, size_t series, size_t cluster);

/* Cells over two axes: their values as colours (picture.colour is the axis), and borders between
 * those that are decided differently. One of both may be missing. */
struct plot_heat {
    size_t columns, rows;
    const char *const *x_names, *const *y_names;
    const double *values; /* [row * columns + column], from below; NaN: a gap. NULL: no values */
    const int *decisions; /* by the same places, into the names; -1: none. NULL: no borders */
    const char *const *decision_names;
    int n_decisions;
};
void picture_add_heat(struct picture *picture, const struct plot_heat *plot);

/* Bars from `base` to each of a few values (series) of each of a few things, widest on top. */
struct plot_tornado {
    size_t count, series;
    const char *const *names, *const *series_names;
    const double *values; /* [series * count + thing]; NaN: none */
    double base;
    size_t most; /* bars that are shown */
};
void picture_add_tornado(struct picture *picture, const struct plot_tornado *plot);

/* "svg", "png", "pdf", "eps", "tex", "dumb"; an error that lists them otherwise. */
int plot_terminal_scan(const char *name, enum plot_terminal *out, struct error *error);
/* Of files: "svg", "png", "pdf", "eps", "tex" (TikZ), "txt" (characters). */
const char *plot_terminal_ending(enum plot_terminal terminal);
/* The terminal whose files end as this one's name does; false: none. */
bool plot_terminal_of(const char *path, enum plot_terminal *out);

#endif
