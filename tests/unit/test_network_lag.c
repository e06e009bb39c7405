/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps that wait longer than the others and are left alone in the end: by hand, the network and
 * the referee beside each other (models/network/lag.c). */
#include "profile_check.h"

#include "explore/answer/answer.h"

enum { LINE = 128, WARPS = 64, WAITS = 64, PAGE = 1 << 20 };
static const double alone_ns = 10 + 20 + 100, channel_ns = 4;

/* Two chips with an SM and a channel each; chip c is home of the c-th MiB. */
static struct machine *two_chips(double hop_ns)
{
    char text[1024];
    snprintf(text, sizeof text,
             "machine: t\nchips: 2\nline: 128 B\n"
             "sm: {per_chip: 1, clock: 1 GHz, warps: 64, ctas: 64, issue: 1000 /cycle,\n"
             "     scheduler: lrr}\n"
             "l1: {capacity: 1 KiB, ways: 4, mshrs: 128, latency: 10 ns}\n"
             "llc: {organisation: memory-side, capacity: 64 KiB, ways: 16, slices: 1,\n"
             "      bandwidth: 1000 TB/s, latency: 20 ns}\n"
             "inter: {topology: fully-connected, link_bandwidth: 1000 TB/s, latency: %g ns}\n"
             "page: {policy: interleave, size: 1 MiB, interleave: 1 MiB}\n"
             "memory: {bandwidth: 32 GB/s, channels: 1, latency: 100 ns}\n",
             hop_ns);
    return check_machine(text);
}

/* Of the warps of either SM so many read lines of the other chip, the others of their own. */
static struct synthetic *reads(uint64_t far)
{
    struct synthetic *s = synthetic_create("reads");
    uint64_t next[2] = {0};
    synthetic_kernel(s, "k", 2 * WARPS, 1);
    for (uint64_t w = 0; w < (uint64_t)2 * WARPS; w++) {
        uint64_t chip = w / WARPS, home = w % WARPS < far ? 1 - chip : chip;
        for (uint64_t i = 0; i < WAITS; i++)
            synthetic_lane(s, w, 0, ACCESS_READ, home * PAGE + next[home]++ * LINE);
    }
    return s;
}

/* The channel takes 64 lines a round. Of a share f of the warps each wait takes two hops longer, so
 * that those near have rounds that are shorter by f of that, and are done first; what is left of
 * the far ones takes as long as they do alone, or as the channel does for them. */
static void check_lag(double hop_ns, uint64_t far)
{
    OWNED(machine) *machine = two_chips(hop_ns);
    OWNED(synthetic) *s = reads(far);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    double all = WARPS * channel_ns, longer = 2 * hop_ns;
    double near = all - longer * (double)far / WARPS, left = 1 - near / (near + longer);
    double round = near + left * fmax(alone_ns + longer, (double)far * channel_ns);
    double want_ns = WAITS * (far % WARPS ? fmax(all, round) : all) + alone_ns;
    check_relative(check_simulated_time(machine, &s->source) * 1e9, want_ns, 0.03);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, want_ns, 0.03);
}

TEST(one_of_many)
{
    check_lag(20, 1);
    check_lag(40, 1);
    check_lag(100, 1);
}

TEST(some_half_most)
{
    check_lag(40, 8);
    check_lag(40, 16);
    check_lag(40, WARPS / 2);
    check_lag(40, WARPS - 1);
}

/* Nobody lags where all are as far. */
TEST(all_alike)
{
    check_lag(40, 0);
    check_lag(40, WARPS);
}
