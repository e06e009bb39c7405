/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits and monotonicity of MCM-GPU's models and of the fixed-mix bound: links at infinity, an
 * L1.5 that never hits, levels before the LLC, partitions; classes of workloads by hand. */
#include "mcm_check.h"

#include "machine/system.h"

static void set_random(struct machine *m, const char *path, double low, uint64_t *seed)
{
    mcm_set(m, path, low * pow(1000, check_uniform(seed)), "GB/s");
}

static struct profile_record random_record(uint64_t *seed)
{
    struct profile_record record = mcm_record(check_uniform(seed), check_uniform(seed));
    record.fields[FIELD_LSU_MEMORY_SIDE] = 0.1 + 0.9 * check_uniform(seed);
    record.fields[FIELD_BYTES] = 1e6;
    record.fields[FIELD_REQUESTS] = 1e6 / 128;
    record.fields[FIELD_CTAS] = 1 + floor(check_uniform(seed) * 1000);
    record.fields[FIELD_WARP_INSTRUCTIONS] = 1e4 * pow(100, check_uniform(seed));
    record.block[0] = 32 * (1 + (uint32_t)(check_uniform(seed) * 8));
    record.block[1] = record.block[2] = 1;
    return record;
}

/* Modules behind infinite links (and crossbars, which remote requests cross twice) are one die
 * of the same totals. */
TEST(infinite_links_are_monolithic)
{
    static const char *const totals[] = {"llc.bandwidth", "memory.bandwidth"};
    static const char *const models[] = {"bottleneck", "link"};
    uint64_t seed = 3;
    for (int round = 0; round < check_rounds(15, 300); round++) {
        struct profile_record record = random_record(&seed), alone = record;
        OWNED(machine) *mcm = check_shipped("mcm", NULL), *mono = check_shipped("mono256", NULL);
        alone.fields[FIELD_R_LOCAL] = 1;
        for (int i = 0; i < 2; i++) {
            double value;
            set_random(mcm, totals[i], 20, &seed);
            check_ok(machine_number(mcm, totals[i], &value, &failure));
            mcm_set(mono, totals[i], 4 * value, "B/s");
        }
        mcm_set(mcm, "inter.link_bandwidth", 1e18, "B/s");
        mcm_set(mcm, "noc.bandwidth", 1e18, "B/s");
        mcm_set(mono, "noc.bandwidth", 1e18, "B/s");
        for (int i = 0; i < 2; i++)
            check_relative(check_metric(models[i], mcm, &record, "effective_bandwidth"),
                           check_metric(models[i], mono, &alone, "effective_bandwidth"), 1e-12);
    }
    /* The shipped machines: their crossbars never bind before the L2. */
    struct profile_record record = mcm_record(0.25, 0.99), alone = mcm_record(1, 0.99);
    OWNED(machine) *mcm = check_shipped("mcm", SETTINGS("inter.link_bandwidth", "1e9 GB/s"));
    OWNED(machine) *mono = check_shipped("mono256", NULL);
    check_relative(check_metric("bottleneck", mcm, &record, "effective_bandwidth"), 16e12, 1e-12);
    check_relative(check_metric("bottleneck", mono, &alone, "effective_bandwidth"), 16e12, 1e-12);
}

/* Counts of an L1.5 that looks up remote requests and hits a share of them. */
static void count_l15(struct profile_record *record, double hit)
{
    double requests = record->fields[FIELD_REQUESTS];
    double remote = requests * (1 - record->fields[FIELD_R_LOCAL]);
    record->levels[0] = "l15";
    record->fields[FIELD_LEVEL_0] = remote;
    record->fields[FIELD_LEVEL_0_HITS] = remote * hit;
    record->fields[FIELD_HOME_REQUESTS] = requests - remote * hit;
    record->fields[FIELD_HOME_REMOTE_REQUESTS] = remote * (1 - hit);
}

TEST(l15_that_never_hits_changes_nothing)
{
    static const char *const models[] = {"bottleneck", "link", "parallelism"};
    uint64_t seed = 5;
    OWNED(machine) *without = check_shipped("mcm", NULL);
    OWNED(machine) *with = check_shipped("mcm", SETTINGS("l15.capacity", "2 MiB", "l15.bandwidth",
                                                         "1e9 GB/s", "l15.latency", "0 s"));
    for (int round = 0; round < check_rounds(10, 100); round++) {
        struct profile_record record = random_record(&seed), counted = record;
        count_l15(&counted, 0);
        for (int i = 0; i < 3; i++)
            check_relative(check_metric(models[i], with, &counted, "effective_bandwidth"),
                           check_metric(models[i], without, &record, "effective_bandwidth"), 1e-12);
    }
}

/* A level without capacity is none: not for the profiler either. */
TEST(no_capacity_is_no_level)
{
    struct system system;
    struct machine *m = check_shipped("mcm", NULL);
    check_ok(system_compile(&system, m, SYSTEM_STREAM, &failure));
    assert_int_equal(system_between(&system), 0);
    machine_destroy(m);
    m = check_shipped("mcm-optimised", NULL);
    check_ok(system_compile(&system, m, SYSTEM_STREAM, &failure));
    assert_int_equal(system_between(&system), 1);
    assert_int_equal(system_level(&system, 0)->sets, (2 << 20) / 128 / 16);
    machine_destroy(m);
}

/* r_local = 0.5, h15 = 0.8: p = 0.6, q = 0.1; h = 0.5. In TB/s. Each of the ring's 8 edges carries
 * 4/3 hops / 8 of what goes to other modules. */
TEST(bottleneck_with_l15_by_hand)
{
    static const struct {
        const char *settings[4];
        double value;
        const char *limit;
    } cases[] = {
        {{NULL}, 3.072 / 0.3, "memory"},
        {{"inter.link_bandwidth", "96 GB/s"}, 0.096 * 6 / 0.1, "inter"},
        {{"llc.bandwidth", "1 TB/s"}, 4 / 0.6, "llc"},
        {{"l15.bandwidth", "1 TB/s"}, 4 / 0.5, "l15"},
        {{"noc.bandwidth", "2 TB/s"}, 8 / 1.1, "noc"},
    };
    struct profile_record record = mcm_record(0.5, 0.5);
    record.fields[FIELD_REQUESTS] = 1000;
    count_l15(&record, 0.8);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = check_shipped("mcm-optimised", cases[i].settings);
        OWNED(answer) *a = check_answer_of("bottleneck", m, &record);
        check_relative(answer_metric(a, "effective_bandwidth"), cases[i].value * 1e12, 1e-12);
        assert_string_equal(answer_limit(a, &a->result.records[0], 0), cases[i].limit);
    }
    OWNED(machine) *m = check_shipped("mcm-optimised", SETTINGS("llc.organisation", "sm-side"));
    mcm_refused("bottleneck", m, &record, "l15 stands before an SM-side LLC");
}

/* 256 SMs, 1 instruction a cycle at 1 GHz; latency 16 + 120 + 0.5 * 100 = 186 ns at h = 0.5. */
static struct profile_record kernel(double ctas, double instructions, double requests)
{
    struct profile_record record = mcm_record(1, 0.5);
    record.fields[FIELD_CTAS] = ctas;
    record.fields[FIELD_WARP_INSTRUCTIONS] = instructions;
    record.fields[FIELD_REQUESTS] = requests;
    record.fields[FIELD_BYTES] = requests * 128;
    record.block[0] = 256;
    record.block[1] = record.block[2] = 1;
    return record;
}

TEST(partitions_are_refused)
{
    static const char *const models[] = {"bottleneck", "link", "parallelism"};
    struct profile_record record = kernel(100, 1e6, 1e4);
    OWNED(machine) *m = check_shipped("mcm", SETTINGS("partitions", "2"));
    record.fields[FIELD_R_LOCAL] = 0.25;
    for (int i = 0; i < 3; i++)
        mcm_refused(models[i], m, &record, "partitions");
}

/* More of any bandwidth, or of hits, never costs bandwidth. */
TEST(monotone)
{
    static const char *const paths[] = {"llc.bandwidth", "memory.bandwidth", "inter.link_bandwidth",
                                        "noc.bandwidth"};
    static const char *const models[] = {"bottleneck", "link", "parallelism"};
    static const char *const topologies[] = {"ring", "switch", "fully-connected"};
    uint64_t seed = 11;
    for (int round = 0; round < check_rounds(15, 300); round++) {
        struct profile_record record = random_record(&seed), better = record;
        double hit = check_uniform(&seed);
        OWNED(machine) *m = check_shipped("mcm-optimised", NULL);
        mcm_set(m, "chips", 2 + floor(check_uniform(&seed) * 7), "");
        check_set(m, "inter.topology", topologies[round % 3]);
        count_l15(&record, hit);
        count_l15(&better, hit + (1 - hit) * check_uniform(&seed));
        for (int p = 0; p < 4; p++)
            set_random(m, paths[p], 20, &seed);
        for (int i = 0; i < 3; i++) {
            double now = check_metric(models[i], m, &record, "effective_bandwidth");
            assert_true(check_metric(models[i], m, &better, "effective_bandwidth") >=
                        now * (1 - 1e-12));
            for (int p = 0; p < 4; p++) {
                OWNED(machine) *more = machine_clone(m);
                double value;
                check_ok(machine_number(m, paths[p], &value, &failure));
                mcm_set(more, paths[p], value * (1 + 9 * check_uniform(&seed)), "B/s");
                assert_true(check_metric(models[i], more, &record, "effective_bandwidth") >=
                            now * (1 - 1e-12));
            }
        }
    }
}

/* --- classes --------------------------------------------------------------------------- */

TEST(classes_by_hand)
{
    static const struct {
        const char *what;
        double ctas, instructions, requests, time, efficiency, slowdown;
        const char *limit;
    } cases[] = {
        /* 2560 blocks: 10 an SM, a 256th of the work each. */
        {"issue, spread evenly", 2560, 2.56e8, 1e5, 1e-3, 1, 1, "issue"},
        /* 300 blocks: two on the busiest of 256 SMs, a 150th of the work. */
        {"issue, unevenly", 300, 3e8, 1e5, 2e-3, 150.0 / 256, 1, "issue"},
        /* One block: one SM. */
        {"one block", 1, 1e6, 10, 1e-3, 1.0 / 256, 1, "issue"},
        /* 128e6 bytes at 6.144 TB/s; half the memory takes twice the time. */
        {"memory", 25600, 1e6, 1e6, 128e6 / 6.144e12, 1, 2, "memory"},
        /* 8 warps of the busiest SM wait 186 ns for 1e5 / 256 requests. Alone, 64 would wait half
         * as long as a 256th of the memory takes: 128 B at 24 GB/s. */
        {"latency", 256, 1e4, 1e5, 1e5 / 256 * 186e-9 / 8, 128 / 24e9 / (186e-9 / 8), 1, "latency"},
    };
    OWNED(machine) *m = check_shipped("mono256", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record record =
            kernel(cases[i].ctas, cases[i].instructions, cases[i].requests);
        OWNED(answer) *a = check_answer_of("parallelism", m, &record);
        check_relative(answer_metric(a, "unloaded_latency"), 186e-9, 1e-12);
        check_relative(answer_metric(a, "kernel_time"), cases[i].time, 1e-9);
        check_relative(answer_metric(a, "parallel_efficiency"), cases[i].efficiency, 1e-9);
        check_relative(answer_metric(a, "memory_slowdown"), cases[i].slowdown, 1e-9);
        assert_string_equal(answer_limit(a, &a->result.records[0], 0), cases[i].limit);
    }
}

/* All hit the L2; half of the requests go to another of four modules: two crossings of 8 ns, L2
 * 120 ns, and 0.5 times two ways of as many hops of 32 ns. A switch is one hop, not two. */
TEST(unloaded_latency_by_hand)
{
    static const struct {
        const char *topology;
        double hops;
    } cases[] = {{"switch", 1}, {"fully-connected", 1}, {"ring", 4.0 / 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record record = kernel(256, 1e4, 1e5);
        OWNED(machine) *m = check_shipped("mcm", SETTINGS("inter.topology", cases[i].topology));
        record.fields[FIELD_R_LOCAL] = 0.5;
        record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = 1;
        check_relative(check_metric("parallelism", m, &record, "unloaded_latency"),
                       (2 * 8 + 120 + 0.5 * 2 * cases[i].hops * 32) * 1e-9, 1e-12);
    }
}

/* Efficiency is at most 1; half the memory takes at most twice the time. */
TEST(efficiency_and_slowdown_have_bounds)
{
    OWNED(machine) *m = check_shipped("mcm", NULL);
    uint64_t seed = 23;
    for (int round = 0; round < check_rounds(40, 800); round++) {
        struct profile_record record = random_record(&seed);
        double efficiency = check_metric("parallelism", m, &record, "parallel_efficiency");
        double slowdown = check_metric("parallelism", m, &record, "memory_slowdown");
        assert_true(efficiency > 0 && efficiency <= 1 + 1e-12);
        assert_true(slowdown >= 1 - 1e-12 && slowdown <= 2 + 1e-12);
    }
}
