/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a warp's instruction on local memory, whose addresses are offsets in the windows of its
 * threads, to accesses in its frame (trace/local.h): one for each 32-bit word of a lane. */
#ifndef BANDSCAPE_TRACE_LOCAL_PARTS_H
#define BANDSCAPE_TRACE_LOCAL_PARTS_H

#include "trace/local.h"

/* How many accesses it takes; 0: an offset is outside the window, or one of words not aligned. */
int local_parts(const struct warp_access *offsets);

/* The i-th of them; `list` (WARP_LANES long) is its own. */
void local_part(const struct warp_access *offsets, int i, struct warp_access *part, uint64_t *list);

#endif
