/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topology: directed edges listed in the machine file; nodes from chips on are switches. */
#include "machine/topology.h"

static int edges_generate(const struct machine *machine, struct link_graph *graph,
                          struct error *error)
{
    uint32_t n = graph->n_chips;
    for (size_t e = 0; e < machine->n_edges; e++) {
        const struct machine_edge *edge = &machine->edges[e];
        VECTOR_PUSH(&graph->edges, *edge);
        if (edge->from >= graph->n_nodes)
            graph->n_nodes = edge->from + 1;
        if (edge->to >= graph->n_nodes)
            graph->n_nodes = edge->to + 1;
    }
    if (machine->n_edges == 0 && n > 1)
        return error_set(error, STATUS_INPUT,
                         "inter: topology edges needs a list: edges: [{from: 0, to: 1}, ...]");
    return 0;
}

const struct topology topology_edges = {
    .plugin = {"topology", "edges",
               "directed edges listed in the machine file; nodes from chips on are switches", NULL,
               NULL},
    .generate = edges_generate,
};
