/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream behind L1: what requests do to lines, slices and stack distances.
 *
 * Requests come in batches, in order, so that the table's cache misses overlap.
 * With two threads, what is behind L1 is the second one's work; with more, the
 * table and the counts are one thread's, and others have some of the stack
 * distances each.
 * State lives as long as the run (lines, memory-side contents); the counts are
 * those of one launch. */
#ifndef BANDSCAPE_PROFILE_REQUESTS_H
#define BANDSCAPE_PROFILE_REQUESTS_H

#include "core/pipeline.h"
#include "profile/run/cta_pairs.h"
#include "profile/curves/distances.h"
#include "profile/curves/line_sample.h"
#include "profile/curves/line_table.h"
#include "profile/homes/pages.h"
#include "profile/record/profile.h"
#include "profile/request.h"
#include "machine/system.h"
#include "profile/run/firsts.h"
#include "profile/run/groups.h"
#include "profile/run/momentary.h"
#include "profile/run/tally.h"

enum { KINDS_MAX = 24 };

struct requests {
    const struct system *system;
    struct line_table lines;
    struct distances *kinds[KINDS_MAX];
    uint32_t n_kinds;
    struct tally *tally;
    struct tally *first; /* of a domain's first requests for lines in the launch, where they are
                          * counted apart, skimmed ones too; NULL: they are in `tally` */
    int threads;
    struct pipeline *arriving; /* of struct request_batch, towards the table of lines */
    struct pipeline *known;    /* of the same with ids, towards the distances; NULL: they are
                                * the work of the table's thread */
    int status;                /* of the table's thread */
    struct error error;
    struct cta_pairs *pairs;     /* NULL: not asked for */
    struct line_sample *sample;  /* of the lines whose distances are taken; NULL: of all */
    struct firsts firsts;        /* of it, where launches may be skimmed */
    struct evenness evenness[2]; /* of it, by enum level_side, as long as all lines come: */
    bool skimmed;                /* some launch was, and left out others */
    struct {                     /* by line, under hardware coherence: who may have a copy */
        uint64_t *items;         /* bit d: domain d asked for it since it was last written */
        size_t count, capacity;
    } sharers;
    uint32_t launch;
    struct momentary momentary;
    bool waits; /* who follows whom is known (PART_WAITS) */
    struct groups groups;
};

struct request_batch {
    size_t count;
    struct shards shards; /* at its end, where lines are sampled */
    struct request requests[REQUEST_BATCH];
};

/* `parts`: set of enum profile_part; `threads`: how many may work, the caller's too;
 * `rate`: of lines whose stack distances are taken; `skims`: others may be left out where launches
 * are skimmed (stretches.h), so that their number is not known. Counts go into the tally, in its
 * struct tally_behind_l1 and its arrays. The requests must stay where they are. */
void requests_init(struct requests *requests, const struct system *system, struct tally *tally,
                   unsigned parts, int threads, double rate, bool skims);
void requests_fini(struct requests *requests);

/* Flushes what kernel boundaries flush, and clears the counts of the last launch. */
void requests_begin_launch(struct requests *requests, const struct stream_kernel *kernel);

/* Where the next batch is to be filled in; `count` is the caller's to set. */
struct request_batch *requests_slot(struct requests *requests);
/* Takes that batch. */
void requests_take(struct requests *requests);
/* Waits until all that was taken is counted: 0, or the error that any of it met. */
int requests_wait(struct requests *requests, struct error *error);
/* Scales the distances of a sample to all requests; after requests_wait. `all`: what left the
 * caches is counted now, whatever it takes (distances_end_launch). */
void requests_end_launch(struct requests *requests, bool all);

/* Sharing over the run so far. `skimmed`: of the lines in the sample, if there is one. */
struct profile_sharing requests_sharing(const struct requests *requests, const struct pages *pages,
                                        bool skimmed);

#endif
