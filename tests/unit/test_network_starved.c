/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps that find no slot before older ones have ended, and read what these have read: by hand, by
 * the referee, by the network (models/network/starved.c). */
#include "profile_check.h"

#include "explore/answer/answer.h"

enum {
    LINE = 128,
    WARPS = 16,
    LINES = 400,
    BURST_NS = 10,
    L1_NS = 10,
    LLC_NS = 20,
    MEMORY_NS = 95,
    MANY = 1 << 16
};

/* An SM whose warps have a slot a ns, and caches of so many lines. */
static struct machine *one_chip(uint32_t l1_lines, uint32_t llc_lines)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "machine: t\nchips: 1\nline: 128 B\n"
        "sm: {per_chip: 1, clock: 1 GHz, warps: 64, ctas: 64, issue: 1 /cycle, scheduler: gto}\n"
        "l1: {capacity: %u B, ways: 4, mshrs: 64, latency: 10 ns}\n"
        "llc: {organisation: memory-side, capacity: %u B, ways: 4, slices: 1,\n"
        "      bandwidth: 1000 TB/s, latency: 20 ns}\n"
        "memory: {bandwidth: 1000 TB/s, channels: 1, latency: 95 ns}\n",
        l1_lines * LINE, llc_lines * LINE);
    return check_machine(text);
}

/* Blocks of so many warps; each warp reads the lines of all, or of its block, one after the other,
 * and writes a line of its own, with as many instructions as take a burst. */
static struct synthetic *reads(uint32_t block, bool everyones)
{
    struct synthetic *s = synthetic_create("reads");
    synthetic_kernel(s, "k", WARPS / block, block);
    for (uint64_t cta = 0; cta < WARPS / block; cta++)
        for (uint32_t warp = 0; warp < block; warp++)
            for (uint64_t i = 0; i < LINES; i++) {
                uint64_t line = i + (everyones ? 0 : cta * LINES);
                synthetic_add(s, cta, warp,
                              (struct warp_access){.base = line * LINE,
                                                   .mask = 1,
                                                   .instructions = BURST_NS - 1,
                                                   .bytes = 4,
                                                   .kind = ACCESS_READ});
                synthetic_lane(s, cta, warp, ACCESS_WRITE, (MANY + cta * block + warp) * LINE);
            }
    return s;
}

/* So many go round, in so long; those that are left take so long a wait then. */
static void check_times(const struct machine *machine, const struct synthetic *s, double round_ns,
                        double left_ns)
{
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    double want_ns = LINES * (round_ns + left_ns);
    check_relative(check_simulated_time(machine, &s->source) * 1e9, want_ns, 0.02);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, want_ns, 0.04);
}

/* A wait takes 125 ns, so that 14 warps go round, in 140, and two are left. What they read is in
 * L1, in the LLC, or nowhere. */
TEST(lines_of_all)
{
    OWNED(synthetic) *s = reads(1, true);
    OWNED(machine) *near = one_chip(2 * LINES, 2 * LINES), *there = one_chip(LINES / 4, 16 * LINES),
                   *gone = one_chip(LINES / 4, LINES / 4);
    check_times(near, s, 140, 2 * BURST_NS);
    check_times(there, s, 140, BURST_NS + L1_NS + LLC_NS);
    check_times(gone, s, 140, BURST_NS + L1_NS + LLC_NS + MEMORY_NS);
}

/* Whatever L1 has, of lines of their own block nothing is there before. */
TEST(lines_of_a_block)
{
    OWNED(synthetic) *s = reads(2, false);
    OWNED(machine) *machine = one_chip(WARPS * LINES, WARPS * LINES);
    check_times(machine, s, 140, BURST_NS + L1_NS + LLC_NS + MEMORY_NS);
}
