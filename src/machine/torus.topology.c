/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topology: a mesh whose rows and columns are rings. */
#include "machine/grid.h"
#include "machine/topology.h"

static int torus_generate(const struct machine *machine, struct link_graph *graph,
                          struct error *error)
{
    return grid_generate(machine, "torus", true, graph, error);
}

const struct topology topology_torus = {
    .plugin = {"topology", "torus", "a mesh whose rows and columns are rings", NULL,
               grid_parameters},
    .generate = torus_generate,
};
