/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled sets: arrays of blocks in LRU order. */
#include "profile/samplers/sampled_sets.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

static size_t block_words(const struct sampled_sets *sampled)
{
    return 1 + sampled->shape.words;
}

static size_t set_count(const struct sampled_sets *sampled)
{
    return (size_t)sampled->shape.caches * sampled->shape.sampled;
}

static uint32_t *set_blocks(const struct sampled_sets *sampled, size_t set)
{
    return sampled->blocks + set * sampled->shape.ways * block_words(sampled);
}

void sampled_sets_init(struct sampled_sets *sampled, const struct sampled_sets_shape *shape)
{
    *sampled = (struct sampled_sets){.shape = *shape};
    uint32_t span = shape->span && shape->span < shape->sets ? shape->span : shape->sets;
    if (sampled->shape.sampled > span)
        sampled->shape.sampled = span;
    sampled->spacing = span / sampled->shape.sampled;
    size_t sets = set_count(sampled);
    sampled->used = memory_zero(sets, sizeof *sampled->used);
    sampled->blocks = memory_zero(sets * shape->ways * block_words(sampled), sizeof(uint32_t));
}

void sampled_sets_fini(struct sampled_sets *sampled)
{
    free(sampled->used);
    free(sampled->blocks);
    *sampled = (struct sampled_sets){0};
}

void sampled_sets_clear(struct sampled_sets *sampled)
{
    memset(sampled->used, 0, set_count(sampled) * sizeof *sampled->used);
}

void sampled_sets_drop(struct sampled_sets *sampled, uint32_t bits)
{
    size_t words = block_words(sampled);
    for (size_t set = 0; set < set_count(sampled); set++) {
        uint32_t *blocks = set_blocks(sampled, set), kept = 0;
        for (uint32_t way = 0; way < sampled->used[set]; way++)
            if (!(blocks[way * words + 1] & bits))
                memmove(blocks + kept++ * words, blocks + way * words, words * sizeof *blocks);
        sampled->used[set] = kept;
    }
}

/* Makes room at the front for the block that stands at `way`, and puts it there. */
static void set_promote(uint32_t *blocks, uint32_t way, size_t words)
{
    for (size_t i = 0; i < words && way > 0; i++) {
        uint32_t word = blocks[way * words + i];
        for (size_t at = way; at > 0; at--)
            blocks[at * words + i] = blocks[(at - 1) * words + i];
        blocks[i] = word;
    }
}

/* Where a line may be: its set, its tag and the way that has it, or the number of blocks in use.
 * False where its set is not sampled. */
struct sampled_place {
    size_t set;
    uint32_t tag, way;
};

static bool find_place(const struct sampled_sets *sampled, uint32_t cache, uint64_t hash,
                       struct sampled_place *out)
{
    const struct sampled_sets_shape *shape = &sampled->shape;
    uint32_t number = hash_reduce(hash, shape->sets);
    if (number % sampled->spacing || number / sampled->spacing >= shape->sampled)
        return false;
    *out = (struct sampled_place){
        .set = (size_t)cache * shape->sampled + number / sampled->spacing,
        .tag = (uint32_t)hash & (UINT32_MAX >> (32 - shape->tag_bits)),
    };
    const uint32_t *blocks = set_blocks(sampled, out->set);
    while (out->way < sampled->used[out->set] &&
           blocks[out->way * block_words(sampled)] != out->tag)
        out->way++;
    return true;
}

void sampled_sets_mark(struct sampled_sets *sampled, uint32_t cache, uint64_t hash, uint32_t bits)
{
    struct sampled_place at;
    if (find_place(sampled, cache, hash, &at) && at.way < sampled->used[at.set])
        set_blocks(sampled, at.set)[at.way * block_words(sampled) + 1] |= bits;
}

uint32_t *sampled_sets_touch(struct sampled_sets *sampled, uint32_t cache, uint64_t hash)
{
    struct sampled_place at;
    if (!find_place(sampled, cache, hash, &at))
        return NULL;
    size_t words = block_words(sampled);
    uint32_t *blocks = set_blocks(sampled, at.set);
    uint32_t way = at.way, used = sampled->used[at.set], tag = at.tag;
    if (way == used) {
        if (used < sampled->shape.ways)
            sampled->used[at.set]++;
        else
            way--; /* the least recent block goes */
        memset(blocks + way * words, 0, words * sizeof *blocks);
        blocks[way * words] = tag;
    }
    set_promote(blocks, way, words);
    return blocks + 1;
}

uint32_t sampled_sets_count(const struct sampled_sets *sampled, uint32_t cache, uint64_t hash,
                            uint32_t bits)
{
    const struct sampled_sets_shape *shape = &sampled->shape;
    size_t set = (size_t)cache * shape->sampled + hash_reduce(hash, shape->sets) / sampled->spacing;
    const uint32_t *blocks = set_blocks(sampled, set);
    uint32_t count = 0;
    for (uint32_t way = 0; way < sampled->used[set]; way++)
        count += (blocks[way * block_words(sampled) + 1] & bits) != 0;
    return count;
}
