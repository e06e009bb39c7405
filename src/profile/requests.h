/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream behind L1: what requests do to lines, slices and stack distances.
 *
 * Requests come in batches, in order, so that the table's cache misses overlap.
 * State lives as long as the run (lines, memory-side contents); the counts are
 * those of one launch. */
#ifndef BANDSCAPE_PROFILE_REQUESTS_H
#define BANDSCAPE_PROFILE_REQUESTS_H

#include "profile/cta_pairs.h"
#include "profile/distances.h"
#include "profile/line_table.h"
#include "profile/profile.h"
#include "profile/request.h"
#include "profile/shape.h"
#include "profile/tally.h"

enum { KINDS_MAX = 16 };

struct requests {
    const struct shape *shape;
    struct line_table lines;
    struct distances *kinds[KINDS_MAX];
    uint32_t n_kinds;
    struct cta_pairs *pairs; /* NULL: not asked for */
    uint32_t launch;
};

/* `parts`: set of enum profile_part. */
void requests_init(struct requests *requests, const struct shape *shape, unsigned parts);
void requests_fini(struct requests *requests);

/* Flushes what kernel boundaries flush, and clears the counts of the last launch. */
void requests_begin_launch(struct requests *requests);

/* At most REQUEST_BATCH of them; they may be changed. */
int requests_take(struct requests *requests, struct request *batch, size_t n, struct tally *tally,
                  struct error *error);

/* Sharing over the run so far; pages_by_sms and page_balance are left unknown. */
struct profile_sharing requests_sharing(const struct requests *requests);

/* Bytes the state takes. */
size_t requests_bytes(const struct requests *requests);

#endif
