/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open and mixed networks: textbook values, a birth and death chain as referee. */
#include "queueing_check.h"

#include <gsl/gsl_linalg.h>

/* One queue by itself. */
static struct queueing_result *solve_single(double arrival_per_s, double service_s, int servers,
                                            double scv)
{
    struct check_network n;
    check_network_init(&n, 1, 1);
    n.class->open = true;
    n.class->arrival_per_s = arrival_per_s;
    n.station->kind = servers > 1 ? QUEUEING_MULTI : QUEUEING_QUEUE;
    n.station->servers = servers;
    n.station->scv = scv;
    n.demand[0] = service_s;
    return check_solve(&n.network, "exact");
}

TEST(test_single_queues)
{
    static const struct {
        double arrival_per_s, service_s;
        int servers;
        double scv, utilisation, response_s, queue_length;
    } cases[] = {
        {0.8, 1, 1, 1, 0.8, 5, 4},
        {0, 2, 1, 1, 0, 2, 0},
        {2, 1, 3, 1, 2.0 / 3, 13.0 / 9, 26.0 / 9},
        {0.8, 1, 1, 0, 0.8, 3, 2.4}, /* M/D/1 waits half as long as M/M/1 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct queueing_result *r = solve_single(cases[i].arrival_per_s, cases[i].service_s,
                                                 cases[i].servers, cases[i].scv);
        check_relative(r->station_utilisation[0], cases[i].utilisation, 1e-15);
        check_relative(r->response_s[0], cases[i].response_s, 1e-14);
        check_relative(r->queue_length[0], cases[i].queue_length, 1e-14);
        queueing_result_destroy(r);
    }
}

/* Erlang C: the response time of M/M/m. */
static double erlang_response(double arrival_per_s, double service_s, int servers)
{
    double load = arrival_per_s * service_s, blocked = 1.0;
    for (int i = 1; i <= servers; i++)
        blocked = load * blocked / (i + load * blocked);
    double waiting = blocked / (1.0 - load / servers * (1.0 - blocked));
    return service_s + waiting * service_s / (servers - load);
}

/* Lazowska et al., p. 113, every algorithm; several servers as Erlang C has them. */
TEST(test_open_networks)
{
    static const char *const names[] = {"exact", "schweitzer", "linearizer", "mva"};
    static const double visits[] = {121, 70, 50};
    struct check_network n;
    check_network_init(&n, 1, 3);
    n.class->open = true;
    n.class->arrival_per_s = .3;
    memcpy(n.demand, (double[]){121 * .005, 70 * .03, 50 * .027}, 3 * sizeof(double));
    for (size_t i = 0; i < 4; i++) {
        struct queueing_result *r = check_solve(&n.network, names[i]);
        static const double per_visit[] = {0.006108735492, 0.08108108108, 0.04537815126};
        static const double queue[] = {0.2217470984, 1.702702703, 0.6806722689};
        static const double busy[] = {.1815, .63, .405};
        check_relative(r->throughput_per_s[0], .3, 1e-15);
        for (int k = 0; k < 3; k++) {
            check_relative(r->station_utilisation[k], busy[k], 1e-14);
            check_relative(r->queue_length[k], queue[k], 1e-9);
            check_relative(r->residence_s[k] / visits[k], per_visit[k], 1e-9);
        }
        queueing_result_destroy(r);
    }
    uint64_t seed = 2;
    for (int round = 0; round < check_rounds(300, 3000); round++) {
        int servers = check_pick(&seed, 1, round % 10 ? 20 : 500);
        double service_s = check_between(&seed, 0.1, 2);
        double most = servers / service_s * (round % 5 ? check_uniform(&seed) : 0.99999);
        struct queueing_result *r = solve_single(most, service_s, servers, 1);
        check_relative(r->residence_s[0], erlang_response(most, service_s, servers), 1e-9);
        queueing_result_destroy(r);
    }
}

/* Zahorjan, p. 148: two open and two closed classes. */
TEST(test_mixed)
{
    struct check_network n;
    check_network_init(&n, 4, 2);
    n.class[0].open = n.class[1].open = true;
    n.class[0].arrival_per_s = 1;
    n.class[1].arrival_per_s = .5;
    n.class[2].population = n.class[3].population = 1;
    memcpy(n.demand, (double[]){1. / 4, 1. / 2, 1. / 2, 1, 1. / 6, 1, 1, 4. / 3},
           8 * sizeof(double));
    static const char *const names[] = {"exact", "mva", "convolution"};
    for (size_t i = 0; i < 3; i++) {
        struct queueing_result *r = check_solve(&n.network, names[i]);
        check_relative(r->throughput_per_s[2], 3. / 19, 1e-13);
        check_relative(r->throughput_per_s[3], 2. / 19, 1e-13);
        static const double queue[] = {0.7368421053, 0.7368421053, 4. / 19,  5. / 19,
                                       1.263157895,  3.789473684,  15. / 19, 14. / 19};
        for (int k = 0; k < 8; k++)
            check_relative(r->queue_length[k], queue[k], 1e-9);
        static const double busy[] = {.25, .25, 1. / 6, .5};
        check_relative(r->utilisation[0], busy[0], 1e-14);
        check_relative(r->utilisation[1], busy[1], 1e-14);
        check_relative(r->utilisation[4], busy[2], 1e-14);
        check_relative(r->utilisation[5], busy[3], 1e-14);
        queueing_result_destroy(r);
    }
}

/* Closed customers that think and open ones at one station, whose chain (i open, j
 * closed) is solved as it stands, cut at many open ones. */
TEST(test_mixed_balance)
{
    enum { OPEN = 60, CLOSED = 3, STATES = OPEN * (CLOSED + 1) };
    uint64_t seed = 8;
    for (int round = 0; round < check_rounds(6, 40); round++) {
        struct check_network n;
        check_network_init(&n, 2, 1);
        n.class[0].open = true;
        n.class[1].population = CLOSED;
        n.class[1].think_s = check_between(&seed, 0.5, 3);
        n.demand[0] = check_between(&seed, 0.2, 1);
        n.demand[1] = check_between(&seed, 0.2, 1);
        n.station->kind = round % 2 ? QUEUEING_MULTI : QUEUEING_LOAD_DEPENDENT;
        n.station->servers = 3;
        n.station->rates = n.rates[0];
        n.station->rate_count = 4;
        for (int i = 0; i < 4; i++)
            n.rates[0][i] = check_between(&seed, 0.8, 2);
        n.class[0].arrival_per_s = 0.4 * queueing_rate(n.station, HUGE_VAL) / n.demand[0];
        gsl_matrix *flow = gsl_matrix_calloc(STATES, STATES);
        gsl_vector *right = gsl_vector_calloc(STATES), *share = gsl_vector_calloc(STATES);
        for (int i = 0; i < OPEN; i++)
            for (int j = 0; j <= CLOSED; j++) {
                size_t from = (size_t)(i * (CLOSED + 1) + j);
                double rate = i + j > 0 ? queueing_rate(n.station, i + j) / (i + j) : 0.0;
                const double rates[4] = {i + 1 < OPEN ? n.class[0].arrival_per_s : 0.0,
                                         i * rate / n.demand[0], (CLOSED - j) / n.class[1].think_s,
                                         j * rate / n.demand[1]};
                const int steps[4] = {CLOSED + 1, -(CLOSED + 1), 1, -1};
                for (int move = 0; move < 4; move++)
                    if (rates[move] > 0.0) {
                        *gsl_matrix_ptr(flow, (size_t)((int)from + steps[move]), from) +=
                            rates[move];
                        *gsl_matrix_ptr(flow, from, from) -= rates[move];
                    }
            }
        for (size_t i = 0; i < STATES; i++)
            gsl_matrix_set(flow, 0, i, 1.0);
        gsl_vector_set(right, 0, 1.0);
        gsl_permutation *order = gsl_permutation_alloc(STATES);
        int sign;
        gsl_linalg_LU_decomp(flow, order, &sign);
        gsl_linalg_LU_solve(flow, order, right, share);
        double open = 0.0, closed = 0.0;
        for (size_t s = 0; s < STATES; s++) {
            open += gsl_vector_get(share, s) * (double)(s / (CLOSED + 1));
            closed += gsl_vector_get(share, s) * (double)(s % (CLOSED + 1));
        }
        struct queueing_result *r = check_solve(&n.network, "exact");
        check_relative(r->queue_length[0], open, 1e-9);
        check_relative(r->queue_length[1], closed, 1e-9);
        queueing_result_destroy(r);
        gsl_permutation_free(order);
        gsl_vector_free(right);
        gsl_vector_free(share);
        gsl_matrix_free(flow);
    }
}

/* A mixed network whose open class hardly comes is the closed one. */
TEST(test_few_open)
{
    uint64_t seed = 4;
    for (int round = 0; round < check_rounds(50, 500); round++) {
        struct check_network n, m;
        check_random_network(&n, &seed, 1, 3, 8, true);
        check_network_init(&m, 2, 3);
        m.class[0] = n.class[0];
        m.class[1].open = true;
        m.class[1].arrival_per_s = 1e-12;
        for (int k = 0; k < 3; k++) {
            m.station[k] = n.station[k];
            m.demand[2 * k] = n.demand[k];
            m.demand[2 * k + 1] = 1;
        }
        struct queueing_result *a = check_solve(&n.network, "exact");
        struct queueing_result *b = check_solve(&m.network, "exact");
        check_relative(b->throughput_per_s[0], a->throughput_per_s[0], 1e-9);
        for (int k = 0; k < 3; k++)
            check_relative(b->residence_s[2 * k], a->residence_s[k], 1e-9);
        queueing_result_destroy(a);
        queueing_result_destroy(b);
    }
}

TEST(test_refusals)
{
    struct check_network n;
    const struct queueing_algorithm *exact = queueing_algorithm_find("exact");
    check_network_init(&n, 2, 1);
    struct queueing_result *r = queueing_result_create(&n.network);
    n.class[0].open = n.class[1].open = true;
    n.class[0].arrival_per_s = n.class[1].arrival_per_s = .5;
    n.demand[0] = n.demand[1] = 1;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT, "overloaded");
    n.class[1].arrival_per_s = -1;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT, "arrival");
    n.class[1].open = false;
    n.class[1].population = 1;
    n.station->scv = 0;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT,
                "open and closed classes service must be exponential");
    queueing_result_destroy(r);
}
