/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which accesses wait for data, and how many of them stand one behind another.
 *
 * A clock of each warp counts its waits, as if all were equally long and nothing else took time:
 *
 *     miss at clock t: the line arrives at t + 1, for which the warp waits.
 *     hit, line under way, which arrives at a > t: the warp waits until t + 1, and so does the
 *         line from now on, which would have come by then had this warp asked first.
 *     hit else: no wait.
 *
 * So who shares a line waits for it together, whatever the order in which the profiler took them:
 * rounds let a warp run ahead of those that follow it, time does not. The latest clock, with the L1
 * hits and the instructions of its warp, is the chain that a launch is as long as, however wide the
 * machine: start and end of launches, blocks that wait for a place and SMs without work included.
 * Requests over chain is what a machine of latencies alone has under way. Resident warps would be
 * no measure of it: they share lines, wait for hits on lines under way, make bursts, and are
 * unequal.
 *
 * The same rule for the requests behind L1 says which of them follow another one for their line
 * into the LLC, and find it under way where that one misses. */
#ifndef BANDSCAPE_PROFILE_WAITS_H
#define BANDSCAPE_PROFILE_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/translation.h"

/* What stood one behind another until now. */
struct wait_clock {
    uint64_t waits, remote; /* the latter among the former */
    uint64_t hits, instructions;
    uint64_t last;                   /* instructions since the last wait */
    uint64_t late[MACHINE_TLBS_MAX]; /* accesses that wait for what is behind that TLB */
};

/* The later one, by about how many cycles these take. */
static inline struct wait_clock wait_clock_later(struct wait_clock a, struct wait_clock b)
{
    uint64_t length_a = 256 * a.waits + 128 * a.remote + 32 * a.hits + a.instructions;
    uint64_t length_b = 256 * b.waits + 128 * b.remote + 32 * b.hits + b.instructions;
    return length_b > length_a ? b : a;
}

/* Some caches, and the last lines to arrive at each, by a hash of their number; one that another
 * has taken the place of is taken to be there. */
struct waits {
    struct waits_line {
        uint64_t line, arrives; /* line + 1; 0: none */
    } * lines;
    size_t each; /* of a cache; a power of two */
};

void waits_init(struct waits *waits, uint32_t caches, size_t each);
void waits_fini(struct waits *waits);

/* A read of a line at a cache by a warp at that clock: whether the line is under way. `missing`: it
 * sets out now. */
bool waits_read(struct waits *waits, uint32_t cache, uint64_t line, uint64_t clock, bool missing);
/* The same where nobody knows what misses: every request that follows none sets out. True for
 * one that follows. */
bool waits_follow(struct waits *waits, uint32_t cache, uint64_t line, uint64_t clock);

#endif
