/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bulk copies between global and shared memory (the tensor memory accelerator, TMA: UBLKCP,
 * UBLKRED, UTMALDG, UTMASTG, UTMAREDG) as tracers of version 6 write them behind the width:
 *
 *     barrier(hex)  multicast(0, 1)  [mask of CTAs(hex), if 1]  bytes  bytes out of bounds
 *     3 n address(hex)*n    or    4 address(hex) n difference*(n-1)
 *
 * The addresses are of global memory, of equal pieces of what is in bounds: of a tensor's box the
 * tracer has worked them out. A copy to several CTAs (multicast) is read once.
 *
 * TMA goes past L1: from L2 into shared memory and back (Accel-Sim 2.0 has "TMA access L2 only").
 * The warp goes on; who waits is who looks at the copy's barrier. */
#ifndef BANDSCAPE_TRACE_ACCELSIM_BULK_H
#define BANDSCAPE_TRACE_ACCELSIM_BULK_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/stream.h"

enum { BULK_VERSION = 6, BULK_BYTES_MOST = 1 << 24 };

struct accelsim_bulk {
    uint64_t barrier; /* in shared memory */
    uint32_t pieces, piece_bytes;
    const char *at; /* what stands before the next address */
    uint64_t mode, last;
    uint32_t taken; /* pieces whose address was read */
    uint32_t done;  /* bytes of the last of them that were given out */
};

/* Reads up to the addresses. NULL, or what was expected at *at. *sized: whether it says how large
 * pieces are; without pieces nothing is asked for. */
const char *accelsim_bulk_read(const char **at, uint32_t width, struct accelsim_bulk *out,
                               bool *sized);

/* The next lanes: base, addresses, mask and bytes of an access; mask 0 behind the last ones.
 * `list` is WARP_LANES long. NULL, or what was expected at *at. */
const char *accelsim_bulk_next(struct accelsim_bulk *bulk, const char **at,
                               struct warp_access *access, uint64_t *list);

#endif
