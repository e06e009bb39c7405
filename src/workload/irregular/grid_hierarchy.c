/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points are numbered row by row and plane by plane; a coarse point i lies on
 * the fine point 2 i of each axis. */
#include "workload/irregular/grid_hierarchy.h"

#include <stdlib.h>

#include "core/memory.h"

static struct graph *grid_rows(uint32_t n_rows, uint64_t most_entries)
{
    struct graph *matrix = memory_zero(1, sizeof *matrix);
    matrix->n_vertices = n_rows;
    matrix->offsets = memory_alloc((n_rows + 1ULL) * sizeof *matrix->offsets);
    matrix->targets = memory_alloc(most_entries * sizeof *matrix->targets);
    matrix->offsets[0] = 0;
    return matrix;
}

static void grid_add(struct graph *matrix, uint32_t column)
{
    matrix->targets[matrix->n_edges++] = column;
}

/* Every point with itself and its neighbours: along axes, or diagonally too. */
static struct graph *grid_stencil(uint32_t side, bool diagonal)
{
    uint32_t n = side * side * side;
    struct graph *matrix = grid_rows(n, (diagonal ? 27ULL : 7ULL) * n);
    for (uint32_t row = 0; row < n; row++) {
        const int64_t at[3] = {row % side, row / side % side, row / side / side};
        for (int k = 0; k < 27; k++) {
            const int64_t d[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            int64_t column = 0;
            bool inside = diagonal || llabs(d[0]) + llabs(d[1]) + llabs(d[2]) <= 1;
            for (int i = 2; i >= 0; i--) {
                inside = inside && at[i] + d[i] >= 0 && at[i] + d[i] < side;
                column = column * side + at[i] + d[i];
            }
            if (inside)
                grid_add(matrix, (uint32_t)column);
        }
        matrix->offsets[row + 1] = matrix->n_edges;
    }
    return matrix;
}

/* A fine point takes from the coarse ones on both sides of it, or from its own. */
static struct graph *grid_interpolation(uint32_t fine, uint32_t coarse)
{
    uint32_t n = fine * fine * fine;
    struct graph *matrix = grid_rows(n, 8ULL * n);
    for (uint32_t row = 0; row < n; row++) {
        const uint32_t at[3] = {row % fine, row / fine % fine, row / fine / fine};
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t column = 0;
            bool exists = true;
            for (int i = 2; i >= 0; i--) {
                uint32_t upper = k >> i & 1, c = at[i] / 2 + upper;
                exists = exists && (!upper || (at[i] % 2 == 1 && c < coarse));
                column = column * coarse + c;
            }
            if (exists)
                grid_add(matrix, column);
        }
        matrix->offsets[row + 1] = matrix->n_edges;
    }
    return matrix;
}

static struct graph *grid_transposed(const struct graph *matrix, uint32_t n_columns)
{
    struct graph *result = grid_rows(n_columns, matrix->n_edges);
    uint64_t *next = memory_zero(n_columns + 1ULL, sizeof *next);
    for (uint64_t e = 0; e < matrix->n_edges; e++)
        next[matrix->targets[e] + 1]++;
    for (uint32_t c = 0; c < n_columns; c++)
        next[c + 1] += next[c];
    for (uint32_t c = 0; c <= n_columns; c++)
        result->offsets[c] = next[c];
    for (uint32_t row = 0; row < matrix->n_vertices; row++)
        for (uint64_t e = matrix->offsets[row]; e < matrix->offsets[row + 1]; e++)
            result->targets[next[matrix->targets[e]]++] = row;
    result->n_edges = matrix->n_edges;
    free(next);
    return result;
}

struct grid_hierarchy *grid_hierarchy_create(uint32_t side)
{
    struct grid_hierarchy *grids = memory_zero(1, sizeof *grids);
    for (;; side = (side + 1) / 2) {
        struct grid_level *level = &grids->levels[grids->n_levels++];
        uint32_t coarse = (side + 1) / 2;
        level->side = side;
        level->matrix = grid_stencil(side, grids->n_levels > 1);
        if (side <= 4 || grids->n_levels == GRID_LEVELS)
            return grids;
        level->interpolation = grid_interpolation(side, coarse);
        level->restriction = grid_transposed(level->interpolation, coarse * coarse * coarse);
    }
}

void grid_hierarchy_destroy(struct grid_hierarchy *grids)
{
    if (!grids)
        return;
    for (int i = 0; i < grids->n_levels; i++) {
        graph_destroy(grids->levels[i].matrix);
        graph_destroy(grids->levels[i].interpolation);
        graph_destroy(grids->levels[i].restriction);
    }
    free(grids);
}
