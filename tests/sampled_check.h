/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of samplers, by their paths. */
#ifndef BANDSCAPE_TESTS_SAMPLED_CHECK_H
#define BANDSCAPE_TESTS_SAMPLED_CHECK_H

#include "check.h"

#include "profile/record/profile.h"

static inline enum profile_field check_sampled(const char *path)
{
    int field = profile_field_find(path);
    if (field < FIELD_SAMPLED || field > FIELD_SAMPLED_LAST)
        fail_msg("no sampler has the field %s", path);
    return (enum profile_field)field;
}

#endif
