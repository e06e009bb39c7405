/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many closed networks of one shape at once: a design space's. Numbers come and
 * go in columns, as the points of a sweep do. The answer for a point has the same
 * bits whatever points are beside it, and on every processor.
 *
 *     struct queueing_batch batch = {
 *         .network = &shape, .count = n, .demand_s = demand, .think_s = think,
 *         .population = population, .throughput_per_s = throughput};
 *     status = queueing_solve_batch(&batch, QUEUEING_LINEARIZER, NULL, &error);
 */
#ifndef BANDSCAPE_QUEUEING_BATCH_H
#define BANDSCAPE_QUEUEING_BATCH_H

#include "queueing/network.h"

/* See queueing/closed_kernels.h for the equations. */
enum queueing_method {
    QUEUEING_MVA, /* stations of fixed rate: queues and delays */
    QUEUEING_SCHWEITZER,
    QUEUEING_LINEARIZER
};

/* For the iterations; NULL stands for the defaults. */
struct queueing_options {
    double tolerance; /* change of a queue length over its class's population: 1e-13 */
    /* The Linearizer's points that do not settle by that are taken where they change least, if that
     * is at most so much: 0. Where stations are equally full, queues drift between them for ever
     * while throughputs stand. */
    double tolerance_most;
    int rounds;          /* most iterations: 2000000 */
    const char *kernels; /* "base", "v3", "v4": for tests; NULL: the best */
};

struct queueing_batch {
    /* Stations, and how many classes. Its classes' numbers and its demands are not read. */
    const struct queueing_network *network;
    /* [station]: as many equal queues as it stands for, of which a customer takes one by
     * chance: its demand and residence are those at all of them. NULL: 1 each. More than 1 of
     * QUEUEING_QUEUE only. */
    const int *copies;
    size_t count;
    const double *const *demand_s;   /* [station * classes + class]: a column */
    const double *const *think_s;    /* [class] */
    const double *const *population; /* [class] */
    double *const *throughput_per_s; /* out, [class]; NaN where an iteration did not settle */
    double *const *residence_s;      /* out, [station * classes + class]; NULL: not wanted */
    /* [station]: a column of what of a service in progress is still to come, in the mean over those
     * who meet it, as a share of a mean service: (1 + scv) / 2 for one at a time, more where
     * several are served one behind another. In the place of the station's scv; NULL: by that.
     * Queues only. */
    const double *const *rest;
};

/* Where a station has scv != 1, MVA too is an approximation (closed_kernels.h).
 * Schweitzer and Linearizer see m servers as one that is m times as fast and a
 * delay of (m - 1)/m of the demand (Seidmann, Schweitzer, Shalev-Oren 1987), a
 * load-dependent station by its rate at the mean number there; where rates rise and
 * fall, the Linearizer may not settle (2 of 1000 random networks). Points of equal
 * population should follow each other for MVA. Errors name the point;
 * STATUS_INTERRUPTED on Ctrl-C. */
int queueing_solve_batch(const struct queueing_batch *batch, enum queueing_method method,
                         const struct queueing_options *options, struct error *error);

#endif
