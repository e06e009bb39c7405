/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a sample's counts may be off, from the sample itself: the spread between neighbours.
 *
 * The sample has one line of each block of neighbours (curves/shards.h), so that what blocks have
 * of their own is no error: only which line of its block was taken. One line says nothing of
 * that; two neighbouring blocks are taken to have been drawn alike ("collapsed strata", Hansen,
 * Hurwitz and Madow, 1953; Wolter, Introduction to Variance Estimation, 2007, section 8.2), so
 * that the square of the difference of theirs estimates the sum of their variances. A sweep, whose
 * neighbours are alike, differs by nothing; a gather by as much as chance does.
 *
 * Pairs of blocks are not kept apart. A hash puts each into one of SPREAD_GROUPS groups and says
 * which of the two counts as positive: a group's sum t has the expectation 0 and, over the
 * signs, that of t^2 is the sum over its pairs. So of a count y
 *
 *     variance of y/R = (1 - R)/R^2 sum over groups of t^2,
 *
 * which is exact for lines that differ by chance, and has SPREAD_GROUPS degrees of freedom. The
 * true share of lines stands for R (shards_observe); what of y goes with the number of lines is
 * then no error: t is that of y - (Y/N) x, where x is 1 for a line in the sample, of N with Y
 * together.
 *
 * Counts are kept by stack distance, in coarser bins than those of a histogram: 4 an octave. */
#ifndef BANDSCAPE_PROFILE_SPREAD_H
#define BANDSCAPE_PROFILE_SPREAD_H

#include "core/hash.h"
#include "profile/curves/evenness.h"
#include "profile/curves/shards.h"
#include "profile/record/curve.h"

enum {
    SPREAD_GROUPS = 16,
    SPREAD_BINS = 176, /* as far as histograms go */
    SPREAD_COLD = SPREAD_BINS
};

struct spread {
    int64_t counts[SPREAD_GROUPS][SPREAD_BINS + 1];
};

/* Where a line counts. */
struct spread_place {
    uint8_t group;
    int8_t sign;
};
static inline struct spread_place spread_place(const struct shards *shards, uint64_t line)
{
    uint64_t block = line >> shards->block_bits;
    uint64_t hash = hash_fmix64((block >> 1) + 0xd1b54a32d192ed03ULL);
    return (struct spread_place){hash % SPREAD_GROUPS, (hash >> 32 ^ block) & 1 ? 1 : -1};
}

/* The bin of a histogram's bin; the least distance of one. */
static inline uint32_t spread_bin(uint32_t bin)
{
    enum { EXACT = 128, FIRST = 8 };
    if (bin < FIRST)
        return bin;
    if (bin >= EXACT)
        return FIRST + 16 + (bin - EXACT) / 16;
    uint32_t octave = 31 - (uint32_t)__builtin_clz(bin);
    return FIRST + (octave - 3) * 4 + (bin >> (octave - 2) & 3);
}
static inline uint64_t spread_lines(uint32_t bin)
{
    return bin < 8 ? bin : (uint64_t)(4 + bin % 4) << (1 + (bin - 8) / 4);
}

static inline void spread_add(struct spread *spread, struct spread_place at, uint32_t bin,
                              int64_t by)
{
    spread->counts[at.group][bin] += at.sign * by;
}

/* The sample that a spread is of. */
struct spread_sample {
    double share;           /* of the lines */
    double lines;           /* in the sample */
    const int64_t *balance; /* [group] of x */
    const struct evenness *evenness;
};

/* A count in caches of every size: of histograms that are scaled, cold ones too. */
struct spread_total {
    double *from; /* [bin of a histogram]: at its distances and above */
};
void spread_total_begin(struct spread_total *total);
void spread_total_end(struct spread_total *total);
void spread_total_add(struct spread_total *total, const struct distance_histogram *histogram);
void spread_total_take(struct spread_total *total, const struct distance_histogram *histogram);
/* What a flush writes home, in each cache: distances below its size. */
void spread_total_flush(struct spread_total *total, const struct distance_histogram *dirty);
void spread_flush(struct spread *spread, const struct spread *dirty);

/* Half of the interval that holds a count with 95 %, at the least distance of each bin: caches of
 * so many lines. The total is scaled, the spread of the same count is not. Beside the spread it has
 * what distances may be off by: in a cache of C lines stand R C sampled ones but for a deviation
 * (curves/evenness.h), so that the count is that of a cache which is larger or smaller by this. */
void spread_interval(const struct spread *spread, const struct spread_sample *sample,
                     const struct spread_total *total, double half[SPREAD_BINS]);

#endif
