/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set-associative LRU caches done naively: each set is a list of lines, the most
 * recent first. A line that is used is taken out and put back in front. */
#ifndef BANDSCAPE_TESTS_NAIVE_SETS_H
#define BANDSCAPE_TESTS_NAIVE_SETS_H

#include "check.h"

enum { NAIVE_WAYS = 8 };

struct naive_way {
    uint64_t line;
    uint32_t valid, dirty;
    uint16_t note;
};

struct naive_set {
    struct naive_way items[NAIVE_WAYS];
    uint32_t count;
};

/* l1.index: hashed, a bit at a time: bit b of the number is laid over bit b % k of the set, and
 * what an odd factor of the sets leaves chooses between groups of 2^k. */
static inline uint64_t naive_hashed_set(uint64_t number, uint32_t sets)
{
    uint32_t k = 0, set = 0;
    while ((sets >> k & 1) == 0)
        k++;
    for (uint32_t b = 0; b < 64 && k; b++)
        set ^= (uint32_t)(number >> b & 1) << b % k;
    return number / (1U << k) % (sets / (1U << k)) * (1U << k) + set;
}

/* Where the line stands; `count` when it does not. */
static inline uint32_t naive_set_find(const struct naive_set *set, uint64_t line)
{
    uint32_t at = 0;
    while (at < set->count && set->items[at].line != line)
        at++;
    return at;
}

static inline struct naive_way naive_set_take(struct naive_set *set, uint32_t at)
{
    struct naive_way way = set->items[at];
    for (set->count--; at < set->count; at++)
        set->items[at] = set->items[at + 1];
    return way;
}

/* There is room. */
static inline void naive_set_put(struct naive_set *set, struct naive_way way)
{
    for (uint32_t at = set->count++; at > 0; at--)
        set->items[at] = set->items[at - 1];
    set->items[0] = way;
}

/* Says where a random test fails: seeds are the numbers of the rounds. */
#define check_step(round, step, got, want)                                                         \
    do {                                                                                           \
        uint64_t got_ = (got), want_ = (want);                                                     \
        if (got_ != want_)                                                                         \
            fail_msg("round %d, step %d: %s = %llu, expected %llu", (round), (step), #got,         \
                     (unsigned long long)got_, (unsigned long long)want_);                         \
    } while (0)

#endif
