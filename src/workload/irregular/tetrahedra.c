/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tetrahedron of a cube goes from corner 0 along three axes, one after the
 * other, to the far corner: one for each order of the axes. */
#include "workload/irregular/tetrahedra.h"

#include <stdlib.h>

#include "core/memory.h"
#include "workload/irregular/random.h"

enum { PIECES = 6 };

static const uint8_t orders[PIECES][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static int tetrahedra_piece(int a, int b)
{
    int piece = 0;
    while (orders[piece][0] != a || orders[piece][1] != b)
        piece++;
    return piece;
}

struct box {
    uint32_t n, sides[3];
};

/* The element beyond a face of element e: its four faces are those without the corner
 * where it begins, without the second, the third, and the far one. */
static int32_t tetrahedra_beyond(const struct box *box, uint32_t e, int face)
{
    const uint8_t *o = orders[e % PIECES];
    uint32_t cube = e / PIECES;
    uint32_t at[3] = {cube % box->sides[0], cube / box->sides[0] % box->sides[1],
                      cube / box->sides[0] / box->sides[1]};
    int piece;
    switch (face) {
    case 0:
        piece = tetrahedra_piece(o[1], o[2]);
        if (++at[o[0]] == box->sides[o[0]])
            return MESH_FAR;
        break;
    case 1:
        piece = tetrahedra_piece(o[1], o[0]);
        break;
    case 2:
        piece = tetrahedra_piece(o[0], o[2]);
        break;
    default:
        piece = tetrahedra_piece(o[2], o[0]);
        if (at[o[2]] == 0)
            return o[2] == 2 ? MESH_WALL : MESH_FAR;
        at[o[2]]--;
    }
    uint64_t other = ((uint64_t)at[2] * box->sides[1] + at[1]) * box->sides[0] + at[0];
    other = other * PIECES + (uint64_t)piece;
    return other < box->n ? (int32_t)other : MESH_FAR;
}

static struct box tetrahedra_box(uint32_t n)
{
    uint32_t cubes = (n + PIECES - 1) / PIECES, side = 1;
    while ((uint64_t)(side + 1) * (side + 1) * (side + 1) <= cubes)
        side++;
    return (struct box){n, {side, side, (cubes + side * side - 1) / (side * side)}};
}

/* How many cubes lie between a cube and the surface. */
static uint32_t tetrahedra_depth(const struct box *box, uint32_t cube)
{
    uint32_t depth = UINT32_MAX;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t side = box->sides[axis], at = cube % side;
        uint32_t nearest = at < side - 1 - at ? at : side - 1 - at;
        depth = nearest < depth ? nearest : depth;
        cube /= side;
    }
    return depth;
}

/* The number of each element: as it is, or layer by layer from the surface (a counting sort:
 * within a layer, the order stays). */
static uint32_t *tetrahedra_number(const struct box *box, bool by_front)
{
    uint32_t *number = memory_alloc(box->n * sizeof *number);
    uint32_t layers = by_front ? box->sides[0] / 2 + 1 : 1; /* no axis is shorter */
    uint32_t *next = memory_zero(layers + 1, sizeof *next);
    for (uint32_t e = 0; by_front && e < box->n; e++)
        next[tetrahedra_depth(box, e / PIECES) + 1]++;
    for (uint32_t layer = 0; layer < layers; layer++)
        next[layer + 1] += next[layer];
    for (uint32_t e = 0; e < box->n; e++)
        number[e] = next[by_front ? tetrahedra_depth(box, e / PIECES) : 0]++;
    free(next);
    return number;
}

/* 0 ... n-1, shuffled within each window (Fisher and Yates). */
static uint32_t *tetrahedra_shuffle(uint32_t n, uint32_t window, uint64_t seed)
{
    struct random random = random_begin(seed);
    uint32_t *place = memory_alloc(n * sizeof *place);
    for (uint32_t e = 0; e < n; e++)
        place[e] = e;
    for (uint32_t from = 0; from < n; from += window) {
        uint32_t size = n - from < window ? n - from : window;
        for (uint32_t i = size; i > 1; i--) {
            uint32_t other = from + random_below(&random, i), kept = place[from + i - 1];
            place[from + i - 1] = place[other];
            place[other] = kept;
        }
        if (n - from <= window)
            break;
    }
    return place;
}

int32_t *tetrahedra_create(uint32_t n, bool by_front, uint32_t window, uint64_t seed)
{
    struct box box = tetrahedra_box(n);
    int32_t *neighbours = memory_alloc((size_t)n * TETRAHEDRON_FACES * sizeof *neighbours);
    uint32_t *number = tetrahedra_number(&box, by_front);
    uint32_t *place = tetrahedra_shuffle(n, window, seed); /* of a number */
    for (uint32_t e = 0; e < n; e++)
        for (int face = 0; face < TETRAHEDRON_FACES; face++) {
            int32_t other = tetrahedra_beyond(&box, e, face);
            neighbours[(size_t)place[number[e]] * TETRAHEDRON_FACES + (size_t)face] =
                other < 0 ? other : (int32_t)place[number[other]];
        }
    free(place);
    free(number);
    return neighbours;
}
