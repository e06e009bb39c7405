/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any queueing network, simulated: what exact solutions and approximations are held
 * against.
 *
 * A customer visits the stations at which its class has a demand in their order, once each,
 * and thinks (closed) or leaves (open). Think times and, unless a queue says its scv, service
 * times are exponential; those with another scv follow a gamma distribution. Who waits where:
 *
 *   queue, multi       first come, first served, where all classes that come ask for the same
 *                      time or scv is not 1; else processors are shared
 *   load-dependent     processors are shared
 *   delay              nobody waits
 *
 * so that a network of product form (queueing/network.h) stays one. */
#ifndef BANDSCAPE_SIMULATE_PLAIN_H
#define BANDSCAPE_SIMULATE_PLAIN_H

#include <stdint.h>

#include "queueing/network.h"
#include "core/batch_means.h"

struct simulate_options {
    uint64_t seed;              /* its lower 32 bits count; 0 is another name of 4357 (GSL) */
    uint64_t requests, warm_up; /* cycles and departures of all classes: counted, before that */
    double confidence;          /* of intervals: 0.95 */
};

/* As struct queueing_result; utilisation per class is a share of the capacity. */
struct simulate_result {
    int classes, stations;
    double time_s; /* that was counted */
    uint64_t events;
    struct estimate *throughput_per_s, *response_s;            /* [class] */
    struct estimate *queue_length, *residence_s, *utilisation; /* [station * classes + class] */
};

/* STATUS_INPUT for what is no network or has millions of customers, STATUS_INTERRUPTED on Ctrl-C.
 * The result is the caller's to destroy. */
int simulate_network(const struct queueing_network *network, const struct simulate_options *options,
                     struct simulate_result **out, struct error *error);
void simulate_result_destroy(struct simulate_result *result); /* NULL is legal */

#endif
