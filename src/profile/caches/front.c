/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels in front of the LLC: what each takes from the stream, and what goes on. */
#include "profile/caches/front.h"

#include <string.h>

#include "core/hash.h"
#include "trace/stream.h"

void front_init(struct fronts *fronts, const struct system *system)
{
    *fronts = (struct fronts){.n = system_between(system), .coherent = !system->flush_at_kernels};
    for (uint32_t i = 0; i < fronts->n; i++) {
        const struct system_level *front = system_level(system, i);
        struct front_level *level = &fronts->levels[i];
        level->filter = front->filter;
        level->flush = system_flush(system, front, front->side);
        fronts->notes_written |= level->flush == FLUSH_STALE;
        level->sms = system->sms / front->caches;
        level->sms_per_domain = system->sms_per_domain;
        level->domains =
            level->sms > level->sms_per_domain ? level->sms / level->sms_per_domain : 1;
        cache_init(&level->cache, front->caches, front->sets, front->ways, system->sectors,
                   front->write == WRITE_BACK);
    }
    if (fronts->notes_written)
        written_init(&fronts->written);
}

void front_fini(struct fronts *fronts)
{
    for (uint32_t i = 0; i < fronts->n; i++)
        cache_fini(&fronts->levels[i].cache);
    written_fini(&fronts->written);
    *fronts = (struct fronts){0};
}

/* The note of a dirty line: who wrote it, and where it lives. */
_Static_assert(DOMAINS_MAX <= 256, "two domains fit into a note");

static inline uint16_t note_make(const struct front_request *request)
{
    return (uint16_t)(request->domain << 8 | request->home);
}

static inline uint32_t popcount(uint32_t sectors)
{
    return (uint32_t)__builtin_popcount(sectors);
}

static inline bool level_admits(const struct front_level *level, const struct front_request *r)
{
    if (level->filter == FILTER_ALL)
        return true;
    bool remote = r->domain / level->domains != r->home / level->domains;
    return remote == (level->filter == FILTER_REMOTE);
}

/* The set of a line in one of the level's caches. */
static inline size_t level_set(const struct front_level *level, uint32_t which, uint64_t line)
{
    uint32_t set = hash_reduce(hash_fmix64(line), (uint32_t)level->cache.sets);
    return cache_set(&level->cache, which, set);
}

/* One of the SMs for which a cache held a line that a domain wrote last. */
static inline uint32_t level_sm(const struct front_level *level, size_t set, uint32_t domain)
{
    return level->sms < level->sms_per_domain
               ? (uint32_t)(set / level->cache.ways / level->cache.sets) * level->sms
               : domain * level->sms_per_domain;
}

/* Writes a way's dirty sectors home, if it has any: the number of entries, 0 or 1. */
static int level_write_back(struct front_level *level, size_t set, uint32_t way,
                            struct front_request *out)
{
    struct cache *cache = &level->cache;
    if (!cache->dirty || cache->dirty[set + way] == 0)
        return 0;
    uint16_t note = cache->notes[set + way];
    *out = (struct front_request){
        .line = cache->tags[set + way] - 1,
        .sectors = cache->dirty[set + way],
        .sm = level_sm(level, set + way, note >> 8),
        .domain = note >> 8,
        .home = note & 0xff,
        .kind = ACCESS_WRITE,
        .writeback = true,
    };
    level->writebacks += popcount(out->sectors);
    cache_clean(cache, set, way);
    return 1;
}

/* Makes the line way 0, with these sectors beside those it has: entries written back.
 * *missing: those that it did not have. */
static int level_allocate(struct front_level *level, size_t set, uint32_t way,
                          const struct front_request *r, uint32_t *missing,
                          struct front_request *out)
{
    struct cache *cache = &level->cache;
    int n = 0;
    if (way == cache->ways) {
        n = level_write_back(level, set, cache->ways - 1, out);
        cache_fill(cache, set, r->line, r->sectors);
        *missing = r->sectors;
        return n;
    }
    cache_promote(cache, set, way);
    *missing = r->sectors & ~cache_valid(cache, set, 0);
    if (*missing)
        cache->valid[set] |= *missing;
    return n;
}

static int level_read(struct front_level *level, size_t set, uint32_t way,
                      const struct front_request *r, struct front_request *out)
{
    uint32_t missing;
    int n = level_allocate(level, set, way, r, &missing, out);
    uint32_t hits = popcount(r->sectors & ~missing);
    level->read_lookups += popcount(r->sectors);
    level->read_hits += hits;
    level->hits += hits;
    if (missing == 0)
        return n;
    out[n] = *r;
    out[n].sectors = missing;
    return n + 1;
}

static int level_write(struct front_level *level, size_t set, uint32_t way,
                       const struct front_request *r, struct front_request *out)
{
    struct cache *cache = &level->cache;
    uint32_t missing;
    if (!cache->dirty) {
        if (way < cache->ways)
            cache_promote(cache, set, way);
        *out = *r;
        return 1;
    }
    int n = level_allocate(level, set, way, r, &missing, out);
    cache_soil(cache, set, 0, r->sectors, note_make(r));
    level->hits += popcount(r->sectors);
    return n;
}

static int level_atomic(struct front_level *level, size_t set, uint32_t way,
                        const struct front_request *r, struct front_request *out)
{
    int n = 0;
    if (way < level->cache.ways) {
        n = level_write_back(level, set, way, out);
        cache_remove(&level->cache, set, way);
    }
    out[n] = *r;
    return n + 1;
}

/* What one level makes of one request: at most two entries, the request's own last. One
 * that is written back leaves at most one. */
static int level_take(struct front_level *level, const struct front_request *r,
                      struct front_request *out)
{
    if (!level_admits(level, r)) {
        *out = *r;
        return 1;
    }
    size_t set = level_set(level, r->sm / level->sms, r->line);
    uint32_t way = cache_find(&level->cache, set, r->line);
    level->lookups += popcount(r->sectors);
    if (r->kind == ACCESS_READ)
        return level_read(level, set, way, r, out);
    if (r->kind == ACCESS_WRITE)
        return level_write(level, set, way, r, out);
    return level_atomic(level, set, way, r, out);
}

/* The levels from number `first` on. */
static int fronts_take(struct fronts *fronts, uint32_t first, const struct front_request *in,
                       struct front_request *out)
{
    int n = 1;
    out[0] = *in;
    for (uint32_t i = first; i < fronts->n; i++) {
        struct front_request before[FRONT_OUT_MAX];
        int n_before = n;
        memcpy(before, out, (size_t)n * sizeof *out);
        n = 0;
        for (int k = 0; k < n_before; k++)
            n += level_take(&fronts->levels[i], &before[k], out + n);
    }
    return n;
}

/* Other caches give up what a request makes stale, or have it written home: entries. */
static int fronts_cohere(struct fronts *fronts, const struct front_request *r,
                         struct front_request *out)
{
    int n = 0;
    for (uint32_t i = 0; i < fronts->n; i++) {
        struct front_level *level = &fronts->levels[i];
        uint32_t caches = (uint32_t)(level->cache.n_sets / level->cache.sets);
        for (uint32_t which = 0; which < caches; which++) {
            struct front_request dirty;
            size_t set = level_set(level, which, r->line);
            uint32_t way = which == r->sm / level->sms ? level->cache.ways
                                                       : cache_find(&level->cache, set, r->line);
            if (way == level->cache.ways)
                continue;
            if (level_write_back(level, set, way, &dirty))
                n += fronts_take(fronts, i + 1, &dirty, out + n);
            if (r->kind != ACCESS_READ)
                cache_remove(&level->cache, set, way);
        }
    }
    return n;
}

int front_take(struct fronts *fronts, const struct front_request *in, struct front_request *out)
{
    if (fronts->notes_written && in->kind != ACCESS_READ)
        written_add(&fronts->written, in->line);
    int n = fronts->coherent ? fronts_cohere(fronts, in, out) : 0;
    return n + fronts_take(fronts, 0, in, out + n);
}

/* Writes home what is dirty; it leaves, unless all of the level does. */
static void level_flush_dirty(struct fronts *fronts, uint32_t i, front_emit_fn *emit, void *context)
{
    struct cache *cache = &fronts->levels[i].cache;
    struct front_request dirty, out[FRONT_OUT_MAX];
    size_t places = cache->n_sets * cache->ways;
    bool stays = fronts->levels[i].flush == FLUSH_ALL;
    for (size_t at = 0; at < places && cache->dirty_lines;) {
        int n = level_write_back(&fronts->levels[i], at, 0, &dirty);
        bool leaves = n && !stays;
        if (n)
            n = fronts_take(fronts, i + 1, &dirty, out);
        for (int k = 0; k < n; k++)
            emit(context, &out[k]);
        if (leaves)
            cache_remove(cache, at - at % cache->ways, (uint32_t)(at % cache->ways));
        at += !leaves; /* another line stands there now */
    }
}

/* Copies of lines that were written. */
static void level_drop_written(struct front_level *level, const struct written *written)
{
    struct cache *cache = &level->cache;
    size_t next = 0;
    uint64_t line;
    while (written_next(written, &next, &line))
        for (uint32_t which = 0; which < cache->n_sets / cache->sets; which++) {
            size_t set = level_set(level, which, line);
            uint32_t way = cache_find(cache, set, line);
            if (way < cache->ways)
                cache_remove(cache, set, way);
        }
}

void front_end_launch(struct fronts *fronts, front_emit_fn *emit, void *context)
{
    for (uint32_t i = 0; i < fronts->n; i++)
        if (fronts->levels[i].flush != FLUSH_NONE)
            level_flush_dirty(fronts, i, emit, context);
    for (uint32_t i = 0; i < fronts->n; i++) {
        if (fronts->levels[i].flush == FLUSH_STALE)
            level_drop_written(&fronts->levels[i], &fronts->written);
        if (fronts->levels[i].flush == FLUSH_ALL)
            cache_clear(&fronts->levels[i].cache);
    }
    written_clear(&fronts->written);
}

void front_clear_counts(struct fronts *fronts)
{
    for (uint32_t i = 0; i < fronts->n; i++) {
        struct front_level *level = &fronts->levels[i];
        level->lookups = level->hits = level->writebacks = 0;
        level->read_lookups = level->read_hits = 0;
    }
}
