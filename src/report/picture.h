/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kinds of pictures share: axes, frame, legend, colours. A kind sees
 * its values (axis_see), draws the frame, says what is occupied, asks for a
 * legend, and appends its data blocks and plot command to the script. */
#ifndef BANDSCAPE_REPORT_PICTURE_H
#define BANDSCAPE_REPORT_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"
#include "report/axis.h"
#include "report/gnuplot.h"

enum {
    PICTURE_CELLS = 64,  /* the picture in cells, to find a free corner */
    PICTURE_NAME = 40,   /* characters of a name in the legend */
    PICTURE_BESIDE = 26, /* the same in one beside the picture */
};

struct picture {
    const struct plot_output *output;
    bool dumb;
    const char *remark; /* the kind's, before the frame; NULL: none */
    struct axis x, y;
    struct text script;
    size_t name_limit;
    uint32_t occupied[PICTURE_CELLS][PICTURE_CELLS]; /* rows from below */
};

void picture_begin(struct picture *picture, const struct plot_output *output,
                   const struct plot_axis *x, const struct plot_axis *y);
/* Terminal, title (NULL: none), a smaller line under it (NULL: none), the remark and axes; all
 * values have been seen. */
void picture_frame(struct picture *picture, const char *title, const char *subtitle);
void picture_occupy(struct picture *picture, const double *xs, const double *ys, size_t count);
/* The same for the lines between points that follow each other. */
void picture_occupy_lines(struct picture *picture, const double *xs, const double *ys,
                          size_t count);
void picture_occupy_box(struct picture *picture, double left, double right, double low,
                        double high);
/* How much lies in a box (shares of the picture, from 0 to 1). */
uint64_t picture_load(const struct picture *picture, double left, double right, double low,
                      double high);
/* A legend in the given corner if nothing is there, else at another corner, an
 * edge or in the middle, else beside the picture. `title` (may be NULL): what the
 * names are values of. */
void picture_legend(struct picture *picture, const char *title, const char *const *names, int count,
                    bool right, bool top);
/* " title 'name'" */
void picture_name(struct picture *picture, const char *name);
void picture_put_point(struct picture *picture, double x, double y);
/* Draws it and releases the script. */
int picture_end(struct picture *picture, struct error *error);

/* "0072b2" and a gnuplot point type; any index >= 0. */
const char *picture_colour(int index);
int picture_shape(int index);

#endif
