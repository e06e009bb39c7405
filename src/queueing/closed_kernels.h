/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solvers of closed networks, of one network or of several of the same shape
 * side by side in the lanes of vector registers. The same source is compiled for
 * one lane and for many, and for several instruction sets (closed_exact.simd.c,
 * closed_kernels.simd.c); a lane gets the same bits in all of them: each takes its
 * own number of rounds. Alone, a network of two classes has populations in its lanes.
 *
 * Only stations where customers wait appear here: delays are part of the think
 * time (queueing/network.h). Arrays are indexed [station][class][lane]. */
#ifndef BANDSCAPE_QUEUEING_CLOSED_KERNELS_H
#define BANDSCAPE_QUEUEING_CLOSED_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "queueing/network.h"

enum {
    CLOSED_MVA_CLASSES = 32,
    CLOSED_LANES_MAX = 16,
    CLOSED_FRONT = 8,
    CLOSED_NEWTON_CLASSES = 8,
    CLOSED_PAST = 4 /* sweeps that a thorough one goes by */
};

struct closed_block {
    int classes, stations;
    const double *population; /* [class][lane]; equal in all lanes for `mva` */
    const double *think_s;    /* [class][lane]; positive where a class asks for nothing else */
    const double *demand_s;   /* [station][class][lane] */
    const double *excess; /* [station][lane]: (1 - scv) / 2, or 1 less what is met in its place */
    const double *spread; /* [station]: 1 / copies, of the customers there who are in one's way */
    bool residual;        /* some excess is not 0, or some station is load-dependent */
    /* [station]: a load-dependent one (not for `mva`), or NULL. */
    const struct queueing_station *const *varying;
    double tolerance; /* largest change of a queue length over its class's population */
    int rounds;       /* at most */
    int sweeps;       /* the same, of `newton` */
    bool thorough;    /* each of these solves its populations, and goes by those before it together:
                       * fewer, of four times as much, where the others do not settle */
    const double *enough; /* [lane]: the same, at least, of `newton` after its first sweeps */

    double *throughput_per_s; /* out, [class][lane] */
    double *residence_s;      /* out, [station][class][lane] */
    double *reached;   /* out, [lane], of `newton`: the largest change of the best of these */
    double *unsettled; /* out, [lane]: not 0 where the rounds did not suffice, or where
                        * Ctrl-C was met on the way */
    double *work;      /* closed_work_* doubles */
};

/* Exact mean value analysis (Reiser and Lavenberg, JACM 1980): over all
 * populations up to n,
 *     R_kc(n) = D_kc (1 + Q_k(n - 1_c)),  X_c = n_c / (Z_c + sum_k R_kc),
 *     Q_k(n)  = sum_c X_c R_kc
 * With scv != 1 the customer in service is seen with its mean residual life
 * (1 + scv)/2 of a service (Reiser, "A queueing network analysis of computer
 * communication networks with window flow control", 1979):
 *     R_kc = D_kc (1 + Q_k(n - 1_c) - (1 - scv_k)/2 U_k(n - 1_c))
 * and, since no station serves faster than its capacity, X is cut where U_k would
 * exceed 1; the time that is missing is waited there. An approximation then, exact
 * for one customer, many customers, and (as M/G/1) much think time. */
typedef void closed_solver(struct closed_block *block);

/* Bard and Schweitzer: Q_kj(n - 1_c) = Q_kj(n) (n_j - [j = c]) / n_j, iterated.
 * Linearizer (Chandy and Neuse, CACM 25(2), 1982): the fractions Q_kj / n_j at n and
 * at n - 1_c differ by terms that are estimated by solving at all n - 1_c too. Here
 * each population takes one round between two estimates of the differences: the same
 * fixed point for a fraction of the work.
 * Its utilisations may exceed 1 by a per cent.
 * Both take scv, and load-dependent stations by the rate at the mean number there. */
struct closed_solvers {
    int lanes;
    closed_solver *mva, *schweitzer, *linearizer;
    closed_solver *newton; /* the Linearizer's fixed point, of at most CLOSED_NEWTON_CLASSES classes
                            * where no station is load-dependent; does not find all */
};

struct closed_kernels {
    const char *name;
    struct closed_solvers one, many;
};

/* Work space in doubles. */
size_t closed_work_mva(const double *population, int classes, int stations, int lanes);
size_t closed_work_iterate(int classes, int stations, int lanes);
size_t closed_work_newton(int classes, int stations, int lanes, bool thorough);
/* Populations that `mva` keeps: those of all classes but the first. */
size_t closed_slab_states(const double *population, int classes, int lanes);

/* Whether `mva` solves one network by fronts of CLOSED_FRONT populations. */
bool closed_has_front(const double *population, int classes);

/* The best set that this processor runs; a set by name ("base", "v3", "v4"), or
 * NULL when it cannot run here: for tests. */
const struct closed_kernels *closed_kernels_get(void);
const struct closed_kernels *closed_kernels_find(const char *name);

#endif
