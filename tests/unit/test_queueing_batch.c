/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Approximations against published values, exact ones and an implementation of their
 * definitions; a batch has the bits of its networks one by one, on every processor. */
#include "queueing_check.h"

#include "queueing/closed_kernels.h"

static void check_array(const double *got, const double *want, int count, double tolerance)
{
    for (int i = 0; i < count; i++)
        check_relative(got[i], want[i], tolerance);
}

static void put_benchmark(struct check_network *n)
{
    check_network_init(n, 2, 3);
    n->class[0].population = n->class[1].population = 32;
    memcpy(n->demand, (double[]){.5, .2, .3, .6, .2, .4}, 6 * sizeof(double));
}

/* Lazowska et al., p. 117, and the benchmark network: converged values of other solvers. */
TEST(test_schweitzer)
{
    struct check_network n;
    check_network_init(&n, 1, 3);
    n.class->population = 3;
    n.class->think_s = 15;
    memcpy(n.demand, (double[]){.605, 2.1, 1.35}, 3 * sizeof(double));
    struct queueing_result *r = check_solve(&n.network, "schweitzer");
    check_relative(r->throughput_per_s[0], 0.1509858727, 1e-9);
    check_array(r->queue_length, (double[]){0.09726996377, 0.4020572923, 0.2358846534}, 3, 1e-9);
    check_array(r->residence_s, (double[]){0.6442322187, 2.662880209, 1.562296188}, 3, 1e-9);
    queueing_result_destroy(r);
    put_benchmark(&n);
    r = check_solve(&n.network, "schweitzer");
    check_array(r->throughput_per_s, (double[]){1.480920401, 0.920730814}, 2, 1e-9);
    check_array(
        r->queue_length,
        (double[]){7.765708379, 1.964648308, 23.37727702, 28.97206445, 0.8570145989, 1.063287239},
        6, 1e-9);
    queueing_result_destroy(r);
}

/* The Linearizer as it is defined: every population solved to its end, then the
 * differences of fractions, until they stay. Queues only. */
struct naive {
    int classes, stations;
    const double *demand, *think;
    double n[CHECK_CLASSES], q[CHECK_STATIONS][CHECK_CLASSES], x[CHECK_CLASSES];
};

static void naive_core(struct naive *s, double (*d)[CHECK_CLASSES][CHECK_CLASSES])
{
    for (int round = 0; round < 200000; round++) {
        double change = 0.0, next[CHECK_STATIONS][CHECK_CLASSES];
        for (int c = 0; c < s->classes; c++) {
            double r[CHECK_STATIONS], sum = s->think[c];
            for (int k = 0; k < s->stations; k++) {
                double seen = 0.0;
                for (int j = 0; j < s->classes; j++)
                    if (s->n[j] - (j == c) > 0.0)
                        seen += (s->n[j] - (j == c)) * (s->q[k][j] / s->n[j] + d[k][j][c]);
                r[k] = s->demand[k * s->classes + c] * (1.0 + seen);
                sum += r[k];
            }
            s->x[c] = s->n[c] > 0.0 ? s->n[c] / sum : 0.0;
            for (int k = 0; k < s->stations; k++)
                next[k][c] = s->x[c] * r[k];
        }
        for (int k = 0; k < s->stations; k++)
            for (int c = 0; c < s->classes; c++) {
                change = fmax(change, fabs(next[k][c] - s->q[k][c]));
                s->q[k][c] = next[k][c];
            }
        if (change < 1e-13)
            return;
    }
}

static void naive_linearizer(const struct check_network *n, double *throughput)
{
    double think[CHECK_CLASSES], d[CHECK_STATIONS][CHECK_CLASSES][CHECK_CLASSES] = {{{0}}};
    int classes = n->network.classes, stations = n->network.stations;
    for (int c = 0; c < classes; c++)
        think[c] = n->class[c].think_s;
    struct naive s[CHECK_CLASSES + 1];
    for (int l = 0; l <= classes; l++) {
        s[l] = (struct naive){classes, stations, n->demand, think, {0}, {{0}}, {0}};
        for (int c = 0; c < classes; c++) {
            s[l].n[c] = n->class[c].population - (c == l - 1);
            for (int k = 0; k < stations; k++)
                s[l].q[k][c] = s[l].n[c] / stations;
        }
    }
    for (int outer = 0; outer < 60; outer++) {
        for (int l = 0; l <= classes; l++)
            naive_core(&s[l], d);
        for (int k = 0; k < stations; k++)
            for (int j = 0; j < classes; j++)
                for (int c = 0; c < classes; c++)
                    d[k][j][c] = s[c + 1].n[j] > 0.0
                                     ? s[c + 1].q[k][j] / s[c + 1].n[j] - s[0].q[k][j] / s[0].n[j]
                                     : 0.0;
    }
    memcpy(throughput, s[0].x, (size_t)classes * sizeof *throughput);
}

/* LQNS prints values of a few rounds that are stopped at 2e-4: near, not equal. */
TEST(test_linearizer)
{
    struct check_network n;
    check_network_init(&n, 1, 3);
    n.class->population = 3;
    n.class->think_s = 15;
    memcpy(n.demand, (double[]){.605, 2.1, 1.35}, 3 * sizeof(double));
    struct queueing_result *r = check_solve(&n.network, "linearizer");
    check_array(r->queue_length, (double[]){0.0976, 0.3947, 0.2350}, 3, 1e-3);
    queueing_result_destroy(r);

    check_network_init(&n, 2, 2);
    n.class[0].population = 8;
    n.class[1].population = 1;
    n.station[0].kind = QUEUEING_DELAY;
    memcpy(n.demand, (double[]){8, 0, 1, 1}, 4 * sizeof(double));
    r = check_solve(&n.network, "linearizer");
    check_relative(r->queue_length[0], 5.231, 1e-3);
    check_relative(r->queue_length[2], 2.769, 1e-3);
    queueing_result_destroy(r);

    put_benchmark(&n);
    r = check_solve(&n.network, "linearizer");
    check_array(r->throughput_per_s, (double[]){1.503377846, 0.915597113}, 2, 2e-4);
    check_array(
        r->queue_length,
        (double[]){6.708999133, 1.854785260, 24.390038875, 29.049064443, 0.900961992, 1.096150297},
        6, 2e-3);
    queueing_result_destroy(r);

    uint64_t seed = 31;
    for (int round = 0; round < check_rounds(12, 200); round++) {
        int classes = check_pick(&seed, 1, 3);
        double want[CHECK_CLASSES];
        check_random_network(&n, &seed, classes, check_pick(&seed, 1, 4), 12, false);
        for (int k = 0; k < n.network.stations; k++)
            n.station[k].kind = QUEUEING_QUEUE;
        if (round == 0)
            put_benchmark(&n);
        naive_linearizer(&n, want);
        r = check_solve(&n.network, "linearizer");
        check_array(r->throughput_per_s, want, n.network.classes, 1e-9);
        queueing_result_destroy(r);
    }
}

/* What the approximations are worth against exact values; one customer, and none
 * but one's own class, is exact. */
TEST(test_errors)
{
    double worst[2] = {0.0, 0.0}, mean[2] = {0.0, 0.0};
    static const char *const names[] = {"schweitzer", "linearizer"};
    uint64_t seed = 41;
    int rounds = check_rounds(400, 4000);
    for (int round = 0; round < rounds; round++) {
        struct check_network n;
        int classes = check_pick(&seed, 1, 2);
        check_random_network(&n, &seed, classes, check_pick(&seed, 1, 5), 15, false);
        if (round % 8 == 0)
            n.class[0].population = 1, n.network.classes = classes = 1;
        struct queueing_result *exact = check_solve(&n.network, "exact");
        for (int i = 0; i < 2; i++) {
            struct queueing_result *r = check_solve(&n.network, names[i]);
            double error = fabs(r->throughput_per_s[0] / exact->throughput_per_s[0] - 1.0);
            if (classes == 1 && n.class[0].population == 1)
                assert_true(error < 1e-11);
            worst[i] = fmax(worst[i], error);
            mean[i] += error / rounds;
            for (int k = 0; k < n.network.stations; k++)
                assert_true(n.station[k].kind == QUEUEING_DELAY ||
                            r->station_utilisation[k] < (i == 0 ? 1 + 1e-9 : 1.02));
            queueing_result_destroy(r);
        }
        queueing_result_destroy(exact);
    }
    print_message("error of throughput: schweitzer %.4f, at most %.3f; linearizer %.5f, at most "
                  "%.4f\n",
                  mean[0], worst[0], mean[1], worst[1]);
    assert_true(mean[0] < 0.03 && worst[0] < 0.3);
    assert_true(mean[1] < 0.002 && worst[1] < 0.05);
}

/* Servers and rates: one customer exact, very many at capacity, few per cent between. */
TEST(test_varying)
{
    static const char *const names[] = {"schweitzer", "linearizer"};
    static const int customers[] = {1, 8, 100000};
    double mean = 0.0;
    uint64_t seed = 43;
    int rounds = check_rounds(200, 2000);
    for (int round = 0; round < rounds; round++) {
        struct check_network n;
        check_random_network(&n, &seed, 1, 3, 1, true);
        for (int k = 0; k < 3; k++) /* rates that grow: what machines have */
            for (int i = 1; i < 8; i++)
                n.rates[k][i] = n.rates[k][i - 1] + n.rates[k][i] / 3;
        for (int i = 0; i < 6; i++) {
            n.class->population = customers[i / 2];
            struct queueing_result *r = check_solve(&n.network, names[i % 2]);
            double least = n.class->think_s, slowest = 0.0;
            for (int k = 0; k < 3; k++) {
                least += n.demand[k] / queueing_rate(&n.station[k], 1);
                if (n.station[k].kind != QUEUEING_DELAY)
                    slowest = fmax(slowest, n.demand[k] / queueing_capacity(&n.station[k]));
            }
            if (i / 2 == 0)
                check_relative(r->throughput_per_s[0], 1 / least, 1e-11);
            if (i / 2 == 2)
                check_relative(r->throughput_per_s[0], 1 / slowest, 1e-3);
            if (i / 2 == 1) {
                struct queueing_result *exact = check_solve(&n.network, "exact");
                double error = fabs(r->throughput_per_s[0] / exact->throughput_per_s[0] - 1.0);
                mean += error / (2 * rounds);
                assert_true(error < 0.3);
                queueing_result_destroy(exact);
            }
            queueing_result_destroy(r);
        }
    }
    print_message("error of throughput with servers and rates: %.4f\n", mean);
    assert_true(mean < 0.05);
}

/* Residual life: with scv 1 nothing changes; one customer never waits; no station is
 * faster than its capacity and very many customers reach it; with much think time a
 * station is an M/G/1. */
TEST(test_residual)
{
    static const char *const names[] = {"residual", "schweitzer", "linearizer"};
    uint64_t seed = 47;
    struct check_network n;
    for (int round = 0; round < check_rounds(300, 3000); round++) {
        int classes = check_pick(&seed, 1, 2);
        check_random_network(&n, &seed, classes, check_pick(&seed, 1, 4), 10, false);
        struct queueing_result *exact = check_solve(&n.network, "mva");
        struct queueing_result *same = check_solve(&n.network, "residual");
        assert_memory_equal(exact->throughput_per_s, same->throughput_per_s,
                            (size_t)classes * sizeof(double));
        for (int k = 0; k < n.network.stations; k++)
            n.station[k].scv = round % 4 == 3 ? 4.0 : check_uniform(&seed) < 0.5 ? 0.0 : 0.3;
        for (int i = 0; i < 3; i++) {
            struct queueing_result *r = check_solve(&n.network, names[i]);
            for (int c = 0; c < classes; c++) {
                double sum = r->throughput_per_s[c] * n.class[c].think_s;
                for (int k = 0; k < n.network.stations; k++) {
                    sum += r->queue_length[k * classes + c];
                    assert_true(n.station[k].kind == QUEUEING_DELAY ||
                                r->station_utilisation[k] <= 1 + 1e-9);
                }
                check_relative(sum, n.class[c].population, 1e-9);
            }
            /* Less variance, less waiting. */
            if (i == 0 && classes == 1 && round % 4 != 3)
                assert_true(r->throughput_per_s[0] >= exact->throughput_per_s[0] * (1 - 1e-12));
            queueing_result_destroy(r);
        }
        queueing_result_destroy(exact);
        queueing_result_destroy(same);
    }
    for (int i = 0; i < 3; i++)
        for (int scv = 0; scv <= 3; scv += 3) {
            check_network_init(&n, 1, 2);
            n.station[0].scv = n.station[1].scv = scv;
            n.demand[0] = 1, n.demand[1] = .7;
            n.class->population = 1;
            struct queueing_result *r = check_solve(&n.network, names[i]);
            check_relative(r->throughput_per_s[0], 1 / 1.7, 1e-12);
            queueing_result_destroy(r);
            n.class->population = 20000;
            r = check_solve(&n.network, names[i]);
            check_relative(r->throughput_per_s[0], 1, 1e-3);
            queueing_result_destroy(r);
            n.demand[1] = 0;
            n.class->population = 100000;
            n.class->think_s = 100000 / 0.7;
            r = check_solve(&n.network, names[i]);
            check_relative(r->residence_s[0], 1 + 0.7 * (1 + scv) / 2 / 0.3, 2e-3);
            queueing_result_destroy(r);
        }
}

/* One station is cut to its capacity, and thorough sweeps settle at the last digits: what rounding
 * says of the way from there must not move the answer off it. */
TEST(a_settled_point_stays_where_it_is)
{
    struct check_network n;
    check_network_init(&n, 1, 2);
    n.station[0].scv = n.station[1].scv = 0.3;
    n.demand[0] = 0.51585180781075146, n.demand[1] = 1.6394338633556007;
    n.class->population = 3;
    struct queueing_result *r = check_solve(&n.network, "linearizer");
    check_relative(r->throughput_per_s[0], 1 / n.demand[1], 1e-12);
    check_relative(r->queue_length[0] + r->queue_length[1], 3, 1e-12);
    queueing_result_destroy(r);
}

/* --- batches ----------------------------------------------------------------------- */

enum { POINTS = 45, PAIRS = CHECK_CLASSES * CHECK_STATIONS };

struct columns {
    double demand[PAIRS][POINTS], think[CHECK_CLASSES][POINTS], population[CHECK_CLASSES][POINTS];
    double throughput[CHECK_CLASSES][POINTS], residence[PAIRS][POINTS];
    const double *in[PAIRS + 2 * CHECK_CLASSES];
    double *out[PAIRS + CHECK_CLASSES];
    double rest[CHECK_STATIONS][POINTS]; /* of the stations that say so */
    bool rests[CHECK_STATIONS];
    const double *rest_at[CHECK_STATIONS];
};

static struct queueing_batch batch_of(const struct check_network *n, struct columns *c, size_t from,
                                      size_t count)
{
    for (int i = 0; i < PAIRS; i++) {
        c->in[i] = c->demand[i] + from;
        c->out[i] = c->residence[i] + from;
    }
    for (int i = 0; i < CHECK_CLASSES; i++) {
        c->in[PAIRS + i] = c->think[i] + from;
        c->in[PAIRS + CHECK_CLASSES + i] = c->population[i] + from;
        c->out[PAIRS + i] = c->throughput[i] + from;
    }
    for (int k = 0; k < CHECK_STATIONS; k++)
        c->rest_at[k] = c->rests[k] ? c->rest[k] + from : NULL;
    return (struct queueing_batch){.network = &n->network,
                                   .rest = c->rest_at,
                                   .count = count,
                                   .demand_s = c->in,
                                   .think_s = c->in + PAIRS,
                                   .population = c->in + PAIRS + CHECK_CLASSES,
                                   .throughput_per_s = c->out + PAIRS,
                                   .residence_s = c->out};
}

static void fill_columns(struct columns *c, const struct check_network *n, uint64_t *seed)
{
    memset(c, 0, sizeof *c);
    for (int p = 0; p < POINTS; p++) {
        for (int i = 0; i < n->network.classes; i++) {
            c->think[i][p] = n->class[i].think_s * check_between(seed, 0.5, 2);
            c->population[i][p] = p / 20 == 1 ? check_pick(seed, 0, 5) : n->class[i].population;
        }
        /* At some points a class does not ask for a station that it asks for beside them. */
        for (int i = 0; i < n->network.classes * n->network.stations; i++) {
            bool asks = p % 4 != 1 || check_uniform(seed) < 0.7;
            c->demand[i][p] = asks ? n->demand[i] * check_between(seed, 0.5, 2) : 0.0;
        }
        for (int i = 0; i < n->network.classes && p % 4 == 1; i++)
            c->think[i][p] += 0.1;
    }
}

/* All points, so many at a time. */
static void solve_columns(const struct check_network *n, struct columns *c, size_t together,
                          enum queueing_method method, const struct queueing_options *options)
{
    memset(c->throughput, 0, sizeof c->throughput);
    memset(c->residence, 0, sizeof c->residence);
    for (size_t p = 0; p < POINTS; p += together) {
        struct queueing_batch batch = batch_of(n, c, p, together);
        check_ok(queueing_solve_batch(&batch, method, options, &failure));
    }
}

TEST(test_batch_bits)
{
    static const char *const kernels[] = {"base", "v3", "v4"};
    static struct columns one, many;
    uint64_t seed = 53;
    for (int round = 0; round < check_rounds(16, 200); round++)
        for (int method = QUEUEING_MVA; method <= QUEUEING_LINEARIZER; method++) {
            struct check_network n;
            int classes = check_pick(&seed, 1, 4);
            /* Two classes: fronts of populations, wider than a vector too. */
            check_random_network(&n, &seed, classes, check_pick(&seed, 1, 6),
                                 classes > 2 ? 3 : 2 * CLOSED_FRONT + 3,
                                 method != QUEUEING_MVA && round % 2);
            for (int k = 0; k < n.network.stations && round % 3 == 0; k++)
                n.station[k].scv = 0.25;
            fill_columns(&one, &n, &seed);
            for (int k = 0; k < n.network.stations && round % 3 == 1; k++) {
                one.rests[k] = check_uniform(&seed) < 0.7;
                for (int p = 0; p < POINTS; p++)
                    one.rest[k][p] = check_between(&seed, 0, 30);
            }
            many = one;
            struct queueing_options options = {.tolerance = 1e-10, .rounds = 20000};
            options.kernels = kernels[0];
            solve_columns(&n, &one, 1, (enum queueing_method)method, &options);
            for (int set = 0; set < 3; set++) {
                if (!closed_kernels_find(kernels[set]))
                    continue;
                options.kernels = kernels[set];
                for (size_t together = 1; together <= POINTS; together += POINTS - 1) {
                    solve_columns(&n, &many, together, (enum queueing_method)method, &options);
                    assert_memory_equal(one.throughput, many.throughput, sizeof many.throughput);
                    assert_memory_equal(one.residence, many.residence, sizeof many.residence);
                }
            }
            /* Rates that rise and fall may not settle; then that is the answer of all. */
            assert_true(one.throughput[0][0] > 0.0 || round % 2);
        }
}

/* A rest of (1 + scv) / 2 of a service is that of its variation. */
TEST(test_rests_of_variations)
{
    static struct columns by_scv, by_rest;
    uint64_t seed = 61;
    for (int round = 0; round < check_rounds(8, 100); round++) {
        struct check_network n;
        check_random_network(&n, &seed, check_pick(&seed, 1, 3), check_pick(&seed, 1, 4), 6, false);
        fill_columns(&by_scv, &n, &seed);
        by_rest = by_scv;
        for (int k = 0; k < n.network.stations; k++) {
            n.station[k].scv = 3;
            by_rest.rests[k] = true;
            for (int p = 0; p < POINTS; p++)
                by_rest.rest[k][p] = 2;
        }
        for (int method = QUEUEING_MVA; method <= QUEUEING_LINEARIZER; method++) {
            solve_columns(&n, &by_scv, POINTS, (enum queueing_method)method, NULL);
            for (int k = 0; k < n.network.stations; k++)
                n.station[k].scv = 1;
            solve_columns(&n, &by_rest, POINTS, (enum queueing_method)method, NULL);
            for (int k = 0; k < n.network.stations; k++)
                n.station[k].scv = 3;
            assert_memory_equal(by_scv.throughput, by_rest.throughput, sizeof by_rest.throughput);
            assert_memory_equal(by_scv.residence, by_rest.residence, sizeof by_rest.residence);
        }
    }
}

/* Many who think long come as by chance: they wait as for batches, U r / (1 - U) services. */
TEST(test_rests_of_batches)
{
    static struct columns c;
    struct check_network n;
    uint64_t seed = 67;
    check_network_init(&n, 1, 1);
    n.demand[0] = 1;
    n.class->population = 40000;
    n.class->think_s = 80000;
    fill_columns(&c, &n, &seed);
    c.rests[0] = true;
    for (int p = 0; p < POINTS; p++) {
        c.demand[0][p] = 1;
        c.think[0][p] = 80000;
        c.population[0][p] = 40000;
        c.rest[0][p] = p;
    }
    for (int method = QUEUEING_SCHWEITZER; method <= QUEUEING_LINEARIZER; method++) {
        solve_columns(&n, &c, POINTS, (enum queueing_method)method, NULL);
        for (int p = 0; p < POINTS; p++) {
            double used = c.throughput[0][p];
            check_relative(c.residence[0][p], 1 + p * used / (1 - used), 1e-3);
        }
    }
}

TEST(test_batch_refusals)
{
    static struct columns c;
    struct check_network n;
    uint64_t seed = 59;
    check_network_init(&n, 1, 2);
    n.class->population = 5;
    n.demand[0] = 1;
    n.demand[1] = 0.5;
    fill_columns(&c, &n, &seed);
    struct queueing_batch batch = batch_of(&n, &c, 0, POINTS);
    c.demand[1][7] = -1;
    check_error(queueing_solve_batch(&batch, QUEUEING_MVA, NULL, &failure), STATUS_INPUT,
                "point 7, class \"a\" at station \"b\": demand");
    c.demand[1][7] = 1;
    c.rests[1] = true;
    c.rest[1][9] = (double)NAN;
    batch = batch_of(&n, &c, 0, POINTS);
    check_error(queueing_solve_batch(&batch, QUEUEING_MVA, NULL, &failure), STATUS_INPUT,
                "point 9, station \"b\": the rest of a service must be");
    c.rests[1] = false;
    batch = batch_of(&n, &c, 0, POINTS);
    c.population[0][9] = 1.5;
    check_error(queueing_solve_batch(&batch, QUEUEING_SCHWEITZER, NULL, &failure), STATUS_INPUT,
                "point 9, class \"a\": population");
    c.population[0][9] = 5;
    c.think[0][3] = (double)INFINITY;
    check_error(queueing_solve_batch(&batch, QUEUEING_LINEARIZER, NULL, &failure), STATUS_INPUT,
                "point 3, class \"a\": think");
    c.think[0][3] = c.demand[0][3] = c.demand[1][3] = 0;
    check_error(queueing_solve_batch(&batch, QUEUEING_LINEARIZER, NULL, &failure), STATUS_INPUT,
                "point 3, class \"a\" has neither demand nor think time");
    c.demand[0][3] = 1;
    /* Too few rounds are seen, at the points that need more. */
    struct queueing_options hasty = {.rounds = 3};
    c.population[0][0] = 1;
    check_ok(queueing_solve_batch(&batch, QUEUEING_SCHWEITZER, &hasty, &failure));
    assert_true(isnan(c.throughput[0][2]));
    assert_false(isnan(c.throughput[0][0]));
    struct queueing_result *r = queueing_result_create(&n.network);
    check_error(
        queueing_solve(&n.network, queueing_algorithm_find("linearizer"), &hasty, r, &failure),
        STATUS_FAILED, "did not settle");
    queueing_result_destroy(r);
}

/* A station that stands for several equal ones gives what these give one by one. */
TEST(test_copies)
{
    uint64_t seed = 5;
    for (int round = 0; round < check_rounds(30, 500); round++) {
        struct check_network one, all;
        int classes = check_pick(&seed, 1, 2), copies[2] = {check_pick(&seed, 1, 6), 1};
        check_network_init(&one, classes, 2);
        check_network_init(&all, classes, copies[0] + 1);
        double n[2], think[2], x[2], want[2], r[4], demand[4];
        for (int c = 0; c < classes; c++) {
            n[c] = check_pick(&seed, 1, 12);
            think[c] = check_between(&seed, 0.0, 3.0);
            demand[c] = check_between(&seed, 0.1, 2.0);
            demand[classes + c] = check_between(&seed, 0.0, 1.0);
            for (int k = 0; k < copies[0]; k++)
                all.demand[k * classes + c] = demand[c] / copies[0];
            all.demand[copies[0] * classes + c] = demand[classes + c];
        }
        double scv = check_pick(&seed, 0, 1);
        for (int k = 0; k <= copies[0]; k++)
            all.station[k].scv = scv;
        one.station[0].scv = one.station[1].scv = scv;
        const double *np[] = {n, n + 1}, *zp[] = {think, think + 1};
        double *xp[] = {x, x + 1}, *wp[] = {want, want + 1}, *rp[] = {r, r + 1, r + 2, r + 3};
        const double *few[4], *many[2 * 7];
        for (int i = 0; i < 2 * classes; i++)
            few[i] = demand + i;
        for (int i = 0; i < (copies[0] + 1) * classes; i++)
            many[i] = all.demand + i;
        for (enum queueing_method m = QUEUEING_MVA; m <= QUEUEING_LINEARIZER; m++) {
            struct queueing_batch batch = {&one.network, copies, 1, few, zp, np, xp, rp};
            check_ok(queueing_solve_batch(&batch, m, NULL, &failure));
            batch = (struct queueing_batch){&all.network, NULL, 1, many, zp, np, wp, NULL};
            check_ok(queueing_solve_batch(&batch, m, NULL, &failure));
            check_array(x, want, classes, 1e-9);
        }
    }
}

/* Several copies are refused where they mean nothing. */
TEST(test_copies_errors)
{
    struct check_network n;
    double number = 1, x;
    const double *in[] = {&number};
    double *out[] = {&x};
    check_network_init(&n, 1, 1);
    n.station[0].kind = QUEUEING_DELAY;
    struct queueing_batch batch = {&n.network, (int[]){2}, 1, in, in, in, out, NULL};
    check_error(queueing_solve_batch(&batch, QUEUEING_LINEARIZER, NULL, &failure), STATUS_INPUT,
                "2 copies");
    batch.copies = (int[]){0};
    check_error(queueing_solve_batch(&batch, QUEUEING_LINEARIZER, NULL, &failure), STATUS_INPUT,
                "0 copies");
}
