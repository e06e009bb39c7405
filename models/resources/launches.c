/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "resources/launches.h"

int launches_beside(struct model_builder *b, int bandwidth)
{
    struct term_graph *g = model_graph(b);
    double launches = model_launches(b);
    if (!model_knows(b, FIELD_BYTES))
        return bandwidth;
    int time = term_product(g, "launches",
                            model_constant(b, "number", launches > 0 ? launches : 1, DIM_NONE),
                            model_parameter(b, "launch.time"));
    int beside =
        term_quotient(g, NULL, term_product(g, NULL, bandwidth, time), model_field(b, FIELD_BYTES));
    return term_quotient(
        g, "bandwidth with launches", bandwidth,
        term_sum(g, "time over work", model_constant(b, NULL, 1, DIM_NONE), beside));
}
