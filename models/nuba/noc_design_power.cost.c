/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Design power of the crossbar that joins SMs and slices, or partitions.
 *
 *     P = (B_NoC / 1.4 TB/s)^1.2                          memory-side UBA, NUBA
 *     P = (B_NoC / 1.4 TB/s)^1.2 * 0.696 (B_NoC / 1.4 TB/s)^0.077       SM-side UBA
 *
 * Relative to the memory-side UBA's 64 x 64 hierarchical crossbar at 1.4 TB/s, for the same
 * topology at another width. It is provisioned power; the energy of traffic is another cost.
 * Source: ratios published in NUBA, ASPLOS 2023 (exponents 1.199 and 1.202), fitted. */
#include <string.h>

#include "model/cost.h"

/* factor * x^exponent */
static int power_law(struct model_builder *b, double factor, int x, double exponent)
{
    struct term_graph *g = model_graph(b);
    int power = term_operation(g, EXPRESSION_POWER, NULL, 2,
                               (int[]){x, model_constant(b, "exponent", exponent, DIM_NONE)});
    return term_product(g, NULL, model_constant(b, "factor", factor, DIM_NONE), power);
}

static int noc_design_power_build(struct model_builder *b)
{
    struct term_graph *g = model_graph(b);
    struct error ignored;
    double chips = 1, inputs = 64, outputs = 64;
    machine_number(model_machine(b), "chips", &chips, &ignored);
    machine_number(model_machine(b), "noc.inputs", &inputs, &ignored);
    machine_number(model_machine(b), "noc.outputs", &outputs, &ignored);
    if (chips != 1 || inputs != 64 || outputs != 64)
        model_refuse(b, "the law holds for one crossbar of 64 x 64 ports, not for %g of %g x %g",
                     chips, inputs, outputs);
    int x = term_quotient(g, "B_NoC/1.4 TB/s", model_parameter(b, "noc.bandwidth"),
                          model_constant(b, NULL, 1.4e12, DIM_BYTES_PER_S));
    int power = power_law(b, 1, x, 1.2);
    if (strcmp(model_name(b, "llc.organisation"), "sm-side") != 0)
        return power;
    return term_product(g, "NoC design power", power, power_law(b, 0.696, x, 0.077));
}

const struct cost cost_noc_design_power = {
    .plugin = {"cost", "noc_design_power", "provisioned power of the crossbar, by its bandwidth",
               "NUBA, ASPLOS 2023, NoC power", NULL},
    .dim = IN_PLAIN,
    .relative = "the memory-side UBA's crossbar at 1.4 TB/s",
    .page = "P = (B_NoC / 1.4 TB/s)^1.2; an SM-side UBA's is 0.696 (B_NoC / 1.4 TB/s)^0.077 of "
            "it.\nAt equal topology, 64 x 64 ports. Fitted to the published ratios.",
    .build = noc_design_power_build,
};
