/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What models ask of the levels between L1 and the LLC. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/internal.h"

int model_level_field(struct model_builder *b, const char *level, enum profile_level_count count)
{
    int number = profile_record_level(b->record, level);
    if (number >= 0)
        return model_field(b, profile_level_field(number, count));
    struct error error;
    error_set(&error, STATUS_UNKNOWN_FIELD, "the profile counted nothing of the level %s", level);
    error_hint(&error, "profile the workload on this machine");
    builder_fail(b, STATUS_UNKNOWN_FIELD, &error);
    return builder_dummy(b, DIM_NONE);
}

int model_home_share(struct model_builder *b)
{
    if (system_between(model_system(b, 0)) == 0)
        return term_constant(b->graph, NULL, 1, DIM_NONE);
    return term_quotient(b->graph, "reach the home", model_field(b, FIELD_HOME_REQUESTS),
                         model_field(b, FIELD_REQUESTS));
}

int model_home_remote_share(struct model_builder *b)
{
    if (system_between(model_system(b, 0)) == 0)
        return term_difference(b->graph, "r_remote", term_constant(b->graph, NULL, 1, DIM_NONE),
                               model_field(b, FIELD_R_LOCAL));
    return term_quotient(b->graph, "reach another home", model_field(b, FIELD_HOME_REMOTE_REQUESTS),
                         model_field(b, FIELD_REQUESTS));
}

bool model_levels_keep_copies(struct model_builder *b)
{
    const struct system *s = model_system(b, 0);
    for (uint32_t i = 0; i < system_between(s); i++)
        if (system_level(s, i)->filter != FILTER_LOCAL)
            return true;
    return false;
}

void model_refuse_levels_before_requester(struct model_builder *b)
{
    const struct system *s = model_system(b, 0);
    if (system_between(s) && model_side(b, "llc") != SIDE_HOME)
        model_refuse(b,
                     "the level %s stands before an SM-side LLC, whose curve is of the "
                     "stream before that level",
                     system_level(s, 0)->name);
}

void model_refuse_fronts(struct model_builder *b)
{
    const struct system *s = model_system(b, 0);
    if (system_between(s))
        model_refuse(b, "it does not know the level %s between L1 and the LLC",
                     system_level(s, 0)->name);
}
