/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pass needs of a machine: the structural parameters, read and checked.
 *
 * Scopes: SM < L1 node < cluster of nodes < domain < chip < system. A domain is
 * what has memory of its own: a partition, or the chip where it has but one.
 * SMs are numbered through: those of a domain, of a node's group and of a
 * cluster are contiguous. */
#ifndef BANDSCAPE_PROFILE_SHAPE_H
#define BANDSCAPE_PROFILE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/levels.h"
#include "profile/placement.h"
#include "profile/schedule.h"

enum { DOMAINS_MAX = 64, FRONTS_MAX = MACHINE_LEVELS_MAX };

enum warp_order { WARPS_LRR, WARPS_GTO, WARPS_GRR };
enum request_filter { FILTER_ALL, FILTER_LOCAL, FILTER_REMOTE };

/* A requester-side level between L1 and the LLC. */
struct shape_front {
    const char *name;   /* of its section: lives as long as the machine */
    bool per_partition; /* one a domain; else one a chip */
    enum request_filter filter;
    uint64_t sets; /* of one cache */
    uint32_t ways;
    bool write_back;
};

struct shape {
    uint32_t chips, partitions, domains; /* partitions: per chip; domains: of the system */
    uint32_t sms_per_chip, sms_per_domain, sms;
    uint32_t line_bytes;   /* a power of two, at least a sector */
    uint32_t sectors;      /* of a line that are fetched separately, 1 to 32; a power of two */
    uint32_t sector_bits;  /* of a coalesced line's mask (trace/coalesce.h), a sector */
    bool flush_at_kernels; /* software coherence: SM-side contents too, not only L1 */

    uint32_t warps, threads, ctas; /* that an SM holds */
    enum warp_order order;
    uint32_t stall; /* rounds that a warp sits out after a miss (gto, grr) */

    uint64_t l1_sets; /* of one node; 0: no L1 */
    uint32_t l1_ways;
    uint32_t l1_nodes, l1_clusters; /* of the system */
    bool l1_perfect, l1_write_evict, l1_bypass_remote;
    struct shape_front fronts[FRONTS_MAX]; /* from the SMs towards memory: smaller scopes first,
                                            * then as the machine lists them */
    uint32_t n_fronts;

    uint32_t llc_sets, llc_ways; /* per domain, for the samplers; 0: unknown */
    uint32_t slices;             /* of the LLC, per domain */
    bool slices_fixed;           /* by low bits of the line number, not by a hash */
    uint64_t page_bytes, interleave_bytes;
    double page_threshold;
    uint32_t page_move_after; /* 0: unknown */
    const struct placement *placement;

    const struct schedule *schedule;
    const char *cta_scope; /* lives as long as the machine */
    uint32_t cta_batch;
};

int shape_read(struct shape *shape, const struct machine *machine, struct error *error);

/* Puts a launch to the schedule; to be ended whatever the result. The stream and the shape
 * must outlive it. */
int shape_begin_schedule(const struct shape *shape, struct stream *stream,
                         const struct stream_kernel *kernel, struct schedule_context *out,
                         struct error *error);
void shape_end_schedule(const struct shape *shape, struct schedule_context *context);

static inline uint32_t shape_domain(const struct shape *shape, uint32_t sm)
{
    return sm / shape->sms_per_domain;
}

/* Sectors as the machine has them, from a coalesced line's mask. */
static inline uint32_t shape_sectors(const struct shape *shape, uint32_t mask)
{
    uint32_t sectors = 0, bits = shape->sector_bits;
    if (shape->sectors == 1)
        return 1;
    if (bits == 1)
        return mask;
    for (uint32_t s = 0; s < shape->sectors; s++)
        sectors |= (uint32_t)((mask >> (s * bits) & ((1ULL << bits) - 1)) != 0) << s;
    return sectors;
}

/* "partition" or "chip": what the domains are called. */
const char *shape_domain_scope(const struct shape *shape);

#endif
