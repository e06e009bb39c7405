/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compiled machine, and what models ask of its levels. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/internal.h"

void organised_fini(struct organised *organised)
{
    if (organised->compiled)
        system_fini(&organised->system);
    machine_destroy(organised->machine);
    *organised = (struct organised){0};
}

const struct system *model_system(struct model_builder *b, unsigned parts)
{
    static const struct system nothing = {
        .chips = 1, .partitions = 1, .domains = 1, .sms_per_domain = 1, .n_levels = 2};
    struct organised *o = b->organised;
    struct error error;
    if (o->compiled && (o->parts & parts) == parts)
        return &o->system;
    if (o->compiled)
        system_fini(&o->system);
    o->compiled = true;
    o->parts |= parts;
    if (system_compile(&o->system, b->machine, o->parts, &error) == 0)
        return &o->system;
    system_fini(&o->system);
    o->compiled = false;
    model_fail(b, &error);
    return &nothing;
}

const struct system_level *model_level(struct model_builder *b, const char *name)
{
    static const struct system_level nothing = {.name = ""};
    const struct system *s = model_system(b, 0);
    struct error error;
    for (uint32_t i = 0; i < s->n_levels; i++)
        if (s->levels[i].name && strcmp(s->levels[i].name, name) == 0)
            return &s->levels[i];
    builder_fail(b, error_set(&error, STATUS_FAILED, "the machine has no level %s", name), &error);
    return &nothing;
}

bool model_split(struct model_builder *b, const char *level)
{
    return model_level(b, level)->split;
}

enum level_side model_side(struct model_builder *b, const char *level)
{
    if (model_split(b, level))
        model_refuse(b, "it does not know an LLC whose ways are split between local and remote "
                        "lines (llc.organisation static, dynamic)");
    return model_level(b, level)->side;
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
