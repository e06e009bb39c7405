/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation: what lookups of TLBs and page walks take of a request's time, and of stations.
 *
 * Of the l_i lookups of TLB i the profile counts h_i hits, and among these the merges g_i, which
 * find their page under way (by the clocks of warps: record/profile.h). What is late at a TLB waits
 * for the next one, and behind the last for a walk:
 *
 *     q_i = (l_i - h_i + g_i) / l_i        p_1 = 1, p_(i+1) = p_i q_i : a page's lookup gets there
 *     t_i = 1 - (1 - p_i)^n                an access of n pages waits for the slowest of them
 *
 * The chain of waits has its own (LEVEL.chain), for waits and hits in L1 alike: what a warp asks
 * for together waits for its pages together. A machine that makes it wait more often than that
 * (sm.outstanding) has as large a share of the waits late. Where nobody says the chain, an access
 * that misses a TLB is mostly one that misses L1 as well, since TLBs reach further than L1s. So of
 * A accesses, W of which wait for data, those that are late at a TLB are first the waiting ones:
 * min(1, t A / W) of them, and of hits in L1 what is left. What misses L1 looks up alone where
 * translation.of says so.
 *
 * A walk takes T = walk_latency + walk_reads (memory.latency + the way there), and all that time
 * one of k walkers: a queue of T / k, and T (k - 1) / k that nobody queues for. Its reads load
 * memories and links. */
#include <math.h>
#include <stdio.h>

#include "network/demands.h"

/* Shares of lookups, and counts a request of the SMs. */
struct translating {
    const struct system_translation *t;
    double lookups[MACHINE_TLBS_MAX], misses[MACHINE_TLBS_MAX], on[MACHINE_TLBS_MAX]; /* q_i */
    double late[MACHINE_TLBS_MAX + 1]; /* t_i; behind the last one: for a walk */
    double walks, remote;              /* the latter: share of walks whose tables are elsewhere */
    double own;                        /* of what waits for a walk, what walks itself */
    double hits, waits; /* L1 hits beside a request; share of accesses that wait for data */
    int hits_flow;      /* argument: times as many hits */
    double chain[MACHINE_TLBS_MAX + 1];    /* as late, for a wait of the chain; -1 */
    int stop[MACHINE_TLBS_MAX];            /* numbers among levels that stop; -1 */
    int reads, entries, request, response; /* terms, the last three arguments: of a walk */
};

static double count(struct demands *d, const char *tlb, enum profile_level_count what)
{
    int level = profile_record_level(d->record, tlb);
    if ((what != LEVEL_MERGES && what != LEVEL_CHAIN) || level < 0)
        return term_get(d->g, model_level_field(d->b, tlb, what))->constant;
    /* Unknown where nobody waits by a clock. */
    return demands_ratio(d->record->fields[profile_level_field(level, what)], 1, 0);
}

static void read_counts(struct demands *d, struct translating *out)
{
    const struct system_translation *t = out->t;
    double requests = demands_field(d, FIELD_REQUESTS), reach = 1, pages = 1;
    double accesses = t->behind_l1 ? requests : demands_field(d, FIELD_WARP_ACCESSES);
    for (uint32_t i = 0; i < t->n; i++) {
        const char *tlb = t->tlbs[i].name;
        double lookups = count(d, tlb, LEVEL_LOOKUPS), merges = count(d, tlb, LEVEL_MERGES);
        double misses = lookups - count(d, tlb, LEVEL_HITS);
        if (i == 0)
            pages = fmax(1, demands_ratio(lookups, accesses, 1));
        out->lookups[i] = demands_ratio(lookups, requests, 0);
        out->walks = out->misses[i] = demands_ratio(misses, requests, 0);
        out->on[i] = demands_ratio(misses + merges, lookups, 0);
        out->late[i] = 1 - pow(1 - reach, pages);
        reach *= out->on[i];
        out->stop[i] = demands_stop(d, tlb, (double)t->tlbs[i].caches / d->system->domains,
                                    t->tlbs[i].scope == PER_SM);
    }
    out->late[t->n] = 1 - pow(1 - reach, pages);
    out->own = fmin(1, demands_ratio(out->walks, out->lookups[0] * reach, 1));
    if (d->system->domains > 1)
        out->remote =
            fmin(1, demands_ratio(term_get(d->g, model_field(d->b, FIELD_WALKS_REMOTE))->constant,
                                  out->walks * requests, 0));
}

/* Waits of the chain that are late, those for L1 alone too, for each of its waits for data. */
static void read_chain(struct demands *d, struct translating *out)
{
    double waits = demands_field(d, FIELD_CHAIN_WAITS);
    bool known = demands_waits_behind(d) > 0 && waits > 0;
    for (uint32_t i = 0; i < out->t->n; i++)
        out->chain[i + 1] = known ? count(d, out->t->tlbs[i].name, LEVEL_CHAIN) / waits : -1;
    out->chain[0] = known ? 1 : -1; /* and all for L1 alone */
}

/* As many hits in L1 for one request as the model has them between requests. */
static void read_hits(struct demands *d, struct translating *out)
{
    double accesses = demands_field(d, FIELD_WARP_ACCESSES);
    double requests = demands_field(d, FIELD_REQUESTS), own = demands_field(d, FIELD_AWAITED);
    double waits = demands_waits_behind(d);
    if (waits > 0) {
        out->hits = (1 - demands_last_share(d)) / waits;
        out->hits_flow = demands_argument(d, demands_chain_hits(d));
    } else {
        out->hits = demands_hits_between(d);
    }
    own = isnan(own) ? demands_field(d, FIELD_WAITS) : own;
    out->waits = fmin(1, demands_ratio(isnan(own) ? requests : own, accesses, 1));
}

static void read_terms(struct demands *d, struct translating *out)
{
    struct term_graph *g = d->g;
    int entry = model_parameter(d->b, "translation.entry");
    out->reads = model_parameter(d->b, "translation.walk_reads");
    out->entries = demands_argument(d, term_product(g, "entries of a walk", out->reads, entry));
    if (d->system->chips == 1)
        return;
    int request = model_message(d->b, "inter", "read_request", -1);
    int response = model_message(d->b, "inter", "read_response", entry);
    out->request = demands_argument(d, term_product(g, "requests of a walk", out->reads, request));
    out->response = demands_argument(d, term_product(g, "replies of a walk", out->reads, response));
}

/* A latency of `part` of those that are late behind so many TLBs, on the way of a request and
 * between requests. */
static void delay(struct demands *d, const struct translating *t, int class, int latency,
                  uint32_t behind, double part)
{
    struct way way = {.class = class, .path = PATH_ANY, .share = 1};
    struct way between = {.class = class, .path = PATH_NONE, .share = 1};
    struct way hits = {.class = class, .path = PATH_NONE, .flow = t->hits_flow, .share = 1};
    double late = part * t->late[behind], chain = t->chain[behind];
    if (chain >= 0 && !t->t->behind_l1) {
        demands_delay(d, &way, latency, part * fmin(1, chain));
        demands_delay(d, &between, latency, part * fmax(0, chain - 1));
        if (behind == 0)
            demands_delay(d, &hits, latency, part * t->hits);
        return;
    }
    if (t->t->behind_l1) {
        late = chain >= 0 && behind > 0 ? part * chain : late;
        demands_delay(d, &way, latency, late);
        return;
    }
    double waiting = t->waits > 0 ? fmin(1, late / t->waits) : 0;
    double rest = t->waits < 1 ? fmax(0, late - waiting * t->waits) / (1 - t->waits) : 0;
    demands_delay(d, &way, latency, waiting);
    demands_delay(d, &hits, latency, t->hits * rest);
}

/* --- walks ------------------------------------------------------------------------------- */

/* Which part of the walks of domain i reads the memory of domain j. */
static double table_share(const struct demands *d, const struct translating *t, uint32_t i,
                          uint32_t j)
{
    uint32_t n = d->system->domains, partitions = d->system->partitions;
    if (t->t->tables != TABLES_PAGE)
        return j == translation_table(t->t, partitions, i, i);
    if (i == j)
        return 1 - t->remote;
    double elsewhere = 1 - d->share[i * n + i];
    return elsewhere > 0 ? t->remote * d->share[i * n + j] / elsewhere : t->remote / (n - 1);
}

/* The way between two domains, there and back. */
static void add_way(const struct demands *d, uint32_t from, uint32_t to, double share,
                    struct link_way *way)
{
    const struct system *s = d->system;
    uint32_t a = system_chip(s, from), b = system_chip(s, to);
    for (uint32_t e = 0; a != b && e < s->links.edges.count; e++) {
        const struct machine_edge *edge = &s->links.edges.items[e];
        double times = share * (system_route(s, a, b)[e] + system_route(s, b, a)[e]);
        if (edge->own_latency)
            way->own_s += times * edge->latency;
        else
            *(edge->from < s->chips ? &way->hops : &way->switches) += times;
    }
}

/* Messages of `times` walks between two domains. */
static void carry(struct demands *d, const struct translating *t, int class, uint32_t from,
                  uint32_t to, double times)
{
    const struct system *s = d->system;
    uint32_t a = system_chip(s, from), b = system_chip(s, to);
    struct way way = {.class = class, .path = PATH_NONE, .share = times};
    for (uint32_t e = 0; a != b && e < s->links.edges.count; e++) {
        demands_pass(d, &way, STATION_EDGE, e, t->request, system_route(s, a, b)[e]);
        demands_pass(d, &way, STATION_EDGE, e, t->response, system_route(s, b, a)[e]);
    }
}

/* Terms of the time of a walk: in the walker, before and behind it. */
struct walk {
    struct link_way tables, walker; /* to the tables, mean over them; to the walker */
    int time, rest, far;            /* arguments; rest: of T what nobody queues for */
};

static bool is_way(const struct link_way *way)
{
    return way->hops > 0 || way->own_s > 0;
}

static bool same_way(const struct link_way *a, const struct link_way *b)
{
    return fabs(a->hops - b->hops) < 1e-9 && fabs(a->switches - b->switches) < 1e-9 &&
           a->own_s == b->own_s;
}

static int links(struct demands *d, const struct link_way *way)
{
    return is_way(way) ? model_way_latency(d->b, way, 1)
                       : model_constant(d->b, NULL, 0, DIM_SECONDS);
}

static void walk_terms(struct demands *d, const struct translating *t, struct walk *w)
{
    struct term_graph *g = d->g;
    int one = model_constant(d->b, NULL, 1, DIM_NONE);
    int read = term_sum(g, NULL, model_latency(d->b, "memory.latency"), links(d, &w->tables));
    int time = term_sum(g, "walk", model_parameter(d->b, "translation.walk_latency"),
                        term_product(g, NULL, t->reads, read));
    int share = term_quotient(g, "1/translation.walkers", one,
                              model_parameter(d->b, "translation.walkers"));
    int *slow = &d->terms->slow_arg[STATION_WALKERS];
    if (*slow < 0)
        *slow = demands_argument(d, share);
    w->time = demands_argument(d, time);
    w->rest = demands_argument(
        d, term_product(g, "walk beside its queue", time, term_difference(g, NULL, one, share)));
    w->far = demands_argument(d, links(d, &w->walker));
}

/* Chips whose tables are as far have the terms of the one before. */
static void find_walk(struct demands *d, const struct translating *t, uint32_t i, struct walk *w)
{
    struct walk own = {0};
    uint32_t walker = translation_walker(t->t, d->system->partitions, i);
    for (uint32_t j = 0; j < d->system->domains; j++)
        add_way(d, walker, j, table_share(d, t, i, j), &own.tables);
    add_way(d, i, walker, 1, &own.walker);
    if (same_way(&own.tables, &w->tables) && same_way(&own.walker, &w->walker))
        return;
    *w = own;
    walk_terms(d, t, w);
}

static void add_walks(struct demands *d, const struct translating *t, uint32_t i,
                      const struct walk *w)
{
    int class = d->class[i];
    uint32_t walker = translation_walker(t->t, d->system->partitions, i);
    struct way way = {.class = class, .path = PATH_NONE, .share = 1};
    const struct station *station =
        system_station(d->system, STATION_WALKERS, system_place(d->system, STATION_WALKERS, i));
    uint32_t all = t->t->n;
    demands_serve(d, &way, station, w->time, d->terms->slow_arg[STATION_WALKERS], t->walks);
    /* Who walks waits beside the queue; who follows, for all of it. */
    delay(d, t, class, w->rest, all, t->own);
    delay(d, t, class, w->time, all, 1 - t->own);
    if (is_way(&w->walker))
        delay(d, t, class, w->far, all, 1);
    carry(d, t, class, i, walker, t->walks);
    for (uint32_t j = 0; j < d->system->domains; j++) {
        double share = table_share(d, t, i, j);
        way.share = t->walks * share;
        if (share > 0)
            demands_pass(d, &way, STATION_MEMORY, j, t->entries, 1);
        carry(d, t, class, walker, j, t->walks * share);
    }
}

/* A TLB that stops holds an MSHR for a page while those behind it are asked and walk. */
static void hold_places(struct demands *d, const struct translating *t, uint32_t i, uint32_t level,
                        const int *latencies, const struct walk *w)
{
    struct way way = {.class = d->class[i],
                      .path = PATH_NONE,
                      .share = 1,
                      .holding = 1,
                      .held = 1u << t->stop[level]};
    double misses = t->misses[level];
    const struct station *station =
        system_station(d->system, STATION_WALKERS, system_place(d->system, STATION_WALKERS, i));
    demands_hold(d, &way, NULL, latencies[level], 0, misses);
    for (uint32_t behind = level + 1; behind < t->t->n; behind++) {
        demands_hold(d, &way, NULL, latencies[behind], 0, misses);
        misses *= t->on[behind];
    }
    demands_hold(d, &way, NULL, w->rest, 0, misses);
    demands_hold(d, &way, station, w->time, d->terms->slow_arg[STATION_WALKERS], misses);
    if (is_way(&w->walker))
        demands_hold(d, &way, NULL, w->far, 0, misses);
}

void demands_translate(struct demands *d)
{
    struct translating t = {.t = &d->system->translation};
    struct walk walk = {.tables = {.hops = -1}};
    int latencies[MACHINE_TLBS_MAX];
    if (t.t->n == 0)
        return;
    read_counts(d, &t);
    read_hits(d, &t);
    read_chain(d, &t);
    read_terms(d, &t);
    for (uint32_t l = 0; l < t.t->n; l++) {
        char path[128];
        snprintf(path, sizeof path, "%s.latency", t.t->tlbs[l].name);
        latencies[l] = demands_argument(d, model_parameter(d->b, path));
    }
    for (uint32_t i = 0; i < d->system->domains; i++) {
        if (d->class[i] < 0)
            continue;
        find_walk(d, &t, i, &walk);
        for (uint32_t l = 0; l < t.t->n; l++)
            delay(d, &t, d->class[i], latencies[l], l, 1);
        add_walks(d, &t, i, &walk);
        for (uint32_t l = 0; l < t.t->n; l++)
            if (t.stop[l] >= 0)
                hold_places(d, &t, i, l, latencies, &walk);
    }
}
