/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Those who wait for one line.
 *
 * Warps of many SMs that read the same lines wait for the first of them, which misses, and have
 * its line at once: their replies enter the crossbar together, all of one line before those of the
 * next. A warp that waits for b lines is therefore served behind b - 1 such crowds. What it finds
 * of the last line's own crowd costs the launch nothing: who is served last asks last, and finds
 * the next line the sooner, whose fetch began with the first one's request. So with n requests for
 * a line, each of which takes D at a queue on the way of replies, a wait takes longer by
 *
 *     late (b - 1) (n - 1) D            nothing where each line is waited for by itself
 *
 * with `late` the share of reads that wait for what is behind the LLC: lines that are there serve
 * each when it asks. A network of independent customers knows as many requests, but takes them to
 * come one by one. The warp's own b requests are among its customers already. Of an LLC that is
 * asked twice (split ways, replicas, halves) crowds are not looked at.
 *
 * Of n requests from all domains a queue sees those that pass it: of classes by their demands, of
 * stations that are alike its part.
 *
 * Queues on the way of replies are those that the first to ask passes as well: crossbars and
 * point-to-point links. Links between chips are not, since those who are nearest to a line's memory
 * ask first and do not cross them; others fall behind by as much, and find the next lines there.
 * Slices are asked before the line is there. */
#include <math.h>

#include "network/demands.h"
#include "network/solution.h"

#define MOST_FOLLOW 0.999

void demands_read_crowd(struct demands *d, int lines)
{
    struct network_crowd *crowd = &d->net->crowd;
    if (!d->net->chained || model_split(d->b, "llc"))
        return;
    crowd->at_home = model_side(d->b, "llc") == SIDE_HOME;
    enum profile_field followers =
        crowd->at_home ? FIELD_FOLLOWERS_MEMORY_SIDE : FIELD_FOLLOWERS_SM_SIDE;
    double f = demands_ratio(demands_field(d, followers), demands_field(d, FIELD_READS), 0);
    f = fmin(f, MOST_FOLLOW);
    if (!(f > 0))
        return;
    crowd->others = f / (1 - f);
    int one = model_constant(d->b, NULL, 1, DIM_NONE),
        zero = model_constant(d->b, NULL, 0, DIM_NONE);
    crowd->before = demands_argument(d, term_max(d->g, "lines before the last one",
                                                 term_difference(d->g, NULL, lines, one), zero));
}

/* Requests for a line of that class that pass one queue of a station, behind the first. */
static double others_at(const struct work *w, int k, int class, int p)
{
    const struct network *network = w->network;
    const struct network_station *station = &network->station[k];
    double all = 0, most = 0, n = network->crowd.others + 1;
    if (station->kind != STATION_P2P && station->kind != STATION_NOC &&
        station->kind != STATION_NOC_REPLY)
        return 0;
    if (!network->crowd.at_home)
        return fmax(0, n / fmax(1, (double)station->copies / network->class[class].domains) - 1);
    for (int c = 0; c < network->classes; c++) {
        double demand = w->demand[(k * network->classes + c) * CHUNK + p];
        all += network->class[c].work * demand;
        most = fmax(most, demand);
    }
    return most > 0 ? fmax(0, n * all / most / station->copies - 1) : 0;
}

double work_crowd(const struct work *w, const struct term_operand *args, int c, int from, int p)
{
    const struct network *network = w->network;
    const struct network_crowd *crowd = &network->crowd;
    double late = 0, all = 0, behind = 0;
    if (!(crowd->others > 0))
        return 0;
    for (size_t f = 0; f < network->flows.count; f++) {
        const struct network_flow *flow = &network->flows.items[f];
        if (flow->class != c)
            continue;
        double share = flow->share * network_argument(args, flow->flow, from + p);
        all += share;
        late += flow->late < 0 ? 0 : share * network_argument(args, flow->late, from + p);
    }
    for (int k = 0; k < network->stations; k++)
        behind += w->demand[(k * network->classes + c) * CHUNK + p] * others_at(w, k, c, p);
    return all > 0 ? late / all * network_argument(args, crowd->before, from + p) * behind : 0;
}
