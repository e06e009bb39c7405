/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pass, or two where a sample does not suffice, whose view joins a profile. */
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
    struct profile_options pass = *options;
    int status = system_compile(&system, machine, SYSTEM_STREAM, error);
    if (!status) {
        pass.effort.sample_rate = profile_rate_first(source, system.line_bytes, options);
        status = pass_run(&system, source, &pass, profile->arena, &view, &interleaving, error);
    }
    double again = status ? 0 : profile_rate_again(&view, options);
    if (!status && again != view.sample_rate) {
        pass.effort.sample_rate = again;
        view = (struct profile_view){0};
        status = pass_run(&system, source, &pass, profile->arena, &view, &interleaving, error);
    }
    if (!status)
        status = profile_provenance(profile, source, interleaving, error);
    if (status)
        return status;
    profile_key_read(machine, profile->arena, &view);
    profile_view_append(profile, &view);
    return 0;
}
