/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who shares lines goes at the pace of the one who is nearest to them.
 *
 * SMs of several domains that read the same lines behind an LLC at home wait for the first of them
 * to ask, whose read misses. Requests of the others find the line under way, or there. Of a line at
 * home d_r away (there, and as far back) from domain r, which asks for it at t_r, with M behind the
 * LLC and H the rest,
 *
 *     there  = min over r of ( t_r + d_r ) + M
 *     t_r'   = max( there , t_r + d_r ) + d_r + H          when it asks for the next one
 *
 * so that who is nearest, or has most of the lines at home, goes on every 2 d + M + H, and one that
 * is farther falls behind until what it asks for is there, by at most M: from then on it waits for
 * 2 d_r + H, or goes at the pace of the first, whichever takes longer. With W_r the wait of a
 * domain with all that is behind the LLC, V_r the same without that of lines which others ask for
 * too, a wait saves
 *
 *     max( 0 , W_r - max( V_r , min over s of W_s ) )
 *
 * of what it takes on the chain. A wait for several lines ends with the last, so that V_r has what
 * is behind the LLC unless all of them are met. Where all are as near nothing changes, and where
 * nothing is shared. Among lines whose homes change each domain is near some, and falls behind at
 * others: W is its mean. Lines of one domain alone, P, and such as all n domains ask for, S, are
 * what the profile's followers tell apart: by domain there are P + n S requests that follow none,
 * and at the homes P + S. So of those by domain
 *
 *     n S / (P + n S) = n / (n - 1) * (1 - (1 - f_home) / (1 - f_own))
 *
 * are met. Of an LLC at the requester each domain fetches its own copies. */
#include <math.h>

#include "network/demands.h"
#include "network/solution.h"

void demands_read_pace(struct demands *d)
{
    double reads = demands_field(d, FIELD_READS), n = d->net->classes;
    if (!d->net->chained || n < 2 || model_split(d->b, "llc") ||
        model_side(d->b, "llc") != SIDE_HOME)
        return;
    double home = reads - demands_field(d, FIELD_FOLLOWERS_MEMORY_SIDE);
    double own = reads - demands_field(d, FIELD_FOLLOWERS_SM_SIDE);
    d->net->met = fmin(1, n / (n - 1) * fmax(0, 1 - demands_ratio(home, own, 1)));
}

static void keep_pace(struct work *w, const struct term_operand *args, int from, int p)
{
    const struct network *network = w->network;
    struct work_waits all = {.writes = network->chain_writes, .own = true}, met = all;
    double pace = HUGE_VAL, takes;
    if (!(network->met > 0) || network->classes < 2)
        return;
    met.met = network->met;
    for (int c = 0; c < network->classes; c++)
        pace = fmin(pace, work_longer(network, c, args, from + p, &all) + w->way[c * CHUNK + p]);
    for (int c = 0; c < network->classes; c++) {
        int at = c * CHUNK + p;
        takes = work_longer(network, c, args, from + p, &all) + w->way[at];
        double least = work_longer(network, c, args, from + p, &met) + w->way[at];
        w->wait[at] = fmax(0, w->wait[at] - fmax(0, takes - fmax(least, pace)));
    }
}

/* What a warp waits for: the last of its requests. Points whose latencies are the same share it. */
void work_set_waits(struct work *w, const struct term_operand *args, int from, int n)
{
    const struct network *network = w->network;
    bool vary = work_latencies_vary(network, args);
    const struct work_waits chain = {.writes = network->chain_writes},
                            begin = {.writes = network->begins_with_writes};
    for (int p = 0; p < n; p++) {
        for (int c = 0; c < network->classes; c++) {
            int at = c * CHUNK + p, like = vary ? at : c * CHUNK;
            if (like == at) {
                double longer = work_longer(network, c, args, from + p, &chain);
                w->wait[at] = fmax(0, w->way[at] + longer);
                w->longer[at] = work_longer(network, c, args, from + p, &begin);
                w->ending[at] = work_ending(network, c, args, from + p, w->ending[at]);
                work_set_late(w, args, c, from, p, longer);
            }
            w->wait[at] = w->wait[like];
            w->late[at] = w->late[like];
            w->few[at] = w->few[like];
            w->longer[at] = w->longer[like];
            w->ending[at] = w->ending[like];
        }
        if (p == 0 || vary)
            keep_pace(w, args, from, p);
        for (int c = 0; c < network->classes; c++) {
            int at = c * CHUNK + p;
            w->late[at] = fmin(w->late[at], w->wait[at]);
            w->think[at] = fmax(0, w->think[at] + w->wait[at] - w->late[at] - w->way[at]);
            w->think[at] += work_crowd(w, args, c, from, p);
        }
    }
}
