/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is nearest to an SM: L1, and caches beside it (machine/beside.h). */
#ifndef BANDSCAPE_SIMULATE_NEAR_H
#define BANDSCAPE_SIMULATE_NEAR_H

#include "simulate/way.h"
#include "trace/stream.h"

/* What becomes of a line that an access asks for. */
struct near {
    int beside;       /* the cache beside L1 that serves it; -1: L1 */
    uint32_t unit;    /* what a line on its way there is told by (struct pending): an L1 node */
    uint32_t missing; /* sectors to fetch; 0: a hit */
    uint32_t asked;   /* the same and what it asks for that is under way (packets.h) */
    bool past;        /* a read that did not look up an L1 that there is */
    uint64_t pieces;  /* that it asks for where replies have those; 0: lines */
};

/* Looks it up. `remote`: its home is another domain. */
struct near near_look_up(struct gpu *gpu, const struct warp_access *access, uint32_t sm,
                         uint64_t line, uint32_t wanted, bool remote);

/* The line has come to L1. */
void near_arrived(struct gpu *gpu, uint32_t sm, uint64_t line);

/* The steps through a cache beside L1. `takes`: a read that fetches the line for others as well,
 * which has one of its MSHRs until near_filled(). */
void near_way(const struct way *way, int beside, uint32_t sm, bool takes);
void near_filled(const struct way *way, int beside, uint32_t sm);

#endif
