/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Partitions of a chip whose LLC slices ask each other's before memory, such as the two halves of
 * an A100's L2: what the profiler counts, the models and the simulation answer, by hand and at
 * limits. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "machine/system.h"
#include "profile/record/curve.h"
#include "validate/silicon_traffic.h"

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

/* What a kind of station served, in seconds of one of them: of so many, or the busiest one. */
static double work_of(const struct simulate_gpu_result *r, const char *name, double units)
{
    for (size_t i = 0; i < r->n_stations; i++)
        if (strcmp(r->stations[i].name, name) == 0)
            return r->time_s *
                   (units > 0 ? units * r->stations[i].utilisation : r->stations[i].most);
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

static struct simulate_gpu_result *simulated_whole(const struct machine *m,
                                                   const struct source *source)
{
    struct simulate_gpu_options options = referee_options(10000000);
    struct simulate_gpu_result *r;
    check_ok(simulate_gpu(m, source, &options, &r, &failure));
    return r;
}

/* A run on an A100 whose L1 has 16 KiB, with such blocks, and LLCs of some capacities. */
static void check_beside(const char *workload, const char *const *blocks)
{
    static const double capacities[] = {128, 256, 512}; /* KiB */
    OWNED(source) *source = check_source(workload);
    OWNED(machine) *m = check_shipped("a100", blocks);
    check_set(m, "l1.capacity", "16 KiB");
    OWNED(machine) *narrow = machine_clone(m);
    check_set(narrow, "crossing.bandwidth", "1 GB/s");
    OWNED(profile) *p = check_profile(source, m, false);
    check_set(m, "launch.time", "0 s");
    check_set(narrow, "launch.time", "0 s");
    for (int i = 0; i<3; i += check_slowness()> 1 ? 2 : 1) {
        char capacity[32];
        snprintf(capacity, sizeof capacity, "%g KiB", capacities[i]);
        check_set(m, "llc.capacity", capacity);
        check_set(narrow, "llc.capacity", capacity);
        struct simulate_gpu_result *r = simulated_whole(m, source);
        double hits = answered("network", m, p, "llc_hit_rate");
        if (fabs(hits - r->llc_hit_rate) > 0.03)
            fail_msg("%s, %s: %.4f hit, simulated %.4f", workload, capacity, hits, r->llc_hit_rate);
        simulate_gpu_result_destroy(r);
        r = simulated_whole(narrow, source);
        /* A slow crossing: the bound is what the busier half takes, launch by launch. Lines
         * of the other half are taken to miss as often as all, which is too often for nn. */
        double bound = answered("bottleneck", narrow, p, "kernel_time");
        double busiest = work_of(r, "crossing", 0);
        if (busiest > 1.1 * bound || bound > 1.25 * r->kernel_time_s)
            fail_msg("%s, %s: bound %g s, simulated %g s, and %g s over the crossing", workload,
                     capacity, bound, r->kernel_time_s, busiest);
        simulate_gpu_result_destroy(r);
    }
}

/* Curves in which a share of others' requests comes by, as the misses do that bring them, beside
 * the simulation of all requests. What L1 lets through hangs on how long lines are on their way:
 * rates are compared where the crossing is the machine's own, as rounds take it. Each SM has a part
 * of a launch, and looks up all lines of a warp at once; and as the machine has it, blocks in turn
 * and lines one behind another, but for two: there moments decide, which rounds do not know. Of
 * atax 25 % are said to hit 128 KiB, 31 % do; pagerank sends 17 to 33 % more over a slow crossing.
 */
TEST(curves_beside_simulation)
{
    static const struct {
        const char *name;
        bool in_turn;
    } workloads[] = {{"nn:width=32,layers=3,samples=256,tiles=0", true},
                     {"pagerank:input=small", false},
                     {"3dconv:input=small", true},
                     {"spmv:input=small", true},
                     {"bfs:input=small", true},
                     {"atax:input=small", false},
                     {"sssp:input=small", true}};
    const bool slow = check_slowness() > 1;
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w += slow ? 4 : 1) {
        check_beside(workloads[w].name, SETTINGS("cta.policy", "distributed", "cta.scope", "sm",
                                                 "l1.lookups", "1000 /cycle"));
        if (workloads[w].in_turn && !slow)
            check_beside(workloads[w].name, NULL);
    }
}

/* One warp an SM, every latency of a way by hand: 10 ns of L1, 2 x 5 of the crossbar, 90 of the own
 * slices; then 2 x 50 of the crossing, with the other half's slices in it, and 300 of memory. */
TEST(latencies_by_hand)
{
    static const uint64_t same[] = {0, 0};
    enum { MORE = HALF + HALF / 2, READS = ROUNDS * MORE };
    OWNED(machine) *m = halves("home");
    OWNED(synthetic) *s = circles(1, MORE, same);
    OWNED(profile) *p = check_profile(&s->source, m, false);
    /* Lines of the own half's memory always come from there, of the other's once. */
    double far = READS / 2 * (110 + 100) + MORE / 2 * 300, near = READS / 2 * (110 + 300);
    struct simulate_gpu_result *r = simulated(m, &s->source);
    check_relative(r->kernel_time_s, (far + near) * 1e-9, 1e-3);
    check_relative(r->latency_s[ORIGIN_REMOTE_LLC].mean, 210e-9, 1e-3);
    check_relative(r->latency_s[ORIGIN_LOCAL_MEMORY].mean, 410e-9, 1e-3);
    check_relative(answered("network", m, p, "kernel_time"), (far + near) * 1e-9, 0.01);
    simulate_gpu_result_destroy(r);
    /* What fits is near. */
    OWNED(synthetic) *fits = circles(1, HALF, same);
    OWNED(profile) *q = check_profile(&fits->source, m, false);
    double time = ROUNDS * HALF * 110 + HALF * 300 + HALF / 2 * 100;
    r = simulated(m, &fits->source);
    check_relative(r->kernel_time_s, time * 1e-9, 1e-3);
    check_relative(answered("network", m, q, "kernel_time"), time * 1e-9, 0.02);
    simulate_gpu_result_destroy(r);
}

/* A crossing of 1 GB/s into each half: the bound is what it takes, and nothing is faster. */
TEST(a_slow_crossing_is_the_bound)
{
    static const uint64_t apart[] = {0, 4096};
    OWNED(machine) *m = halves("home");
    OWNED(synthetic) *s = circles(2, 2 * HALF, apart);
    check_set(m, "crossing.bandwidth", "1 GB/s");
    OWNED(profile) *p = check_profile(&s->source, m, false);
    struct simulate_gpu_result *r = simulated(m, &s->source);
    /* Each half takes half of its SM's lines from the other one. */
    double bytes = 2.0 * 2 * HALF * ROUNDS * 128, across = bytes / 2;
    double bound = across / 2e9;
    check_relative(bytes / answered("bottleneck", m, p, "effective_bandwidth"), bound, 1e-9);
    check_relative(work_of(r, "crossing", 2), across / 1e9, 1e-6);
    assert_true(r->kernel_time_s >= bound);
    assert_true(answered("network", m, p, "kernel_time") >= bound);
    simulate_gpu_result_destroy(r);
    /* At the home all that is remote crosses, hits too. */
    check_set(m, "llc.organisation", "memory-side");
    r = simulated(m, &s->source);
    check_relative(bytes / answered("bottleneck", m, p, "effective_bandwidth"), bound, 1e-9);
    check_relative(work_of(r, "crossing", 2), across / 1e9, 1e-6);
    assert_true(answered("network", m, p, "kernel_time") >= bound);
    simulate_gpu_result_destroy(r);
}

/* A wider or shorter crossing is never slower. */
TEST(more_of_a_crossing_is_never_slower)
{
    static const char *const rates[] = {"1 GB/s", "20 GB/s", "100 GB/s", "1 TB/s", "10 TB/s"};
    static const char *const latencies[] = {"200 cycles", "100 cycles", "50 cycles", "0 cycles"};
    static const char *const models[] = {"network", "bottleneck"};
    static const char *const workloads[] = {"3dconv:input=small", "spmv:input=small"};
    for (int w = 0; w < 2; w++) {
        OWNED(source) *source = check_source(workloads[w]);
        OWNED(machine) *m = check_shipped("a100", SETTINGS("llc.capacity", "256 KiB"));
        OWNED(profile) *p = check_profile(source, m, false);
        for (int i = 0; i < 2; i++) {
            double before = 0;
            check_set(m, "crossing.latency", latencies[0]);
            for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
                check_set(m, "crossing.bandwidth", rates[k]);
                double rate = answered(models[i], m, p, "effective_bandwidth");
                assert_true(rate >= before * (1 - 1e-9));
                before = rate;
            }
            for (size_t k = 0; k < sizeof latencies / sizeof *latencies; k++) {
                check_set(m, "crossing.latency", latencies[k]);
                double rate = answered(models[i], m, p, "effective_bandwidth");
                assert_true(rate >= before * (1 - 1e-9));
                before = rate;
            }
        }
    }
}

/* Writes of lines of the other half's memory cross once, when they leave. */
TEST(dirty_lines_cross)
{
    OWNED(machine) *m = halves("home");
    OWNED(synthetic) *s = synthetic_create("writes");
    enum { LINES = 8 * HALF };
    synthetic_kernel(s, "k", 2, 1);
    for (uint64_t i = 0; i < LINES; i++)
        synthetic_lane(s, 0, 0, ACCESS_WRITE, 128 * i);
    check_set(m, "crossing.bandwidth", "1 GB/s");
    OWNED(profile) *p = check_profile(&s->source, m, false);
    struct simulate_gpu_result *r = simulated(m, &s->source);
    check_relative(work_of(r, "crossing", 2), LINES / 2 * 128e-9, 1e-6);
    /* All of it into one half, of which the bound knows by the traffic matrix. */
    check_relative(LINES * 128 / answered("bottleneck", m, p, "effective_bandwidth"),
                   LINES / 2 * 128e-9, 0.02);
    check_relative(answered("bottleneck", m, p, "memory_written"), LINES * 128, 0.005);
    simulate_gpu_result_destroy(r);
}

/* A crossing that takes no time and is not asked changes nothing; nor does one of one partition. */
TEST(neutral)
{
    static const char *const workloads[] = {"3dconv:input=small", "spmv:input=small"};
    for (int w = 0; w < 2; w++) {
        OWNED(source) *source = check_source(workloads[w]);
        OWNED(machine) *with = check_machine("machine: w\nbase: uba-sm-side\n"
                                             "crossing: {misses: memory, latency: 0 s}\n");
        OWNED(machine) *without = check_shipped("uba-sm-side", NULL);
        OWNED(profile) *a = check_profile(source, with, false);
        OWNED(profile) *b = check_profile(source, without, false);
        static const char *const models[] = {"network", "bottleneck"};
        for (int i = 0; i < 2; i++)
            check_relative(answered(models[i], with, a, "kernel_time"),
                           answered(models[i], without, b, "kernel_time"), 1e-12);
    }
}

/* --- records in closed form ------------------------------------------------------------------ */

static double missing(const struct profile_record *record, const char *filter, double lines)
{
    return curve_miss_ratio_full(
        &profile_curve_find(record, "partition", "requester", filter)->curve, (uint64_t)lines);
}

static void check_record_beside_pass(const char *what, const struct profile_record *ours,
                                     const struct source *source, const struct machine *m,
                                     double lines, double cold, double most)
{
    static const char *const filters[] = {"filled", "filled-or-home"};
    OWNED(profile) *p = check_profile(source, m, false);
    for (int f = 0; f < 2; f++)
        for (double part = 0.02; part < 1; part += 0.1) {
            double want = -cold; /* mean over launches, all alike */
            for (size_t i = 0; i < p->views[0].n_records; i++)
                want += missing(&p->views[0].records[i], filters[f], part * lines) /
                        (double)p->views[0].n_records;
            double got = (1 - cold) * missing(ours, filters[f], part * lines);
            if (fabs(want - got) > most)
                fail_msg("%s, %s: %g of the lines miss %.4f, not %.4f", what, filters[f], part, got,
                         want);
        }
}

/* Each line of a sweep falls to either half by chance. */
TEST(sweeps_as_the_profiler_counts)
{
    enum { LINES = 4096, SWEEPS = 32 };
    OWNED(machine) *m = halves("home");
    OWNED(synthetic) *s = synthetic_create("sweeps");
    struct arena *arena = arena_create();
    struct profile_record ours;
    struct silicon_sweep sweep = {LINES * 128 / 8, 32, 1, LINES * 128, 1, 0};
    uint64_t seed = 5;
    synthetic_kernel(s, "k", 2, 1)->recorded_order = true;
    for (uint64_t i = 0; i < (uint64_t)SWEEPS * LINES; i++)
        synthetic_lane(s, check_random(&seed) % 2, 0, ACCESS_READ, 128 * (i % LINES));
    check_ok(silicon_sweep_record(m, &sweep, arena, &ours, &failure));
    check_record_beside_pass("sweeps", &ours, &s->source, m, LINES, 1.0 / SWEEPS, 0.02);
    arena_destroy(arena);
}

/* Eight readers of each set, four of either half, at places that have nothing to do with each
 * other. */
TEST(circles_as_the_profiler_counts)
{
    enum { SETS = 8, SET = 128, READERS = 8, TURNS = 16, CASES = 8, BLOCKS = SETS * READERS };
    OWNED(machine) *m = halves("home");
    OWNED(synthetic) *s = synthetic_create("circles");
    struct arena *arena = arena_create();
    struct profile_record ours;
    struct silicon_shared shared = {32, BLOCKS / 2, SET * 128, SETS * SET * 128, 1};
    uint64_t seed = 7;
    check_set(m, "sm.warps", "64");
    check_set(m, "sm.ctas", "64");
    check_set(m, "sm.scheduler", "lrr");
    check_ok(silicon_shared_record(m, &shared, arena, &ours, &failure));
    for (int k = 0; k < CASES; k++) {
        synthetic_kernel(s, "k", BLOCKS, 1);
        for (uint64_t b = 0; b < BLOCKS; b++) {
            uint64_t at = check_random(&seed) % SET;
            for (uint64_t i = 0; i < (uint64_t)TURNS * SET; i++)
                synthetic_lane(s, b, 0, ACCESS_READ, 128 * ((at + i) % SET + b % SETS * SET));
        }
    }
    check_record_beside_pass("circles", &ours, &s->source, m, SETS * SET, 0, 0.05);
    arena_destroy(arena);
}
