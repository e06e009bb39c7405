/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LULESH's mesh: a cube of hexahedra as an unstructured one, with lists of the
 * nodes of an element, of the elements at a node, and of neighbours. */
#ifndef BANDSCAPE_WORKLOAD_HEXAHEDRA_H
#define BANDSCAPE_WORKLOAD_HEXAHEDRA_H

#include <stdint.h>

enum { HEX_CORNERS = 8, HEX_FACES = 6 };

struct hexahedra {
    uint32_t edge, n_elements, n_nodes;
    uint32_t *nodes;        /* 8 of each element */
    uint32_t *corner_start; /* of a node's part of the list below; one more than nodes */
    uint32_t *corners;      /* element * 8 + corner, ascending for each node */
    uint32_t *neighbours;   /* 6 of each element: -x +x -y +y -z +z; itself at the boundary */
};

struct hexahedra *hexahedra_create(uint32_t edge);
void hexahedra_destroy(struct hexahedra *mesh); /* NULL is legal */

#endif
