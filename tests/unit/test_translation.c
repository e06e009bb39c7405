/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs and page walks: what looks them up, what they know, what walks take, by hand; the profile,
 * the bound, the network and the referee beside each other. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "machine/latency.h"

/* One SM a chip at 1 GHz. A read that misses L1 and the LLC takes 1 ns of issue, then 10 of L1, 5
 * and 7 of the crossbar, 21 of a slice, 104 of memory: 148. A TLB takes 2 ns, the next one 30, a
 * walk 200 and two reads of 101 (32 B of 32 GB/s): 402. */
#define MACHINE                                                                                    \
    "machine: t\nchips: %d\nline: 128 B\ncoherence: software\n"                                    \
    "sm: {per_chip: 1, clock: 1 GHz, warps: 64, ctas: 64, scheduler: lrr}\n"                       \
    "l1: {capacity: 16 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"                                 \
    "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"                     \
    "      bandwidth: 128 GB/s, latency: 20 ns}\n"                                                 \
    "noc: {bandwidth: 64 GB/s, latency: 5 ns}\n"                                                   \
    "inter: {topology: fully-connected, link_bandwidth: 16 GB/s, latency: 30 ns}\n"                \
    "memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}\n"                                 \
    "page: {size: 4 KiB, policy: first-touch}\ncta: {policy: distributed}\n"                       \
    "near: {contents: translations, scope: sm, entries: 4, latency: 2 ns}\n"                       \
    "far: {contents: translations, scope: chip, entries: 64, latency: 30 ns}\n"                    \
    "translation: {walk_latency: 200 ns, walk_reads: 2, entry: 32 B, walkers: 1}\n"

enum { LINE = 128, PAGE = 4096, READ = 148, NEAR = 2, FAR = 30, WALK = 402 };

static struct machine *machine_of(int chips)
{
    char text[2048];
    snprintf(text, sizeof text, MACHINE, chips);
    return check_machine(text);
}

static struct simulate_gpu_result *run(const struct machine *machine, const struct synthetic *s)
{
    struct simulate_gpu_result *result;
    struct simulate_gpu_options options = referee_options(1000000);
    check_ok(simulate_gpu(machine, &s->source, &options, &result, &failure));
    assert_true(result->whole);
    return result;
}

/* One warp that waits for each of its reads: `passes` over so many pages, a line of its own each.
 */
static struct synthetic *chase(int pages, int passes)
{
    struct synthetic *s = synthetic_create("chase");
    synthetic_kernel(s, "k", 1, 1);
    for (int i = 0; i < pages * passes; i++)
        synthetic_lane(s, 0, 0, ACCESS_READ,
                       (uint64_t)(i % pages) * PAGE + (uint64_t)(i / pages) * LINE);
    return s;
}

/* So many blocks of one warp, each of which reads lines of pages of its own, one a page. */
static struct synthetic *strangers(int blocks, int each)
{
    struct synthetic *s = synthetic_create("strangers");
    synthetic_kernel(s, "k", (uint32_t)blocks, 1);
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < each; i++)
            synthetic_lane(s, (uint64_t)b, 0, ACCESS_READ, (uint64_t)(b * each + i) * PAGE);
    return s;
}

static double predicted(const char *model, const struct machine *machine,
                        const struct profile *profile)
{
    OWNED(answer) *answer = check_answer(model, machine, &profile->views[0]);
    return answer_metric(answer, "kernel_time");
}

static double field(const struct profile *profile, const char *level, enum profile_level_count what)
{
    const struct profile_record *record = &profile->views[0].records[0];
    return record->fields[profile_level_field(profile_record_level(record, level), what)];
}

static double work_of(const struct simulate_gpu_result *r, const char *station)
{
    for (size_t i = 0; i < r->n_stations; i++)
        if (strcmp(r->stations[i].name, station) == 0)
            return r->stations[i].utilisation * r->time_s * 1e9;
    fail_msg("no station %s", station);
    return 0;
}

/* --- a chase over pages ---------------------------------------------------------------------- */

/* Over as many pages as a TLB has entries all passes but the first hit; over more none does, as the
 * least recent page is the next one. */
TEST(a_chase_over_pages)
{
    static const struct {
        const char *far;
        int pages, near_hits, far_lookups, far_hits;
    } cases[] = {
        {"64", 4, 12, 4, 0},  /* the first TLB has them */
        {"64", 8, 0, 32, 24}, /* the second one */
        {"4", 8, 0, 32, 0},   /* none: a walk each */
    };
    enum { PASSES = 4 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = machine_of(1);
        check_set(machine, "far.entries", cases[i].far);
        OWNED(synthetic) *s = chase(cases[i].pages, PASSES);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        int n = cases[i].pages * PASSES, walks = cases[i].far_lookups - cases[i].far_hits;
        check_relative(field(profile, "near", LEVEL_LOOKUPS), n, 0);
        check_relative(field(profile, "near", LEVEL_HITS), cases[i].near_hits, 0);
        check_relative(field(profile, "near", LEVEL_MERGES), 0, 0);
        check_relative(field(profile, "far", LEVEL_LOOKUPS), cases[i].far_lookups, 0);
        check_relative(field(profile, "far", LEVEL_HITS), cases[i].far_hits, 0);
        check_relative(field(profile, "near", LEVEL_CHAIN), cases[i].far_lookups, 0);
        check_relative(field(profile, "far", LEVEL_CHAIN), walks, 0);
        double want = n * (READ + NEAR) + cases[i].far_lookups * FAR + walks * WALK;
        struct simulate_gpu_result *r = run(machine, s);
        check_relative(r->kernel_time_s * 1e9, want, 1e-9);
        assert_int_equal(r->walks, walks);
        check_relative(work_of(r, "memory"), n * 4 + walks * 2, 1e-9);
        check_relative(work_of(r, "walkers"), walks * WALK, 1e-9);
        simulate_gpu_result_destroy(r);
        check_relative(predicted("network", machine, profile) * 1e9, want, 0.02);
    }
}

/* Groups of four reads, none of which needs another one of its group. They wait for their pages
 * together as for their lines: for one of the four, or for one each, which is walked for beside the
 * others or behind them. Three lines come behind the first at the memory, 4 ns apart. For the
 * network customers that queue for one walker come one by one: it is nearer to the walker's bound
 * than groups are, which leave it idle meanwhile. */
TEST(loads_under_way_together)
{
    static const struct {
        const char *walkers;
        int pages, merges; /* of a group */
        double ns;
        bool queue;
    } cases[] = {
        {"1", 1, 3, READ + NEAR + FAR + WALK + 12, false},
        {"4", 4, 0, READ + NEAR + FAR + 200 + 12, false},
        {"1", 4, 0, READ + NEAR + FAR + 4 * 200, true}, /* lines come meanwhile */
    };
    enum { GROUPS = 8 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = machine_of(1);
        check_set(machine, "translation.walkers", cases[i].walkers);
        if (cases[i].pages > 1)
            check_set(machine, "translation.walk_reads", "0");
        OWNED(synthetic) *s = synthetic_create("groups");
        synthetic_kernel(s, "k", 1, 1);
        for (uint64_t k = 0; k < GROUPS * 4; k++)
            synthetic_ahead(s, 0, 0, ACCESS_READ,
                            (cases[i].pages > 1 ? k : k / 4) * PAGE + k % 4 * LINE,
                            (uint8_t)(k % 4));
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        const struct profile_record *record = &profile->views[0].records[0];
        check_relative(record->fields[FIELD_CHAIN_WAITS], GROUPS, 0);
        check_relative(record->fields[FIELD_CHAIN_AWAITED], GROUPS * 4, 0);
        check_relative(field(profile, "near", LEVEL_MERGES), GROUPS * cases[i].merges, 0);
        check_relative(field(profile, "near", LEVEL_CHAIN), GROUPS, 0);
        check_relative(field(profile, "far", LEVEL_CHAIN), GROUPS, 0);
        struct simulate_gpu_result *r = run(machine, s);
        assert_int_equal(r->walks, GROUPS * cases[i].pages);
        check_relative(r->kernel_time_s * 1e9, GROUPS * cases[i].ns, 1e-9);
        simulate_gpu_result_destroy(r);
        double network = predicted("network", machine, profile) * 1e9;
        if (cases[i].queue)
            assert_in_range((unsigned)network, GROUPS * 4 * 200, (unsigned)(GROUPS * cases[i].ns));
        else
            check_relative(network, GROUPS * cases[i].ns, 0.05);
    }
}

/* Without TLBs nothing of it is there. */
TEST(without_tlbs)
{
    OWNED(machine) *machine = check_machine("machine: t\nchips: 1\nsm: {per_chip: 1}\n"
                                            "llc: {organisation: memory-side, capacity: 64 KiB}\n");
    OWNED(synthetic) *s = chase(4, 2);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    assert_null(profile->views[0].records[0].levels[0]);
    assert_true(isnan(profile->views[0].records[0].fields[FIELD_WALKS_REMOTE]));
}

/* All lanes, `stride` bytes apart. */
static void strided(struct synthetic *s, uint64_t stride)
{
    uint64_t addresses[WARP_LANES];
    for (uint64_t lane = 0; lane < WARP_LANES; lane++)
        addresses[lane] = lane * stride;
    synthetic_add(s, 0, 0,
                  (struct warp_access){.addresses = addresses,
                                       .mask = UINT32_MAX,
                                       .instructions = 1,
                                       .bytes = 4,
                                       .kind = ACCESS_READ});
}

/* --- what looks them up ------------------------------------------------------------------------
 */

/* Each page of an access once, hits in L1 too; or of what misses L1 alone. */
TEST(what_is_looked_up)
{
    OWNED(machine) *machine = machine_of(1);
    OWNED(synthetic) *s = synthetic_create("lookups");
    synthetic_kernel(s, "k", 1, 1);
    strided(s, PAGE);                        /* 32 pages */
    strided(s, LINE);                        /* one page; its first line is in L1 */
    synthetic_lane(s, 0, 0, ACCESS_READ, 0); /* in L1 */
    synthetic_lane(s, 0, 0, ACCESS_WRITE, 0);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    check_relative(field(profile, "near", LEVEL_LOOKUPS), 32 + 1 + 1 + 1, 0);
    struct simulate_gpu_result *r = run(machine, s);
    assert_int_equal(r->tlbs[0].lookups, 35);
    simulate_gpu_result_destroy(r);
    check_set(machine, "translation.of", "misses");
    OWNED(profile) *behind = check_profile(&s->source, machine, false);
    check_relative(field(behind, "near", LEVEL_LOOKUPS), 32 + 1 + 1, 0);
    r = run(machine, s);
    assert_int_equal(r->tlbs[0].lookups, 34);
    simulate_gpu_result_destroy(r);
}

/* Two warps at once: one walk, for which both wait. */
TEST(one_walk_for_a_page)
{
    OWNED(machine) *machine = machine_of(1);
    OWNED(synthetic) *s = synthetic_create("together");
    synthetic_kernel(s, "k", 1, 2);
    synthetic_lane(s, 0, 0, ACCESS_READ, 0);
    synthetic_lane(s, 0, 1, ACCESS_READ, LINE);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    check_relative(field(profile, "near", LEVEL_HITS), 1, 0);
    check_relative(field(profile, "near", LEVEL_MERGES), 1, 0);
    check_relative(field(profile, "far", LEVEL_CHAIN), 1, 0); /* either is as long as the other */
    struct simulate_gpu_result *r = run(machine, s);
    assert_int_equal(r->walks, 1);
    /* Both set out together, behind the first one's walk: the second is a line of memory later. */
    check_relative(r->kernel_time_s * 1e9, READ + NEAR + FAR + WALK + 4, 1e-9);
    simulate_gpu_result_destroy(r);
}

/* What stays from launch to launch. */
TEST(launches_keep_translations)
{
    OWNED(machine) *machine = machine_of(1);
    OWNED(synthetic) *s = synthetic_create("launches");
    for (int launch = 0; launch < 2; launch++) {
        synthetic_kernel(s, "k", 1, 1);
        synthetic_lane(s, 0, 0, ACCESS_READ, (uint64_t)launch * LINE);
    }
    struct simulate_gpu_result *r = run(machine, s);
    check_relative(r->launches[0].time_s * 1e9, READ + NEAR + FAR + WALK, 1e-9);
    check_relative(r->launches[1].time_s * 1e9, READ + NEAR, 1e-9);
    simulate_gpu_result_destroy(r);
}

/* --- walkers -------------------------------------------------------------------------------------
 */

/* 64 warps, 4 pages each: 256 walks, k at a time. */
TEST(walkers_limit)
{
    static const struct {
        const char *walkers;
        double at_once;
    } cases[] = {{"1", 1}, {"4", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = machine_of(1);
        check_set(machine, "translation.walkers", cases[i].walkers);
        check_set(machine, "far.entries", "4");
        OWNED(synthetic) *s = strangers(64, 4);
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        double want = 256 * WALK / cases[i].at_once, bound = 256 * 400 / cases[i].at_once;
        check_relative(predicted("bottleneck", machine, profile) * 1e9, bound, 1e-9);
        check_relative(predicted("network", machine, profile) * 1e9, want, 0.1);
        struct simulate_gpu_result *r = run(machine, s);
        check_relative(r->kernel_time_s * 1e9, want, 0.1);
        assert_int_equal(r->walks, 256);
        simulate_gpu_result_destroy(r);
    }
}

/* A TLB with one MSHR has one miss under way: walks one behind another, whatever the walkers. */
TEST(tlbs_stop)
{
    OWNED(machine) *machine = machine_of(1);
    check_set(machine, "translation.walkers", "64");
    check_set(machine, "near.mshrs", "2");
    OWNED(synthetic) *s = strangers(64, 4);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    double want = 256 * (NEAR + FAR + WALK) / 2.0;
    struct simulate_gpu_result *r = run(machine, s);
    check_relative(r->kernel_time_s * 1e9, want, 0.1);
    check_relative(work_of(r, "near mshrs"), want, 0.1);
    simulate_gpu_result_destroy(r);
    check_relative(predicted("network", machine, profile) * 1e9, want, 0.1);
}

/* --- where tables are ----------------------------------------------------------------------------
 */

static double remote_walks(const struct profile *profile)
{
    return profile->views[0].records[0].fields[FIELD_WALKS_REMOTE];
}

/* Two chips: blocks 0 and 1 are theirs, all pages are where they are touched first. */
TEST(tables_of_others)
{
    OWNED(machine) *machine = machine_of(2);
    OWNED(synthetic) *s = strangers(2, 1);
    OWNED(profile) *local = check_profile(&s->source, machine, false);
    check_relative(remote_walks(local), 0, 0);
    check_set(machine, "translation.tables", "chip");
    OWNED(profile) *fixed = check_profile(&s->source, machine, false);
    check_relative(remote_walks(fixed), 1, 0);
    /* Each of two reads of chip 1 crosses a link there and back: 4 * 30 ns, and 2 ns for each entry
     * of 32 B on 16 GB/s. */
    struct simulate_gpu_result *r = run(machine, s);
    check_relative(r->kernel_time_s * 1e9, READ + NEAR + FAR + WALK + 4 * 30 + 2 * 2, 1e-9);
    check_relative(work_of(r, "inter") * 2, 2 * 2, 1e-9);
    simulate_gpu_result_destroy(r);
    /* One set of walkers at chip 0, which also has the tables: the walk goes there. Chip 1's waits
     * for the walker, which chip 0's has. */
    check_set(machine, "translation.scope", "system");
    OWNED(profile) *shared = check_profile(&s->source, machine, false);
    check_relative(remote_walks(shared), 1, 0);
    r = run(machine, s);
    check_relative(r->kernel_time_s * 1e9, READ + NEAR + FAR + 2 * WALK + 30 + 2, 1e-9);
    check_relative(work_of(r, "walkers"), 2 * WALK, 1e-9);
    simulate_gpu_result_destroy(r);
}

/* --- machines ------------------------------------------------------------------------------------
 */

TEST(order_and_errors)
{
    struct machine_tlbs tlbs;
    OWNED(machine) *machine =
        check_machine("machine: t\nchips: 2\nsm: {per_chip: 4}\nllc: {organisation: memory-side, "
                      "capacity: 64 KiB}\n"
                      "outer: {contents: translations, scope: chip, entries: 8}\n"
                      "inner: {contents: translations, entries: 8}\n");
    check_ok(machine_tlbs(machine, &tlbs, &failure));
    assert_int_equal(tlbs.n, 2);
    assert_string_equal(tlbs.names[0], "inner");
    struct system system;
    check_set(machine, "translation.chip", "2");
    check_error(system_compile(&system, machine, 0, &failure), STATUS_INPUT,
                "there is no chip 2 among 2");
    check_set(machine, "translation.chip", "1");
    check_set(machine, "inner.entries", "65");
    check_error(system_compile(&system, machine, SYSTEM_STREAM, &failure), STATUS_INPUT,
                "inner.entries: 65 do not form sets of 64");
    check_set(machine, "inner.entries", "64");
    check_set(machine, "inner.scope", "cluster");
    check_error(system_compile(&system, machine, SYSTEM_STREAM, &failure), STATUS_UNKNOWN_FIELD,
                "sm.clusters");
}

/* A figure from load to use is of pages that the first TLB knows: its lookup is not counted twice.
 */
TEST(figures_from_load_to_use)
{
    double step;
    OWNED(machine) *machine = machine_of(1);
    check_ok(latency_seconds(machine, "llc.latency", &step, &failure));
    check_relative(step * 1e9, 20, 1e-12);
    check_set(machine, "llc.latency_is", "load-to-use");
    check_set(machine, "llc.latency",
              "42 ns"); /* 10 of L1, 2 of the TLB, twice 5 of the crossbar */
    check_ok(latency_seconds(machine, "llc.latency", &step, &failure));
    check_relative(step * 1e9, 20, 1e-12);
}

/* A model that knows nothing of walks says so. */
TEST(models_that_do_not_count_walks_warn)
{
    OWNED(machine) *machine = machine_of(1);
    OWNED(synthetic) *s = chase(8, 2);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *eab = check_answer("eab", machine, &profile->views[0]);
    assert_non_null(strstr(eab->result.warnings[0], "page walks"));
    OWNED(answer) *bound = check_answer("bottleneck", machine, &profile->views[0]);
    assert_int_equal(bound->result.n_warnings, 0);
}
