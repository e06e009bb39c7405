/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that look up slices of their own domain and then the home's: a part of the ways for
 * remote lines (static, dynamic), replicas (NUBA). Models and simulation by hand, at limits, and
 * side by side. */
#include "profile_check.h"

#include "explore/answer/answer.h"
#include "explore/answer/referee.h"
#include "simulate/llc.h"

static struct simulate_gpu_result *simulated(const struct machine *machine,
                                             const struct source *source)
{
    struct simulate_gpu_options options = referee_options(10000000);
    struct simulate_gpu_result *result;
    check_ok(simulate_gpu(machine, source, &options, &result, &failure));
    assert_true(result->whole);
    return result;
}

/* What all units of a kind of station served, in seconds of one of them. */
static double work_of(const struct simulate_gpu_result *r, const char *name, double units)
{
    for (size_t i = 0; i < r->n_stations; i++)
        if (strcmp(r->stations[i].name, name) == 0)
            return r->stations[i].utilisation * r->time_s * units;
    fail_msg("no station \"%s\"", name);
    return 0;
}

static struct profile *profile_of(const struct source *source, const struct machine *machine)
{
    struct profile *profile = profile_create();
    struct profile_options options = {.parts = PART_REMOTE | PART_REPLICATION | PART_WAITS};
    check_ok(profile_make(profile, source, machine, &options, &failure));
    return profile;
}

static double metric_of(const char *model, const struct machine *machine,
                        const struct profile *profile, const char *name)
{
    OWNED(answer) *answer = check_answer(model, machine, &profile->views[0]);
    double value = answer_metric(answer, name);
    return value;
}

/* --- replicas ----------------------------------------------------------------------------- */

/* 64 SMs, two a partition, read the same 1024 lines once: 65536 requests, of which the 2 x 1024 of
 * partitions for their own lines are local and all others replicable. Each partition fetches 1024
 * lines but its own, 31744 in all, half of the replicable requests; memory reads 1024. */
static const char broadcast[] = "workload: broadcast\n"
                                "summary: every block reads the same 128 KiB once\n"
                                "parameters: {nc: 64, sh: 32768}\n"
                                "inputs: {small: {nc: 64}}\n"
                                "arrays: {S: {shape: [sh], type: f32}}\n"
                                "kernels:\n"
                                "  - name: broadcast\n"
                                "    grid: nc\n"
                                "    block: 128\n"
                                "    body:\n"
                                "      - for: k in 0..sh/128\n"
                                "        body: [{load: \"S[k*128+tx]\"}]\n";
enum { REQUESTS = 65536, LINES = 1024, COPIES = 31744 };

TEST(replicas_by_hand)
{
    static const char *const replications[] = {"full", "none"};
    OWNED(source) *source = check_source(check_file("broadcast.yaml", broadcast));
    for (int none = 0; none < 2; none++) {
        OWNED(machine) *m = check_shipped("nuba", SETTINGS("llc.replication", replications[none]));
        OWNED(profile) *profile = profile_of(source, m);
        const double *fields = profile->views[0].records[0].fields;
        double moved = none ? REQUESTS - 2 * LINES : COPIES;
        check_field(&profile->views[0].records[0], FIELD_REQUESTS, REQUESTS);
        check_field(&profile->views[0].records[0], FIELD_REPLICABLE, REQUESTS - 2 * LINES);
        check_relative(1 - metric_of("network", m, profile, "llc_hit_rate"),
                       (double)LINES / REQUESTS, 0.02);
        double local = (2.0 * LINES + (none ? 0 : COPIES)) / REQUESTS;
        check_relative(metric_of("mdr", m, profile, "local_share"), local, 0.02);
        /* Slices: all requests, and at home once more what replicas miss. */
        double home = 1 / fields[FIELD_LSU_MEMORY_SIDE], own = 1 / fields[FIELD_LSU_SM_SIDE];
        double llc = 2.8 / (none ? home : own + moved / REQUESTS * home);
        double want = fmin(fmin(2.8, llc), 1.4 * REQUESTS / moved);
        struct simulate_gpu_result *r = simulated(m, source);
        check_relative(metric_of("network", m, profile, "kernel_time"), r->kernel_time_s, 0.1);
        simulate_gpu_result_destroy(r);
        check_set(m, "llc.bandwidth", "2.8 TB/s");
        check_relative(metric_of("mdr", m, profile, "fixed_mix_bandwidth"), want * 1e12, 0.02);
        r = simulated(m, source);
        check_relative(r->llc_hit_rate, 1 - (double)LINES / REQUESTS, 1e-12);
        check_relative(work_of(r, "memory", 32), LINES * 128 / 22.5e9, 1e-6);
        /* A read of 8 B and a reply of 136 B take 1 and 9 flits of 16 B. */
        check_relative(work_of(r, "noc", 1), moved * 160 / 1.4e12, 1e-6);
        check_relative(work_of(r, "llc", 64), (REQUESTS + (none ? 0 : moved)) * 128 / 43.75e9,
                       1e-6);
        simulate_gpu_result_destroy(r);
    }
}

/* Whatever is replicated, with room for all a line is read from memory once. */
TEST(replicas_with_room)
{
    static const char *const workloads[] = {"matrixmul:input=small", "gemm:input=small",
                                            "pagerank:input=small"};
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++) {
        OWNED(source) *source = check_source(workloads[w]);
        OWNED(machine) *m =
            check_shipped("nuba", SETTINGS("llc.replication", "full", "llc.capacity", "512 MiB"));
        OWNED(profile) *profile = profile_of(source, m);
        OWNED(machine) *home = machine_clone(m);
        check_set(home, "llc.replication", "none");
        double misses = 1 - metric_of("network", home, profile, "llc_hit_rate");
        check_relative(1 - metric_of("network", m, profile, "llc_hit_rate"), misses, 0.01);
        struct simulate_gpu_result *r = simulated(m, source);
        check_relative(1 - r->llc_hit_rate, misses, 0.01);
        simulate_gpu_result_destroy(r);
    }
}

/* --- split ways ----------------------------------------------------------------------------- */

static struct machine *split_of(const char *organisation, const char *share)
{
    struct machine *m = check_shipped("sac", SETTINGS("llc.capacity", "64 KiB", "l1.capacity",
                                                      "4 KiB", "llc.organisation", organisation));
    check_set(m, "llc.remote_share", share);
    return m;
}

/* Without a way for remote lines nothing looks them up there: memory-side, request by request. */
TEST(no_remote_part_is_memory_side)
{
    static const char *const workloads[] = {"nn:input=small", "bfs:input=small"};
    const size_t most = check_slowness() > 1 ? 1 : sizeof workloads / sizeof *workloads;
    for (size_t w = 0; w < most; w++) {
        OWNED(source) *source = check_source(workloads[w]);
        OWNED(machine) *split = split_of("static", "0"), *home = split_of("memory-side", "0.5");
        OWNED(profile) *profile = profile_of(source, home);
        static const char *const models[] = {"bottleneck", "network", "eab"};
        for (int i = 0; i < 3; i++)
            check_relative(metric_of(models[i], split, profile, "llc_hit_rate"),
                           metric_of(models[i], home, profile, "llc_hit_rate"), 1e-9);
        check_relative(metric_of("bottleneck", split, profile, "kernel_time"),
                       metric_of("bottleneck", home, profile, "kernel_time"), 1e-9);
        struct simulate_gpu_result *a = simulated(split, source), *b = simulated(home, source);
        assert_true(a->kernel_time_s == b->kernel_time_s && a->llc_hit_rate == b->llc_hit_rate);
        simulate_gpu_result_destroy(a);
        simulate_gpu_result_destroy(b);
    }
}

/* The closed form of what the home's ways see beside the simulation of all requests, in caches that
 * are too small for the workloads: hits within 3 % of the requests, what memory moves there and
 * back within 4. L1s hold what two accesses of a warp under way ask for, 32 lines each: else the
 * order of time, which a profile has not, decides what they drive out. Of sssp it does so still:
 * L1s ask for 6 % more in the simulation, which is 0.7 % of hits; but 4 % more hit in a quarter of
 * the ways, and with L1s of 128 KiB, which drive out nothing, 3 % fewer. What is left is the order
 * in which warps with unlike numbers of edges come to shared lines, or so it seems. */
TEST(closed_form_beside_simulation)
{
    static const char *const workloads[] = {"nn:input=small", "pagerank:input=small",
                                            "3dconv:input=small", "spmv:input=small",
                                            "sssp:input=small"};
    static const double within[] = {0.03, 0.03, 0.03, 0.03, 0.06};
    static const char *const shares[] = {"0.25", "0.5", "0.75", "1"};
    const bool slow = check_slowness() > 1;
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w += slow ? 3 : 1) {
        OWNED(source) *source = check_source(workloads[w]);
        OWNED(machine) *home = split_of("memory-side", "0.5");
        check_set(home, "l1.capacity", "8 KiB");
        OWNED(profile) *profile = profile_of(source, home);
        for (int i = 0; i < 4; i += slow ? 2 : 1) {
            OWNED(machine) *m = split_of("static", shares[i]);
            check_set(m, "l1.capacity", "8 KiB");
            struct simulate_gpu_result *r = simulated(m, source);
            double got = metric_of("bottleneck", m, profile, "llc_hit_rate");
            if (fabs(got - r->llc_hit_rate) > within[w])
                fail_msg("%s, %s of the ways: %.4f hit, simulated %.4f", workloads[w], shares[i],
                         got, r->llc_hit_rate);
            double moved = metric_of("bottleneck", m, profile, "memory_read") +
                           metric_of("bottleneck", m, profile, "memory_written");
            double there = work_of(r, "memory", 4) * 437.5e9;
            if (fabs(moved - there) > (within[w] + 0.01) * r->bytes)
                fail_msg("%s, %s of the ways: memory moves %g B, simulated %g of %g", workloads[w],
                         shares[i], moved, there, r->bytes);
            simulate_gpu_result_destroy(r);
        }
    }
}

static bool missed(struct llc *llc, uint64_t line, uint32_t at, uint32_t home, enum llc_part part)
{
    struct llc_dirty dirty;
    bool out;
    return llc_take(llc,
                    &(struct llc_request){line, 1, at, home, ACCESS_READ, part, part == LLC_REMOTE},
                    &dirty, &out) != 0;
}

/* Lines that only the home's chip asks for, each request by itself: what hits among all requests
 * hits behind remote parts, and what hits there hits where nobody else asks. */
TEST(home_is_between_its_limits)
{
    enum { CHIPS = 3, WAYS = 12, LINES_OF_A_CHIP = 14 };
    struct system system = {
        .domains = CHIPS, .levels = {[1] = {.slices = 1, .write = WRITE_BACK}}, .n_levels = 2};
    uint64_t seed = 3;
    for (uint32_t remote = 1; remote < WAYS; remote++) {
        struct llc split, all, alone;
        uint64_t differ = 0;
        llc_init(&split, &system, 1, WAYS, remote);
        llc_init(&all, &system, 1, WAYS - remote, 0);
        llc_init(&alone, &system, 1, WAYS - remote, 0);
        for (int i = 0; i < 20000 / check_slowness(); i++) {
            uint32_t home = (uint32_t)(check_random(&seed) % CHIPS);
            bool own = check_random(&seed) % 2;
            uint64_t line = check_random(&seed) % LINES_OF_A_CHIP;
            uint32_t chip = own ? home : (home + 1 + (uint32_t)(line % 2)) % CHIPS;
            line = (line * CHIPS + home) * 2 + own;
            if (!own) {
                missed(&all, line, home, home, LLC_HOMED);
                if (missed(&split, line, chip, home, LLC_REMOTE))
                    missed(&split, line, home, home, LLC_HOMED);
                continue;
            }
            bool low = missed(&alone, line, home, home, LLC_HOMED);
            bool here = missed(&split, line, home, home, LLC_HOMED);
            bool high = missed(&all, line, home, home, LLC_HOMED);
            assert_true(low <= here && here <= high);
            differ += low != here || here != high;
        }
        assert_true(differ > 0);
        llc_fini(&split);
        llc_fini(&all);
        llc_fini(&alone);
    }
}

/* One warp a chip, every latency 10 ns, nothing takes time to serve. Half the ways: 60 of 100
 * remote requests go on, over the home's crossbar and the own one once more, the links and another
 * slice, and all of these to memory; of the local ones 58 miss (test_sac.c has these curves). */
TEST(latencies_by_hand)
{
    static const char *const latencies[] = {"l1.latency", "noc.latency", "llc.latency",
                                            "inter.latency", "memory.latency"};
    static const char *const rates[] = {"noc.bandwidth", "llc.bandwidth", "memory.bandwidth",
                                        "inter.link_bandwidth", "sm.issue"};
    static struct curve_point points[] = {{4096, 90}, {4096, 60}, {4096, 40}, {4096, 80}};
    static const char *const kinds[4][2] = {
        {"home", "local"}, {"home", "all"}, {"home", "remote-of-all"}, {"requester", "remote"}};
    struct profile_curve curves[4];
    struct profile_record record = check_record();
    OWNED(machine) *m =
        check_shipped("sac", SETTINGS("chips", "2", "inter.topology", "fully-connected",
                                      "sm.per_chip", "1", "sm.warps", "1", "llc.capacity",
                                      "512 KiB", "llc.ways", "4096", "llc.organisation", "static"));
    for (int i = 0; i < 5; i++) {
        check_set(m, latencies[i], "10 ns");
        check_set(m, rates[i], i < 4 ? "1e18 B/s" : "1e13 Hz");
    }
    for (int i = 0; i < 4; i++)
        curves[i] = (struct profile_curve){.scope = "chip",
                                           .side = kinds[i][0],
                                           .filter = kinds[i][1],
                                           .curve = {100, 100 - points[i].hits, &points[i], 1}};
    record.fields[FIELD_R_LOCAL] = 0.5;
    record.fields[FIELD_LSU_MEMORY_SIDE] = record.fields[FIELD_LSU_SM_SIDE] = 1;
    record.curves = curves;
    record.n_curves = 4;
    double common = 10 + 2 * 10 + 10, local = 0.58 * 10;
    double remote = 0.6 * (2 * 20 + 20 + 10) + 0.6 * 10;
    check_relative(check_metric("network", m, &record, "effective_bandwidth"),
                   2 * 128 / ((common + (local + remote) / 2) * 1e-9), 1e-6);
    /* Nobody asks a part without ways: across once, and a slice; 60 miss at home, of either. */
    check_set(m, "llc.remote_share", "0");
    points[1].hits = points[2].hits = 40;
    remote = 20 + 20 + 0.6 * 10;
    check_relative(check_metric("network", m, &record, "effective_bandwidth"),
                   2 * 128 / ((common + (0.6 * 10 + remote) / 2) * 1e-9), 1e-6);
}
