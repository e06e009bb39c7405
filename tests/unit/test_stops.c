/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels that stop when all their MSHRs are taken: k lines in the time of a miss, whatever asks for
 * more; by hand, the network and the referee beside each other. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"

/* One SM at 1 GHz; transfers take next to nothing. A miss of the LLC takes 20 ns there and 100 of
 * memory, before that 10 of L1, 5 and 5 of the crossbar. */
#define MACHINE                                                                                    \
    "machine: t\nchips: 1\nline: 128 B\ncoherence: software\n"                                     \
    "sm: {per_chip: 1, clock: 1 GHz, issue: 100 /cycle, warps: 64, ctas: 64, scheduler: lrr}\n"    \
    "l1: {capacity: 16 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"                                 \
    "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: %d,\n"                    \
    "      bandwidth: 1000 TB/s, latency: 20 ns%s}\n"                                              \
    "noc: {bandwidth: 1000 TB/s, latency: 5 ns}\n"                                                 \
    "memory: {bandwidth: 1000 TB/s, channels: 16, latency: 100 ns}\n%s"
#define LEVEL "l2: {filter: all, capacity: 32 KiB, ways: 8, latency: 30 ns%s}\n"

enum { LINE = 128, WARPS = 64, EACH = 16, LINES = WARPS * EACH };

static struct machine *machine_of(int slices, const char *llc, const char *level)
{
    char text[2048];
    snprintf(text, sizeof text, MACHINE, slices, llc, level);
    return check_machine(text);
}

/* 64 warps that read lines of their own, one after another. */
static struct synthetic *strangers(void)
{
    struct synthetic *s = synthetic_create("strangers");
    synthetic_kernel(s, "k", WARPS, 1);
    for (int w = 0; w < WARPS; w++)
        for (int i = 0; i < EACH; i++)
            synthetic_lane(s, (uint64_t)w, 0, ACCESS_READ, (uint64_t)(w * EACH + i) * LINE);
    return s;
}

static double simulated(const struct machine *machine, const struct synthetic *s)
{
    struct simulate_gpu_result *result;
    struct simulate_gpu_options options = referee_options(1000000);
    check_ok(simulate_gpu(machine, &s->source, &options, &result, &failure));
    assert_true(result->whole);
    double time = result->kernel_time_s * 1e9;
    simulate_gpu_result_destroy(result);
    return time;
}

/* By both; the network says what stops. */
static void check_both(const struct machine *machine, double want_ns)
{
    OWNED(synthetic) *s = strangers();
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    check_relative(simulated(machine, s), want_ns, 0.02);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, want_ns, 0.05);
    check_relative(answer_metric(answer, "utilisation_mshrs"), 1, 0.01);
    assert_string_equal(answer_limit(answer, answer_dominant(answer), 0), "mshrs");
}

/* k lines every 120 ns: the LLC's 20 and memory's 100. */
TEST(the_llc_stops)
{
    static const int places[] = {1, 4, 16};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char mshrs[32];
        snprintf(mshrs, sizeof mshrs, ", mshrs: %d", places[i]);
        OWNED(machine) *machine = machine_of(1, mshrs, "");
        check_both(machine, LINES / places[i] * 120.0);
    }
}

/* A level before the LLC: 30 of its own, 20 and 100 behind it. */
TEST(a_level_stops)
{
    char level[128];
    snprintf(level, sizeof level, LEVEL, ", mshrs: 8");
    OWNED(machine) *machine = machine_of(1, "", level);
    check_both(machine, LINES / 8 * 150.0);
}

/* L1's MSHRs are held for all of a read: 140 ns. */
TEST(l1_stops)
{
    OWNED(machine) *machine = machine_of(1, "", "");
    OWNED(synthetic) *s = strangers();
    check_set(machine, "l1.mshrs", "8");
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    check_relative(simulated(machine, s), LINES / 8 * 140.0, 0.02);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, LINES / 8 * 140.0, 0.05);
}

/* An SM's places are its own: of three blocks of 16 warps one SM has two, for whose lines the
 * launch lasts. Accesses of four lines each take four. */
TEST(l1_stops_its_own_sm)
{
    for (int lines = 1; lines <= 4; lines += 3) {
        OWNED(machine) *machine = machine_of(1, "", "");
        OWNED(synthetic) *s = synthetic_create("blocks");
        double busiest_ns = 32 * EACH * lines / 8 * 140.0;
        check_set(machine, "sm.per_chip", "2");
        check_set(machine, "sm.outstanding", "4");
        check_set(machine, "l1.mshrs", "8");
        synthetic_kernel(s, "k", 3, 16);
        for (int w = 0; w < 48; w++)
            for (int i = 0; i < EACH * lines; i++) {
                uint64_t line = (uint64_t)(w * EACH * lines + i);
                uint8_t ahead = (uint8_t)(i % lines); /* which the warp does not wait for */
                synthetic_ahead(s, (uint64_t)w / 16, (uint32_t)w % 16, ACCESS_READ, line * LINE,
                                ahead);
            }
        OWNED(profile) *profile = check_profile(&s->source, machine, false);
        OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
        check_relative(simulated(machine, s), busiest_ns, 0.02);
        check_relative(answer_metric(answer, "kernel_time") * 1e9, busiest_ns, 0.05);
    }
}

/* As many as there are warps never stop: 145 ns a read and nothing else. */
TEST(enough_places)
{
    OWNED(machine) *without = machine_of(1, "", ""), *with = machine_of(1, ", mshrs: 64", "");
    OWNED(synthetic) *s = strangers();
    OWNED(profile) *profile = check_profile(&s->source, with, false);
    OWNED(answer) *free = check_answer("network", without, &profile->views[0]);
    OWNED(answer) *places = check_answer("network", with, &profile->views[0]);
    check_relative(answer_metric(places, "kernel_time"), answer_metric(free, "kernel_time"), 1e-9);
    check_relative(answer_metric(places, "utilisation_mshrs"), 120.0 / 140, 0.02);
    check_relative(simulated(with, s), simulated(without, s), 1e-9);
}

/* Several that ask for one line take one MSHR: 64 warps, a line each four. */
TEST(merges_are_one)
{
    OWNED(machine) *machine = machine_of(1, ", mshrs: 1", "");
    OWNED(synthetic) *s = synthetic_create("merges");
    check_set(machine, "sm.per_chip", "2"); /* L1s would merge those of one SM */
    synthetic_kernel(s, "k", 2, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, 0);
    synthetic_lane(s, 1, 0, ACCESS_READ, 0);
    check_relative(simulated(machine, s), 140, 1e-3);
    synthetic_kernel(s, "k", 2, 1);
    synthetic_lane(s, 0, 0, ACCESS_READ, LINE);
    synthetic_lane(s, 1, 0, ACCESS_READ, 2 * LINE);
    check_relative(simulated(machine, s), 140 + 140 + 120, 1e-3);
}

/* What comes behind a miss without an MSHR waits, a hit too: by as long as a miss takes. Behind it
 * its warp has 20 hits in L1, so that it is the last. */
TEST(hits_wait_behind_misses)
{
    static const struct {
        const char *mshrs;
        double ns;
    } cases[] = {{"", 40 + 200}, {", mshrs: 1", 40 + 120 + 200}};
    for (size_t i = 0; i < 2; i++) {
        OWNED(machine) *machine = machine_of(1, cases[i].mshrs, "");
        OWNED(synthetic) *s = synthetic_create("hits");
        struct simulate_gpu_result *r;
        struct simulate_gpu_options options = referee_options(1000000);
        synthetic_kernel(s, "k", 1, 1);
        synthetic_lane(s, 0, 0, ACCESS_READ, 0); /* L1s forget it, the LLC does not */
        synthetic_kernel(s, "k", 3, 1);
        synthetic_lane(s, 0, 0, ACCESS_READ, LINE);
        synthetic_lane(s, 1, 0, ACCESS_READ, 2 * LINE);
        for (int k = 0; k < 21; k++)
            synthetic_lane(s, 2, 0, ACCESS_READ, 0);
        check_ok(simulate_gpu(machine, &s->source, &options, &r, &failure));
        check_relative(r->launches[1].time_s * 1e9, cases[i].ns, 2e-3);
        simulate_gpu_result_destroy(r);
    }
}

/* Slices stop by themselves: with lines spread over 16 of them, 16 times as many places. Warp w
 * reads line 16 w + i at its i-th step, so that all begin at one slice and follow each other
 * through the others. */
TEST(slices_stop_by_themselves)
{
    OWNED(machine) *machine = machine_of(16, ", mshrs: 1, mapping: fixed", "");
    OWNED(synthetic) *s = strangers();
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
    check_relative(answer_metric(answer, "kernel_time") * 1e9, LINES / 16 * 120.0, 0.05);
    check_relative(simulated(machine, s), LINES / 16 * 120.0 + 15 * 140, 0.02);
}

/* --- past L1 -------------------------------------------------------------------------------------
 */

/* Reads past L1 need no MSHR of it: one at a time, of each. */
TEST(reads_past_l1)
{
    OWNED(machine) *machine = machine_of(1, "", "");
    OWNED(synthetic) *s = synthetic_create("past");
    check_set(machine, "l1.mshrs", "1");
    check_set(machine, "l1.bypass_buffer", "2");
    synthetic_kernel(s, "k", 8, 1);
    for (int w = 0; w < 8; w++)
        synthetic_add(s, (uint64_t)w, 0,
                      (struct warp_access){.base = (uint64_t)w * LINE,
                                           .mask = 1,
                                           .instructions = 1,
                                           .bytes = 4,
                                           .kind = ACCESS_READ,
                                           .flags = ACCESS_BYPASS_L1});
    check_relative(simulated(machine, s), 8 / 2 * 140, 1e-3);
    check_set(machine, "l1.bypass_buffer", "8");
    check_relative(simulated(machine, s), 140, 1e-3);
}

/* On machines of all shapes, with domains that are unlike: no more MSHRs are taken than there are,
 * and more of them never slow. */
TEST(more_places_never_slow)
{
    static const char *const machines[] = {"sac", "nuba", "mcm-optimised", "dualopt-rdma"};
    static const char *const workloads[] = {"mvt:input=small", "spmv:input=small"};
    static const char *const mshrs[] = {"1", "2", "16", "1024"};
    size_t most = check_slowness() > 1 ? 1 : 2;
    for (size_t m = 0; m < 4; m++)
        for (size_t w = 0; w < most; w++) {
            OWNED(machine) *machine = check_shipped(machines[m], NULL);
            OWNED(source) *source = check_source(workloads[w]);
            OWNED(profile) *profile = profile_create();
            struct profile_options options = {.parts = PART_WAITS | PART_REPLICATION};
            check_ok(profile_make(profile, source, machine, &options, &failure));
            double before = HUGE_VAL;
            for (size_t i = 0; i < 4; i++) {
                check_set(machine, "llc.mshrs", mshrs[i]);
                OWNED(answer) *answer = check_answer("network", machine, &profile->views[0]);
                double time = answer_metric(answer, "kernel_time");
                double taken = answer_metric(answer, "utilisation_mshrs");
                if (!(time <= before * 1.001 && taken > 0 && taken <= 1.002))
                    fail_msg("%s, %s, %s MSHRs: %g s after %g s, %g of them taken", machines[m],
                             workloads[w], mshrs[i], time, before, taken);
                before = time;
            }
        }
}

/* Models without latencies say that they cannot know. */
TEST(bounds_warn)
{
    OWNED(machine) *machine = machine_of(1, ", mshrs: 1", "");
    OWNED(synthetic) *s = strangers();
    OWNED(profile) *profile = check_profile(&s->source, machine, false);
    OWNED(answer) *bound = check_answer("bottleneck", machine, &profile->views[0]);
    assert_non_null(strstr(bound->result.warnings[0], "(mshrs)"));
}
