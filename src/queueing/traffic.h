/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traffic equations: from routing probabilities to visits. */
#ifndef BANDSCAPE_QUEUEING_TRAFFIC_H
#define BANDSCAPE_QUEUEING_TRAFFIC_H

#include "core/error.h"

/* Jackson's traffic equations: flow[k] = entry[k] + sum_i flow[i] routing[i][k].
 * `entry` is what comes from outside (for visits: the probabilities of the
 * first station), routing[i * stations + k] the probability to go on from i to
 * k; what a row lacks of 1 leaves. Refuses probabilities that are none, and
 * stations that can be reached but never left. */
int queueing_traffic(int stations, const double *entry, const double *routing, double *flow,
                     struct error *error);

#endif
