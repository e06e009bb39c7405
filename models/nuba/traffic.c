/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of the traffic matrix. */
#include "nuba/traffic.h"

#include <math.h>

/* Share of requests whose home is in another module. */
static double far_share(struct model_builder *b)
{
    const struct profile_record *record = model_profile_record(b);
    size_t n = record->n_domains, chips = model_system(b, 0)->chips;
    double all = 0, far = 0;
    if (chips <= 1)
        return 0;
    if (!record->traffic || n % chips) {
        model_refuse(b,
                     "the machine has %zu modules, and the profile does not say the traffic "
                     "between them",
                     chips);
        return 0;
    }
    for (size_t i = 0; i < n * n; i++) {
        all += record->traffic[i];
        far += i / n / (n / chips) != i % n / (n / chips) ? record->traffic[i] : 0;
    }
    return all > 0 ? far / all : 0;
}

/* The busiest requester's requests, times the requesters, over all. */
static double busiest_requester(const struct profile_record *record)
{
    size_t n = record->traffic ? record->n_domains : 0;
    double most = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        double requests = 0;
        for (size_t home = 0; home < n; home++)
            requests += record->traffic[i * n + home];
        most = fmax(most, requests);
        all += requests;
    }
    return all > 0 ? most * (double)n / all : 1;
}

/* Lines whose first request of the launch misses, by home: what its memory has to fetch
 * whatever the caches hold. */
static void first_misses(struct model_builder *b, struct nuba_traffic *out)
{
    const struct profile_record *record = model_profile_record(b);
    const char *scope = level_scope_names[model_level(b, "llc")->scope];
    double most = 0, sum = 0, requests = 0;
    const struct profile_curve *curve = profile_curve_find(record, scope, "home", "all");
    for (size_t home = 0; curve && home < curve->n_domains; home++) {
        most = fmax(most, (double)curve->domain_cold[home]);
        sum += (double)curve->domain_cold[home];
        requests += (double)curve->domain_requests[home];
    }
    bool known = most > 0 && requests > 0;
    out->first_misses = known ? most * (double)curve->n_domains / requests : 0;
    out->memory_balance = known ? sum / (double)curve->n_domains / most : (double)NAN;
}

void nuba_traffic_read(struct model_builder *b, bool p2p, bool replication,
                       struct nuba_traffic *out)
{
    const struct term_graph *g = model_graph(b);
    *out = (struct nuba_traffic){.asked = busiest_requester(model_profile_record(b))};
    first_misses(b, out);
    out->far = far_share(b);
    /* The fields are terms as well, so that they count as read. */
    out->own = p2p ? term_get(g, model_field(b, FIELD_R_LOCAL))->constant : 0;
    out->near = fmax(0, 1 - out->own - out->far);
    double remote = out->near + out->far;
    if (!replication || remote <= 0)
        return;
    double replicable = term_get(g, model_field(b, FIELD_REPLICABLE))->constant;
    double requests = term_get(g, model_field(b, FIELD_REQUESTS))->constant;
    out->replicable = fmin(1, replicable / (requests * remote));
}

/* m': from the curve of the union stream, else as a hand-made profile says. */
int nuba_replicated_miss(struct model_builder *b)
{
    static const char sampled_hit[] = "mdr.hit_replicated";
    const struct profile_record *record = model_profile_record(b);
    struct model_cache cache = {
        .scope = model_name(b, "llc.scope"), .side = "home", .filter = "replicated"};
    if (record->n_curves > 0 &&
        (profile_curve_find(record, cache.scope, cache.side, cache.filter) ||
         !model_knows(b, model_field_number(b, sampled_hit)))) {
        cache.capacity = model_cache_capacity(b, "llc", cache.scope);
        cache.ways = model_parameter(b, "llc.ways");
        return model_cache_miss_ratio(b, &cache);
    }
    return term_difference(model_graph(b), "m'", model_constant(b, NULL, 1, DIM_NONE),
                           model_field_named(b, sampled_hit));
}

/* One of the curves at the LLC of a partition. */
static int miss_of(struct model_builder *b, const char *filter)
{
    struct model_cache cache = {
        .scope = model_name(b, "llc.scope"), .side = "home", .filter = filter};
    cache.capacity = model_cache_capacity(b, "llc", cache.scope);
    cache.ways = model_parameter(b, "llc.ways");
    return model_cache_miss_ratio(b, &cache);
}

/* Share of the requests that ask for a line first and are not for replicas. */
static int first_of_others(struct model_builder *b, const char *scope)
{
    const struct profile_curve *all = model_curve(b, scope, "home", "replicated");
    const struct profile_curve *replicas = model_curve(b, scope, "home", "replicas");
    if (!all || !replicas || all->curve.requests == 0)
        return model_constant(b, "k", 0, DIM_NONE);
    double cold = (double)all->curve.cold - (double)replicas->curve.cold;
    return model_constant(b, "k", fmax(0, cold) / (double)all->curve.requests, DIM_NONE);
}

void nuba_replicas_read(struct model_builder *b, const struct nuba_traffic *traffic,
                        struct nuba_replicas *out)
{
    struct term_graph *g = model_graph(b);
    const char *scope = model_name(b, "llc.scope");
    double share = traffic->replicable * (traffic->near + traffic->far);
    int all = nuba_replicated_miss(b), none = model_constant(b, NULL, 0, DIM_NONE);
    *out = (struct nuba_replicas){all, all, all, all};
    if (share <= 0 || !profile_curve_find(model_profile_record(b), scope, "home", "replicated"))
        return;
    int asked = model_constant(b, "s_r", share, DIM_NONE), first = first_of_others(b, scope);
    int replicable = miss_of(b, "replicable-of-all");
    out->miss = miss_of(b, "replicas");
    out->miss_home = term_min(g, "m_h", out->miss, replicable);
    /* Curves are kept to a part in 400, each on its own: no difference is below 0. */
    int beside = term_difference(g, "u", all, term_product(g, NULL, asked, out->miss));
    int alone = term_max(g, "b", none,
                         term_difference(g, NULL, model_miss_ratio(b, "llc"),
                                         term_product(g, NULL, asked, replicable)));
    int others =
        term_sum(g, "others", term_max(g, "u-k", none, term_difference(g, NULL, beside, first)),
                 term_min(g, NULL, first, alone));
    out->misses = term_sum(g, "misses", others, term_product(g, NULL, asked, out->miss_home));
    out->miss_others = none;
    if (share < 1)
        out->miss_others = term_min(
            g, "m_o", model_constant(b, NULL, 1, DIM_NONE),
            term_quotient(g, NULL, others, model_constant(b, "1-s_r", 1 - share, DIM_NONE)));
}
