/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps that wait longer than the others.
 *
 * The warps of the longest chain need not be like the mean: those at the edge of a domain's part
 * wait for remote lines while the others have theirs at home, and fall behind. Their wait takes D
 * longer than one of all warps, in latencies alone (ends.c). Who comes late to an SM's issue slots
 * is not behind those that came meanwhile, so that what a warp waits there anyway is no part of D.
 *
 * Alone a wait of the chain takes A, and one of the mean warp R with all others. With o waits for
 * remote lines of all warps and r of the chain, a share of f = o/r lags at most. The others take R
 * - D f / (1 - f) a wait, are done first, at t', and leave the machine to those that lag. With U
 * the utilisation of the busiest station these cannot go on faster than every f U R either:
 *
 *     t' = work / N * (R - D f / (1 - f))
 *     T >= t' + work / N * (1 - (R - D f / (1 - f)) / (R + D)) * max( A , f U R )
 *     T >= work / N * A
 *
 * So few that lag where queues are long take work / N * (R + D A / (R + D)), and where there are no
 * queues all take work / N * A. f is as large as it can be: a bound. R is the mean over the time in
 * which the domain works. Where as many are under way as may be all are taken to wait as the chain
 * does; a domain that has not a warp's waits for remote lines has no such chain. */
#include <math.h>

#include "network/solution.h"

void work_set_late(struct work *w, const struct term_operand *args, int c, int from, int p,
                   double longer)
{
    const struct network *network = w->network;
    const struct work_waits mean = {.writes = network->chain_writes, .own = true};
    int at = c * CHUNK + p;
    w->late[at] = 0;
    w->few[at] = work_few(network, c, args, from + p);
    if (w->few[at] < 1)
        w->late[at] = fmax(0, longer - work_longer(network, c, args, from + p, &mean));
}

void work_set_lag(struct work *w, int c, int p, double customers)
{
    int at = c * CHUNK + p;
    double few = w->few[at] * customers;
    if (few >= 1 && few < customers && customers < w->places[at])
        return;
    w->think[at] += few >= 1 ? w->late[at] : 0; /* of none nobody is late */
    w->late[at] = 0;
}

/* Who comes late to an SM's issue slots is not behind those that came meanwhile: what a warp waits
 * for them is time in which it may be late. */
static double waits_anyway(const struct work *w, int c, int p)
{
    const struct network *network = w->network;
    double sum = 0;
    for (int k = 0; k < network->stations; k++) {
        int at = (k * network->classes + c) * CHUNK + p;
        if (work_is_for_warps(network->station[k].kind))
            sum += w->residence[at] - w->demand[at];
    }
    return sum;
}

void work_see_lag(struct work *w, int p)
{
    for (int c = 0; c < w->network->classes; c++) {
        int at = c * CHUNK + p;
        w->alone[at] = 0;
        if (!(w->late[at] > 0) || !(w->throughput[at] > 0))
            continue;
        struct work_cycle cycle = work_cycle(w, c, p, false);
        w->late[at] = fmax(0, w->late[at] - waits_anyway(w, c, p));
        w->alone[at] = cycle.alone_s;
        w->busiest[at] = cycle.busiest;
    }
}

double work_lag(const struct work *w, int p)
{
    double least = 0;
    for (int c = 0; c < w->network->classes; c++) {
        int at = c * CHUNK + p;
        double late = w->late[at], few = w->few[at];
        double turn = w->network->class[c].work / w->customers[at];
        if (!(w->alone[at] > 0) || !isfinite(w->done[at]))
            continue;
        double mean = w->done[at] / turn, others = fmax(0, mean - late * few / (1 - few));
        double last = fmax(w->alone[at], few * w->busiest[at] * mean);
        double cycle = others + (1 - others / (mean + late)) * last;
        least = fmax(least, turn * fmax(cycle, w->alone[at]));
    }
    return least;
}
