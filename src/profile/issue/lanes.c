/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lane accesses by allocation. */
#include "profile/issue/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void lanes_init(struct lanes *lanes, const struct source *source)
{
    *lanes = (struct lanes){source->allocations.items, source->allocations.count, NULL, 0};
    lanes->counts = memory_zero(lanes->n_allocations, sizeof *lanes->counts);
}

void lanes_fini(struct lanes *lanes)
{
    free(lanes->counts);
    *lanes = (struct lanes){0};
}

void lanes_clear(struct lanes *lanes)
{
    memset(lanes->counts, 0, lanes->n_allocations * sizeof *lanes->counts);
}

void lanes_add(struct lanes *lanes, const struct lanes *other)
{
    for (size_t i = 0; i < lanes->n_allocations; i++)
        lane_counts_add(&lanes->counts[i], &other->counts[i]);
}

static bool holds(const struct stream_allocation *allocation, uint64_t address)
{
    return address - allocation->base < allocation->bytes;
}

/* Finds the allocation that holds the address and keeps it as the last one. */
static bool lanes_find(struct lanes *lanes, uint64_t address)
{
    if (holds(&lanes->allocations[lanes->last], address))
        return true;
    size_t low = 0, high = lanes->n_allocations;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (lanes->allocations[middle].base <= address)
            low = middle;
        else
            high = middle;
    }
    if (!holds(&lanes->allocations[low], address))
        return false;
    lanes->last = low;
    return true;
}

/* Whether one allocation, the last one from now on, holds all lanes. */
static inline bool are_together(struct lanes *lanes, const struct warp_access *access, int active)
{
    const struct stream_allocation *allocation;
    int held = 0;
    if (!lanes_find(lanes, warp_access_address(access, 0)))
        return false;
    allocation = &lanes->allocations[lanes->last];
    if (!access->addresses) /* lanes a stride apart stand between the first and the last */
        return holds(allocation, warp_access_address(access, active - 1));
    for (int k = 0; k < active; k++)
        held += holds(allocation, access->addresses[k]);
    return held == active;
}

void lanes_count(struct lanes *lanes, const struct warp_access *access)
{
    int active = warp_access_lanes(access);
    if (lanes->n_allocations == 0 || active == 0)
        return;
    if (are_together(lanes, access, active)) {
        lanes->counts[lanes->last].by_kind[access->kind] += (uint64_t)active;
        return;
    }
    for (int k = 0; k < active; k++)
        if (lanes_find(lanes, warp_access_address(access, k)))
            lanes->counts[lanes->last].by_kind[access->kind]++;
}
