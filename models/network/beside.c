/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches beside L1: of scalars, constants, textures.
 *
 * What a wait takes before what is behind L1, and what a wait for a hit takes, is L1's latency, or
 * that of the cache beside it which serves the read. A share s_i of the waits is through cache i
 * alone, and b_i for reads through it and through L1, the longer of which counts:
 *
 *     L = (1 - sum (s_i + b_i)) L_1 + sum ( s_i L_i + b_i max(L_1, L_i) )
 *
 * Of the chain of waits s_i = LEVEL.chain / chain.waits, and LEVEL.chain_hits / chain.hits of those
 * for hits alone, b_i likewise of LEVEL.chain_both and LEVEL.chain_hits_both; where nobody says the
 * chain, misses over requests, and hits over all hits.
 *
 * Their misses take no MSHR of L1, but one of the cache if it states how many it has. Where one
 * states a bandwidth it is a station, which serves a line for each lookup. */
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
    if (what >= LEVEL_CHAIN)
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

/* s_i, b_i: of waits for what is behind, or for hits alone. */
static double share(struct demands *d, uint32_t level, bool hits, bool both)
{
    enum profile_level_count waits = both ? LEVEL_CHAIN_BOTH : LEVEL_CHAIN;
    if (demands_waits_behind(d) > 0 && hits)
        return demands_ratio(count(d, level, both ? LEVEL_CHAIN_HITS_BOTH : LEVEL_CHAIN_HITS),
                             demands_field(d, FIELD_CHAIN_HITS), 0);
    if (demands_waits_behind(d) > 0)
        return demands_ratio(count(d, level, waits), demands_field(d, FIELD_CHAIN_WAITS), 0);
    if (both)
        return 0;
    if (!hits)
        return demands_ratio(misses(d, level), demands_field(d, FIELD_REQUESTS), 0);
    double all = demands_field(d, FIELD_L1_READ_HITS);
    for (uint32_t i = 0; i < d->system->beside.n; i++)
        all += count(d, i, LEVEL_HITS);
    return demands_ratio(count(d, level, LEVEL_HITS), all, 0);
}

/* sum + part * latency; sum -1: nothing. `left` goes down by what is part of it. */
static int add_part(struct demands *d, int sum, double part, int latency, double *left)
{
    part = fmin(*left, part);
    *left -= part;
    if (part == 0)
        return sum;
    latency = term_product(d->g, NULL, model_constant(d->b, NULL, part, DIM_NONE), latency);
    return sum < 0 ? latency : term_sum(d->g, "latency of L1 and caches beside it", sum, latency);
}

int demands_mean_latency(struct demands *d, int l1, bool hits)
{
    double left = 1;
    int sum = -1;
    for (uint32_t i = 0; i < d->system->beside.n; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s.latency", d->system->beside.levels[i].name);
        int own = model_parameter(d->b, path);
        sum = add_part(d, sum, share(d, i, hits, false), own, &left);
        sum = add_part(d, sum, share(d, i, hits, true), term_max(d->g, NULL, l1, own), &left);
    }
    return sum < 0 ? l1 : add_part(d, sum, left, l1, &left);
}

void demands_wait_near(struct demands *d, const struct way *way)
{
    if (d->first.before == 0)
        d->first.before =
            demands_argument(d, demands_mean_latency(d, demands_hit_latency(d), false));
    demands_delay(d, way, d->first.before, 1);
}

void demands_wait_hits(struct demands *d, const struct way *way, double times)
{
    if (times > 0 && d->first.hits == 0)
        d->first.hits = demands_argument(
            d, demands_mean_latency(d, demands_behind_lookup(d, model_latency(d->b, "l1.latency")),
                                    true));
    if (times > 0)
        demands_delay(d, way, d->first.hits, times);
}

/* Of the requests that read a share is what the cache misses. */
void demands_stop_beside(struct demands *d)
{
    for (uint32_t i = 0; i < d->system->beside.n; i++) {
        const struct system_beside_level *level = &d->system->beside.levels[i];
        double reads = demands_field(d, FIELD_READS);
        d->stops.beside[i] = demands_stop(
            d, level->name, (double)level->caches / d->system->domains, level->scope == PER_SM);
        if (d->stops.beside[i] >= 0)
            d->held_share[d->stops.beside[i]] = fmin(1, demands_ratio(misses(d, i), reads, 0));
    }
}

void demands_hold_beside(struct demands *d, struct way *way)
{
    for (uint32_t i = 0; i < d->system->beside.n; i++)
        if (d->stops.beside[i] >= 0)
            way->held |= 1u << d->stops.beside[i];
}

void demands_add_beside(struct demands *d, uint32_t domain)
{
    struct way way = {.class = d->class[domain], .path = PATH_NONE, .share = 1};
    double requests = demands_field(d, FIELD_REQUESTS);
    for (uint32_t i = 0; i < d->system->beside.n; i++) {
        struct way held = {.class = way.class, .path = PATH_NONE, .share = 1, .holding = 1};
        char path[128];
        demands_pass(d, &way, station_of_beside((int)i), domain, d->line,
                     count(d, i, LEVEL_LOOKUPS) / requests);
        if (d->stops.beside[i] < 0)
            continue;
        /* Its own latency; what is behind it holds with the way of the request. */
        snprintf(path, sizeof path, "%s.latency", d->system->beside.levels[i].name);
        held.held = 1u << d->stops.beside[i];
        demands_hold(d, &held, NULL, demands_argument(d, model_parameter(d->b, path)), 0,
                     demands_field(d, FIELD_READS) / requests);
    }
}
