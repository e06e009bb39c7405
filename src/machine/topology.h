/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A topology is one file `<name>.topology.c` that ends in its descriptor. */
#ifndef BANDSCAPE_MACHINE_TOPOLOGY_H
#define BANDSCAPE_MACHINE_TOPOLOGY_H

#include "core/plugin.h"
#include "machine/links.h"

struct topology {
    struct plugin plugin; /* kind "topology" */
    /* Adds the edges (and switches: raise graph->n_nodes) for graph->n_chips chips. */
    int (*generate)(const struct machine *machine, struct link_graph *graph, struct error *error);
};

#endif
