/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds: textbook values, and the exact throughput of thousands of random networks
 * lies between them. */
#include "queueing_check.h"

static void check_interval(struct queueing_interval got, double lower, double upper,
                           double tolerance)
{
    check_relative(got.lower, lower, tolerance);
    check_relative(got.upper, upper, tolerance);
}

static struct queueing_bounds *bound(const struct check_network *n, enum queueing_bound which)
{
    struct queueing_bounds *bounds = queueing_bounds_create(&n->network);
    check_ok(queueing_bound(&n->network, which, bounds, &failure));
    return bounds;
}

/* Lazowska et al., QSP, asymptotic bounds with think time; three queues with N = 20,
 * Z = 2, also balanced. */
TEST(test_textbook)
{
    struct check_network n;
    check_network_init(&n, 1, 2);
    n.class->population = 20;
    n.class->think_s = 120;
    n.demand[0] = 4.6 * 2;
    n.demand[1] = 8;
    struct queueing_bounds *b = bound(&n, QUEUEING_ASYMPTOTIC);
    check_interval(b->throughput_per_s[0], 20.0 / 464, 0.1086956522, 1e-9);
    check_interval(b->response_s[0], 64, 344, 1e-12);
    queueing_bounds_destroy(b);

    check_network_init(&n, 1, 3);
    n.class->population = 20;
    n.class->think_s = 2;
    memcpy(n.demand, (double[]){.5, .3, .2}, 3 * sizeof(double));
    b = bound(&n, QUEUEING_ASYMPTOTIC);
    check_interval(b->throughput_per_s[0], 0.9090909091, 2, 1e-9);
    check_interval(b->response_s[0], 8, 20, 1e-12);
    queueing_bounds_destroy(b);
    b = bound(&n, QUEUEING_BALANCED);
    check_interval(b->throughput_per_s[0], 1.71875, 2, 1e-12);
    check_interval(b->response_s[0], 8, 9.636363636, 1e-9);
    queueing_bounds_destroy(b);
}

/* The property of S = (1, .8, 1.2, .5), V = (1, 2, 2, 1), N = 1 .. 10; one customer is
 * bounded exactly, two by the proportional bounds too. */
TEST(test_series)
{
    struct check_network n;
    check_network_init(&n, 1, 4);
    memcpy(n.demand, (double[]){1, 1.6, 2.4, .5}, 4 * sizeof(double));
    for (int customers = 1; customers <= 10; customers++) {
        n.class->population = customers;
        struct queueing_result *r = check_solve(&n.network, "exact");
        double x = r->throughput_per_s[0];
        for (int which = QUEUEING_ASYMPTOTIC; which <= QUEUEING_TIGHTEST; which++) {
            struct queueing_bounds *b = bound(&n, (enum queueing_bound)which);
            struct queueing_interval i = b->throughput_per_s[0];
            assert_true(i.lower <= x * (1 + 1e-12) && x <= i.upper * (1 + 1e-12));
            if (customers == 1 ||
                (customers == 2 && (which == QUEUEING_PROPORTIONAL || which == QUEUEING_TIGHTEST)))
                check_interval(i, x, x, 1e-12);
            else
                assert_true(i.upper > i.lower);
            queueing_bounds_destroy(b);
        }
        queueing_result_destroy(r);
    }
}

/* Mean width of a bound over the exact value: what makes it worth having. */
TEST(test_bracket)
{
    uint64_t seed = 17;
    double width[QUEUEING_TIGHTEST + 1] = {0};
    int rounds = check_rounds(6000, 60000);
    for (int round = 0; round < rounds; round++) {
        struct check_network n;
        check_random_network(&n, &seed, 1, check_pick(&seed, 1, 7), check_pick(&seed, 1, 60),
                             false);
        if (round % 7 == 0) /* bottlenecks that are equal */
            for (int k = 1; k < n.network.stations; k++)
                n.demand[k] = n.demand[0];
        struct queueing_result *r = check_solve(&n.network, "exact");
        double x = r->throughput_per_s[0];
        for (int which = QUEUEING_ASYMPTOTIC; which <= QUEUEING_TIGHTEST; which++) {
            struct queueing_bounds *b = bound(&n, (enum queueing_bound)which);
            struct queueing_interval i = b->throughput_per_s[0], t = b->response_s[0];
            if (!(i.lower <= x * (1 + 1e-11) && x <= i.upper * (1 + 1e-11)))
                fail_msg("round %d, bound %d: %.15g .. %.15g without %.15g", round, which, i.lower,
                         i.upper, x);
            assert_true(t.lower <= r->response_s[0] + 1e-9 && r->response_s[0] <= t.upper + 1e-9);
            width[which] += (i.upper - i.lower) / x;
            queueing_bounds_destroy(b);
        }
        queueing_result_destroy(r);
    }
    for (int which = QUEUEING_BALANCED; which <= QUEUEING_TIGHTEST; which++) {
        assert_true(width[which] < width[QUEUEING_ASYMPTOTIC] / 2);
        assert_true(width[QUEUEING_TIGHTEST] <= width[which] * (1 + 1e-12));
    }
    assert_true(width[QUEUEING_GEOMETRIC] < width[QUEUEING_BALANCED]);
    print_message("mean width: asymptotic %.3f, balanced %.3f, proportional %.3f, geometric %.3f, "
                  "tightest %.3f\n",
                  width[0] / rounds, width[1] / rounds, width[2] / rounds, width[3] / rounds,
                  width[4] / rounds);
}

/* Several classes, servers, rates. */
TEST(test_asymptotic_of_any)
{
    uint64_t seed = 23;
    for (int round = 0; round < check_rounds(300, 3000); round++) {
        struct check_network n;
        int classes = check_pick(&seed, 1, 3);
        check_random_network(&n, &seed, classes, check_pick(&seed, 1, 3), classes == 1 ? 20 : 3,
                             true);
        struct queueing_result *r = check_solve(&n.network, "exact");
        struct queueing_bounds *b = bound(&n, QUEUEING_ASYMPTOTIC);
        for (int c = 0; c < classes; c++) {
            struct queueing_interval i = b->throughput_per_s[c];
            assert_true(i.lower <= r->throughput_per_s[c] * (1 + 1e-11) &&
                        r->throughput_per_s[c] <= i.upper * (1 + 1e-11));
        }
        queueing_bounds_destroy(b);
        queueing_result_destroy(r);
    }
}

TEST(test_refusals)
{
    struct check_network n;
    check_network_init(&n, 2, 1);
    n.class[0].population = n.class[1].population = 1;
    n.demand[0] = n.demand[1] = 1;
    struct queueing_bounds *b = queueing_bounds_create(&n.network);
    check_error(queueing_bound(&n.network, QUEUEING_BALANCED, b, &failure), STATUS_INPUT,
                "one class with queues and delays only");
    n.station[0].scv = 0;
    check_error(queueing_bound(&n.network, QUEUEING_ASYMPTOTIC, b, &failure), STATUS_INPUT,
                "exponential");
    n.class[1].open = true;
    check_error(queueing_bound(&n.network, QUEUEING_ASYMPTOTIC, b, &failure), STATUS_INPUT,
                "is open");
    queueing_bounds_destroy(b);
}
