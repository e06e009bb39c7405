/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches of which a part is skimmed: what is known of all, what stands for what was not counted,
 * and how far off that is. */
#include "profile_check.h"
#include "workload_check.h"

#include "core/memory.h"
#include "machine/system.h"
#include "profile/curves/distances.h"
#include "profile/files/open.h"
#include "profile/run/profiler.h"
#include "workload/open/spec.h"
#include "workload/workload.h"

static const char machine_text[] = "machine: four\n"
                                   "chips: 4\n"
                                   "sm: {per_chip: 4, warps: 16, threads: 512}\n"
                                   "l1: {capacity: 4 KiB}\n"
                                   "llc: {capacity: 256 KiB, ways: 8, slices: 4}\n";

enum { CAPACITIES = 8 };

/* Fields of all records together; hits and write-backs of LLCs of 256 lines, 512, ... */
struct run {
    double requests, reads, local, remote, l1_reads, l1_hits, lines, written, accesses,
        instructions;
    double chain_waits, chain_remote, chain_instructions, ends_write, last, behind_write;
    double hits[2][CAPACITIES], home[2][CAPACITIES];
    double hits_half[2][CAPACITIES], home_half[2][CAPACITIES]; /* that they may be off by */
    double footprint, shared, within, skimmed;
};

static void add_curve(struct run *run, const struct profile_record *r, int side)
{
    const struct profile_curve *all =
        profile_curve_find(r, "chip", side ? "requester" : "home", "all");
    for (int k = 0; k < CAPACITIES; k++) {
        double lines = 256 << k;
        double requests = (double)all->curve.requests;
        run->hits[side][k] += requests * (1 - curve_miss_ratio_full(&all->curve, lines));
        if (all->misses_skimmed.n_points)
            run->hits_half[side][k] += interval_at(&all->misses_skimmed, lines);
        if (all->written_skimmed.n_points)
            run->home_half[side][k] += interval_at(&all->written_skimmed, lines);
        const struct curve *evicted = &all->parts[CURVE_EVICTED];
        if (evicted->requests)
            run->home[side][k] += (double)evicted->requests * curve_miss_ratio_full(evicted, lines);
    }
}

static struct run run_of_view(const struct profile_view *view)
{
    struct run run = {0};
    for (size_t i = 0; i < view->n_records; i++) {
        const struct profile_record *r = &view->records[i];
        const double *f = r->fields;
        run.requests += f[FIELD_REQUESTS];
        run.reads += f[FIELD_READS];
        run.local += f[FIELD_REQUESTS] * f[FIELD_R_LOCAL];
        run.remote += f[FIELD_HOME_REMOTE_REQUESTS];
        run.l1_reads += f[FIELD_L1_READS];
        run.l1_hits += f[FIELD_L1_READ_HITS];
        run.lines += f[FIELD_LINES];
        run.written += f[FIELD_WRITTEN];
        run.accesses += f[FIELD_LINE_ACCESSES];
        run.instructions += f[FIELD_WARP_INSTRUCTIONS];
        run.chain_waits += f[FIELD_CHAIN_WAITS];
        run.chain_remote += f[FIELD_CHAIN_REMOTE];
        run.chain_instructions += f[FIELD_CHAIN_INSTRUCTIONS];
        run.ends_write += f[FIELD_CHAIN_ENDS_WRITE];
        run.last += f[FIELD_CHAIN_LAST];
        run.behind_write += f[FIELD_BEHIND_WRITE];
        add_curve(&run, r, 0);
        add_curve(&run, r, 1);
    }
    run.footprint = view->sharing.footprint_bytes;
    run.shared = view->sharing.truly_shared_bytes;
    run.within = view->settled_within;
    run.skimmed = view->skimmed;
    return run;
}

/* Of beginnings of launches a head has the longest, 256 Ki requests: it is shorter without them. */
static unsigned parts = PART_WAITS;

static struct profile *make(const char *set, const struct source *source, double error, double rate,
                            int threads)
{
    OWNED(machine) *machine = check_machine(machine_text);
    struct profile *profile = profile_create();
    struct profile_options options = {.effort = {.error = error, .sample_rate = rate},
                                      .parts = parts,
                                      .threads = threads,
                                      .few_lines = true};
    if (set)
        check_set(machine, set, strchr(set, '\0') + 1);
    check_ok(profile_make(profile, source, machine, &options, &failure));
    return profile;
}

static struct run run_on(const char *set, const struct source *source, double error)
{
    OWNED(profile) *profile = make(set, source, error, 0, 1);
    return run_of_view(&profile->views[0]);
}

static struct source *nest(const char *arrays, const char *kernel)
{
    struct text text = {0};
    struct source *source;
    text_printf(&text,
                "workload: t\nsummary: s\nparameters: {n: 64}\ninputs: {small: {}}\n"
                "arrays:\n%s\nkernels:\n%s",
                arrays, kernel);
    check_ok(workload_open_text(text.data, "", &source, &failure));
    text_free(&text);
    return source;
}

/* What every stretch tells is exact. */
static void check_known(const struct run *some, const struct run *all)
{
    assert_true(all->skimmed == 0 && all->within == 0);
    assert_true(some->skimmed > 0.2 && some->skimmed < 1);
    assert_true(some->accesses == all->accesses);
    assert_true(some->instructions == all->instructions);
    assert_true(some->lines == all->lines && some->written == all->written);
    assert_true(some->footprint == all->footprint && some->shared == all->shared);
}

/* Each line is read and written once: nothing hits anywhere, all that is read is cold, and a warp
 * waits for each of its loads. All blocks are alike, so that what stands for others is exact but
 * for where stretches end. */
TEST(test_stream)
{
    OWNED(source) *source =
        nest("  A: {shape: [16777216], type: f32}\n",
             "  - {name: k, grid: 4096, block: 64, body: [{for: i in 0..n, body: ["
             "{load: \"A[4096*bx + 64*i + tx]\"}, {store: \"A[4096*bx + 64*i + tx]\"}]}]}\n");
    parts = PART_WAITS | PART_WINDOW;
    struct run all = run_on(NULL, source, 0), some = run_on(NULL, source, 0.01);
    parts = PART_WAITS;
    check_known(&some, &all);
    check_relative(some.requests, all.requests, 0.002);
    check_relative(some.reads, all.reads, 0.002);
    check_relative(some.chain_waits, all.chain_waits, 0.01);
    check_relative(some.chain_instructions, all.chain_instructions, 0.01);
    assert_true(some.ends_write == all.ends_write && some.last == all.last);
    check_relative(some.behind_write, all.behind_write, 0.01);
    assert_true(some.within < 0.01);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < CAPACITIES; k++) {
            assert_true(fabs(some.hits[side][k] / some.requests -
                             all.hits[side][k] / all.requests) < 0.002);
            check_relative(some.home[side][k], all.home[side][k], 0.02);
        }
}

/* Half of the SMs have three blocks, others two: all end at the same time, since warps wait for
 * what they ask for. Then blocks that end after an eighth, beside others: what is left when they
 * have is skimmed as well. */
TEST(test_uneven)
{
    static const char *const lengths[] = {"128*n", "if(bx % 2, 128*n, 16*n)"};
    for (int i = 0; i < 2; i++) {
        struct text kernel = {0};
        text_printf(&kernel,
                    "  - {name: k, grid: 40, block: 128, body: [{for: \"i in 0..%s\", body: ["
                    "{load: \"A[1048576*bx + 128*i + tx]\"}]}]}\n",
                    lengths[i]);
        OWNED(source) *source = nest("  A: {shape: [41943040], type: f32}\n", kernel.data);
        text_free(&kernel);
        struct run all = run_on(NULL, source, 0), some = run_on(NULL, source, 0.01);
        check_known(&some, &all);
        assert_true(some.skimmed > (i ? 0.6 : 0.7));
        check_relative(some.requests, all.requests, 0.002);
        check_relative(some.chain_waits, all.chain_waits, 0.01);
        assert_true(some.within < 0.01);
    }
}

/* Blocks read a line a warp when they begin, write one when they end, and a table all the while,
 * which L1s hold: few stretches see the one or the other, but all of them are known. */
TEST(test_bursts)
{
    OWNED(source) *source = nest(
        "  A: {shape: [131072], type: f32}\n  B: {shape: [131072], type: f32}\n"
        "  T: {shape: [32], type: f32}\n",
        "  - {name: k, grid: 1024, block: 128, body: [{load: \"A[128*bx + tx]\"}, "
        "{for: i in 0..16*n, body: [{load: \"T[tx % 32]\"}]}, {store: \"B[128*bx + tx]\"}]}\n");
    struct run all = run_on(NULL, source, 0), some = run_on(NULL, source, 0.01);
    check_known(&some, &all);
    assert_true(some.skimmed > 0.5);
    assert_true(all.reads > 4096 && all.requests - all.reads == 4096);
    check_relative(some.requests - some.reads, 4096, 0.01);
    check_relative(some.reads, all.reads, 0.02);
    for (int side = 0; side < 2; side++)
        check_relative(some.requests - some.hits[side][CAPACITIES - 1],
                       all.requests - all.hits[side][CAPACITIES - 1], 0.005);
}

/* All warps go through an array that no L1 holds for a tenth of the launch, and then for every
 * eighth access, with a table that all hold for the others. Where a launch begins more of it is
 * counted than of the rest, and a stretch stands for its cycle alone: if each stood for as much as
 * others, three quarters more reads would pass L1. */
TEST(test_beginning)
{
    OWNED(source) *source = nest(
        "  A: {shape: [65536], type: f32}\n",
        "  - {name: k, grid: 64, block: 128, body: [{for: i in 0..128*n, body: ["
        "{load: \"A[if(if(i < 13*n, 0, i % 8), tx % 32, (128*i + 1024*bx + tx) % 65536)]\"}]}]}\n");
    struct run all = run_on(NULL, source, 0), some = run_on(NULL, source, 0.01);
    check_known(&some, &all);
    assert_true(all.reads > 0.18 * all.accesses && all.reads < 0.22 * all.accesses);
    check_relative(some.reads, all.reads, 0.15);
    assert_true(fabs(some.l1_hits / some.l1_reads - all.l1_hits / all.l1_reads) < some.within);
}

/* L1s miss more and more: the head goes on to the end. */
TEST(test_unsteady)
{
    OWNED(source) *source =
        nest("  A: {shape: [65536], type: f32}\n",
             "  - {name: k, grid: 16, block: 128, body: [{for: i in 0..128*n, body: ["
             "{load: \"A[if(i % 64 < i / 128, (128*i + tx) % 65536, tx % 32)]\"}]}]}\n");
    struct run some = run_on(NULL, source, 0.01);
    assert_true(some.reads > some.accesses / 4 && some.reads < some.accesses * 3 / 4);
    assert_true(some.skimmed == 0);
}

/* Blocks of one wave write when they end, which no stretch that is counted sees, each line twice:
 * what they never asked for, so that half are first requests, and what they read in the head. */
TEST(test_end)
{
    static const char *const written[] = {"B", "A"};
    for (int i = 0; i < 2; i++) {
        struct text kernel = {0};
        text_printf(&kernel,
                    "  - {name: k, grid: 16, block: 128, body: [{for: i in 0..256*n, body: ["
                    "{load: \"A[128*bx + tx]\"}]}, {store: \"%s[128*bx + tx]\"}, "
                    "{store: \"%s[128*bx + tx]\"}]}\n",
                    written[i], written[i]);
        OWNED(source) *source = nest(
            "  A: {shape: [65536], type: f32}\n  B: {shape: [2048], type: f32}\n", kernel.data);
        text_free(&kernel);
        struct run all = run_on(NULL, source, 0), some = run_on(NULL, source, 0.01);
        check_known(&some, &all);
        assert_true(all.requests - all.reads == 128);
        assert_true(some.requests - some.reads == 128);
        assert_true(all.local + all.remote == all.requests);
        assert_true(some.local + some.remote == some.requests);
        for (int side = 0; side < 2; side++)
            assert_true(some.home[side][0] == all.home[side][0]);
    }
}

/* L1s hit, so that no window is full when the head ends: it has what there is by then. */
TEST(test_windows)
{
    OWNED(source) *source =
        nest("  A: {shape: [65536], type: f32}\n",
             "  - {name: k, grid: 512, block: 64, body: [{for: i in 0..64*n, body: ["
             "{load: \"A[64*bx + tx]\"}]}]}\n");
    parts = PART_WAITS | PART_WINDOW;
    OWNED(profile) *profile = make(NULL, source, 0.01, 0, 1);
    parts = PART_WAITS;
    const struct profile_view *view = &profile->views[0];
    assert_true(view->skimmed > 0.5 && view->n_records == 1);
    const struct profile_record *record = &view->records[0];
    const double *whole = record->fields;
    const double *longest = record->prefixes[record->n_prefixes - 1].fields;
    assert_true(whole[FIELD_REQUESTS] < 262144);
    assert_true(longest[FIELD_LINE_ACCESSES] < whole[FIELD_LINE_ACCESSES] / 2);
    assert_true(longest[FIELD_REQUESTS] > 0 && longest[FIELD_REQUESTS] <= whole[FIELD_REQUESTS]);
}

static bool is_within(double some, double all, double half, double *beyond)
{
    *beyond = fmax(*beyond, fabs(some - all) - half);
    return fabs(some - all) <= half;
}

/* Of hits and write-backs, shares of the requests, so many are within their intervals; none is
 * beyond by two points. Intervals are narrow where nothing changes any more. */
static void check_intervals(const struct run *some, const struct run *all, int least)
{
    double beyond = 0;
    int within = 0;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < CAPACITIES; k++) {
            double hits_half = some->hits_half[side][k] / some->requests;
            double home_half = some->home_half[side][k] / some->requests;
            assert_true(hits_half > 0 && home_half > 0);
            assert_true(all->hits_half[side][k] == 0 && all->home_half[side][k] == 0);
            within += is_within(some->hits[side][k] / some->requests,
                                all->hits[side][k] / all->requests, hits_half, &beyond);
            within += is_within(some->home[side][k] / some->requests,
                                all->home[side][k] / all->requests, home_half, &beyond);
        }
        assert_true(some->home_half[side][CAPACITIES - 1] < 0.01 * some->requests);
    }
    assert_true(within >= least && beyond < 0.02);
}

/* A launch of waves, whose warps go through a matrix that all read, one of their own and sums that
 * they write in each step; one with a tail, in which few warps go on for as long as all did before:
 * counts, and the chain of waits. What L1s hit hangs on warps going in step, which they do whether
 * they are skimmed or not; some that missed turns, as others ended, had 7 % more requests in the
 * latter. Pages go round: whose they are is as in the first wave in all others. */
static void check_product(const char *workload, int within)
{
#if defined __SANITIZE_THREAD__ || CHECK_SANITIZER(thread_sanitizer)
    skip(); /* one thread, for long */
#endif
    if (getenv("BANDSCAPE_VALGRIND"))
        skip();
    static const char set[] = "page.policy\0interleave";
    OWNED(source) *source = check_source(workload);
    struct run all = run_on(set, source, 0), some = run_on(set, source, 0.01);
    check_known(&some, &all);
    check_relative(some.requests, all.requests, 0.02);
    check_relative(some.l1_reads, all.l1_reads, 0.005);
    /* What is stated holds; requests are off by as many of their own as L1s miss more. */
    assert_true(some.within > 0.005 && some.within < 0.02);
    check_relative(some.requests, all.requests, some.within * all.l1_reads / all.requests);
    assert_true(fabs(some.l1_hits / some.l1_reads - all.l1_hits / all.l1_reads) < some.within);
    assert_true(fabs(some.remote / some.requests - all.remote / all.requests) < 0.01);
    check_relative(some.chain_waits, all.chain_waits, 0.02);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < CAPACITIES; k++) {
            assert_true(
                fabs(some.hits[side][k] / some.requests - all.hits[side][k] / all.requests) < 0.03);
            assert_true(
                fabs(some.home[side][k] / some.requests - all.home[side][k] / all.requests) < 0.03);
        }
    check_intervals(&some, &all, within);
}

TEST(test_waves)
{
    check_product("gemm:ni=256,nj=256,nk=1024", 31);
}

TEST(test_tail)
{
    check_product("gemm:ni=320,nj=256,nk=1024", 31);
}

/* Lines that are not in the sample are left out where launches are skimmed: how many there are, and
 * who shares them, follows from those that are, and so does which of them were asked for while they
 * were left out. */
TEST(test_sampled)
{
    OWNED(source) *source = check_source("gemm:ni=256,nj=256,nk=512");
    OWNED(profile) *exact = make(NULL, source, 0, 0, 1), *sampled = make(NULL, source, 0.3, 0, 1);
    struct run all = run_of_view(&exact->views[0]), some = run_of_view(&sampled->views[0]);
    assert_true(sampled->views[0].sample_rate < 1 && some.skimmed > 0.2);
    check_relative(some.footprint, all.footprint, 0.02);
    check_relative(some.shared, all.shared, 0.02);
    check_relative(some.lines, all.lines, 0.02);
    check_relative(some.requests, all.requests, 0.01);
    check_relative(some.l1_reads, all.l1_reads, 0.005);
    assert_true(fabs(some.l1_hits / some.l1_reads - all.l1_hits / all.l1_reads) < 0.005);
}

/* The same bytes for any number of threads. */
TEST(test_threads)
{
    OWNED(source) *source = check_source("gemm:ni=256,nj=256,nk=320");
    struct text first = {0};
    for (int threads = 1; threads <= 3; threads++) {
        OWNED(profile) *profile = make(NULL, source, 0.01, 0, threads);
        struct text now = {0};
        assert_true(profile->views[0].skimmed > 0.1);
        profile_print(profile, &now);
        if (threads == 1)
            text_append(&first, now.data);
        assert_string_equal(first.data, now.data);
        text_free(&now);
    }
    text_free(&first);
}

/* Views that would go together are what each is by itself: stretches are of one's own counts. */
TEST(test_together)
{
    OWNED(source) *source = check_source("gemm:ni=256,nj=256,nk=320");
    OWNED(machine) *small = check_machine(machine_text), *large = check_machine(machine_text);
    struct profile_options options = {
        .effort = {.error = 0.02}, .parts = PART_WAITS, .threads = 2, .few_lines = true};
    check_set(large, "page.size", "64 KiB");
    check_settled_together(source, small, large, &options);
}

/* What is skimmed is in the file, and what reads it says so. */
TEST(test_file)
{
    OWNED(source) *source = check_source("gemm:ni=256,nj=256,nk=320");
    OWNED(profile) *profile = make(NULL, source, 0.01, 0, 1);
    struct text text = {0};
    char note[256];
    profile_print(profile, &text);
    struct profile *read;
    check_ok(profile_load(check_file("t.profile.yaml", text.data), &read, &failure));
    assert_true(read->views[0].skimmed == profile->views[0].skimmed);
    assert_true(read->views[0].settled_within == profile->views[0].settled_within);
    const struct profile_curve *a =
        profile_curve_find(&profile->views[0].records[0], "chip", "home", "all");
    const struct profile_curve *b =
        profile_curve_find(&read->views[0].records[0], "chip", "home", "all");
    assert_true(a->misses_skimmed.n_points > 1 && a->written_skimmed.n_points > 1);
    assert_true(interval_at(&a->misses_skimmed, 512) == interval_at(&b->misses_skimmed, 512));
    assert_true(interval_at(&a->written_skimmed, 512) == interval_at(&b->written_skimmed, 512));
    assert_true(read->views[0].requests_within == profile->views[0].requests_within);
    assert_true(profile_is_sampled(&read->views[0]) && read->views[0].requests_within > 0);
    assert_true(profile_sample_note(&read->views[0], note, sizeof note));
    assert_non_null(strstr(note, "% of the accesses skimmed"));
    profile_destroy(read);
    text_free(&text);
}

/* SMs that depend on each other, levels that would have to be warm, warps that never wait: all is
 * gone through, and counted. */
TEST(test_not_skimmed)
{
    static const char sets[][32] = {"l1.nodes\0002", "sm.scheduler\0lrr", "page.policy\0migration"};
    OWNED(source) *source = check_source("gemm:ni=256,nj=256,nk=512");
    assert_true(run_on(NULL, source, 0.01).skimmed > 0);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct run some = run_on(sets[i], source, 0.01);
        assert_true(some.skimmed == 0);
    }
}

/* Nor where the launch is over before its head is, or nobody grants an error. */
TEST(test_short)
{
    OWNED(source) *source = check_source("gemm:ni=256,nj=256,nk=8");
    struct run all = run_on(NULL, source, 0), some = run_on(NULL, source, 0.01);
    assert_true(some.skimmed == 0 && all.skimmed == 0 && some.requests == all.requests);
}

/* --- distances ---------------------------------------------------------------------- */

static void take(struct distances *d, uint32_t first, uint32_t n, uint8_t kind, unsigned flags)
{
    struct request requests[REQUEST_BATCH] = {{0}};
    for (uint32_t i = 0; i < n; i++)
        requests[i] = (struct request){.line = first + i,
                                       .id = first + i,
                                       .wanted = 1,
                                       .sectors = 1,
                                       .home_sectors = 1,
                                       .kind = kind,
                                       .flags = (uint8_t)flags};
    distances_take(d, requests, n);
}

static uint64_t below(const struct distances *d, enum distance_part part, uint64_t lines)
{
    uint64_t n = 0;
    for (uint32_t bin = 0; bin < distance_bin(lines); bin++)
        n += distances_counts(d)->parts[part].bins[bin];
    return n;
}

/* At the homes, of a launch whose head read 64 lines. */
static struct distances *begin_with_head(const struct machine *machine, struct system *system)
{
    struct cache_kind kind = {SCOPE_CHIP, SIDE_HOME, CACHE_ALL};
    check_ok(system_compile(system, machine, SYSTEM_STREAM, &failure));
    struct distances *d = distances_create(system, kind);
    distances_begin_launch(d);
    take(d, 0, 64, ACCESS_READ, 0);
    distances_stretch(d, DISTANCE_HEAD);
    return d;
}

/* 64 lines, over and over: cold in the head; written in a stretch that is left, which moves what
 * follows and is not counted; read twice in one that is, of which each stands for three. Lines that
 * were skimmed are asked for and no request. What was written leaves caches of less than 64 lines
 * in a stretch that is counted, once; its weight is three as well. */
TEST(test_distances)
{
    OWNED(machine) *machine = check_machine(machine_text);
    struct system system;
    struct distances *d = begin_with_head(machine, &system);
    distances_stretch(d, DISTANCE_LEAVE);
    take(d, 0, 64, ACCESS_WRITE, REQUEST_SKIMMED);
    take(d, 100, 32, ACCESS_READ, 0);
    distances_stretch(d, DISTANCE_GO_ON);
    take(d, 0, 64, ACCESS_READ, 0);
    take(d, 0, 64, ACCESS_READ, 0);
    distances_weigh(d, &(struct weights){3, 3, 3, 3, 1});
    const struct distance_histogram *reads = &distances_counts(d)->parts[DISTANCE_READS];
    assert_int_equal(reads->requests, 64 + 3 * 128);
    assert_int_equal(reads->cold, 64);
    assert_int_equal(below(d, DISTANCE_READS, 65), 3 * 64);
    assert_int_equal(below(d, DISTANCE_READS, 97), 3 * 128);
    assert_int_equal(below(d, DISTANCE_WRITES, 1024), 0);
    const struct distance_histogram *evicted = &distances_counts(d)->parts[DISTANCE_EVICTED];
    assert_int_equal(evicted->requests, 3 * 64);
    assert_int_equal(below(d, DISTANCE_EVICTED, 90), 0);
    assert_int_equal(distances_counts(d)->requests[0], 64 + 3 * 128);
    distances_destroy(d);
}

/* First requests are counted once each wherever they come, and stand for themselves. */
TEST(test_first_requests)
{
    OWNED(machine) *machine = check_machine(machine_text);
    struct system system;
    struct distances *d = begin_with_head(machine, &system);
    take(d, 100, 32, ACCESS_READ, REQUEST_FIRST);
    distances_stretch(d, DISTANCE_LEAVE);
    take(d, 200, 16, ACCESS_WRITE, REQUEST_SKIMMED | REQUEST_FIRST);
    take(d, 0, 8, ACCESS_READ, REQUEST_SKIMMED | REQUEST_FIRST);
    take(d, 8, 8, ACCESS_READ, REQUEST_SKIMMED);
    take(d, 300, 4, ACCESS_READ, REQUEST_FIRST);
    distances_stretch(d, DISTANCE_GO_ON);
    take(d, 300, 4, ACCESS_READ, 0);
    distances_weigh(d, &(struct weights){7, 7, 7, 7, 1});
    const struct distance_counts *counts = distances_counts(d);
    const struct distance_histogram *reads = &counts->parts[DISTANCE_READS];
    assert_int_equal(reads->cold, 64 + 32 + 4);
    assert_int_equal(reads->requests, 64 + 32 + 8 + 4 + 7 * 4);
    assert_int_equal(below(d, DISTANCE_READS, 8), 7 * 4);
    assert_int_equal(below(d, DISTANCE_READS, 256), 8 + 7 * 4);
    assert_int_equal(counts->parts[DISTANCE_WRITES].cold, 16);
    assert_int_equal(counts->requests[0], reads->requests + 16);
    assert_int_equal(counts->cold[0], 64 + 32 + 4 + 16);
    distances_destroy(d);
}

/* What was counted before the first cycle stands for itself once that was counted. */
TEST(test_longer_head)
{
    OWNED(machine) *machine = check_machine(machine_text);
    struct system system;
    struct distances *d = begin_with_head(machine, &system);
    take(d, 0, 64, ACCESS_READ, 0);
    distances_stretch(d, DISTANCE_LEAVE);
    take(d, 0, 64, ACCESS_READ, REQUEST_SKIMMED);
    take(d, 0, 32, ACCESS_READ, 0);
    distances_stretch(d, DISTANCE_GO_ON);
    take(d, 0, 16, ACCESS_READ, 0);
    distances_stretch(d, DISTANCE_LONGER);
    distances_weigh(d, &(struct weights){5, 5, 5, 5, 1});
    const struct distance_histogram *reads = &distances_counts(d)->parts[DISTANCE_READS];
    assert_int_equal(reads->requests, 64 + 64 + 5 * 16);
    assert_int_equal(reads->cold, 64);
    assert_int_equal(below(d, DISTANCE_READS, 1024), 64 + 5 * 16);
    assert_int_equal(distances_counts(d)->requests[0], 64 + 64 + 5 * 16);
    distances_destroy(d);
}

/* Of what was counted a part does not count, as with less of it; writes of which none was counted
 * are requests for what was just asked for. */
TEST(test_thinned)
{
    OWNED(machine) *machine = check_machine(machine_text);
    struct system system;
    struct distances *d = begin_with_head(machine, &system);
    distances_stretch(d, DISTANCE_LEAVE);
    take(d, 0, 64, ACCESS_READ, REQUEST_SKIMMED);
    distances_stretch(d, DISTANCE_GO_ON);
    take(d, 0, 64, ACCESS_READ, 0);
    distances_thin(d, 0.75);
    distances_stretch(d, DISTANCE_LEAVE);
    take(d, 0, 8, ACCESS_READ, 0);
    distances_stretch(d, DISTANCE_GO_ON);
    take(d, 0, 8, ACCESS_READ, 0);
    distances_weigh(d, &(struct weights){5, 5, 5, 5, 1, .unseen = 3});
    const struct distance_histogram *part = distances_counts(d)->parts;
    assert_int_equal(part[DISTANCE_READS].requests, 64 + 5 * (16 + 8));
    assert_int_equal(part[DISTANCE_READS].cold, 64);
    assert_int_equal(below(d, DISTANCE_READS, 9), 5 * 8);
    assert_int_equal(part[DISTANCE_WRITES].requests, 3);
    assert_int_equal(below(d, DISTANCE_WRITES, 1), 3);
    assert_int_equal(distances_counts(d)->requests[0], 64 + 5 * (16 + 8) + 3);
    distances_destroy(d);
}
