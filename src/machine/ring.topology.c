/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topology: each chip linked to its two neighbours. */
#include "machine/topology.h"

static int ring_generate(const struct machine *machine, struct link_graph *graph,
                         struct error *error)
{
    uint32_t n = graph->n_chips;
    (void)machine;
    (void)error;
    /* Two chips have one link each way, not two in parallel. */
    for (uint32_t i = 0; i < n && n > 1; i++) {
        link_graph_add(graph, i, (i + 1) % n);
        if (n > 2)
            link_graph_add(graph, i, (i + n - 1) % n);
    }
    return 0;
}

const struct topology topology_ring = {
    .plugin = {"topology", "ring", "each chip linked to its two neighbours", NULL, NULL},
    .generate = ring_generate,
};
