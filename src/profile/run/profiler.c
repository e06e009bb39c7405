/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass, whose view joins a profile. */
#include "profile/run/profiler.h"

#include "profile/record/internal.h"
#include "profile/run/pass.h"
#include "profile/shape.h"

int profile_make(struct profile *profile, const struct source *source,
                 const struct machine *machine, const struct profile_options *options,
                 struct error *error)
{
    struct shape shape;
    struct profile_view view = {0};
    const char *interleaving = NULL;
    int status = shape_read(&shape, machine, error);
    if (!status)
        status = pass_run(&shape, source, options, profile->arena, &view, &interleaving, error);
    if (!status)
        status = profile_provenance(profile, source, interleaving, error);
    if (status)
        return status;
    profile_key_read(machine, profile->arena, &view);
    profile_view_append(profile, &view);
    return 0;
}
