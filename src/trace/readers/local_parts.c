/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/readers/local_parts.h"

int local_parts(const struct warp_access *offsets)
{
    unsigned bytes = offsets->bytes, unit = bytes < LOCAL_WORD_BYTES ? bytes : LOCAL_WORD_BYTES;
    for (int k = warp_access_lanes(offsets) - 1; k >= 0; k--) {
        uint64_t offset = warp_access_address(offsets, k);
        if (offset > LOCAL_WINDOW_BYTES - bytes || offset % unit)
            return 0;
    }
    return (int)(bytes / unit);
}

void local_part(const struct warp_access *offsets, int i, struct warp_access *part, uint64_t *list)
{
    int k = 0;
    *part = *offsets;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (offsets->mask >> lane & 1) {
            uint64_t offset = warp_access_address(offsets, k);
            list[k++] = local_place(offset + (uint64_t)i * LOCAL_WORD_BYTES, lane);
        }
    part->addresses = list;
    part->stride = 0;
    part->bytes = offsets->bytes < LOCAL_WORD_BYTES ? offsets->bytes : LOCAL_WORD_BYTES;
    part->flags |= ACCESS_LOCAL;
    if (i > 0) {
        part->flags |= ACCESS_PART;
        part->instructions = 0;
    }
}
