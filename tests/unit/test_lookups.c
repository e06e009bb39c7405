/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1s that look up a line at a time, by hand: the bound, the network, the referee; one warp, which
 * waits for its own lines, and several, which wait for each other's; what has no such limit. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "validate/silicon_traffic.h"

/* An L1 with hits of 40 ns, and all behind it faster than it. */
static struct machine *look_ups(const char *rate)
{
    struct machine *m =
        check_machine("machine: t\nchips: 1\nline: 128 B\n"
                      "sm: {per_chip: 4, clock: 1 GHz, ctas: 8, warps: 64, issue: 1e12 /s}\n"
                      "l1: {capacity: 256 KiB, ways: 64, latency: 40 ns, mshrs: 100000, "
                      "write_buffer: 100000}\n"
                      "llc: {organisation: memory-side, capacity: 64 MiB, ways: 16, slices: 1,\n"
                      "      bandwidth: 1e15 B/s, latency: 10 ns}\n"
                      "memory: {bandwidth: 1e15 B/s, channels: 2, latency: 10 ns}\n"
                      "noc: {bandwidth: 1e17 B/s, latency: 0 s}\n"
                      "cta: {policy: centralised}\npage: {policy: interleave}\n");
    if (rate)
        check_set(m, "l1.lookups", rate);
    return m;
}

/* Four L1s look up 128 B each as often as they say. */
TEST(bound_by_hand)
{
    static const struct {
        const char *rate;
        double bandwidth;
    } cases[] = {{"0.01 /cycle", 4 * 128 * 1e7}, {"0.02 /cycle", 4 * 128 * 2e7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = look_ups(cases[i].rate);
        struct arena *arena = arena_create();
        struct profile_record record;
        struct silicon_sweep sweep = {1 << 22, 1024, 2, 1 << 22, 1, 1, {0}};
        check_ok(silicon_sweep_record(m, &sweep, arena, &record, &failure));
        check_relative(check_metric("bottleneck", m, &record, "effective_bandwidth"),
                       cases[i].bandwidth, 1e-9);
        check_relative(check_metric("network", m, &record, "effective_bandwidth"),
                       cases[i].bandwidth, 0.01);
        arena_destroy(arena);
    }
}

/* A thread a row of 512 floats: each step of a warp has 32 lines, which are in L1 but for one
 * of 32. */
static struct source *rows(int warps, const char *element)
{
    char text[512];
    snprintf(text, sizeof text,
             "workload: rows\nparameters: {n: %d}\narrays: {a: {shape: [n, 512], type: f32}}\n"
             "kernels:\n  - {name: k, grid: 1, block: n, let: {i: tx},\n"
             "     body: [{for: j in 0..512, unroll: 1, body: [{load: \"%s\"}]}]}\n",
             32 * warps, element);
    return check_source(check_file("rows.yaml", text));
}

static void times_of(const char *rate, int warps, const char *element, double *network,
                     double *referee)
{
    OWNED(source) *source = rows(warps, element);
    OWNED(machine) *m = look_ups(rate);
    OWNED(profile) *p = profile_create();
    struct profile_options options = {.threads = 1, .parts = PART_WAITS};
    check_ok(profile_make(p, source, m, &options, &failure));
    *network = check_metric("network", m, &p->views[0].records[0], "kernel_time");
    *referee = check_simulated_time(m, source);
}

/* One warp: the latency has the first of its lines, and 31 more follow it in each step. */
TEST(own_lines)
{
    double network[2], referee[2];
    for (int with = 0; with < 2; with++)
        times_of(with ? "1 /cycle" : NULL, 1, "a[i,j]", &network[with], &referee[with]);
    check_relative(referee[1] - referee[0], 512 * 31e-9, 0.01);
    check_relative(network[1] - network[0], 512 * 31e-9, 0.05);
    check_relative(network[1], referee[1], 0.03);
    times_of("4 /cycle", 1, "a[i,j]", &network[1], &referee[1]);
    check_relative(referee[1] - referee[0], 512 * 31e-9 / 4, 0.01);
    check_relative(network[1] - network[0], 512 * 31e-9 / 4, 0.05);
}

/* One line a step: its lookup is a part of the latency. */
TEST(lone_lines)
{
    double network[2], referee[2];
    for (int with = 0; with < 2; with++)
        times_of(with ? "0.1 /cycle" : NULL, 1, "a[0,j]", &network[with], &referee[with]);
    check_relative(referee[1], referee[0], 1e-9);
    check_relative(network[1], network[0], 0.01);
}

/* Eight warps, which fill the L1 of their SM: as fast as it looks up 256 lines a step. */
TEST(others_lines)
{
    double network, referee;
    times_of("1 /cycle", 8, "a[i,j]", &network, &referee);
    check_relative(referee, 512 * 256e-9, 0.03);
    check_relative(network, 512 * 256e-9, 0.1);
}

/* Models without it say so; L1s outside their SMs have ports of their own. */
TEST(others_warn)
{
    OWNED(machine) *m = look_ups("1 /cycle");
    struct arena *arena = arena_create();
    struct profile_record record;
    struct silicon_sweep sweep = {1 << 22, 1024, 2, 1 << 22, 1, 1, {0}};
    bool told = false;
    check_ok(silicon_sweep_record(m, &sweep, arena, &record, &failure));
    OWNED(answer) *answer = check_answer_of("eab", m, &record);
    for (int i = 0; i < answer->result.n_warnings; i++)
        told |= strstr(answer->result.warnings[i], "(l1.lookups)") != NULL;
    assert_true(told);
    arena_destroy(arena);
}
