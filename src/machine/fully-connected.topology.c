/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topology: each chip linked to every other. */
#include "machine/topology.h"

static int fully_connected_generate(const struct machine *machine, struct link_graph *graph,
                                    struct error *error)
{
    uint32_t n = graph->n_chips;
    (void)machine;
    (void)error;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (i != j)
                link_graph_add(graph, i, j);
    return 0;
}

const struct topology topology_fully_connected = {
    .plugin = {"topology", "fully-connected", "each chip linked to every other", NULL, NULL},
    .generate = fully_connected_generate,
};
