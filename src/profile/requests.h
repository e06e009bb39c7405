/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream behind L1: what requests do to homes, slices and stack distances.
 *
 * Requests come in batches, in order, so that the table's cache misses overlap.
 * State lives as long as the run (lines, homes, memory-side contents); a tally
 * takes the counts of one launch. */
#ifndef BANDSCAPE_PROFILE_REQUESTS_H
#define BANDSCAPE_PROFILE_REQUESTS_H

#include "profile/cta_pairs.h"
#include "profile/homes.h"
#include "profile/line_table.h"
#include "profile/profile.h"
#include "profile/shape.h"
#include "profile/stack_distance.h"
#include "profile/tally.h"

/* A line that one warp access asks for. */
struct request {
    uint64_t line;
    uint64_t hash;  /* filled in by the batch */
    uint32_t id;    /* in the table; the batch's */
    uint32_t cta;   /* for CTA sharing */
    uint16_t chip;  /* that asks */
    uint8_t kind;   /* enum access_kind */
    uint8_t l1_hit; /* 1: no request, counts for CTA sharing only */
};

enum { REQUEST_BATCH = 256 };

/* A cache whose stack distances are taken: one engine a domain. */
struct scope {
    struct stack_distance *engines;
    uint32_t first_slot;
    bool at_home; /* the domain is the line's home, else the requester; a line has one
                   * home and hence one slot for all domains */
};

struct requests {
    const struct shape *shape;
    struct line_table lines;
    struct homes homes;
    struct scope scopes[SCOPE_COUNT];
    struct cta_pairs *pairs; /* NULL: not asked for */
    uint32_t launch;
};

/* To be finished even when it fails. */
int requests_init(struct requests *requests, const struct shape *shape, const struct source *source,
                  bool cta_sharing, struct error *error);
void requests_fini(struct requests *requests);

/* Flushes what kernel boundaries flush. */
void requests_begin_launch(struct requests *requests);

/* At most REQUEST_BATCH of them. */
int requests_take(struct requests *requests, struct request *batch, size_t n, struct tally *tally,
                  struct error *error);

/* Sharing over the run so far. */
struct profile_sharing requests_sharing(const struct requests *requests);

/* Bytes the state takes. */
size_t requests_bytes(const struct requests *requests);

#endif
