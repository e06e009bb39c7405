/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profiler's pass done naively, one access at a time: plain lists, linear
 * searches, no batches. Written from the definitions, not from the program. */
#ifndef BANDSCAPE_TESTS_NAIVE_PASS_H
#define BANDSCAPE_TESTS_NAIVE_PASS_H

#include "profile_check.h"

#include "core/hash.h"
#include "naive_cache.h"
#include "naive_front.h"
#include "naive_sets.h"

enum { MAX_SMS = 64, MAX_DOMAINS = 16, MAX_SLICES = 128, MAX_KINDS = 24 };
enum { NAIVE_SENT = 512, NAIVE_PLACES = 4 };

struct config {
    uint32_t chips, partitions, per_chip, line, sectors, warps, ctas, threads, stall;
    uint32_t slices; /* of a domain */
    uint32_t page, interleave;
    double threshold;
    uint32_t l1_bytes, l1_ways, nodes, clusters;         /* bytes an SM; nodes, clusters a chip */
    bool perfect, evict, bypass, fixed, hashed, by_line; /* by_line: l1.home */
    const char *scheduler, *placement, *policy, *scope, *coherence;
    uint32_t batch;
    struct front_config fronts[NAIVE_FRONTS]; /* those of partitions first */
};

static inline uint32_t config_domains(const struct config *c)
{
    return c->chips * c->partitions;
}

static inline uint32_t config_domain(const struct config *c, uint32_t sm)
{
    return sm / (c->per_chip / c->partitions);
}

static inline uint32_t config_sms(const struct config *c)
{
    return c->chips * c->per_chip;
}

/* --- what it remembers -------------------------------------------------------------- */

struct line_facts {
    uint64_t number, domains;
    bool written;
    size_t launch; /* touched last, from 1; the rest is of that launch */
    uint64_t launch_domains;
    bool launch_written;
    struct numbers ctas;
};

struct page_facts {
    uint64_t number, sms;
    uint32_t home; /* of its first byte */
};

struct l1_line {
    uint64_t number;
    uint32_t sectors;
};
struct l1_set { /* the most recent first */
    struct l1_line *items;
    size_t count, capacity;
};

/* What one kind of cache counts in one launch. */
struct kind_counts {
    struct distance_histogram reads, others;
    uint64_t requests[MAX_SMS], cold[MAX_SMS];
};

struct launch {
    double fields[FIELD_COUNT];
    double traffic[MAX_DOMAINS * MAX_DOMAINS];
    uint64_t home_slices[MAX_SLICES], own_slices[MAX_SLICES], passed[MAX_SMS];
    uint64_t l1_lines, l1_distinct; /* sums over L1 misses */
    struct kind_counts kinds[MAX_KINDS];
    uint64_t lanes[4][4]; /* allocation, kind */
};

/* A kind of cache, by the names that profiles give it. */
struct naive_kind {
    const char *scope, *side, *filter;
    struct naive_cache caches[MAX_SMS];
    struct copy_list {
        struct copy {
            uint32_t unit;
            uint64_t line;
        } * items;
        size_t count, capacity;
    } replicas, written; /* in this launch */
};

struct naive {
    const struct config *config;
    const struct source *source;
    struct {
        struct page_facts *items;
        size_t count, capacity;
    } pages;
    struct l1_set *l1; /* [node * sets + set] */
    uint32_t nodes, sets;
    struct naive_sent {       /* the last line of its hash that a node asked for */
        uint64_t line, there; /* the round in which it is there */
    } sent[MAX_SMS][NAIVE_SENT];
    struct naive_fronts fronts;
    struct {
        struct line_facts *items;
        size_t count, capacity;
    } lines;
    struct naive_kind kinds[MAX_KINDS];
    size_t n_kinds;
    struct distance_histogram uncounted; /* of requests that only compete */
    struct numbers written;              /* lines that this launch writes */
    struct launch *launch, *prefixes;    /* now; its beginnings (WINDOW_PREFIXES), if not NULL */
    uint32_t ended;                      /* of them */
    size_t launch_number;
    uint64_t round;
    bool timed; /* lines take rounds to come: not under lrr, nor in recorded order */
    uint64_t waits[MAX_SMS], ranks[MAX_SMS]; /* accesses that wait for remote lines; who touches first */
};

static inline bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static inline struct naive *naive_create(const struct config *c, const struct source *source)
{
    struct naive *n = memory_zero(1, sizeof *n);
    n->config = c;
    n->source = source;
    n->nodes = c->chips * c->nodes;
    if (c->l1_bytes) /* a node has the capacity of all its SMs */
        n->sets =
            (uint32_t)((uint64_t)c->l1_bytes * (c->per_chip / c->nodes) / c->line) / c->l1_ways;
    n->l1 = memory_zero((size_t)n->nodes * n->sets, sizeof *n->l1);
    naive_fronts_init(&n->fronts, c->fronts, c->chips, c->partitions, c->line);
    for (int i = 0; i < NAIVE_FRONTS; i++)
        n->fronts.levels[i].config.flush = same(c->coherence, "software") ? FLUSH_ALL : FLUSH_NONE;
    return n;
}

static inline void naive_destroy(struct naive *n)
{
    for (size_t k = 0; k < n->n_kinds; k++) {
        for (int unit = 0; unit < MAX_SMS; unit++)
            naive_cache_fini(&n->kinds[k].caches[unit]);
        VECTOR_FREE(&n->kinds[k].replicas);
        VECTOR_FREE(&n->kinds[k].written);
    }
    for (size_t i = 0; i < (size_t)n->nodes * n->sets; i++)
        VECTOR_FREE(&n->l1[i]);
    for (size_t i = 0; i < n->lines.count; i++)
        VECTOR_FREE(&n->lines.items[i].ctas);
    VECTOR_FREE(&n->lines);
    VECTOR_FREE(&n->pages);
    VECTOR_FREE(&n->written);
    naive_fronts_fini(&n->fronts);
    free(n->l1);
    free(n);
}

/* --- placement ----------------------------------------------------------------------- */

static inline uint32_t naive_recorded(const struct naive *n, uint64_t page)
{
    for (size_t i = 0; i < n->source->homes.count; i++) { /* they ascend */
        const struct stream_home *home = &n->source->homes.items[i];
        if (home->base + home->bytes > page * n->config->page)
            return home->home;
    }
    fail();
    return 0;
}

/* Allocations ascend; a page of two belongs to the lower one. */
static inline uint32_t naive_blocks(const struct naive *n, uint64_t page)
{
    uint64_t homes = config_domains(n->config), size = n->config->page;
    for (size_t i = 0; i < n->source->allocations.count; i++) {
        const struct stream_allocation *a = &n->source->allocations.items[i];
        uint64_t first = a->base / size, last = (a->base + a->bytes - 1) / size;
        if (page < first || page > last)
            continue;
        uint64_t part = (last - first + 1 + homes - 1) / homes;
        return (uint32_t)((page - first) / part);
    }
    return (uint32_t)(page % homes);
}

static inline uint32_t naive_lab(const struct naive *n, uint32_t toucher)
{
    uint32_t homes = config_domains(n->config), fewest = 0;
    size_t pages[MAX_DOMAINS] = {0}, most = 0;
    for (size_t i = 0; i < n->pages.count; i++)
        pages[n->pages.items[i].home]++;
    for (uint32_t i = 0; i < homes; i++) {
        most = pages[i] > most ? pages[i] : most;
        fewest = pages[i] < pages[fewest] ? i : fewest;
    }
    if (most == 0 || (double)n->pages.count / ((double)homes * (double)most) > n->config->threshold)
        return toucher;
    return fewest;
}

static inline uint32_t naive_place(const struct naive *n, uint64_t page, uint32_t toucher)
{
    const struct config *c = n->config;
    if (same(c->placement, "interleave"))
        return (uint32_t)(page * c->page / c->interleave % config_domains(c));
    if (same(c->placement, "recorded"))
        return naive_recorded(n, page);
    if (same(c->placement, "blocks"))
        return naive_blocks(n, page);
    if (same(c->placement, "lab"))
        return naive_lab(n, toucher);
    if (same(c->placement, "round-robin"))
        return (uint32_t)(n->pages.count % config_domains(c));
    return toucher;
}

/* The home of the line that an SM touches. */
static inline uint32_t naive_home(struct naive *n, uint64_t line, uint32_t sm)
{
    const struct config *c = n->config;
    uint64_t number = line * c->line / c->page;
    size_t at = 0;
    while (at < n->pages.count && n->pages.items[at].number != number)
        at++;
    if (at == n->pages.count) {
        uint32_t home = naive_place(n, number, config_domain(c, sm));
        VECTOR_PUSH(&n->pages, (struct page_facts){.number = number, .home = home});
    }
    n->pages.items[at].sms |= 1ULL << sm;
    if (same(c->placement, "interleave")) /* inside a page as well */
        return (uint32_t)(line * c->line / c->interleave % config_domains(c));
    return n->pages.items[at].home;
}

/* --- one line ------------------------------------------------------------------------ */

struct naive_request {
    uint32_t sm, own, home; /* domains */
    int kind;
    uint64_t line;
    uint32_t wanted, missing; /* sectors; what L1 does not give, */
    uint32_t arriving;        /* and what reaches the home */
    bool lookup;              /* a read that looked up L1 */
    bool replicable;          /* a remote read of what nobody writes in the launch */
};

static inline struct line_facts *naive_line(struct naive *n, uint64_t number)
{
    for (size_t i = 0; i < n->lines.count; i++)
        if (n->lines.items[i].number == number)
            return &n->lines.items[i];
    VECTOR_PUSH(&n->lines, (struct line_facts){.number = number});
    return &n->lines.items[n->lines.count - 1];
}

static inline void naive_touch(struct naive *n, const struct naive_request *r, uint64_t cta)
{
    struct line_facts *line = naive_line(n, r->line);
    double *fields = n->launch->fields;
    if (line->launch != n->launch_number) {
        line->launch = n->launch_number;
        line->launch_domains = 0;
        line->launch_written = false;
        line->ctas.count = 0;
        fields[FIELD_LINES]++;
    }
    line->domains |= 1ULL << r->own;
    line->launch_domains |= 1ULL << r->own;
    if (r->kind != ACCESS_READ)
        line->written = line->launch_written = true;
    if (numbers_find(&line->ctas, cta) < line->ctas.count)
        return;
    VECTOR_PUSH(&line->ctas, cta);
    fields[FIELD_CTA_LINE_PAIRS]++;
    fields[FIELD_CTA_SHARED_LINES] += line->ctas.count == 2;
}

/* Which unit of a scope, given an SM or a domain. */
static inline uint32_t naive_unit_at(const struct config *c, const char *scope, uint32_t sm)
{
    if (same(scope, "sm"))
        return sm;
    if (same(scope, "group"))
        return sm / (c->per_chip / c->nodes);
    if (same(scope, "cluster"))
        return sm / (c->per_chip / c->clusters);
    if (same(scope, "partition"))
        return config_domain(c, sm);
    return same(scope, "chip") ? sm / c->per_chip : 0;
}

static inline uint32_t naive_units(const struct config *c, const char *scope)
{
    return naive_unit_at(c, scope, config_sms(c) - 1) + 1;
}

static inline bool naive_replicates(const struct naive_kind *kind)
{
    return same(kind->filter, "replicated") || same(kind->filter, "replicas");
}

/* Does the kind see the request, where, and which sectors? */
static inline bool naive_sees(const struct config *c, const struct naive_kind *kind,
                              const struct naive_request *r, uint32_t *unit, uint32_t *sectors)
{
    /* The home's unit is that of any of its SMs. */
    uint32_t own = naive_unit_at(c, kind->scope, r->sm);
    uint32_t home = naive_unit_at(c, kind->scope, r->home * (c->per_chip / c->partitions));
    *unit = same(kind->side, "home") ? home : own;
    *sectors = same(kind->side, "home") ? r->arriving : r->missing;
    if (same(kind->filter, "lookups")) {
        *sectors = r->wanted;
        return r->lookup;
    }
    if (*sectors == 0)
        return false;
    if (same(kind->filter, "local"))
        return own == home;
    if (same(kind->filter, "remote"))
        return own != home;
    if (same(kind->filter, "read-only-shared"))
        return r->replicable;
    if (naive_replicates(kind) && r->replicable)
        *unit = own;
    return true;
}

/* Is what it sees counted? */
static inline bool naive_counts(const struct config *c, const struct naive_kind *kind,
                                const struct naive_request *r)
{
    if (same(kind->filter, "remote-of-all"))
        return naive_unit_at(c, kind->scope, r->sm) !=
               naive_unit_at(c, kind->scope, r->home * (c->per_chip / c->partitions));
    if (same(kind->filter, "replicas") || same(kind->filter, "replicable-of-all"))
        return r->replicable;
    return true;
}

/* A write leaves no copy in other units of the requesters' side under hardware coherence. L1
 * is coherent at launches only. */
static inline void naive_invalidate(struct naive *n, struct naive_kind *kind,
                                    const struct naive_request *r)
{
    uint32_t own = naive_unit_at(n->config, kind->scope, r->sm);
    if (r->kind == ACCESS_READ || r->missing == 0 || !same(n->config->coherence, "hardware") ||
        !same(kind->side, "requester") || same(kind->filter, "lookups"))
        return;
    for (uint32_t unit = 0; unit < MAX_SMS; unit++)
        if (unit != own)
            naive_cache_remove(&kind->caches[unit], r->line);
}

static inline void naive_kinds_take(struct naive *n, const struct naive_request *r)
{
    for (size_t k = 0; k < n->n_kinds; k++) {
        struct naive_kind *kind = &n->kinds[k];
        struct kind_counts *counts = &n->launch->kinds[k];
        uint32_t unit, sectors;
        naive_invalidate(n, kind, r);
        if (r->kind != ACCESS_READ && r->missing)
            VECTOR_PUSH(&kind->written, (struct copy){0, r->line});
        if (!naive_sees(n->config, kind, r, &unit, &sectors))
            continue;
        if (naive_replicates(kind) && r->replicable)
            VECTOR_PUSH(&kind->replicas, (struct copy){unit, r->line});
        if (!naive_counts(n->config, kind, r)) {
            naive_cache_ask(&kind->caches[unit], r->line, sectors, n->config->sectors > 1,
                            &n->uncounted);
            continue;
        }
        counts->requests[unit] += (uint64_t)__builtin_popcount(sectors);
        counts->cold[unit] +=
            naive_cache_ask(&kind->caches[unit], r->line, sectors, n->config->sectors > 1,
                            r->kind == ACCESS_READ ? &counts->reads : &counts->others);
    }
}

/* What a new launch finds: L1 is empty under any coherence, and so is what stands for it
 * or holds replicas only; under software coherence no requester has lines that were written;
 * replicas leave; the memory side keeps what it has. */
static inline void naive_kinds_begin(struct naive *n)
{
    bool software = same(n->config->coherence, "software");
    for (size_t k = 0; k < n->n_kinds; k++) {
        struct naive_kind *kind = &n->kinds[k];
        bool flush = same(kind->filter, "lookups") || same(kind->filter, "read-only-shared");
        for (uint32_t unit = 0; unit < MAX_SMS && flush; unit++)
            naive_cache_flush(&kind->caches[unit]);
        for (size_t i = 0; i < kind->replicas.count; i++)
            naive_cache_remove(&kind->caches[kind->replicas.items[i].unit],
                               kind->replicas.items[i].line);
        for (size_t i = 0; i < kind->written.count; i++)
            for (uint32_t unit = 0; unit < MAX_SMS && software && same(kind->side, "requester");
                 unit++)
                naive_cache_remove(&kind->caches[unit], kind->written.items[i].line);
        kind->replicas.count = kind->written.count = 0;
    }
}

/* --- L1 ------------------------------------------------------------------------------- */

static inline uint32_t naive_slice(const struct config *c, uint64_t line)
{
    return c->fixed ? (uint32_t)(line % c->slices)
                    : (uint32_t)(((hash_fmix64(line) >> 32) * c->slices) >> 32);
}

/* The node: the SM's cluster has M of them, and the line's number says which, or that of its slice
 * where M divides them. Of slices that a hash chooses lines that follow each other are in no order.
 */
static inline struct l1_set *naive_l1_set(struct naive *n, uint32_t sm, uint64_t line,
                                          uint32_t *node)
{
    const struct config *c = n->config;
    uint32_t per_cluster = c->nodes / c->clusters;
    uint32_t cluster = naive_unit_at(c, "cluster", sm);
    bool by_slice = per_cluster > 1 && !c->by_line && c->slices % per_cluster == 0;
    uint64_t chosen_by = by_slice ? naive_slice(c, line) : line;
    *node = cluster * per_cluster + (uint32_t)(chosen_by % per_cluster);
    uint64_t number = by_slice && !c->fixed ? line : line / per_cluster;
    if (n->sets == 0)
        return NULL;
    return &n->l1[*node * n->sets +
                  (c->hashed ? naive_hashed_set(number, n->sets) : number % n->sets)];
}

static inline void l1_set_drop(struct l1_set *set, size_t at)
{
    set->count--;
    memmove(set->items + at, set->items + at + 1, (set->count - at) * sizeof *set->items);
}

static inline void l1_set_put(struct l1_set *set, size_t at, struct l1_line line)
{
    VECTOR_PUSH(set, line);
    memmove(set->items + at + 1, set->items + at, (set->count - 1 - at) * sizeof *set->items);
    set->items[at] = line;
}

/* Where the line of a read miss is, and what the nodes hold: of each set as many as it has ways. */
static inline void naive_l1_copies(struct naive *n, uint32_t node, uint64_t number)
{
    struct numbers distinct = {0};
    bool elsewhere = false;
    for (uint32_t set = 0; set < n->nodes * n->sets; set++)
        for (size_t i = 0; i < n->l1[set].count && i < n->config->l1_ways; i++) {
            uint64_t held = n->l1[set].items[i].number;
            n->launch->l1_lines++;
            if (numbers_find(&distinct, held) == distinct.count)
                VECTOR_PUSH(&distinct, held);
            elsewhere = elsewhere || (held == number && set / n->sets != node);
        }
    n->launch->l1_distinct += distinct.count;
    n->launch->fields[FIELD_L1_MISSES_ELSEWHERE] += elsewhere;
    VECTOR_FREE(&distinct);
}

static inline struct naive_sent *naive_sent(struct naive *n, uint32_t node, uint64_t line)
{
    return &n->sent[node][hash_fmix64(line) % NAIVE_SENT];
}

/* What a set is now: those on their way in front, as many as there are ways of those that have
 * come, and nothing else. How many are on their way. */
static inline size_t naive_l1_settle(struct naive *n, struct l1_set *set, uint32_t node)
{
    size_t coming = 0;
    for (; n->timed && coming < set->count; coming++) {
        const struct naive_sent *sent = naive_sent(n, node, set->items[coming].number);
        if (sent->line != set->items[coming].number || sent->there <= n->round)
            break;
    }
    if (set->count > coming + n->config->l1_ways)
        set->count = coming + n->config->l1_ways;
    return coming;
}

/* A read: sets r->missing to what has to be fetched. */
static inline void naive_l1_read(struct naive *n, struct l1_set *set, uint32_t node,
                                 struct naive_request *r, size_t at, size_t coming)
{
    double *fields = n->launch->fields;
    struct l1_line line = {r->line, 0};
    bool there = set && at < set->count;
    r->lookup = true;
    if (there)
        line = set->items[at];
    r->missing = n->config->perfect ? 0 : r->wanted & ~line.sectors;
    if (r->missing)
        naive_l1_copies(n, node, r->line);
    if (there)
        l1_set_drop(set, at);
    line.sectors |= r->wanted;
    if (set)
        l1_set_put(set, r->missing ? 0 : at < coming ? at : coming, line);
    if (set && set->count > NAIVE_PLACES * n->config->l1_ways)
        set->count--;
    fields[FIELD_L1_READS]++;
    fields[FIELD_L1_READ_HITS] += r->missing == 0;
    fields[FIELD_L1_REMOTE_READS] += r->home != r->own;
    fields[FIELD_L1_REMOTE_READ_HITS] += r->home != r->own && r->missing == 0;
}

static inline void naive_l1(struct naive *n, const struct warp_access *access,
                            struct naive_request *r)
{
    const struct config *c = n->config;
    uint32_t node;
    struct l1_set *set = naive_l1_set(n, r->sm, r->line, &node);
    size_t at = 0, coming = set ? naive_l1_settle(n, set, node) : 0;
    r->missing = r->wanted;
    if (!set && !c->perfect)
        return;                /* there is no L1 */
    n->launch->passed[node]++; /* what bypasses the cache passes its node as well */
    while (set && at < set->count && set->items[at].number != r->line)
        at++;
    bool there = set && at < set->count;
    if (r->kind == ACCESS_ATOMIC) {
        if (there)
            l1_set_drop(set, at);
    } else if (access->flags & ACCESS_BYPASS_L1) {
        return;
    } else if (r->kind == ACCESS_WRITE) {
        struct l1_line line = there ? set->items[at] : (struct l1_line){0};
        if (there)
            l1_set_drop(set, at);
        if (there && !c->evict)
            l1_set_put(set, at < coming ? at : coming, line);
    } else if (!c->bypass || r->home == r->own) {
        naive_l1_read(n, set, node, r, at, coming);
    }
}

/* --- one access ------------------------------------------------------------------------ */

/* What leaves L1. */
static inline void naive_count(struct naive *n, const struct naive_request *r)
{
    const struct config *c = n->config;
    struct launch *launch = n->launch;
    double *fields = launch->fields;
    uint32_t sectors = naive_ones(r->missing);
    fields[FIELD_REQUESTS] += sectors;
    fields[FIELD_BYTES] += sectors * (c->line / c->sectors);
    fields[r->kind == ACCESS_READ    ? FIELD_READS
           : r->kind == ACCESS_WRITE ? FIELD_WRITES
                                     : FIELD_ATOMICS] += sectors;
    fields[FIELD_REPLICABLE] += r->replicable ? sectors : 0;
    launch->traffic[r->own * config_domains(c) + r->home] += sectors;
    launch->own_slices[r->own * c->slices + naive_slice(c, r->line)] += sectors;
}

/* What reaches the homes: `r` or nothing of it, and write-backs. */
static inline void naive_arrive(struct naive *n, const struct naive_request *r,
                                const struct naive_arrivals *arrivals)
{
    const struct config *c = n->config;
    double *fields = n->launch->fields;
    for (size_t i = 0; i < arrivals->count; i++) {
        const struct naive_arrival *a = &arrivals->items[i];
        bool remote = a->own != a->home, reads = a->kind == ACCESS_READ;
        uint32_t sectors = naive_ones(a->sectors);
        struct naive_request arriving = {.sm = a->own * (c->per_chip / c->partitions)};
        if (!a->writeback)
            arriving = *r;
        arriving.lookup = false;
        arriving.own = a->own;
        arriving.home = a->home;
        arriving.kind = a->kind;
        arriving.line = a->line;
        arriving.missing = 0;
        arriving.arriving = a->sectors;
        fields[FIELD_HOME_REQUESTS] += sectors;
        fields[FIELD_HOME_READS] += reads ? sectors : 0;
        fields[FIELD_HOME_REMOTE_REQUESTS] += remote ? sectors : 0;
        fields[FIELD_HOME_REMOTE_READS] += remote && reads ? sectors : 0;
        n->launch->home_slices[a->home * c->slices + naive_slice(c, a->line)] += sectors;
        naive_kinds_take(n, &arriving);
    }
    for (int i = 0, level = 0; i < NAIVE_FRONTS; i++) { /* they count from the launch's start on */
        if (c->fronts[i].bytes == 0)
            continue;
        fields[profile_level_field(level, LEVEL_LOOKUPS)] = (double)n->fronts.levels[i].lookups;
        fields[profile_level_field(level, LEVEL_HITS)] = (double)n->fronts.levels[i].hits;
        fields[profile_level_field(level++, LEVEL_WRITEBACKS)] =
            (double)n->fronts.levels[i].writebacks;
    }
}

/* From L1 on. */
static inline void naive_send(struct naive *n, const struct naive_request *r)
{
    struct naive_arrivals arrivals = {0};
    naive_count(n, r);
    naive_kinds_take(n, r);
    if (r->missing)
        naive_fronts_issue(
            &n->fronts, same(n->config->coherence, "hardware"),
            (struct naive_arrival){r->line, r->missing, r->own, r->home, r->kind, false},
            &arrivals);
    naive_arrive(n, r, &arrivals);
    VECTOR_FREE(&arrivals);
}

/* A launch ends: dirty data go home. */
static inline void naive_send_dirty(struct naive *n)
{
    struct naive_arrivals arrivals = {0};
    naive_fronts_end(&n->fronts, &arrivals);
    naive_arrive(n, NULL, &arrivals);
    VECTOR_FREE(&arrivals);
}

/* Keeps what there is when a beginning ends. */
static inline void naive_window(struct naive *n)
{
    double seen = n->launch->fields[FIELD_REQUESTS];
    for (; n->prefixes && n->ended < WINDOW_PREFIXES && seen >= (double)window_requests(n->ended);
         n->ended++)
        n->prefixes[n->ended] = *n->launch;
}

/* Lines, 32-byte sectors and the machine's sectors, byte by byte. */
static inline void naive_coalesce(const struct config *c, const struct warp_access *access,
                                  struct numbers *lines, struct numbers *sectors,
                                  struct numbers *wanted)
{
    for (int k = 0; k < __builtin_popcount(access->mask); k++)
        for (uint64_t b = 0; b < access->bytes; b++) {
            uint64_t byte = warp_access_address(access, k) + b;
            size_t at = numbers_find(lines, byte / c->line);
            if (at == lines->count) {
                VECTOR_PUSH(lines, byte / c->line);
                VECTOR_PUSH(wanted, 0);
            }
            wanted->items[at] |= 1ULL << byte % c->line / (c->line / c->sectors);
            if (numbers_find(sectors, byte / 32) == sectors->count)
                VECTOR_PUSH(sectors, byte / 32);
        }
}

static inline void naive_count_access(struct naive *n, const struct warp_access *access,
                                      size_t lines, size_t sectors)
{
    double *fields = n->launch->fields;
    fields[FIELD_WARP_ACCESSES]++;
    fields[FIELD_LANE_ACCESSES] += __builtin_popcount(access->mask);
    fields[FIELD_LANE_BYTES] += __builtin_popcount(access->mask) * access->bytes;
    fields[FIELD_LINE_ACCESSES] += (double)lines;
    fields[FIELD_SECTOR_ACCESSES] += (double)sectors;
    fields[FIELD_WRITTEN_SECTORS] += access->kind != ACCESS_READ ? (double)sectors : 0;
    for (int k = 0; k < __builtin_popcount(access->mask); k++)
        for (size_t a = 0; a < n->source->allocations.count; a++) {
            const struct stream_allocation *allocation = &n->source->allocations.items[a];
            uint64_t address = warp_access_address(access, k);
            if (address >= allocation->base && address < allocation->base + allocation->bytes)
                n->launch->lanes[a][access->kind]++;
        }
}

/* The round in which a line is there that was asked for: the first who misses it waits for all of
 * its way, others as long as that one. */
static inline uint64_t naive_there(struct naive *n, const struct naive_request *r)
{
    uint32_t node;
    naive_l1_set(n, r->sm, r->line, &node);
    struct naive_sent *sent = naive_sent(n, node, r->line);
    uint64_t there = n->round + 1 + n->config->stall;
    if (r->kind == ACCESS_WRITE)
        return 0;
    if (r->missing && r->lookup && n->sets && n->timed)
        *sent = (struct naive_sent){r->line, there};
    return r->missing ? there : sent->line == r->line ? sent->there : 0;
}

/* The round from which the warp may go on. */
static inline uint64_t naive_access(struct naive *n, uint32_t sm, uint64_t cta,
                                    const struct warp_access *access)
{
    const struct config *c = n->config;
    uint64_t ready = 0;
    bool far = false;
    n->launch->fields[FIELD_WARP_INSTRUCTIONS] += access->instructions;
    if (access->kind == ACCESS_NONE || access->mask == 0)
        return 0;
    struct numbers lines = {0}, sectors = {0}, wanted = {0};
    naive_coalesce(c, access, &lines, &sectors, &wanted);
    naive_count_access(n, access, lines.count, sectors.count);
    for (size_t i = 0; i < lines.count; i++) {
        struct naive_request r = {.sm = sm,
                                  .own = config_domain(c, sm),
                                  .home = naive_home(n, lines.items[i], sm),
                                  .kind = access->kind,
                                  .line = lines.items[i],
                                  .wanted = (uint32_t)wanted.items[i]};
        n->launch->fields[FIELD_REMOTE_LINE_ACCESSES] += r.home != r.own;
        naive_touch(n, &r, cta);
        naive_l1(n, access, &r);
        r.replicable = r.kind == ACCESS_READ && r.home != r.own &&
                       numbers_find(&n->written, r.line) == n->written.count;
        naive_send(n, &r);
        naive_window(n);
        uint64_t there = naive_there(n, &r);
        ready = there > ready ? there : ready;
        far = far || ((r.missing || there > n->round) && r.home != r.own);
    }
    n->waits[sm] += far && access->kind != ACCESS_WRITE;
    VECTOR_FREE(&lines);
    VECTOR_FREE(&sectors);
    VECTOR_FREE(&wanted);
    return ready;
}

#endif
