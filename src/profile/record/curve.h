/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Miss-ratio curves from exact LRU stack distances.
 *
 * The stack distance of a request is the number of distinct other lines that
 * its cache (scope, side, filter) was asked for since the last request for the
 * same line; a fully associative LRU cache of C lines hits it when d < C. */
#ifndef BANDSCAPE_PROFILE_CURVE_H
#define BANDSCAPE_PROFILE_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"

enum { CURVE_POINTS_MAX = 256, CURVE_TOLERANCE = 400 };

/* points[i].hits requests have a distance below points[i].lines; between two
 * points the distances are taken as evenly spread. lines and hits ascend. */
struct curve_point {
    uint64_t lines, hits;
};
struct curve {
    uint64_t requests; /* all, cold ones too */
    uint64_t cold;     /* first touches (since the last flush): miss at any capacity */
    struct curve_point *points;
    size_t n_points;
};

/* Distances while they are counted: log-linear bins, 64 an octave, exact below 128. */
#define DISTANCE_COLD UINT64_MAX /* a first touch: misses at any capacity */
struct distance_histogram {
    uint64_t requests, cold;
    uint64_t bins[64 * 40];
};
enum {
    DISTANCE_EXACT = 128, /* distances with a bin each */
    DISTANCE_EXACT_BITS = 7,
    DISTANCE_OCTAVE_BITS = 6, /* 64 bins an octave above */
    DISTANCE_BINS = sizeof((struct distance_histogram *)0)->bins / sizeof(uint64_t)
};
/* The bin of a distance that is not cold: below 128 the distance itself. */
static inline uint32_t distance_bin(uint64_t distance)
{
    if (distance < DISTANCE_EXACT)
        return (uint32_t)distance;
    int octave = 63 - __builtin_clzll(distance);
    uint32_t bin =
        DISTANCE_EXACT + ((uint32_t)(octave - DISTANCE_EXACT_BITS) << DISTANCE_OCTAVE_BITS) +
        (uint32_t)(distance >> (octave - DISTANCE_OCTAVE_BITS) & ((1 << DISTANCE_OCTAVE_BITS) - 1));
    return bin < DISTANCE_BINS ? bin : DISTANCE_BINS - 1;
}
static inline void distance_histogram_add(struct distance_histogram *histogram, uint64_t distance)
{
    histogram->requests++;
    if (distance == DISTANCE_COLD)
        histogram->cold++;
    else
        histogram->bins[distance_bin(distance)]++;
}
uint64_t distance_bin_first(size_t bin); /* the least of them */
void distance_histogram_merge(struct distance_histogram *to, const struct distance_histogram *from);

/* At most CURVE_POINTS_MAX points, chosen so that the error stays below 1/CURVE_TOLERANCE
 * of the requests (a curve of more than 128 separate steps may take a little
 * more, to stay within the points); points live in the arena. */
void curve_from_histogram(struct curve *curve, const struct distance_histogram *histogram,
                          struct arena *arena);

/* Miss ratio of a fully associative LRU cache of that many lines. 0 requests: NaN. */
double curve_miss_ratio_full(const struct curve *curve, double lines);

/* Miss ratio of a set-associative LRU cache whose sets are chosen by a hash:
 * a request of distance d misses when Poisson(d / sets) >= ways (A. J. Smith,
 * 1978; the binomial's limit for many sets). */
double curve_miss_ratio(const struct curve *curve, double sets, double ways);

/* How far apart two curves of one stream are, such as those of all lines and of a sample:
 * mean and largest absolute difference of the miss ratios of fully associative caches, over
 * capacities of `least` lines (at least 1) up to where both curves are flat, 16 an octave. A sample
 * at rate R knows nothing below some 10/R lines. NaN when a curve has no requests. */
void curve_error(const struct curve *a, const struct curve *b, double least, double *mean,
                 double *max);

/* Text form: "lines:hits" pairs, delta-coded decimal integers separated by
 * blanks: l0 h0 l1-l0 h1-h0 ... In Python:
 *   p = list(map(int, s.split())); lines = accumulate(p[0::2]); hits = accumulate(p[1::2]) */
void curve_print(const struct curve *curve, struct text *out);
/* The next decimal integer of such a text; false at the end or where there is none. */
bool curve_scan_integer(const char **at, uint64_t *out);
/* Sets the points; requests and cold are the caller's. */
int curve_scan(struct curve *curve, const char *text, struct arena *arena, struct error *error);

#endif
