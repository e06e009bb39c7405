/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samplers: what a paper's hardware would see of a run, beside what the profiler counts. A sampler
 * is one file `<name>.sampler.c` that ends in its descriptor. Its fields stand in the table of all
 * fields (record/profile.h), so that files, groups of launches, lists and models know them by their
 * paths; nothing else names a sampler. */
#ifndef BANDSCAPE_PROFILE_SAMPLER_H
#define BANDSCAPE_PROFILE_SAMPLER_H

#include "core/plugin.h"
#include "profile/field.h"
#include "profile/request.h"
#include "machine/system.h"
#include "trace/stream.h"

struct profile_record;

/* A line of a warp access, after L1 and the levels before the LLC. */
struct sampler_line {
    const struct warp_access *access;
    const struct request *request;
    uint32_t node;  /* the L1 that was asked */
    uint64_t round; /* the clock; never goes back in a launch */
    bool remote;    /* the line's home is another domain */
    /* Of a remote line, pieces of 4 bytes or a 64th of it (bit masks): those of the sectors that L1
     * has to fetch, those that the lanes touch. */
    uint64_t fetched, pieces;
};

enum sampler_needs {
    SAMPLER_NEEDS_LLC = 1,    /* the LLC's sets and ways: without them its fields stay unknown */
    SAMPLER_NEEDS_WRITTEN = 2 /* REQUEST_REPLICABLE: what the launch writes is gathered first */
};

/* A column in the tables of `bandscape profile`: a field, two of them as a quotient, or a value. */
struct sampler_column {
    const char *key;           /* in JSON */
    const char *title, *unit;  /* heading, its second line */
    const char *field, *whole; /* paths; `whole` NULL: the field itself */
    double (*value)(const struct profile_record *record, const struct machine *machine);
    bool beside; /* the exact value to compare with, of the columns of the same title before it:
                  * shown only where they are */
};

struct sampler {
    struct plugin plugin;   /* kind "sampler" */
    const char *system;     /* whose hardware it is: "SAC" */
    enum profile_part part; /* with which it runs */
    unsigned needs;         /* enum sampler_needs */
    /* Fields in the order of their values, each of a group ("crd.hit"); ends with path NULL. The
     * part is the sampler's. */
    const struct profile_field_row *fields;
    /* The table where its columns stand, by its key in JSON: one of cli/profile_details.c, or one
     * of its own; NULL: that of samplers without one. */
    const char *table;
    const struct sampler_column *columns; /* ends with key NULL; NULL: none */

    size_t state_size;                                      /* bytes, zeroed */
    void (*init)(void *state, const struct system *system); /* the system outlives the state */
    void (*begin_launch)(void *state);
    /* NULL: it does not look. One line of an access; one request that reaches the LLC at home,
     * where write-backs of levels before the LLC have REQUEST_WRITEBACK and no access. */
    void (*take)(void *state, const struct sampler_line *line);
    void (*take_home)(void *state, const struct request *request);
    /* Of the launch, at its end, in the order of the fields; NaN: unknown. */
    void (*values)(const void *state, double *values);
    void (*fini)(void *state);
};

#endif
