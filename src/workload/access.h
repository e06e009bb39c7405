/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lane addresses to the shortest form of a warp access: base + stride wherever
 * they are evenly spaced from one active lane to the next, else a list. */
#ifndef BANDSCAPE_WORKLOAD_ACCESS_H
#define BANDSCAPE_WORKLOAD_ACCESS_H

#include "trace/stream.h"

/* Takes the first lane out of a mask that is not 0. */
static inline uint32_t access_next_lane(uint32_t *mask)
{
    uint32_t lane = (uint32_t)__builtin_ctz(*mask);
    *mask &= *mask - 1;
    return lane;
}

/* Lane k of item->mask (not 0) touches base + k*stride. Sets base and stride of
 * the item and returns 0, or fills `list` and returns its length. */
int access_even(struct warp_access *item, uint64_t base, int64_t stride, uint64_t *list);

/* The n >= 1 active lanes touch list[0 .. n-1]. Returns 0 when base and stride
 * of the item say the same, else n. */
int access_list(struct warp_access *item, const uint64_t *list, int n);

#endif
