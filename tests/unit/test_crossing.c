/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partitions of a chip whose LLC slices ask each other's before memory, such as the two halves of
 * an A100's L2: what the profiler counts, the models and the simulation answer, by hand and at
 * limits. */
#include "profile_check.h"

#include "explore/answer.h"
#include "explore/referee.h"
#include "machine/system.h"

/* Two SMs, each with a half of 64 lines in one set; lines alternate between the halves' memories.
 * Nothing takes time but what is set. */
#define HALVES                                                                                     \
    "machine: h\nchips: 1\npartitions: 2\ncoherence: hardware\nline: 128 B\n"                      \
    "sm: {per_chip: 2, clock: 1 GHz, issue: 1e12 /s, warps: 1, outstanding: 1, ctas: 1}\n"         \
    "l1: {capacity: 1 KiB, ways: 8, latency: 10 ns}\n"                                             \
    "llc: {organisation: sm-side, capacity: 16 KiB, ways: 64, slices: 2, bandwidth: 1e17 B/s, "    \
    "latency: 90 ns}\n"                                                                            \
    "crossing: {misses: %s, bandwidth: 1e17 B/s, latency: 50 ns}\n"                                \
    "noc: {bandwidth: 1e17 B/s, latency: 5 ns}\n"                                                  \
    "memory: {bandwidth: 1e17 B/s, channels: 2, latency: 300 ns}\n"                                \
    "cta: {policy: distributed, scope: sm}\npage: {policy: interleave, interleave: 128 B}\n"

enum { HALF = 64, ROUNDS = 8 };

static struct machine *halves(const char *misses)
{
    char text[1024];
    snprintf(text, sizeof text, HALVES, misses);
    return check_machine(text);
}

/* Each of the first `sms` SMs reads the lines first .. first + n - 1 in order, again and again. */
static struct synthetic *circles(int sms, uint64_t n, const uint64_t *first)
{
    struct synthetic *s = synthetic_create("circles");
    synthetic_kernel(s, "k", 2, 1);
    for (int sm = 0; sm < sms; sm++)
        for (uint64_t i = 0; i < ROUNDS * n; i++)
            synthetic_lane(s, (uint64_t)sm, 0, ACCESS_READ, 128 * (first[sm] + i % n));
    return s;
}

static struct simulate_gpu_result *simulated(const struct machine *m, const struct source *source)
{
    struct simulate_gpu_options options = referee_options(10000000);
    struct simulate_gpu_result *r;
    options.l1_hit_rate = 0;
    check_ok(simulate_gpu(m, source, &options, &r, &failure));
    assert_true(r->whole);
    return r;
}

static double work_of(const struct simulate_gpu_result *r, const char *name, double units)
{
    for (size_t i = 0; i < r->n_stations; i++)
        if (strcmp(r->stations[i].name, name) == 0)
            return r->stations[i].utilisation * r->time_s * units;
    return 0;
}

static double answered(const char *model, const struct machine *m, const struct profile *p,
                       const char *metric)
{
    OWNED(answer) *answer = check_answer(model, m, &p->views[0]);
    return answer_metric(answer, metric);
}

/* What memory reads, over all requests: of both models and of the simulation, beside a figure by
 * hand; and bytes that come over the crossing. */
static void check_circles(const char *what, int sms, uint64_t n, const uint64_t *first,
                          const char *misses, double reads, double across)
{
    OWNED(machine) *m = halves(misses);
    OWNED(synthetic) *s = circles(sms, n, first);
    check_set(m, "crossing.bandwidth", "1 GB/s");
    OWNED(profile) *p = check_profile(&s->source, m, false);
    struct simulate_gpu_result *r = simulated(m, &s->source);
    double requests = (double)sms * ROUNDS * (double)n;
    static const char *const models[] = {"network", "bottleneck"};
    check_field(&p->views[0].records[0], FIELD_REQUESTS, requests);
    double crossed = work_of(r, "crossing", 2) * 1e9 / 128;
    if (fabs(1 - r->llc_hit_rate - reads / requests) > 1e-9 || fabs(crossed - across) > 1e-3)
        fail_msg("%s: %g of %g missed, %g came across, not %g, %g", what,
                 (1 - r->llc_hit_rate) * requests, requests, crossed, reads, across);
    for (int i = 0; i < 2; i++) {
        double miss = 1 - answered(models[i], m, p, "llc_hit_rate");
        if (fabs(miss - reads / requests) > 1e-9)
            fail_msg("%s, %s: %g of %g missed, not %g", what, models[i], miss * requests, requests,
                     reads);
    }
    simulate_gpu_result_destroy(r);
}

TEST(circles_by_hand)
{
    static const uint64_t same[] = {0, 0}, apart[] = {0, 4096};
    /* One SM. What fits its half comes in once, half of it from the other one's memory. */
    check_circles("fits a half", 1, HALF, same, "home", HALF, HALF / 2);
    /* A half that is too small for the circle never hits; the other one has what is its own, all
     * of it after the first round. */
    enum { MORE = HALF + HALF / 2 };
    check_circles("fits both", 1, MORE, same, "home", MORE / 2 * ROUNDS + MORE / 2,
                  MORE / 2 * ROUNDS);
    check_circles("fits neither", 1, 3 * HALF, same, "home", 3 * HALF * ROUNDS,
                  3 * HALF / 2 * ROUNDS);
    /* Where memory is asked past the other half's slices there is nothing in them. */
    check_circles("past them", 1, MORE, same, "memory", MORE * ROUNDS, MORE / 2 * ROUNDS);
    /* Both SMs, each its own lines: a half has its SM's and the other one's that are of its memory,
     * so that two thirds of it are left. */
    check_circles("own circles that fit", 2, 42, apart, "home", 2 * 42, 42);
    check_circles("own circles beside what others fetch", 2, HALF, apart, "home", 2 * HALF * ROUNDS,
                  HALF * ROUNDS);
    check_circles("the same past them", 2, HALF, apart, "memory", 2 * HALF, HALF);
    check_circles("own circles that fit nowhere", 2, 2 * HALF, apart, "home", 4 * HALF * ROUNDS,
                  2 * HALF * ROUNDS);
}

/* A line that both halves want is fetched from memory once, and lies in both then. */
TEST(one_fetch_for_both)
{
    static const uint64_t same[] = {0, 0};
    OWNED(machine) *m = halves("home");
    OWNED(synthetic) *s = circles(2, HALF, same);
    OWNED(profile) *p = check_profile(&s->source, m, false);
    struct simulate_gpu_result *r = simulated(m, &s->source);
    check_relative(1 - r->llc_hit_rate, 1.0 / 2 / ROUNDS, 1e-9);
    check_relative(1 - answered("network", m, p, "llc_hit_rate"), 1.0 / 2 / ROUNDS, 1e-9);
    check_relative(1 - answered("bottleneck", m, p, "llc_hit_rate"), 1.0 / 2 / ROUNDS, 1e-9);
    simulate_gpu_result_destroy(r);
    OWNED(machine) *past = halves("memory");
    OWNED(profile) *q = check_profile(&s->source, past, false);
    r = simulated(past, &s->source);
    check_relative(1 - r->llc_hit_rate, 1.0 / ROUNDS, 1e-9);
    check_relative(1 - answered("network", past, q, "llc_hit_rate"), 1.0 / ROUNDS, 1e-9);
    simulate_gpu_result_destroy(r);
}
