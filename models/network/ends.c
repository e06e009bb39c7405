/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the longest chain of a launch has that a mean request has not, in latencies alone: waits for
 * remote lines and for what misses, and the write behind them.
 *
 * What a wait takes more than a mean request: of the chain's waits a share r is for remote lines,
 * the farthest of those that it is for,
 * and those for n lines at a time wait for a miss unless none is:
 *
 *     sum over local, remote of  share * (hit + sum over what is behind a miss of
 *                                         (1 - (1 - late)^n) * behind)
 *
 * and of lines of memory for the last one (spread.c).
 * Those for writes end where they are answered: at the LLC, or before it.
 *
 * A launch is over when its last write is where it goes. Of writes for which nobody waits the
 * profile says whether one to a remote line stands behind the chain's last wait
 * (chain.ends_remote): of launches with a share e of such chains
 *
 *     (1 - e) * local hit + e * remote hit
 *
 * and the mean request's hit where it does not say so. */
#include <math.h>
#include <string.h>

#include "network/solution.h"

/* Requests of a class by path, of all that pass the levels before the LLC. */
static void path_shares(const struct network *network, int class, const struct term_operand *args,
                        int point, double share[PATH_COUNT])
{
    for (size_t f = 0; f < network->flows.count; f++) {
        const struct network_flow *flow = &network->flows.items[f];
        if (flow->class == class)
            share[flow->path] += flow->share * network_argument(args, flow->flow, point);
    }
}

/* Of a class's waits behind L1 those for remote lines, and the others. Where another domain has the
 * longest chain its own has as many fewer waits for remote lines as it has fewer of these among its
 * requests, none where all lines are its own; not more, since it is not as long. `own`: of all the
 * class's warps, by its requests; as where the longest chain has no remote line, and says nothing
 * of others. */
static void path_waits(const struct network *network, int class, const double share[PATH_COUNT],
                       bool own, double waits[PATH_COUNT])
{
    double all = share[PATH_LOCAL] + share[PATH_REMOTE];
    double chance = all - all * pow(1 - share[PATH_REMOTE] / all, network->burst);
    if (network->remote_groups > 0)
        chance = fmin(all, share[PATH_REMOTE] * network->remote_groups);
    double asks = network->class[class].asks;
    double far = own || isnan(asks) ? -1 : network->chain_remote * asks, near = 1 - far;
    double passes_far = network->passes[PATH_REMOTE] > 0 ? network->passes[PATH_REMOTE] : 1;
    double passes_near = network->passes[PATH_LOCAL] > 0 ? network->passes[PATH_LOCAL] : 1;
    waits[PATH_REMOTE] = far >= 0 ? far * passes_far : chance;
    waits[PATH_LOCAL] = far >= 0 ? near * passes_near : all - chance;
    if (!(share[PATH_REMOTE] > 0) || !(share[PATH_LOCAL] > 0)) {
        waits[PATH_REMOTE] = share[PATH_REMOTE] > 0 ? all : 0;
        waits[PATH_LOCAL] = all - waits[PATH_REMOTE];
    }
}

/* A wait ends with the line that comes from farthest: of n remote ones, each by itself at home
 * where requests' are, none is farther than h hops with the share of requests that are not, to the
 * n-th. Times the mean of these; 1 where a latency is no link's. */
static double farther(const struct network *network, const struct network_visit *visit,
                      const struct term_operand *args, int point)
{
    const struct network_class *class = &network->class[visit->class];
    double mean = 0, most = 0, nearer = 0, nearer_all = 0;
    if (network->hop == 0 || visit->amount != network->hop || visit->path != PATH_REMOTE)
        return 1;
    double lines = fmax(1, class->remote * network_argument(args, network->lines, point));
    for (int f = 0; f < class->fars; f++) {
        double all = pow(class->far[f].within, lines);
        mean += class->far[f].hops * (class->far[f].within - nearer);
        most += class->far[f].hops * (all - nearer_all);
        nearer = class->far[f].within;
        nearer_all = all;
    }
    return mean > 0 ? most / mean : 1;
}

void work_paths(const struct network *network, int class, const struct term_operand *args,
                int point, bool own, struct work_path path[PATH_COUNT])
{
    double share[PATH_COUNT] = {0}, waits[PATH_COUNT] = {0};
    path_shares(network, class, args, point, share);
    memset(path, 0, PATH_COUNT * sizeof *path);
    if (!(share[PATH_LOCAL] + share[PATH_REMOTE] > 0))
        return;
    path_waits(network, class, share, own, waits);
    for (int i = PATH_LOCAL; i <= PATH_REMOTE; i++) {
        path[i].share = share[i];
        path[i].waits = waits[i] * network_beside(network, (enum network_path)i);
    }
    for (size_t v = 0; v < network->visits.count; v++) {
        const struct network_visit *visit = &network->visits.items[v];
        struct work_path *of = &path[visit->path];
        if (visit->class != class || visit->station >= 0 || !(share[visit->path] > 0))
            continue;
        double takes = visit->weight / network_beside(network, visit->path) *
                       network_argument(args, visit->flow, point) *
                       network_argument(args, visit->amount, point) / share[visit->path] *
                       farther(network, visit, args, point);
        of->late += visit->miss ? takes * fmin(1, network_argument(args, visit->miss, point)) : 0;
        *(visit->miss ? &of->behind_s : &of->hit_s) += takes;
    }
    for (int i = PATH_LOCAL; i <= PATH_REMOTE; i++)
        path[i].late = path[i].behind_s > 0 ? path[i].late / path[i].behind_s : 0;
}

double work_few(const struct network *network, int class, const struct term_operand *args,
                int point)
{
    double share[PATH_COUNT] = {0}, chain[PATH_COUNT] = {0}, mean[PATH_COUNT] = {0};
    path_shares(network, class, args, point, share);
    if (!(share[PATH_LOCAL] + share[PATH_REMOTE] > 0))
        return 1;
    path_waits(network, class, share, false, chain);
    path_waits(network, class, share, true, mean);
    return chain[PATH_REMOTE] > mean[PATH_REMOTE] ? mean[PATH_REMOTE] / chain[PATH_REMOTE] : 1;
}

double work_longer(const struct network *network, int class, const struct term_operand *args,
                   int point, const struct work_waits *of)
{
    double share[PATH_COUNT] = {0}, waits[PATH_COUNT] = {0}, longer = 0;
    path_shares(network, class, args, point, share);
    double all = share[PATH_LOCAL] + share[PATH_REMOTE];
    if (!(all > 0))
        return 0;
    path_waits(network, class, share, of->own, waits);
    for (size_t v = 0; v < network->visits.count; v++) {
        const struct network_visit *visit = &network->visits.items[v];
        enum network_path path = visit->path;
        if (visit->class != class || visit->station >= 0 || !(share[path] > 0) ||
            (path != PATH_LOCAL && path != PATH_REMOTE))
            continue;
        double late = network_argument(args, visit->miss, point);
        double some = late < 1 ? 1 - pow(1 - late, network->burst) : 1;
        double ends = visit->miss || network->writes_stay ? 0 : 1;
        some = (1 - of->writes) * some + of->writes * ends;
        some *= farther(network, visit, args, point);
        double waited = waits[path] * some / share[path];
        double takes = (waited - late) * network_argument(args, visit->amount, point) +
                       waited * network_spread(network, visit, args, point);
        longer += takes * visit->weight * network_argument(args, visit->flow, point);
    }
    return longer;
}

double work_ending(const struct network *network, int class, const struct term_operand *args,
                   int point, double mean)
{
    double share[PATH_COUNT] = {0}, ends[PATH_COUNT] = {0}, ending = 0;
    if (network->ends_remote < 0 || network->writes_stay)
        return mean;
    path_shares(network, class, args, point, share);
    if (!(share[PATH_LOCAL] > 0) || !(share[PATH_REMOTE] > 0))
        return mean;
    ends[PATH_REMOTE] = network->ends_remote / share[PATH_REMOTE];
    ends[PATH_LOCAL] = (1 - network->ends_remote) / share[PATH_LOCAL];
    ends[PATH_ANY] = 1;
    for (size_t v = 0; v < network->visits.count; v++) {
        const struct network_visit *visit = &network->visits.items[v];
        if (visit->class == class && visit->station < 0 && !visit->miss)
            ending += ends[visit->path] * visit->weight / network_beside(network, visit->path) *
                      network_argument(args, visit->flow, point) *
                      network_argument(args, visit->amount, point) *
                      network_argument(args, visit->slowness, point);
    }
    return ending;
}

static bool varies(const struct term_operand *args, int i)
{
    return i > 0 && args[i].step != 0;
}

bool work_latencies_vary(const struct network *network, const struct term_operand *args)
{
    bool vary = varies(args, network->hop) || varies(args, network->lines) ||
                varies(args, network->memory) || varies(args, network->spread) ||
                varies(args, network->spread_lines);
    for (size_t f = 0; f < network->flows.count && !vary; f++)
        vary = varies(args, network->flows.items[f].flow);
    for (size_t v = 0; v < network->visits.count && !vary; v++) {
        const struct network_visit *visit = &network->visits.items[v];
        vary = visit->station < 0 && (varies(args, visit->flow) || varies(args, visit->miss) ||
                                      varies(args, visit->amount) || varies(args, visit->slowness));
    }
    return vary;
}

double work_differ(const struct network *network, int class, const struct term_operand *args,
                   int point, const struct schedule_warp *warp)
{
    static const enum network_path paths[] = {PATH_LOCAL, PATH_REMOTE};
    struct work_path path[PATH_COUNT];
    double differ = 0, mean = 0, all = 0;
    double near = warp->kinds[1].bursts, far = warp->kinds[2].bursts;
    struct outcome {
        double chance, takes;
    } outcomes[5] = {{near / (near + far), warp->kinds[1].wait_s}};
    work_paths(network, class, args, point, false, path);
    for (int i = PATH_LOCAL; i <= PATH_REMOTE; i++)
        all += path[i].waits;
    if (!(all > 0) || !(near + far > 0))
        return HUGE_VAL;
    for (int i = 0; i < 2; i++) {
        const struct work_path *own = &path[paths[i]];
        double of = own->waits / all * far / (near + far);
        double some = 1 - pow(1 - own->late, network->burst);
        outcomes[1 + 2 * i] = (struct outcome){of * (1 - some), own->hit_s};
        outcomes[2 + 2 * i] = (struct outcome){of * some, own->hit_s + own->behind_s};
        mean += of * (own->hit_s + some * own->behind_s) * (near + far) / far;
    }
    for (int i = 1; i < 5; i++)
        outcomes[i].takes += warp->kinds[2].wait_s - mean;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            differ += 2 * outcomes[i].chance * outcomes[j].chance *
                      fabs(outcomes[i].takes - outcomes[j].takes);
    return differ;
}
