/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is counted during one launch, outside the stack distances. */
#ifndef BANDSCAPE_PROFILE_TALLY_H
#define BANDSCAPE_PROFILE_TALLY_H

#include "profile/run/groups.h"
#include <stdbool.h>
#include <stdint.h>

#include "profile/curves/weigh.h"
#include "profile/record/profile.h"
#include "machine/system.h"
#include "trace/stream.h"

/* Sectors, of a level before the LLC. */
struct tally_front {
    uint64_t lookups, hits, writebacks;
};

/* Of a TLB: lookups, merges among the hits. */
struct tally_tlb {
    uint64_t lookups, hits, merges;
};

/* Line reads, of a cache beside L1. */
struct tally_beside {
    uint64_t lookups, hits;
};

/* What is counted behind L1, perhaps by another thread than the rest. */
struct tally_behind_l1 {
    uint64_t requests[ACCESS_ATOMIC + 1]; /* by enum access_kind; sectors */
    uint64_t home_requests, home_reads, home_remote_requests, home_remote_reads;
    uint64_t replicable;
    struct group_counts groups;
    uint64_t invalidations;             /* copies in other domains that writes find */
    uint64_t first_reads, first_writes; /* lines, where first requests are counted apart
                                         * (requests.h): of the sample, if there is one; */
    uint64_t told_reads, told_writes;   /* those of all lines, where nothing is skimmed */
    struct tally_lines {                /* distinct in the launch: */
        uint64_t all, written, read_only;
    } lines, sampled; /* all of them, and those whose stack distances are taken */
};

/* Only whole numbers, so that a part of a launch is a difference. */
struct tally_counts {
    uint64_t ctas, warp_instructions, instructions_unknown;
    uint64_t warp_accesses, lane_accesses, lane_bytes, line_accesses, sector_accesses;
    uint64_t local_bytes, bulk_bytes;              /* of lane_bytes */
    uint64_t written_sectors;                      /* of sector_accesses: writes and atomics */
    uint64_t line_writes;                          /* of line_accesses: likewise */
    uint64_t remote_line_accesses;                 /* before L1 */
    uint64_t l1_reads, l1_read_hits;               /* lines */
    uint64_t l1_remote_reads, l1_remote_read_hits; /* of these, of remote lines */
    uint64_t followers_home, followers_own;        /* reads, */
    uint64_t followers_home_remote, followers_own_remote; /* of remote lines */
    uint64_t waits, awaited, loads, load_groups;          /* of warps */
    uint64_t waits_shared;  /* of these, for what another warp asked for */
    uint64_t waits_assumed; /* accesses: stream_kernel.waits_assumed */
    uint64_t page_moves;
    struct tally_tlb tlbs[MACHINE_TLBS_MAX];
    uint64_t walks_remote;
    struct tally_beside beside[MACHINE_BESIDE_MAX];
    uint64_t paths[ACCESS_PATHS]; /* line reads by enum access_path, whatever serves them */
    struct tally_front fronts[MACHINE_LEVELS_MAX]; /* as system_level() numbers them */
    uint64_t apart[8]; /* nothing: so that two threads share no cache line of the host */
    struct tally_behind_l1 behind;
};

struct tally {
    const struct system *system;
    struct tally_counts counts;
    uint64_t *traffic;     /* requests, [requester * domains + home] */
    uint64_t *home_slices; /* requests to each slice of the system, [domain * slices + slice], */
    uint64_t *own_slices;  /* when lines are cached at their home, and at the requester */
};

void tally_init(struct tally *tally, const struct system *system);
void tally_fini(struct tally *tally);
void tally_clear(struct tally *tally);
/* Adds counts of a part to those of the whole. */
void tally_add(struct tally_counts *to, const struct tally_counts *part);
/* Into one that was initialised for the same system. */
void tally_copy(struct tally *to, const struct tally *from);

/* left += now - mark. */
void tally_leave(struct tally *left, const struct tally *now, const struct tally *mark,
                 double share);
/* How often what was counted behind the head, and not left, stands for all (curves/weigh.h).
 * `first`: each first request. */
struct weights tally_weights(const struct tally *now, const struct tally *head,
                             const struct tally *left, double first);
/* What was counted behind the head, and not left, so often: but for what is known of all
 * (run/stretches.h). `first`: requests that are. */
void tally_weigh(struct tally *now, const struct tally *head, const struct tally *left,
                 const struct tally *first, const struct weights *weights);

/* Mean over maximum of the counts; NaN when all are 0 (SAC, section 3). */
double tally_uniformity(const uint64_t *counts, size_t n);

/* The fields of a profile record that the tally knows; all others are NaN. */
void tally_fields(const struct tally *tally, double fields[FIELD_COUNT]);

#endif
