/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many caches of a row hold each line, exactly, while lines come and go.
 *
 * A hash table of buckets that fill one line of the host's cache. A key that
 * finds its bucket full goes into the next one with room, and each bucket that
 * it passed counts it: so a search knows where to end, and a key that leaves
 * moves no other. The caches that may hold a line use the same set for it, so
 * the table is cut into groups, one for those sets: as a group never holds more
 * lines than its sets have ways, the table never grows.
 *
 * The buckets are far from the processor, and nobody needs the answers at once:
 * events wait in a short queue while their buckets are fetched, and are worked
 * off in their order. What is counted is complete after copies_settle(). */
#ifndef BANDSCAPE_PROFILE_COPIES_H
#define BANDSCAPE_PROFILE_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COPIES_QUEUE = 32 };

struct copies_event {
    struct copies_bucket *group;
    uint64_t missed, victim;               /* line + 1; 0: none */
    uint32_t missed_bucket, victim_bucket; /* where their search begins */
    bool taken; /* a cache takes the line; else it has it: `elsewhere` does not count that one */
    bool quiet; /* no miss */
};

struct copies {
    struct copies_bucket *buckets;
    uint64_t groups;
    uint32_t per_group;     /* buckets */
    uint32_t next, waiting; /* of the queue: the next place, and how many before it are used */

    uint64_t lines;     /* distinct ones that any cache holds */
    uint64_t elsewhere; /* misses whose line another cache held */
    uint64_t lines_sum; /* over misses: `lines` just before */
    struct copies_event queue[COPIES_QUEUE];
};

/* lines: that a group holds at most; at least 1. */
void copies_init(struct copies *copies, uint64_t groups, uint32_t lines);
void copies_fini(struct copies *copies);

/* A cache misses a line, takes it, and gives up another one of the group for it unless
 * victim is 0; victim: that line + 1. */
void copies_miss(struct copies *copies, uint64_t group, uint64_t line, uint64_t victim);

/* A cache misses a sector of a line that it holds, and goes on holding it. */
void copies_miss_sector(struct copies *copies, uint64_t group, uint64_t line);

/* A cache takes a line that no miss is counted for, and gives up another one of the group; either
 * + 1; 0: none. */
void copies_change(struct copies *copies, uint64_t group, uint64_t taken, uint64_t victim);

/* A cache gives up a line that it holds. */
void copies_remove(struct copies *copies, uint64_t group, uint64_t line);

/* Works off what waits. */
void copies_settle(struct copies *copies);

/* No cache holds anything any more; what waits is counted before. */
void copies_clear(struct copies *copies);

#endif
