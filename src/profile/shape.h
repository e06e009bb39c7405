/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a pass needs of a machine: the structural parameters, read and checked. */
#ifndef BANDSCAPE_PROFILE_SHAPE_H
#define BANDSCAPE_PROFILE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/machine.h"
#include "profile/placement.h"
#include "profile/schedule.h"

struct shape {
    uint32_t chips, sms_per_chip, sms;
    uint32_t line_bytes;           /* a power of two, at least a sector */
    bool flush_at_kernels;         /* software coherence: SM-side contents too, not only L1 */
    uint32_t warps, threads, ctas; /* that an SM holds */
    bool greedy;                   /* greedy then oldest; else loose round robin */
    uint32_t stall;                /* rounds that a warp sits out after a miss (greedy) */
    uint64_t l1_sets;              /* 0: no L1 */
    uint32_t l1_ways;
    uint32_t slices; /* of the LLC, per chip */
    uint64_t page_bytes, interleave_bytes;
    const struct placement *placement;
    const struct schedule *schedule;
    const char *cta_scope; /* lives as long as the machine */
};

int shape_read(struct shape *shape, const struct machine *machine, struct error *error);

#endif
