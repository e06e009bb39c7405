/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches: their memory, and emptying them. */
#include "profile/caches/cache.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Sets are emptied one by one while at most one in so many was used. */
enum { TOUCHED_SHARE = 8 };

void cache_init(struct cache *cache, uint32_t n, uint64_t sets, uint32_t ways, uint32_t sectors,
                bool write_back)
{
    *cache = (struct cache){.sets = sets, .ways = ways, .n_sets = n * sets};
    size_t places = cache->n_sets * ways;
    cache->room = cache->n_sets / TOUCHED_SHARE;
    cache->tags = memory_table(places, sizeof *cache->tags);
    cache->touched = memory_zero(cache->room, sizeof *cache->touched);
    if (sectors > 1)
        cache->valid = memory_zero(places, sizeof *cache->valid);
    if (!write_back)
        return;
    cache->dirty = memory_zero(places, sizeof *cache->dirty);
    cache->notes = memory_zero(places, sizeof *cache->notes);
}

void cache_fini(struct cache *cache)
{
    free(cache->tags);
    free(cache->valid);
    free(cache->dirty);
    free(cache->notes);
    free(cache->touched);
    *cache = (struct cache){0};
}

/* Only tags and dirty masks say something of an empty way. */
static void clear_places(struct cache *cache, size_t first, size_t n)
{
    memset(cache->tags + first, 0, n * sizeof *cache->tags);
    if (cache->dirty)
        memset(cache->dirty + first, 0, n * sizeof *cache->dirty);
}

void cache_clear(struct cache *cache)
{
    if (!cache_touched_few(cache))
        clear_places(cache, 0, cache->n_sets * cache->ways);
    else
        for (size_t i = 0; i < cache->n_touched; i++)
            clear_places(cache, cache->touched[i], cache->ways);
    cache->lines = cache->dirty_lines = 0;
    cache->n_touched = 0;
}

void cache_close(const struct cache *cache, size_t set, uint32_t way)
{
    size_t at = set + way, last = set + cache->ways - 1, n = last - at;
    memmove(cache->tags + at, cache->tags + at + 1, n * sizeof *cache->tags);
    cache->tags[last] = 0;
    if (cache->valid)
        memmove(cache->valid + at, cache->valid + at + 1, n * sizeof *cache->valid);
}

void cache_remove(struct cache *cache, size_t set, uint32_t way)
{
    size_t at = set + way, last = set + cache->ways - 1, n = last - at;
    cache->lines--;
    cache_close(cache, set, way);
    if (!cache->dirty)
        return;
    cache_clean(cache, set, way);
    memmove(cache->dirty + at, cache->dirty + at + 1, n * sizeof *cache->dirty);
    memmove(cache->notes + at, cache->notes + at + 1, n * sizeof *cache->notes);
    cache->dirty[last] = 0;
}
