/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a picture looks, whatever it shows: how wide it is, its letters, its title, what of its axes
 * is seen, other words for what it names, and whether its script and data stand beside it. */
#ifndef BANDSCAPE_REPORT_LOOK_H
#define BANDSCAPE_REPORT_LOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/unit.h"

struct plot_axis; /* report/picture.h */

/* Of a journal's page, in millimetres. */
#define LOOK_ONE_COLUMN 85.0
#define LOOK_TWO_COLUMNS 178.0

/* What is seen of an axis; an end that is not given is as the values need. */
struct look_range {
    const char *text; /* as it was written, for messages; NULL: not given */
    struct quantity ends[2];
    bool given[2];
};

struct picture_look {
    double width_mm;    /* 0: for a screen, with title and remarks; a paper says these itself */
    const char *family; /* of letters; NULL: DejaVu Sans */
    double font_pt;     /* 0: what suits the width */
    const char *title;  /* NULL: the picture's, none for a paper; "": none */
    struct look_range ranges[2]; /* of x and y */
    struct look_labels {
        struct look_label {
            const char *key, *text;
        } * items;
        size_t count, capacity;
    } labels;
    bool
        script; /* NAME.gp, which draws it, and NAME.data.csv, its data in SI, beside the picture */
};

/* "one", "two" (columns), or millimetres from 30 to 1000. */
int look_scan_width(const char *text, double *out_mm, struct error *error);
/* "Helvetica", "Helvetica,9" or "9" (points, 4 to 40). The family is the arena's. */
int look_scan_font(const char *text, struct picture_look *look, struct arena *arena,
                   struct error *error);
/* "0..4TB/s", "..2", "48GB/s..": a number without a unit has the other one's. */
int look_scan_range(const char *text, struct look_range *out, struct error *error);
/* "KEY=TEXT" */
int look_scan_label(const char *text, struct picture_look *look, struct arena *arena,
                    struct error *error);
void look_fini(struct picture_look *look);

/* The ends of a range in the unit of the axis; NaN where none is given. `which` is 'x' or 'y'. */
int look_range_ends(const struct look_range *range, const struct plot_axis *axis, char which,
                    double ends[2], struct error *error);

/* A column or a parameter in words: "inter.link_bandwidth" is "inter-chip link bandwidth",
 * "network.effective_bandwidth@gemm" "effective bandwidth, gemm (network)". What has a blank is
 * words already. The arena's, or `name` itself. */
const char *look_words(const char *name, struct arena *arena);
/* What the reader asked to stand for a name (or for its words), else the name. */
const char *look_label(const struct picture_look *look, const char *name, struct arena *arena);

#endif
