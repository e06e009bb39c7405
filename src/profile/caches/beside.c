/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches beside L1: lookups. */
#include "profile/caches/beside.h"

void beside_init(struct beside *beside, const struct system *system)
{
    const struct system_beside *of = &system->beside;
    *beside = (struct beside){.n = of->n};
    for (unsigned path = 0; path < ACCESS_PATHS; path++)
        beside->of_path[path] = beside_of(of, path);
    for (uint32_t i = 0; i < of->n; i++) {
        const struct system_beside_level *level = &of->levels[i];
        beside->levels[i].sms = system->sms / level->caches;
        beside->levels[i].keeps = level->keeps;
        cache_init(&beside->levels[i].cache, level->caches, level->sets, level->ways,
                   system->sectors, false);
    }
}

void beside_fini(struct beside *beside)
{
    for (uint32_t i = 0; i < beside->n; i++)
        cache_fini(&beside->levels[i].cache);
    *beside = (struct beside){0};
}

/* By low bits of the line's number, as L1 has its sets; their number need be no power of two. */
uint32_t beside_read(struct beside *beside, int level, uint32_t sm, uint64_t line, uint32_t wanted)
{
    struct cache *cache = &beside->levels[level].cache;
    size_t set = cache_set(cache, beside_which(beside, level, sm), line % cache->sets);
    uint32_t way = cache_find(cache, set, line);
    if (way == cache->ways) {
        cache_fill(cache, set, line, wanted);
        return wanted;
    }
    cache_promote(cache, set, way);
    uint32_t missing = wanted & ~cache_valid(cache, set, 0);
    if (missing)
        cache->valid[set] |= missing;
    return missing;
}

void beside_begin_launch(struct beside *beside)
{
    for (uint32_t i = 0; i < beside->n; i++)
        if (!beside->levels[i].keeps)
            cache_clear(&beside->levels[i].cache);
}
