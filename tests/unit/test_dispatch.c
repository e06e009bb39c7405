/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps that begin one behind another (cta.warps), by hand, in the bound, the network and the
 * referee. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "validate/silicon_traffic.h"

enum { BLOCKS = 256, SMS = 4 };

static struct machine *four_sms(const char *warps, const char *dispatchers)
{
    struct machine *m =
        check_machine("machine: t\nchips: 1\nline: 128 B\n"
                      "sm: {per_chip: 4, clock: 1 GHz, ctas: 1, issue: 1e12 /s}\n"
                      "l1: {capacity: 1 KiB, ways: 4, latency: 10 ns, mshrs: 100000, "
                      "write_buffer: 100000}\n"
                      "llc: {organisation: memory-side, capacity: 1 MiB, ways: 16, slices: 1,\n"
                      "      bandwidth: 1e17 B/s, latency: 90 ns}\n"
                      "memory: {bandwidth: 1e17 B/s, channels: 1, latency: 300 ns}\n"
                      "noc: {bandwidth: 1e17 B/s, latency: 0 s}\n"
                      "cta: {policy: centralised}\npage: {policy: interleave}\n");
    if (warps)
        check_set(m, "cta.warps", warps);
    check_set(m, "cta.dispatchers", dispatchers);
    return m;
}

struct both {
    double network, referee;
};

/* Blocks of four warps, each of which loads once. */
static struct both times_of(const struct machine *m)
{
    struct both times;
    OWNED(source) *source = check_source(
        check_file("blocks.yaml", "workload: blocks\narrays: {a: {shape: [512], type: f64}}\n"
                                  "kernels:\n  - {name: k, grid: 256, block: 128,\n"
                                  "     body: [{load: \"a[(bx*128 + tx) % 512]\"}]}\n"));
    OWNED(profile) *p = profile_create();
    struct profile_options options = {.threads = 1, .parts = PART_WAITS};
    check_ok(profile_make(p, source, m, &options, &failure));
    times.network = check_metric("network", m, &p->views[0].records[0], "kernel_time");
    times.referee = check_simulated_time(m, source);
    return times;
}

/* One SM each: the last of four warps of a block begins when four have, in each of 64 blocks that
 * follow each other. */
TEST(warps_of_a_block_begin_in_turn)
{
    OWNED(machine) *at_once = four_sms(NULL, "0");
    OWNED(machine) *in_turn = four_sms("0.02 /cycle", "0");
    struct both without = times_of(at_once), with = times_of(in_turn);
    double more = BLOCKS / SMS * 4 * 50e-9;
    check_relative(with.referee - without.referee, more, 0.02);
    check_relative(with.network - without.network, more, 0.05);
    check_relative(with.network, with.referee, 0.05);
}

/* Two SMs each, so slow that warps begin one behind another all the time. */
TEST(dispatchers_are_shared)
{
    OWNED(machine) *m = four_sms("0.002 /cycle", "2");
    struct both times = times_of(m);
    double all = BLOCKS * 4 / 2 * 500e-9;
    check_relative(times.referee, all, 0.05);
    check_relative(times.network, all, 0.05);
}

/* Two dispatchers begin four warps of 256 B in all each 2 / 0.01 ns. */
TEST(bound_by_hand)
{
    OWNED(machine) *m = four_sms("0.01 /cycle", "2");
    struct arena *arena = arena_create();
    struct profile_record record;
    struct silicon_sweep sweep = {1 << 20, 128, 1, 32768, 1, 0, {0}};
    check_ok(silicon_sweep_record(m, &sweep, arena, &record, &failure));
    check_relative(check_metric("bottleneck", m, &record, "effective_bandwidth"),
                   2 * 0.01e9 * 32 * 8, 1e-9);
    double network = check_metric("network", m, &record, "effective_bandwidth");
    assert_true(network <= 2 * 0.01e9 * 32 * 8 * (1 + 1e-9));
    bool told = false;
    OWNED(answer) *answer = check_answer_of("eab", m, &record);
    for (int i = 0; i < answer->result.n_warnings; i++)
        told |= strstr(answer->result.warnings[i], "(cta.warps)") != NULL;
    assert_true(told);
    arena_destroy(arena);
}
