/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The request-level simulation beside calculation by hand, bounds, and the profiler's counts. */
#include "profile_check.h"

#include "explore/answer/referee.h"
#include "profile/record/llc_hit.h"
#include "workload/workload.h"

/* One SM a chip at 1 GHz. A line of 128 B takes 2 ns on a crossbar, 1 ns in a slice, 4 ns of
 * memory, 8 ns on an edge; latencies: L1 10 ns, crossbar 5, slice 20, memory 100, edge 30. */
#define MACHINE                                                                                    \
    "machine: t\nchips: %d\nline: 128 B\ncoherence: software\n"                                    \
    "sm: {per_chip: 1, clock: 1 GHz, warps: 64, ctas: 64, scheduler: lrr}\n"                       \
    "l1: {capacity: 16 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"                                 \
    "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"                     \
    "      bandwidth: 128 GB/s, latency: 20 ns}\n"                                                 \
    "noc: {bandwidth: 64 GB/s, latency: 5 ns}\n"                                                   \
    "inter: {topology: fully-connected, link_bandwidth: 16 GB/s, latency: 30 ns}\n"                \
    "memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}\n"                                 \
    "page: {size: 4 KiB, policy: interleave, interleave: 128 B}\ncta: {policy: distributed}\n"

enum { LINE = 128 };

static struct machine *machine_of(int chips)
{
    char text[2048];
    snprintf(text, sizeof text, MACHINE, chips);
    return check_machine(text);
}

static struct simulate_gpu_result *run(const struct machine *machine, const struct synthetic *s,
                                       const struct simulate_gpu_options *options)
{
    struct simulate_gpu_result *result;
    struct simulate_gpu_options usual = referee_options(1000000);
    check_ok(simulate_gpu(machine, &s->source, options ? options : &usual, &result, &failure));
    return result;
}

static const struct simulate_station *station_of(const struct simulate_gpu_result *r,
                                                 const char *name)
{
    for (size_t i = 0; i < r->n_stations; i++)
        if (strcmp(r->stations[i].name, name) == 0)
            return &r->stations[i];
    fail_msg("no station \"%s\"", name);
    return NULL;
}

/* All that edges did: seconds. */
static double edge_work(const struct simulate_gpu_result *r, int edges)
{
    return station_of(r, "inter")->utilisation * edges * r->time_s;
}

/* So many blocks of one warp, each of which makes one access to a line of its own, `stride`
 * lines apart. */
static struct synthetic *blocks(int n, uint8_t kind, uint64_t first, uint64_t stride)
{
    struct synthetic *s = synthetic_create("blocks");
    synthetic_kernel(s, "k", (uint32_t)n, 1);
    for (int i = 0; i < n; i++)
        synthetic_lane(s, (uint64_t)i, 0, kind, (first + (uint64_t)i * stride) * LINE);
    return s;
}

static void check_time(const struct machine *machine, struct synthetic *s,
                       const struct simulate_gpu_options *options, double want_ns)
{
    struct simulate_gpu_result *r = run(machine, s, options);
    assert_true(r->whole);
    check_relative(r->kernel_time_s * 1e9, want_ns, 1e-6);
    simulate_gpu_result_destroy(r);
    source_destroy(&s->source);
}

TEST(test_one_read)
{
    OWNED(machine) *machine = machine_of(1);
    struct simulate_gpu_options hit = referee_options(10), l1 = hit;
    hit.llc_hit_rate = l1.l1_hit_rate = 1;
    /* Issue, L1, crossbar, slice, memory, crossbar. */
    check_time(machine, blocks(1, ACCESS_READ, 0, 1), NULL, 1 + 10 + 5 + 21 + 104 + 7);
    check_time(machine, blocks(1, ACCESS_READ, 0, 1), &hit, 1 + 10 + 5 + 21 + 7);
    check_time(machine, blocks(1, ACCESS_READ, 0, 1), &l1, 1 + 10);
    /* An atomic carries its data there: 2 ns on the way to the slice, none back. It leaves the line
     * dirty, which the end of the run writes home. */
    check_time(machine, blocks(1, ACCESS_ATOMIC, 0, 1), NULL, 1 + 10 + 7 + 21 + 104 + 5 + 104);
}

/* Two stations: memory serves a line in 4 ns, the SM issues one a ns. */
TEST(test_saturation)
{
    OWNED(machine) *machine = machine_of(1);
    check_time(machine, blocks(64, ACCESS_READ, 0, 1), NULL, 1 + 10 + 5 + 21 + 64 * 4 + 100 + 7);
    /* All hit: the crossbar's replies are the slowest. */
    struct simulate_gpu_options hit = referee_options(100);
    hit.llc_hit_rate = 1;
    check_time(machine, blocks(64, ACCESS_READ, 0, 1), &hit, 1 + 10 + 5 + 21 + 64 * 2 + 5);
    /* Every second one: half the misses wait behind each other. */
    hit.llc_hit_rate = 0.5;
    check_time(machine, blocks(64, ACCESS_READ, 0, 1), &hit, 1 + 10 + 5 + 21 + 32 * 4 + 100 + 7);
}

TEST(test_mshrs)
{
    OWNED(machine) *machine = machine_of(1);
    check_set(machine, "l1.mshrs", "1");
    check_time(machine, blocks(4, ACCESS_READ, 0, 1), NULL, 1 + 4 * 147);
    check_set(machine, "l1.mshrs", "64");
    check_set(machine, "l1.write_buffer", "1");
    /* A write: 7 to the slice, 21 there, 5 back; then four dirty lines home. */
    check_time(machine, blocks(4, ACCESS_WRITE, 0, 1), NULL, 1 + 4 * 33 + 4 * 4 + 100);
    /* One warp at a time. */
    check_set(machine, "sm.warps", "1");
    check_time(machine, blocks(4, ACCESS_READ, 0, 1), NULL, 4 * 148);
}

/* A line that is on its way is waited for, in L1 and in a slice: one message, one fetch. */
TEST(test_merging)
{
    struct machine *machine = machine_of(1);
    struct synthetic *s = blocks(8, ACCESS_READ, 5, 0);
    struct simulate_gpu_result *r = run(machine, s, NULL);
    assert_int_equal(r->requests, 1);
    check_relative(r->kernel_time_s, 148e-9, 1e-6);
    check_relative(r->share[ORIGIN_L1], 7.0 / 8, 1e-12);
    simulate_gpu_result_destroy(r);
    source_destroy(&s->source);
    machine_destroy(machine);
    machine = machine_of(2); /* an SM a chip; the line's home is chip 1 */
    s = blocks(2, ACCESS_READ, 1, 0);
    r = run(machine, s, NULL);
    assert_int_equal(r->requests, 2);
    check_relative(r->llc_hit_rate, 0.5, 1e-12);
    check_relative(r->r_local, 0.5, 1e-12);
    /* Of the two, that of chip 0 was first to ask; the other one waits for its line. */
    check_relative(r->kernel_time_s, 51e-9 + 125e-9 + 52e-9, 1e-6);
    simulate_gpu_result_destroy(r);
    source_destroy(&s->source);
    machine_destroy(machine);
}

static bool always(void *context, size_t launch, const struct stream_kernel *kernel)
{
    (void)context;
    (void)launch;
    (void)kernel;
    return true;
}

TEST(test_remote)
{
    OWNED(machine) *machine = machine_of(2);
    struct simulate_gpu_options other = referee_options(10);
    other.choose = always;
    /* Two crossbars and an edge, there and back. */
    double there = 1 + 10 + 5 + 30 + 5, back = 7 + 38 + 7;
    check_time(machine, blocks(1, ACCESS_READ, 1, 1), NULL, there + 21 + 104 + back);
    /* SM-side misses go past the crossbars; SAC's share them. */
    check_set(machine, "llc.organisation", "sm-side");
    double own = 1 + 10 + 5 + 21 + 30 + 104 + 38 + 7;
    check_time(machine, blocks(1, ACCESS_READ, 1, 1), NULL, own);
    check_set(machine, "llc.organisation", "sac");
    check_time(machine, blocks(1, ACCESS_READ, 1, 1), &other, own + 2 * 5 + 2 * 7);
    check_time(machine, blocks(1, ACCESS_READ, 1, 1), NULL, there + 21 + 104 + back);
    /* A part of the ways stands before the home's slices. */
    check_set(machine, "llc.organisation", "static");
    check_time(machine, blocks(1, ACCESS_READ, 1, 1), NULL, own + 2 * 5 + 2 * 7 + 21);
    check_time(machine, blocks(1, ACCESS_READ, 0, 1), NULL, 148);
    check_set(machine, "llc.remote_share", "0");
    check_time(machine, blocks(1, ACCESS_READ, 1, 1), NULL, there + 21 + 104 + back);
}

/* Chip 0 reads a remote line twice, past its L1: the second read hits the part of the ways, passes
 * the own crossbar and slice, and no link. Then chip 1 reads it, whose slices have kept it. Without
 * ways of its own the home has to fetch it again. */
TEST(test_remote_part)
{
    static const struct {
        const char *share;
        double slices, memory, hits; /* bytes over 128, of 3 reads */
    } cases[] = {{"0.5", 4, 1, 2}, {"1", 4, 2, 1}, {"0", 3, 1, 2}};
    for (int i = 0; i < 3; i++) {
        OWNED(machine) *machine = machine_of(2);
        OWNED(synthetic) *s = synthetic_create("twice");
        struct simulate_gpu_options options = referee_options(1000);
        options.l1_hit_rate = 0;
        check_set(machine, "llc.organisation", "static");
        check_set(machine, "llc.remote_share", cases[i].share);
        synthetic_kernel(s, "k", 1, 1);
        synthetic_lane(s, 0, 0, ACCESS_READ, LINE);
        synthetic_lane(s, 0, 0, ACCESS_READ, LINE);
        synthetic_kernel(s, "home", 2, 1);
        synthetic_lane(s, 1, 0, ACCESS_READ, LINE);
        struct simulate_gpu_result *r = run(machine, s, &options);
        check_relative(station_of(r, "llc")->utilisation * 2 * r->time_s, cases[i].slices * 1e-9,
                       1e-6);
        check_relative(station_of(r, "memory")->utilisation * 2 * r->time_s, cases[i].memory * 4e-9,
                       1e-6);
        check_relative(edge_work(r, 2), i == 2 ? 2 * 8e-9 : 8e-9, 1e-6);
        check_relative(r->llc_hit_rate, cases[i].hits / 3, 1e-12);
        simulate_gpu_result_destroy(r);
    }
}

/* What is dirty in a part of the ways is written to the home's slices, not to memory; it counts as
 * a hit where they have it. */
TEST(test_dirty_part)
{
    OWNED(machine) *machine = machine_of(2);
    OWNED(synthetic) *s = blocks(1, ACCESS_WRITE, 1, 1);
    check_set(machine, "llc.organisation", "static");
    struct simulate_gpu_result *r = run(machine, s, NULL);
    /* An edge and a slice; memory at the end of the run. */
    check_relative(r->launches[0].flush_s, 38e-9 + 21e-9 + 104e-9, 1e-6);
    check_relative(station_of(r, "memory")->utilisation * r->time_s * 2, 4e-9, 1e-6);
    check_relative(r->llc_hit_rate, 0, 0);
    simulate_gpu_result_destroy(r);
    synthetic_kernel(s, "again", 1, 1);
    synthetic_lane(s, 0, 0, ACCESS_WRITE, LINE);
    r = run(machine, s, NULL);
    check_relative(r->llc_hit_rate, 0.5, 1e-12);
    simulate_gpu_result_destroy(r);
}

/* A warp reads eight lines, each where the one before is, half of it, or none is needed first, as
 * far as the machine lets so many be under way. An instruction takes 1 ns, a line 4 ns of the
 * memory. */
TEST(test_waits)
{
    static const struct {
        uint8_t ahead;
        const char *outstanding;
        double ns;
    } cases[] = {
        {0, "16", 8 * 148},
        {63, "1", 8 * 148},
        {63, "2", 4 * 148 + 4},  /* the last one issues 4 ns late, the others in pairs */
        {1, "16", 4 * 148 + 4},  /* each needs the one before the last */
        {63, "16", 148 + 7 * 4}, /* one behind another at the memory */
        {WARP_AHEAD_MOST, "1024", 148 + 7 * 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = machine_of(1);
        check_set(machine, "sm.outstanding", cases[i].outstanding);
        struct synthetic *s = synthetic_create("waits");
        synthetic_kernel(s, "k", 1, 1);
        for (uint64_t k = 0; k < 8; k++)
            synthetic_ahead(s, 0, 0, ACCESS_READ, k * LINE, cases[i].ahead);
        check_time(machine, s, NULL, cases[i].ns);
    }
}

/* 16-byte flits, 8 bytes of header: a request takes 1 of them, a response 9. */
TEST(test_messages)
{
    OWNED(machine) *machine = machine_of(2);
    check_set(machine, "inter.flit", "16 B");
    check_set(machine, "inter.read_request", "8 B");
    check_set(machine, "inter.read_response", "8 B");
    double there = 1 + 10 + 5 + 31 + 5, back = 7 + 39 + 7;
    check_time(machine, blocks(1, ACCESS_READ, 1, 1), NULL, there + 21 + 104 + back);
}

/* A ring of four: a line of the opposite chip takes two hops, by either way. */
TEST(test_routes)
{
    OWNED(machine) *machine = machine_of(4);
    struct simulate_gpu_options options = referee_options(1000);
    check_set(machine, "inter.topology", "ring");
    check_time(machine, blocks(1, ACCESS_READ, 2, 1), NULL,
               1 + 10 + 5 + 60 + 5 + 21 + 104 + 7 + 76 + 7);
    /* Blocks of chip 0 only; lines of chip 2 only: both ways are used alike, on average. */
    OWNED(synthetic) *s = synthetic_create("opposite");
    synthetic_kernel(s, "k", 4, 1);
    for (uint64_t i = 0; i < 600; i++)
        synthetic_ahead(s, 0, 0, ACCESS_READ, (2 + 4 * i) * LINE, WARP_AHEAD_MOST);
    check_set(machine, "sm.outstanding", "64");
    options.llc_hit_rate = 1;
    struct simulate_gpu_result *r = run(machine, s, &options);
    /* Four edges carry 600 x 8 ns of data between them: two from 2, two into 0. */
    check_relative(edge_work(r, 8), 600 * 2 * 8e-9, 1e-3);
    check_relative(station_of(r, "inter")->most * r->time_s, 300 * 8e-9, 0.15);
    simulate_gpu_result_destroy(r);
}

/* Both chips hold a line in their own slices; what one writes the other loses, by a message. */
TEST(test_invalidations)
{
    OWNED(machine) *machine = machine_of(2);
    OWNED(synthetic) *s = blocks(2, ACCESS_READ, 0, 0);
    double work[2];
    check_set(machine, "llc.organisation", "sm-side");
    check_set(machine, "coherence", "hardware");
    synthetic_kernel(s, "write", 2, 1);
    synthetic_lane(s, 1, 0, ACCESS_WRITE, 0);
    for (int i = 0; i < 2; i++) {
        check_set(machine, "bottleneck.invalidation", i ? "64 B" : "8 B");
        struct simulate_gpu_result *r = run(machine, s, NULL);
        work[i] = edge_work(r, 2);
        simulate_gpu_result_destroy(r);
    }
    /* A line for chip 1, then the message; at the end of the run the line's way home. */
    check_relative(work[0], 8.5e-9 + 8e-9, 1e-6);
    check_relative(work[1], 12e-9 + 8e-9, 1e-6);
}

/* Memory channels' work in a run. */
static double memory_work(const struct machine *machine, struct synthetic *s)
{
    struct simulate_gpu_result *r = run(machine, s, NULL);
    double work = station_of(r, "memory")->utilisation * r->time_s;
    simulate_gpu_result_destroy(r);
    return work;
}

/* What is dirty goes home when it is driven out, when a launch's end flushes it, and at the end of
 * the run. */
TEST(test_dirty_lines)
{
    static const struct {
        const char *side, *flush;
        double first_ns; /* of the first launch's end */
    } cases[] = {{"memory-side", "coherence", 0}, {"memory-side", "dirty", 104},
                 {"memory-side", "all", 104},     {"sm-side", "coherence", 104},
                 {"sm-side", "none", 0},          {"sm-side", "stale", 104}};
    OWNED(machine) *machine = machine_of(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(synthetic) *s = blocks(1, ACCESS_WRITE, 0, 1);
        synthetic_kernel(s, "second", 1, 1);
        synthetic_lane(s, 0, 0, ACCESS_READ, 5 * LINE);
        check_set(machine, "llc.organisation", cases[i].side);
        check_set(machine, "llc.flush", cases[i].flush);
        struct simulate_gpu_result *r = run(machine, s, NULL);
        check_relative(r->launches[0].time_s, (1 + 7 + 21 + 5 + cases[i].first_ns) * 1e-9, 1e-6);
        check_relative(r->launches[0].flush_s, cases[i].first_ns * 1e-9, 1e-6);
        check_relative(r->launches[1].flush_s, (104 - cases[i].first_ns) * 1e-9, 1e-6);
        simulate_gpu_result_destroy(r);
    }
    /* Some leave early, for others; all go home once. */
    check_set(machine, "llc.flush", "coherence");
    check_set(machine, "llc.organisation", "memory-side");
    OWNED(synthetic) *s = blocks(1536, ACCESS_WRITE, 0, 1);
    check_relative(memory_work(machine, s), 1536 * 4e-9, 1e-9);
}

/* A launch reads 4 lines and writes 4, the next one reads all: it misses what was flushed. */
TEST(test_flushes)
{
    static const struct {
        const char *flush;
        int reads; /* from memory, in the second launch */
    } cases[] = {{"none", 0}, {"dirty", 4}, {"stale", 4}, {"all", 8}};
    OWNED(machine) *machine = machine_of(1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(synthetic) *s = synthetic_create("flushes");
        for (int launch = 0; launch < 2; launch++) {
            synthetic_kernel(s, "k", 8, 1);
            for (uint64_t line = 0; line < 8; line++)
                synthetic_lane(s, line, 0, launch || line < 4 ? ACCESS_READ : ACCESS_WRITE,
                               line * LINE);
        }
        check_set(machine, "llc.flush", cases[i].flush);
        check_relative(memory_work(machine, s), (4 + 4 + cases[i].reads) * 4e-9, 1e-9);
    }
}

/* Interactive law: W warps that each wait for their line, in a loop. */
TEST(test_bounds)
{
    static const int warps[] = {1, 4, 16, 64};
    OWNED(machine) *machine = machine_of(1);
    for (int i = 0; i < 4; i++) {
        OWNED(synthetic) *s = synthetic_create("loop");
        struct simulate_gpu_options options = referee_options(100000);
        options.llc_hit_rate = 0;
        options.l1_hit_rate = 0;
        synthetic_kernel(s, "k", (uint32_t)warps[i], 1);
        for (int w = 0; w < warps[i]; w++)
            for (uint64_t k = 0; k < 200; k++)
                synthetic_lane(s, (uint64_t)w, 0, ACCESS_READ, (k * 64 + (uint64_t)w) * LINE);
        struct simulate_gpu_result *r = run(machine, s, &options);
        double bound = fmin(warps[i] / 148e-9, 1 / 4e-9) * LINE;
        assert_true(r->bandwidth_bytes_per_s.mean <= bound * (1 + 1e-9));
        assert_true(r->bandwidth_bytes_per_s.mean >= bound * 0.97);
        simulate_gpu_result_destroy(r);
    }
}

TEST(test_cut)
{
    OWNED(machine) *machine = machine_of(1);
    OWNED(synthetic) *s = blocks(500, ACCESS_READ, 0, 1);
    struct simulate_gpu_options options = referee_options(100);
    options.warm_up = 50;
    struct simulate_gpu_result *r = run(machine, s, &options);
    assert_false(r->whole);
    assert_true(isnan(r->kernel_time_s));
    assert_int_equal(r->requests, 100);
    check_relative(r->bandwidth_bytes_per_s.mean, 32e9, 0.02);
    simulate_gpu_result_destroy(r);
}

static bool but_the_first(void *context, size_t launch, const struct stream_kernel *kernel)
{
    (void)context;
    (void)kernel;
    return launch > 0;
}

/* One block of one warp, whose reads wait for each other: 148 ns each, as a line of memory takes.
 */
static void add_chain(struct synthetic *s, int reads)
{
    synthetic_kernel(s, "k", 1, 1);
    for (int i = 0; i < reads; i++)
        synthetic_lane(s, 0, 0, ACCESS_READ, (uint64_t)(i + 100) * LINE);
}

/* SAC turns in the second and third of three launches. The first leaves eight dirty lines, whose
 * write-back the second waits for; the third finds none. All of it is in the launches' times. */
TEST(test_reconfiguration)
{
    enum { WRITES = 8, READS = 10 };
    OWNED(machine) *machine = machine_of(1);
    OWNED(synthetic) *s = blocks(WRITES, ACCESS_WRITE, 0, 1);
    struct simulate_gpu_options options = referee_options(1000);
    options.choose = but_the_first;
    check_set(machine, "llc.organisation", "sac");
    add_chain(s, READS);
    add_chain(s, READS);
    struct simulate_gpu_result *all = run(machine, s, &options);
    assert_int_equal(all->n_launches, 3);
    assert_false(all->launches[0].other);
    assert_true(all->launches[1].other && all->launches[2].other);
    /* Eight lines of 4 ns, one behind the other, and the memory's latency. */
    check_relative(all->reconfigure_s, 132e-9, 1e-9);
    check_relative(all->launches[1].time_s, READS * 148e-9 + all->reconfigure_s, 1e-9);
    check_relative(all->launches[2].time_s, READS * 148e-9, 1e-9);
    check_relative(all->time_s, all->kernel_time_s, 1e-9);
    options.warm_up = WRITES + READS;
    struct simulate_gpu_result *last = run(machine, s, &options);
    assert_int_equal(last->requests, READS);
    check_relative(last->time_s, all->launches[2].time_s, 1e-9);
    simulate_gpu_result_destroy(all);
    simulate_gpu_result_destroy(last);
}

/* At 500 ns the fourth read is under way: the launch turns when it has come, at 592, and goes on as
 * if nothing had been, but that the lines that it read are gone. A launch that ends before does not
 * turn. */
TEST(test_turn_after_a_window)
{
    static const struct {
        double after_s, turned_s;
    } cases[] = {{500e-9, 92e-9}, {1475e-9, 5e-9}, {1481e-9, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = machine_of(1);
        OWNED(synthetic) *s = synthetic_create("chain");
        struct simulate_gpu_options options = referee_options(1000);
        options.choose = always;
        options.turn_after_s = cases[i].after_s;
        check_set(machine, "llc.organisation", "sac");
        check_set(machine, "coherence", "hardware");
        add_chain(s, 10);
        struct simulate_gpu_result *r = run(machine, s, &options);
        assert_int_equal(r->launches[0].other, cases[i].turned_s > 0);
        check_relative(r->kernel_time_s, 1480e-9, 1e-9);
        check_relative(r->reconfigure_s, cases[i].turned_s, 1e-6);
        simulate_gpu_result_destroy(r);
    }
}

/* Two partitions, whose homes alternate; an SM of each reads four lines of the other one, twice.
 * Copies that are kept from the start serve the second round; from 10 us on, when all is over, none
 * is. */
TEST(test_copies_behind_an_epoch)
{
    double local[2];
    for (int late = 0; late < 2; late++) {
        OWNED(machine) *machine = check_machine(
            "machine: t\nchips: 1\npartitions: 2\nline: 128 B\n"
            "sm: {per_chip: 2, clock: 1 GHz, warps: 4, ctas: 4, scheduler: lrr}\n"
            "l1: {capacity: 1 KiB, ways: 1, latency: 10 ns}\n"
            "llc: {organisation: memory-side, replication: mdr, capacity: 64 KiB, ways: 8, slices: "
            "2,\n"
            "      bandwidth: 128 GB/s, latency: 20 ns}\n"
            "p2p: {bandwidth: 64 GB/s, latency: 2 ns}\nnoc: {bandwidth: 64 GB/s, latency: 5 ns}\n"
            "memory: {bandwidth: 32 GB/s, channels: 2, latency: 100 ns}\n"
            "page: {policy: interleave, interleave: 128 B}\ncta: {policy: distributed}\n");
        OWNED(synthetic) *s = synthetic_create("remote");
        struct simulate_gpu_options options = referee_options(1000);
        options.choose = always;
        options.turn_after_s = late ? 10e-6 : 0;
        synthetic_kernel(s, "k", 2, 1);
        for (int round = 0; round < 2; round++)
            for (uint64_t i = 0; i < 16; i++)
                for (uint64_t b = 0; b < 2; b++)
                    synthetic_lane(s, b, 0, ACCESS_READ, (2 * i + 1 - b) * LINE);
        struct simulate_gpu_result *r = run(machine, s, &options);
        local[late] = r->share[ORIGIN_LOCAL_LLC];
        assert_int_equal(r->launches[0].other, !late);
        check_relative(r->r_local, 0, 0);
        simulate_gpu_result_destroy(r);
    }
    check_relative(local[0], 0.5, 1e-9);
    check_relative(local[1], 0, 0);
}

/* With hardware coherence it writes home on its way back what it wrote behind the turn. */
TEST(test_turn_back)
{
    double took[2];
    for (int hardware = 0; hardware < 2; hardware++) {
        OWNED(machine) *machine = machine_of(1);
        OWNED(synthetic) *s = blocks(8, ACCESS_WRITE, 0, 1);
        struct simulate_gpu_options options = referee_options(1000);
        options.choose = always;
        check_set(machine, "llc.organisation", "sac");
        check_set(machine, "coherence", hardware ? "hardware" : "software");
        struct simulate_gpu_result *r = run(machine, s, &options);
        took[hardware] = r->kernel_time_s;
        assert_int_equal(r->reconfigure_s > 0, hardware); /* software's flush is coherence's own */
        simulate_gpu_result_destroy(r);
    }
    check_relative(took[0], took[1], 1e-9);
}

/* What does not depend on the order is what the profiler counts; the same run has the same
 * bits. */
TEST(test_counts)
{
    static const char *const organisations[] = {"memory-side", "sm-side"};
    OWNED(source) *source = check_source("stencil:input=small");
    for (int o = 0; o < 2; o++) {
        OWNED(machine) *machine = check_shipped("sac", NULL);
        check_set(machine, "llc.organisation", organisations[o]);
        check_set(machine, "page.policy", "interleave");
        OWNED(profile) *profile = check_profile(source, machine, false);
        const struct profile_view *view = &profile->views[0];
        struct simulate_gpu_options options = referee_options(10000000);
        struct simulate_gpu_result *r, *again;
        check_ok(simulate_gpu(machine, source, &options, &r, &failure));
        check_ok(simulate_gpu(machine, source, &options, &again, &failure));
        assert_true(r->kernel_time_s == again->kernel_time_s && r->events == again->events);
        double requests = 0, hits = 0, local = 0;
        for (size_t i = 0; i < view->n_records; i++) {
            const double *fields = view->records[i].fields;
            requests += fields[FIELD_REQUESTS];
            local += fields[FIELD_REQUESTS] * fields[FIELD_R_LOCAL];
            hits += fields[FIELD_REQUESTS] *
                    profile_llc_hit(&view->records[i], machine, o ? SIDE_REQUESTER : SIDE_HOME);
        }
        assert_true((double)r->requests == requests); /* L1 keeps nothing of this one */
        check_relative(r->r_local, local / requests, 1e-9);
        check_relative(r->llc_hit_rate, hits / requests, 0.01);
        simulate_gpu_result_destroy(r);
        simulate_gpu_result_destroy(again);
    }
}

/* Machines of every system run, under every organisation; no station is busier than always. */
TEST(test_machines)
{
    static const char *const names[] = {"sac",       "sac-2chip",   "sac-sectored", "mcm-optimised",
                                        "nuba",      "uba-sm-side", "dcl1",         "dualopt-rdma",
                                        "multi-gpu", "mi300x",      "h100",         "nuba-mcm"};
    static const char *const organisations[] = {"memory-side", "sm-side", "static", "dynamic",
                                                "sac"};
    OWNED(source) *source = check_source("bfs:input=small");
    for (size_t m = 0; m < sizeof names / sizeof *names; m++)
        for (int o = 0; o < 5; o++) {
            struct simulate_gpu_options options = referee_options(4000);
            struct simulate_gpu_result *r;
            OWNED(machine) *machine = check_shipped(names[m], NULL);
            check_set(machine, "llc.organisation", organisations[o]);
            if (o == 1)
                check_set(machine, "coherence", "hardware");
            options.choose = always;
            check_ok(simulate_gpu(machine, source, &options, &r, &failure));
            assert_true(r->bandwidth_bytes_per_s.mean > 0);
            for (size_t i = 0; i < r->n_stations; i++)
                assert_true(r->stations[i].most <= 1 + 1e-9 &&
                            r->stations[i].utilisation <= r->stations[i].most + 1e-12);
            simulate_gpu_result_destroy(r);
        }
}

TEST(test_errors)
{
    OWNED(machine) *machine = machine_of(1);
    struct simulate_gpu_options options = referee_options(10);
    struct simulate_gpu_result *r;
    struct synthetic *s = synthetic_create("large");
    synthetic_kernel(s, "k", 1, 65);
    synthetic_lane(s, 0, 0, ACCESS_READ, 0);
    check_error(simulate_gpu(machine, &s->source, &options, &r, &failure), STATUS_INPUT,
                "does not fit on an SM");
    source_destroy(&s->source);
    s = blocks(20, ACCESS_READ, 0, 1);
    options.warm_up = 20;
    check_error(simulate_gpu(machine, &s->source, &options, &r, &failure), STATUS_INPUT,
                "a warm-up of 20 requests leaves none to count: there are 20");
    assert_null(r);
    check_set(machine, "llc.organisation", "static");
    check_set(machine, "llc.ways", "1");
    check_error(simulate_gpu(machine, &s->source, &options, &r, &failure), STATUS_INPUT,
                "one way cannot be split");
    source_destroy(&s->source);
}
