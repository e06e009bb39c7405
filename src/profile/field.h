/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a field of a profile is, and the parts of a profile that fields belong to. The fields that
 * every profile has are in record/profile.h, others come with samplers (sampler.h). */
#ifndef BANDSCAPE_PROFILE_FIELD_H
#define BANDSCAPE_PROFILE_FIELD_H

#include "core/unit.h"

/* Parts of a profile that are made when they are asked for. */
#define PROFILE_PARTS(X)                                                                           \
    X(PART_CTA_SHARING, "cta-sharing", "pairs of lines and the thread blocks that touch them")     \
    X(PART_REMOTE, "remote", "curves of the local and the remote stream")                          \
    X(PART_REPLICATION, "replication", "curves with read-only shared lines replicated")            \
    X(PART_L1, "l1", "curves of the reads before L1, by SM, node, cluster and chip")               \
    X(PART_SYSTEM, "system", "curves of one cache for the whole system")                           \
    X(PART_LOCALITY, "locality", "use of remote lines, working sets, coalescing at the links")     \
    X(PART_SAMPLERS, "samplers", "what the papers' hardware samplers would have seen")             \
    X(PART_WINDOW, "window", "the first requests of every launch beside the whole")                \
    X(PART_WAITS, "waits", "who waits for data, how many one behind another, for one line together")

enum profile_part_index {
#define PROFILE_PART_INDEX(symbol, name, help) symbol##_INDEX,
    PROFILE_PARTS(PROFILE_PART_INDEX)
#undef PROFILE_PART_INDEX
        PART_COUNT
};
enum profile_part { /* a set of them is a sum */
                    PART_BASE = 0,
#define PROFILE_PART(symbol, name, help) symbol = 1 << symbol##_INDEX,
                    PROFILE_PARTS(PROFILE_PART)
#undef PROFILE_PART
                        PART_ALL = (1 << PART_COUNT) - 1
};
struct profile_part_row {
    const char *name, *help;
};
extern const struct profile_part_row profile_part_table[PART_COUNT];

/* How the fields of launches become one of their group. */
enum profile_field_kind {
    FIELD_KIND_SUM,        /* adds up */
    FIELD_KIND_MEAN,       /* weighted by requests */
    FIELD_KIND_RATIO,      /* a mean between 0 and 1 */
    FIELD_KIND_UNIFORMITY, /* a ratio of a mean over a maximum: never 0 */
    FIELD_KIND_LAST,       /* the last launch's value */
    FIELD_KIND_RUN         /* a ratio counted over the run so far: over the run */
};
struct profile_field_row {
    const char *path; /* in the file: "requests", "lsu.memory-side" */
    struct dim dim;
    enum profile_field_kind kind;
    unsigned part; /* enum profile_part that makes it; PART_BASE: always made */
    const char *help;
};

#endif
