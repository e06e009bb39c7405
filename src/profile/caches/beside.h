/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read-only caches beside L1, exact: of scalars, constants, textures (machine/beside.h).
 *
 * Each is a row of set-associative LRU caches with sectors as L1 has. Reads of their kinds
 * allocate; nothing else looks them up, and writes leave them as they are: hardware keeps no such
 * cache up to date within a launch, and programs do not write what they read through it. They are
 * simulated for the reason for which L1 is: what goes on is another stream. */
#ifndef BANDSCAPE_PROFILE_BESIDE_H
#define BANDSCAPE_PROFILE_BESIDE_H

#include "machine/system.h"
#include "profile/caches/cache.h"
#include "trace/stream.h"

struct beside_level {
    struct cache cache;
    uint32_t sms; /* of one cache */
    bool keeps;   /* from launch to launch */
};

struct beside {
    struct beside_level levels[MACHINE_BESIDE_MAX];
    int of_path[ACCESS_PATHS]; /* number of the level that serves a kind; -1: L1 does */
    uint32_t n;
};

void beside_init(struct beside *beside, const struct system *system);
void beside_fini(struct beside *beside);

/* The level that serves an access; -1: L1. Only reads go through others. */
static inline int beside_serves(const struct beside *beside, const struct warp_access *access)
{
    return access->kind == ACCESS_READ ? beside->of_path[access->path] : -1;
}

/* Which cache of its level an SM has. */
static inline uint32_t beside_which(const struct beside *beside, int level, uint32_t sm)
{
    return sm / beside->levels[level].sms;
}

/* A read by an SM: the sectors of `wanted` (a mask, not 0) that have to be fetched; 0: a hit. They
 * are filled, and the line becomes the most recent. */
uint32_t beside_read(struct beside *beside, int level, uint32_t sm, uint64_t line, uint32_t wanted);

/* A launch begins: what the end of the last one leaves (flush). */
void beside_begin_launch(struct beside *beside);

#endif
