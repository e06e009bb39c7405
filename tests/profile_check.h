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

/* A machine from the text of a machine file. */
static inline struct machine *check_machine(const char *text)
{
    struct error error;
    struct yaml_document *document;
    struct machine *machine = NULL;
    check_ok(yaml_parse("machine.yaml", text, strlen(text), &document, &error));
    check_ok(machine_read(document->root, "machine.yaml", &machine, &error));
    yaml_destroy(document);
    return machine;
}

static inline void check_set(struct machine *machine, const char *path, const char *value)
{
    struct error error;
    check_ok(machine_set(machine, path, value, NULL, &error));
}

/* A profile of one view. */
static inline struct profile *check_profile(const struct source *source,
                                            const struct machine *machine, bool cta_sharing)
{
    struct error error;
    struct profile *profile = profile_create();
    struct profile_options options = {.parts = PART_WAITS | (cta_sharing ? PART_CTA_SHARING : 0)};
    check_ok(profile_make(profile, source, machine, &options, &error));
    return profile;
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
