/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a pass whose stack distances are taken, when not all are.
 *
 * Every line is in the table of lines, where counts and sharing are exact; those
 * in the sample have numbers of their own, dense from 0 on, so that what is kept a
 * line by the stack distances is kept for them only. A line's number in the sample
 * is how many sampled lines came before it: a bit a line and a count every 64 lines
 * say that, a fifth of a byte a line.
 *
 * The share of the lines that are in the sample goes with each batch of requests, so that threads
 * make no difference. */
#ifndef BANDSCAPE_PROFILE_LINE_SAMPLE_H
#define BANDSCAPE_PROFILE_LINE_SAMPLE_H

#include "profile/curves/line_table.h"
#include "profile/curves/spread.h"

struct line_sample {
    struct shards shards;
    int64_t balance[SPREAD_GROUPS]; /* sampled lines, by groups and signs (curves/spread.h) */
    uint64_t *bits;                 /* one a line, by its number in the table of lines */
    uint32_t *before;               /* sampled lines before each word of bits */
    uint32_t capacity;              /* words */
    uint32_t lines, sampled;
    bool nominal;
};

/* `nominal`: the table does not have all other lines, and the share is taken to be the rate. */
void line_sample_init(struct line_sample *sample, double rate, bool nominal);
void line_sample_fini(struct line_sample *sample);
size_t line_sample_bytes(const struct line_sample *sample);

/* The next line, in the order in which the table of lines numbers them. */
void line_sample_add(struct line_sample *sample, uint64_t line);

/* The number in the sample, or LINE_NONE; `id`: in the table of lines. */
static inline uint32_t line_sample_number(const struct line_sample *sample, uint32_t id)
{
    uint64_t word = sample->bits[id / 64], bit = 1ULL << id % 64;
    if (!(word & bit))
        return LINE_NONE;
    return sample->before[id / 64] + (uint32_t)__builtin_popcountll(word & (bit - 1));
}

#endif
