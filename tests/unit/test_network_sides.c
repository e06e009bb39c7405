/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of an LLC that miss unlike, local and remote ones, or those of two homes: by hand, the
 * network and the referee beside each other. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"

/* Two chips of one SM. A hit takes 10 of L1, 5 and 5 of the crossbar and 20 of the LLC, memory 100
 * more, and 200 each way to the other chip's. L1 has 16 lines. */
#define MACHINE                                                                                    \
    "machine: t\nchips: 2\nline: 128 B\ncoherence: software\n"                                     \
    "sm: {per_chip: 1, clock: 1 GHz, issue: 100 /cycle, warps: 64, ctas: 64, scheduler: lrr}\n"    \
    "l1: {capacity: 2 KiB, ways: 16, mshrs: 64, latency: 10 ns}\n"                                 \
    "llc: {organisation: sm-side, capacity: 1 MiB, ways: 16, slices: 1,\n"                         \
    "      bandwidth: 1000 TB/s, latency: 20 ns}\n"                                                \
    "noc: {bandwidth: 1000 TB/s, latency: 5 ns, misses: own}\n"                                    \
    "inter: {topology: ring, link_bandwidth: 1000 TB/s, latency: 200 ns}\n"                        \
    "memory: {bandwidth: 1000 TB/s, channels: 16, latency: 100 ns}\n"                              \
    "page: {size: 4 KiB, policy: first-touch}\n"

enum { LINE = 128, SHARED = 64, ROUNDS = 10, OWN = SHARED * ROUNDS };
static const double hit_ns = 40, memory_ns = 100, there_and_back_ns = 400;

/* Each chip has an array. Then a warp of each reads the other one's again and again, and after each
 * of its lines one that nobody reads but once: or the array once, some lines of its own again and
 * again. */
static struct synthetic *readers(bool remote_again)
{
    struct synthetic *s = synthetic_create("readers");
    const uint64_t each = (uint64_t)1 << 24, own = (uint64_t)1 << 20;
    uint64_t array = remote_again ? SHARED : OWN, mine = remote_again ? OWN : SHARED;
    synthetic_kernel(s, "first", 2, 1);
    for (uint64_t chip = 0; chip < 2; chip++)
        for (uint64_t i = 0; i < array; i++)
            synthetic_lane(s, chip, 0, ACCESS_READ, chip * each + i * LINE);
    synthetic_kernel(s, "then", 2, 1);
    for (uint64_t chip = 0; chip < 2; chip++)
        for (uint64_t i = 0; i < OWN; i++) {
            synthetic_lane(s, chip, 0, ACCESS_READ, (1 - chip) * each + i % array * LINE);
            synthetic_lane(s, chip, 0, ACCESS_READ, chip * each + own + i % mine * LINE);
        }
    return s;
}

static void check_both(bool remote_again, double want_ns)
{
    OWNED(machine) *machine = check_machine(MACHINE);
    OWNED(synthetic) *s = readers(remote_again);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    struct simulate_gpu_result *result;
    struct simulate_gpu_options options = referee_options(1000000);
    const struct model_record *then = &answer->result.records[1];
    double time = 0;
    check_ok(simulate_gpu(machine, &s->source, &options, &result, &failure));
    check_relative(result->launches[1].time_s * 1e9, want_ns, 0.02);
    for (int i = 0; i < then->n_metrics; i++)
        if (strcmp(then->metrics[i].name, "kernel_time") == 0)
            time = answer->values[then->metrics[i].term];
    check_relative(time * 1e9, want_ns, 0.03);
    simulate_gpu_result_destroy(result);
}

TEST(what_is_far_hits)
{
    check_both(true, 2 * OWN * hit_ns + OWN * memory_ns + SHARED * (memory_ns + there_and_back_ns));
}

TEST(what_is_far_misses)
{
    check_both(false,
               2 * OWN * hit_ns + SHARED * memory_ns + OWN * (memory_ns + there_and_back_ns));
}

/* Links carry what remote lines miss, not what all do: of a second launch, 1 ns a byte each way,
 * the array once, or as often as it is read. */
TEST(links_carry_misses_of_remote_lines)
{
    for (int again = 0; again < 2; again++) {
        OWNED(machine) *machine = check_machine(MACHINE);
        OWNED(synthetic) *s = readers(again);
        check_set(machine, "inter.link_bandwidth", "1 GB/s");
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        OWNED(answer) *answer = check_answer("bottleneck", machine, &profile->views[0]);
        const struct model_record *then = &answer->result.records[1];
        double want_ns = (again ? SHARED : OWN) * LINE, time = 0;
        for (int i = 0; i < then->n_metrics; i++)
            if (strcmp(then->metrics[i].name, "kernel_time") == 0)
                time = answer->values[then->metrics[i].term];
        check_relative(time * 1e9, want_ns, 1e-6);
        assert_true(check_simulated_time(machine, &s->source) > time);
    }
}

/* Of two chips' warps each reads a line of its own and three of an array of the first chip's, which
 * stay in its LLC: its slices have seven of eight requests, its memory half of the lines and the
 * array, 10 ns each. */
TEST(a_hot_home_is_no_hot_memory)
{
    enum { WARPS = 64, STEPS = 8, HOT = 64 };
    OWNED(machine) *machine = check_machine(MACHINE);
    OWNED(synthetic) *s = synthetic_create("hot");
    const uint64_t each = (uint64_t)1 << 24;
    check_set(machine, "llc.organisation", "memory-side");
    check_set(machine, "memory.channels", "1");
    check_set(machine, "memory.bandwidth", "12.8GB/s");
    check_set(machine, "inter.latency", "10ns");
    synthetic_kernel(s, "k", 2, WARPS);
    for (uint64_t chip = 0; chip < 2; chip++)
        for (uint32_t w = 0; w < WARPS; w++)
            for (uint64_t i = 0; i < STEPS; i++) {
                uint64_t line = (1 + chip) * each / LINE + w * STEPS + i;
                synthetic_lane(s, chip, w, ACCESS_READ, line * LINE);
                for (uint64_t k = 0; k < 3; k++)
                    synthetic_lane(s, chip, w, ACCESS_READ, (7 * w + 3 * i + k) % HOT * LINE);
            }
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    struct simulate_gpu_result *result;
    struct simulate_gpu_options options = referee_options(1000000);
    double want_ns = (WARPS * STEPS + HOT) * 10;
    check_ok(simulate_gpu(machine, &s->source, &options, &result, &failure));
    check_relative(result->kernel_time_s * 1e9, want_ns, 0.05);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, want_ns, 0.05);
    simulate_gpu_result_destroy(result);
}

/* Where an LLC keeps replicas, what nobody copies waits as reads miss, not as all requests do: a
 * warp that reads lines for the first time and writes other ones again and again between them. */
TEST(reads_miss_beside_writes_that_hit)
{
    enum { READS = 256, WRITES = 3 };
    OWNED(machine) *machine = check_shipped("nuba", NULL);
    OWNED(synthetic) *s = synthetic_create("writer");
    synthetic_kernel(s, "k", 1, 1);
    for (uint64_t i = 0; i < READS; i++) {
        synthetic_lane(s, 0, 0, ACCESS_READ, i * LINE);
        for (uint64_t k = 0; k < WRITES; k++)
            synthetic_lane(s, 0, 0, ACCESS_WRITE, ((uint64_t)1 << 24) + k * LINE);
    }
    OWNED(profile) *profile = profile_create();
    struct profile_options parts = {.parts = PART_WAITS | PART_REPLICATION};
    check_ok(profile_make(profile, &s->source, machine, &parts, &failure));
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    struct simulate_gpu_result *result;
    struct simulate_gpu_options options = referee_options(1000000);
    check_ok(simulate_gpu(machine, &s->source, &options, &result, &failure));
    check_relative(answer_metric(answer, "kernel_time"), result->kernel_time_s, 0.05);
    simulate_gpu_result_destroy(result);
}

/* Where MDR decides against replicas a launch is as without them, to the last bit: what is dirty
 * goes to memory when it leaves, and at the launch's end. */
TEST(as_without_replicas)
{
    OWNED(source) *source = check_source("blackscholes:input=small");
    double time[2];
    for (int i = 0; i < 2; i++) {
        OWNED(machine) *machine = check_shipped("nuba", NULL);
        check_set(machine, "llc.replication", i ? "none" : "mdr");
        OWNED(profile) *profile = profile_create();
        struct profile_options options = {.parts = PART_REPLICATION | PART_WAITS, .threads = 1};
        check_ok(profile_make(profile, source, machine, &options, &failure));
        OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
        time[i] = answer_metric(answer, "kernel_time");
    }
    check_relative(time[0], time[1], 0);
}

/* Of two chips the first is home of 2000 lines that each of two SMs writes half of: its memory
 * writes all of them home at the end, 25.6 ns each, while the other one stands idle. */
TEST(busiest_home_writes_last)
{
    OWNED(machine) *machine = check_machine(
        "machine: t\nchips: 2\nline: 128 B\n"
        "sm: {per_chip: 1, clock: 1 GHz, warps: 64, ctas: 64, issue: 1000 /cycle}\n"
        "l1: {capacity: 1 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"
        "llc: {organisation: memory-side, capacity: 4 MiB, ways: 16, slices: 1,\n"
        "      bandwidth: 1000 TB/s, latency: 20 ns}\n"
        "inter: {topology: fully-connected, link_bandwidth: 1000 TB/s, latency: 10 ns}\n"
        "page: {policy: interleave, size: 1 MiB, interleave: 1 MiB}\n"
        "memory: {bandwidth: 5 GB/s, channels: 1, latency: 100 ns}\n");
    OWNED(synthetic) *s = synthetic_create("writes");
    synthetic_kernel(s, "k", 2, 1);
    for (uint64_t sm = 0; sm < 2; sm++)
        for (uint64_t i = 0; i < 1000; i++)
            synthetic_lane(s, sm, 0, ACCESS_WRITE, (2 * i + sm) * 128);
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    check_relative(check_simulated_time(machine, &s->source) * 1e9, 2000 * 25.6, 0.02);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, 2000 * 25.6, 0.02);
}

/* A warp waits for atomics as for reads: behind each new line it reads it changes one of a few. */
TEST(atomics_find_their_lines)
{
    enum { STEPS = 400, FEW = 64 };
    OWNED(machine) *machine = check_machine(MACHINE);
    OWNED(synthetic) *s = synthetic_create("atomics");
    check_set(machine, "llc.organisation", "memory-side");
    synthetic_kernel(s, "k", 1, 1);
    for (uint64_t i = 0; i < STEPS; i++) {
        synthetic_lane(s, 0, 0, ACCESS_READ, i * LINE);
        synthetic_lane(s, 0, 0, ACCESS_ATOMIC, ((uint64_t)1 << 20) + i % FEW * LINE);
    }
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    double want_ns = STEPS * (2 * hit_ns + memory_ns) + FEW * memory_ns;
    check_relative(check_simulated_time(machine, &s->source) * 1e9, want_ns, 0.02);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, want_ns, 0.03);
}
