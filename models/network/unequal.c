/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps whose chains are unlike.
 *
 * A launch lasts for its longest chain, c waits; its W warps that are there at a time (one behind
 * another in each place) have w waits each in the mean. So of N customers, the mean over the
 * longest chain, there are c/w times as many in the beginning and next to none in the end: queues
 * are longer at first than N of them make, and the last ones go on alone, each with what its way
 * takes. With places whose chains end evenly,
 *
 *     N (c/w) (1 - u)^(c/w - 1)      customers when the longest has had a share u of its waits
 *
 * whose mean is N (c/w = 1: all of them to the end; 2: chains of any length are as many). Alone a
 * cycle takes L, and with U the utilisation of the busiest station that a customer asks, with N of
 * them, and R their cycle, no less than U R of the N customers, nor of more or fewer in proportion:
 *
 *     T >= work / N  integral over u of  max( L , U R (c/w) (1 - u)^(c/w - 1) )
 *
 * A bound: for what N customers take is no less where all chains are alike. */
#include <math.h>

#include "network/demands.h"
#include "network/solution.h"

double demands_unequal(struct demands *d)
{
    double chain = demands_field(d, FIELD_CHAIN_WAITS), waits = demands_field(d, FIELD_WAITS);
    double threads = demands_block_threads(d);
    if (!(demands_blocks(d) > 0) || !(threads > 0))
        return 1;
    double held = fmin(demands_blocks(d), demands_working_sms(d) * demands_blocks_held(d));
    double each = ceil(threads / NETWORK_WARP);
    return fmax(1, demands_ratio(chain * held * each, waits, 1));
}

double demands_chain_issues(const struct demands *d)
{
    double chain = demands_field(d, FIELD_CHAIN_INSTRUCTIONS);
    double busiest = demands_field(d, FIELD_WARP_INSTRUCTIONS) /
                     (d->system->sms * demands_field(d, FIELD_ISSUE_UNIFORMITY));
    return fmin(1, demands_ratio(chain, busiest, 0));
}

/* What of a station's load others than the chain's warp bring: it does not wait for itself. */
static double load_of_others(const struct network *network, int station, double load)
{
    bool issues = network->station[station].kind == STATION_ISSUE;
    return issues ? load * (1 - network->chain_issues) : load;
}

/* Mean over u of max(alone, together * k (1 - u)^(k - 1)). */
static double mean_of(double alone, double together, double k)
{
    double first = together * k;
    if (first <= alone)
        return alone;
    if (k - 1 < 1e-6)
        return fmax(alone, together);
    double left = pow(alone / first, 1 / (k - 1)); /* 1 - u from which on all are alone */
    return together * (1 - pow(left, k)) + alone * left;
}

struct work_cycle work_cycle(const struct work *w, int c, int p, bool others)
{
    const struct network *network = w->network;
    struct work_cycle cycle = {.alone_s = w->think[c * CHUNK + p] + w->late[c * CHUNK + p]};
    for (int k = 0; k < network->stations; k++) {
        double load = 0, own = w->demand[(k * network->classes + c) * CHUNK + p];
        for (int i = 0; i < network->classes && own > 0; i++)
            load +=
                w->throughput[i * CHUNK + p] * w->demand[(k * network->classes + i) * CHUNK + p];
        load = others ? load_of_others(network, k, load) : load;
        cycle.alone_s += own;
        cycle.busiest = fmax(cycle.busiest, fmin(1, load / w->copies[k]));
    }
    return cycle;
}

double work_unequal(const struct work *w, int p)
{
    const struct network *network = w->network;
    double least = 0;
    for (int c = 0; c < network->classes && network->unequal > 1; c++) {
        double n = w->population[c * CHUNK + p], reached = w->throughput[c * CHUNK + p];
        if (n >= w->places[c * CHUNK + p] || !(reached > 0))
            continue; /* of these as many are under way as may be */
        struct work_cycle of = work_cycle(w, c, p, true);
        double cycle = mean_of(of.alone_s, of.busiest * n / reached, network->unequal);
        least = fmax(least, network->class[c].work / n * cycle);
    }
    return least;
}

/* The same at least, before anything is solved. Of the class c with the least throughput for its
 * work, X_c/w_c, no other one has less for its own, so that with the load of a station
 *
 *     U R >= min( 1 , sum over i of X_i D_ki / copies ) N_c / X_c
 *         >= N_c / w_c  sum over i of w_i D_ki / copies
 *
 * where U is below 1, as cut_point() makes sure of; which class it is nobody knows. */
double work_unequal_least(const struct work *w, int p)
{
    const struct network *network = w->network;
    double least = HUGE_VAL;
    if (!(network->unequal > 1))
        return 0;
    for (int c = 0; c < network->classes; c++) {
        double n = w->population[c * CHUNK + p], busiest = 0;
        double alone = w->think[c * CHUNK + p] + w->late[c * CHUNK + p];
        double work = network->class[c].work;
        if (!(work > 0))
            continue;
        if (n >= w->places[c * CHUNK + p])
            return 0;
        for (int k = 0; k < network->stations; k++) {
            double load = 0, own = w->demand[(k * network->classes + c) * CHUNK + p];
            for (int i = 0; i < network->classes && own > 0; i++)
                load += network->class[i].work * w->demand[(k * network->classes + i) * CHUNK + p];
            alone += own;
            load = load_of_others(network, k, load);
            busiest = fmax(busiest, load / w->copies[k]);
        }
        double cycle = mean_of(alone, busiest * n / work, network->unequal);
        least = fmin(least, work / n * cycle);
    }
    return isfinite(least) ? least : 0;
}
