/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Split caches, coherence, and machines that SAC's equations were not written for. */
#include "sac/llc.h"

#include <math.h>
#include <string.h>

void llc_check(struct model_builder *b)
{
    model_refuse_partitions(b);
    model_refuse_replication(b);
    model_refuse_fronts(b);
}

int llc_link_bandwidth(struct model_builder *b)
{
    int links = model_total(b, "total.link_bandwidth");
    if (model_switch(b, "eab.hop_aware") == 0)
        return links;
    double hops = model_mean_hops(b);
    return term_quotient(model_graph(b), "B_inter", links,
                         model_constant(b, "mean hops", hops > 0 ? hops : 1, DIM_NONE));
}

/* --- split ------------------------------------------------------------------------------ */

/* The curves of a record; one without requests is that of a stream that there is not. */
struct streams {
    const struct curve *remote;              /* at the requester */
    const struct curve *local, *all, *apart; /* at home; apart: the remote ones of all */
};

struct misses {
    double part, local, remote;
};

static double at(const struct curve *curve, double sets, double ways)
{
    if (curve->requests == 0)
        return 0;
    return ways <= 0 ? 1 : curve_miss_ratio(curve, sets, ways);
}

/* Curves are kept to a part in 400, each on its own; what they say together stays that of the whole
 * stream. */
static struct misses misses_of(const struct streams *streams, double sets, double remote_ways,
                               double local_ways, double r_local)
{
    double r_remote = 1 - r_local, all = at(streams->all, sets, local_ways);
    struct misses m = {0};
    if (r_remote > 0) {
        double apart = fmax(at(streams->apart, sets, local_ways), (all - r_local) / r_remote);
        apart = fmin(apart, all / r_remote);
        m.part = at(streams->remote, sets, remote_ways);
        m.remote = fmin(m.part, apart);
        all -= r_remote * apart;
    }
    if (r_local > 0) {
        double among = all / r_local, alone = fmin(among, at(streams->local, sets, local_ways));
        m.local = alone + m.part * (among - alone);
    }
    return m;
}

/* args: capacity, line, ways, R_local, phi */
static struct misses misses_at(const void *context, const double *args)
{
    double ways = args[2], remote = args[4] * ways;
    return misses_of(context, args[0] / args[1] / ways, remote, ways - remote, args[3]);
}

static double miss_part(const void *context, const double *args)
{
    return misses_at(context, args).part;
}

static double miss_local(const void *context, const double *args)
{
    return misses_at(context, args).local;
}

static double miss_remote(const void *context, const double *args)
{
    return misses_at(context, args).remote;
}

/* Use of the links less that of memory, where so many ways are for remote lines.
 * args: capacity, line, ways, R_local, B_inter, B_memory */
static double surplus(const struct streams *streams, const double *args, double ways)
{
    double sets = args[0] / args[1] / args[2], local = args[3];
    struct misses m = misses_of(streams, sets, ways, args[2] - ways, local);
    double links = (1 - local) * m.part, memory = local * m.local + (1 - local) * m.remote;
    return links / args[4] - memory / args[5];
}

static double balanced_share(const void *context, const double *args)
{
    double ways = args[2], low = fmin(1, ways / 2), high = ways - low;
    double above = surplus(context, args, low), below = surplus(context, args, high);
    if (above <= 0)
        return low / ways;
    if (below >= 0)
        return high / ways;
    while (high - low > 1) {
        double middle = floor((low + high) / 2), here = surplus(context, args, middle);
        if (here > 0) {
            low = middle;
            above = here;
        } else {
            high = middle;
            below = here;
        }
    }
    return (low + (high - low) * above / (above - below)) / ways;
}

static const struct streams *read_streams(struct model_builder *b)
{
    struct streams *streams = arena_alloc(model_arena(b), sizeof *streams);
    const struct profile_curve *local = model_curve(b, "chip", "home", "local");
    const struct profile_curve *all = model_curve(b, "chip", "home", "all");
    const struct profile_curve *apart = model_curve(b, "chip", "home", "remote-of-all");
    const struct profile_curve *remote = model_curve(b, "chip", "requester", "remote");
    if (!local || !all || !apart || !remote)
        return NULL;
    *streams = (struct streams){&remote->curve, &local->curve, &all->curve, &apart->curve};
    return streams;
}

static int dynamic_share(struct model_builder *b, const struct streams *streams, int local,
                         int links)
{
    int args[] = {model_parameter(b, "llc.capacity"),
                  model_parameter(b, "line"),
                  model_parameter(b, "llc.ways"),
                  local,
                  links,
                  model_total(b, "total.memory_bandwidth")};
    return term_call(model_graph(b), "remote_share", DIM_NONE, balanced_share, streams, 6, args);
}

struct llc_split llc_split_read(struct model_builder *b, int local, int links)
{
    struct term_graph *g = model_graph(b);
    const struct streams *streams = read_streams(b);
    int none = model_constant(b, NULL, 0, DIM_NONE);
    struct llc_split split = {none, none, none, none, none};
    if (!streams) /* the builder knows why */
        return split;
    split.share = model_level(b, "llc")->moves_share ? dynamic_share(b, streams, local, links)
                                                     : model_parameter(b, "llc.remote_share");
    split.asks = term_operation(g, EXPRESSION_GREATER, "looked up", 2, (int[]){split.share, none});
    int args[] = {model_parameter(b, "llc.capacity"), model_parameter(b, "line"),
                  model_parameter(b, "llc.ways"), local, split.share};
    split.miss_part = term_call(g, "m_part", DIM_NONE, miss_part, streams, 5, args);
    split.miss_local = term_call(g, "m_local", DIM_NONE, miss_local, streams, 5, args);
    split.miss_remote = term_call(g, "m_remote", DIM_NONE, miss_remote, streams, 5, args);
    return split;
}

static int over_misses(struct model_builder *b, int count, int misses)
{
    struct term_graph *g = model_graph(b);
    int none = model_constant(b, NULL, 0, DIM_NONE);
    int some = term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){misses, none});
    return term_operation(g, EXPRESSION_IF, "of a miss", 3,
                          (int[]){some, term_quotient(g, NULL, count, misses), none});
}

struct model_memory llc_split_memory(struct model_builder *b, const struct llc_split *split)
{
    struct term_graph *g = model_graph(b);
    int one = model_constant(b, NULL, 1, DIM_NONE), none = model_constant(b, NULL, 0, DIM_NONE);
    int rest = term_difference(g, "share of the home", one, split->share);
    struct model_cache home = {.scope = "chip", .side = "home", .filter = "all"};
    home.capacity = term_product(g, "capacity", model_parameter(b, "llc.capacity"), rest);
    home.ways = term_product(g, "ways", model_parameter(b, "llc.ways"), rest);
    struct model_memory m = model_cache_memory(b, &home, "llc");
    int misses = model_cache_miss_ratio(b, &home);
    if (!m.told_apart)
        return (struct model_memory){.reads = one, .writes = none, .left = none, .moved = one};
    m.reads = over_misses(b, m.reads, misses);
    m.writes = over_misses(b, m.writes, misses);
    m.left = over_misses(b, m.left, misses);
    m.moved = term_sum(g, "transfers of a miss", m.reads, m.writes, m.left);
    return m;
}

int llc_split_misses(struct model_builder *b, const struct llc_split *split, int local)
{
    struct term_graph *g = model_graph(b);
    int remote = term_difference(g, "r_remote", model_constant(b, NULL, 1, DIM_NONE), local);
    return term_sum(g, "m", term_product(g, "m*r_local", split->miss_local, local),
                    term_product(g, "m*r_remote", split->miss_remote, remote));
}

bool llc_invalidates(struct model_builder *b)
{
    if (model_system(b, 0)->flush_at_kernels)
        return false;
    return model_split(b, "llc") || model_side(b, "llc") != SIDE_HOME;
}
