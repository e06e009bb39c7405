/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that ride on one under way (DualOpt, PACT 2022): an MSHR that waits for some
 * pieces of a line serves a later request of its SM exactly when the pieces that it waits
 * for contain the later one's. Counted for pieces of 4, 8 and 16 bytes and for whole lines,
 * which any later request of the line rides on. MSHRs are not bounded: a request is under
 * way for `latency` rounds; of several for one line the last is looked at. */
#ifndef BANDSCAPE_MODELS_DUALOPT_MERGE_H
#define BANDSCAPE_MODELS_DUALOPT_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum merge_grain { MERGE_4, MERGE_8, MERGE_16, MERGE_LINE, MERGE_GRAINS };

struct merge {
    uint64_t latency;
    struct merge_line {
        uint64_t line, last;           /* the round of the last request that was sent */
        uint64_t sent[MERGE_GRAINS];   /* rounds */
        uint64_t pieces[MERGE_GRAINS]; /* that it asked for */
        uint32_t sm, used;             /* used 0: an empty place */
    } * lines;                         /* open addressing */
    size_t count;
    uint32_t bits;
    uint64_t requests[MERGE_GRAINS], asked[MERGE_GRAINS]; /* sent: requests, and their pieces */
};

void merge_init(struct merge *merge, uint64_t latency);
void merge_fini(struct merge *merge);

/* One request of an SM for these 4-byte pieces (bit mask, not 0) of a line; rounds never go
 * back. Whether it is sent, in 4-byte pieces. */
bool merge_take(struct merge *merge, uint32_t sm, uint64_t line, uint64_t round, uint64_t pieces);

#endif
