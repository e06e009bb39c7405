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

struct balance {
    const struct curve *local, *remote;
};

/* Use of a resource by the misses of one stream; one without requests uses nothing. */
static double use(const struct curve *curve, double sets, double ways, double share,
                  double bandwidth)
{
    if (share == 0)
        return 0;
    return share * (ways <= 0 ? 1 : curve_miss_ratio(curve, sets, ways)) / bandwidth;
}

/* args: capacity, line, ways, B_inter, B_memory, R_local */
static double balanced_share(const void *context, const double *args)
{
    const struct balance *curves = context;
    double ways = args[2], sets = args[0] / args[1] / ways, low = 0, high = ways;
#define SURPLUS(w)                                                                                 \
    (use(curves->remote, sets, w, 1 - args[5], args[3]) -                                          \
     use(curves->local, sets, ways - (w), args[5], args[4]))
    double above = SURPLUS(low), below = SURPLUS(high);
    if (above <= 0)
        return 0;
    if (below >= 0)
        return 1;
    while (high - low > 1) {
        double middle = floor((low + high) / 2), at = SURPLUS(middle);
        if (at > 0) {
            low = middle;
            above = at;
        } else {
            high = middle;
            below = at;
        }
    }
#undef SURPLUS
    return (low + (high - low) * above / (above - below)) / ways;
}

/* The miss ratio of one part; a stream without requests has none. */
static int part_miss(struct model_builder *b, const char *side, const char *filter, int part,
                     double requests)
{
    struct term_graph *g = model_graph(b);
    struct model_cache cache = {.scope = "chip", .side = side, .filter = filter};
    if (requests == 0)
        return model_constant(b, "m (no requests)", 0, DIM_NONE);
    cache.capacity = term_product(g, "capacity", part, model_parameter(b, "llc.capacity"));
    cache.ways = term_product(g, "ways", part, model_parameter(b, "llc.ways"));
    return model_cache_miss_ratio(b, &cache);
}

static int dynamic_share(struct model_builder *b, int local, int links)
{
    struct term_graph *g = model_graph(b);
    double r_local = term_get(g, local)->constant;
    if (r_local == 0 || r_local == 1) /* one stream alone gets all */
        return model_constant(b, "remote_share", 1 - r_local, DIM_NONE);
    const struct profile_curve *at_home = model_curve(b, "chip", "home", "local");
    const struct profile_curve *at_requester = model_curve(b, "chip", "requester", "remote");
    struct balance *balance = arena_alloc(model_arena(b), sizeof *balance);
    if (!at_home || !at_requester)
        return model_constant(b, "unknown", (double)NAN, DIM_NONE);
    *balance = (struct balance){&at_home->curve, &at_requester->curve};
    int args[] = {model_parameter(b, "llc.capacity"),       model_parameter(b, "line"),
                  model_parameter(b, "llc.ways"),           links,
                  model_total(b, "total.memory_bandwidth"), local};
    return term_call(g, "remote_share", DIM_NONE, balanced_share, balance, 6, args);
}

struct llc_split llc_split_read(struct model_builder *b, int local, int links)
{
    struct term_graph *g = model_graph(b);
    double r_local = term_get(g, local)->constant; /* of the profile */
    struct llc_split split;
    split.share = model_level(b, "llc")->moves_share ? dynamic_share(b, local, links)
                                                     : model_parameter(b, "llc.remote_share");
    int rest = term_difference(g, "local_share", model_constant(b, NULL, 1, DIM_NONE), split.share);
    split.miss_local = part_miss(b, "home", "local", rest, r_local);
    split.miss_remote = part_miss(b, "requester", "remote", split.share, 1 - r_local);
    return split;
}

bool llc_invalidates(struct model_builder *b)
{
    if (model_system(b, 0)->flush_at_kernels)
        return false;
    return model_split(b, "llc") || model_side(b, "llc") != SIDE_HOME;
}
