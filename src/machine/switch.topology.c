/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topology: each chip linked to one central switch. */
#include "machine/topology.h"

static int switch_generate(const struct machine *machine, struct link_graph *graph,
                           struct error *error)
{
    uint32_t n = graph->n_chips;
    (void)machine;
    (void)error;
    if (n > 1)
        graph->n_nodes = n + 1;
    for (uint32_t i = 0; i < n && n > 1; i++) {
        link_graph_add(graph, i, n);
        link_graph_add(graph, n, i);
    }
    return 0;
}

const struct topology topology_switch = {
    .plugin = {"topology", "switch", "each chip linked to one central switch", NULL, NULL},
    .generate = switch_generate,
};
