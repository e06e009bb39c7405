/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels that stop.
 *
 * A level with K MSHRs whose misses take T lets no more than K / T of them through a second
 * (Little's law), whatever stands before it: what finds none waits at its input, and has nobody
 * else wait for anything. So it is a delay B in the cycle of its customers, just long enough that K
 * are under way: X(B) * T(X(B)) = K. T is what requests take behind the level at that throughput,
 * queues and all, from the network's own solution. */
#include "network/network.h"

#include <math.h>

double network_places_taken(const struct network *network, int class,
                            const struct term_operand *args, int point, const double *stretch,
                            double throughput)
{
    double held[NETWORK_LEVELS_MAX] = {0}, most = 0;
    const struct network_class *own = &network->class[class];
    for (size_t h = 0; h < network->holds.count; h++) {
        const struct network_hold *hold = &network->holds.items[h];
        const struct network_visit *v = &hold->visit;
        if (v->class != class)
            continue;
        held[hold->level] += v->weight * network_argument(args, v->flow, point) *
                             network_argument(args, v->miss, point) *
                             network_argument(args, v->amount, point) *
                             network_argument(args, v->slowness, point) *
                             (v->station >= 0 ? stretch[v->station] : 1);
    }
    for (int l = 0; l < network->levels; l++) {
        const struct network_places *places = &network->places[l];
        double all = network_argument(args, places->mshrs, point) * places->units * own->domains;
        all *= places->by_sms ? own->sms_share : 1;
        most = fmax(most, throughput * held[l] / all);
    }
    return most;
}

double network_blocked(double (*taken)(void *context, double blocked_s), void *context,
                       double most_s)
{
    enum { ROUNDS = 60 };
    const double near = 1e-4;
    double low = 0, high = most_s, over = taken(context, low) - 1, under = taken(context, high) - 1;
    /* Regula falsi; an end that stays counts half the next time (Illinois). */
    for (int round = 0, side = 0; round < ROUNDS && high - low > 1e-12 * most_s; round++) {
        double at = (low * under - high * over) / (under - over);
        if (!(at > low && at < high))
            at = 0.5 * (low + high);
        double value = taken(context, at) - 1;
        if (fabs(value) < near)
            return at;
        if (value > 0) {
            low = at;
            over = value;
            under *= side > 0 ? 0.5 : 1;
            side = 1;
        } else {
            high = at;
            under = value;
            over *= side < 0 ? 0.5 : 1;
            side = -1;
        }
    }
    taken(context, high); /* what was solved last is what is meant */
    return high;
}
