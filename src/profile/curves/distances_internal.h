/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What taking requests (distances.c) and ending launches (distances_launch.c) have in common. */
#ifndef BANDSCAPE_PROFILE_DISTANCES_INTERNAL_H
#define BANDSCAPE_PROFILE_DISTANCES_INTERNAL_H

#include "core/memory.h"
#include "profile/curves/distances.h"
#include "profile/curves/places.h"
#include "profile/curves/writebacks.h"

/* A line in a unit. */
struct held {
    uint32_t id, unit;
    struct spread_place place; /* of a sample */
};
/* In blocks: what is written is soon as long as all tables together, and is never moved. */
enum { HELD_BLOCK = MEMORY_LARGE_PAGE / sizeof(struct held) };
struct held_list {
    struct held **blocks;
    size_t n_blocks, count;
};

/* What a stretch counts: all but what is dirty at the end. */
enum { STRETCH_PARTS = DISTANCE_DIRTY };

struct stretch_counts {
    struct distance_histogram parts[STRETCH_PARTS];
    struct spread asked, evicted; /* of a sample */
    uint64_t *requests, *cold;    /* one a unit */
};
struct distance_stretches {
    struct stretch_counts head, mark, begun; /* at its end; where it was left last, and went on */
    struct stretch_counts left, first;       /* behind the head: not counted; of first requests */
};

struct distances {
    const struct system *system;
    struct cache_kind kind;
    struct distances *lead; /* that counts for this one (distances_follow); NULL: none */
    uint32_t units, sectors;
    uint32_t sms_per_unit;
    uint8_t domain_units[DOMAINS_MAX]; /* the unit of a domain */
    enum level_flush flush;            /* at the end of a launch */
    bool coherent;                     /* a write takes the line from other units */
    bool replicates;                   /* replicable requests stay at the requester */
    bool sampled;                      /* not all lines are followed: */
    struct shards shards;
    struct stack_distance *engines;
    uint32_t *began;          /* [unit] the first slot of the launch */
    struct stack_depth *near; /* [unit] while what is dirty is looked through */
    struct places places;
    struct held_list replicas, written; /* since the last flush */
    uint64_t unsettled;                 /* requests since what is dirty was looked through */
    struct writebacks writebacks;
    struct spread *asked; /* of a sample: what is counted */
    bool filled;          /* others' requests come by (CACHE_FILLED, CACHE_OR_HOME) */
    bool coming;          /* now: it is not counted */
    uint64_t at_home[32]; /* its distances there, by sector */
    struct distance_counts counts;
    struct distance_stretches *stretches; /* NULL: all of a launch is counted */
};

/* distances_stretch.c */
void distances_stretch_free(struct distances *d);

static inline struct held *held_at(const struct held_list *list, size_t i)
{
    return &list->blocks[i / HELD_BLOCK][i % HELD_BLOCK];
}

static inline void held_add(struct held_list *list, struct held held)
{
    if (list->count == list->n_blocks * HELD_BLOCK) {
        list->blocks = memory_resize(list->blocks, list->n_blocks + 1, sizeof *list->blocks);
        list->blocks[list->n_blocks] = memory_block(list->n_blocks == 0);
        list->n_blocks++;
    }
    *held_at(list, list->count++) = held;
}

/* Slots of a unit have run out. */
void distances_renumber(struct distances *d, uint32_t unit);

static inline uint64_t true_distance(const struct distances *d, uint32_t share, uint64_t distance)
{
    return d->sampled ? shards_distance(&(struct shards){.share = share}, distance) : distance;
}

static inline uint16_t *soil_of(const struct distances *d, size_t at, uint32_t sector)
{
    return d->sectors > 1 ? &d->places.sectors[at * d->sectors + sector].soil
                          : &places_at(&d->places, at)->soil;
}

/* A sector's line was found at the distance of a bin (asked), or stands there. old: it was not
 * asked for in this launch before. */
static inline void reach_sector(struct distances *d, uint16_t *soil, uint32_t bin, bool old,
                                bool asked)
{
    if (!*soil || (bin < *soil && !asked))
        return;
    if (old)
        writebacks_carry(&d->writebacks, *soil - 1U);
    writebacks_reach(&d->writebacks, soil, bin);
}

/* The same of all sectors of a line. */
static inline void reach_sectors(struct distances *d, size_t at, uint64_t distance, bool old,
                                 bool asked)
{
    uint32_t bin = distance_bin(distance);
    for (uint32_t s = 0; s < d->sectors; s++)
        reach_sector(d, soil_of(d, at, s), bin, old, asked);
}

#endif
