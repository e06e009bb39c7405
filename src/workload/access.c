/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Base + stride, or a list. */
#include "workload/access.h"

/* Lanes from one active lane to the next when they are evenly spaced, else 0. */
static uint32_t access_spacing(uint32_t mask)
{
    mask >>= __builtin_ctz(mask);
    if ((mask & (mask + 1)) == 0)
        return 1;
    uint32_t spacing = (uint32_t)__builtin_ctz(mask - 1), row = ((uint32_t)1 << spacing) - 1;
    for (; mask; mask >>= spacing)
        if ((mask & row) != 1)
            return 0;
    return spacing;
}

int access_even(struct warp_access *item, uint64_t base, int64_t stride, uint64_t *list)
{
    bool single = (item->mask & (item->mask - 1)) == 0;
    int n = 0;
    uint32_t spacing = stride == 0 ? 1 : access_spacing(item->mask);
    if (spacing) {
        item->base = base + (uint64_t)__builtin_ctz(item->mask) * (uint64_t)stride;
        item->stride = single ? 0 : stride * (int64_t)spacing; /* as access_list has it */
        return 0;
    }
    for (uint32_t left = item->mask; left;)
        list[n++] = base + access_next_lane(&left) * (uint64_t)stride;
    item->base = list[0];
    return n;
}

int access_list(struct warp_access *item, const uint64_t *list, int n)
{
    int64_t stride = n > 1 ? (int64_t)(list[1] - list[0]) : 0;
    item->base = list[0];
    if (n > 1 && list[n - 1] - list[0] != (uint64_t)(n - 1) * (uint64_t)stride)
        return n;
    for (int i = 2; i < n; i++)
        if (list[i] - list[i - 1] != (uint64_t)stride)
            return n;
    item->stride = stride;
    return 0;
}
