/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MDR's sampler: published sizes, hand cases, a naive referee. */
#include "check.h"

#include "core/hash.h"
#include "nuba/mdr_sampler.h"

TEST(test_published)
{
    struct mdr_sampler_shape shape = {MDR_SAMPLED_DOMAINS, 96,          48, MDR_WAYS,
                                      MDR_SAMPLED_SETS,    MDR_TAG_BITS};
    assert_int_equal(mdr_sampler_storage(&shape), 384);
    assert_int_equal(mdr_evaluation_cycles(), 116);
}

/* Two domains of one set with two ways. */
TEST(test_by_hand)
{
    struct mdr_sampler_shape shape = {2, 1, 0, 2, 8, 24};
    struct mdr_sampler sampler;
    struct mdr_estimate e;
    mdr_sampler_init(&sampler, &shape);
    mdr_sampler_estimate(&sampler, &e);
    assert_true(isnan(e.f_local) && isnan(e.f_replicable));
    assert_true(isnan(e.hit_rate) && isnan(e.replica_hit_rate));

    mdr_sampler_take(&sampler, 0, 0, 10, false); /* cold in both */
    mdr_sampler_take(&sampler, 1, 0, 10, true);  /* hit at home; a new replica in 1 */
    mdr_sampler_take(&sampler, 1, 0, 10, true);  /* hits in both */
    mdr_sampler_take(&sampler, 1, 0, 10, false); /* not replicable: hits at home in both */
    mdr_sampler_take(&sampler, 1, 1, 20, true);  /* at home: a home line, though replicable */
    mdr_sampler_take(&sampler, 1, 1, 21, false); /* pushes 1's replica out */
    mdr_sampler_take(&sampler, 1, 0, 10, true);  /* hit at home; in 1 it replaces line 20 */
    mdr_sampler_take(&sampler, 0, 1, 20, false); /* hit at home, miss beside replicas */
    mdr_sampler_estimate(&sampler, &e);
    assert_int_equal(e.requests, 8);
    check_relative(e.f_local, 3 / 8.0, 1e-12);
    check_relative(e.f_replicable, 3 / 5.0, 1e-12);
    check_relative(e.hit_rate, 5 / 8.0, 1e-12);
    check_relative(e.replica_hit_rate, 2 / 8.0, 1e-12);

    /* An epoch keeps contents: 1 holds 20 and a replica of 10. */
    mdr_sampler_begin_epoch(&sampler);
    mdr_sampler_take(&sampler, 1, 0, 10, true);
    mdr_sampler_take(&sampler, 1, 1, 20, true);
    mdr_sampler_estimate(&sampler, &e);
    assert_int_equal(e.requests, 2);
    check_relative(e.hit_rate, 1.0, 1e-12);
    check_relative(e.replica_hit_rate, 1.0, 1e-12);

    /* A kernel flushes replicas only. */
    mdr_sampler_begin_kernel(&sampler);
    mdr_sampler_take(&sampler, 1, 0, 10, true);
    mdr_sampler_take(&sampler, 1, 1, 20, true);
    mdr_sampler_estimate(&sampler, &e);
    check_relative(e.hit_rate, 1.0, 1e-12);
    check_relative(e.replica_hit_rate, 0.5, 1e-12);
    mdr_sampler_fini(&sampler);
}

/* The referee: unsorted blocks with times. */
enum { DOMAINS = 5, SETS = 20, WAYS = 4 };

struct naive_block {
    bool valid, replica;
    uint64_t tag, time;
};

struct naive {
    struct naive_block home[DOMAINS][SETS][WAYS], united[DOMAINS][SETS][WAYS];
    uint64_t requests, local, replicable, looked, united_looked, hits, replica_hits, time;
};

static bool naive_look(struct naive_block *set, uint32_t ways, uint64_t tag, bool replica,
                       uint64_t time)
{
    struct naive_block *victim = set;
    for (uint32_t w = 0; w < ways; w++) {
        if (set[w].valid && set[w].tag == tag) {
            set[w] = (struct naive_block){true, replica, tag, time};
            return true;
        }
        if (victim->valid && (!set[w].valid || set[w].time < victim->time))
            victim = &set[w];
    }
    *victim = (struct naive_block){true, replica, tag, time};
    return false;
}

static void naive_take(struct naive *naive, const struct mdr_sampler_shape *shape,
                       uint32_t requester, uint32_t home, uint64_t line, bool replicable)
{
    uint64_t hash = hash_fmix64(line);
    uint32_t set = (uint32_t)(((hash >> 32) * shape->sets_per_domain) >> 32);
    uint32_t span = shape->sets_per_slice && shape->sets_per_slice < shape->sets_per_domain
                        ? shape->sets_per_slice
                        : shape->sets_per_domain;
    uint32_t sampled = shape->sampled_sets < span ? shape->sampled_sets : span;
    bool replica = replicable && requester != home, in = false;
    naive->requests++;
    naive->local += requester == home;
    naive->replicable += replica;
    for (uint32_t k = 0; k < sampled; k++)
        in |= set == k * (span / sampled);
    if (!in)
        return;
    uint64_t tag = hash % (UINT64_C(1) << shape->tag_bits);
    uint32_t at = replica ? requester : home;
    naive->time++;
    if (home < shape->domains) {
        naive->looked++;
        naive->hits += naive_look(naive->home[home][set], shape->ways, tag, false, naive->time);
    }
    if (at < shape->domains) {
        naive->united_looked++;
        naive->replica_hits +=
            naive_look(naive->united[at][set], shape->ways, tag, replica, naive->time);
    }
}

static void naive_begin(struct naive *naive, bool kernel)
{
    naive->requests = naive->local = naive->replicable = 0;
    naive->looked = naive->united_looked = naive->hits = naive->replica_hits = 0;
    for (int d = 0; kernel && d < DOMAINS; d++)
        for (int s = 0; s < SETS; s++)
            for (int w = 0; w < WAYS; w++)
                naive->united[d][s][w].valid &= !naive->united[d][s][w].replica;
}

static void check_ratio(double got, uint64_t part, uint64_t whole)
{
    if (whole)
        check_relative(got, (double)part / (double)whole, 1e-12);
    else
        assert_true(isnan(got));
}

static void check_against(const struct mdr_sampler *sampler, const struct naive *naive)
{
    struct mdr_estimate e;
    mdr_sampler_estimate(sampler, &e);
    assert_int_equal(e.requests, naive->requests);
    check_ratio(e.f_local, naive->local, naive->requests);
    check_ratio(e.f_replicable, naive->replicable, naive->requests - naive->local);
    check_ratio(e.hit_rate, naive->hits, naive->looked);
    check_ratio(e.replica_hit_rate, naive->replica_hits, naive->united_looked);
}

TEST(test_against_naive)
{
    static struct naive naive;
    uint64_t random = 1;
    for (int round = check_rounds(2000, 40000); round > 0; round--) {
        naive = (struct naive){0};
        struct mdr_sampler_shape shape = {
            .domains = 1 + (uint32_t)(check_random(&random) % DOMAINS),
            .sets_per_domain = 1 + (uint32_t)(check_random(&random) % SETS),
            .sets_per_slice = (uint32_t)(check_random(&random) % SETS),
            .ways = 1 + (uint32_t)(check_random(&random) % WAYS),
            .sampled_sets = 1 + (uint32_t)(check_random(&random) % SETS),
            .tag_bits = check_random(&random) % 4 ? 24 : 3,
        };
        struct mdr_sampler sampler;
        mdr_sampler_init(&sampler, &shape);
        uint64_t lines = 1 + check_random(&random) % 150;
        uint32_t domains = shape.domains + (uint32_t)(check_random(&random) % 3);
        int length = 1 + (int)(check_random(&random) % 500);
        for (int i = 0; i < length; i++) {
            uint64_t choice = check_random(&random) % 100;
            if (choice < 2) {
                check_against(&sampler, &naive);
                if (choice)
                    mdr_sampler_begin_kernel(&sampler);
                else
                    mdr_sampler_begin_epoch(&sampler);
                naive_begin(&naive, choice);
            }
            uint64_t line = check_random(&random) % lines;
            uint32_t home = (uint32_t)(line % domains);
            uint32_t requester = (uint32_t)(check_random(&random) % domains);
            bool replicable = line % 3 != 0;
            mdr_sampler_take(&sampler, requester, home, line, replicable);
            naive_take(&naive, &shape, requester, home, line, replicable);
        }
        check_against(&sampler, &naive);
        mdr_sampler_fini(&sampler);
    }
}

/* A footprint as large as all slices: read by all and replicated, it falls out of them. */
TEST(test_replication_costs_capacity)
{
    struct mdr_sampler_shape shape = {4, 64, 0, 16, 8, 24};
    struct mdr_sampler sampler;
    struct mdr_estimate e;
    uint64_t random = 5;
    mdr_sampler_init(&sampler, &shape);
    for (int i = 0; i < 400000; i++) {
        if (i == 100000)
            mdr_sampler_begin_epoch(&sampler);
        uint64_t line = check_random(&random) % (4 * 64 * 16);
        mdr_sampler_take(&sampler, (uint32_t)(check_random(&random) % 4), (uint32_t)(line % 4),
                         line, true);
    }
    mdr_sampler_estimate(&sampler, &e);
    check_relative(e.f_local, 0.25, 0.02);
    assert_true(e.f_replicable == 1.0);
    assert_true(e.hit_rate > 0.85);
    check_relative(e.replica_hit_rate, 0.25, 0.1);
    mdr_sampler_fini(&sampler);
}
