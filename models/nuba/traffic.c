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

int nuba_replica_hits(struct model_builder *b, int hit)
{
    const struct profile_record *record = model_profile_record(b);
    struct model_cache cache = {
        .scope = model_name(b, "llc.scope"), .side = "requester", .filter = "read-only-shared"};
    if (!profile_curve_find(record, cache.scope, cache.side, cache.filter))
        return hit;
    cache.capacity = model_cache_capacity(b, "llc", cache.scope);
    cache.ways = model_parameter(b, "llc.ways");
    int alone =
        term_difference(model_graph(b), "replicas alone", model_constant(b, NULL, 1, DIM_NONE),
                        model_cache_miss_ratio(b, &cache));
    return term_min(model_graph(b), "replicas that hit", hit, alone);
}
