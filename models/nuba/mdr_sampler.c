/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model-driven replication: sampled sets of both streams. */
#include "nuba/mdr_sampler.h"

#include <math.h>

#include "core/hash.h"

/* The word of a block; 0: the line was not there. */
enum { BLOCK_HOME = 1, BLOCK_REPLICA = 2 };

void mdr_sampler_init(struct mdr_sampler *sampler, const struct mdr_sampler_shape *shape)
{
    *sampler = (struct mdr_sampler){0};
    struct sampled_sets_shape sets = {
        .caches = shape->domains,
        .sets = shape->sets_per_domain,
        .span = shape->sets_per_slice,
        .sampled = shape->sampled_sets,
        .ways = shape->ways,
        .tag_bits = shape->tag_bits,
        .words = 1,
    };
    sampled_sets_init(&sampler->home_sets, &sets);
    sampled_sets_init(&sampler->union_sets, &sets);
}

void mdr_sampler_fini(struct mdr_sampler *sampler)
{
    sampled_sets_fini(&sampler->home_sets);
    sampled_sets_fini(&sampler->union_sets);
}

void mdr_sampler_begin_epoch(struct mdr_sampler *sampler)
{
    sampler->home = sampler->united = (struct mdr_rate){0};
    sampler->requests = sampler->local = sampler->replicable = 0;
}

void mdr_sampler_begin_kernel(struct mdr_sampler *sampler)
{
    sampled_sets_drop(&sampler->union_sets, BLOCK_REPLICA);
    mdr_sampler_begin_epoch(sampler);
}

static void rate_take(struct mdr_rate *rate, uint32_t *block, uint32_t mark)
{
    rate->requests++;
    rate->hits += *block != 0;
    *block = mark;
}

/* NULL where neither the domain nor the set is sampled. */
static uint32_t *domain_touch(struct sampled_sets *sampled, uint32_t domain, uint64_t hash)
{
    return domain < sampled->shape.caches ? sampled_sets_touch(sampled, domain, hash) : NULL;
}

void mdr_sampler_take(struct mdr_sampler *sampler, uint32_t requester, uint32_t home, uint64_t line,
                      bool replicable)
{
    bool replica = replicable && requester != home;
    sampler->requests++;
    sampler->local += requester == home;
    sampler->replicable += replica;

    uint64_t hash = hash_fmix64(line);
    uint32_t *block = domain_touch(&sampler->home_sets, home, hash);
    if (block)
        rate_take(&sampler->home, block, BLOCK_HOME);
    block = domain_touch(&sampler->union_sets, replica ? requester : home, hash);
    if (block)
        rate_take(&sampler->united, block, replica ? BLOCK_REPLICA : BLOCK_HOME);
}

static double mdr_ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

void mdr_sampler_estimate(const struct mdr_sampler *sampler, struct mdr_estimate *out)
{
    *out = (struct mdr_estimate){
        .requests = sampler->requests,
        .f_local = mdr_ratio(sampler->local, sampler->requests),
        .f_replicable = mdr_ratio(sampler->replicable, sampler->requests - sampler->local),
        .hit_rate = mdr_ratio(sampler->home.hits, sampler->home.requests),
        .replica_hit_rate = mdr_ratio(sampler->united.hits, sampler->united.requests),
    };
}

uint32_t mdr_sampler_storage(const struct mdr_sampler_shape *shape)
{
    return (shape->domains * shape->sampled_sets * shape->ways * shape->tag_bits + 7) / 8;
}

uint32_t mdr_evaluation_cycles(void)
{
    return MDR_MULTIPLICATIONS * MDR_MULTIPLICATION_CYCLES + MDR_ADDITIONS * MDR_ADDITION_CYCLES +
           MDR_MINIMUM_CYCLES + MDR_COMPARISON_CYCLES;
}
