/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Static power of the crossbars between SMs, L1 nodes and L2 (dcl1/noc.h). */
#include "dcl1/noc.h"
#include "model/cost.h"

static int l1_noc_static_power_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct dcl1_noc noc = {0};
    dcl1_noc_build(b, &noc);
    int width = term_quotient(g, "flit width", model_parameter(b, "dcl1.flit"),
                              model_constant(b, NULL, DCL1_LAW_FLIT, DIM_BYTES));
    int power[] = {width, model_constant(b, NULL, DCL1_FLIT_STATIC, DIM_NONE)};
    int narrow =
        model_constant(b, "flits of 32 B", dcl1_noc_static_power(&noc, DCL1_LAW_FLIT), DIM_NONE);
    return term_product(g, "NoC static power", narrow,
                        term_operation(g, EXPRESSION_POWER, NULL, 2, power));
}

const struct cost cost_l1_noc_static_power = {
    .plugin = {"cost", "l1_noc_static_power",
               "static power of the crossbars between SMs, L1 nodes and L2",
               "fitted to DC-L1, HPCA 2021", NULL},
    .relative = "the 80 x 32 crossbar of DC-L1's baseline",
    .page =
        "(6.848e-3 sum i + 1.571e-6 sum i o (i + o)) (w/32)^0.89 over crossbars of i inputs on\n"
        "the side of the SMs and o outputs, flits of w bytes; one chip; fitted up to 80 ports,\n"
        "within 0.75 % of the published ratios (0.998 for the baseline itself)",
    .build = l1_noc_static_power_build,
};
