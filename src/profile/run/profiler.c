/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass, whose view joins a profile. */
#include "profile/run/profiler.h"

#include "profile/record/internal.h"
#include "profile/run/pass.h"
#include "machine/system.h"

int profile_make(struct profile *profile, const struct source *source,
                 const struct machine *machine, const struct profile_options *options,
                 struct error *error)
{
    struct system system;
    struct profile_view view = {0};
    const char *interleaving = NULL;
    int status = system_compile(&system, machine, SYSTEM_STREAM, error);
    if (!status)
        status = pass_run(&system, source, options, profile->arena, &view, &interleaving, error);
    if (!status)
        status = profile_provenance(profile, source, interleaving, error);
    if (status)
        return status;
    profile_key_read(machine, profile->arena, &view);
    profile_view_append(profile, &view);
    return 0;
}
