/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches beside L1: of scalars, constants, textures.
 *
 * What a wait takes before what is behind L1, and what a wait for a hit takes, is L1's latency, or
 * that of the cache beside it which serves the read. A share s_i of the waits is through cache i
 * alone (the others ask L1 too and take its latency):
 *
 *     L = (1 - sum s_i) L_1 + sum s_i L_i
 *
 * Of the chain of waits s_i = LEVEL.chain / chain.waits, and LEVEL.chain_hits / chain.hits of those
 * for hits alone; where nobody says the chain, misses over requests, and hits over all hits.
 *
 * Their misses take no MSHR of L1. Where one states a bandwidth it is a station, which serves a
 * line for each lookup. */
#include <math.h>
#include <stdio.h>

#include "network/demands.h"

/* Profiles by hand need not know the cache. */
static double count(struct demands *d, uint32_t level, enum profile_level_count what)
{
    const char *name = d->system->beside.levels[level].name;
    int number = profile_record_level(d->record, name);
    if (number < 0)
        return 0;
    if (what == LEVEL_CHAIN || what == LEVEL_CHAIN_HITS)
        return demands_ratio(d->record->fields[profile_level_field(number, what)], 1, 0);
    return term_get(d->g, model_level_field(d->b, name, what))->constant;
}

static double misses(struct demands *d, uint32_t level)
{
    return count(d, level, LEVEL_LOOKUPS) - count(d, level, LEVEL_HITS);
}

double demands_share_beside(struct demands *d)
{
    double all = 0;
    for (uint32_t i = 0; i < d->system->beside.n; i++)
        all += misses(d, i);
    return fmin(1, demands_ratio(all, demands_field(d, FIELD_REQUESTS), 0));
}

double demands_hits_between(struct demands *d)
{
    double hits = demands_field(d, FIELD_L1_READ_HITS);
    double lines = demands_field(d, FIELD_LINE_ACCESSES);
    for (uint32_t i = 0; i < d->system->beside.n; i++) {
        hits += count(d, i, LEVEL_HITS);
        lines += count(d, i, LEVEL_LOOKUPS);
    }
    return demands_ratio(hits, lines, 0) * demands_ratio(demands_field(d, FIELD_WARP_ACCESSES),
                                                         demands_field(d, FIELD_REQUESTS), 0);
}

/* s_i: of waits for what is behind, or for hits alone. */
static double share(struct demands *d, uint32_t level, bool hits)
{
    bool chain = demands_waits_behind(d) > 0;
    if (chain && hits)
        return demands_ratio(count(d, level, LEVEL_CHAIN_HITS), demands_field(d, FIELD_CHAIN_HITS),
                             0);
    if (chain)
        return demands_ratio(count(d, level, LEVEL_CHAIN), demands_field(d, FIELD_CHAIN_WAITS), 0);
    if (!hits)
        return demands_ratio(misses(d, level), demands_field(d, FIELD_REQUESTS), 0);
    double all = demands_field(d, FIELD_L1_READ_HITS);
    for (uint32_t i = 0; i < d->system->beside.n; i++)
        all += count(d, i, LEVEL_HITS);
    return demands_ratio(count(d, level, LEVEL_HITS), all, 0);
}

int demands_mean_latency(struct demands *d, int l1, bool hits)
{
    double left = 1;
    int sum = -1;
    for (uint32_t i = 0; i < d->system->beside.n; i++) {
        double part = fmin(left, share(d, i, hits));
        char path[128];
        snprintf(path, sizeof path, "%s.latency", d->system->beside.levels[i].name);
        int latency = model_parameter(d->b, path);
        latency = term_product(d->g, NULL, model_constant(d->b, NULL, part, DIM_NONE), latency);
        sum = sum < 0 ? latency : term_sum(d->g, NULL, sum, latency);
        left -= part;
    }
    if (sum < 0)
        return l1;
    return term_sum(d->g, "latency of L1 and caches beside it", sum,
                    term_product(d->g, NULL, model_constant(d->b, NULL, left, DIM_NONE), l1));
}

void demands_add_beside(struct demands *d, uint32_t domain)
{
    struct way way = {.class = d->class[domain], .path = PATH_NONE, .share = 1};
    for (uint32_t i = 0; i < d->system->beside.n; i++)
        demands_pass(d, &way, station_of_beside((int)i), domain, d->line,
                     count(d, i, LEVEL_LOOKUPS) / demands_field(d, FIELD_REQUESTS));
}
