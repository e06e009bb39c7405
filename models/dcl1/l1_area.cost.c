/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Area of the L1 arrays: fewer and larger ones are denser (dcl1/noc.h). */
#include <math.h>

#include "dcl1/noc.h"
#include "model/cost.h"

static int l1_area_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct dcl1_noc noc = {0};
    dcl1_noc_build(b, &noc);
    int power[] = {term_quotient(g, "capacity", model_parameter(b, "l1.capacity"),
                                 model_constant(b, NULL, DCL1_L1_BYTES, DIM_BYTES)),
                   model_constant(b, NULL, log2(DCL1_L1_GROWTH), DIM_NONE)};
    /* A power law: at any capacity the same times that of 16 KiB an SM. */
    return term_product(
        g, "L1 area",
        model_constant(b, "arrays of 16 KiB an SM", dcl1_l1_area(&noc, DCL1_L1_BYTES), DIM_NONE),
        term_operation(g, EXPRESSION_POWER, NULL, 2, power));
}

const struct cost cost_l1_area = {
    .plugin = {"cost", "l1_area", "area of the L1 arrays, without their queues", "DC-L1, HPCA 2021",
               NULL},
    .relative = "80 arrays of 16 KiB",
    .page = "Y/80 (capacity of a node / 16 KiB)^log2(1.84): twice the capacity takes 84 % more",
    .build = l1_area_build,
};
