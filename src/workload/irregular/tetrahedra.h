/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mesh of tetrahedra: a box of cubes, each cut into six along its diagonal
 * (Kuhn's subdivision), so that faces meet and each element has four neighbours
 * or an end of the box. */
#ifndef BANDSCAPE_WORKLOAD_TETRAHEDRA_H
#define BANDSCAPE_WORKLOAD_TETRAHEDRA_H

#include <stdbool.h>
#include <stdint.h>

enum { TETRAHEDRON_FACES = 4 };
enum { MESH_WALL = -1, MESH_FAR = -2 }; /* behind the lowest plane; elsewhere outside */

/* neighbours[4 * e + face] for n elements. Elements are numbered cube by cube and row by row, or,
 * `by_front`, first all cubes at the surface of the box, then those behind them, and so on
 * inwards: the order in which a generator makes them whose front advances from the surface
 * (Loehner and Parikh, IJNMF 1988). So they lie far from neighbours in the next layer. Then
 * they change places at random within `window` numbers in a row. free() it. */
int32_t *tetrahedra_create(uint32_t n, bool by_front, uint32_t window, uint64_t seed);

#endif
