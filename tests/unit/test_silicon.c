/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What microbenchmarks ask of a machine: records in closed form beside passes of the profiler over
 * the same accesses, answers by hand; files of measurements and what is wrong with them. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "machine/machine.h"
#include "profile/record/curve.h"
#include "validate/silicon_file.h"
#include "validate/silicon_kernels.h"
#include "validate/silicon_traffic.h"

#define MACHINE                                                                                    \
    "machine: t\nchips: 1\nline: 128 B\n"                                                          \
    "sm: {per_chip: 4, clock: 1 GHz, ctas: 2, issue: 1e12 /s}\n"                                   \
    "l1: {capacity: 1 KiB, ways: 4, latency: 10 ns, mshrs: 100000, write_buffer: 100000}\n"        \
    "llc: {organisation: memory-side, capacity: 128 KiB, ways: 16, slices: 1, bandwidth: %s, "     \
    "latency: 90 ns}\n"                                                                            \
    "memory: {bandwidth: %s, channels: 1, latency: 300 ns}\n"                                      \
    "cta: {policy: centralised}\npage: {policy: interleave}\n"

static struct machine *small(const char *llc, const char *memory)
{
    char text[1024];
    snprintf(text, sizeof text, MACHINE, llc, memory);
    return check_machine(text);
}

/* --- records beside passes ------------------------------------------------------------------- */

/* Of nine lines in two sets of four ways five are in one set, which never hit, and four in the
 * other; of twelve none hits. */
TEST(chases_as_the_profiler_counts)
{
    static const struct {
        uint64_t lines;
        double missing;
    } cases[] = {{8, 0}, {9, 5.0 / 9}, {12, 1}, {100, 1}};
    enum { ROUNDS = 10 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = small("1 TB/s", "1 TB/s");
        OWNED(synthetic) *s = synthetic_create("chase");
        OWNED(profile) *p = profile_create();
        struct arena *arena = arena_create();
        struct profile_options options = {.threads = 1};
        struct profile_record ours;
        uint64_t lines = cases[i].lines;
        struct silicon_chase chase = {(double)lines * 128, (double)lines * ROUNDS};
        synthetic_kernel(s, "k", 1, 1);
        for (uint64_t k = 0; k < ROUNDS * lines; k++) /* 7 divides none of them */
            synthetic_lane(s, 0, 0, ACCESS_READ, 128 * (k * 7 % lines));
        check_ok(profile_make(p, &s->source, m, &options, &failure));
        check_ok(silicon_chase_record(m, &chase, arena, &ours, &failure));
        /* The first round is cold. */
        const struct profile_record *theirs = &p->views[0].records[0];
        double behind = theirs->fields[FIELD_REQUESTS] - (double)lines;
        check_relative(behind, cases[i].missing * (double)lines * (ROUNDS - 1), 1e-12);
        check_relative(ours.fields[FIELD_REQUESTS], cases[i].missing * (double)lines * ROUNDS,
                       1e-12);
        arena_destroy(arena);
    }
}

static double miss(const struct profile_record *record, double lines)
{
    const struct profile_curve *curve = profile_curve_find(record, "chip", "home", "all");
    return curve_miss_ratio_full(&curve->curve, lines);
}

#define SWEEP                                                                                      \
    "workload: sweep\nparameters: {n: %d, threads: %d}\n"                                          \
    "arrays: {a: {shape: [n], type: f64}, b: {shape: [n], type: f64}}\n"                           \
    "kernels:\n  - name: k\n    grid: threads/128\n    block: 128\n"                               \
    "    let: {i: (bx*128 + tx) %% n}\n    body: [%s]\n"

/* 64 KiB an array, sixteen times. */
TEST(sweeps_as_the_profiler_counts)
{
    enum { ELEMENTS = 8192, THREADS = 16 * ELEMENTS, LINES = ELEMENTS * 8 / 128 };
    static const struct {
        const char *body;
        double loads, stores, arrays;
    } cases[] = {{"{load: \"a[i]\"}", 1, 0, 1},
                 {"{store: \"a[i]\"}", 0, 1, 1},
                 {"{load: \"a[i]\"}, {store: \"b[i]\"}", 1, 1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, SWEEP, ELEMENTS, THREADS, cases[i].body);
        OWNED(machine) *m = small("1 TB/s", "1 TB/s");
        OWNED(source) *source = check_source(check_file("sweep.yaml", text));
        OWNED(profile) *p = profile_create();
        struct arena *arena = arena_create();
        struct profile_options options = {.threads = 1, .parts = PART_WAITS};
        struct profile_record ours;
        struct silicon_sweep sweep = {.threads = THREADS,
                                      .block_threads = 128,
                                      .resident = 2,
                                      .set_bytes = 65536 * cases[i].arrays,
                                      .loads = cases[i].loads,
                                      .stores = cases[i].stores};
        check_ok(profile_make(p, source, m, &options, &failure));
        check_ok(silicon_sweep_record(m, &sweep, arena, &ours, &failure));
        const struct profile_record *theirs = &p->views[0].records[0];
        static const enum profile_field same[] = {
            FIELD_CTAS,   FIELD_WARP_ACCESSES, FIELD_REQUESTS,    FIELD_READS,
            FIELD_WRITES, FIELD_WAITS,         FIELD_CHAIN_WAITS, FIELD_R_LOCAL};
        for (size_t f = 0; f < sizeof same / sizeof *same; f++)
            check_relative(ours.fields[same[f]], theirs->fields[same[f]], 0.01);
        /* All that comes again is as far away as all lines: cold ones are one sweep of 16. */
        double lines = LINES * cases[i].arrays;
        check_relative(miss(&ours, lines), 0, 1e-9);
        check_relative(miss(theirs, lines * 1.1), 1.0 / 16, 1e-3);
        check_relative(miss(&ours, lines - 1), 1, 1e-9);
        assert_true(miss(theirs, lines * 0.8) > 0.97);
        arena_destroy(arena);
    }
}

/* Halves that cache what their own SMs ask for see a line again after 1, 2, ... sweeps with 1/2,
 * 1/4, ..., and then have seen 1/2, 3/4, ... of all. */
TEST(halves_see_a_part)
{
    OWNED(machine) *m = check_machine(
        "machine: t\nchips: 1\npartitions: 2\ncoherence: hardware\nline: 128 B\nsm: {per_chip: 4}\n"
        "l1: {capacity: 1 KiB}\nllc: {organisation: sm-side, capacity: 1 MiB, bandwidth: 1 TB/s}\n"
        "noc: {bandwidth: 1 TB/s}\nmemory: {bandwidth: 1 TB/s}\n");
    struct arena *arena = arena_create();
    struct profile_record ours;
    struct silicon_sweep sweep = {1 << 20, 128, 2, 1 << 20, 1, 0};
    check_ok(silicon_sweep_record(m, &sweep, arena, &ours, &failure));
    const struct profile_curve *curve = profile_curve_find(&ours, "partition", "requester", "all");
    check_relative(curve_miss_ratio_full(&curve->curve, 4096 - 1), 1, 1e-6);
    check_relative(curve_miss_ratio_full(&curve->curve, 4096), 0.5, 1e-6);
    check_relative(curve_miss_ratio_full(&curve->curve, 6144), 0.25, 1e-6);
    check_relative(curve_miss_ratio_full(&curve->curve, 8192), 0, 1e-6);
    curve = profile_curve_find(&ours, "partition", "home", "all");
    check_relative(curve_miss_ratio_full(&curve->curve, 4096), 0, 1e-6);
    check_relative(curve_miss_ratio_full(&curve->curve, 4095), 1, 1e-6);
    arena_destroy(arena);
}

/* Eight resident blocks, eight sets: each is read by one, and comes back after all. Four sets: two
 * readers in a circle, of which the other one is g ahead: even in 0 .. 1; between, each set was
 * read 1 - (1-g)^2 of: the median is 3/4. */
TEST(readers_in_a_circle)
{
    OWNED(machine) *m = small("1 TB/s", "1 TB/s");
    struct arena *arena = arena_create();
    struct profile_record ours;
    struct silicon_shared shared = {.block_threads = 128,
                                    .resident = 2,
                                    .set_bytes = 65536,
                                    .working_set_bytes = 8 * 65536,
                                    .rounds = 4};
    check_ok(silicon_shared_record(m, &shared, arena, &ours, &failure));
    check_relative(ours.fields[FIELD_REQUESTS], 4 * 8 * 512, 1e-12);
    check_relative(miss(&ours, 8 * 512), 0, 1e-6);
    check_relative(miss(&ours, 8 * 512 - 1), 1, 1e-6);
    shared.working_set_bytes = 4 * 65536;
    check_ok(silicon_shared_record(m, &shared, arena, &ours, &failure));
    check_relative(miss(&ours, 4 * 512 * 0.75), 0.5, 0.02);
    check_relative(miss(&ours, 4 * 512 * (1 - 0.1 * 0.1)), 0.1, 0.2);
    arena_destroy(arena);
}

/* --- answers by hand ---------------------------------------------------------------------------
 */

/* 10 ns in L1; 90 more in the LLC; 300 more in memory; and 1 ps of issue. */
TEST(chases_take_latencies)
{
    OWNED(machine) *m = small("1e17 B/s", "1e17 B/s");
    static const struct {
        double bytes, ns;
    } cases[] = {{1024, 10}, {32 * 1024, 100}, {16 << 20, 400}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct silicon_chase chase = {cases[i].bytes, 1e6};
        double time;
        check_ok(silicon_chase_time(m, &chase, &time, &failure));
        check_relative(time * 1e9, cases[i].ns, 1e-3);
    }
    struct silicon_chase none = {1, 1e6};
    double time;
    check_error(silicon_chase_time(m, &none, &time, &failure), STATUS_INPUT, "less than a line");
}

/* 1024 lines fit, in 64 sets of 16: all of a cycle of 1000 hit where each set has as many of them
 * as another, as in memory whose pieces go over all sets, 8 KiB; by chance some sets have too many.
 * Of 1100 none hits. */
TEST(pieces_of_memory_fill_sets_evenly)
{
    static const struct {
        const char *contiguous;
        bool even;
    } cases[] = {{"none", false}, {"4 KiB", false}, {"8 KiB", true}, {"2 MiB", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = small("1e17 B/s", "1e17 B/s");
        struct silicon_chase fits = {1000 * 128, 1e6}, more = {1100 * 128, 1e6};
        struct silicon_sweep sweep = {1 << 22, 128, 1, 1000 * 128, 1, 0};
        double time, rate;
        if (i > 0)
            check_set(m, "page.contiguous", cases[i].contiguous);
        check_ok(silicon_chase_time(m, &fits, &time, &failure));
        assert_true(cases[i].even ? time < 100.1e-9 : time > 150e-9);
        check_ok(silicon_sweep_rate(m, &sweep, &rate, &failure));
        assert_true(cases[i].even ? rate > 0.99 * 4 * 1024 / 100e-9 : rate < 3 * 1024 / 100e-9);
        check_ok(silicon_chase_time(m, &more, &time, &failure));
        assert_true(cases[i].even ? time > 399.9e-9 : time < 350e-9);
    }
}

/* Of two chips' LLCs at the memories each has its part of a piece: 8 KiB of 16. */
TEST(memories_have_parts_of_pieces)
{
    double times[2];
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "machine: t\nbase: sac\nchips: 2\nllc: {organisation: memory-side, capacity: 128 "
                 "KiB, ways: "
                 "16}\npage: {contiguous: %s}\n",
                 i ? "16 KiB" : "8 KiB");
        OWNED(machine) *m = check_machine(text);
        struct silicon_chase fits = {2000 * 128, 1e6};
        check_ok(silicon_chase_time(m, &fits, &times[i], &failure));
    }
    assert_true(times[0] > 1.1 * times[1]);
}

/* Few threads: one block of 128 an SM has 1 KiB under way for 100 ns (400 in memory). Many: the
 * station, which is never exceeded. */
TEST(sweeps_take_latencies_then_bandwidth)
{
    OWNED(machine) *wide = small("1e17 B/s", "1e17 B/s");
    struct silicon_sweep few = {1 << 22, 128, 1, 32768, 1, 0};
    double rate;
    check_ok(silicon_sweep_rate(wide, &few, &rate, &failure));
    check_relative(rate, 4 * 1024 / 100e-9, 0.01);
    few.set_bytes = 1 << 26;
    check_ok(silicon_sweep_rate(wide, &few, &rate, &failure));
    check_relative(rate, 4 * 1024 / 400e-9, 0.01);
    OWNED(machine) *narrow = small("20 GB/s", "10 GB/s");
    struct silicon_sweep many = {1 << 22, 1024, 2, 32768, 1, 0};
    check_ok(silicon_sweep_rate(narrow, &many, &rate, &failure));
    check_relative(rate, 20e9, 0.01);
    many.set_bytes = 1 << 26;
    check_ok(silicon_sweep_rate(narrow, &many, &rate, &failure));
    check_relative(rate, 10e9, 0.01);
}

/* Who does not know the chain says so. */
static void check_no_chain(const struct machine *machine, const struct silicon_sweep *sweep)
{
    struct arena *arena = arena_create();
    struct profile_record record;
    bool told = false;
    check_ok(silicon_sweep_record(machine, sweep, arena, &record, &failure));
    record.fields[FIELD_CHAIN_WAITS] = (double)NAN;
    OWNED(answer) *answer = check_answer_of("network", machine, &record);
    for (int i = 0; i < answer->result.n_warnings; i++)
        told |= strstr(answer->result.warnings[i], "(cta.turnover)") != NULL;
    assert_true(told);
    arena_destroy(arena);
}

/* Every block of a place waits for the one before it: 255 of 256 by so much, in the network and in
 * the referee. */
TEST(blocks_take_turns)
{
    enum { ELEMENTS = 2048, THREADS = 64 * ELEMENTS, ROUNDS = THREADS / 128 / 4 };
    char text[1024];
    snprintf(text, sizeof text, SWEEP, ELEMENTS, THREADS, "{load: \"a[i]\"}, {load: \"b[i]\"}");
    OWNED(source) *source = check_source(check_file("turns.yaml", text));
    double network[2], referee[2];
    for (int with = 0; with < 2; with++) {
        OWNED(machine) *m = small("1e17 B/s", "1e17 B/s");
        OWNED(profile) *p = profile_create();
        struct profile_options options = {.threads = 1, .parts = PART_WAITS};
        struct simulate_gpu_options whole = referee_options(1000000);
        struct simulate_gpu_result *r;
        check_set(m, "sm.ctas", "1");
        check_set(m, "cta.turnover", with ? "200 ns" : "0 s");
        check_ok(profile_make(p, source, m, &options, &failure));
        network[with] = check_metric("network", m, &p->views[0].records[0], "kernel_time");
        check_ok(simulate_gpu(m, source, &whole, &r, &failure));
        referee[with] = r->kernel_time_s;
        simulate_gpu_result_destroy(r);
    }
    check_relative(network[1] - network[0], (ROUNDS - 1) * 200e-9, 0.01);
    check_relative(referee[1] - referee[0], (ROUNDS - 1) * 200e-9, 0.01);
    check_relative(network[0], referee[0], 0.05);
    OWNED(machine) *m = small("1e17 B/s", "1e17 B/s");
    struct silicon_sweep few = {1 << 22, 128, 1, 32768, 1, 0};
    double rate;
    check_set(m, "cta.turnover", "100 ns");
    check_no_chain(m, &few);
    check_ok(silicon_sweep_rate(m, &few, &rate, &failure));
    check_relative(rate, 4 * 1024 / 200e-9, 0.01);
    few.loads = 0, few.stores = 1; /* posted: only the turns are left */
    check_ok(silicon_sweep_rate(m, &few, &rate, &failure));
    check_relative(rate, 4 * 1024 / 100e-9, 0.01);
}

/* Times of a nest in the network and in the referee, one block an SM. */
struct both {
    double network, referee;
};

static struct both time_both(const char *body, const char *parameter, const char *value)
{
    char text[1024];
    snprintf(text, sizeof text, SWEEP, 2048, 64 * 2048, body);
    OWNED(source) *source = check_source(check_file("both.yaml", text));
    OWNED(machine) *m = small("1e17 B/s", "1e17 B/s");
    OWNED(profile) *p = profile_create();
    struct profile_options options = {.threads = 1, .parts = PART_WAITS};
    struct simulate_gpu_options whole = referee_options(1000000);
    struct simulate_gpu_result *r;
    struct both times;
    check_set(m, "sm.ctas", "1");
    check_set(m, parameter, value);
    check_ok(profile_make(p, source, m, &options, &failure));
    times.network = check_metric("network", m, &p->views[0].records[0], "kernel_time");
    check_ok(simulate_gpu(m, source, &whole, &r, &failure));
    times.referee = r->kernel_time_s;
    simulate_gpu_result_destroy(r);
    return times;
}
enum { NEST_ROUNDS = 64 * 2048 / 128 / 4 }; /* blocks in one place */

/* Of ten instructions up to a load nine have one before them, for which they wait: in every block
 * of a place, for all its warps at once. A load alone waits for none. */
TEST(instructions_wait_for_each_other)
{
    static const char *const nests[] = {"{load: \"a[i]\"}, {compute: 9}, {load: \"b[i]\"}",
                                        "{load: \"a[i]\"}, {load: \"b[i]\"}"};
    for (int nest = 0; nest < 2; nest++) {
        struct both without = time_both(nests[nest], "sm.dependent", "0 s");
        struct both with = time_both(nests[nest], "sm.dependent", "20 ns");
        double more = nest == 0 ? NEST_ROUNDS * 9 * 20e-9 : 0;
        assert_true(fabs(with.network - without.network - more) < 0.01 * with.network);
        assert_true(fabs(with.referee - without.referee - more) < 0.01 * with.referee);
        check_relative(with.network, with.referee, 0.05);
    }
}

/* A block's four warps read 8 lines, which come one behind another through the port of their SM,
 * 128 B in 8 ns: 100 ns for the first, without the way, and 8 x 8 for all. The others have ports of
 * their own. The first sweep, a sixteenth of all, takes 300 ns more a block: 3 % of the time. */
TEST(data_come_through_a_port)
{
    static const struct {
        const char *bandwidth;
        double ns;
        int blocks; /* in one place, after each other */
    } cases[] = {
        {"64 GB/s", 164, NEST_ROUNDS}, {"128 GB/s", 132, NEST_ROUNDS}, {"64 GB/s", 464, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, SWEEP, 2048, cases[i].blocks * 4 * 128, "{load: \"a[i]\"}");
        OWNED(source) *source = check_source(check_file("port.yaml", text));
        snprintf(text, sizeof text, MACHINE "noc: {bandwidth: %s, ports: 4, latency: 0 s}\n",
                 "1e17 B/s", "1e17 B/s", cases[i].bandwidth);
        OWNED(machine) *m = check_machine(text);
        OWNED(profile) *p = profile_create();
        struct profile_options options = {.threads = 1, .parts = PART_WAITS};
        struct simulate_gpu_options whole = referee_options(1000000);
        struct simulate_gpu_result *r;
        check_set(m, "sm.ctas", "1");
        check_ok(profile_make(p, source, m, &options, &failure));
        double network = check_metric("network", m, &p->views[0].records[0], "kernel_time");
        check_ok(simulate_gpu(m, source, &whole, &r, &failure));
        check_relative(r->kernel_time_s, cases[i].blocks * cases[i].ns * 1e-9, 0.04);
        check_relative(network, r->kernel_time_s, cases[i].blocks > 1 ? 0.05 : 0.15);
        simulate_gpu_result_destroy(r);
    }
}

/* A block ends when its writes are acknowledged: L1 and the LLC, 100 ns, behind the load or alone.
 * They wait for no memory, which loads of the first sweep do. */
TEST(blocks_wait_for_writes)
{
    static const char *const nests[] = {"{load: \"a[i]\"}, {store: \"b[i]\"}", "{store: \"b[i]\"}"};
    for (int nest = 0; nest < 2; nest++) {
        struct both without = time_both(nests[nest], "cta.writes", "posted");
        struct both with = time_both(nests[nest], "cta.writes", "awaited");
        check_relative(with.network - without.network, NEST_ROUNDS * 100e-9, 0.02);
        check_relative(with.referee - without.referee, NEST_ROUNDS * 100e-9, 0.02);
        check_relative(with.network, with.referee, 0.05);
    }
    OWNED(machine) *m = small("1e17 B/s", "1e17 B/s");
    struct silicon_sweep few = {1 << 22, 128, 1, 32768, 0, 1, {0}};
    double rate;
    check_set(m, "cta.writes", "awaited");
    check_ok(silicon_sweep_rate(m, &few, &rate, &failure));
    check_relative(rate, 4 * 1024 / 100e-9, 0.01);
    few.set_bytes = 1 << 26; /* nor for their lines' places in it */
    check_ok(silicon_sweep_rate(m, &few, &rate, &failure));
    check_relative(rate, 4 * 1024 / 100e-9, 0.01);
    few.loads = 1;
    check_ok(silicon_sweep_rate(m, &few, &rate, &failure));
    check_relative(rate, 2 * 4 * 1024 / 500e-9, 0.01);
    check_set(m, "sm.dependent", "10 ns");
    few.warp.instructions = 22; /* two of them ask, and 20 wait for the one before */
    check_ok(silicon_sweep_rate(m, &few, &rate, &failure));
    check_relative(rate, 2 * 4 * 1024 / 700e-9, 0.01);
    few.warp.special_cycles = 50; /* at 1 GHz, before it knows which thread it is */
    check_ok(silicon_sweep_rate(m, &few, &rate, &failure));
    check_relative(rate, 2 * 4 * 1024 / 750e-9, 0.01);
    check_set(m, "sm.dependent", "0 s"); /* instructions take no time, and nor does that wait */
    check_ok(silicon_sweep_rate(m, &few, &rate, &failure));
    check_relative(rate, 2 * 4 * 1024 / 500e-9, 0.01);
}

/* Arguments come from L1 in 10 ns, or from a cache of scalars in 25, twice before the data. */
TEST(warps_wait_for_arguments)
{
    OWNED(machine) *without = small("1e17 B/s", "1e17 B/s");
    OWNED(machine) *with = check_machine(
        "machine: t\nchips: 1\nline: 128 B\n"
        "sm: {per_chip: 4, clock: 1 GHz, ctas: 2, issue: 1e12 /s}\n"
        "l1: {capacity: 1 KiB, ways: 4, latency: 10 ns, mshrs: 100000, write_buffer: 100000}\n"
        "scalar: {contents: scalar, capacity: 4 KiB, latency: 25 ns}\n"
        "llc: {organisation: memory-side, capacity: 128 KiB, ways: 16, slices: 1,\n"
        "      bandwidth: 1e17 B/s, latency: 90 ns}\n"
        "memory: {bandwidth: 1e17 B/s, channels: 1, latency: 300 ns}\n"
        "cta: {policy: centralised}\npage: {policy: interleave}\n");
    struct silicon_sweep few = {1 << 22, 128, 1, 32768, 1, 0, {.scalar_waits = 2}};
    double rate;
    check_ok(silicon_sweep_rate(without, &few, &rate, &failure));
    check_relative(rate, 4 * 1024 / 120e-9, 0.01);
    check_ok(silicon_sweep_rate(with, &few, &rate, &failure));
    check_relative(rate, 4 * 1024 / 150e-9, 0.01);
}

/* --- kernels ------------------------------------------------------------------------------------
 */

/* Bytes that threads ask for in a run, by hand. */
TEST(kernels_ask_for_what_tables_say)
{
    static const struct {
        const char *kernel, *settings;
        double bytes;
    } cases[] = {
        {"vectoradd", "n=4096", 3 * 4 * 4096.0},
        {"relu", "n=4096", 2 * 4 * 4096.0},
        {"memcopy_d2d", "mb=1", 2 * 1048576.0},
        {"matrixtranspose", "n=128", 2 * 4 * 128 * 128.0},
        {"fir", "n=512,taps=8", 4 * 512 * (2 * 8 + 1.0)},
        {"spmv_csr_scalar", "rows=256,nnz=1024", 256 * 12 + 1024 * 12.0},
        {"atax", "n=64", 2 * 64 * (64 * 12 + 4.0)},
        {"bicg", "n=64", 2 * 64 * (64 * 12 + 4.0)},
        {"kmeans", "points=256,features=8,clusters=5", 256 * (8 * 5 * 8 + 4.0)},
        /* Threads with 16 results each; of 32 steps of k, 4 rows of A and 32 of B, 16 B each. */
        {"matrixmultiplication", "n=64", 64 * 64 / 16 * (2 * 36 + 4) * 16.0},
        {"pagerank", "nodes=128", 128 * 8 + 2 * 128 * (64 * 8 + 64 * 12 + 8.0)},
        /* Four tiles: 64 x 64 of reference and scores, and their edges. */
        {"nw", "n=128", 4 * (2 * 64 * 64 * 4 + 2 * 64 * 4 + 4.0)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char spec[256];
        snprintf(spec, sizeof spec, "models/today/silicon/kernels/%s.yaml:%s", cases[i].kernel,
                 cases[i].settings);
        OWNED(machine) *m = small("1 TB/s", "1 TB/s");
        OWNED(source) *source = check_source(spec);
        OWNED(profile) *p = profile_create();
        struct profile_options options = {.threads = 1};
        double bytes = 0;
        check_ok(profile_make(p, source, m, &options, &failure));
        for (size_t r = 0; r < p->views[0].n_records; r++)
            bytes += p->views[0].records[r].fields[FIELD_LANE_BYTES];
        check_relative(bytes, 2 * cases[i].bytes, 1e-12);
    }
}

/* What nvcc makes of kernels reads and writes as much: nests that a machine of code.csv takes. */
TEST(nests_of_code_ask_for_as_much)
{
    static const char *const cases[][2] = {
        {"fir", "n=512,taps=8"},
        {"spmv_csr_scalar", "rows=256,nnz=1024"},
        {"spmv_csr_scalar", "rows=256,nnz=8192"},
        {"atax", "n=64"},
        {"bicg", "n=64"},
        {"kmeans", "points=256,features=8,clusters=5"},
        {"matrixmultiplication", "n=64"},
        {"nw", "n=128"},
    };
    static const char *const folders[] = {"", "nvidia/"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double bytes[2] = {0};
        for (int f = 0; f < 2; f++) {
            char spec[256];
            snprintf(spec, sizeof spec, "models/today/silicon/kernels/%s%s.yaml:%s", folders[f],
                     cases[i][0], cases[i][1]);
            OWNED(machine) *m = small("1 TB/s", "1 TB/s");
            OWNED(source) *source = check_source(spec);
            OWNED(profile) *p = profile_create();
            struct profile_options options = {.threads = 1};
            check_ok(profile_make(p, source, m, &options, &failure));
            for (size_t r = 0; r < p->views[0].n_records; r++)
                bytes[f] += p->views[0].records[r].fields[FIELD_LANE_BYTES];
        }
        check_relative(bytes[1], bytes[0], 1e-12);
    }
}

/* Loads of 32 steps go out 16 at a time and not one by one. */
TEST(machines_run_their_code)
{
    OWNED(machine) *m = small("1e17 B/s", "1e17 B/s");
    struct silicon_kernel kernel = {"spmv_csr_scalar", "256x256_nnz8192", NULL, 1e6};
    double plain, same, own;
    bool known;
    check_own_cache();
    check_ok(silicon_kernel_time(m, &kernel, &known, &plain, &failure));
    kernel.of = "mi300a"; /* in no row */
    check_ok(silicon_kernel_time(m, &kernel, &known, &same, &failure));
    check_relative(same, plain, 1e-12);
    kernel.of = "h100";
    check_ok(silicon_kernel_time(m, &kernel, &known, &own, &failure));
    assert_true(own < plain / 4);
}

/* A launch's time, the way to memory and back of one wave of loads, and of the stores behind them.
 * The second run finds the data in the LLC. */
TEST(kernels_take_launches_and_latencies)
{
    OWNED(machine) *m = small("1e17 B/s", "1e17 B/s");
    struct silicon_kernel kernel = {"relu", "512", NULL, 1e6};
    double time;
    bool known;
    check_own_cache();
    check_set(m, "launch.time", "3 us");
    check_ok(silicon_kernel_time(m, &kernel, &known, &time, &failure));
    assert_true(known);
    check_relative(time, 3e-6 + 200e-9, 0.01);
    kernel.accesses_max = 10; /* too few */
    check_ok(silicon_kernel_time(m, &kernel, &known, &time, &failure));
    assert_true(known && isnan(time));
    kernel.name = "sort";
    check_ok(silicon_kernel_time(m, &kernel, &known, &time, &failure));
    assert_false(known);
    kernel = (struct silicon_kernel){"fir", "1024", NULL, 1e6};
    check_error(silicon_kernel_time(m, &kernel, &known, &time, &failure), STATUS_INPUT,
                "does not say taps");
}

/* --- files --------------------------------------------------------------------------------------
 */

static int read_folder(struct error *error)
{
    struct silicon_files files;
    int status = silicon_files_read(check_folder(), &files, error);
    silicon_files_free(&files);
    return status;
}

TEST(files_by_name)
{
    struct silicon_files files;
    check_empty_folder();
    check_file("a-b-latency.csv",
               "latency_cycles,clock_mhz,working_set_kib\n33,1410,2\n34,1410,4\n");
    check_file("a-shared-read.csv", "set_of_a_block_kib,working_set_kib,read_gb_s\n512,1024,10\n");
    check_file("other.csv", "a\n1\n");
    check_file("notes.txt", "nothing");
    check_ok(silicon_files_read(check_folder(), &files, &failure));
    assert_int_equal(files.count, 2);
    assert_int_equal(files.unknown.count, 1);
    assert_string_equal(files.items[0].machine, "a-b");
    assert_int_equal(files.items[0].kind, SILICON_LATENCY);
    assert_int_equal(files.items[0].rows, 2);
    assert_true(files.items[0].columns[SILICON_CYCLES][1] == 34);
    assert_null(files.items[0].columns[SILICON_READ]);
    assert_string_equal(files.items[1].machine, "a");
    assert_int_equal(files.items[1].kind, SILICON_SHARED_READ);
    silicon_files_free(&files);
}

TEST(what_is_wrong_with_files)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"clock_mhz,working_set_kib\n1,2\n", "latency_cycles"},
        {"clock_mhz,working_set_kib,latency_cycles\n1,2,nan\n", "m-latency.csv:2:5"},
        {"clock_mhz,working_set_kib,latency_cycles\n1,2,3\n1,2\n", "m-latency.csv:3"},
        {"clock_mhz,working_set_kib,latency_cycles\n1,0,3\n", "m-latency.csv:2:3"},
        {"clock_mhz,working_set_kib,latency_cycles\n1,-4,3\n", "expected a positive number"},
        {"clock_mhz,working_set_kib,latency_cycles\n1,,3\n", "the cell is empty"},
        {"", "m-latency.csv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_empty_folder();
        check_file("m-latency.csv", cases[i].text);
        check_error(read_folder(&failure), STATUS_INPUT, cases[i].words);
    }
    check_empty_folder();
    check_error(read_folder(&failure), STATUS_INPUT, "no files of measurements");
    struct silicon_files files;
    check_error(silicon_files_read("/nowhere/at/all", &files, &failure), STATUS_INPUT,
                "is not a folder");
    silicon_files_free(&files);
}
