/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What models ask of the levels between L1 and the LLC. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/internal.h"

struct machine_levels model_levels(struct model_builder *b)
{
    struct machine_levels levels;
    struct error error;
    int status = machine_levels(b->machine, false, &levels, &error);
    if (status)
        builder_fail(b, status, &error);
    return levels;
}

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
    if (model_levels(b).n == 0)
        return term_constant(b->graph, NULL, 1, DIM_NONE);
    return term_quotient(b->graph, "reach the home", model_field(b, FIELD_HOME_REQUESTS),
                         model_field(b, FIELD_REQUESTS));
}

int model_home_remote_share(struct model_builder *b)
{
    if (model_levels(b).n == 0)
        return term_difference(b->graph, "r_remote", term_constant(b->graph, NULL, 1, DIM_NONE),
                               model_field(b, FIELD_R_LOCAL));
    return term_quotient(b->graph, "reach another home", model_field(b, FIELD_HOME_REMOTE_REQUESTS),
                         model_field(b, FIELD_REQUESTS));
}

bool model_levels_keep_copies(struct model_builder *b)
{
    struct machine_levels levels = model_levels(b);
    for (int i = 0; i < levels.n; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s.filter", levels.names[i]);
        if (strcmp(model_organised(b, path), "local") != 0)
            return true;
    }
    return false;
}

void model_refuse_levels_before_requester(struct model_builder *b)
{
    struct machine_levels levels = model_levels(b);
    if (levels.n && model_side(b, "llc")[0] != 'h')
        model_refuse(b,
                     "the level %s stands before an SM-side LLC, whose curve is of the "
                     "stream before that level",
                     levels.names[0]);
}

void model_refuse_fronts(struct model_builder *b)
{
    struct machine_levels levels = model_levels(b);
    if (levels.n)
        model_refuse(b, "it does not know the level %s between L1 and the LLC", levels.names[0]);
}
