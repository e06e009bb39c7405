/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any network by the name of an algorithm.
 *
 *     const struct queueing_algorithm *algorithm = queueing_algorithm_find("exact");
 *     struct queueing_result *result = queueing_result_create(&network);
 *     status = queueing_solve(&network, algorithm, NULL, result, &error);
 */
#ifndef BANDSCAPE_QUEUEING_SOLVE_H
#define BANDSCAPE_QUEUEING_SOLVE_H

#include "queueing/batch.h"
#include "queueing/bounds.h"

struct queueing_algorithm {
    const char *name, *summary, *reference;
    bool bounds; /* queueing_bound(network, bound, ...) instead of queueing_solve */
    enum queueing_bound bound;
    int method; /* private to solve.c */
};

/* Ends with a NULL name. */
extern const struct queueing_algorithm queueing_algorithms[];
/* NULL when there is none. */
const struct queueing_algorithm *queueing_algorithm_find(const char *name);

/* Checks the network and solves it: open classes, closed ones, or both. Refuses what
 * the algorithm does not take, by name; STATUS_FAILED when an iteration does not
 * settle. `options` may be NULL. */
int queueing_solve(const struct queueing_network *network,
                   const struct queueing_algorithm *algorithm,
                   const struct queueing_options *options, struct queueing_result *result,
                   struct error *error);

#endif
