/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random numbers by their place: the n-th of a stream is a function of seed, stream and n, so that
 * any thread may draw any of them, in any order (Salmon et al., Parallel random numbers: as easy as
 * 1, 2, 3, SC 2011). */
#ifndef BANDSCAPE_CORE_DRAW_H
#define BANDSCAPE_CORE_DRAW_H

#include <stdint.h>

#include "core/hash.h"

static inline uint64_t draw_bits(uint64_t seed, uint64_t stream, uint64_t place)
{
    /* Steps of the golden ratio, as SplitMix64 has them, between bijections. */
    uint64_t mixed = hash_fmix64(seed + 0x9e3779b97f4a7c15ULL);
    mixed = hash_fmix64(mixed ^ (stream * 0xbf58476d1ce4e5b9ULL + 0x94d049bb133111ebULL));
    return hash_fmix64(mixed + (place + 1) * 0x9e3779b97f4a7c15ULL);
}

/* Above 0 and below 1. */
static inline double draw_uniform(uint64_t seed, uint64_t stream, uint64_t place)
{
    return ((double)(draw_bits(seed, stream, place) >> 12) + 0.5) * 0x1p-52;
}

#endif
