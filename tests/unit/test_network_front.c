/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits at a level before the LLC on lines that are on their way: by hand, the network and the
 * referee beside each other. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"

/* SMs at 1 GHz; transfers take next to nothing. 10 of L1, 5 and 5 of the crossbar, 30 of the level;
 * behind it 20 of the LLC and 100 of memory. */
#define MACHINE                                                                                    \
    "machine: t\nchips: 1\nline: 128 B\ncoherence: software\n"                                     \
    "sm: {per_chip: 4, clock: 1 GHz, issue: 100 /cycle, warps: 64, ctas: 64, scheduler: lrr}\n"    \
    "l1: {capacity: 2 KiB, ways: 16, mshrs: 64, latency: 10 ns}\n"                                 \
    "l2: {filter: all, scope: chip, capacity: 256 KiB, ways: 8, latency: 30 ns}\n"                 \
    "llc: {organisation: memory-side, capacity: 1 MiB, ways: 8, slices: 1,\n"                      \
    "      bandwidth: 1000 TB/s, latency: 20 ns}\n"                                                \
    "noc: {bandwidth: 1000 TB/s, latency: 5 ns}\n"                                                 \
    "memory: {bandwidth: 1000 TB/s, channels: 16, latency: 100 ns}\n"

enum { LINE = 128, SMS = 4, LINES = 512 };
static const double level_ns = 50, llc_ns = 20, memory_ns = 100;

/* A warp of each SM reads the same lines, together, in so many launches, between which the level
 * forgets them and the LLC does not. */
static void check_both(int launches, double want_ns)
{
    OWNED(machine) *machine = check_machine(MACHINE);
    OWNED(synthetic) *s = synthetic_create("together");
    for (int launch = 0; launch < launches; launch++) {
        synthetic_kernel(s, "k", SMS, 1);
        for (uint64_t sm = 0; sm < SMS; sm++)
            for (uint64_t i = 0; i < LINES; i++)
                synthetic_lane(s, sm, 0, ACCESS_READ, i * LINE);
    }
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    struct simulate_gpu_result *result;
    struct simulate_gpu_options options = referee_options(1000000);
    check_ok(simulate_gpu(machine, &s->source, &options, &result, &failure));
    check_relative(result->kernel_time_s * 1e9, want_ns, 0.02);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, want_ns, 0.03);
    simulate_gpu_result_destroy(result);
}

TEST(all_wait_for_memory)
{
    check_both(1, LINES * (level_ns + llc_ns + memory_ns));
}

TEST(all_wait_for_the_llc)
{
    check_both(2, LINES * (level_ns + llc_ns + memory_ns) + LINES * (level_ns + llc_ns));
}
