/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generator behind every made-up input: splitmix64 (Steele, Lea and Flood,
 * "Fast splittable pseudorandom number generators", OOPSLA 2014). The same
 * seed gives the same numbers on every machine, for ever. */
#ifndef BANDSCAPE_WORKLOAD_RANDOM_H
#define BANDSCAPE_WORKLOAD_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};

static inline struct random random_begin(uint64_t seed)
{
    return (struct random){seed};
}

static inline uint64_t random_next(struct random *random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* 0 .. n-1. The high 32 bits are scaled: with n below 2^32 no value is more
 * than one part in 2^32/n more likely than another. */
static inline uint32_t random_below(struct random *random, uint32_t n)
{
    return (uint32_t)(((random_next(random) >> 32) * n) >> 32);
}

/* [0, 1), 53 bits. */
static inline double random_unit(struct random *random)
{
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

#endif
