/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spatial sampling; counts and distances in whole numbers throughout. */
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
    struct shards shards = {.threshold = t, .share = t, .chance = t};
    for (; shards.chance <= 1ULL << (RATE_BITS - 1); shards.chance <<= 1)
        shards.block_bits++;
    return shards;
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
    /* Rounded; with every new line, so that it calls nothing. */
    uint64_t share = (uint64_t)((double)sampled / (double)lines * 0x1p32 + 0.5);
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

static void scale(const struct shards *shards, struct distance_histogram *histogram)
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

/* At most so many, the ones at small distances go. */
static void cut(struct distance_histogram *histogram, uint64_t most)
{
    if (histogram->requests <= most)
        return;
    uint64_t excess = histogram->requests - most;
    for (size_t i = 0; i < BINS && excess > 0; i++)
        take_away(&histogram->bins[i], &excess);
    take_away(&histogram->cold, &excess);
    histogram->requests = most;
}

/* Exactly so many. */
static void fill(struct distance_histogram *histogram, uint64_t requests)
{
    cut(histogram, requests);
    histogram->bins[0] += requests - histogram->requests;
    histogram->requests = requests;
}

/* So many, of all distances in proportion. */
static void stretch(struct distance_histogram *histogram, uint64_t requests)
{
    uint64_t seen = 0, sum = 0;
    for (size_t i = 0; i <= BINS; i++) {
        uint64_t *count = i < BINS ? &histogram->bins[i] : &histogram->cold, before = sum;
        seen += *count;
        sum = (uint64_t)round((double)seen / (double)histogram->requests * (double)requests);
        *count = sum - before;
    }
    histogram->requests = sum;
}

void shards_scale_all(const struct shards *shards, struct distance_histogram *histogram,
                      uint64_t most)
{
    scale(shards, histogram);
    cut(histogram, most);
}

void shards_scale(const struct shards *shards, struct distance_histogram *histogram,
                  uint64_t requests)
{
    scale(shards, histogram);
    fill(histogram, requests);
}

/* `more` has too many, `less` too few. */
static void balance(struct distance_histogram *more, uint64_t more_requests,
                    struct distance_histogram *less, uint64_t less_requests)
{
    uint64_t excess = more->requests - more_requests, lack = less_requests - less->requests;
    uint64_t both = excess < lack ? excess : lack;
    if (less->requests == 0)
        return;
    stretch(more, more->requests - both);
    stretch(less, less->requests + both);
}

void shards_scale_two(const struct shards *shards, struct distance_histogram *a,
                      uint64_t a_requests, struct distance_histogram *b, uint64_t b_requests)
{
    scale(shards, a);
    scale(shards, b);
    if (a->requests > a_requests && b->requests < b_requests)
        balance(a, a_requests, b, b_requests);
    else if (b->requests > b_requests && a->requests < a_requests)
        balance(b, b_requests, a, a_requests);
    fill(a, a_requests);
    fill(b, b_requests);
}
