/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture that `bandscape plot` is asked for; kinds over any table are in plot_kinds.c. */
#ifndef BANDSCAPE_CLI_PLOT_REQUEST_H
#define BANDSCAPE_CLI_PLOT_REQUEST_H

#include "cli/plot_data.h"

struct plot_request {
    const struct invocation *invocation;
    const struct plot_kind *kind;
    struct plot_data data;
    struct picture_look look;
    struct plot_output output;
    struct text path, text;
    struct picture picture;
};

struct plot_kind {
    const char *name;
    int (*draw)(struct plot_request *request, struct error *error); /* fills the picture */
};

/* "COL" or "COL:LOW:HIGH" of --y: the columns' names, the arena's. LOW and HIGH: NULL without. */
struct plot_y {
    const char *column, *low, *high;
};
struct plot_y plot_y_scan(const struct plot_data *data, const char *text, struct arena *arena);

int plot_draw_bars(struct plot_request *request, struct error *error);
int plot_draw_stacked(struct plot_request *request, struct error *error);
int plot_draw_s_curve(struct plot_request *request, struct error *error);
int plot_draw_heat(struct plot_request *request, struct error *error);
int plot_draw_tornado(struct plot_request *request, struct error *error);
int plot_draw_roofline(struct plot_request *request, struct error *error);

#endif
