/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues of L1 nodes, to and from each of both NoCs (dcl1/noc.h). */
#include "dcl1/noc.h"
#include "model/cost.h"

static int l1_queues_build(struct model_builder *b)
{
    struct dcl1_noc noc = {0};
    dcl1_noc_build(b, &noc);
    return term_product(model_graph(b), "queues", model_parameter(b, "line"),
                        model_constant(b, "entries", dcl1_noc_queues(&noc, 1), DIM_NONE));
}

const struct cost cost_l1_queues = {
    .plugin = {"cost", "l1_queues", "storage in the queues of L1 nodes", "DC-L1, HPCA 2021", NULL},
    .dim = IN_BYTES,
    .page = "4 queues of 4 lines a node; 40 nodes: 6.25 % of 80 x 16 KiB",
    .build = l1_queues_build,
};
