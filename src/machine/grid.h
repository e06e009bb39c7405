/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chips in rows and columns, numbered row by row: what mesh and torus share. */
#ifndef BANDSCAPE_MACHINE_GRID_H
#define BANDSCAPE_MACHINE_GRID_H

#include "machine/links.h"

/* The parameters of such a topology: its columns. */
extern const struct parameter_row grid_parameters[];

/* Links each chip to its neighbours in its row and column; `wraps`: the ends of a row and of a
 * column are neighbours too (of two chips the same link, not a second one). `topology`: whose
 * columns
 * ("mesh"); where they are not given, the rows are as long as the columns or, where chips allow no
 * square, as little longer as they can be. STATUS_INFEASIBLE where they do not divide the chips. */
int grid_generate(const struct machine *machine, const char *topology, bool wraps,
                  struct link_graph *graph, struct error *error);

#endif
