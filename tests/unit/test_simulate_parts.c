/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the simulated GPU beside brute force: lines under way, last-level caches, warp
 * schedulers, routes. */
#include "profile_check.h"

#include "core/hash.h"
#include "simulate/cores.h"
#include "simulate/llc.h"
#include "simulate/pending.h"
#include "simulate/plant.h"

TEST(test_pending)
{
    enum { UNITS = 3, LINES = 700 };
    static bool there[UNITS][LINES];
    static uint32_t waiting[UNITS][LINES];
    struct pending pending;
    uint64_t random = 5;
    size_t count = 0;
    memset(there, 0, sizeof there);
    pending_init(&pending);
    for (int i = 0; i < 200000; i++) {
        uint32_t unit = (uint32_t)(check_random(&random) % UNITS);
        uint64_t line = check_random(&random) % LINES;
        bool *known = &there[unit][line];
        if (check_random(&random) % 3) {
            assert_true(pending_add(&pending, unit, line * 977) == !*known);
            count += !*known;
            if (!*known)
                waiting[unit][line] = PENDING_NONE;
            *known = true;
            if (i % 5 == 0)
                waiting[unit][line] = pending_find(&pending, unit, line * 977)->waiting =
                    (uint32_t)i;
        } else {
            uint32_t want = *known ? waiting[unit][line] : PENDING_NONE;
            assert_true((pending_find(&pending, unit, line * 977) != NULL) == *known);
            assert_int_equal(pending_remove(&pending, unit, line * 977), want);
            count -= *known;
            *known = false;
        }
        assert_int_equal(pending.count, count);
    }
    pending_fini(&pending);
}

/* A set as a list of lines, the most recent first. */
struct naive_set {
    uint64_t lines[64];
    bool dirty[64];
    uint32_t count;
};

static uint32_t naive_find(const struct naive_set *set, uint64_t line)
{
    uint32_t at = 0;
    while (at < set->count && set->lines[at] != line)
        at++;
    return at;
}

TEST(test_llc_lru)
{
    enum { SETS = 8, WAYS = 4, DOMAINS = 2 };
    struct system system = {
        .domains = DOMAINS, .levels = {[1] = {.slices = 2, .write = WRITE_BACK}}, .n_levels = 2};
    static struct naive_set sets[DOMAINS][SETS];
    struct llc llc;
    uint64_t random = 3;
    memset(sets, 0, sizeof sets);
    llc_init(&llc, &system, SETS, WAYS, 0);
    for (int i = 0; i < 50000; i++) {
        struct llc_request r = {.line = check_random(&random) % 90,
                                .sectors = 1,
                                .domain = (uint32_t)(check_random(&random) % DOMAINS),
                                .kind = check_random(&random) % 3 ? ACCESS_READ : ACCESS_WRITE};
        struct naive_set *set = &sets[r.domain][hash_reduce(hash_fmix64(r.line), SETS)];
        uint32_t at = naive_find(set, r.line);
        bool hit = at < set->count, dirty = hit && set->dirty[at], out = false;
        struct llc_dirty want = {0}, got;
        if (!hit && set->count == WAYS) {
            at = WAYS - 1;
            out = set->dirty[at];
            want = (struct llc_dirty){.line = set->lines[at], .domain = r.domain};
        } else if (!hit) {
            set->count++;
        }
        for (; at > 0; at--) {
            set->lines[at] = set->lines[at - 1];
            set->dirty[at] = set->dirty[at - 1];
        }
        set->lines[0] = r.line;
        set->dirty[0] = dirty || r.kind == ACCESS_WRITE;
        bool got_out;
        uint32_t missing = llc_take(&llc, &r, &got, &got_out);
        assert_int_equal(missing, r.kind == ACCESS_READ && !hit);
        assert_true(got_out == out);
        if (out)
            assert_true(got.line == want.line && got.domain == want.domain && got.sectors == 1);
    }
    llc_fini(&llc);
}

static void count_dirty(void *context, const struct llc_dirty *dirty)
{
    (void)dirty;
    ++*(int *)context;
}

/* Two of four ways are for remote lines; neither kind drives out more than its own. */
TEST(test_llc_split)
{
    struct system system = {
        .domains = 1, .levels = {[1] = {.slices = 1, .write = WRITE_BACK}}, .n_levels = 2};
    struct llc llc;
    struct llc_dirty dirty;
    bool out, there;
    int flushed = 0;
    llc_init(&llc, &system, 1, 4, 2);
    for (uint64_t line = 0; line < 10; line++) {
        struct llc_request r = {.line = line, .sectors = 1, .kind = ACCESS_WRITE};
        r.part = line < 2 ? LLC_HOMED : LLC_REMOTE;
        llc_take(&llc, &r, &dirty, &out);
    }
    llc_flush(&llc, LLC_REMOTE, FLUSH_ALL, NULL, count_dirty, &flushed);
    assert_int_equal(flushed, 2);
    for (uint64_t line = 0; line < 10; line++) {
        llc_remove(&llc, 0, line, &there);
        assert_true(there == (line < 2));
    }
    /* Alone, a part has no more than its own. */
    for (uint64_t line = 0; line < 4; line++)
        llc_take(&llc,
                 &(struct llc_request){
                     .line = line, .sectors = 1, .kind = ACCESS_READ, .part = LLC_REMOTE},
                 &dirty, &out);
    for (uint64_t line = 0; line < 4; line++) {
        llc_remove(&llc, 0, line, &there);
        assert_true(there == (line >= 2));
    }
    llc_fini(&llc);
}

/* Three of three ways are for remote lines: what else is asked for misses, and what is written goes
 * on. */
TEST(test_llc_without_ways)
{
    struct system system = {
        .domains = 1, .levels = {[1] = {.slices = 1, .write = WRITE_BACK}}, .n_levels = 2};
    struct llc llc;
    struct llc_dirty dirty;
    bool out;
    llc_init(&llc, &system, 1, 3, 3);
    for (int i = 0; i < 2; i++) {
        struct llc_request r = {.line = 7, .sectors = 1, .kind = ACCESS_READ, .part = LLC_HOMED};
        assert_int_equal(llc_take(&llc, &r, &dirty, &out), 1);
        assert_false(out);
        r.kind = ACCESS_WRITE;
        assert_int_equal(llc_take(&llc, &r, &dirty, &out), 0);
        assert_true(out && dirty.line == 7 && dirty.sectors == 1);
        r.part = LLC_REMOTE;
        r.line = 8;
        r.kind = ACCESS_READ;
        assert_int_equal(llc_take(&llc, &r, &dirty, &out), i == 0);
    }
    llc_fini(&llc);
}

/* Sectors that a line lacks are fetched, those it has are not. */
TEST(test_llc_sectors)
{
    struct system system = {
        .domains = 1, .levels = {[1] = {.slices = 1, .write = WRITE_BACK}}, .n_levels = 2};
    struct llc llc;
    struct llc_dirty dirty;
    bool out;
    llc_init(&llc, &system, 4, 2, 0);
    struct llc_request r = {.line = 1, .sectors = 3, .kind = ACCESS_READ};
    assert_int_equal(llc_take(&llc, &r, &dirty, &out), 3);
    r.sectors = 6;
    assert_int_equal(llc_take(&llc, &r, &dirty, &out), 4);
    r.sectors = 8;
    r.kind = ACCESS_WRITE;
    assert_int_equal(llc_take(&llc, &r, &dirty, &out), 0);
    r.sectors = 15;
    r.kind = ACCESS_ATOMIC;
    assert_int_equal(llc_take(&llc, &r, &dirty, &out), 0);
    assert_int_equal(llc.lookups, 9);
    assert_int_equal(llc.hits, 1 + 4);
    llc_fini(&llc);
}

/* Warps of one SM by order; `busy`: a bit a slot that waits. */
static uint32_t choose(struct cores *cores, uint32_t busy)
{
    for (uint32_t slot = 0; slot < 4; slot++)
        cores->cores[0].slots[slot].unfinished = busy >> slot & 1;
    return cores_choose(cores, 0);
}

TEST(test_orders)
{
    static const struct {
        enum warp_order order;
        uint32_t busy[6], want[6];
    } cases[] = {
        {WARPS_LRR, {0, 0, 4, 0, 0, 15}, {0, 1, 3, 0, 1, CORE_NONE}},
        {WARPS_GTO, {0, 0, 1, 0, 2, 15}, {0, 0, 1, 1, 0, CORE_NONE}},
        {WARPS_GRR, {0, 0, 1, 0, 2, 12}, {0, 0, 1, 1, 2, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct system system = {.sms = 1, .warps = 4, .order = cases[i].order};
        static struct resident_warp warps[4];
        struct cores cores;
        cores_init(&cores, &system, 1);
        for (int w = 0; w < 4; w++)
            cores_begin(&cores, 0, &warps[w]);
        for (int k = 0; k < 6; k++)
            assert_int_equal(choose(&cores, cases[i].busy[k]), cases[i].want[k]);
        /* The greedy one ends: the oldest, or the one behind it; a new one is the youngest. */
        choose(&cores, 0xd);
        cores_end(&cores, 0, 1);
        cores_begin(&cores, 0, &warps[1]);
        uint32_t next = choose(&cores, 0);
        assert_int_equal(next, cases[i].order == WARPS_GTO ? 0 : 2);
        cores_fini(&cores);
    }
}

/* Sampled ways carry what even splitting says, between any two chips. */
TEST(test_routes)
{
    static const char *const topologies[] = {"ring", "fully-connected", "switch"};
    for (int t = 0; t < 3; t++) {
        struct system system;
        struct plant plant;
        OWNED(machine) *machine = check_shipped("sac", NULL);
        check_set(machine, "inter.topology", topologies[t]);
        check_ok(system_compile(&system, machine, SYSTEM_STATIONS, &failure));
        plant_init(&plant, &system);
        size_t edges = system.links.edges.count;
        double *seen = calloc(edges, sizeof *seen);
        for (uint32_t from = 0; from < 4; from++)
            for (uint32_t to = 0; to < 4; to++) {
                const struct plant_route *routes = &plant.routes[(from * 4 + to) * PLANT_ROUTES];
                memset(seen, 0, edges * sizeof *seen);
                for (int k = 0; k < PLANT_ROUTES; k++)
                    for (uint32_t h = 0; h < routes[k].hops; h++)
                        seen[plant.hops.items[routes[k].first + h]] += 1.0 / PLANT_ROUTES;
                for (size_t e = 0; e < edges; e++)
                    check_relative(seen[e], system_route(&system, from, to)[e], 1e-12);
            }
        free(seen);
        plant_fini(&plant);
        system_fini(&system);
    }
}
