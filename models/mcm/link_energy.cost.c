/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy of a byte that goes to another chip, by the integration tier that the links cross
 * (MCM-GPU, ISCA 2017, Table 2):
 *
 *     tier      bandwidth   energy         between
 *     chip      10s TB/s    80 fJ/bit      parts of one die
 *     package   1.5 TB/s    0.5 pJ/bit     dies of a package (ground-referenced signalling: 0.54)
 *     board     256 GB/s    10 pJ/bit      packages of a board
 *     system    12.5 GB/s   250 pJ/bit     boards
 *
 *     E = K E_tier     K: edges on the way to another chip, mean of uniform traffic
 *
 * The energies are parameters (link_energy.package): a technology of one's own is a --set away.
 * The model `link` charges the same energies to the traffic of a workload. */
#include "mcm/supply.h"
#include "model/cost.h"

#define TIER(name, fallback, help)                                                                 \
    {                                                                                              \
        name, PARAMETER_QUANTITY, IN_JOULES_PER_BYTE, 0, 1e-3, fallback, NULL, NULL, "byte",       \
            STRUCTURE_NONE, help, NULL                                                             \
    }

static const struct parameter_row energies[] = {
    TIER("chip", "80 fJ/bit", "energy of moving data over a chip"),
    TIER("package", "0.5 pJ/bit", "energy over a link inside a package"),
    TIER("board", "10 pJ/bit", "energy over a link between packages of a board"),
    TIER("system", "250 pJ/bit", "energy over a link between boards"),
    {.field = NULL},
};

static int link_energy_build(struct model_builder *b)
{
    struct mcm_links links;
    mcm_links_read(b, &links);
    if (links.chips < 2)
        return model_constant(b, "no links", 0, (struct dim)IN_JOULES_PER_BYTE);
    int tier = mcm_link_energy(b);
    if (tier < 0) {
        model_refuse(b, "the machine does not say its inter.tier: chip, package, board or system");
        return model_constant(b, "unknown", 0, (struct dim)IN_JOULES_PER_BYTE);
    }
    return term_product(model_graph(b), "K*E_tier", model_constant(b, "K", links.edges, DIM_NONE),
                        tier);
}

const struct cost cost_link_energy = {
    .plugin = {"cost", "link_energy", "energy of a byte that goes to another chip",
               "MCM-GPU, ISCA 2017, Table 2", energies},
    .dim = IN_JOULES_PER_BYTE,
    .page = "E = K E_tier\n\n"
            "K       edges on the way to another chip, mean of uniform traffic\n"
            "E_tier  link_energy.<inter.tier>: chip 80 fJ/bit, package 0.5, board 10, system\n"
            "        250 pJ/bit",
    .build = link_energy_build,
};
