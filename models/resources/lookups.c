/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "resources/lookups.h"

static bool has_lookups(const struct model_builder *b)
{
    double rate, nodes = 0;
    struct error ignored;
    if (machine_number(model_machine(b), "l1.lookups", &rate, &ignored))
        return false;
    return machine_number(model_machine(b), "l1.nodes", &nodes, &ignored) || nodes == 0;
}

bool lookups_read(struct model_builder *b, int *bandwidth, int *lines)
{
    struct term_graph *g = model_graph(b);
    if (!has_lookups(b))
        return false;
    if (!model_knows(b, FIELD_LINE_ACCESSES) || !model_knows(b, FIELD_BYTES)) {
        model_warn(b, "optimistic: the profile does not say the lines that L1 is asked for "
                      "(l1.lookups)");
        return false;
    }
    int line = model_parameter(b, "line"), one = model_constant(b, NULL, 1, DIM_NONE);
    int even = model_knows(b, FIELD_L1_UNIFORMITY) ? model_field(b, FIELD_L1_UNIFORMITY) : one;
    int sms =
        term_product(g, "SMs", model_parameter(b, "chips"), model_parameter(b, "sm.per_chip"));
    *bandwidth =
        term_product(g, "lines looked up", sms, model_parameter(b, "l1.lookups"), even, line);
    *lines = term_quotient(g, "lookups per line",
                           term_product(g, NULL, model_field(b, FIELD_LINE_ACCESSES), line),
                           model_field(b, FIELD_BYTES));
    return true;
}
