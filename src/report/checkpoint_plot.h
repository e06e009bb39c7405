/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published figures and ours in a picture: how far each of ours is from the published one. */
#ifndef BANDSCAPE_REPORT_CHECKPOINT_PLOT_H
#define BANDSCAPE_REPORT_CHECKPOINT_PLOT_H

#include "report/picture.h"
#include "validate/validation.h"

/* A line a row: its name, a point at ours / published - 1 (where 0 is published, at ours), the
 * tolerance as a band around 0, both figures. Colour and shape say how ours is obtained. Rows
 * are of checkpoint_columns; those without a figure are left out. *drawn: whether any was left. */
int checkpoint_plot(const struct sheet *rows, const char *title, const struct plot_output *output,
                    bool *drawn, struct error *error);

#endif
