/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Area of the crossbars between SMs, L1 nodes and L2 (dcl1/noc.h). */
#include "dcl1/noc.h"
#include "model/cost.h"

static int l1_noc_area_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct dcl1_noc noc = {0};
    dcl1_noc_build(b, &noc);
    struct dcl1_sums sums = dcl1_noc_sums(&noc);
    int width = term_quotient(g, "flit width", model_parameter(b, "dcl1.flit"),
                              model_constant(b, NULL, DCL1_LAW_FLIT, DIM_BYTES));
    int power[] = {width, model_constant(b, NULL, DCL1_FLIT_CROSSPOINT, DIM_NONE)};
    int crosspoints =
        model_constant(b, "crosspoints", dcl1_law.area_crosspoint * sums.crosspoints, DIM_NONE);
    int buffers = model_constant(b, "buffers", dcl1_law.area_buffer * sums.ports, DIM_NONE);
    int wide = term_operation(g, EXPRESSION_POWER, NULL, 2, power);
    return term_sum(g, "NoC area", term_product(g, NULL, crosspoints, wide),
                    term_product(g, NULL, buffers, width));
}

const struct cost cost_l1_noc_area = {
    .plugin = {"cost", "l1_noc_area", "area of the crossbars between SMs, L1 nodes and L2",
               "fitted to DC-L1, HPCA 2021", NULL},
    .relative = "the 80 x 32 crossbar of DC-L1's baseline",
    .page =
        "3.136e-4 sum i o (w/32)^1.9 + 1.551e-3 sum (i + o) w/32 over crossbars of i inputs on\n"
        "the side of the SMs and o outputs, flits of w bytes; one chip; fitted up to 80 ports,\n"
        "within 2.4 % of the published ratios (0.977 for the baseline itself)",
    .build = l1_noc_area_build,
};
