/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set sampling: a few sets of a set-associative LRU cache are kept as tags, and
 * speak for all of them.
 *
 * A line belongs to the set that the high bits of its hash choose, as slices of
 * the LLC are chosen, so evenly spaced sets are evenly spaced over the slices:
 * of `sets`, those numbered 0, s, 2s ... with s = floor(sets / sampled); of their first `span`
 * alone, with s = floor(span / sampled), they are all in the first slices. The tag
 * is the low bits of the hash: two lines with the same ones look alike, as they
 * do to hardware that stores partial tags. */
#ifndef BANDSCAPE_PROFILE_SAMPLED_SETS_H
#define BANDSCAPE_PROFILE_SAMPLED_SETS_H

#include <stdint.h>

struct sampled_sets_shape {
    uint32_t caches;   /* that are sampled alike, each on its own */
    uint32_t sets;     /* of one cache; at least 1 */
    uint32_t span;     /* of them, from the first on; 0: all */
    uint32_t sampled;  /* of these, at least 1; all when there are fewer */
    uint32_t ways;     /* at least 1 */
    uint32_t tag_bits; /* 1 to 32 */
    uint32_t words;    /* that a block holds beside its tag */
};

struct sampled_sets {
    struct sampled_sets_shape shape;
    uint32_t spacing;
    uint32_t *used;   /* valid blocks, one a set */
    uint32_t *blocks; /* of each set, most recent first: tag, then words */
};

void sampled_sets_init(struct sampled_sets *sampled, const struct sampled_sets_shape *shape);
void sampled_sets_fini(struct sampled_sets *sampled);

/* Empties all of them. */
void sampled_sets_clear(struct sampled_sets *sampled);

/* Drops the blocks whose first word has any of these bits. */
void sampled_sets_drop(struct sampled_sets *sampled, uint32_t bits);

/* Sets bits in the first word of a line's block, where there is one. */
void sampled_sets_mark(struct sampled_sets *sampled, uint32_t cache, uint64_t hash, uint32_t bits);

/* One access to a line, given its hash_fmix64(): NULL when its set is not sampled, else
 * the words of its block, now the most recent one. They are zero when the line was not
 * there and has just replaced the least recent one. */
uint32_t *sampled_sets_touch(struct sampled_sets *sampled, uint32_t cache, uint64_t hash);

/* Valid blocks whose first word has any of these bits, in the set of a line; the set must be
 * a sampled one. */
uint32_t sampled_sets_count(const struct sampled_sets *sampled, uint32_t cache, uint64_t hash,
                            uint32_t bits);

#endif
