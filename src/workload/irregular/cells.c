/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells are no smaller than the cut-off, so that what acts on an atom is in its
 * own cell and the 26 around it. */
#include "workload/irregular/cells.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "workload/irregular/random.h"

static double cells_edge(uint32_t units)
{
    return units * cell_lattice;
}

static void cells_add(struct cells *cells, const double at[3], double edge)
{
    uint32_t cell = 0;
    double place[3];
    for (int d = 2; d >= 0; d--) {
        place[d] = at[d] - edge * floor(at[d] / edge);
        uint32_t k = (uint32_t)(place[d] / edge * cells->side);
        cell = cell * cells->side + (k < cells->side ? k : cells->side - 1);
    }
    uint32_t slot = cells->occupied[cell];
    if (slot == CELL_SLOTS)
        return;
    cells->occupied[cell]++;
    cells->n_atoms++;
    for (int d = 0; d < 3; d++)
        cells->position[d][(size_t)cell * CELL_SLOTS + slot] = place[d];
}

struct cells *cells_create(uint32_t units, double jitter, uint64_t seed)
{
    static const double corners[4][3] = {
        {0.25, 0.25, 0.25}, {0.25, 0.75, 0.75}, {0.75, 0.25, 0.75}, {0.75, 0.75, 0.25}};
    struct random random = random_begin(seed);
    struct cells *cells = memory_zero(1, sizeof *cells);
    double edge = cells_edge(units);
    cells->side = (uint32_t)(edge / cell_cutoff);
    cells->count = cells->side * cells->side * cells->side;
    cells->occupied = memory_zero(cells->count, sizeof *cells->occupied);
    for (int d = 0; d < 3; d++)
        cells->position[d] = memory_zero((size_t)cells->count * CELL_SLOTS, sizeof(double));
    for (uint64_t i = 0; i < 4ULL * units * units * units; i++) {
        uint64_t unit = i / 4;
        const uint64_t place[3] = {unit % units, unit / units % units, unit / units / units};
        double at[3];
        for (int d = 0; d < 3; d++)
            at[d] = ((double)place[d] + corners[i % 4][d] +
                     jitter * (2.0 * random_unit(&random) - 1.0)) *
                    cell_lattice;
        cells_add(cells, at, edge);
    }
    cells->atoms = memory_alloc(cells->n_atoms * sizeof *cells->atoms);
    for (uint32_t cell = 0, n = 0; cell < cells->count; cell++)
        for (uint32_t slot = 0; slot < cells->occupied[cell]; slot++)
            cells->atoms[n++] = cell * CELL_SLOTS + slot;
    return cells;
}

void cells_destroy(struct cells *cells)
{
    if (!cells)
        return;
    for (int d = 0; d < 3; d++)
        free(cells->position[d]);
    free(cells->occupied);
    free(cells->atoms);
    free(cells);
}

uint32_t cells_neighbour(const struct cells *cells, uint32_t cell, uint32_t k)
{
    uint32_t side = cells->side, x = cell % side, y = cell / side % side, z = cell / side / side;
    x = (x + side + k % 3 - 1) % side;
    y = (y + side + k / 3 % 3 - 1) % side;
    z = (z + side + k / 9 - 1) % side;
    return (z * side + y) * side + x;
}

static double cells_distance_2(const struct cells *cells, uint32_t a, uint32_t b, double edge)
{
    double sum = 0.0;
    for (int d = 0; d < 3; d++) {
        double to = cells->position[d][a] - cells->position[d][b];
        to -= edge * rint(to / edge);
        sum += to * to;
    }
    return sum;
}

uint64_t cells_count_pairs(const struct cells *cells)
{
    uint64_t pairs = 0;
    double edge = cbrt(cells->n_atoms / 4.0) * cell_lattice;
    for (uint32_t i = 0; i < cells->n_atoms; i++)
        for (uint32_t k = 0; k < CELL_NEIGHBOURS; k++) {
            uint32_t cell = cells_neighbour(cells, cells->atoms[i] / CELL_SLOTS, k);
            for (uint32_t slot = 0; slot < cells->occupied[cell]; slot++) {
                uint32_t other = cell * CELL_SLOTS + slot;
                pairs += other != cells->atoms[i] &&
                         cells_distance_2(cells, cells->atoms[i], other, edge) <=
                             cell_cutoff * cell_cutoff;
            }
        }
    return pairs;
}
