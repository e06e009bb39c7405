/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power of all links when all are full: what they are provisioned for. What a workload's traffic
 * takes of it is the metric traffic_power of the model `link`.
 *
 *     P = (sum over directed edges of their bandwidth) E_tier
 *
 * Source: energies of MCM-GPU, ISCA 2017, Table 2 (link_energy). */
#include "machine/links.h"
#include "mcm/supply.h"
#include "model/cost.h"

static int all_edges(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct link_graph links;
    struct error error;
    double shares = 0, own = 0;
    if (link_graph_build(model_machine(b), &links, &error)) {
        model_refuse(b, "%s", error.text);
        return model_constant(b, "unknown", 0, DIM_BYTES_PER_S);
    }
    for (size_t e = 0; e < links.edges.count; e++) {
        shares += links.edges.items[e].share;
        own += links.edges.items[e].bandwidth_bytes_per_s;
    }
    link_graph_fini(&links);
    int listed = model_constant(b, "listed links", own, DIM_BYTES_PER_S);
    if (shares == 0)
        return listed;
    return term_sum(g, "all links",
                    term_product(g, NULL, model_constant(b, "links", shares, DIM_NONE),
                                 model_parameter(b, "inter.link_bandwidth")),
                    listed);
}

static int link_power_build(struct model_builder *b)
{
    struct error ignored;
    double chips = 1;
    machine_number(model_machine(b), "chips", &chips, &ignored);
    if (chips < 2)
        return model_constant(b, "no links", 0, (struct dim){0, -1, 0, 1});
    int tier = mcm_link_energy(b);
    if (tier >= 0)
        return term_product(model_graph(b), "power of the links", all_edges(b), tier);
    model_refuse(b, "the machine does not say its inter.tier: chip, package, board or system");
    return model_constant(b, "unknown", 0, (struct dim){0, -1, 0, 1});
}

const struct cost cost_link_power = {
    .plugin = {"cost", "link_power", "power of all links when all are full",
               "MCM-GPU, ISCA 2017, Table 2", NULL},
    .dim = IN_WATTS,
    .page = "P = (sum over directed edges of their bandwidth) link_energy.<inter.tier>",
    .build = link_power_build,
};
