/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines and profiles for tests of the profiler. */
#ifndef BANDSCAPE_TESTS_PROFILE_CHECK_H
#define BANDSCAPE_TESTS_PROFILE_CHECK_H

#include "check.h"

#include "machine/machine.h"
#include "profile/record/profile.h"
#include "synthetic.h"
#include "yaml/yaml.h"
#include "profile/run/profiler.h"

/* A profile of one view. */
static inline struct profile *check_profile(const struct source *source,
                                            const struct machine *machine, bool cta_sharing)
{
    struct profile *profile = profile_create();
    struct profile_options options = {.parts = PART_WAITS | (cta_sharing ? PART_CTA_SHARING : 0)};
    check_ok(profile_make(profile, source, machine, &options, &failure));
    return profile;
}

/* A thread block of 256 copies as many numbers of 8 bytes, 262144 in all. */
static inline struct source *check_copies(void)
{
    return check_source(check_file(
        "copy.yaml", "workload: copy\nparameters: {n: 262144}\n"
                     "arrays: {a: {shape: [n], type: f64}, b: {shape: [n], type: f64}}\n"
                     "kernels:\n  - {name: k, grid: n/256, block: 256, let: {i: bx*256 + tx},\n"
                     "     body: [{load: \"a[i]\"}, {store: \"b[i]\"}]}\n"));
}

/* Compares a field with a whole number. */
#define check_field(record, field, want)                                                           \
    do {                                                                                           \
        double value_ = (record)->fields[field];                                                   \
        if (value_ != (double)(want))                                                              \
            fail_msg("%s = %.17g, expected %.17g", profile_field_row(field)->path, value_,         \
                     (double)(want));                                                              \
    } while (0)

#endif
