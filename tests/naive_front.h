/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels between L1 and the LLC, done naively: a list of lines for each set. */
#ifndef BANDSCAPE_TESTS_NAIVE_FRONT_H
#define BANDSCAPE_TESTS_NAIVE_FRONT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "machine/system.h"
#include "naive_cache.h"
#include "trace/stream.h"

enum { NAIVE_FRONTS = 6, RANDOM_FRONTS = 4 }; /* the most; those of random machines */

struct front_config {
    uint32_t bytes, ways;     /* of a chip; 0: there is none */
    bool per_partition;       /* one a partition */
    uint32_t clusters;        /* so many a partition, in parts of its SMs; 0: not */
    bool local_in, remote_in; /* what it may hold */
    bool back;                /* write-back */
    enum level_flush flush;   /* at the end of a launch */
};

/* On its way home: a request of domain `own`, or data that it wrote. */
struct naive_arrival {
    uint64_t line;
    uint32_t sectors, own, home;
    int kind;
    bool writeback;
    uint32_t cluster; /* of domain `own` */
};
struct naive_arrivals {
    struct naive_arrival *items;
    size_t count, capacity;
};

struct front_line {
    uint64_t number;
    uint32_t valid, dirty, writer, home; /* sectors; domains, of dirty ones */
    bool leaves;                         /* with a flush */
};
struct front_set { /* the most recent first */
    struct front_line *items;
    size_t count, capacity;
};

struct naive_front {
    struct front_config config;
    uint32_t domains, caches, sets; /* domains that share a cache; sets of one */
    struct front_set *all;          /* [cache * sets + set] */
    uint64_t arrived, lookups, hits, read_lookups, read_hits, writebacks; /* sectors */
};

struct naive_fronts {
    struct naive_front levels[NAIVE_FRONTS];
    struct numbers written; /* lines, in this launch */
};

static inline void naive_fronts_init(struct naive_fronts *fronts,
                                     const struct front_config *configs, uint32_t chips,
                                     uint32_t partitions, uint32_t line)
{
    for (int i = 0; i < NAIVE_FRONTS; i++) {
        const struct front_config *config = &configs[i];
        struct naive_front *front = &fronts->levels[i];
        *front = (struct naive_front){.config = *config};
        if (config->bytes == 0)
            continue;
        uint32_t clusters = config->clusters ? config->clusters : 1;
        front->domains = config->per_partition || config->clusters ? 1 : partitions;
        front->caches = chips * partitions / front->domains * clusters;
        front->sets =
            config->bytes / (partitions / front->domains * clusters) / line / config->ways;
        front->all = memory_zero((size_t)front->caches * front->sets, sizeof *front->all);
    }
}

static inline void naive_fronts_fini(struct naive_fronts *fronts)
{
    for (int i = 0; i < NAIVE_FRONTS; i++) {
        struct naive_front *front = &fronts->levels[i];
        for (size_t k = 0; k < (size_t)front->caches * front->sets; k++)
            VECTOR_FREE(&front->all[k]);
        free(front->all);
    }
    VECTOR_FREE(&fronts->written);
}

static inline uint32_t naive_ones(uint32_t sectors)
{
    return (uint32_t)__builtin_popcount(sectors);
}

static inline void naive_fronts_take(struct naive_fronts *fronts, int level,
                                     struct naive_arrival arrival, struct naive_arrivals *out);

static inline uint32_t naive_front_cache(const struct naive_front *front,
                                         const struct naive_arrival *a)
{
    return front->config.clusters ? a->own * front->config.clusters + a->cluster
                                  : a->own / front->domains;
}

/* Sends the dirty sectors of a line home: behind a cluster's cache for that cluster, else for the
 * first of the domain that wrote last. */
static inline void front_line_write_back(struct naive_fronts *fronts, int level,
                                         const struct front_set *set, struct front_line *line,
                                         struct naive_arrivals *out)
{
    struct naive_front *front = &fronts->levels[level];
    struct naive_arrival arrival = {
        line->number, line->dirty, line->writer, line->home, ACCESS_WRITE, true, 0};
    if (line->dirty == 0)
        return;
    if (front->config.clusters)
        arrival.cluster = (uint32_t)(set - front->all) / front->sets % front->config.clusters;
    front->writebacks += naive_ones(line->dirty);
    line->dirty = 0;
    naive_fronts_take(fronts, level + 1, arrival, out);
}

static inline void front_set_put(struct front_set *set, struct front_line line)
{
    VECTOR_PUSH(set, line);
    memmove(set->items + 1, set->items, (set->count - 1) * sizeof *set->items);
    set->items[0] = line;
}

/* What of a request goes on from a cache that may hold its line. */
static inline uint32_t naive_front_set_take(struct naive_fronts *fronts, int level,
                                            struct front_set *set, struct naive_arrival a,
                                            struct naive_arrivals *out)
{
    struct naive_front *front = &fronts->levels[level];
    struct front_line line = {.number = a.line};
    uint32_t goes_on = a.sectors;
    size_t at = 0;
    while (at < set->count && set->items[at].number != a.line)
        at++;
    bool there = at < set->count;
    if (there) {
        line = set->items[at];
        set->count--;
        memmove(set->items + at, set->items + at + 1, (set->count - at) * sizeof *set->items);
    }
    if (a.kind == ACCESS_ATOMIC) {
        front_line_write_back(fronts, level, set, &line, out);
        return goes_on;
    }
    if (a.kind == ACCESS_READ) {
        goes_on = a.sectors & ~line.valid;
        line.valid |= a.sectors;
    } else if (front->config.back) {
        goes_on = 0;
        line.valid |= a.sectors;
        line.dirty |= a.sectors;
        line.writer = a.own;
        line.home = a.home;
    } else if (!there) {
        return goes_on;
    }
    if (set->count == front->config.ways)
        front_line_write_back(fronts, level, set, &set->items[--set->count], out);
    front_set_put(set, line);
    return goes_on;
}

/* What reaches the LLC goes into `out`, in order. */
static inline void naive_fronts_take(struct naive_fronts *fronts, int level,
                                     struct naive_arrival arrival, struct naive_arrivals *out)
{
    if (level == NAIVE_FRONTS) {
        VECTOR_PUSH(out, arrival);
        return;
    }
    struct naive_front *front = &fronts->levels[level];
    front->arrived += naive_ones(arrival.sectors);
    bool remote = front->domains && arrival.own / front->domains != arrival.home / front->domains;
    if (front->sets && (remote ? front->config.remote_in : front->config.local_in)) {
        uint64_t set = ((hash_fmix64(arrival.line) >> 32) * front->sets) >> 32;
        uint32_t goes_on = naive_front_set_take(
            fronts, level, &front->all[naive_front_cache(front, &arrival) * front->sets + set],
            arrival, out);
        uint32_t lookups = naive_ones(arrival.sectors), hits = lookups - naive_ones(goes_on);
        front->lookups += lookups;
        front->hits += hits;
        front->read_lookups += arrival.kind == ACCESS_READ ? lookups : 0;
        front->read_hits += arrival.kind == ACCESS_READ ? hits : 0;
        arrival.sectors = goes_on;
    }
    if (arrival.sectors)
        naive_fronts_take(fronts, level + 1, arrival, out);
}

/* A request leaves an SM. Under hardware coherence other caches of every level first write
 * home what is dirty, and lose what is about to be written. */
static inline void naive_fronts_issue(struct naive_fronts *fronts, bool coherent,
                                      struct naive_arrival arrival, struct naive_arrivals *out)
{
    for (int level = 0; level < NAIVE_FRONTS && coherent; level++) {
        struct naive_front *front = &fronts->levels[level];
        for (uint32_t cache = 0; cache < front->caches; cache++)
            for (size_t k = 0; k < front->sets && cache != naive_front_cache(front, &arrival);
                 k++) {
                struct front_set *set = &front->all[cache * front->sets + k];
                for (size_t i = 0; i < set->count; i++) {
                    if (set->items[i].number != arrival.line)
                        continue;
                    front_line_write_back(fronts, level, set, &set->items[i], out);
                    if (arrival.kind == ACCESS_READ)
                        continue;
                    set->count--;
                    memmove(set->items + i, set->items + i + 1,
                            (set->count - i) * sizeof *set->items);
                }
            }
    }
    if (arrival.kind != ACCESS_READ &&
        numbers_find(&fronts->written, arrival.line) == fronts->written.count)
        VECTOR_PUSH(&fronts->written, arrival.line);
    naive_fronts_take(fronts, 0, arrival, out);
}

/* Keeps the lines of a set that a flush leaves there. */
static inline void front_set_flush(struct front_set *set, enum level_flush flush,
                                   const struct numbers *written)
{
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++) {
        struct front_line *line = &set->items[i];
        bool goes = flush == FLUSH_ALL || line->leaves ||
                    (flush == FLUSH_STALE && numbers_find(written, line->number) < written->count);
        if (!goes)
            set->items[kept++] = *line;
    }
    set->count = kept;
}

/* Dirty data go home, where a level does not keep them. */
static inline void naive_fronts_end(struct naive_fronts *fronts, struct naive_arrivals *out)
{
    for (int level = 0; level < NAIVE_FRONTS; level++) {
        struct naive_front *front = &fronts->levels[level];
        size_t sets = (size_t)front->caches * front->sets;
        for (size_t k = 0; k < sets && front->config.flush != FLUSH_NONE; k++)
            for (size_t i = 0; i < front->all[k].count; i++) {
                front->all[k].items[i].leaves = front->all[k].items[i].dirty != 0;
                front_line_write_back(fronts, level, &front->all[k], &front->all[k].items[i], out);
            }
        for (size_t k = 0; k < sets && front->config.flush != FLUSH_NONE; k++)
            front_set_flush(&front->all[k], front->config.flush, &fronts->written);
    }
    fronts->written.count = 0;
}

#endif
