/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds on the throughput of closed networks, from demands alone.
 *
 * D: sum of demands at queues, D_max: the largest, Z: thinking and delays. With
 * response time R (without Z), X = N / (Z + R). */
#ifndef BANDSCAPE_QUEUEING_BOUNDS_H
#define BANDSCAPE_QUEUEING_BOUNDS_H

#include "queueing/network.h"

struct queueing_interval {
    double lower, upper;
};

struct queueing_bounds {
    int classes;
    struct queueing_interval *throughput_per_s, *response_s; /* [class] */
};

struct queueing_bounds *queueing_bounds_create(const struct queueing_network *network);
void queueing_bounds_destroy(struct queueing_bounds *bounds);

enum queueing_bound {
    /* Any number of classes, any station. N_c / (Z_c + N D_c) <= X_c <=
     * min(N_c / (Z_c + D_c), 1 / D_c,max), N all customers (Muntz and Wong 1974;
     * Denning and Buzen 1978). */
    QUEUEING_ASYMPTOTIC,
    /* One class, queues and delays. The network lies between the balanced ones with
     * all demands as the largest and as the mean (Zahorjan, Sevcik, Eager, Galler,
     * CACM 25(2), 1982; Lazowska et al., QSP, ch. 5). */
    QUEUEING_BALANCED,
    /* One class, queues and delays. Queues with one customer less are spread at least
     * in proportion to D_k, at most to D_k^(N-1) (Hsieh and Lam, Performance
     * Evaluation 7(3), 1987). */
    QUEUEING_PROPORTIONAL,
    /* One class, queues and delays. Queues off the bottleneck lie between geometric
     * sums of bounds of their utilisation (Casale, Muntz, Serazzi, IEEE Trans.
     * Computers 57(6), 2008). */
    QUEUEING_GEOMETRIC,
    QUEUEING_TIGHTEST /* the best of those that apply */
};

/* `network` is checked. Refuses open classes, and scv != 1, by name; the bounds of one
 * class also other networks. A class of nobody has the bounds 0. */
int queueing_bound(const struct queueing_network *network, enum queueing_bound bound,
                   struct queueing_bounds *out, struct error *error);

#endif
