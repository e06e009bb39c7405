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

int32_t *tetrahedra_create(uint32_t n, uint32_t window, uint64_t seed)
{
    struct random random = random_begin(seed);
    struct box box = tetrahedra_box(n);
    int32_t *neighbours = memory_alloc((size_t)n * TETRAHEDRON_FACES * sizeof *neighbours);
    uint32_t *place = memory_alloc(n * sizeof *place); /* of an element */
    for (uint32_t e = 0; e < n; e++)
        place[e] = e;
    for (uint32_t from = 0; from < n; from += window) {
        uint32_t size = n - from < window ? n - from : window;
        for (uint32_t i = size; i > 1; i--) { /* Fisher and Yates' shuffle */
            uint32_t other = from + random_below(&random, i), kept = place[from + i - 1];
            place[from + i - 1] = place[other];
            place[other] = kept;
        }
        if (n - from <= window)
            break;
    }
    for (uint32_t e = 0; e < n; e++)
        for (int face = 0; face < TETRAHEDRON_FACES; face++) {
            int32_t other = tetrahedra_beyond(&box, e, face);
            neighbours[(size_t)place[e] * TETRAHEDRON_FACES + (size_t)face] =
                other < 0 ? other : (int32_t)place[other];
        }
    free(place);
    return neighbours;
}
