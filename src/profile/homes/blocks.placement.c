/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks: every allocation in as many contiguous parts as there are homes.
 *
 * An allocation has the pages from the one that holds its base to the one that
 * holds its last byte; a part is ceil(pages / homes) of them, so that the last
 * homes may get less or nothing. A page that two allocations share belongs to
 * the lower one. A page outside all allocations goes to the home `page number
 * mod homes`: traces name only what the host copied, and what they leave out
 * should not all land in one place. */
#include "profile/homes/placement.h"

/* The lowest allocation that has bytes in the page, or NULL. */
static const struct stream_allocation *blocks_find(const struct placement_context *context,
                                                   uint64_t page)
{
    const struct stream_allocation *items = context->source->allocations.items;
    size_t low = 0, high = context->source->allocations.count;
    while (low < high) { /* the first that ends above the page's first byte */
        size_t middle = low + (high - low) / 2;
        if (items[middle].base <= page && page - items[middle].base >= items[middle].bytes)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == context->source->allocations.count || items[low].bytes == 0 ||
        (items[low].base > page && items[low].base - page >= context->page_bytes))
        return NULL;
    return &items[low];
}

static uint32_t blocks_home(void *state, const struct placement_context *context, uint64_t address,
                            uint32_t toucher)
{
    const struct stream_allocation *allocation = blocks_find(context, address);
    uint64_t page = address / context->page_bytes;
    (void)state;
    (void)toucher;
    if (!allocation)
        return (uint32_t)(page % context->n_homes);
    uint64_t first = allocation->base / context->page_bytes;
    uint64_t last = (allocation->base + (allocation->bytes - 1)) / context->page_bytes;
    uint64_t part = (last - first) / context->n_homes + 1; /* ceil((last - first + 1) / homes) */
    return (uint32_t)((page - first) / part);
}

static uint64_t blocks_unit(const struct placement_context *context)
{
    return context->page_bytes;
}

const struct placement placement_blocks = {
    .plugin = {"placement", "blocks",
               "each allocation in contiguous parts, one a chip or partition", "DualOpt, PACT 2022",
               NULL},
    .home = blocks_home,
    .unit = blocks_unit,
};
