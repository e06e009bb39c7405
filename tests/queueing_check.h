/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks for tests: put together in place, random, and solved by name. */
#ifndef BANDSCAPE_TESTS_QUEUEING_CHECK_H
#define BANDSCAPE_TESTS_QUEUEING_CHECK_H

#include "check.h"
#include "queueing/solve.h"

enum { CHECK_CLASSES = 4, CHECK_STATIONS = 8 };

struct check_network {
    struct queueing_network network;
    struct queueing_class class[CHECK_CLASSES];
    struct queueing_station station[CHECK_STATIONS];
    double demand[CHECK_CLASSES * CHECK_STATIONS];
    double rates[CHECK_STATIONS][8];
};

static const char *const check_names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

/* Closed classes of nobody, and exponential queues without demand. */
static inline void check_network_init(struct check_network *n, int classes, int stations)
{
    memset(n, 0, sizeof *n);
    for (int c = 0; c < classes; c++)
        n->class[c].name = check_names[c];
    for (int k = 0; k < stations; k++)
        n->station[k] =
            (struct queueing_station){.name = check_names[k], .kind = QUEUEING_QUEUE, .scv = 1.0};
    n->network = (struct queueing_network){classes, stations, n->class, n->station, n->demand};
}

static inline struct queueing_result *check_solve(const struct queueing_network *network,
                                                  const char *algorithm)
{
    struct queueing_result *result = queueing_result_create(network);
    check_ok(queueing_solve(network, queueing_algorithm_find(algorithm), NULL, result, &failure));
    return result;
}

static inline double check_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * check_uniform(state);
}

static inline int check_pick(uint64_t *state, int low, int high)
{
    return low + (int)(check_random(state) % (uint64_t)(high - low + 1));
}

/* A random closed network; `varying`: with several servers and rates too. */
static inline void check_random_network(struct check_network *n, uint64_t *state, int classes,
                                        int stations, int population, bool varying)
{
    check_network_init(n, classes, stations);
    for (int c = 0; c < classes; c++) {
        n->class[c].population = check_pick(state, 1, population);
        n->class[c].think_s = check_pick(state, 0, 1) ? check_between(state, 0.0, 5.0) : 0.0;
    }
    for (int k = 0; k < stations; k++) {
        struct queueing_station *station = &n->station[k];
        int kind = check_pick(state, 0, varying ? 3 : 1);
        station->kind = k == 0 && kind == 1 ? QUEUEING_QUEUE : (enum queueing_kind)kind;
        station->servers = check_pick(state, 1, 4);
        station->rates = n->rates[k];
        station->rate_count = check_pick(state, 1, 5);
        for (int i = 0; i < 8; i++)
            n->rates[k][i] = check_between(state, 0.5, 3.0);
        for (int c = 0; c < classes; c++)
            n->demand[k * classes + c] =
                check_pick(state, 0, 5) || k == 0 ? check_between(state, 0.1, 2.0) : 0.0;
    }
}

#endif
