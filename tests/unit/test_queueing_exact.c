/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact solutions of closed networks: textbook values, global balance equations
 * solved as they stand, limits of one and of very many customers. */
#include "queueing_check.h"

#include <gsl/gsl_linalg.h>

#include "queueing/convolution.h"

static const char *const exact_names[] = {"exact", "mva", "convolution"};
enum { EXACT = 3 };

static void put_demands(struct check_network *n, const double *demands)
{
    memcpy(n->demand, demands,
           (size_t)(n->network.classes * n->network.stations) * sizeof *demands);
}

static void check_array(const double *got, const double *want, int count, double tolerance)
{
    for (int i = 0; i < count; i++)
        check_relative(got[i], want[i], tolerance);
}

/* Lazowska et al., Quantitative System Performance, p. 117. Printed to 10 digits. */
TEST(test_lazowska)
{
    struct check_network n;
    check_network_init(&n, 1, 3);
    n.class->population = 3;
    n.class->think_s = 15;
    put_demands(&n, (double[]){121 * 0.005, 70 * 0.030, 50 * 0.027});
    for (int i = 0; i < EXACT; i++) {
        struct queueing_result *r = check_solve(&n.network, exact_names[i]);
        check_relative(r->throughput_per_s[0], 0.1515164923, 1e-9);
        check_array(r->queue_length, (double[]){0.09756601941, 0.3946565547, 0.2350300407}, 3,
                    1e-9);
        check_array(r->residence_s, (double[]){0.6439300296, 2.6047102104, 1.5511845415}, 3, 1e-10);
        check_array(r->utilisation, (double[]){0.09166747787, 0.3181846339, 0.2045472647}, 3, 1e-9);
        check_relative(r->throughput_per_s[0] * 15, 2.2727473852, 1e-9);
        check_relative(r->response_s[0], 0.6439300296 + 2.6047102104 + 1.5511845415, 1e-10);
        queueing_result_destroy(r);
    }
}

/* Bolch et al., example 8.3, p. 331. */
TEST(test_bolch)
{
    static const double visits[] = {1, 0.4, 0.2, 0.1};
    struct check_network n;
    check_network_init(&n, 1, 4);
    n.class->population = 6;
    put_demands(&n, (double[]){.02, .08, .08, .06});
    for (int i = 0; i < EXACT; i++) {
        struct queueing_result *r = check_solve(&n.network, exact_names[i]);
        check_relative(r->throughput_per_s[0], 9.9198363372, 1e-10);
        check_array(r->queue_length,
                    (double[]){0.2436152589, 2.2610377914, 2.2610377914, 1.2343091582}, 4, 1e-9);
        check_array(r->utilisation,
                    (double[]){0.1983967267, 0.793586907, 0.793586907, 0.5951901802}, 4, 1e-9);
        static const double per_visit[] = {0.02455839498, 0.569827393, 1.139654786, 1.244283793};
        for (int k = 0; k < 4; k++)
            check_relative(r->residence_s[k] / visits[k], per_visit[k], 1e-9);
        queueing_result_destroy(r);
    }
}

TEST(test_nobody)
{
    struct check_network n;
    check_network_init(&n, 2, 3);
    n.station[1].kind = QUEUEING_DELAY;
    put_demands(&n, (double[]){1, 2, 1, 0, 0, 0});
    static const char *const names[] = {"exact",    "mva",        "convolution",
                                        "residual", "schweitzer", "linearizer"};
    for (size_t i = 0; i < 6; i++)
        for (int somebody = 0; somebody < 2; somebody++) {
            n.class[0].population = somebody;
            struct queueing_result *r = check_solve(&n.network, names[i]);
            check_relative(r->throughput_per_s[0], somebody ? 0.5 : 0.0, 1e-15);
            assert_true(r->throughput_per_s[1] == 0.0 && r->response_s[1] == 0.0);
            for (int k = 0; k < 3; k++)
                assert_true(r->queue_length[2 * k + 1] == 0.0 && r->residence_s[2 * k + 1] == 0.0 &&
                            r->utilisation[2 * k + 1] == 0.0);
            check_relative(r->response_s[0], somebody ? 2.0 : 0.0, 1e-15);
            queueing_result_destroy(r);
        }
}

/* Lazowska p. 138 (Zahorjan): fractions. */
TEST(test_two_classes)
{
    struct check_network n;
    check_network_init(&n, 2, 2);
    n.class[0].population = n.class[1].population = 1;
    put_demands(&n, (double[]){1, 2, 3, 4});
    for (int i = 0; i < EXACT; i++) {
        struct queueing_result *r = check_solve(&n.network, exact_names[i]);
        check_array(r->throughput_per_s, (double[]){3.0 / 19, 2.0 / 19}, 2, 1e-14);
        check_array(r->queue_length, (double[]){4.0 / 19, 5.0 / 19, 15.0 / 19, 14.0 / 19}, 4,
                    1e-14);
        check_array(r->residence_s, (double[]){4.0 / 3, 5.0 / 2, 5, 7}, 4, 1e-14);
        queueing_result_destroy(r);
    }
}

/* Chandy and Neuse, CACM 25(2) 1982: a delay and a queue; class 2 never thinks. */
TEST(test_chandy_neuse)
{
    struct check_network n;
    check_network_init(&n, 2, 2);
    n.class[0].population = 8;
    n.class[1].population = 1;
    n.station[0].kind = QUEUEING_DELAY;
    put_demands(&n, (double[]){8, 0, 1, 1});
    for (int i = 0; i < EXACT; i++) {
        struct queueing_result *r = check_solve(&n.network, exact_names[i]);
        check_array(r->throughput_per_s, (double[]){0.6533269283, 0.3466730717}, 2, 1e-9);
        check_array(r->queue_length, (double[]){5.2266154261, 0, 2.7733845739, 1}, 4, 1e-10);
        check_array(r->residence_s + 2, (double[]){4.2450180054, 2.8845620890}, 2, 1e-10);
        queueing_result_destroy(r);
    }
}

/* Two classes at one shared station (the last), each behind one of its own, and a launch that ends
 * when both have done their work. All own stations three times as fast: what the many gain there
 * they take from the few at the shared one, and the few, which end last and then cannot fill it,
 * lose more than was gained. More bandwidth may hurt where classes are unlike, and exactly so. */
static double launch_time(double own)
{
    double left[2] = {0.1, 0.9}, time = 0;
    struct check_network n;
    check_network_init(&n, 2, 3);
    n.class[0].population = 2;
    n.class[1].population = 16;
    n.class[0].think_s = 16;
    put_demands(&n, (double[]){own, 0, 0, own, 3, 1});
    for (int phase = 0; phase < 2; phase++) {
        struct queueing_result *r = check_solve(&n.network, "mva");
        double until[2];
        for (int c = 0; c < 2; c++)
            until[c] = left[c] > 0 ? left[c] / r->throughput_per_s[c] : HUGE_VAL;
        int first = until[0] < until[1] ? 0 : 1, other = 1 - first;
        time += until[first];
        left[first] = 0;
        left[other] -= left[other] > 0 ? r->throughput_per_s[other] * until[first] : 0;
        n.class[first].population = 0;
        queueing_result_destroy(r);
    }
    return time;
}

TEST(more_may_cost_others)
{
    check_relative(launch_time(1.5), 1.44008549698, 1e-9);
    check_relative(launch_time(0.5), 1.69259192297, 1e-9);
}

/* Five solvers agree on these 10 digits. */
TEST(test_benchmark)
{
    struct check_network n;
    check_network_init(&n, 2, 3);
    n.class[0].population = n.class[1].population = 32;
    put_demands(&n, (double[]){.5, .2, .3, .6, .2, .4});
    for (int i = 0; i < EXACT; i++) {
        struct queueing_result *r = check_solve(&n.network, exact_names[i]);
        check_array(r->throughput_per_s, (double[]){1.501088759, 0.9161222353}, 2, 1e-9);
        check_array(r->queue_length,
                    (double[]){6.821922529, 1.864383831, 24.277424580, 29.036270459, 0.900652890,
                               1.099345711},
                    6, 1e-9);
        queueing_result_destroy(r);
    }
}

/* Bolch 8.4, p. 333: two servers, two queues, a delay; and M/M/3 with think time. */
TEST(test_servers)
{
    static const double visits[] = {1, .5, .5, 1};
    struct check_network n;
    check_network_init(&n, 1, 4);
    n.class->population = 3;
    n.station[0].kind = QUEUEING_MULTI;
    n.station[0].servers = 2;
    n.station[3].kind = QUEUEING_DELAY;
    put_demands(&n, (double[]){.5, .3, .4, 1});
    struct queueing_result *r = check_solve(&n.network, "exact");
    check_relative(r->throughput_per_s[0], 1.2174606338, 1e-10);
    check_array(r->queue_length, (double[]){0.6236794897, 0.4728722344, 0.6859876420, 1.2174606338},
                4, 1e-9);
    check_array(r->utilisation, (double[]){0.3043651585, 0.3652381902, 0.4869842535}, 3, 1e-9);
    static const double per_visit[] = {0.5122789784, 0.7768172888, 1.126915521, 1};
    for (int k = 0; k < 4; k++)
        check_relative(r->residence_s[k] / visits[k], per_visit[k], 1e-9);
    queueing_result_destroy(r);

    check_network_init(&n, 1, 1);
    n.class->population = 10;
    n.class->think_s = 4;
    n.station->kind = QUEUEING_MULTI;
    n.station->servers = 3;
    n.demand[0] = 1;
    r = check_solve(&n.network, "exact");
    check_relative(r->throughput_per_s[0], 1.9351866377, 1e-10);
    check_relative(r->queue_length[0], 2.2592534492, 1e-10);
    check_relative(r->residence_s[0], 1.1674602359, 1e-9);
    check_relative(r->station_utilisation[0], 0.6450622126, 1e-9);
    queueing_result_destroy(r);
}

/* --- the referee: global balance ------------------------------------------------- */

enum { STATES_MAX = 900 };

/* States of one class: its customers over stations, and thinking in the last place. */
struct spread {
    int at[CHECK_STATIONS + 1];
};

static int list_spreads(struct spread *out, int places, int customers)
{
    struct spread s = {{0}};
    int count = 0;
    s.at[places - 1] = customers;
    for (;;) {
        out[count++] = s;
        /* Counts the first places up, the last one takes the rest. */
        int p = 0;
        while (p < places - 1 && s.at[places - 1] == 0)
            s.at[places - 1] += s.at[p], s.at[p++] = 0;
        if (p == places - 1)
            return count;
        s.at[p]++, s.at[places - 1]--;
    }
}

static int find_spread(const struct spread *all, int count, const struct spread *s, int places)
{
    for (int i = 0; i < count; i++)
        if (memcmp(all[i].at, s->at, (size_t)places * sizeof(int)) == 0)
            return i;
    return -1;
}

/* The next place of a cycle: stations in order, then thinking. A place of no demand is
 * passed at once. */
static int next_place(const struct check_network *n, int c, int place)
{
    int stations = n->network.stations, classes = n->network.classes;
    for (int step = 1;; step++) {
        int p = (place + step) % (stations + 1);
        double time = p == stations ? n->class[c].think_s : n->demand[p * classes + c];
        if (time > 0.0 || step > stations)
            return p;
    }
}

/* Rate at which class c leaves a place: processors are shared. */
static double leave_rate(const struct check_network *n, const struct spread *const *s, int c,
                         int place)
{
    int stations = n->network.stations, classes = n->network.classes, all = 0;
    int mine = s[c]->at[place];
    if (mine == 0)
        return 0.0;
    if (place == stations)
        return n->class[c].think_s > 0.0 ? mine / n->class[c].think_s : 0.0;
    for (int j = 0; j < classes; j++)
        all += s[j]->at[place];
    double demand = n->demand[place * classes + c];
    return demand > 0.0 ? queueing_rate(&n->station[place], all) * mine / all / demand : 0.0;
}

/* All states of one or two classes. */
struct chain {
    const struct check_network *n;
    struct spread spreads[2][STATES_MAX];
    int places, classes, counts[2];
    size_t states;
};

static void chain_state(const struct chain *chain, size_t state, const struct spread **s)
{
    s[0] = &chain->spreads[0][state / (size_t)chain->counts[1]];
    s[1] = &chain->spreads[1][state % (size_t)chain->counts[1]];
}

/* No customer is where it asks for nothing. */
static bool chain_can(const struct chain *chain, size_t state)
{
    const struct spread *s[2];
    chain_state(chain, state, s);
    for (int c = 0; c < chain->classes; c++)
        for (int p = 0; p < chain->places; p++) {
            double time = p < chain->places - 1 ? chain->n->demand[p * chain->classes + c]
                                                : chain->n->class[c].think_s;
            if (s[c]->at[p] > 0 && time == 0.0)
                return false;
        }
    return true;
}

/* Rates out of one state, as a column. */
static void chain_leave(const struct chain *chain, size_t from, gsl_matrix *flow)
{
    const struct spread *s[2];
    chain_state(chain, from, s);
    for (int c = 0; c < chain->classes; c++)
        for (int p = 0; p < chain->places; p++) {
            double rate = leave_rate(chain->n, s, c, p);
            if (rate == 0.0)
                continue;
            struct spread after = *s[c];
            after.at[p]--;
            after.at[next_place(chain->n, c, p)]++;
            size_t to[2] = {from / (size_t)chain->counts[1], from % (size_t)chain->counts[1]};
            to[c] = (size_t)find_spread(chain->spreads[c], chain->counts[c], &after, chain->places);
            *gsl_matrix_ptr(flow, to[0] * (size_t)chain->counts[1] + to[1], from) += rate;
            *gsl_matrix_ptr(flow, from, from) -= rate;
        }
}

/* Shares of the states: balance, but for one state, whose equation is that they add
 * up to 1. States that cannot be have none. */
static void chain_solve(const struct chain *chain, gsl_vector *share)
{
    gsl_matrix *flow = gsl_matrix_calloc(chain->states, chain->states);
    gsl_vector *right = gsl_vector_calloc(chain->states);
    gsl_permutation *order = gsl_permutation_alloc(chain->states);
    size_t one = chain->states;
    int sign;
    for (size_t from = 0; from < chain->states; from++)
        if (chain_can(chain, from)) {
            chain_leave(chain, from, flow);
            one = one < from ? one : from;
        } else {
            gsl_matrix_set(flow, from, from, -1.0);
        }
    for (size_t i = 0; i < chain->states; i++)
        gsl_matrix_set(flow, one, i, 1.0);
    gsl_vector_set(right, one, 1.0);
    gsl_linalg_LU_decomp(flow, order, &sign);
    gsl_linalg_LU_solve(flow, order, right, share);
    gsl_permutation_free(order);
    gsl_vector_free(right);
    gsl_matrix_free(flow);
}

/* Means of one or two classes. */
static void solve_balance(const struct check_network *n, double *throughput, double *queue)
{
    static struct chain chain;
    chain = (struct chain){
        .n = n, .places = n->network.stations + 1, .classes = n->network.classes, .counts = {1, 1}};
    for (int c = 0; c < chain.classes; c++)
        chain.counts[c] = list_spreads(chain.spreads[c], chain.places, (int)n->class[c].population);
    chain.states = (size_t)(chain.counts[0] * chain.counts[1]);
    gsl_vector *share = gsl_vector_calloc(chain.states);
    chain_solve(&chain, share);
    for (int c = 0; c < chain.classes; c++) {
        int first = next_place(n, c, chain.places - 1);
        throughput[c] = 0.0;
        for (int k = 0; k < chain.places - 1; k++)
            queue[k * chain.classes + c] = 0.0;
        for (size_t i = 0; i < chain.states; i++) {
            const struct spread *s[2];
            chain_state(&chain, i, s);
            throughput[c] += gsl_vector_get(share, i) * leave_rate(n, s, c, first);
            for (int k = 0; k < chain.places - 1; k++)
                queue[k * chain.classes + c] += gsl_vector_get(share, i) * s[c]->at[k];
        }
    }
    gsl_vector_free(share);
}

TEST(test_balance)
{
    uint64_t seed = 11;
    for (int round = 0; round < check_rounds(40, 400); round++) {
        struct check_network n;
        int classes = check_pick(&seed, 1, 2);
        check_random_network(&n, &seed, classes, check_pick(&seed, 1, 3), classes == 1 ? 5 : 2,
                             true);
        double throughput[2], queue[2 * CHECK_STATIONS];
        solve_balance(&n, throughput, queue);
        struct queueing_result *r = check_solve(&n.network, "exact");
        for (int c = 0; c < classes; c++)
            check_relative(r->throughput_per_s[c], throughput[c], 1e-10);
        for (int i = 0; i < classes * n.network.stations; i++)
            if (fabs(queue[i]) > 1e-12 || fabs(r->queue_length[i]) > 1e-12)
                check_relative(r->queue_length[i], queue[i], 1e-9);
        queueing_result_destroy(r);
    }
}

/* Two exact methods that share nothing. */
TEST(test_methods_agree)
{
    uint64_t seed = 5;
    for (int round = 0; round < check_rounds(150, 3000); round++) {
        struct check_network n;
        int classes = check_pick(&seed, 1, 3);
        check_random_network(&n, &seed, classes, check_pick(&seed, 1, 5), classes == 1 ? 60 : 9,
                             false);
        struct queueing_result *a = check_solve(&n.network, "mva");
        struct queueing_result *b = check_solve(&n.network, "convolution");
        check_array(a->throughput_per_s, b->throughput_per_s, classes, 1e-12);
        check_array(a->queue_length, b->queue_length, classes * n.network.stations, 1e-11);
        queueing_result_destroy(a);
        queueing_result_destroy(b);
    }
}

/* Customers are somewhere; several servers are the same as rates 1, 2, ...; one
 * server the same as a rate of 1. */
TEST(test_conservation)
{
    uint64_t seed = 99;
    for (int round = 0; round < check_rounds(200, 2000); round++) {
        struct check_network n, m;
        int classes = check_pick(&seed, 1, 2), stations = check_pick(&seed, 1, 4);
        check_random_network(&n, &seed, classes, stations, classes == 1 ? 30 : 6, true);
        struct queueing_result *r = check_solve(&n.network, "exact");
        for (int c = 0; c < classes; c++) {
            double sum = r->throughput_per_s[c] * n.class[c].think_s;
            for (int k = 0; k < stations; k++)
                sum += r->queue_length[k * classes + c];
            check_relative(sum, n.class[c].population, 1e-11);
        }
        m = n;
        m.network.class = m.class;
        m.network.station = m.station;
        for (int k = 0; k < stations; k++)
            if (m.station[k].kind == QUEUEING_MULTI || m.station[k].kind == QUEUEING_QUEUE) {
                bool queue = m.station[k].kind == QUEUEING_QUEUE;
                m.station[k].kind = QUEUEING_LOAD_DEPENDENT;
                m.station[k].rates = m.rates[k];
                m.station[k].rate_count = queue ? 1 : m.station[k].servers;
                for (int i = 0; i < 8; i++)
                    m.rates[k][i] = i + 1;
            }
        struct queueing_result *s = check_solve(&m.network, "exact");
        check_array(s->throughput_per_s, r->throughput_per_s, classes, 1e-12);
        check_array(s->residence_s, r->residence_s, classes * stations, 1e-10);
        queueing_result_destroy(r);
        queueing_result_destroy(s);
    }
}

/* One customer never waits; very many keep the slowest station busy; in between,
 * throughput grows with population. */
TEST(test_limits)
{
    uint64_t seed = 3;
    for (int round = 0; round < check_rounds(60, 1000); round++) {
        struct check_network n;
        int stations = check_pick(&seed, 1, 4);
        check_random_network(&n, &seed, 1, stations, 1, true);
        n.class->population = 1;
        double least = n.class->think_s, slowest = 0.0;
        for (int k = 0; k < stations; k++) {
            least += n.demand[k] / queueing_rate(&n.station[k], 1);
            if (n.station[k].kind != QUEUEING_DELAY)
                slowest = fmax(slowest, n.demand[k] / queueing_rate(&n.station[k], 1e9));
        }
        struct queueing_result *r = check_solve(&n.network, "exact");
        check_relative(r->throughput_per_s[0], 1.0 / least, 1e-13);
        queueing_result_destroy(r);
        n.class->population = 800;
        r = check_solve(&n.network, "exact");
        check_relative(r->throughput_per_s[0], 1.0 / slowest, 0.05);
        assert_true(r->throughput_per_s[0] <= 1.0 / slowest * (1 + 1e-9));
        queueing_result_destroy(r);
    }
}

/* Where the recursion over marginal probabilities is known to fail: many servers,
 * many customers. The network is a birth and death chain with a closed form. */
TEST(test_many_servers)
{
    struct check_network n;
    enum { CUSTOMERS = 2000, SERVERS = 100 };
    check_network_init(&n, 1, 1);
    n.class->population = CUSTOMERS;
    n.class->think_s = 19;
    n.station->kind = QUEUEING_MULTI;
    n.station->servers = SERVERS;
    n.demand[0] = 1;
    /* p(j + 1) / p(j) = (N - j) / (Z min(j + 1, m)), from the most likely state outward. */
    static double p[CUSTOMERS + 1];
    double sum = 0.0, busy = 0.0, queue = 0.0;
    p[SERVERS] = 1.0;
    for (int j = SERVERS; j < CUSTOMERS; j++)
        p[j + 1] = p[j] * (CUSTOMERS - j) / (19.0 * SERVERS);
    for (int j = SERVERS; j > 0; j--)
        p[j - 1] = p[j] * (19.0 * j) / (CUSTOMERS - j + 1);
    for (int j = 0; j <= CUSTOMERS; j++) {
        sum += p[j];
        queue += p[j] * j;
        busy += p[j] * (j < SERVERS ? j : SERVERS);
    }
    struct queueing_result *r = check_solve(&n.network, "exact");
    check_relative(r->throughput_per_s[0], busy / sum, 1e-11);
    check_relative(r->queue_length[0], queue / sum, 1e-11);
    queueing_result_destroy(r);
}

/* Balanced queues: X = N / ((N + K - 1) D), beyond the range of doubles in G. */
TEST(test_far_exponents)
{
    struct check_network n;
    check_network_init(&n, 2, 3);
    for (int i = 0; i < 6; i++)
        n.demand[i] = i % 2 ? 1e-9 : 1e6;
    n.class[0].population = 300;
    n.class[1].population = 400;
    for (int i = 0; i < EXACT; i++) {
        struct queueing_result *r = check_solve(&n.network, exact_names[i]);
        check_relative(r->throughput_per_s[0], 300 / (702 * 1e6), 1e-11);
        check_relative(r->throughput_per_s[1], 400 / (702 * 1e-9), 1e-11);
        queueing_result_destroy(r);
    }
    check_network_init(&n, 1, 2);
    n.class->population = 1000000;
    n.demand[0] = n.demand[1] = 1e-9;
    for (int i = 0; i < EXACT; i++) {
        struct queueing_result *r = check_solve(&n.network, exact_names[i]);
        check_relative(r->throughput_per_s[0], 1e9 * 1e6 / (1e6 + 1), 1e-9);
        queueing_result_destroy(r);
    }
}

TEST(test_refusals)
{
    struct check_network n;
    const struct queueing_algorithm *exact = queueing_algorithm_find("exact");
    const struct queueing_algorithm *mva = queueing_algorithm_find("mva");
    check_network_init(&n, 1, 2);
    struct queueing_result *r = queueing_result_create(&n.network);
    n.class->population = 2;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT,
                "neither demand nor think time");
    n.demand[0] = -1;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT,
                "demand must be 0 s, or 1e-100 s to 1e100 s, not -1 s");
    n.demand[0] = (double)NAN;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT,
                "demand must be");
    n.demand[0] = 1;
    n.class->population = 2.5;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT,
                "population must be a whole number up to 1e100, not 2.5");
    n.class->population = -1;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT, "whole number");
    n.class->population = 2;
    n.class->think_s = -1;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT,
                "think must be");
    n.class->think_s = 0;
    n.station[0].scv = 0;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT,
                "exact solutions need exponential service");
    n.station[0].scv = -1;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT, "scv must be");
    n.station[0].kind = QUEUEING_MULTI;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT, "0 servers");
    n.station[0].servers = 2;
    check_error(queueing_solve(&n.network, mva, NULL, r, &failure), STATUS_INPUT,
                "has several servers or rates");
    n.station[0].kind = QUEUEING_LOAD_DEPENDENT;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT, "has no rates");
    n.station[0].rates = n.rates[0];
    n.station[0].rate_count = 1;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT,
                "rate 1 must be positive");
    n.rates[0][0] = 1;
    n.class->population = 1e9;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT, "too many");
    n.station[0].kind = QUEUEING_QUEUE;
    n.station[0].scv = 1;
    n.class->population = 1e12;
    check_error(queueing_solve(&n.network, exact, NULL, r, &failure), STATUS_INPUT, "too many");
    queueing_result_destroy(r);
}

/* Numbers whose products no double holds are refused, whoever solves. */
TEST(test_range)
{
    static const double bad[] = {1e308, 1e101, 1e-320, 1e-101, HUGE_VAL};
    struct check_network n;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int a = 0; a < EXACT; a++) {
            const struct queueing_algorithm *algorithm = queueing_algorithm_find(exact_names[a]);
            check_network_init(&n, 1, 2);
            struct queueing_result *r = queueing_result_create(&n.network);
            n.class->population = 3;
            n.demand[0] = bad[i];
            n.demand[1] = 1;
            check_error(queueing_solve(&n.network, algorithm, NULL, r, &failure), STATUS_INPUT,
                        "demand must be 0 s, or 1e-100 s to 1e100 s");
            n.demand[0] = 1;
            n.class->think_s = bad[i];
            check_error(queueing_solve(&n.network, algorithm, NULL, r, &failure), STATUS_INPUT,
                        "think must be 0 s, or 1e-100 s to 1e100 s");
            queueing_result_destroy(r);
        }
    /* At the ends every number of a solution is one. */
    static const double ends[] = {1e100, 1e-100};
    for (int k = 0; k < 4; k++)
        for (int a = 0; a < EXACT; a++) {
            check_network_init(&n, 1, 2);
            n.class->population = 3;
            n.demand[0] = ends[k % 2];
            n.demand[1] = ends[k / 2];
            struct queueing_result *r = check_solve(&n.network, exact_names[a]);
            assert_true(isfinite(r->throughput_per_s[0]) && r->throughput_per_s[0] > 0);
            assert_true(isfinite(r->response_s[0]));
            for (int s = 0; s < 2; s++)
                assert_true(isfinite(r->queue_length[s]) && isfinite(r->residence_s[s]));
            queueing_result_destroy(r);
        }
}
