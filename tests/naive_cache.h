/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fully associative LRU caches of every capacity at once, done naively.
 *
 * They share one list of lines, the most recent first: the cache of C lines holds
 * the first C of them. A line that is taken out leaves a hole in those that held
 * it; the next line that comes in from below, or from outside, fills the topmost
 * one instead of pushing others down. Sectors are kept for each capacity apart. */
#ifndef BANDSCAPE_TESTS_NAIVE_CACHE_H
#define BANDSCAPE_TESTS_NAIVE_CACHE_H

#include <string.h>

#include "core/memory.h"
#include "profile/record/curve.h"

struct numbers { /* a list of line or page numbers */
    uint64_t *items;
    size_t count, capacity;
};

static inline size_t numbers_find(const struct numbers *list, uint64_t number)
{
    size_t at = 0;
    while (at < list->count && list->items[at] != number)
        at++;
    return at;
}

struct naive_line {
    uint64_t number;
    struct { /* there.items[i]: sectors in the cache of i + 1 lines, when the line is */
        uint32_t *items;
        size_t count, capacity;
    } there;
};

struct naive_cache {
    struct numbers list; /* line + 1; 0: a hole */
    struct {
        struct naive_line *items;
        size_t count, capacity;
    } lines; /* sectored */
};

static inline void naive_cache_flush(struct naive_cache *cache)
{
    for (size_t i = 0; i < cache->lines.count; i++)
        VECTOR_FREE(&cache->lines.items[i].there);
    cache->lines.count = cache->list.count = 0;
}

static inline void naive_cache_fini(struct naive_cache *cache)
{
    naive_cache_flush(cache);
    VECTOR_FREE(&cache->lines);
    VECTOR_FREE(&cache->list);
}

static inline struct naive_line *naive_cache_find(struct naive_cache *cache, uint64_t line)
{
    size_t i = 0;
    while (i < cache->lines.count && cache->lines.items[i].number != line)
        i++;
    return i < cache->lines.count ? &cache->lines.items[i] : NULL;
}

/* Leaves a hole, if the line is there. */
static inline void naive_cache_remove(struct naive_cache *cache, uint64_t line)
{
    size_t at = numbers_find(&cache->list, line + 1);
    struct naive_line *sectored = naive_cache_find(cache, line);
    if (at < cache->list.count)
        cache->list.items[at] = 0;
    if (!sectored)
        return;
    VECTOR_FREE(&sectored->there);
    *sectored = cache->lines.items[--cache->lines.count];
}

/* Moves a line that stands at `at` (or the list's length) to the front. */
static inline void naive_cache_promote(struct naive_cache *cache, uint64_t line, size_t at)
{
    struct numbers *list = &cache->list;
    size_t hole = numbers_find(list, 0);
    if (hole < at && at < list->count)
        list->items[at] = 0;
    if (hole < at)
        at = hole;
    if (at == list->count)
        VECTOR_PUSH(list, 0);
    memmove(list->items + 1, list->items, at * sizeof *list->items);
    list->items[0] = line + 1;
}

/* A line for which there is no room: one more capacity. Until now it held all that the
 * largest one did, which never lost a line. */
static inline void naive_cache_enlarge(struct naive_cache *cache)
{
    for (size_t i = 0; i < cache->lines.count; i++) {
        struct naive_line *line = &cache->lines.items[i];
        uint32_t last = line->there.items[line->there.count - 1];
        VECTOR_PUSH(&line->there, last);
    }
}

/* A request for sectors of a line that stands at `at`: the smallest cache that hits says
 * the distance. */
static inline uint32_t naive_cache_sectors(struct naive_cache *cache, uint64_t number,
                                           uint32_t wanted, size_t at,
                                           struct distance_histogram *histogram)
{
    bool known = at < cache->list.count;
    bool room = known || numbers_find(&cache->list, 0) < cache->list.count;
    if (!room)
        naive_cache_enlarge(cache);
    if (!known) {
        VECTOR_PUSH(&cache->lines, (struct naive_line){.number = number});
        struct naive_line *line = &cache->lines.items[cache->lines.count - 1];
        while (line->there.count < cache->list.count + !room)
            VECTOR_PUSH(&line->there, 0);
    }
    struct naive_line *line = naive_cache_find(cache, number);
    int hits = 0;
    for (size_t i = 0; i < line->there.count; i++) {
        uint32_t there = known && at <= i ? line->there.items[i] : 0;
        for (int n = __builtin_popcount(wanted & there); hits < n; hits++)
            distance_histogram_add(histogram, i);
        line->there.items[i] = there | wanted;
    }
    uint32_t cold = (uint32_t)(__builtin_popcount(wanted) - hits);
    for (uint32_t i = 0; i < cold; i++)
        distance_histogram_add(histogram, DISTANCE_COLD);
    return cold;
}

/* One request; how many of its sectors (of its line, if not sectored) were never there. */
static inline uint32_t naive_cache_ask(struct naive_cache *cache, uint64_t line, uint32_t wanted,
                                       bool sectored, struct distance_histogram *histogram)
{
    size_t at = numbers_find(&cache->list, line + 1);
    uint32_t cold = at == cache->list.count;
    if (sectored)
        cold = naive_cache_sectors(cache, line, wanted, at, histogram);
    else
        distance_histogram_add(histogram, cold ? DISTANCE_COLD : at);
    naive_cache_promote(cache, line, at);
    return cold;
}

#endif
