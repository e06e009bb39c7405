/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proxies against plain C executions, a thread at a time, and their data
 * structures against what defines them. */
#include <math.h>

#include "kernel_check.h"
#include "workload/irregular/cells.h"
#include "workload/irregular/grid_hierarchy.h"
#include "workload/irregular/hexahedra.h"
#include "workload/irregular/octree.h"

/* ---- molecular dynamics ------------------------------------------------------- */

TEST(test_comd)
{
    enum { ATOMS, CELLS, PLACE, SPEED = 5, FORCE = 8, OCCUPIED = 12, AROUND };
    static const char *const names[] = {"list.atoms", "list.cells", "r.x", "r.y", "r.z", "p.x",
                                        "p.y",        "p.z",        "f.x", "f.y", "f.z", "e"};
    const char *spec = "comd:units=6,steps=1,jitter=0.1,seed=4";
    struct cells *cells = cells_create(6, 0.1, 4);
    struct kernel_counts c = {0};
    assert_int_equal(cells->n_atoms, 4 * 6 * 6 * 6);
    for (int i = 0; i < 12; i++)
        kernel_counts_add(&c, names[i], i < 2 ? cells->n_atoms : cells->count * CELL_SLOTS,
                          i < 2 ? 4 : 8);
    kernel_counts_add(&c, "nAtoms", cells->count, 4);
    kernel_counts_add(&c, "neighborList", cells->count * 27, 4);
    for (uint32_t t = 0; t < cells->n_atoms; t++) {
        uint32_t i = cells->atoms[t], cell = i / CELL_SLOTS;
        for (int launch = 0; launch < 4; launch++) {
            R(ATOMS, t);
            R(CELLS, t);
        }
        for (int d = 0; d < 3; d++) {
            for (int twice = 0; twice < 2; twice++) {
                R(FORCE + d, i);
                R(SPEED + d, i);
                W(SPEED + d, i);
            }
            R(SPEED + d, i);
            R(PLACE + d, i);
            W(PLACE + d, i);
            R(PLACE + d, i);
        }
        for (uint32_t x = 0; x < 27; x++) {
            uint32_t other = cells_neighbour(cells, cell, x);
            R(AROUND, cell * 27 + x);
            R(OCCUPIED, other);
            for (uint32_t slot = 0; slot < cells->occupied[other]; slot++)
                for (int d = 0; d < 3; d++)
                    R(PLACE + d, other * CELL_SLOTS + slot);
        }
        for (int d = 0; d < 4; d++)
            W(FORCE + d, i);
    }
    kernel_check_counts(spec, &c,
                        "AdvanceVelocity AdvancePosition LJ_Force_thread_atom AdvanceVelocity");
    /* Cells hide no pair: all atoms with all others, by the nearest image. */
    uint64_t pairs = 0;
    double edge = 6 * cell_lattice;
    for (uint32_t a = 0; a < cells->n_atoms; a++)
        for (uint32_t b = 0; b < cells->n_atoms; b++) {
            double sum = 0.0;
            for (int d = 0; d < 3; d++) {
                double to =
                    fabs(cells->position[d][cells->atoms[a]] - cells->position[d][cells->atoms[b]]);
                to = to > edge / 2 ? edge - to : to;
                sum += to * to;
            }
            pairs += a != b && sum <= cell_cutoff * cell_cutoff;
        }
    assert_true(pairs > cells->n_atoms * 40ULL);
    assert_int_equal(kernel_result(spec), pairs);
    cells_destroy(cells);
}

/* ---- hydrodynamics ------------------------------------------------------------ */

TEST(test_lulesh)
{
    enum { NODELIST, COUNT, START, LIST, AROUND, BOUNDARY = 10, PLACE, SPEED = 14 };
    enum { FORCE = 20, MASS = 23, CORNER = 24, VOLUME_0 = 27, GRADIENT = 40, N_ARRAYS = 46 };
    enum { EDGE = 3, E = 27, N = 64 };
    /* Arrays of elements that are read and written once in a step, by launch. */
    static const int reads[][12] = {{27, 28, 33, 34, 38, 39, -1},
                                    {27, 28, -1},
                                    {10, 40, 41, 42, 43, 44, 45, 31, 39, 27, 29, -1},
                                    {37, 30, 33, 34, 36, 35, 29, 28, -1}};
    static const int writes[][12] = {
        {-1}, {29, 30, 32, 31, 40, 41, 42, 43, 44, 45, -1}, {35, 36, -1}, {33, 37, 34, 38, 28, -1}};
    struct hexahedra *mesh = hexahedra_create(EDGE);
    struct kernel_counts c = {0};
    OWNED(source) *source = check_source("lulesh:edge=3,steps=1");
    assert_int_equal(source->allocations.count, N_ARRAYS);
    for (int i = 0; i < N_ARRAYS; i++) {
        bool corners = i == NODELIST || i == LIST || (i >= CORNER && i < VOLUME_0);
        bool nodes = i == COUNT || i == START || (i >= PLACE && i <= MASS);
        kernel_counts_add(&c, source->allocations.items[i].name,
                          corners ? 8 * E
                          : nodes ? N
                                  : E,
                          i < PLACE ? 4 : 8);
    }
    for (uint64_t e = 0; e < E; e++) {
        for (uint64_t k = 0; k < 8; k++) { /* two kernels gather */
            const uint64_t x = e % 3 + ((k + 1) / 2) % 2, y = e / 3 % 3 + k / 2 % 2,
                           z = e / 9 + k / 4, node = (z * 4 + y) * 4 + x;
            assert_int_equal(mesh->nodes[8 * e + k], node);
            for (int twice = 0; twice < 2; twice++) {
                R(NODELIST, k * E + e);
                for (int d = 0; d < 3; d++) {
                    R(PLACE + d, node);
                    R(SPEED + d, node);
                }
            }
            for (int d = 0; d < 3; d++) {
                W(CORNER + d, k * E + e);
                R(CORNER + d, k * E + e); /* by its node */
            }
        }
        for (int face = 0; face < 6; face++) {
            const int64_t step[] = {1, 3, 9},
                          at[] = {(int64_t)e % 3, (int64_t)e / 3 % 3, (int64_t)e / 9};
            int64_t to = at[face / 2] + (face % 2 ? 1 : -1), other = (int64_t)e;
            if (to >= 0 && to < 3)
                other += face % 2 ? step[face / 2] : -step[face / 2];
            R(AROUND + face, e);
            R(GRADIENT + face / 2, (uint64_t)other);
        }
        for (int k = 0; k < 4; k++) {
            for (int i = 0; reads[k][i] >= 0; i++)
                R(reads[k][i], e);
            for (int i = 0; writes[k][i] >= 0; i++)
                W(writes[k][i], e);
        }
    }
    for (uint64_t i = 0; i < 8 * E; i++)
        R(LIST, i);
    for (uint64_t v = 0; v < N; v++) {
        R(COUNT, v);
        R(START, v);
        R(MASS, v);
        for (int d = 0; d < 3; d++) {
            W(FORCE + d, v);
            R(FORCE + d, v);
            W(FORCE - 3 + d, v); /* accelerations */
            R(PLACE + d, v);
            W(PLACE + d, v);
            R(SPEED + d, v);
            W(SPEED + d, v);
        }
        for (uint32_t i = mesh->corner_start[v]; i < mesh->corner_start[v + 1]; i++)
            assert_int_equal(mesh->nodes[mesh->corners[i]], v);
    }
    assert_int_equal(mesh->corner_start[N], 8 * E);
    kernel_check_counts("lulesh:edge=3,steps=1", &c,
                        "CalcVolumeForceForElems AddNodeForcesFromElems "
                        "CalcPositionAndVelocityForNodes CalcKinematicsAndMonotonicQGradient "
                        "CalcMonotonicQRegionForElems ApplyMaterialPropertiesAndUpdateVolume");
    hexahedra_destroy(mesh);
}

/* ---- multigrid ---------------------------------------------------------------- */

static uint64_t entries(const struct graph *matrix, uint32_t row, uint32_t column)
{
    uint64_t n = 0;
    for (uint64_t e = matrix->offsets[row]; e < matrix->offsets[row + 1]; e++)
        n += matrix->targets[e] == column;
    return n;
}

/* Matrices against their definition, point by point. */
TEST(test_grids)
{
    struct grid_hierarchy *grids = grid_hierarchy_create(7);
    assert_int_equal(grids->n_levels, 2);
    for (int l = 0; l < 2; l++) {
        const struct grid_level *level = &grids->levels[l];
        int64_t side = level->side;
        assert_int_equal(side, l ? 4 : 7);
        for (int64_t a = 0; a < side * side * side; a++)
            for (int64_t b = 0; b < side * side * side; b++) {
                int64_t x = llabs(a % side - b % side),
                        y = llabs(a / side % side - b / side % side),
                        z = llabs(a / side / side - b / side / side);
                bool near = l ? x <= 1 && y <= 1 && z <= 1 : x + y + z <= 1;
                assert_int_equal(entries(level->matrix, (uint32_t)a, (uint32_t)b), near);
            }
    }
    for (int64_t f = 0; f < 343; f++)
        for (int64_t k = 0; k < 64; k++) {
            bool near = llabs(f % 7 - 2 * (k % 4)) <= 1 &&
                        llabs(f / 7 % 7 - 2 * (k / 4 % 4)) <= 1 &&
                        llabs(f / 49 - 2 * (k / 16)) <= 1;
            assert_int_equal(entries(grids->levels[0].interpolation, (uint32_t)f, (uint32_t)k),
                             near);
            assert_int_equal(entries(grids->levels[0].restriction, (uint32_t)k, (uint32_t)f), near);
        }
    grid_hierarchy_destroy(grids);
}

static void product(struct kernel_counts *counts, const struct graph *matrix, int rows, int from,
                    int added, int to)
{
#define c (*counts)
    for (uint32_t row = 0; row < matrix->n_vertices; row++) {
        R(rows, row);
        R(rows, row + 1);
        for (uint64_t e = matrix->offsets[row]; e < matrix->offsets[row + 1]; e++) {
            R(rows + 1, e);
            R(rows + 2, e);
            R(from, matrix->targets[e]);
        }
        if (added >= 0)
            R(added, row);
        W(to, row);
    }
#undef c
}

TEST(test_amg)
{
    enum { A, P = 3, Q = 6, X = 9, T, B, S, LEVEL };
    struct grid_hierarchy *grids = grid_hierarchy_create(7);
    const struct grid_level *fine = &grids->levels[0], *coarse = &grids->levels[1];
    struct kernel_counts c = {0};
    OWNED(source) *source = check_source("amg:side=7,cycles=1");
    for (size_t i = 0; i < source->allocations.count; i++) {
        const struct stream_allocation *a = &source->allocations.items[i];
        uint32_t unit = i % LEVEL >= X || i % LEVEL % 3 == 2 ? 8 : 4;
        kernel_counts_add(&c, a->name, a->bytes / unit, unit);
    }
    product(&c, fine->matrix, A, X, B, T);
    product(&c, fine->matrix, A, T, B, X);
    product(&c, fine->matrix, A, X, B, S);
    product(&c, fine->restriction, Q, S, -1, LEVEL + B);
    for (uint32_t row = 0; row < 64; row++)
        W(LEVEL + X, row);
    for (int sweep = 0; sweep < 8; sweep++)
        product(&c, coarse->matrix, LEVEL + A, LEVEL + (sweep % 2 ? T : X), LEVEL + B,
                LEVEL + (sweep % 2 ? X : T));
    product(&c, fine->interpolation, P, LEVEL + X, X, X);
    product(&c, fine->matrix, A, X, B, T);
    product(&c, fine->matrix, A, T, B, X);
    kernel_check_counts("amg:side=7,cycles=1", &c,
                        "relax relax residual restrict clear relax relax relax relax relax relax "
                        "relax relax interpolate relax relax");
    grid_hierarchy_destroy(grids);
}

/* ---- adaptive mesh ------------------------------------------------------------ */

/* A block's extent in the finest cells of the mesh. */
static void extent(const struct octree_block *block, uint32_t levels, int64_t low[3], int64_t *size)
{
    *size = OCTREE_CELLS << (levels - block->level);
    for (int d = 0; d < 3; d++)
        low[d] = (int64_t)block->at[d] * *size;
}

/* Blocks fill the cube once, and each face has beyond it the blocks that touch it. */
TEST(test_octree)
{
    enum { ROOTS = 2, LEVELS = 3 };
    struct octree *tree = octree_create(ROOTS, LEVELS);
    int64_t edge = (int64_t)ROOTS * OCTREE_CELLS << LEVELS, volume = 0;
    bool levels[LEVELS + 1] = {false};
    for (uint32_t b = 0; b < tree->n_blocks; b++) {
        const struct octree_block *block = &tree->blocks[b];
        int64_t low[3], size, other_low[3], other_size;
        extent(block, LEVELS, low, &size);
        volume += size * size * size;
        levels[block->level] = true;
        for (int face = 0; face < OCTREE_FACES; face++) {
            const struct octree_face *f = &block->faces[face];
            int d = face / 2, touching = 0;
            for (uint32_t o = 0; o < tree->n_blocks; o++) {
                extent(&tree->blocks[o], LEVELS, other_low, &other_size);
                bool touches =
                    face % 2 ? other_low[d] == low[d] + size : other_low[d] + other_size == low[d];
                for (int i = 0; i < 3; i++)
                    touches = touches && (i == d || (other_low[i] < low[i] + size &&
                                                     low[i] < other_low[i] + other_size));
                if (!touches)
                    continue;
                touching++;
                assert_in_range(tree->blocks[o].level + 1, block->level, block->level + 2);
                int named = 0;
                for (int k = 0; k < 4; k++)
                    named += f->blocks[k] == o;
                assert_int_equal(named, f->side == OCTREE_FINER ? 1 : 4);
            }
            assert_int_equal(touching, f->side == OCTREE_BOUNDARY ? 0
                                       : f->side == OCTREE_FINER  ? 4
                                                                  : 1);
        }
    }
    assert_int_equal(volume, edge * edge * edge);
    assert_true(!levels[0] && levels[1] && levels[2] && levels[3]);
    octree_destroy(tree);
}

/* The cells of a block under a place in the finest cells, ghosts included. */
static uint64_t cell_at(const struct octree *tree, uint32_t b, uint32_t levels, const int64_t at[3],
                        uint64_t variables, uint64_t variable)
{
    int64_t low[3], size;
    uint64_t index = 0;
    extent(&tree->blocks[b], levels, low, &size);
    for (int d = 2; d >= 0; d--) {
        int64_t cell = size / OCTREE_CELLS, k = at[d] - low[d] + cell; /* from the ghost on */
        assert_true(k >= 0 && k < size + 2 * cell);
        index = index * 12 + (uint64_t)(k / cell);
    }
    return (b * variables + variable) * 1728 + index;
}

/* The block over a place; n_blocks outside. */
static uint32_t block_at(const struct octree *tree, uint32_t levels, const int64_t at[3])
{
    uint32_t b = 0;
    for (; b < tree->n_blocks; b++) {
        int64_t low[3], size;
        bool inside = true;
        extent(&tree->blocks[b], levels, low, &size);
        for (int d = 0; d < 3; d++)
            inside = inside && at[d] >= low[d] && at[d] < low[d] + size;
        if (inside)
            break;
    }
    return b;
}

TEST(test_miniamr)
{
    enum { LEVELS = 2, VARIABLES = 2 };
    struct octree *tree = octree_create(2, LEVELS);
    struct kernel_counts c = {0};
    int finer = 0, coarser = 0;
    kernel_counts_add(&c, "cells", (uint64_t)tree->n_blocks * VARIABLES * 1728, 8);
    kernel_counts_add(&c, "faces", (uint64_t)tree->n_blocks * 6, 16);
    for (uint32_t b = 0; b < tree->n_blocks; b++) {
        int64_t low[3], size;
        extent(&tree->blocks[b], LEVELS, low, &size);
        for (int ghost = 0; ghost < 600; ghost++) { /* from what lies there in space */
            int face = ghost / 100, d = face / 2, u = d == 0 ? 1 : 0, v = d == 2 ? 1 : 2;
            int64_t cell = size / OCTREE_CELLS, half = (cell + 1) / 2;
            int64_t at[3], inner[3];
            R(1, b * 6 + (uint32_t)face);
            at[u] = low[u] + ghost % 10 * cell;
            at[v] = low[v] + ghost / 10 % 10 * cell;
            at[d] = face % 2 ? low[d] + size : low[d] - 1;
            memcpy(inner, at, sizeof at);
            inner[d] = face % 2 ? low[d] + size - 1 : low[d];
            uint32_t other = block_at(tree, LEVELS, at);
            bool four = other < tree->n_blocks && tree->blocks[other].level > tree->blocks[b].level;
            finer += four;
            coarser += other < tree->n_blocks && tree->blocks[other].level < tree->blocks[b].level;
            for (uint64_t variable = 0; variable < VARIABLES; variable++) {
                for (int part = 0; part < (four ? 4 : 1); part++) {
                    int64_t from[3] = {at[0], at[1], at[2]};
                    from[u] += part % 2 * half;
                    from[v] += part / 2 * half;
                    if (other == tree->n_blocks)
                        R(0, cell_at(tree, b, LEVELS, inner, VARIABLES, variable));
                    else
                        R(0, cell_at(tree, block_at(tree, LEVELS, from), LEVELS, from, VARIABLES,
                                     variable));
                }
                W(0, cell_at(tree, b, LEVELS, at, VARIABLES, variable));
            }
        }
        for (uint64_t i = 0; i < 1000; i++)
            for (uint64_t variable = 0; variable < VARIABLES; variable++) {
                const uint64_t centre = (b * VARIABLES + variable) * 1728 +
                                        ((i / 100 + 1) * 12 + i / 10 % 10 + 1) * 12 + i % 10 + 1;
                const uint64_t around[] = {centre - 1,   centre + 1,   centre - 12, centre + 12,
                                           centre + 144, centre - 144, centre};
                for (int k = 0; k < 7; k++)
                    R(0, around[k]);
                W(0, centre);
            }
    }
    assert_true(finer > 0 && coarser > 0);
    kernel_check_counts("miniamr:roots=2,levels=2,variables=2,stages=1", &c, "comm stencil_calc");
    octree_destroy(tree);
}
