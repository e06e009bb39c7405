/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The streaming front: the same as the batch filter, whatever the order, the
 * blocks and the merges; and the sieve for every instruction set. */
#include "check.h"

#include "core/memory.h"
#include "explore/pareto/pareto.h"
#include "explore/pareto/pareto_sieve.h"

enum { MOST = 3000, WIDTH = 5 };

struct cloud {
    int objectives;
    size_t count;
    double *columns[WIDTH];
    uint64_t *ids;
    enum pareto_sense senses[WIDTH];
};

/* kind 0: uniform, 1: few values, 2: near a front, 3: all equal, 4: improving. */
static void cloud_fill(struct cloud *cloud, int objectives, size_t count, int kind, uint64_t *seed)
{
    cloud->objectives = objectives;
    cloud->count = count;
    for (size_t i = 0; i < count; i++)
        cloud->ids[i] = 1000 + 3 * i;
    for (int j = 0; j < objectives; j++)
        cloud->senses[j] = check_random(seed) & 1 ? PARETO_MAXIMISE : PARETO_MINIMISE;
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (int j = 0; j < objectives; j++) {
            double value = check_uniform(seed), sign = cloud->senses[j] ? -1 : 1;
            if (kind == 1)
                value = floor(value * 6);
            else if (kind == 2 && j == objectives - 1)
                value = 0.02 * value - sum;
            else if (kind == 3)
                value = 4;
            else if (kind == 4)
                value -= (double)i;
            sum += value;
            cloud->columns[j][i] = sign * value;
        }
    }
}

static void cloud_alloc(struct cloud *cloud)
{
    for (int j = 0; j < WIDTH; j++)
        cloud->columns[j] = memory_alloc(MOST * sizeof *cloud->columns[j]);
    cloud->ids = memory_alloc(MOST * sizeof *cloud->ids);
}

static void cloud_free(struct cloud *cloud)
{
    for (int j = 0; j < WIDTH; j++)
        free(cloud->columns[j]);
    free(cloud->ids);
}

static void cloud_shuffle(struct cloud *cloud, uint64_t *seed)
{
    for (size_t i = cloud->count; i > 1; i--) {
        size_t k = check_random(seed) % i;
        uint64_t id = cloud->ids[k];
        cloud->ids[k] = cloud->ids[i - 1];
        cloud->ids[i - 1] = id;
        for (int j = 0; j < cloud->objectives; j++) {
            double value = cloud->columns[j][k];
            cloud->columns[j][k] = cloud->columns[j][i - 1];
            cloud->columns[j][i - 1] = value;
        }
    }
}

static void offer(struct pareto_front *front, const struct cloud *cloud, size_t from, size_t count)
{
    const double *columns[WIDTH] = {NULL};
    for (int j = 0; j < cloud->objectives; j++)
        columns[j] = cloud->columns[j] + from;
    check_ok(pareto_front_offer(front, columns, cloud->ids + from, 0, count, &failure));
}

/* Random blocks to random fronts, which are then merged in random order. */
static struct pareto_front *scatter_and_merge(const struct cloud *cloud, enum pareto_ties ties,
                                              int parts, uint64_t *seed)
{
    struct pareto_front *fronts[8];
    for (int p = 0; p < parts; p++)
        fronts[p] = pareto_front_create(cloud->objectives, cloud->senses, ties);
    for (size_t from = 0; from < cloud->count;) {
        size_t block = check_random(seed) % (check_random(seed) % 4 ? 200 : 1000); /* and runs */
        if (block > cloud->count - from)
            block = cloud->count - from;
        offer(fronts[check_random(seed) % (uint64_t)parts], cloud, from, block);
        from += block;
    }
    for (; parts > 1; parts--) {
        int into = (int)(check_random(seed) % (uint64_t)(parts - 1));
        pareto_front_merge(fronts[into], fronts[parts - 1]);
        pareto_front_destroy(fronts[parts - 1]);
    }
    return fronts[0];
}

static void check_same(struct pareto_front *a, struct pareto_front *b, int objectives)
{
    size_t count = pareto_front_count(a);
    assert_int_equal(pareto_front_count(b), count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pareto_front_id(a, i), pareto_front_id(b, i));
        for (int j = 0; j < objectives; j++)
            assert_true(pareto_front_value(a, i, j) == pareto_front_value(b, i, j));
    }
}

TEST(test_streaming_is_batch)
{
    uint64_t seed = 11;
    struct cloud cloud;
    size_t indices[MOST], count;
    cloud_alloc(&cloud);
    for (int round = 0; round < check_rounds(100, 2000); round++) {
        enum pareto_ties ties = round / 25 % 2 ? PARETO_KEEP_TIES : PARETO_KEEP_FIRST;
        size_t points = check_random(&seed) % (round % 10 ? 400 : MOST);
        cloud_fill(&cloud, 1 + round % 5, points, round / 5 % 5, &seed);
        struct pareto_points set = {points, cloud.objectives, (const double *const *)cloud.columns,
                                    cloud.senses};
        check_ok(pareto_filter(&set, ties, indices, &count, &failure));
        bool expected[MOST] = {false};
        for (size_t i = 0; i < count; i++)
            expected[indices[i]] = true;
        struct pareto_front *one = scatter_and_merge(&cloud, ties, 1, &seed);
        assert_int_equal(pareto_front_count(one), count);
        for (size_t i = 0; i < count; i++) {
            size_t at = (pareto_front_id(one, i) - 1000) / 3;
            assert_true(expected[at]);
            for (int j = 0; j < cloud.objectives; j++)
                assert_true(pareto_front_value(one, i, j) == cloud.columns[j][at]);
        }
        for (int again = 0; again < 3; again++) {
            cloud_shuffle(&cloud, &seed);
            struct pareto_front *other =
                scatter_and_merge(&cloud, ties, 1 + (int)(check_random(&seed) % 8), &seed);
            check_same(one, other, cloud.objectives);
            /* What is known already changes nothing. */
            pareto_front_merge(other, one);
            offer(other, &cloud, 0, cloud.count);
            check_same(one, other, cloud.objectives);
            pareto_front_destroy(other);
        }
        pareto_front_destroy(one);
    }
    cloud_free(&cloud);
}

TEST(test_order_of_the_front)
{
    const double x[] = {1, 5, 3, 5, 4}, y[] = {1, 9, 4, 9, 3};
    const enum pareto_sense senses[] = {PARETO_MINIMISE, PARETO_MAXIMISE};
    const uint64_t ids[] = {50, 40, 30, 20, 10};
    struct pareto_front *front = pareto_front_create(2, senses, PARETO_KEEP_TIES);
    check_ok(pareto_front_offer(front, (const double *const[]){x, y}, ids, 0, 5, &failure));
    assert_int_equal(pareto_front_count(front), 4);
    static const uint64_t expected[] = {50, 30, 20, 40};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pareto_front_id(front, i), expected[i]);
    check_relative(pareto_front_value(front, 2, 0), 5.0, 0);
    check_relative(pareto_front_value(front, 2, 1), 9.0, 0);
    pareto_front_destroy(front);

    /* Ids by default; of equal points the smallest id, though it comes later. */
    front = pareto_front_create(2, senses, PARETO_KEEP_FIRST);
    check_ok(pareto_front_offer(front, (const double *const[]){x, y}, NULL, 700, 5, &failure));
    check_ok(pareto_front_offer(front, (const double *const[]){x, y}, NULL, 600, 5, &failure));
    assert_int_equal(pareto_front_count(front), 3);
    assert_int_equal(pareto_front_id(front, 0), 600);
    assert_int_equal(pareto_front_id(front, 2), 601);
    pareto_front_destroy(front);

    front = pareto_front_create(2, senses, PARETO_KEEP_FIRST);
    assert_int_equal(pareto_front_count(front), 0);
    pareto_front_destroy(front);
    pareto_front_destroy(NULL);
}

/* Bad values are found also where the front dominates them, and in any lane. */
TEST(test_not_finite)
{
    static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    uint64_t seed = 4;
    struct cloud cloud;
    cloud_alloc(&cloud);
    for (int round = 0; round < 200; round++) {
        char words[80];
        cloud_fill(&cloud, 1 + round % 4, 600, 0, &seed);
        struct pareto_front *front =
            pareto_front_create(cloud.objectives, cloud.senses, PARETO_KEEP_FIRST);
        offer(front, &cloud, 0, 600);
        size_t where = check_random(&seed) % 600;
        int objective = (int)(check_random(&seed) % (uint64_t)cloud.objectives);
        cloud.columns[objective][where] = bad[round % 3];
        snprintf(words, sizeof words, "objective %d of point %d", objective, (int)cloud.ids[where]);
        check_error(pareto_front_offer(front, (const double *const *)cloud.columns, cloud.ids, 0,
                                       600, &failure),
                    STATUS_INPUT, words);
        pareto_front_destroy(front);
    }
    cloud_free(&cloud);
}

static bool dominates(const struct cloud *cloud, const double *key, const double *other)
{
    bool no_worse = true, better = false;
    for (int j = 0; j < cloud->objectives; j++) {
        no_worse &= key[j] <= other[j];
        better |= key[j] < other[j];
    }
    return no_worse && better;
}

/* Every compiled version of the sieve against the definition. */
static void check_sieve(const struct pareto_sieve_kernels *kernels)
{
    uint64_t seed = 12;
    struct cloud cloud;
    int covered = 0;
    cloud_alloc(&cloud);
    for (int round = 0; round < 400; round++) {
        struct pareto_sieve sieve = {0};
        struct pareto_block block = {0};
        double sign[WIDTH], member[SIEVE_MEMBERS][WIDTH], best[WIDTH], worst[WIDTH];
        unsigned char left[SIEVE_BLOCK];
        cloud_fill(&cloud, 1 + round % 4, 200, round / 4 % 3, &seed);
        size_t from = check_random(&seed) % 50, count = 1 + check_random(&seed) % SIEVE_BLOCK;
        /* Some blocks are narrow and far behind. */
        for (int j = 0; j < cloud.objectives && round % 3 == 0; j++)
            for (size_t i = from; i < from + count; i++)
                cloud.columns[j][i] =
                    0.1 * cloud.columns[j][i] + (cloud.senses[j] == PARETO_MAXIMISE ? -0.7 : 0.7);
        /* Members: a front, as the callers have it. */
        struct pareto_front *front =
            pareto_front_create(cloud.objectives, cloud.senses, PARETO_KEEP_FIRST);
        offer(front, &cloud, 120, 80);
        block.objectives = cloud.objectives;
        sieve.count = pareto_front_count(front);
        if (sieve.count > SIEVE_MEMBERS)
            sieve.count = SIEVE_MEMBERS;
        for (int j = 0; j < cloud.objectives; j++) {
            sign[j] = cloud.senses[j] == PARETO_MAXIMISE ? -1 : 1;
            best[j] = HUGE_VAL;
            worst[j] = -HUGE_VAL;
            for (size_t k = 0; k < sieve.count; k++)
                sieve.members[j][k] = member[k][j] = sign[j] * pareto_front_value(front, k, j);
        }
        kernels->load(&block, sign, (const double *const *)cloud.columns, from, count);
        size_t found = kernels->pass(&sieve, &block, left), next = 0;
        for (size_t i = 0; i < count; i++) {
            double key[WIDTH];
            bool dominated = false;
            for (int j = 0; j < cloud.objectives; j++) {
                key[j] = sign[j] * cloud.columns[j][from + i];
                assert_true(block.keys[j][i] == key[j]);
                best[j] = fmin(best[j], key[j]);
                worst[j] = fmax(worst[j], key[j]);
            }
            for (size_t k = 0; k < sieve.count; k++) {
                bool does = dominates(&cloud, member[k], key);
                assert_int_equal(kernels->mark(&block, member[k]) >> i & 1, does);
                dominated |= does;
            }
            bool is_left = next < found && left[next] == i;
            assert_int_equal(is_left, !dominated);
            next += is_left;
        }
        assert_int_equal(next, found);
        assert_true(block.finite);
        bool covers = false;
        for (int j = 0; j < cloud.objectives; j++)
            assert_true(block.best[j] == best[j] && block.worst[j] == worst[j]);
        for (size_t k = 0; k < sieve.count; k++)
            covers |= dominates(&cloud, member[k], best);
        assert_int_equal(kernels->covers(&sieve, best, cloud.objectives), covers);
        covered += covers;
        pareto_front_destroy(front);
    }
    assert_true(covered > 20 && covered < 300); /* both happen */
    static const uint64_t masks[] = {0xff00, 1, 0}, other[] = {0x0f0f, 0, ~UINT64_C(0)};
    assert_int_equal(kernels->gain(masks, other, 3), 4 + 1);
    cloud_free(&cloud);
}

TEST(test_sieves)
{
    static const char *const names[] = {"base", "v3", "v4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (pareto_sieve_kernels_find(names[i]))
            check_sieve(pareto_sieve_kernels_find(names[i]));
}
