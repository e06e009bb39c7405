/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of LonestarGPU's programs in the GPU's memory, and how their code
 * comes to an edge: by the vertex' degree, its row's number and the row's start,
 * each loaded again for every edge, because atomics stand between them. */
#ifndef BANDSCAPE_WORKLOAD_LONESTAR_H
#define BANDSCAPE_WORKLOAD_LONESTAR_H

#include "workload/irregular/graph.h"
#include "workload/irregular/kernel_source.h"

/* The first arrays of a source. */
enum lonestar_array {
    LONESTAR_DEGREES,
    LONESTAR_ROWS,
    LONESTAR_STARTS,
    LONESTAR_TARGETS,
    LONESTAR_WEIGHTS,
    LONESTAR_ARRAYS
};

enum { LONESTAR_BLOCK = 1024 };

static inline void lonestar_place(struct kernel_source *source, const struct graph *graph)
{
    kernel_place(source, "noutgoing", graph->n_vertices, 4);
    kernel_place(source, "srcsrc", graph->n_vertices, 4);
    kernel_place(source, "psrc", graph->n_vertices + 1ULL, 4);
    kernel_place(source, "edgessrcdst", graph->n_edges, 4);
    kernel_place(source, "edgessrcwt", graph->n_edges, 4);
}

/* In warp code: where the edges of `vertex` begin. */
#define LONESTAR_FIRST_EDGE(mask, vertex)                                                          \
    do {                                                                                           \
        WARP_READ(LONESTAR_DEGREES, mask, vertex);                                                 \
        WARP_READ(LONESTAR_ROWS, mask, vertex);                                                    \
        WARP_READ(LONESTAR_STARTS, mask, vertex);                                                  \
    } while (0)

#endif
