/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace or workload holds, without any machine: one pass over a source.
 *
 * A warp access ("warp request") is a warp memory instruction to global memory
 * with at least one active lane: a load, a store, an atomic or a reduction.
 * A line access is a line that a warp access touches, after coalescing; sectors
 * are counted likewise. Nothing is cached: every access counts. */
#ifndef BANDSCAPE_TRACE_STATISTICS_H
#define BANDSCAPE_TRACE_STATISTICS_H

#include <stdint.h>

#include "core/error.h"
#include "trace/stream.h"

enum { STATISTICS_LINE_BYTES = 128 }; /* the usual line */

/* Lanes by what they do. */
struct lane_counts {
    uint64_t reads, writes, atomics;
};

struct statistics_counts {
    uint64_t ctas, warps;  /* of the grid */
    uint64_t instructions; /* warp instructions; 0: the source does not know */
    uint64_t warp_accesses;
    struct lane_counts lanes; /* lane accesses */
    uint64_t lane_bytes;
    uint64_t local_bytes, bulk_bytes; /* of these, to local memory, and by bulk copies (TMA) */
    uint64_t local_frame;             /* local memory of a warp, the most of any launch */
    uint64_t lines;                   /* line accesses */
    uint64_t sectors;                 /* sector accesses (32 B) */
    uint64_t distinct_lines;          /* footprint */
    uint64_t shared_lines;            /* touched by two CTAs or more */
    uint64_t line_ctas;               /* distinct pairs (line, CTA) */
    struct stream_dropped dropped;
};

struct statistics_kernel {
    const char *name;
    uint32_t grid[3], block[3], shared_bytes;
    struct statistics_counts counts;
    struct lane_counts *allocations; /* one per allocation, then one for the rest */
};

struct statistics {
    struct arena *arena; /* of the names */
    uint32_t line_bytes;
    size_t allocation_count; /* of the source */
    struct {
        struct statistics_kernel *items;
        size_t count, capacity;
    } kernels;
    /* Sums; distinct lines are distinct over all kernels, while sharing is
     * counted within each kernel, because CTAs of different kernels do not meet. */
    struct statistics_counts total;
    struct lane_counts *total_allocations;
};

/* CTAs a line, over all lines and over the shared ones; 0 when there are none. */
double statistics_ctas_per_line(const struct statistics_counts *counts);
double statistics_ctas_per_shared_line(const struct statistics_counts *counts);

/* `line_bytes`: a power of two, at least 32. Memory grows with the footprint
 * only. Free the result with statistics_destroy. */
int statistics_gather(const struct source *source, uint32_t line_bytes, struct statistics **out,
                      struct error *error);
void statistics_destroy(struct statistics *statistics); /* NULL is legal */

#endif
