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
 * of what it takes on the chain. Where each domain is near some of the lines they all go at one
 * pace, and a line that is far is under way since the near one asked, a way of W_r earlier than it
 * would have set out: that much less is W_r where others ask for all lines that it waits for. (In
 * the recursion above, with homes by chance, for 2 to 8 domains and 1 to 8 lines a wait, that is
 * saved within 4 %; where two domains take turns line by line nothing is.)
 *
 * A wait for several lines ends with the last, so that V_r has what is behind the LLC unless all of
 * them are met; and a wait for remote lines that are there is for local ones beside them that are
 * not. Where nothing is shared nothing changes. Lines of one domain alone, P, and such as all n
 * domains ask for, S, are what the profile's followers tell apart: by domain there are P + n S
 * requests that follow none, and at the homes P + S. So of reads R, of which F_own follow one of
 * their domain and F_home any one,
 *
 *     n S / (P + n S) = n / (n - 1) * (F_home - F_own) / (R - F_own)
 *
 * of those by domain that follow none are met, of local and of remote lines each. Of an LLC at the
 * requester each domain fetches its own copies. */
#include <math.h>

#include "network/demands.h"
#include "network/solution.h"

/* Of reads of which so many follow another one's miss at home, and so many by domain. */
static double met_of(const struct demands *d, double reads, double at_home, double own)
{
    double n = d->net->classes;
    return fmin(1, n / (n - 1) * fmax(0, demands_ratio(at_home - own, reads - own, 0)));
}

void demands_read_pace(struct demands *d)
{
    double reads = demands_field(d, FIELD_READS), far = demands_remote_reads(d);
    double at_home = demands_field(d, FIELD_FOLLOWERS_MEMORY_SIDE);
    double own = demands_field(d, FIELD_FOLLOWERS_SM_SIDE);
    double home_far = demands_field(d, FIELD_FOLLOWERS_HOME_REMOTE);
    double own_far = demands_field(d, FIELD_FOLLOWERS_REMOTE);
    if (!d->net->chained || d->net->classes < 2 || model_split(d->b, "llc") ||
        model_side(d->b, "llc") != SIDE_HOME)
        return;
    for (int path = PATH_LOCAL; path <= PATH_REMOTE; path++)
        d->net->met[path] = met_of(d, reads, at_home, own);
    if (isnan(home_far) || isnan(own_far))
        return;
    d->net->met[PATH_LOCAL] = met_of(d, reads - far, at_home - home_far, own - own_far);
    d->net->met[PATH_REMOTE] = met_of(d, far, home_far, own_far);
}

/* Of waits of which a share lasts until lines of memory are there, those for which others have not
 * asked for all of these: each of `lines` is late with that chance, and met. */
static double alone_of(double some, double late, double lines, double met)
{
    double late_lines = some > 0 ? fmax(1, late * lines / some) : 1;
    return some * (1 - pow(met, late_lines));
}

/* What a class's wait takes less where lines that others ask for too are on their way, and where
 * they are there. */
struct met {
    double under_way_s, there_s;
};

static struct met met_wait(const struct network *network, int class,
                           const struct term_operand *args, int point)
{
    struct work_path path[PATH_COUNT];
    work_paths(network, class, args, point, true, path);
    const struct work_path *near = &path[PATH_LOCAL], *far = &path[PATH_REMOTE];
    double all = near->share + far->share, reads = 1 - network->chain_writes;
    double lines = network->lines ? network_argument(args, network->lines, point) : 1;
    lines = fmax(lines, network->burst);
    double remote = far->waits > 0 ? fmax(1, lines * far->share / all / far->waits) : 0;
    double way = near->share > 0 ? fmax(0, far->hit_s - near->hit_s) : 0;
    double longer = fmax(0, near->behind_s - way);
    double some_near = 1 - pow(1 - near->late, network->burst);
    double some_far = 1 - pow(1 - far->late, network->burst);
    double own = alone_of(some_near, near->late, lines, network->met[PATH_LOCAL]);
    double alone = alone_of(some_far, far->late, remote, network->met[PATH_REMOTE]);
    /* Of its own lines beside remote ones that are there. */
    double left = 1 - pow(1 - near->late * (1 - network->met[PATH_LOCAL]), fmax(0, lines - remote));
    left = alone * far->behind_s + (1 - alone) * left * longer;
    struct met met;
    met.under_way_s = reads * far->waits * (some_far - alone) * fmin(far->behind_s, way / 2);
    met.there_s = reads * (near->waits * (some_near - own) * near->behind_s +
                           far->waits * fmax(0, some_far * far->behind_s - left));
    return met;
}

static void keep_pace(struct work *w, const struct term_operand *args, int from, int p)
{
    const struct network *network = w->network;
    const struct work_waits own = {.writes = network->chain_writes, .own = true};
    double pace = HUGE_VAL;
    if (!(network->met[PATH_LOCAL] + network->met[PATH_REMOTE] > 0))
        return;
    for (int c = 0; c < network->classes; c++)
        pace = fmin(pace, work_longer(network, c, args, from + p, &own) + w->way[c * CHUNK + p] -
                              met_wait(network, c, args, from + p).under_way_s);
    for (int c = 0; c < network->classes; c++) {
        int at = c * CHUNK + p;
        double takes = work_longer(network, c, args, from + p, &own) + w->way[at];
        double least = takes - met_wait(network, c, args, from + p).there_s;
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
