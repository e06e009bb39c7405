/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profiler's pass done naively: plain lists, linear searches, no batches. */
#ifndef BANDSCAPE_TESTS_PROFILE_NAIVE_H
#define BANDSCAPE_TESTS_PROFILE_NAIVE_H

#include "profile_check.h"

#include "core/hash.h"

enum { MAX_SMS = 15, MAX_LINES = 4096 };

struct config {
    uint32_t chips, per_chip, line, warps, ctas, threads, stall, slices, page, interleave;
    uint32_t l1_sets, l1_ways;
    const char *scheduler, *placement, *policy, *scope, *coherence;
};

/* --- the referee's memory ---------------------------------------------------------- */

struct numbers { /* a list of line or page numbers */
    uint64_t *items;
    size_t count, capacity;
};

static inline size_t numbers_find(const struct numbers *list, uint64_t number)
{
    size_t at = 0;
    while (at < list->count && list->items[at] != number)
        at++;
    return at;
}

/* Moves to the front of an LRU list; the place where it stood, or DISTANCE_COLD. */
static inline uint64_t numbers_promote(struct numbers *list, uint64_t number)
{
    size_t at = numbers_find(list, number);
    uint64_t distance = at < list->count ? at : DISTANCE_COLD;
    if (at == list->count)
        VECTOR_PUSH(list, number);
    memmove(list->items + 1, list->items, at * sizeof *list->items);
    list->items[0] = number;
    return distance;
}

struct line_facts {
    uint64_t number, chips;
    bool written;
    size_t launch;       /* touched last, from 1 */
    struct numbers ctas; /* of that launch */
};

struct side { /* one kind of LLC, in one launch */
    struct distance_histogram histogram;
    uint64_t requests[8], cold[8];
};

struct launch {
    double fields[FIELD_COUNT];
    double traffic[64];
    uint64_t home_slices[64], own_slices[64];
    struct side home, own;
    uint64_t lanes[4][4]; /* allocation, kind */
};

struct naive {
    const struct config *config;
    const struct source *source;
    struct numbers pages; /* units with a home */
    struct numbers homes; /* their homes */
    struct numbers home_lru[8], own_lru[8];
    struct numbers l1[MAX_SMS][64]; /* [sm][set] */
    struct {
        struct line_facts *items;
        size_t count, capacity;
    } lines;
    struct launch *launch; /* now */
    size_t launch_number;
    uint64_t round;
};

static inline void naive_fini(struct naive *n)
{
    VECTOR_FREE(&n->pages);
    VECTOR_FREE(&n->homes);
    for (int i = 0; i < 8; i++) {
        VECTOR_FREE(&n->home_lru[i]);
        VECTOR_FREE(&n->own_lru[i]);
    }
    for (int s = 0; s < MAX_SMS; s++)
        for (int set = 0; set < 64; set++)
            VECTOR_FREE(&n->l1[s][set]);
    for (size_t i = 0; i < n->lines.count; i++)
        VECTOR_FREE(&n->lines.items[i].ctas);
    VECTOR_FREE(&n->lines);
}

/* --- one access --------------------------------------------------------------------- */

static inline uint32_t naive_home(struct naive *n, uint64_t address, uint32_t chip)
{
    const struct config *c = n->config;
    if (strcmp(c->placement, "interleave") == 0)
        return (uint32_t)(address / c->interleave % c->chips);
    if (strcmp(c->placement, "recorded") == 0) { /* the test records 1 KiB at a time */
        for (size_t i = 0; i < n->source->homes.count; i++) {
            const struct stream_home *home = &n->source->homes.items[i];
            if (home->base + home->bytes > address / c->page * c->page)
                return home->home;
        }
        fail();
    }
    size_t at = numbers_find(&n->pages, address / c->page);
    if (at == n->pages.count) {
        bool turn = strcmp(c->placement, "round-robin") == 0;
        VECTOR_PUSH(&n->homes, turn ? n->pages.count % c->chips : chip);
        VECTOR_PUSH(&n->pages, address / c->page);
    }
    return (uint32_t)n->homes.items[at];
}

static inline struct line_facts *naive_line(struct naive *n, uint64_t number)
{
    for (size_t i = 0; i < n->lines.count; i++)
        if (n->lines.items[i].number == number)
            return &n->lines.items[i];
    VECTOR_PUSH(&n->lines, (struct line_facts){.number = number});
    return &n->lines.items[n->lines.count - 1];
}

static inline void naive_side(struct side *side, struct numbers *lru, uint32_t domain,
                              uint64_t line)
{
    uint64_t distance = numbers_promote(&lru[domain], line);
    distance_histogram_add(&side->histogram, distance);
    side->requests[domain]++;
    side->cold[domain] += distance == DISTANCE_COLD;
}

static inline void naive_request(struct naive *n, uint32_t chip, int kind, uint64_t line)
{
    const struct config *c = n->config;
    struct launch *launch = n->launch;
    uint32_t home = naive_home(n, line * c->line, chip);
    uint32_t slice = (uint32_t)(((hash_fmix64(line) >> 32) * c->slices) >> 32);
    launch->fields[FIELD_REQUESTS]++;
    launch->fields[FIELD_BYTES] += c->line;
    launch->fields[kind == ACCESS_READ    ? FIELD_READS
                   : kind == ACCESS_WRITE ? FIELD_WRITES
                                          : FIELD_ATOMICS]++;
    launch->traffic[chip * c->chips + home]++;
    launch->home_slices[home * c->slices + slice]++;
    launch->own_slices[chip * c->slices + slice]++;
    naive_side(&launch->home, n->home_lru, home, line);
    naive_side(&launch->own, n->own_lru, chip, line);
}

/* True when it hits. */
static inline bool naive_l1(struct naive *n, uint32_t sm, const struct warp_access *access,
                            uint64_t line)
{
    const struct config *c = n->config;
    if (c->l1_sets == 0)
        return false;
    struct numbers *set = &n->l1[sm][line % c->l1_sets];
    size_t at = numbers_find(set, line);
    bool there = at < set->count;
    if (access->kind == ACCESS_ATOMIC) {
        if (there)
            memmove(set->items + at, set->items + at + 1, (--set->count - at) * sizeof(uint64_t));
        return false;
    }
    if (access->flags & ACCESS_BYPASS_L1)
        return false;
    if (access->kind == ACCESS_WRITE) {
        if (there)
            numbers_promote(set, line);
        return false;
    }
    n->launch->fields[FIELD_L1_READS]++;
    n->launch->fields[FIELD_L1_READ_HITS] += there;
    numbers_promote(set, line);
    if (set->count > c->l1_ways)
        set->count--;
    return there;
}

static inline void naive_touch(struct naive *n, uint32_t chip, uint64_t cta, int kind,
                               uint64_t number)
{
    struct line_facts *line = naive_line(n, number);
    double *fields = n->launch->fields;
    line->chips |= 1ULL << chip;
    line->written |= kind != ACCESS_READ;
    if (line->launch != n->launch_number) {
        line->launch = n->launch_number;
        line->ctas.count = 0;
        fields[FIELD_LINES]++;
    }
    if (numbers_find(&line->ctas, cta) < line->ctas.count)
        return;
    VECTOR_PUSH(&line->ctas, cta);
    fields[FIELD_CTA_LINE_PAIRS]++;
    fields[FIELD_CTA_SHARED_LINES] += line->ctas.count == 2;
}

/* Lines and sectors byte by byte. */
static inline void naive_coalesce(const struct config *c, const struct warp_access *access,
                                  struct numbers *lines, struct numbers *sectors)
{
    for (int k = 0; k < __builtin_popcount(access->mask); k++)
        for (uint64_t b = 0; b < access->bytes; b++) {
            uint64_t byte = warp_access_address(access, k) + b;
            if (numbers_find(lines, byte / c->line) == lines->count)
                VECTOR_PUSH(lines, byte / c->line);
            if (numbers_find(sectors, byte / 32) == sectors->count)
                VECTOR_PUSH(sectors, byte / 32);
        }
}

/* True when the warp has to wait. */
static inline bool naive_access(struct naive *n, uint32_t sm, uint64_t cta,
                                const struct warp_access *access)
{
    const struct config *c = n->config;
    double *fields = n->launch->fields;
    bool wait = false;
    fields[FIELD_WARP_INSTRUCTIONS] += access->instructions;
    if (access->kind == ACCESS_NONE || access->mask == 0)
        return false;
    struct numbers lines = {0}, sectors = {0};
    naive_coalesce(c, access, &lines, &sectors);
    fields[FIELD_WARP_ACCESSES]++;
    fields[FIELD_LANE_ACCESSES] += __builtin_popcount(access->mask);
    fields[FIELD_LANE_BYTES] += __builtin_popcount(access->mask) * access->bytes;
    fields[FIELD_LINE_ACCESSES] += (double)lines.count;
    fields[FIELD_SECTOR_ACCESSES] += (double)sectors.count;
    for (int k = 0; k < __builtin_popcount(access->mask); k++)
        for (size_t a = 0; a < n->source->allocations.count; a++) {
            const struct stream_allocation *allocation = &n->source->allocations.items[a];
            uint64_t address = warp_access_address(access, k);
            if (address >= allocation->base && address < allocation->base + allocation->bytes)
                n->launch->lanes[a][access->kind]++;
        }
    for (size_t i = 0; i < lines.count; i++) {
        naive_touch(n, sm / c->per_chip, cta, access->kind, lines.items[i]);
        if (naive_l1(n, sm, access, lines.items[i]))
            continue;
        wait = access->kind != ACCESS_WRITE;
        naive_request(n, sm / c->per_chip, access->kind, lines.items[i]);
    }
    VECTOR_FREE(&lines);
    VECTOR_FREE(&sectors);
    return wait;
}

/* --- order --------------------------------------------------------------------------- */

struct live_warp {
    uint64_t cta;
    uint32_t warp;
    size_t at; /* into the kernel's accesses */
    uint64_t ready;
};

struct live_sm {
    struct {
        struct live_warp *items;
        size_t count, capacity;
    } warps;
    size_t next; /* lrr */
    bool has_greedy;
    size_t greedy;     /* gto: index */
    uint32_t resident; /* CTAs with warps */
};

/* The unit of a CTA, straight from the definitions. */
static inline uint32_t naive_unit(const struct config *c, const struct synthetic_kernel *kernel,
                                  uint32_t cta)
{
    uint32_t sms = c->chips * c->per_chip, n = kernel->n_ctas;
    if (strcmp(c->policy, "recorded") == 0)
        return kernel->cta_sms[cta];
    if (strcmp(c->policy, "centralised") == 0)
        return cta % c->chips;
    uint32_t units = strcmp(c->scope, "sm") == 0 ? sms : c->chips;
    return cta / ((n + units - 1) / units);
}

static inline uint32_t naive_unit_of_sm(const struct config *c, uint32_t sm)
{
    bool chips = strcmp(c->policy, "centralised") == 0 ||
                 (strcmp(c->policy, "distributed") == 0 && strcmp(c->scope, "chip") == 0);
    return chips ? sm / c->per_chip : sm;
}

/* Moves past other warps' accesses and mere instructions; false at the end. */
static inline bool warp_seek(struct naive *n, const struct synthetic_kernel *kernel, uint32_t sm,
                             struct live_warp *warp)
{
    for (; warp->at < kernel->accesses.count; warp->at++) {
        const struct synthetic_access *a = kernel->accesses.items[warp->at];
        if (a->cta != warp->cta || a->warp != warp->warp)
            continue;
        if (a->access.kind != ACCESS_NONE)
            return true;
        naive_access(n, sm, warp->cta, &a->access);
    }
    return false;
}

/* Gives the SM the next CTA of its unit; false when there is none. */
static inline bool sm_take(struct naive *n, const struct synthetic_kernel *kernel, bool *taken,
                           struct live_sm *sms, uint32_t s)
{
    uint32_t cta = 0;
    while (cta < kernel->n_ctas &&
           (taken[cta] || naive_unit(n->config, kernel, cta) != naive_unit_of_sm(n->config, s)))
        cta++;
    if (cta == kernel->n_ctas)
        return false;
    taken[cta] = true;
    size_t before = sms[s].warps.count;
    for (uint32_t w = 0; w < kernel->warps_per_cta; w++) {
        struct live_warp warp = {.cta = cta, .warp = w};
        if (warp_seek(n, kernel, s, &warp))
            VECTOR_PUSH(&sms[s].warps, warp);
    }
    sms[s].resident += sms[s].warps.count > before;
    return true;
}

static inline void sm_turn(struct naive *n, const struct synthetic_kernel *kernel, bool *taken,
                           struct live_sm *sms, uint32_t s, uint32_t limit)
{
    struct live_sm *sm = &sms[s];
    bool greedy = strcmp(n->config->scheduler, "gto") == 0;
    size_t at = 0;
    if (!greedy) {
        if (sm->warps.count == 0)
            return;
        at = sm->next < sm->warps.count ? sm->next : 0;
    } else if (sm->has_greedy && sm->warps.items[sm->greedy].ready <= n->round) {
        at = sm->greedy;
    } else {
        while (at < sm->warps.count && sm->warps.items[at].ready > n->round)
            at++;
        if (at == sm->warps.count)
            return;
    }
    struct live_warp *warp = &sm->warps.items[at];
    uint64_t cta = warp->cta;
    if (naive_access(n, s, cta, &kernel->accesses.items[warp->at]->access))
        warp->ready = n->round + 1 + n->config->stall;
    warp->at++;
    sm->next = at + 1;
    sm->has_greedy = true;
    sm->greedy = at;
    if (warp_seek(n, kernel, s, warp))
        return;
    memmove(warp, warp + 1, (--sm->warps.count - at) * sizeof *warp);
    sm->next = at;
    sm->has_greedy = false;
    for (size_t i = 0; i < sm->warps.count; i++)
        if (sm->warps.items[i].cta == cta)
            return;
    sm->resident--;
    while (sm->resident < limit && sm_take(n, kernel, taken, sms, s))
        ;
}

static inline void naive_rounds(struct naive *n, const struct synthetic_kernel *kernel)
{
    const struct config *c = n->config;
    uint32_t n_sms = c->chips * c->per_chip, limit = c->ctas;
    struct live_sm sms[MAX_SMS] = {0};
    bool *taken = memory_zero(kernel->n_ctas, sizeof *taken), more = true;
    if (limit > c->warps / kernel->warps_per_cta)
        limit = c->warps / kernel->warps_per_cta;
    if (limit > c->threads / kernel->threads_per_cta)
        limit = c->threads / kernel->threads_per_cta;
    while (more) {
        more = false;
        for (uint32_t s = 0; s < n_sms; s++)
            if (sms[s].resident < limit && sm_take(n, kernel, taken, sms, s))
                more = true;
    }
    for (;;) {
        size_t live = 0;
        for (uint32_t s = 0; s < n_sms; s++)
            live += sms[s].warps.count;
        if (live == 0)
            break;
        for (uint32_t k = 0; k < n_sms; k++) {
            uint32_t place = (uint32_t)((n->round + k) % n_sms);
            sm_turn(n, kernel, taken, sms, place % c->chips * c->per_chip + place / c->chips,
                    limit);
        }
        n->round++;
    }
    for (uint32_t s = 0; s < n_sms; s++)
        VECTOR_FREE(&sms[s].warps);
    free(taken);
}

static inline void naive_replay(struct naive *n, const struct synthetic_kernel *kernel)
{
    const struct config *c = n->config;
    uint32_t n_sms = c->chips * c->per_chip;
    for (size_t i = 0; i < kernel->accesses.count; i++) {
        const struct synthetic_access *a = kernel->accesses.items[i];
        uint32_t unit = naive_unit(c, kernel, (uint32_t)a->cta), rank = 0, sms[MAX_SMS], count = 0;
        for (uint32_t cta = 0; cta < a->cta; cta++)
            rank += naive_unit(c, kernel, cta) == unit;
        for (uint32_t s = 0; s < n_sms; s++)
            if (naive_unit_of_sm(c, s) == unit)
                sms[count++] = s;
        naive_access(n, sms[rank % count], a->cta, &a->access);
    }
}

static inline void naive_launch(struct naive *n, const struct synthetic_kernel *kernel,
                                struct launch *launch)
{
    n->launch = launch;
    n->launch_number++;
    launch->fields[FIELD_CTAS] = kernel->n_ctas;
    for (int s = 0; s < MAX_SMS; s++)
        for (int set = 0; set < 64; set++)
            n->l1[s][set].count = 0;
    for (int chip = 0; chip < 8 && strcmp(n->config->coherence, "software") == 0; chip++)
        n->own_lru[chip].count = 0;
    if (kernel->recorded_order)
        naive_replay(n, kernel);
    else
        naive_rounds(n, kernel);
}

/* --- comparison -------------------------------------------------------------------- */

static inline double naive_uniformity(const uint64_t *counts, uint32_t n)
{
    double sum = 0, most = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (double)counts[i];
        most = fmax(most, (double)counts[i]);
    }
    return sum / most / n;
}

static inline void compare_side(const struct profile_record *record, const char *name,
                                uint32_t chips, const struct side *want)
{
    struct arena *arena = arena_create();
    struct curve curve;
    struct text left = {0}, right = {0};
    const struct profile_curve *got = profile_curve_find(record, "chip", name, "all");
    curve_from_histogram(&curve, &want->histogram, arena);
    assert_int_equal(got->curve.requests, curve.requests);
    assert_int_equal(got->curve.cold, curve.cold);
    assert_int_equal(got->n_domains, chips);
    assert_memory_equal(got->domain_requests, want->requests, chips * sizeof(uint64_t));
    assert_memory_equal(got->domain_cold, want->cold, chips * sizeof(uint64_t));
    curve_print(&got->curve, &left);
    curve_print(&curve, &right);
    assert_string_equal(left.data, right.data);
    text_free(&left);
    text_free(&right);
    arena_destroy(arena);
}

/* The others are compared in tests of their own. */
static inline bool naive_knows(enum profile_field field)
{
    static const enum profile_field known[] = {FIELD_CTAS,
                                               FIELD_WARP_INSTRUCTIONS,
                                               FIELD_WARP_ACCESSES,
                                               FIELD_LANE_ACCESSES,
                                               FIELD_LANE_BYTES,
                                               FIELD_LINE_ACCESSES,
                                               FIELD_SECTOR_ACCESSES,
                                               FIELD_L1_READS,
                                               FIELD_L1_READ_HITS,
                                               FIELD_REQUESTS,
                                               FIELD_READS,
                                               FIELD_WRITES,
                                               FIELD_ATOMICS,
                                               FIELD_BYTES,
                                               FIELD_LINES,
                                               FIELD_CTA_SHARED_LINES,
                                               FIELD_CTA_LINE_PAIRS,
                                               FIELD_R_LOCAL,
                                               FIELD_LSU_MEMORY_SIDE,
                                               FIELD_LSU_SM_SIDE,
                                               FIELD_LLC_HIT_MEMORY_SIDE,
                                               FIELD_LLC_HIT_SM_SIDE};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (field == known[i])
            return true;
    return false;
}

static inline void compare_launch(const struct config *c, const struct profile_record *got,
                                  struct launch *want, const struct source *source)
{
    double requests = want->fields[FIELD_REQUESTS], local = 0;
    for (uint32_t i = 0; i < c->chips; i++)
        local += want->traffic[i * c->chips + i];
    want->fields[FIELD_R_LOCAL] = local / requests; /* NaN without requests */
    want->fields[FIELD_LSU_MEMORY_SIDE] = naive_uniformity(want->home_slices, c->chips * c->slices);
    want->fields[FIELD_LSU_SM_SIDE] = naive_uniformity(want->own_slices, c->chips * c->slices);
    want->fields[FIELD_LLC_HIT_MEMORY_SIDE] = want->fields[FIELD_LLC_HIT_SM_SIDE] = (double)NAN;
    for (int f = 0; f < FIELD_COUNT; f++) {
        double a = got->fields[f], b = want->fields[f];
        if (!naive_knows((enum profile_field)f))
            continue;
        if (!(isnan(a) && isnan(b)) && !(fabs(a - b) <= 1e-12 * fabs(b)))
            fail_msg("%s is %.17g, expected %.17g", profile_field_table[f].path, a, b);
    }
    for (uint32_t i = 0; i < c->chips * c->chips; i++)
        assert_true(got->traffic[i] == want->traffic[i]);
    compare_side(got, "home", c->chips, &want->home);
    compare_side(got, "requester", c->chips, &want->own);
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

static inline void compare_sharing(const struct naive *n, const struct profile_sharing *got)
{
    uint64_t per_page = n->config->page / n->config->line;
    double truly = 0, falsely = 0, read_only = 0, line = n->config->line;
    struct numbers pages = {0};
    for (size_t i = 0; i < n->lines.count; i++) {
        const struct line_facts *a = &n->lines.items[i];
        uint64_t others = 0;
        for (size_t k = 0; k < n->lines.count; k++)
            if (k != i && n->lines.items[k].number / per_page == a->number / per_page)
                others |= n->lines.items[k].chips & ~a->chips;
        bool shared = __builtin_popcountll(a->chips) >= 2;
        truly += shared;
        falsely += !shared && others;
        read_only += shared && !a->written;
        if (numbers_find(&pages, a->number / per_page) == pages.count)
            VECTOR_PUSH(&pages, a->number / per_page);
    }
    double all = (double)n->lines.count;
    assert_true(got->footprint_bytes == all * line);
    assert_true(got->truly_shared_bytes == truly * line);
    assert_true(got->falsely_shared_bytes == falsely * line);
    assert_true(got->non_shared_bytes == (all - truly - falsely) * line);
    assert_true(got->read_only_shared_bytes == read_only * line);
    assert_true(got->pages == (double)pages.count);
    VECTOR_FREE(&pages);
}

#endif
