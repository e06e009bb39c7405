/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coalescing: the lines and sectors that one warp access touches, as the
 * load/store unit would ask for them. Used by the profiler and by the trace
 * statistics, so that both count the same thing. */
#ifndef BANDSCAPE_TRACE_COALESCE_H
#define BANDSCAPE_TRACE_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/stream.h"

enum {
    SECTOR_BYTES = 32,
    COALESCE_MAX = 2 * WARP_LANES /* every lane in two lines of its own */
};

struct coalesced_line {
    uint64_t line;    /* address / line_bytes */
    uint32_t sectors; /* bit i: sector i of the line is touched */
};

/* Fills `out` with the distinct lines of the access, in the order in which its
 * active lanes (from lane 0 up) first touch them; a lane that straddles lines
 * touches the lower one first and counts for both. Returns their number; 0 for
 * ACCESS_NONE. `line_bytes` is a power of two, at least 32. A sector has 32 B;
 * in lines above 1 KiB, which have more than 32 of them, a bit of the mask
 * stands for line_bytes / 32 bytes. */
int coalesce(const struct warp_access *access, uint32_t line_bytes,
             struct coalesced_line out[COALESCE_MAX]);

/* The same, and most accesses are of lanes that follow each other in one line: for them at once. */
static inline int coalesce_most(const struct warp_access *access, int lanes, uint32_t line_bytes,
                                struct coalesced_line out[COALESCE_MAX])
{
    uint32_t offset = (uint32_t)access->base & (line_bytes - 1), stride = (uint32_t)access->stride;
    uint32_t last = offset + stride * (uint32_t)(lanes - 1) + access->bytes - 1;
    bool few = !access->addresses && (uint64_t)access->stride <= SECTOR_BYTES;
    if (!few || access->bytes == 0 || lanes == 0 || last >= line_bytes)
        return coalesce(access, line_bytes, out);
    int line_shift = __builtin_ctz(line_bytes), sector_shift = line_shift > 10 ? line_shift - 5 : 5;
    uint32_t above = UINT32_MAX >> (31 - (last >> sector_shift));
    out[0] = (struct coalesced_line){access->base >> line_shift,
                                     above & UINT32_MAX << (offset >> sector_shift)};
    return 1;
}

/* The pieces of one line that the active lanes touch: bit i is bytes [4i, 4i + 4), in lines
 * above 256 B the i-th 64th part of the line. */
uint64_t coalesce_pieces(const struct warp_access *access, uint32_t line_bytes, uint64_t line);

/* Whether the active lanes together touch all of these sectors of a line: bit i is the i-th of
 * n_sectors, a power of two up to 32. In pieces as above. */
bool coalesce_covers(const struct warp_access *access, uint32_t line_bytes, uint64_t line,
                     uint32_t sectors, uint32_t n_sectors);

#endif
