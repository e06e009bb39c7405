/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spatially hashed sampling; counts and distances in whole numbers throughout. */
#include "profile/curves/shards.h"

#include <math.h>
#include <stddef.h>

enum {
    RATE_BITS = 32,
    RATE_BITS_LEAST = 12,
    BINS = sizeof((struct distance_histogram *)0)->bins / sizeof(uint64_t)
};

struct shards shards_begin(double rate)
{
    double threshold = round(ldexp(rate, RATE_BITS));
    double least = ldexp(1, RATE_BITS_LEAST), most = ldexp(1, RATE_BITS);
    if (!(threshold > least))
        threshold = least;
    uint64_t t = (uint64_t)(threshold < most ? threshold : most);
    return (struct shards){t, t};
}

double shards_rate(const struct shards *shards)
{
    return ldexp((double)shards->threshold, -RATE_BITS);
}

void shards_observe(struct shards *shards, uint64_t lines, uint64_t sampled)
{
    const uint64_t least = 1 << RATE_BITS_LEAST;
    if (sampled == 0 || sampled > lines)
        return;
    uint64_t share = (uint64_t)round(ldexp((double)sampled / (double)lines, RATE_BITS));
    shards->share = share < least ? least : share;
}

/* floor((n 2^bits + add) / share) without leaving 64 bits; bits <= 32. */
static uint64_t divide(const struct shards *shards, uint64_t n, int bits, uint64_t add)
{
    uint64_t t = shards->share;
    return (n / t << bits) + ((n % t << bits) + add) / t;
}

/* floor((d + 1/2) / R) */
uint64_t shards_distance(const struct shards *shards, uint64_t d)
{
    return d == DISTANCE_COLD ? d : divide(shards, 2 * d + 1, RATE_BITS - 1, 0);
}

/* n / R, rounded. */
static uint64_t scaled(const struct shards *shards, uint64_t n)
{
    return divide(shards, n, RATE_BITS, shards->share / 2);
}

static void take_away(uint64_t *count, uint64_t *excess)
{
    uint64_t n = *count < *excess ? *count : *excess;
    *count -= n;
    *excess -= n;
}

void shards_scale_all(const struct shards *shards, struct distance_histogram *histogram)
{
    uint64_t sampled = 0, sum = 0;
    /* Running sums are what is rounded: errors do not add up. */
    for (size_t i = 0; i <= BINS; i++) {
        uint64_t *count = i < BINS ? &histogram->bins[i] : &histogram->cold;
        uint64_t before = sum;
        sampled += *count;
        sum = scaled(shards, sampled);
        *count = sum - before;
    }
    histogram->requests = sum;
}

void shards_scale(const struct shards *shards, struct distance_histogram *histogram,
                  uint64_t requests)
{
    shards_scale_all(shards, histogram);
    uint64_t sum = histogram->requests;
    if (sum <= requests) {
        histogram->bins[0] += requests - sum;
    } else {
        uint64_t excess = sum - requests;
        for (size_t i = 0; i < BINS && excess > 0; i++)
            take_away(&histogram->bins[i], &excess);
        take_away(&histogram->cold, &excess);
    }
    histogram->requests = requests;
}
