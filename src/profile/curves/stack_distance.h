/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact LRU stack distances of one cache's stream.
 *
 * Every access takes the next time slot; a bit per slot says whether it is the
 * last access of some line, so the distance of an access is the number of set
 * bits above its line's last slot (Bennett and Kruskal, 1975; Olken, 1981).
 * Counters per 512, 16 384 and 524 288 slots make the count a few cache lines
 * of work at any distance. Slots are renumbered when they run out, unless most
 * are of lines that live, so memory goes with these, never with the length of
 * the stream.
 *
 * The engine knows slots only. Its caller keeps the last slot of each line, as
 * a uint32_t that starts as 0, wherever that is cheapest: one table entry may
 * hold the slots of many engines. */
#ifndef BANDSCAPE_PROFILE_STACK_DISTANCE_H
#define BANDSCAPE_PROFILE_STACK_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/prefetch.h"
#include "profile/record/curve.h"

struct stack_distance;
/* Lines whose last slot is above. */
typedef uint32_t stack_distance_count_fn(const struct stack_distance *engine, uint32_t slot);

struct stack_distance {
    uint64_t *bits;    /* one a slot */
    uint16_t *small;   /* set bits per 512 slots */
    uint32_t *middle;  /* per 16 384 */
    uint32_t *large;   /* per 524 288 */
    uint32_t capacity; /* slots; a multiple of 524 288 */
    uint32_t now;      /* the next slot; 0 is never used */
    uint32_t floor;    /* lines whose last slot is below are not in the cache */
    uint32_t live;     /* lines and holes in the cache, were it infinite */
    uint64_t *holes;   /* bits of slots whose lines were taken out; NULL: none ever was */
    uint32_t top_hole; /* the highest of them; 0: none */
    stack_distance_count_fn *count;
};

void stack_distance_init(struct stack_distance *engine);
/* How an instruction set (core/simd.h) counts, or NULL when it cannot run here: for tests. */
stack_distance_count_fn *stack_distance_counter(const char *set);
void stack_distance_fini(struct stack_distance *engine);
/* Makes one that was initialised a copy of another. */
void stack_distance_copy(struct stack_distance *engine, const struct stack_distance *from);

/* Empties the cache; constant time. */
void stack_distance_flush(struct stack_distance *engine);

/* True when slots have run out: grow or renumber before the next access. */
static inline bool stack_distance_full(const struct stack_distance *engine)
{
    return engine->now == engine->capacity;
}

/* More slots instead of new numbers, where most are of lines that live: whoever only adds lines
 * never walks through them. False where it is better, or the only way, to renumber. */
bool stack_distance_grow(struct stack_distance *engine);

/* Renumbers: begin, then *slot = stack_distance_renumber(&r, *slot) for the slot of
 * every line, then end. At least `room` accesses fit before the next time: give the
 * number of lines in the caller's table, and a walk costs O(1) an access. */
struct stack_renumbering {
    struct stack_distance *engine;
    uint32_t *below; /* live lines below each 64 slots */
    uint32_t room;
};
void stack_distance_renumber_begin(struct stack_renumbering *renumbering,
                                   struct stack_distance *engine, uint32_t room);
uint32_t stack_distance_renumber(const struct stack_renumbering *renumbering, uint32_t slot);
void stack_distance_renumber_end(struct stack_renumbering *renumbering);

enum { SLOTS_SMALL_SHIFT = 9, SLOTS_MIDDLE_SHIFT = 14, SLOTS_LARGE_SHIFT = 19 };

static inline void stack_distance_set(struct stack_distance *engine, uint32_t slot)
{
    engine->bits[slot >> 6] |= 1ULL << (slot & 63);
    engine->small[slot >> SLOTS_SMALL_SHIFT]++;
    engine->middle[slot >> SLOTS_MIDDLE_SHIFT]++;
    engine->large[slot >> SLOTS_LARGE_SHIFT]++;
}

static inline void stack_distance_clear(struct stack_distance *engine, uint32_t slot)
{
    engine->bits[slot >> 6] &= ~(1ULL << (slot & 63));
    engine->small[slot >> SLOTS_SMALL_SHIFT]--;
    engine->middle[slot >> SLOTS_MIDDLE_SHIFT]--;
    engine->large[slot >> SLOTS_LARGE_SHIFT]--;
}

/* The line with that last slot, which is not above the topmost hole, fills it. */
void stack_distance_fill(struct stack_distance *engine, uint32_t last);

/* One access to the line whose last slot is *slot: its distance, or DISTANCE_COLD
 * for a line never seen, or flushed since. Updates *slot. */
static inline uint64_t stack_distance_access(struct stack_distance *engine, uint32_t *slot)
{
    uint32_t last = *slot;
    bool known = last >= engine->floor;
    if (last + 1 == engine->now && known)
        return 0; /* the most recent line stays where it is */
    uint64_t distance = known ? engine->count(engine, last) : DISTANCE_COLD;
    if (engine->top_hole > last)
        stack_distance_fill(engine, last);
    else if (known)
        stack_distance_clear(engine, last);
    else
        engine->live++;
    stack_distance_set(engine, engine->now);
    *slot = engine->now++;
    return distance;
}

/* Lines and holes above a line that is there: what its next access would have for a distance.
 * `near`: that of another line, from which a few steps lead to this one; lines that were asked for
 * one after another are asked for so. */
struct stack_depth {
    uint32_t slot; /* 0: of none */
    uint64_t depth;
};
uint64_t stack_distance_depth(const struct stack_distance *engine, uint32_t slot,
                              struct stack_depth *near);

/* Takes a line out of the cache, if it is there. It leaves a hole in all caches that are
 * large enough to hold it, which the next line that is not above it fills: lines that
 * were pushed out before do not come back. A hole counts in distances like a line. */
void stack_distance_remove(struct stack_distance *engine, uint32_t *slot);

/* Fetches what an access to that slot will read. */
static inline void stack_distance_prefetch(const struct stack_distance *engine, uint32_t slot)
{
    prefetch_read(&engine->bits[slot / 512 * 8]);
    prefetch_read(&engine->small[slot / 16384 * 32]);
}

#endif
