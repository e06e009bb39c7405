/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles against the naive pass: fields, traffic, every curve, sharing. */
#ifndef BANDSCAPE_TESTS_PROFILE_NAIVE_H
#define BANDSCAPE_TESTS_PROFILE_NAIVE_H

#include "naive_order.h"
#include "profile/run/profiler.h"

enum { NAIVE_PARTS = PART_CTA_SHARING | PART_REMOTE | PART_REPLICATION | PART_L1 | PART_SYSTEM };

/* The naive pass keeps the kinds of caches of that record. */
static inline void naive_take_kinds(struct naive *n, const struct profile_record *record)
{
    assert_true(record->n_curves <= MAX_KINDS);
    n->n_kinds = record->n_curves;
    for (size_t k = 0; k < n->n_kinds; k++) {
        n->kinds[k].scope = record->curves[k].scope;
        n->kinds[k].side = record->curves[k].side;
        n->kinds[k].filter = record->curves[k].filter;
    }
}

static inline struct profile *naive_profile(const struct source *source,
                                            const struct machine *machine, unsigned parts)
{
    struct profile *profile = profile_create();
    struct profile_options options = {.parts = parts};
    check_ok(profile_make(profile, source, machine, &options, &failure));
    return profile;
}

/* --- curves ------------------------------------------------------------------------- */

/* Every curve that the parts promise, and no other. */
static inline void check_kinds(const struct config *c, unsigned parts,
                               const struct profile_record *record)
{
    bool partitions = c->partitions > 1;
    const char *domain = partitions ? "partition" : "chip";
    const struct {
        bool wanted;
        const char *scope, *side, *filter;
    } kinds[] = {
        {true, domain, "home", "all"},
        {true, domain, "requester", "all"},
        {parts & PART_REMOTE, domain, "home", "local"},
        {parts & PART_REMOTE, domain, "home", "remote"},
        {parts & PART_REMOTE, domain, "home", "remote-of-all"},
        {parts & PART_REMOTE, domain, "requester", "local"},
        {parts & PART_REMOTE, domain, "requester", "remote"},
        {parts & PART_REMOTE && partitions, "chip", "requester", "remote"},
        {parts & PART_REPLICATION, domain, "requester", "read-only-shared"},
        {parts & PART_REPLICATION, domain, "home", "replicated"},
        {parts & PART_REPLICATION, domain, "home", "replicas"},
        {parts & PART_REPLICATION, domain, "home", "replicable-of-all"},
        {parts & PART_L1, "sm", "requester", "lookups"},
        {parts & PART_L1 && c->nodes < c->per_chip, "group", "requester", "lookups"},
        {parts & PART_L1 && c->clusters < c->nodes, "cluster", "requester", "lookups"},
        {parts & PART_L1, "chip", "requester", "lookups"},
        {parts & PART_SYSTEM, "system", "home", "all"},
        {parts & PART_SYSTEM && partitions, "chip", "home", "all"},
        {parts & PART_SYSTEM && partitions, "chip", "requester", "all"},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].wanted &&
            !profile_curve_find(record, kinds[i].scope, kinds[i].side, kinds[i].filter))
            fail_msg("%s %s %s is missing", kinds[i].scope, kinds[i].side, kinds[i].filter);
        count += kinds[i].wanted;
    }
    assert_int_equal(record->n_curves, count);
}

static inline void compare_curve(const struct curve *got, const struct distance_histogram *want,
                                 const struct profile_curve *curve, const char *what)
{
    struct arena *arena = arena_create();
    struct curve expected;
    struct text left = {0}, right = {0};
    curve_from_histogram(&expected, want, arena);
    curve_print(got, &left);
    curve_print(&expected, &right);
    if (got->requests != expected.requests || got->cold != expected.cold ||
        strcmp(left.data, right.data) != 0)
        fail_msg("%s %s %s, %s: %llu requests, %llu cold, %s; expected %llu, %llu, %s",
                 curve->scope, curve->side, curve->filter, what, (unsigned long long)got->requests,
                 (unsigned long long)got->cold, left.data, (unsigned long long)expected.requests,
                 (unsigned long long)expected.cold, right.data);
    text_free(&left);
    text_free(&right);
    arena_destroy(arena);
}

static inline void compare_kind(const struct config *c, const struct profile_curve *got,
                                const struct kind_counts *want)
{
    struct distance_histogram *all = memory_alloc(sizeof *all);
    *all = want->reads;
    distance_histogram_merge(all, &want->others);
    compare_curve(&got->curve, all, got, "all");
    free(all);
    const struct curve *reads = profile_curve_part(got, CURVE_READS);
    assert_int_equal(reads != NULL, want->others.requests > 0);
    if (reads)
        compare_curve(reads, &want->reads, got, "reads");
    assert_int_equal(got->n_domains, naive_units(c, got->scope));
    assert_memory_equal(got->domain_requests, want->requests, got->n_domains * sizeof(uint64_t));
    assert_memory_equal(got->domain_cold, want->cold, got->n_domains * sizeof(uint64_t));
}

/* All curves of a record. */
static inline void compare_curves(const struct naive *n, const struct profile_record *got,
                                  const struct launch *want)
{
    for (size_t i = 0; i < got->n_curves; i++) {
        const struct profile_curve *curve = &got->curves[i];
        size_t k = 0;
        while (k < n->n_kinds &&
               !(same(n->kinds[k].scope, curve->scope) && same(n->kinds[k].side, curve->side) &&
                 same(n->kinds[k].filter, curve->filter)))
            k++;
        assert_true(k < n->n_kinds);
        compare_kind(n->config, curve, &want->kinds[k]);
    }
}

/* --- fields ------------------------------------------------------------------------- */

static inline double naive_uniformity(const uint64_t *counts, uint32_t n)
{
    double sum = 0, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (double)counts[i];
        most = fmax(most, (double)counts[i]);
    }
    return sum / most / n;
}

/* Ratios from counts; what a part that was not asked for would say is unknown. */
static inline void naive_ratios(const struct config *c, unsigned parts, struct launch *launch)
{
    uint32_t domains = config_domains(c);
    double *fields = launch->fields, local = 0;
    for (uint32_t i = 0; i < domains; i++)
        local += launch->traffic[i * domains + i];
    fields[FIELD_R_LOCAL] = local / fields[FIELD_REQUESTS]; /* NaN without requests */
    fields[FIELD_LSU_MEMORY_SIDE] = naive_uniformity(launch->home_slices, domains * c->slices);
    fields[FIELD_LSU_SM_SIDE] = naive_uniformity(launch->own_slices, domains * c->slices);
    fields[FIELD_L1_UNIFORMITY] = naive_uniformity(launch->passed, c->chips * c->nodes);
    fields[FIELD_LLC_HIT_MEMORY_SIDE] = fields[FIELD_LLC_HIT_SM_SIDE] = (double)NAN;
    fields[FIELD_L1_COPIES] = (double)launch->l1_lines / (double)launch->l1_distinct;
    int levels = 0;
    for (int i = 0; i < NAIVE_FRONTS; i++)
        levels += c->fronts[i].bytes > 0;
    for (int i = FIELD_LEVEL_0 + levels * LEVEL_COUNTS; profile_field_is_of_level(i); i++)
        fields[i] = (double)NAN;
    if (!(parts & PART_CTA_SHARING))
        fields[FIELD_CTA_SHARED_LINES] = fields[FIELD_CTA_LINE_PAIRS] = (double)NAN;
    if (!(parts & PART_REPLICATION))
        fields[FIELD_REPLICABLE] = (double)NAN;
}

/* The others are compared in tests of their own. */
static const enum profile_field naive_known[] = {FIELD_CTAS,
                                                 FIELD_WARP_INSTRUCTIONS,
                                                 FIELD_WARP_ACCESSES,
                                                 FIELD_LANE_ACCESSES,
                                                 FIELD_LANE_BYTES,
                                                 FIELD_LINE_ACCESSES,
                                                 FIELD_SECTOR_ACCESSES,
                                                 FIELD_WRITTEN_SECTORS,
                                                 FIELD_REMOTE_LINE_ACCESSES,
                                                 FIELD_L1_READS,
                                                 FIELD_L1_READ_HITS,
                                                 FIELD_L1_REMOTE_READS,
                                                 FIELD_L1_REMOTE_READ_HITS,
                                                 FIELD_L1_UNIFORMITY,
                                                 FIELD_L1_MISSES_ELSEWHERE,
                                                 FIELD_L1_COPIES,
                                                 FIELD_LEVEL_0,
                                                 FIELD_LEVEL_0_HITS,
                                                 FIELD_LEVEL_0_WRITEBACKS,
                                                 FIELD_LEVEL_1,
                                                 FIELD_LEVEL_1_HITS,
                                                 FIELD_LEVEL_1_WRITEBACKS,
                                                 FIELD_LEVEL_2,
                                                 FIELD_LEVEL_2_HITS,
                                                 FIELD_LEVEL_2_WRITEBACKS,
                                                 FIELD_LEVEL_3,
                                                 FIELD_LEVEL_3_HITS,
                                                 FIELD_LEVEL_3_WRITEBACKS,
                                                 FIELD_LEVEL_4,
                                                 FIELD_LEVEL_4_HITS,
                                                 FIELD_LEVEL_4_WRITEBACKS,
                                                 FIELD_REQUESTS,
                                                 FIELD_READS,
                                                 FIELD_WRITES,
                                                 FIELD_ATOMICS,
                                                 FIELD_BYTES,
                                                 FIELD_HOME_REQUESTS,
                                                 FIELD_HOME_READS,
                                                 FIELD_HOME_REMOTE_REQUESTS,
                                                 FIELD_HOME_REMOTE_READS,
                                                 FIELD_LINES,
                                                 FIELD_WRITTEN,
                                                 FIELD_READ_ONLY_SHARED,
                                                 FIELD_CTA_SHARED_LINES,
                                                 FIELD_CTA_LINE_PAIRS,
                                                 FIELD_R_LOCAL,
                                                 FIELD_REPLICABLE,
                                                 FIELD_LSU_MEMORY_SIDE,
                                                 FIELD_LSU_SM_SIDE,
                                                 FIELD_LLC_HIT_MEMORY_SIDE,
                                                 FIELD_LLC_HIT_SM_SIDE};

static inline void compare_fields(const struct profile_record *got, const struct launch *want)
{
    for (size_t i = 0; i < sizeof naive_known / sizeof *naive_known; i++) {
        double a = got->fields[naive_known[i]], b = want->fields[naive_known[i]];
        if (!(isnan(a) && isnan(b)) && !(fabs(a - b) <= 1e-12 * fabs(b)))
            fail_msg("%s is %.17g, expected %.17g", profile_field_row(naive_known[i])->path, a, b);
    }
}

/* --- launches ------------------------------------------------------------------------ */

static inline void compare_lanes(const struct profile_record *got, const struct launch *want,
                                 const struct source *source)
{
    size_t n = 0;
    for (size_t a = 0; a < source->allocations.count; a++) {
        const uint64_t *lanes = want->lanes[a];
        if (lanes[1] + lanes[2] + lanes[3] == 0)
            continue;
        assert_true(n < got->n_allocations);
        const struct profile_allocation *allocation = &got->allocations[n++];
        assert_int_equal(allocation->base, source->allocations.items[a].base);
        assert_int_equal(allocation->lane_reads, lanes[ACCESS_READ]);
        assert_int_equal(allocation->lane_writes, lanes[ACCESS_WRITE]);
        assert_int_equal(allocation->lane_atomics, lanes[ACCESS_ATOMIC]);
    }
    assert_int_equal(got->n_allocations, n);
}

/* `parts`: those of the record. */
static inline void compare_launch(const struct naive *n, unsigned parts,
                                  const struct profile_record *got, struct launch *want)
{
    uint32_t domains = config_domains(n->config);
    naive_ratios(n->config, parts, want);
    compare_fields(got, want);
    assert_int_equal(got->n_domains, domains);
    for (uint32_t i = 0; i < domains * domains; i++)
        assert_true(got->traffic[i] == want->traffic[i]);
    check_kinds(n->config, parts, got);
    compare_curves(n, got, want);
    compare_lanes(got, want, n->source);
}

static inline void compare_page_table(const struct naive *n, const struct profile_sharing *got)
{
    uint64_t homes[MAX_DOMAINS] = {0};
    double by_sms[4] = {0};
    for (size_t i = 0; i < n->pages.count; i++) {
        int sms = __builtin_popcountll(n->pages.items[i].sms);
        by_sms[sms <= 1 ? 0 : sms <= 10 ? 1 : sms <= 25 ? 2 : 3]++;
        homes[n->pages.items[i].home]++;
    }
    for (int i = 0; i < 4; i++)
        assert_true(got->pages_by_sms[i] == by_sms[i]);
    double balance = naive_uniformity(homes, config_domains(n->config));
    if (isnan(balance))
        assert_true(isnan(got->page_balance));
    else
        check_relative(got->page_balance, balance, 1e-12);
    assert_true(got->pages == (double)n->pages.count);
}

static inline void compare_sharing(const struct naive *n, const struct profile_sharing *got)
{
    uint64_t per_page = n->config->page / n->config->line;
    double truly = 0, falsely = 0, read_only = 0, line = n->config->line;
    for (size_t i = 0; i < n->lines.count; i++) {
        const struct line_facts *a = &n->lines.items[i];
        uint64_t others = 0;
        for (size_t k = 0; k < n->lines.count; k++)
            if (k != i && n->lines.items[k].number / per_page == a->number / per_page)
                others |= n->lines.items[k].domains & ~a->domains;
        bool shared = __builtin_popcountll(a->domains) >= 2;
        truly += shared;
        falsely += !shared && others;
        read_only += shared && !a->written;
    }
    double all = (double)n->lines.count;
    assert_true(got->footprint_bytes == all * line);
    assert_true(got->truly_shared_bytes == truly * line);
    assert_true(got->falsely_shared_bytes == falsely * line);
    assert_true(got->non_shared_bytes == (all - truly - falsely) * line);
    assert_true(got->read_only_shared_bytes == read_only * line);
    compare_page_table(n, got);
}

/* --- whole runs ---------------------------------------------------------------------- */

static inline struct machine *config_machine(const struct config *c)
{
    struct text text = {0};
    text_printf(&text,
                "machine: random\nchips: %u\npartitions: %u\nline: %u B\nsectors: %u\n"
                "coherence: %s\n"
                "sm: {per_chip: %u, warps: %u, ctas: %u, threads: %u, stall: %u, scheduler: %s}\n"
                "llc: {slices: %u, mapping: %s}\n"
                "page: {size: %u B, interleave: %u B, policy: %s, threshold: %.1f}\n"
                "cta: {policy: %s, scope: %s, batch: %u}\n"
                "l1: {ways: %u, nodes: %u, clusters: %u, contents: %s, write: %s, bypass: %s, "
                "index: %s",
                c->chips, c->partitions, c->line, c->sectors, c->coherence, c->per_chip, c->warps,
                c->ctas, c->threads, c->stall, c->scheduler, c->slices * c->partitions,
                c->fixed ? "fixed" : "hashed", c->page, c->interleave, c->placement, c->threshold,
                c->policy, c->scope, c->batch, c->l1_ways ? c->l1_ways : 1, c->nodes, c->clusters,
                c->perfect ? "perfect" : "lru", c->evict ? "evict" : "through",
                c->bypass ? "remote" : "none", c->hashed ? "hashed" : "modulo");
    if (c->l1_bytes)
        text_printf(&text, ", capacity: %u B", c->l1_bytes);
    text_append(&text, c->by_line ? ", home: line}\n" : "}\n");
    for (int i = 0; i < RANDOM_FRONTS; i++) {
        static const char *const names[RANDOM_FRONTS] = {"l2", "near", "l15", "far"};
        const struct front_config *front = &c->fronts[i];
        if (front->bytes)
            text_printf(&text,
                        "%s: {side: requester, capacity: %u B, ways: %u, scope: %s, filter: %s, "
                        "write: %s}\n",
                        names[i], front->bytes, front->ways,
                        front->per_partition ? "partition" : "chip",
                        !front->local_in    ? "remote"
                        : !front->remote_in ? "local"
                                            : "all",
                        front->back ? "back" : "through");
    }
    struct machine *machine = check_machine(text.data);
    text_free(&text);
    return machine;
}

/* One machine, one stream: with all the parts that the naive pass knows, and with none. */
static inline void naive_compare(const struct config *config, const struct synthetic *s)
{
    OWNED(machine) *machine = config_machine(config);
    OWNED(profile) *profile = naive_profile(&s->source, machine, NAIVE_PARTS);
    OWNED(profile) *plain = naive_profile(&s->source, machine, PART_BASE);
    struct naive *naive = naive_create(config, &s->source);
    struct launch *launch = memory_alloc(sizeof *launch);
    const struct profile_view *view = &profile->views[0];
    assert_int_equal(view->n_records, s->kernels.count);
    naive_take_kinds(naive, &view->records[0]);
    for (size_t k = 0; k < s->kernels.count; k++) {
        memset(launch, 0, sizeof *launch);
        naive_launch(naive, &s->kernels.items[k], launch);
        compare_launch(naive, NAIVE_PARTS, &view->records[k], launch);
        compare_launch(naive, PART_BASE, &plain->views[0].records[k], launch);
    }
    compare_sharing(naive, &view->sharing);
    compare_sharing(naive, &plain->views[0].sharing);
    free(launch);
    naive_destroy(naive);
}

#endif
