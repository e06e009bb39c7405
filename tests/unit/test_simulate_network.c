/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated networks beside exact mean value analysis and formulae of single queues. */
#include "queueing_check.h"

#include "simulate/engine.h"
#include "simulate/plain.h"

static struct simulate_result *simulate(const struct queueing_network *network, uint64_t seed,
                                        uint64_t requests, double confidence)
{
    struct simulate_options options = {seed, requests, requests / 10, confidence};
    struct simulate_result *result;
    check_ok(simulate_network(network, &options, &result, &failure));
    return result;
}

/* Intervals looked at, and those that hold the exact value. */
struct coverage {
    int all, holding;
};

static void cover(struct coverage *coverage, struct estimate estimate, double exact)
{
    coverage->all++;
    coverage->holding += fabs(estimate.mean - exact) <= estimate.half_width + 1e-12 * exact;
}

static void compare(struct coverage *coverage, const struct queueing_network *network,
                    uint64_t seed, uint64_t requests, double confidence)
{
    struct queueing_result *exact = check_solve(network, "exact");
    struct simulate_result *got = simulate(network, seed, requests, confidence);
    for (int c = 0; c < network->classes; c++) {
        cover(coverage, got->throughput_per_s[c], exact->throughput_per_s[c]);
        if (exact->response_s[c] > 0)
            cover(coverage, got->response_s[c], exact->response_s[c]);
    }
    for (int i = 0; i < network->classes * network->stations; i++) {
        cover(coverage, got->queue_length[i], exact->queue_length[i]);
        cover(coverage, got->utilisation[i], exact->utilisation[i]);
        cover(coverage, got->residence_s[i], exact->residence_s[i]);
    }
    simulate_result_destroy(got);
    queueing_result_destroy(exact);
}

/* Product-form networks of every kind of station: all exact values lie in intervals of
 * 99.9 %, but for what is left out of them once in a thousand. */
TEST(test_closed)
{
    struct coverage coverage = {0};
    uint64_t random = 7;
    int rounds = check_long() ? 400 : 36; /* a share of them is looked at */
    for (int i = 0; i < rounds; i++) {
        struct check_network n;
        check_random_network(&n, &random, check_pick(&random, 1, 3), check_pick(&random, 1, 5), 8,
                             i % 2);
        compare(&coverage, &n.network, (uint64_t)i, 20000, 0.999);
    }
    print_message("%d of %d in their intervals of 99.9 %%\n", coverage.holding, coverage.all);
    assert_true(coverage.all > 15 * rounds);
    assert_true(coverage.holding >= coverage.all - coverage.all / 200);
}

/* Intervals are not wide for nothing: those of 90 % leave out about one in ten. */
TEST(test_confidence)
{
    struct coverage coverage = {0};
    uint64_t random = 11;
    int rounds = check_long() ? 400 : 40;
    for (int i = 0; i < rounds; i++) {
        struct check_network n;
        check_random_network(&n, &random, 1, 4, 6, false);
        compare(&coverage, &n.network, (uint64_t)i, 10000, 0.9);
    }
    double share = (double)coverage.holding / coverage.all;
    print_message("%.3f in their intervals of 90 %%\n", share);
    assert_true(share > 0.84 && share < 0.96);
}

TEST(test_mixed)
{
    struct coverage coverage = {0};
    struct check_network n;
    check_network_init(&n, 3, 3);
    n.class[0] = (struct queueing_class){.name = "open", .open = true, .arrival_per_s = 0.4};
    n.class[1] = (struct queueing_class){.name = "slow", .open = true, .arrival_per_s = 0.1};
    n.class[2].population = 5;
    n.class[2].think_s = 2;
    n.station[2].kind = QUEUEING_DELAY;
    memcpy(n.demand, (double[]){0.5, 0.5, 0.5, 0.7, 2, 1, 3, 0, 1}, 9 * sizeof(double));
    compare(&coverage, &n.network, 3, 60000, 0.999);
    assert_int_equal(coverage.holding, coverage.all);
}

/* One queue, open: W of M/M/1, M/M/3 (Erlang C), and M/G/1 (Pollaczek and Khinchine). */
static void check_open(enum queueing_kind kind, int servers, double scv, double load, double wait)
{
    struct check_network n;
    struct coverage coverage = {0};
    check_network_init(&n, 1, 1);
    n.class[0] = (struct queueing_class){.name = "a", .open = true, .arrival_per_s = load};
    n.station[0].kind = kind;
    n.station[0].servers = servers;
    n.station[0].scv = scv;
    n.demand[0] = 1;
    struct simulate_result *got = simulate(&n.network, 5, 200000, 0.999);
    cover(&coverage, got->response_s[0], 1 + wait);
    cover(&coverage, got->utilisation[0], load / servers);
    cover(&coverage, got->queue_length[0], load * (1 + wait));
    if (coverage.holding < 3)
        fail_msg("scv %g, load %g: waits %g +- %g, expected %g", scv, load,
                 got->response_s[0].mean - 1, got->response_s[0].half_width, wait);
    simulate_result_destroy(got);
}

TEST(test_open)
{
    double loads[] = {0.3, 0.8};
    for (int i = 0; i < 2; i++) {
        double p = loads[i], a = 3 * p;
        double all = a * a * a / 6 / (1 - p), erlang_c = all / (1 + a + a * a / 2 + all);
        check_open(QUEUEING_QUEUE, 1, 1, p, p / (1 - p));
        check_open(QUEUEING_QUEUE, 1, 0, p, p / (1 - p) / 2);
        check_open(QUEUEING_QUEUE, 1, 0.25, p, p / (1 - p) * 1.25 / 2);
        check_open(QUEUEING_QUEUE, 1, 4, p, p / (1 - p) * 2.5);
        check_open(QUEUEING_MULTI, 3, 1, a, erlang_c / (3 * (1 - p)));
    }
}

/* Deterministic service, nobody thinks: the slowest station works all the time. */
TEST(test_deterministic)
{
    struct check_network n;
    check_network_init(&n, 1, 2);
    n.class[0].population = 3;
    n.station[0].scv = n.station[1].scv = 0;
    n.demand[0] = 2;
    n.demand[1] = 1;
    struct simulate_result *got = simulate(&n.network, 1, 1000, 0.95);
    check_relative(got->throughput_per_s[0].mean, 0.5, 1e-12);
    check_relative(got->utilisation[0].mean, 1, 1e-12);
    check_relative(got->residence_s[0].mean, 5, 1e-12); /* two wait, one leaves each 2 s */
    check_relative(got->residence_s[1].mean, 1, 1e-12);
    assert_true(got->throughput_per_s[0].half_width < 1e-12);
    simulate_result_destroy(got);
}

TEST(test_seed)
{
    struct check_network n;
    uint64_t random = 3;
    check_random_network(&n, &random, 2, 4, 6, true);
    struct simulate_result *a = simulate(&n.network, 1, 5000, 0.95),
                           *b = simulate(&n.network, 1, 5000, 0.95),
                           *c = simulate(&n.network, 2, 5000, 0.95);
    assert_true(a->throughput_per_s[0].mean == b->throughput_per_s[0].mean);
    assert_true(a->throughput_per_s[0].mean != c->throughput_per_s[0].mean);
    assert_int_equal(a->events, b->events);
    simulate_result_destroy(a);
    simulate_result_destroy(b);
    simulate_result_destroy(c);
}

/* Events come out in order of time, then of entry. */
TEST(test_events)
{
    struct engine engine;
    struct event event, last = {-1, 0, 0, 0};
    uint64_t random = 1;
    int taken = 0;
    engine_init(&engine);
    for (int i = 0; i < 5000; i++) {
        engine_at(&engine, engine.now + (double)(check_random(&random) % 50), 0, 0);
        if (i % 3)
            continue;
        assert_true(engine_next(&engine, &event));
        assert_true(event.time > last.time ||
                    (event.time == last.time && event.serial > last.serial));
        last = event;
        taken++;
    }
    while (engine_next(&engine, &event)) {
        assert_true(event.time > last.time ||
                    (event.time == last.time && event.serial > last.serial));
        last = event;
        taken++;
    }
    assert_int_equal(taken, 5000);
    engine_fini(&engine);
}

/* r = 12 / 6; rests 1, 0, -1; t(2) at 95 % = 4.3027. */
TEST(test_batches)
{
    struct batch_means means;
    static const double y[] = {5, 4, 3}, t = 4.302652729911275;
    batch_means_init(&means, 2, 4);
    for (int b = 0; b < 3; b++) {
        means.open[0] = y[b];
        means.open[1] = 2;
        batch_means_unit(&means);
    }
    struct estimate estimate = batch_means_ratio(&means, 0, 1, 10, 0.95);
    check_relative(estimate.mean, 20, 1e-14);
    check_relative(estimate.half_width, t * sqrt(2.0 / 6) / 2 * 10, 1e-9);
    means.open[0] = 4;
    means.open[1] = 2;
    batch_means_unit(&means); /* full: two of two units */
    assert_int_equal(means.closed, 2);
    assert_int_equal(means.span, 2);
    check_relative(means.sums[0], 9, 0);
    check_relative(means.sums[2], 7, 0);
    batch_means_fini(&means);
}
