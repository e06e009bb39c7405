/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topology: rows and columns of chips, each linked to its neighbours. */
#include "machine/grid.h"
#include "machine/topology.h"

static int mesh_generate(const struct machine *machine, struct link_graph *graph,
                         struct error *error)
{
    return grid_generate(machine, "mesh", false, graph, error);
}

const struct topology topology_mesh = {
    .plugin = {"topology", "mesh", "rows and columns of chips, each linked to its neighbours", NULL,
               grid_parameters},
    .generate = mesh_generate,
};
