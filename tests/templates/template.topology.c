/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a topology: copy it to src/machine/<name>.topology.c, replace "template" by
 * <name>, and add the links, one a direction. Routes are the shortest ones.
 *
 * This one is a line: a ring that is open at its ends. */
#include "machine/topology.h"

static int template_generate(const struct machine *machine, struct link_graph *graph,
                             struct error *error)
{
    (void)machine; /* its parameters may say more than the number of chips */
    (void)error;
    for (uint32_t i = 0; i + 1 < graph->n_chips; i++) {
        link_graph_add(graph, i, i + 1);
        link_graph_add(graph, i + 1, i);
    }
    return 0;
}

const struct topology topology_template = {
    .plugin = {"topology", "template", "chips in a line", NULL, NULL},
    .generate = template_generate,
};
