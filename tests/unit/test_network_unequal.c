/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps whose chains are unlike: by hand, the network and the referee beside each other. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"

/* One SM; a line takes 140 ns, and 4 ns of them of the one channel. */
#define MACHINE                                                                                    \
    "machine: t\nchips: 1\nline: 128 B\ncoherence: software\n"                                     \
    "sm: {per_chip: 1, clock: 1 GHz, issue: 100 /cycle, warps: 64, ctas: 64, scheduler: lrr}\n"    \
    "l1: {capacity: 16 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"                                 \
    "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"                     \
    "      bandwidth: 1000 TB/s, latency: 20 ns}\n"                                                \
    "noc: {bandwidth: 1000 TB/s, latency: 5 ns}\n"                                                 \
    "memory: {bandwidth: 32 GB/s, channels: 1, latency: 96 ns}\n"

enum { LINE = 128, WARPS = 64, MOST = 64 };
static const double alone_ns = 140, channel_ns = 4;

/* Warp w reads so many lines, one after another: all as many, or 1, 2, ... MOST. */
static struct synthetic *chains(bool alike)
{
    struct synthetic *s = synthetic_create("chains");
    uint64_t line = 0;
    synthetic_kernel(s, "k", WARPS, 1);
    for (uint64_t w = 0; w < WARPS; w++)
        for (uint64_t i = 0; i < (alike ? MOST / 2 : w + 1); i++)
            synthetic_lane(s, w, 0, ACCESS_READ, line++ * LINE);
    return s;
}

static void check_both(const struct synthetic *s, double want_ns)
{
    OWNED(machine) *machine = check_machine(MACHINE);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    struct simulate_gpu_result *result;
    struct simulate_gpu_options options = referee_options(1000000);
    check_ok(simulate_gpu(machine, &s->source, &options, &result, &failure));
    assert_true(result->whole);
    check_relative(result->kernel_time_s * 1e9, want_ns, 0.03);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, want_ns, 0.05);
    simulate_gpu_result_destroy(result);
}

/* All of them to the end: the channel is busy. */
TEST(alike)
{
    OWNED(synthetic) *s = chains(true);
    check_both(s, WARPS * MOST / 2 * channel_ns + alone_ns);
}

/* In the i-th round there are 64 - i of them, for which the channel takes 4 ns each, as long as
 * that is more than a line takes alone. Of 32 to the end none would wait long. */
TEST(of_any_length)
{
    double want_ns = 0;
    OWNED(synthetic) *s = chains(false);
    for (int i = 0; i < MOST; i++)
        want_ns += fmax(alone_ns, (WARPS - i) * channel_ns);
    assert_true(want_ns > 1.15 * MOST * alone_ns);
    check_both(s, want_ns);
}

/* Sixty-four warps, one of which has all but a few of the instructions: nobody is in its way. */
TEST(nobody_else_issues)
{
    enum { LONG = 200, INSTRUCTIONS = 100 };
    OWNED(machine) *machine = check_machine(MACHINE);
    OWNED(synthetic) *s = synthetic_create("alone");
    uint64_t line = 0;
    check_set(machine, "sm.issue", "1/cycle");
    synthetic_kernel(s, "k", WARPS, 1);
    for (uint64_t w = 0; w < WARPS; w++)
        for (int i = 0; i < (w ? 1 : LONG); i++)
            synthetic_add(s, w, 0,
                          (struct warp_access){.base = line++ * LINE,
                                               .mask = 1,
                                               .instructions = w ? 1 : INSTRUCTIONS,
                                               .bytes = 4,
                                               .kind = ACCESS_READ});
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    double want_ns = LONG * (INSTRUCTIONS + alone_ns);
    check_relative(check_simulated_time(machine, &s->source) * 1e9, want_ns, 0.02);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, want_ns, 0.03);
}
