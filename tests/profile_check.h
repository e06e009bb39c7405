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

/* Views of one source made together are what each is by itself, to the last byte, and of neither
 * all was gone through. */
static inline void check_settled_together(const struct source *source, const struct machine *a,
                                          const struct machine *b,
                                          const struct profile_options *options)
{
    const struct machine *machines[] = {a, b};
    struct profile_wanted wanted[2];
    for (int i = 0; i < 2; i++)
        wanted[i] = (struct profile_wanted){
            .profile = profile_create(), .machine = machines[i], .parts = options->parts};
    check_ok(profile_make_together(wanted, 2, source, options, &failure));
    for (int i = 0; i < 2; i++) {
        struct text together = {0}, alone = {0};
        struct profile *profile = profile_create();
        check_ok(profile_make(profile, source, machines[i], options, &failure));
        profile_print(profile, &alone);
        profile_print(wanted[i].profile, &together);
        assert_string_equal(alone.data, together.data);
        assert_true(profile->views[0].settled_within > 0);
        text_free(&alone);
        text_free(&together);
        profile_destroy(profile);
        profile_destroy(wanted[i].profile);
    }
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
