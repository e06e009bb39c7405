/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atoms of a crystal in the cells of a box with periodic walls. */
#ifndef BANDSCAPE_WORKLOAD_CELLS_H
#define BANDSCAPE_WORKLOAD_CELLS_H

#include <stdint.h>

enum { CELL_SLOTS = 64, CELL_NEIGHBOURS = 27 };

/* Copper, as CoMD has it: the edge of a unit cell, and how far its Lennard-Jones force
 * reaches; both in Angstrom. */
static const double cell_lattice = 3.615, cell_cutoff = 2.5 * 2.315;

/* Atom `slot` of a cell has the coordinates at cell * CELL_SLOTS + slot. */
struct cells {
    uint32_t side, count; /* cells along an edge, and in all */
    uint32_t n_atoms;
    uint32_t *occupied; /* slots of each cell that are taken */
    uint32_t *atoms;    /* n_atoms indices into the slots, by cell */
    double *position[3];
};

/* `units` unit cells along an edge (at least 5), four atoms each, moved from their places by
 * up to `jitter` of the lattice's edge along each axis. */
struct cells *cells_create(uint32_t units, double jitter, uint64_t seed);
void cells_destroy(struct cells *cells); /* NULL is legal */

/* Neighbour 0 .. 26 of a cell, itself included, x fastest. */
uint32_t cells_neighbour(const struct cells *cells, uint32_t cell, uint32_t k);

/* Pairs of atoms that are nearer than the cut-off, each counted twice. */
uint64_t cells_count_pairs(const struct cells *cells);

#endif
