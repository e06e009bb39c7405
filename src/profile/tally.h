/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is counted during one launch. */
#ifndef BANDSCAPE_PROFILE_TALLY_H
#define BANDSCAPE_PROFILE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/curve.h"
#include "profile/profile.h"
#include "trace/stream.h"

/* The scopes whose stack distances are taken: the chip that holds a line, and
 * the chip that asks for it. */
enum scope_index { SCOPE_HOME, SCOPE_REQUESTER, SCOPE_COUNT };

struct scope_tally {
    struct distance_histogram histogram; /* of all domains */
    uint64_t *requests, *cold;           /* one a domain */
};

struct tally {
    uint32_t chips, slices; /* slices: per chip */
    uint64_t ctas;
    uint64_t warp_instructions;
    bool instructions_unknown;
    uint64_t warp_accesses, lane_accesses, lane_bytes, line_accesses, sector_accesses;
    uint64_t l1_reads, l1_read_hits;
    uint64_t requests[ACCESS_ATOMIC + 1]; /* by enum access_kind */
    uint64_t lines, cta_shared_lines, cta_line_pairs;
    bool cta_sharing;      /* the last two are counted */
    uint64_t *traffic;     /* [requester * chips + home] */
    uint64_t *home_slices; /* requests to each slice of the system, [chip * slices + slice], when */
    uint64_t *own_slices;  /* lines are cached at their home, and at the requester */
    struct scope_tally scopes[SCOPE_COUNT];
};

void tally_init(struct tally *tally, uint32_t chips, uint32_t slices);
void tally_fini(struct tally *tally);
void tally_clear(struct tally *tally);

/* Mean over maximum of the counts; NaN when all are 0 (SAC, section 3). */
double tally_uniformity(const uint64_t *counts, size_t n);

/* The fields of a profile record; those that were not counted are NaN. */
void tally_fields(const struct tally *tally, double line_bytes, double fields[FIELD_COUNT]);

#endif
