/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches beside L1 in the profiler. */
#include "profile/run/asides.h"

enum { LINES = 512 }; /* under way to a cache: as to an L1 */

void asides_init(struct asides *asides, const struct system *system, bool clocked)
{
    *asides = (struct asides){.clocked = clocked};
    beside_init(&asides->caches, system);
    for (uint32_t i = 0; clocked && i < system->beside.n; i++)
        waits_init(&asides->waits[i], system->beside.levels[i].caches, LINES);
}

void asides_fini(struct asides *asides)
{
    for (uint32_t i = 0; asides->clocked && i < asides->caches.n; i++)
        waits_fini(&asides->waits[i]);
    beside_fini(&asides->caches);
}

uint32_t asides_read(struct asides *asides, int level, uint32_t sm, uint64_t line, uint32_t wanted,
                     struct tally_counts *counts)
{
    uint32_t missing = beside_read(&asides->caches, level, sm, line, wanted);
    counts->beside[level].lookups++;
    counts->beside[level].hits += missing == 0;
    return missing;
}

void asides_wait_fields(const struct asides *asides, uint32_t first, const struct wait_clock *start,
                        const struct wait_clock *end, double fields[FIELD_COUNT])
{
    for (uint32_t i = 0; i < asides->caches.n; i++) {
        double *of_level = &fields[profile_level_field((int)(first + i), LEVEL_LOOKUPS)];
        const struct wait_beside *from = &start->beside[i], *to = &end->beside[i];
        of_level[LEVEL_CHAIN] = (double)(to->waits - from->waits);
        of_level[LEVEL_CHAIN_BOTH] = (double)(to->waits_both - from->waits_both);
        of_level[LEVEL_CHAIN_HITS] = (double)(to->hits - from->hits);
        of_level[LEVEL_CHAIN_HITS_BOTH] = (double)(to->hits_both - from->hits_both);
    }
}
