/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices of a geometric multigrid on a cube: a 7-point stencil on the finest
 * grid, 27 points on the coarser ones (as Galerkin's product of it has), linear
 * interpolation between them and its transpose; each in compressed rows. */
#ifndef BANDSCAPE_WORKLOAD_GRID_HIERARCHY_H
#define BANDSCAPE_WORKLOAD_GRID_HIERARCHY_H

#include "workload/irregular/graph.h"

enum { GRID_LEVELS = 9 };

struct grid_level {
    uint32_t side;
    struct graph *matrix; /* columns ascend */
    /* From the next coarser grid and to it; NULL on the coarsest. Rows and columns are counted
     * on either grid, n_vertices is the number of rows. */
    struct graph *interpolation, *restriction;
};

struct grid_hierarchy {
    int n_levels;
    struct grid_level levels[GRID_LEVELS];
};

/* Sides are halved (rounded up) until they are at most 4. */
struct grid_hierarchy *grid_hierarchy_create(uint32_t side);
void grid_hierarchy_destroy(struct grid_hierarchy *grids); /* NULL is legal */

#endif
