/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of equal set-associative caches with LRU replacement: the state and the
 * elementary moves. Who looks up what, and what a miss does, is said by l1.h
 * and front.h.
 *
 * A set is named by the place of its first way, cache_set(). Its ways stand in
 * LRU order, the most recent first, and the empty ones last. What is kept of a
 * way beside its tag lies in arrays of its own, only where it is needed: which
 * sectors are valid (lines of several sectors), which are dirty and a note for
 * the owner (write-back caches). */
#ifndef BANDSCAPE_PROFILE_CACHE_H
#define BANDSCAPE_PROFILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache {
    uint64_t *tags;  /* line + 1; 0: empty */
    uint32_t *valid; /* sectors, never 0 in a way that is not empty; NULL: lines of one sector */
    uint32_t *dirty; /* sectors; NULL: not a write-back cache */
    uint16_t *notes; /* the owner's, of dirty ways; NULL as well */
    uint64_t sets;   /* of one cache */
    uint32_t ways;
    size_t n_sets;          /* of all */
    uint64_t apart[8];      /* nothing: who looks up and who counts may be two threads (l1.h) */
    uint64_t lines;         /* that all of them hold together */
    uint64_t dirty_lines;   /* of these, dirty */
    size_t *touched;        /* sets that were filled since all were empty; of these, */
    size_t n_touched, room; /* only the first `room` are in the list */
};

/* n caches; sectors: of a line. */
void cache_init(struct cache *cache, uint32_t n, uint64_t sets, uint32_t ways, uint32_t sectors,
                bool write_back);
void cache_fini(struct cache *cache);

/* Empties all of them; dirty lines are forgotten. Its time goes with what was used. */
void cache_clear(struct cache *cache);

static inline size_t cache_set(const struct cache *cache, uint32_t which, uint64_t set)
{
    return (which * cache->sets + set) * cache->ways;
}

/* The way of the set that holds the line; `ways` when none does. */
static inline uint32_t cache_find(const struct cache *cache, size_t set, uint64_t line)
{
    const uint64_t *tags = cache->tags + set;
    uint32_t way = 0;
    while (way < cache->ways && tags[way] != line + 1)
        way++;
    return way;
}

/* The sectors of an occupied way. */
static inline uint32_t cache_valid(const struct cache *cache, size_t set, uint32_t way)
{
    return cache->valid ? cache->valid[set + way] : 1;
}

static inline void cache_rotate(uint32_t *row, uint32_t way, uint32_t first)
{
    for (; way > 0; way--)
        row[way] = row[way - 1];
    row[0] = first;
}

/* Moves ways 0 .. way-1 back by one and puts this in front. */
static inline void cache_rotate_all(struct cache *cache, size_t set, uint32_t way, uint64_t tag,
                                    uint32_t valid, uint32_t dirty, uint16_t note)
{
    uint64_t *tags = cache->tags + set;
    for (uint32_t i = way; i > 0; i--)
        tags[i] = tags[i - 1];
    tags[0] = tag;
    if (cache->valid)
        cache_rotate(cache->valid + set, way, valid);
    if (!cache->dirty)
        return;
    cache_rotate(cache->dirty + set, way, dirty);
    uint16_t *notes = cache->notes + set;
    for (uint32_t i = way; i > 0; i--)
        notes[i] = notes[i - 1];
    notes[0] = note;
}

/* Makes a way the most recent: it is way 0 after that. */
static inline void cache_promote(struct cache *cache, size_t set, uint32_t way)
{
    size_t at = set + way;
    cache_rotate_all(cache, set, way, cache->tags[at], cache->valid ? cache->valid[at] : 0,
                     cache->dirty ? cache->dirty[at] : 0, cache->dirty ? cache->notes[at] : 0);
}

/* A set takes a line: it held any before, and this tag leaves it. */
static inline void cache_count_fill(struct cache *cache, size_t set, bool empty, uint64_t victim)
{
    cache->lines += victim == 0;
    if (!empty || cache->n_touched > cache->room)
        return;
    if (cache->n_touched < cache->room)
        cache->touched[cache->n_touched] = set;
    cache->n_touched++;
}

/* Finds and promotes, or fills, in one sweep over the set, for caches with tags alone.
 * True when the line was there; else *victim is what cache_fill() returns, and *empty whether the
 * set was, both for cache_count_fill(). The way is not branched on: nothing could predict it. */
static inline bool cache_sweep(const struct cache *cache, size_t set, uint64_t line,
                               uint64_t *victim, bool *empty)
{
    uint64_t *tags = cache->tags + set;
    uint64_t held = line + 1, first = tags[0];
    uint64_t found = 0; /* all ones behind the way that held it */
    *empty = first == 0;
    if (first == held)
        return true;
    tags[0] = held;
    held = first;
    for (uint32_t way = 1; way < cache->ways; way++) {
        uint64_t tag = tags[way];
        tags[way] = (tag & found) | (held & ~found);
        found |= -(uint64_t)(tag == line + 1);
        held = tag;
    }
    if (found)
        return true;
    *victim = held;
    return false;
}

/* The same, counted; a line that was there leaves *victim as it is. */
static inline bool cache_take(struct cache *cache, size_t set, uint64_t line, uint64_t *victim)
{
    bool empty, hit = cache_sweep(cache, set, line, victim, &empty);
    if (!hit)
        cache_count_fill(cache, set, empty, *victim);
    return hit;
}

/* Puts a line that is not there into way 0, clean. The tag that leaves the set for it;
 * 0: none. Its dirty data are the caller's to look at before. */
static inline uint64_t cache_fill(struct cache *cache, size_t set, uint64_t line, uint32_t sectors)
{
    uint32_t last = cache->ways - 1;
    uint64_t victim = cache->tags[set + last];
    cache_count_fill(cache, set, cache->tags[set] == 0, victim);
    if (cache->dirty)
        cache->dirty_lines -= cache->dirty[set + last] != 0;
    cache_rotate_all(cache, set, last, line + 1, sectors, 0, 0);
    return victim;
}

/* Takes a line out; dirty data with it. */
void cache_remove(struct cache *cache, size_t set, uint32_t way);
/* The same of a cache without dirty data, which is not counted: `lines` is the caller's. */
void cache_close(const struct cache *cache, size_t set, uint32_t way);

/* Marks sectors of a way of a write-back cache as dirty. */
static inline void cache_soil(struct cache *cache, size_t set, uint32_t way, uint32_t sectors,
                              uint16_t note)
{
    cache->dirty_lines += cache->dirty[set + way] == 0;
    cache->dirty[set + way] |= sectors;
    cache->notes[set + way] = note;
}

static inline void cache_clean(struct cache *cache, size_t set, uint32_t way)
{
    cache->dirty_lines -= cache->dirty[set + way] != 0;
    cache->dirty[set + way] = 0;
}

/* Whether the list of touched sets is complete. */
static inline bool cache_touched_few(const struct cache *cache)
{
    return cache->n_touched <= cache->room;
}

#endif
