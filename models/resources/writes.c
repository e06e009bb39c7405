/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "resources/writes.h"

#include <math.h>

bool writes_are_apart(const struct model_builder *b)
{
    double given;
    struct error ignored;
    return machine_number(model_machine(b), "llc.write_bandwidth", &given, &ignored) == 0;
}

static double local_read_share(const struct model_builder *b)
{
    const double *fields = model_profile_record(b)->fields;
    double reads = fields[FIELD_HOME_READS] - fields[FIELD_HOME_REMOTE_READS];
    double share = reads / (fields[FIELD_HOME_REQUESTS] - fields[FIELD_HOME_REMOTE_REQUESTS]);
    return isfinite(share) ? share : model_read_share(b);
}

int writes_among(struct model_builder *b, int local, int remote)
{
    struct term_graph *g = model_graph(b);
    int near = model_constant(b, "local, written", 1 - local_read_share(b), DIM_NONE);
    int far = model_constant(b, "remote, written", 1 - model_remote_read_share(b), DIM_NONE);
    return term_sum(g, "written", term_product(g, NULL, local, near),
                    term_product(g, NULL, remote, far));
}

int writes_bandwidth(struct model_builder *b)
{
    return term_product(model_graph(b), "into all slices", model_parameter(b, "chips"),
                        model_parameter(b, "llc.write_bandwidth"));
}
