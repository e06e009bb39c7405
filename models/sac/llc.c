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

/* What of a record's streams is counted: misses, or what becomes of them. */
struct streams {
    struct model_part remote;            /* at the requester */
    struct model_part local, all, apart; /* at home; apart: the remote ones of all */
};

struct kinds {
    struct streams misses, reads, writes, left;
    double ends;
    bool told_apart;
};

/* Of remote requests at the requester; of local and of remote ones at home. */
struct shares {
    double part, local, remote;
};

/* Curves are kept to a part in 400, each on its own; what they say together stays that of the whole
 * stream. `missed`: remote requests that miss the requester's part. */
static struct shares shares_of(const struct streams *streams, double sets, double remote_ways,
                               double local_ways, double r_local, double missed)
{
    double r_remote = 1 - r_local, all = model_part_ratio(&streams->all, sets, local_ways);
    struct shares s = {0};
    if (r_remote > 0) {
        double apart = model_part_ratio(&streams->apart, sets, local_ways);
        apart = fmin(fmax(apart, (all - r_local) / r_remote), all / r_remote);
        s.part = model_part_ratio(&streams->remote, sets, remote_ways);
        s.remote = fmin(s.part, apart);
        all -= r_remote * apart;
    }
    if (r_local > 0) {
        double among = all / r_local;
        double alone = fmin(among, model_part_ratio(&streams->local, sets, local_ways));
        s.local = alone + missed * (among - alone);
    }
    return s;
}

static double missed_part(const struct streams *misses, double sets, double ways)
{
    return model_part_ratio(&misses->remote, sets, ways);
}

static struct shares misses_of(const struct streams *misses, double sets, double remote_ways,
                               double local_ways, double r_local)
{
    return shares_of(misses, sets, remote_ways, local_ways, r_local,
                     missed_part(misses, sets, remote_ways));
}

/* Of which kind a term is. */
struct asked {
    const struct streams *misses, *kind;
};

/* args: capacity, line, ways, R_local, phi */
static struct shares shares_at(const void *context, const double *args)
{
    const struct asked *asked = context;
    double ways = args[2], remote = args[4] * ways, sets = args[0] / args[1] / ways;
    return shares_of(asked->kind, sets, remote, ways - remote, args[3],
                     missed_part(asked->misses, sets, remote));
}

static double share_part(const void *context, const double *args)
{
    return shares_at(context, args).part;
}

static double share_local(const void *context, const double *args)
{
    return shares_at(context, args).local;
}

static double share_remote(const void *context, const double *args)
{
    return shares_at(context, args).remote;
}

/* Dirty data that leave the home's ways, or that stay until the end; of all requests. What all of
 * the home writes, and what remote and local lines do without each other: of the remote part, and
 * of the home's. Where more room makes it less (misses), the least counts, else the most. */
static double written_at(const void *context, const double *args)
{
    const struct asked *asked = context;
    const struct streams *kind = asked->kind;
    double ways = args[2], remote = args[4] * ways, sets = args[0] / args[1] / ways;
    double r_local = args[3], (*bound)(double, double) = kind->all.hits ? fmax : fmin;
    double apart = (1 - r_local) * model_part_ratio(&kind->remote, sets, remote);
    double most = r_local * model_part_ratio(&kind->local, sets, 0) + apart;
    double among = bound(model_part_ratio(&kind->all, sets, ways - remote), most);
    double alone = r_local * model_part_ratio(&kind->local, sets, ways - remote) + apart;
    double missed = missed_part(asked->misses, sets, remote);
    alone = bound(alone, among);
    return alone + missed * (among - alone);
}

/* Use of the links less that of memory, where so many ways are for remote lines.
 * args: capacity, line, ways, R_local, B_inter, B_memory */
static double surplus(const struct streams *streams, const double *args, double ways)
{
    double sets = args[0] / args[1] / args[2], local = args[3];
    struct shares m = misses_of(streams, sets, ways, args[2] - ways, local);
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

static const struct kinds *read_kinds(struct model_builder *b)
{
    static const char *const places[][2] = {
        {"home", "local"}, {"home", "all"}, {"home", "remote-of-all"}, {"requester", "remote"}};
    enum { LOCAL, ALL, APART, REMOTE, PLACES };
    struct kinds *kinds = arena_alloc(model_arena(b), sizeof *kinds);
    struct model_parts parts[PLACES];
    for (int i = 0; i < PLACES; i++) {
        const struct profile_curve *curve = model_curve(b, "chip", places[i][0], places[i][1]);
        if (!curve)
            return NULL;
        parts[i] = model_curve_parts(b, curve, "llc");
    }
#define STREAMS(kind)                                                                              \
    (struct streams){parts[REMOTE].kind, parts[LOCAL].kind, parts[ALL].kind, parts[APART].kind}
    *kinds = (struct kinds){STREAMS(misses), STREAMS(reads),  STREAMS(writes),
                            STREAMS(left),   parts[ALL].ends, parts[ALL].told_apart};
#undef STREAMS
    return kinds;
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

/* Terms of a kind. */
struct reader {
    struct model_builder *builder;
    const struct kinds *kinds;
    int args[5];
};

static int kind_term(const struct reader *r, const char *name, const struct streams *kind,
                     term_function *share)
{
    struct asked *asked = arena_alloc(model_arena(r->builder), sizeof *asked);
    *asked = (struct asked){&r->kinds->misses, kind};
    return term_call(model_graph(r->builder), name, DIM_NONE, share, asked, 5, r->args);
}

static struct model_memory memory_of(const struct reader *r, term_function *share)
{
    const struct kinds *k = r->kinds;
    struct model_memory m = {.ends = k->ends, .told_apart = k->told_apart};
    m.reads = kind_term(r, "memory reads", &k->reads, share);
    if (!k->told_apart) {
        m.writes = m.left = model_constant(r->builder, NULL, 0, DIM_NONE);
        m.moved = m.reads;
        return m;
    }
    m.writes = kind_term(r, "memory writes", &k->writes, written_at);
    m.left = kind_term(r, "written at the end", &k->left, written_at);
    m.moved = term_sum(model_graph(r->builder), "memory traffic", m.reads, m.writes, m.left);
    return m;
}

struct llc_split llc_split_read(struct model_builder *b, int local, int links)
{
    struct term_graph *g = model_graph(b);
    const struct kinds *kinds = read_kinds(b);
    int none = model_constant(b, NULL, 0, DIM_NONE);
    struct model_memory nothing = {.reads = none, .writes = none, .left = none, .moved = none};
    struct llc_split split = {none, none, none, none, none, nothing, nothing};
    if (!kinds) /* the builder knows why */
        return split;
    split.share = model_level(b, "llc")->moves_share
                      ? dynamic_share(b, &kinds->misses, local, links)
                      : model_parameter(b, "llc.remote_share");
    split.asks = term_operation(g, EXPRESSION_GREATER, "looked up", 2, (int[]){split.share, none});
    struct reader r = {b,
                       kinds,
                       {model_parameter(b, "llc.capacity"), model_parameter(b, "line"),
                        model_parameter(b, "llc.ways"), local, split.share}};
    split.miss_part = kind_term(&r, "m_part", &kinds->misses, share_part);
    split.miss_local = kind_term(&r, "m_local", &kinds->misses, share_local);
    split.miss_remote = kind_term(&r, "m_remote", &kinds->misses, share_remote);
    split.memory_local = memory_of(&r, share_local);
    split.memory_remote = memory_of(&r, share_remote);
    return split;
}

static int over_both(struct model_builder *b, const char *name, int r_local, int local, int remote)
{
    struct term_graph *g = model_graph(b);
    int r_remote = term_difference(g, "r_remote", model_constant(b, NULL, 1, DIM_NONE), r_local);
    return term_sum(g, name, term_product(g, NULL, local, r_local),
                    term_product(g, NULL, remote, r_remote));
}

int llc_split_misses(struct model_builder *b, const struct llc_split *split, int local)
{
    return over_both(b, "m", local, split->miss_local, split->miss_remote);
}

struct model_memory llc_split_memory(struct model_builder *b, const struct llc_split *split,
                                     int local)
{
    const struct model_memory *l = &split->memory_local, *r = &split->memory_remote;
    return (struct model_memory){
        .reads = over_both(b, "memory reads", local, l->reads, r->reads),
        .writes = over_both(b, "memory writes", local, l->writes, r->writes),
        .left = over_both(b, "written at the end", local, l->left, r->left),
        .moved = over_both(b, "memory traffic", local, l->moved, r->moved),
        .ends = l->ends,
        .told_apart = l->told_apart};
}

bool llc_invalidates(struct model_builder *b)
{
    if (model_system(b, 0)->flush_at_kernels)
        return false;
    return model_split(b, "llc") || model_side(b, "llc") != SIDE_HOME;
}
