/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lane accesses by allocation. */
#ifndef BANDSCAPE_PROFILE_LANES_H
#define BANDSCAPE_PROFILE_LANES_H

#include "trace/stream.h"

struct lane_counts {
    uint64_t by_kind[ACCESS_ATOMIC + 1]; /* enum access_kind */
};

struct lanes {
    const struct stream_allocation *allocations; /* sorted by base, disjoint */
    size_t n_allocations;
    struct lane_counts *counts; /* one an allocation, of this launch */
    size_t last;                /* allocation found last: the next is often the same */
};

void lanes_init(struct lanes *lanes, const struct source *source);
void lanes_fini(struct lanes *lanes);
void lanes_clear(struct lanes *lanes);

static inline void lane_counts_add(struct lane_counts *to, const struct lane_counts *counts)
{
    for (int kind = 0; kind <= ACCESS_ATOMIC; kind++)
        to->by_kind[kind] += counts->by_kind[kind];
}

/* Adds the counts of another one over the same source. */
void lanes_add(struct lanes *lanes, const struct lanes *other);

/* Counts each active lane for the allocation that holds its first byte, if any does. */
void lanes_count(struct lanes *lanes, const struct warp_access *access);

#endif
