/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches beside L1 in the profiler: lookups, and who waits for what they miss. */
#ifndef BANDSCAPE_PROFILE_ASIDES_H
#define BANDSCAPE_PROFILE_ASIDES_H

#include "profile/caches/beside.h"
#include "profile/issue/waits.h"
#include "profile/run/tally.h"

struct asides {
    struct beside caches;
    struct waits waits[MACHINE_BESIDE_MAX]; /* for lines */
    bool clocked;                           /* somebody counts waits */
};

void asides_init(struct asides *asides, const struct system *system, bool clocked);
void asides_fini(struct asides *asides);

/* A line read: the sectors that have to be asked for. */
uint32_t asides_read(struct asides *asides, int level, uint32_t sm, uint64_t line, uint32_t wanted,
                     struct tally_counts *counts);

/* Waits of the chain between two clocks, into the fields of the level's record; `first`: of the
 * caches beside L1. */
void asides_wait_fields(const struct asides *asides, uint32_t first, const struct wait_clock *start,
                        const struct wait_clock *end, double fields[FIELD_COUNT]);

#endif
