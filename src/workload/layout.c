/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The address map of generated workloads. */
#include "workload/layout.h"

static const uint64_t layout_first = 0x7f0000000000, layout_end = 0x800000000000;
static const uint64_t layout_small_align = 256, layout_large = 1 << 20,
                      layout_large_align = 2 << 20;

uint64_t layout_place(struct source *source, const char *name, uint64_t bytes)
{
    uint64_t at = layout_first;
    if (source->allocations.count) {
        const struct stream_allocation *last =
            &source->allocations.items[source->allocations.count - 1];
        at = last->base + last->bytes;
        if (last->bytes >= layout_large)
            at = (at + layout_large_align - 1) / layout_large_align * layout_large_align;
    }
    uint64_t align = bytes >= layout_large ? layout_large_align : layout_small_align;
    at = (at + align - 1) / align * align;
    if (bytes > layout_end - layout_first || at > layout_end - bytes)
        return 0;
    VECTOR_PUSH(&source->allocations, (struct stream_allocation){name, at, bytes});
    return at;
}
