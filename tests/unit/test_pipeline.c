/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The broadcast ring: every consumer sees every item once and in order, the
 * producer never runs further ahead than the ring is deep, and a drain means
 * that all is done - for any number of consumers and whoever is faster. */
#include "check.h"

#include <stdatomic.h>
#include <time.h>

#include "core/memory.h"
#include "core/pipeline.h"

enum { CONSUMERS_MAX = 3, WORDS = 64 };

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct item {
    uint64_t number;
    uint64_t words[WORDS]; /* words[i] = number * WORDS + i */
};

struct watch {
    struct pipeline *pipeline;
    uint64_t depth;
    uint64_t slow_every; /* consumers sleep every so many items; 0: never */
    atomic_uint_fast64_t pushed;
    struct {
        atomic_uint_fast64_t seen;
        uint64_t sum; /* read by the producer after a drain only */
        char apart[64];
    } consumers[CONSUMERS_MAX];
    atomic_uint_fast64_t wrong;
};

/* Item contents would be wrong if the slot were filled again too early. */
static void watch_item(void *context, int consumer, void *memory)
{
    struct watch *w = context;
    const struct item *item = memory;
    uint64_t number = atomic_load(&w->consumers[consumer].seen), sum = 0;
    if (w->slow_every && number % w->slow_every == (uint64_t)consumer)
        nap();
    for (uint64_t i = 0; i < WORDS; i++) {
        w->wrong += item->words[i] != number * WORDS + i;
        sum += item->words[i];
    }
    w->wrong += item->number != number;
    w->wrong += (uintptr_t)memory % 64 != 0;
    w->consumers[consumer].sum += sum;
    atomic_store(&w->consumers[consumer].seen, number + 1);
}

static void push_items(struct watch *w, int consumers, uint64_t count, uint64_t slow_every)
{
    for (uint64_t n = 0; n < count; n++) {
        struct item *item = pipeline_slot(w->pipeline);
        uint64_t number = w->pushed;
        /* The slot is free only if every consumer is through with its last item. */
        for (int k = 0; k < consumers; k++)
            assert_true(number - atomic_load(&w->consumers[k].seen) < w->depth);
        item->number = number;
        for (uint64_t i = 0; i < WORDS; i++)
            item->words[i] = number * WORDS + i;
        assert_ptr_equal(item, pipeline_slot(w->pipeline)); /* the same until pushed */
        if (slow_every && n % slow_every == 0)
            nap();
        w->pushed++;
        pipeline_push(w->pipeline);
    }
}

static void check_run(int consumers, int depth, uint64_t count, uint64_t slow_producer,
                      uint64_t slow_consumers)
{
    struct watch w = {.depth = (uint64_t)depth, .slow_every = slow_consumers};
    int all = consumers ? consumers : 1;
    w.pipeline = pipeline_create(sizeof(struct item), depth, consumers, watch_item, &w);
    assert_int_equal(pipeline_consumers(w.pipeline), all);
    uint64_t done = 0;
    pipeline_drain(w.pipeline); /* of nothing */
    for (uint64_t part = 0; part < 3; part++) {
        push_items(&w, all, count / 3 + part, slow_producer);
        done += count / 3 + part;
        pipeline_drain(w.pipeline);
        for (int k = 0; k < all; k++) {
            assert_int_equal(w.consumers[k].seen, done);
            assert_int_equal(w.consumers[k].sum, done * WORDS * (done * WORDS - 1) / 2);
        }
    }
    push_items(&w, all, 5, 0); /* without a drain: destroy finishes them */
    pipeline_destroy(w.pipeline);
    for (int k = 0; k < all; k++)
        assert_int_equal(w.consumers[k].seen, done + 5);
    assert_int_equal(w.wrong, 0);
}

TEST(test_every_item_in_order)
{
    static const int depths[] = {1, 2, 3, 8, 64};
    for (int consumers = 0; consumers <= CONSUMERS_MAX; consumers++)
        for (size_t d = 0; d < sizeof depths / sizeof *depths; d++)
            check_run(consumers, depths[d], 1200, 0, 0);
}

TEST(test_who_is_faster)
{
    for (int consumers = 0; consumers <= CONSUMERS_MAX; consumers++) {
        check_run(consumers, 4, 600, 3, 0);
        check_run(consumers, 4, 600, 0, 7);
        check_run(consumers, 4, 600, 5, 5);
    }
}

TEST(test_many_items)
{
    check_run(2, 16, (uint64_t)check_rounds(30000, 1000000), 0, 0);
}

/* ---- back pressure --------------------------------------------------------- */

struct gate {
    atomic_int open, entered;
};

static void wait_at_gate(void *context, int consumer, void *item)
{
    struct gate *gate = context;
    (void)consumer;
    (void)item;
    gate->entered++;
    while (!gate->open)
        nap();
}

static void fill(void *context, int consumer, void *item)
{
    struct gate *gate = context;
    (void)consumer;
    (void)item;
    gate->entered++;
}

struct attempt {
    struct pipeline *pipeline;
    atomic_int pushed;
};

/* A producer inside a consumer: so that it can be watched while it is stuck. */
static void push_ten(void *context, int consumer, void *item)
{
    struct attempt *attempt = context;
    (void)consumer;
    (void)item;
    for (int i = 0; i < 10; i++) {
        pipeline_slot(attempt->pipeline);
        pipeline_push(attempt->pipeline);
        attempt->pushed++;
    }
}

/* With its consumers stuck, a producer gets exactly `depth` items in. */
TEST(test_back_pressure)
{
    for (int depth = 1; depth <= 4; depth++) {
        struct gate gate = {0};
        struct attempt attempt = {0};
        attempt.pipeline = pipeline_create(8, depth, 2, wait_at_gate, &gate);
        struct pipeline *outer = pipeline_create(0, 1, 1, push_ten, &attempt);
        pipeline_push(outer);
        while (attempt.pushed < depth)
            nap();
        for (int i = 0; i < 20; i++) {
            nap();
            assert_int_equal(attempt.pushed, depth);
            assert_true(gate.entered <= 2);
        }
        gate.open = 1;
        pipeline_destroy(outer);
        assert_int_equal(attempt.pushed, 10);
        pipeline_destroy(attempt.pipeline);
        assert_int_equal(gate.entered, 20);
    }
}

/* Nothing is pushed, or the caller consumes. */
TEST(test_edges)
{
    struct gate gate = {0};
    pipeline_destroy(NULL);
    pipeline_destroy(pipeline_create(100, 4, 3, fill, &gate));
    assert_int_equal(gate.entered, 0);
    struct pipeline *p = pipeline_create(1, 0, 0, fill, &gate); /* a depth of 1 at least */
    pipeline_push(p);
    assert_int_equal(gate.entered, 1); /* at once */
    pipeline_push(p);
    assert_int_equal(gate.entered, 2);
    pipeline_destroy(p);
}

/* ---- a divided result ------------------------------------------------------ */

enum { LANES = 7, BATCH = 100 };

struct shares {
    int consumers;
    uint64_t lanes[LANES]; /* hash of the values of a lane, in order */
};

static void consume_share(void *context, int consumer, void *item)
{
    struct shares *shares = context;
    const uint64_t *values = item;
    for (int i = 0; i < BATCH; i++) {
        int lane = (int)(values[i] % LANES);
        if (lane % shares->consumers == consumer)
            shares->lanes[lane] = (shares->lanes[lane] ^ values[i]) * 0x100000001b3;
    }
}

static struct shares divide(int consumers)
{
    struct shares shares = {.consumers = consumers ? consumers : 1};
    struct pipeline *p =
        pipeline_create(BATCH * sizeof(uint64_t), 8, consumers, consume_share, &shares);
    uint64_t random = 5;
    for (int n = 0; n < 300; n++) {
        uint64_t *values = pipeline_slot(p);
        for (int i = 0; i < BATCH; i++)
            values[i] = check_random(&random);
        pipeline_push(p);
    }
    pipeline_destroy(p);
    return shares;
}

/* Lanes dealt out to consumers: results that depend on order are the same. */
TEST(test_same_result_for_any_number)
{
    struct shares want = divide(0);
    for (int consumers = 1; consumers <= CONSUMERS_MAX; consumers++)
        assert_memory_equal(divide(consumers).lanes, want.lanes, sizeof want.lanes);
}

/* ---- speed ------------------------------------------------------------------ */

static void count_item(void *context, int consumer, void *item)
{
    (void)item;
    ((uint64_t(*)[8])context)[consumer][0]++;
}

/* Told, not asserted: items of a pass have a thousand requests, 20 us or more. */
TEST(test_cost_of_an_empty_item)
{
    uint64_t count = (uint64_t)check_rounds(50000, 2000000);
    for (int consumers = 0; consumers <= CONSUMERS_MAX; consumers++) {
        uint64_t seen[CONSUMERS_MAX][8] = {{0}};
        struct pipeline *p = pipeline_create(64, 64, consumers, count_item, seen);
        double start = seconds();
        for (uint64_t n = 0; n < count; n++) {
            pipeline_slot(p);
            pipeline_push(p);
        }
        pipeline_drain(p);
        print_message("%d consumers: %.2f M empty items a second\n", consumers,
                      1e-6 * (double)count / (seconds() - start));
        pipeline_destroy(p);
        for (int k = 0; k < (consumers ? consumers : 1); k++)
            assert_int_equal(seen[k][0], count);
    }
}
