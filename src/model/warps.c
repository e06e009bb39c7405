/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a warp may have under way. */
#include "model/model.h"

#include <math.h>

double model_warps_begun(const struct model_builder *b)
{
    enum { LANES = 32 };
    const struct profile_record *record = model_profile_record(b);
    double threads = (double)record->block[0] * record->block[1] * record->block[2];
    double blocks = record->fields[FIELD_CTAS];
    return threads > 0 && blocks > 0 ? blocks * ceil(threads / LANES) : 0;
}

int model_accesses_under_way(struct model_builder *b, double asked)
{
    const double *fields = model_profile_record(b)->fields;
    if (!(asked > 0))
        asked = fields[FIELD_LOADS] / fields[FIELD_LOAD_GROUPS];
    if (!isfinite(asked))
        model_warn(b, "assumes that a warp has one access under way: the profile does not say how "
                      "many it asks for at a time (loads, load_groups)");
    if (fields[FIELD_WAITS_ASSUMED] > 0)
        model_warn(b, "assumes that an access needs all that its warp has loaded before it: the "
                      "trace does not say what needs what (waits_assumed)");
    asked = isfinite(asked) ? fmax(1, asked) : 1;
    return term_min(model_graph(b), "accesses of a warp", model_parameter(b, "sm.outstanding"),
                    model_constant(b, "asked for at a time", asked, DIM_NONE));
}
