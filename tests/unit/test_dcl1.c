/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model of DC-L1: every limit by hand, limits of the designs, profiles, sweeps. */
#include "check.h"

#include <unistd.h>

#include "dcl1/messages.h"
#include "explore/answer/answer.h"
#include "explore/sweep/sweep.h"
#include "machine/machine.h"
#include "workload/workload.h"
#include "profile/run/profiler.h"

static struct profile_record traffic(void)
{
    struct profile_record record = check_traffic();
    record.fields[FIELD_LSU_MEMORY_SIDE] = 0.9;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = 0.5;
    record.fields[FIELD_L1_MISSES_ELSEWHERE] = 120;
    record.fields[FIELD_L1_COPIES] = 3;
    return record;
}

static int try_answer(const struct machine *machine, const struct profile_record *record,
                      struct answer **out, struct error *error)
{
    struct profile_view view = {.records = (struct profile_record *)record, .n_records = 1};
    return answer_create((const struct model *)plugin_find("model", "dcl1"), machine, &view, out,
                         error);
}

static struct answer *ask(const struct machine *machine, const struct profile_record *record)
{
    struct answer *answer;
    check_ok(try_answer(machine, record, &answer, &failure));
    return answer;
}

/* Accesses a second in G/s.
 *
 * NoC#1: request 0.8 + 0.2*4 = 1.6 flits, reply 0.15 + 0.85*4 = 3.55. NoC#2: request 0.4 + 0.2*4
 * = 1.2, reply 0.15 + 0.4*4 + 0.05*4 = 1.95; 76.8 B an access, 38.4 of memory. Hit latency of a
 * node of two SMs 28 + 2 + 54 cycles = 60 ns; miss 8 + 8 + 120 cycles + 0.5*100 ns. */
TEST(every_limit_by_hand)
{
    const double miss = 136 / 1.4 + 50, node = 0.85 * 60 + 0.45 * miss; /* ns */
    const struct {
        const char *settings[9];
        double rate;
        const char *limit;
    } cases[] = {
        {{"dcl1.design", "Sh40+C10+Boost"}, 32 * 0.9 * 0.7 / 1.95, "noc2"},
        {{"dcl1.design", "Sh40+C10"}, 40 * 0.8 * 0.7 / 3.55, "noc1"},
        {{"dcl1.design", "Pr10"}, 10 * 0.8 * 0.7 / 3.55, "noc1"},
        {{"dcl1.design", "Pr10", "dcl1.noc_clock", "70 GHz"}, 10 * 0.8 * 1.4, "nodes"},
        {{"dcl1.design", "Sh40", "dcl1.flit", "64 B"}, 40 * 0.8 * 0.7 / (0.15 + 1.7), "noc1"},
        /* 3 flits of 48 B for 128 B, not 2.67 */
        {{"dcl1.design", "Sh40", "dcl1.flit", "48 B"}, 40 * 0.8 * 0.7 / (0.15 + 2.55), "noc1"},
        {{"memory.bandwidth", "100 GB/s"}, 100 / 38.4, "memory"},
        {{"llc.bandwidth", "100 GB/s"}, 90 / 76.8, "llc"},
        {{"sm.issue", "0.1 /cycle"}, 80 * 0.14 / 2, "issue"},
        {{"dcl1.design", "Sh40+C10+Boost", "sm.warps", "4"}, 320 / node, "latency"},
        {{"dcl1.design", "Sh40+C10+Boost", "sm.warps", "4", "dcl1.communication", "0 cycles"},
         320 / (0.85 * 30 / 1.4 + 0.45 * miss),
         "latency"},
        {{"sm.warps", "4"}, 320 / (0.85 * 20 + 0.45 * miss), "latency"},
        {{"l1.mshrs", "1"}, 80 / (0.4 * miss), "mshrs"},
        /* baseline: slices before SMs */
        {{"l1.nodes", "0"}, 32 * 0.9 * 0.7 / 1.95, "noc2"},
        {{"dcl1.noc", "two-stage", "dcl1.noc_middle", "2"}, 20 * 0.7 / 1.95, "noc2"},
        {{"dcl1.noc", "two-stage", "dcl1.noc_middle", "2", "dcl1.noc2_boost", "2"},
         20 * 0.7 / 1.95,
         "noc2"}, /* links at the slower end's clock */
        {{"dcl1.noc", "two-stage", "dcl1.noc_middle", "2", "dcl1.noc1_boost", "2",
          "dcl1.noc2_boost", "2"},
         473.088 / 38.4,
         "memory"},
        {{"dcl1.design", "ideal", "dcl1.noc_clock", "70 GHz"}, 473.088 / 38.4, "memory"},
        {{"dcl1.design", "ideal", "dcl1.noc_clock", "70 GHz", "memory.bandwidth", "100 TB/s",
          "llc.bandwidth", "100 TB/s"},
         3840 / (0.85 * 20 + 0.45 * miss),
         "latency"},
    };
    struct profile_record record = traffic();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_shipped("dcl1", cases[i].settings);
        OWNED(answer) *a = ask(machine, &record);
        check_relative(answer_metric(a, "l1_rate"), cases[i].rate * 1e9, 1e-12);
        check_relative(answer_metric(a, "effective_bandwidth"), cases[i].rate * 76.8e9, 1e-12);
        check_relative(answer_metric(a, "kernel_time"), 1000 / (cases[i].rate * 1e9), 1e-12);
        check_relative(answer_metric(a, "l1_bandwidth"), cases[i].rate * 128e9, 1e-12);
        assert_string_equal(answer_limit(a, &a->result.records[0], 0), cases[i].limit);
    }
}

/* Few warps wait: an SM has those of the blocks that it has room for, and gets. A launch of B
 * blocks of W warps, 8 blocks, 1536 threads and 48 warps an SM: 80 B / 80 W accesses under way,
 * each of which takes 117 ns here (every_limit_by_hand). */
TEST(resident_warps_by_hand)
{
    const double node = 0.85 * 60 + 0.45 * (136 / 1.4 + 50); /* ns */
    static const struct {
        uint32_t blocks, launches, threads, warps; /* of all SMs */
        const char *ctas;
    } cases[] = {
        {80, 1, 256, 80 * 8, "8"},      {160, 2, 256, 80 * 8, "8"}, /* 80 blocks a launch */
        {81, 1, 128, 80 * 8, "8"},                                  /* the busiest SM's two */
        {40, 1, 256, 40 * 8, "8"},                                  /* half of the SMs */
        {1000, 1, 64, 80 * 2 * 4, "4"}, /* four blocks an SM at a time */
        {80, 1, 33, 80 * 2, "8"},       /* lanes of two warps */
        {1000, 1, 2048, 80 * 48, "8"},  /* no more than there are */
        {1000, 1, 0, 80 * 48, "8"},     /* unknown */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record record = traffic();
        record.fields[FIELD_CTAS] = cases[i].blocks;
        record.launches = cases[i].launches;
        record.block[0] = cases[i].threads;
        record.block[1] = record.block[2] = 1;
        OWNED(machine) *machine = check_shipped(
            "dcl1", SETTINGS("dcl1.design", "Sh40+C10+Boost", "sm.ctas", cases[i].ctas));
        OWNED(answer) *a = ask(machine, &record);
        double bound = 32 * 0.9 * 0.7 / 1.95, own = cases[i].warps / node;
        check_relative(answer_metric(a, "l1_rate"), fmin(bound, own) * 1e9, 1e-12);
        assert_string_equal(answer_limit(a, &a->result.records[0], 0),
                            own < bound ? "latency" : "noc2");
    }
}

/* Nothing but reads that hit, evenly: a reply is a line. */
TEST(flits_are_whole)
{
    static const struct {
        const char *flit;
        double flits;
    } cases[] = {{"32 B", 4}, {"48 B", 3}, {"100 B", 2}, {"160 B", 1}};
    struct profile_record record = traffic();
    record.fields[FIELD_L1_READS] = record.fields[FIELD_L1_READ_HITS] = 1000;
    record.fields[FIELD_READS] = record.fields[FIELD_WRITES] = record.fields[FIELD_ATOMICS] = 0;
    record.fields[FIELD_REQUESTS] = 1e-9; /* a launch without requests has no rate */
    record.fields[FIELD_BYTES] = 128e-9;
    record.fields[FIELD_L1_UNIFORMITY] = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine =
            check_shipped("dcl1", SETTINGS("dcl1.design", "Sh40", "dcl1.flit", cases[i].flit));
        OWNED(answer) *a = ask(machine, &record);
        check_relative(answer_metric(a, "l1_rate"), 40 * 0.7e9 / cases[i].flits, 1e-12);
    }
}

/* Reads of one sector beside writes and atomics of whole lines, 10 nodes. Requests 0.8 + 0.2*4
 * = 1.6 flits, replies 0.15 + 0.8*1 + 0.05*4 = 1.15. Of the mean, 1.6 sectors, they were 1.12 and
 * 0.15 + 0.85*1.6 = 1.51: so it is where the profile does not tell them apart. Where no read
 * misses, NoC#2 has the 0.2*4 flits of the others. */
TEST(flits_of_reads_and_writes)
{
    struct profile_record record = traffic();
    OWNED(machine) *machine = check_shipped("dcl1", SETTINGS("dcl1.design", "Pr10"));
    record.fields[FIELD_SECTOR_ACCESSES] = 800 * 1 + 200 * 4;
    record.fields[FIELD_READS] = 100; /* few miss: NoC#2 has less to carry */
    record.fields[FIELD_L1_READ_HITS] = 700;
    record.fields[FIELD_REQUESTS] = 300;
    record.fields[FIELD_BYTES] = 300 * 128;
    for (int apart = 0; apart < 2; apart++) {
        record.fields[FIELD_WRITTEN_SECTORS] = apart ? 200 * 4 : (double)NAN;
        OWNED(answer) *a = ask(machine, &record);
        check_relative(answer_metric(a, "l1_rate"), 10 * 0.8 * 0.7e9 / (apart ? 1.6 : 1.51), 1e-12);
        assert_string_equal(answer_limit(a, &a->result.records[0], 0), "noc1");
    }
    record.fields[FIELD_READS] = 0;
    record.fields[FIELD_L1_READ_HITS] = 800;
    record.fields[FIELD_REQUESTS] = 200;
    record.fields[FIELD_BYTES] = 200 * 128;
    OWNED(machine) *private = check_shipped("dcl1", NULL);
    OWNED(answer) *a = ask(private, &record);
    check_relative(answer_metric(a, "l1_rate"), 32 * 0.9 * 0.7e9 / 0.8, 1e-12);
    assert_string_equal(answer_limit(a, &a->result.records[0], 0), "noc2");
}

/* The crossbar of private L1s is the same to all models: 32 ports of 32 B in either direction, a
 * flit for what has no data. */
TEST(models_agree_on_the_private_crossbar)
{
    static const struct {
        double reads, writes;
    } cases[] = {{1000, 0}, {0, 1000}, {500, 500}, {200, 800}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record record = traffic();
        double reads = cases[i].reads, writes = cases[i].writes;
        record.fields[FIELD_LSU_MEMORY_SIDE] = record.fields[FIELD_L1_UNIFORMITY] = 1;
        record.fields[FIELD_R_LOCAL] = 1;
        record.fields[FIELD_L1_READS] = record.fields[FIELD_READS] = reads;
        record.fields[FIELD_L1_READ_HITS] = record.fields[FIELD_ATOMICS] = 0;
        record.fields[FIELD_WRITES] = writes;
        record.fields[FIELD_REQUESTS] = 1000;
        record.fields[FIELD_BYTES] = 1000 * 128;
        OWNED(machine) *machine =
            check_shipped("dcl1", SETTINGS("memory.bandwidth", "100 TB/s", "llc.bandwidth",
                                           "100 TB/s", "sm.issue", "100 /cycle"));
        double flits = fmax(reads + 4 * writes, 4 * reads + writes) / 1000;
        double want = 32 * 0.7e9 / flits * 128;
        check_relative(check_metric("dcl1", machine, &record, "effective_bandwidth"), want, 1e-9);
        check_relative(check_metric("bottleneck", machine, &record, "effective_bandwidth"), want,
                       1e-9);
    }
}

/* The least mean that any spread of the accesses over 1 to 4 sectors has. */
TEST(flits_of_parts_of_lines)
{
    static const struct {
        double sectors, flit, flits;
    } cases[] = {
        {1, 48, 1},      {4, 48, 3},     {3, 48, 2},
        {2, 48, 1.5},                                  /* half ask for 1, half for 3 */
        {2.5, 48, 1.75},                               /* a quarter, three quarters */
        {3.5, 48, 2.5},  {2, 64, 1},     {3, 64, 1.5}, /* half for 2, half for 4 */
        {4, 64, 2},      {2.5, 32, 2.5}, {2.5, 16, 5},
        {3.7, 256, 1},
    };
    uint64_t seed = 29;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_relative(dcl1_least_flits(cases[i].sectors, 4, cases[i].flit), cases[i].flits, 1e-12);
    for (int round = 0; round < check_rounds(2000, 50000); round++) {
        double flit = floor(8 + check_uniform(&seed) * 192), sectors = 0, flits = 0, n = 0;
        for (int k = 1; k <= 4; k++) {
            double some = floor(check_uniform(&seed) * 10) + (k == 1);
            n += some;
            sectors += some * k;
            flits += some * ceil(k * 32 / flit);
        }
        assert_true(dcl1_least_flits(sectors / n, 4, flit) <= flits / n * (1 + 1e-12));
    }
}

/* The published bytes per cycle count all clocks as one; in SI the drop is twice as large. */
TEST(peaks_are_told_apart)
{
    static const struct {
        const char *design, *flit;
        double cycle, si;
    } cases[] = {
        {"baseline", "32 B", 128 * 80, 128 * 80 * 1.4e9},
        {"Pr80", "32 B", 32 * 80, 32 * 80 * 0.7e9},
        {"Sh40+C10", "32 B", 32 * 40, 32 * 40 * 0.7e9},
        {"Sh40+C10+Boost", "32 B", 32 * 80, 32 * 40 * 1.4e9},
        {"ideal", "32 B", 128 * 80, 128 * 80 * 1.4e9},
        /* A line is 3 flits; one flit; a node has no more than a line a cycle. */
        {"Sh40", "48 B", 40 * 128 / 3.0, 40 * 128 / 3.0 * 0.7e9},
        {"Sh40", "256 B", 128 * 40, 128 * 40 * 0.7e9},
        {"Sh40+C10+Boost", "256 B", 128 * 40, 128 * 40 * 1.4e9},
    };
    struct profile_record record = traffic();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_shipped(
            "dcl1", SETTINGS("dcl1.design", cases[i].design, "dcl1.flit", cases[i].flit));
        OWNED(answer) *a = ask(machine, &record);
        check_relative(answer_metric(a, "l1_peak_cycle"), cases[i].cycle, 1e-12);
        check_relative(answer_metric(a, "l1_peak_drop"), 10240 / cases[i].cycle, 1e-12);
        check_relative(answer_metric(a, "l1_peak_bandwidth"), cases[i].si, 1e-12);
    }
}

TEST(replication_and_utilisation_by_hand)
{
    struct profile_record record = traffic();
    OWNED(machine) *machine = check_shipped("dcl1", SETTINGS("dcl1.design", "Sh40+C10"));
    struct answer *a = ask(machine, &record);
    double rate = 40 * 0.8 * 0.7e9 / 3.55;
    check_relative(answer_metric(a, "l1_miss_rate"), 0.5, 1e-12);
    check_relative(answer_metric(a, "replication_ratio"), 120.0 / 400, 1e-12);
    check_relative(answer_metric(a, "l1_copies"), 3, 1e-12);
    check_relative(answer_metric(a, "l1_replicas"), 2, 1e-12);
    check_relative(answer_metric(a, "l1_uniformity"), 0.8, 1e-12);
    check_relative(answer_metric(a, "l1_hit_latency"), 60e-9, 1e-12);
    check_relative(answer_metric(a, "noc1_utilisation"), 0.8, 1e-12);
    check_relative(answer_metric(a, "noc1_hottest"), 1, 1e-12);
    check_relative(answer_metric(a, "node_utilisation"), rate / (40 * 1.4e9), 1e-12);
    check_relative(answer_metric(a, "node_hottest"), rate / (40 * 1.4e9) / 0.8, 1e-12);
    check_relative(answer_metric(a, "noc2_utilisation"), rate * 1.95 / (40 * 0.7e9), 1e-12);
    assert_true(answer_metric(a, "noc_extrapolated") == 0);
    /* Not the baseline, and no curves. */
    assert_true(isnan(answer_metric(a, "replication_sensitive")));
    assert_true(isnan(answer_metric(a, "replication_predicted")));
    answer_destroy(a);
    check_set(machine, "dcl1.design", "baseline");
    check_set(machine, "sm.per_chip", "120");
    a = ask(machine, &record);
    assert_true(answer_metric(a, "noc_extrapolated") == 1); /* 120 x 32 */
    answer_destroy(a);
}

/* Idle SMs issue nothing. */
TEST(few_blocks_use_few_sms)
{
    struct profile_record record = traffic();
    OWNED(machine) *machine =
        check_shipped("dcl1", SETTINGS("dcl1.noc_clock", "70 GHz", "memory.bandwidth", "100 TB/s",
                                       "llc.bandwidth", "100 TB/s"));
    record.fields[FIELD_CTAS] = 20;
    record.launches = 2;
    OWNED(answer) *a = ask(machine, &record);
    check_relative(answer_metric(a, "l1_rate"), 480e9 / (0.85 * 20 + 0.45 * (136 / 1.4 + 50)),
                   1e-12);
}

/* Sensitive: ratio > 25 %, misses > 50 %, more than 5 % gain from 16 times the capacity. */
TEST(sensitivity_needs_all_three)
{
    static const struct {
        double elsewhere, hits, deep; /* share of the lookups that a larger L1 would hit */
        bool sensitive;
    } cases[] = {
        {160, 200, 0.6, true},
        {140, 200, 0.6, false},  /* ratio 23 % */
        {160, 420, 0.4, false},  /* misses 47 % */
        {160, 200, 0.01, false}, /* nothing to gain */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double misses = 800 - cases[i].hits;
        struct profile_record record = traffic();
        uint64_t units = 10, near = (uint64_t)cases[i].hits;
        struct curve_point points[] = {{2, near}, {400, near}, {410, near}};
        points[2].hits += (uint64_t)(cases[i].deep * 800);
        struct curve curve = {
            .requests = 800, .cold = 800 - points[2].hits, .points = points, .n_points = 3};
        struct profile_curve curves[] = {
            {.scope = "sm", .curve = curve},
            {.scope = "chip", .curve = curve},
        };
        for (int c = 0; c < 2; c++) {
            curves[c].side = "requester";
            curves[c].filter = "lookups";
            curves[c].domain_requests = curves[c].domain_cold = &units;
            curves[c].n_domains = 1;
        }
        record.curves = curves;
        record.n_curves = 2;
        record.fields[FIELD_L1_READ_HITS] = cases[i].hits;
        record.fields[FIELD_READS] = misses;
        record.fields[FIELD_REQUESTS] = misses + 200;
        record.fields[FIELD_BYTES] = (misses + 200) * 128;
        record.fields[FIELD_L1_MISSES_ELSEWHERE] = cases[i].elsewhere;
        OWNED(machine) *machine = check_shipped(
            "dcl1", SETTINGS("dcl1.design", "baseline", "memory.bandwidth", "100 TB/s",
                             "llc.bandwidth", "100 TB/s", "sm.warps", "1024"));
        OWNED(answer) *a = ask(machine, &record);
        /* NoC#2 binds: replies of 0.35 + 4 q flits, or requests of 0.8 + q. With what is left
         * of q at 16 times the capacity: */
        double q = misses / 1000, left = q - 0.8 * cases[i].deep;
        check_relative(answer_metric(a, "larger_l1_gain"),
                       (0.35 + 4 * q) / fmax(0.35 + 4 * left, 0.8 + left), 2e-2);
        assert_true(answer_metric(a, "replication_sensitive") == cases[i].sensitive);
    }
}

/* --- limits of the designs ------------------------------------------------------------------ */

static const char *const metrics[] = {
    "effective_bandwidth", "l1_rate",          "l1_peak_cycle", "l1_hit_latency",
    "noc1_utilisation",    "noc2_utilisation", "l1_copies"};

TEST(same_designs_answer_alike)
{
    static const char *const pairs[][2] = {
        {"Sh40+C40", "Pr40"}, {"Sh40+C1", "Sh40"}, {"Sh20+C20+Boost", "Pr20+Boost"}};
    struct profile_record record = traffic();
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct machine *machines[2];
        struct answer *answers[2];
        for (int k = 0; k < 2; k++) {
            machines[k] = check_shipped("dcl1", SETTINGS("dcl1.design", pairs[i][k]));
            answers[k] = ask(machines[k], &record);
        }
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
            assert_true(answer_metric(answers[0], metrics[m]) ==
                        answer_metric(answers[1], metrics[m]));
        for (int k = 0; k < 2; k++) {
            answer_destroy(answers[k]);
            machine_destroy(machines[k]);
        }
    }
}

static struct profile *profile_of(const struct source *source, const char *nodes,
                                  const char *clusters)
{
    OWNED(machine) *machine =
        check_shipped("dcl1", SETTINGS("l1.nodes", nodes, "l1.clusters", clusters));
    struct profile_options options = {.parts = PART_L1};
    struct profile *profile = profile_create();
    check_ok(profile_make(profile, source, machine, &options, &failure));
    return profile;
}

static void check_same_records(const struct profile *a, const struct profile *b)
{
    assert_int_equal(a->views[0].n_records, b->views[0].n_records);
    for (size_t r = 0; r < a->views[0].n_records; r++) {
        const struct profile_record *x = &a->views[0].records[r], *y = &b->views[0].records[r];
        for (int f = 0; f < FIELD_COUNT; f++)
            if (x->fields[f] != y->fields[f] && !(isnan(x->fields[f]) && isnan(y->fields[f])))
                fail_msg("%s: %.17g and %.17g", profile_field_row(f)->path, x->fields[f],
                         y->fields[f]);
        assert_int_equal(x->n_curves, y->n_curves);
        for (size_t c = 0; c < x->n_curves; c++) {
            assert_string_equal(x->curves[c].scope, y->curves[c].scope);
            assert_int_equal(x->curves[c].curve.n_points, y->curves[c].curve.n_points);
            assert_memory_equal(x->curves[c].curve.points, y->curves[c].curve.points,
                                x->curves[c].curve.n_points * sizeof(struct curve_point));
        }
    }
}

/* Exactly: Sh40+C40 is Pr40 (each node alone), Sh80+C80 the baseline. */
TEST(same_designs_profile_alike)
{
    static const char *const pairs[][4] = {{"40", "40", "40", "0"}, {"80", "80", "0", "0"}};
    OWNED(source) *source = check_source("bfs:nodes=2048,degree=4");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        OWNED(profile) *a = profile_of(source, pairs[i][0], pairs[i][1]);
        OWNED(profile) *b = profile_of(source, pairs[i][2], pairs[i][3]);
        check_same_records(a, b);
    }
}

/* Curves of all lookups serve the baseline, whose larger L1s they show, and else the closed form of
 * replication alone, which is asked for: it changes no time, whether a view has them or not. Of a
 * perfect L1 there is nothing to predict. */
TEST(curves_are_for_who_reads_them)
{
    static const struct {
        const char *design, *predict;
        unsigned parts;
        bool predicted;
    } cases[] = {{"baseline", "baseline", PART_L1, true},
                 {"baseline", "none", PART_BASE, false},
                 {"perfect", "always", PART_BASE, false},
                 {"Pr40", "baseline", PART_BASE, false},
                 {"Sh40+C10", "baseline", PART_BASE, false},
                 {"ideal", "baseline", PART_BASE, false},
                 {"Sh40+C10", "always", PART_L1, true}};
    const struct model *model = (const struct model *)plugin_find("model", "dcl1");
    OWNED(source) *source = check_source("bfs:nodes=2048,degree=4");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_shipped(
            "dcl1", SETTINGS("dcl1.design", cases[i].design, "dcl1.predict", cases[i].predict));
        struct profile_options options[] = {{.parts = PART_L1}, {.parts = PART_BASE}};
        double time[2], predicted[2];
        unsigned parts;
        check_ok(model_parts(model, machine, &parts, &failure));
        assert_int_equal(parts, cases[i].parts);
        for (int k = 0; k < 2; k++) {
            OWNED(profile) *profile = profile_create();
            struct answer *answer;
            check_ok(profile_make(profile, source, machine, &options[k], &failure));
            check_ok(answer_create(model, machine, &profile->views[0], &answer, &failure));
            time[k] = answer_metric(answer, "kernel_time");
            predicted[k] = answer_metric(answer, "replication_predicted");
            answer_destroy(answer);
        }
        assert_true(time[0] == time[1] && time[0] > 0);
        assert_int_equal(!isnan(predicted[0]), cases[i].predicted);
        assert_true(isnan(predicted[1]));
    }
}

/* More of anything never makes it slower. */
TEST(rates_are_monotone)
{
    static const struct {
        const char *path, *unit;
        double low, high;
        bool shorter; /* is better */
    } ways[] = {
        {"memory.bandwidth", "GB/s", 50, 5000, false},  {"llc.bandwidth", "GB/s", 50, 5000, false},
        {"dcl1.noc_clock", "GHz", 0.1, 5, false},       {"dcl1.flit", "B", 8, 200, false},
        {"sm.issue", "/cycle", 0.05, 4, false},         {"dcl1.noc1_boost", "", 1, 4, false},
        {"dcl1.noc2_boost", "", 1, 4, false},           {"l1.latency", "cycles", 0, 200, true},
        {"dcl1.communication", "cycles", 0, 300, true}, {"llc.latency", "cycles", 1, 900, true},
        {"memory.latency", "ns", 1, 900, true},         {"noc.latency", "cycles", 0, 99, true},
    };
    static const char *const nodes[] = {"0", "10", "40", "80"};
    enum { WAYS = sizeof ways / sizeof *ways };
    uint64_t seed = 23;
    for (int i = 0; i < check_rounds(60, 400); i++) {
        OWNED(machine) *machine =
            check_shipped("dcl1", SETTINGS("dcl1.boost_ports", "4096", "dcl1.boost_most", "64",
                                           "l1.nodes", nodes[check_random(&seed) % 4]));
        struct profile_record record = traffic();
        double values[WAYS], hits = floor(check_uniform(&seed) * 800);
        char text[64];
        record.fields[FIELD_L1_READ_HITS] = hits;
        record.fields[FIELD_READS] = 800 - hits;
        record.fields[FIELD_REQUESTS] = 1000 - hits;
        record.fields[FIELD_BYTES] = 128 * (1000 - hits);
        record.fields[FIELD_SECTOR_ACCESSES] = 1000 + floor(check_uniform(&seed) * 3000);
        record.fields[FIELD_L1_UNIFORMITY] = 0.05 + 0.95 * check_uniform(&seed);
        record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = check_uniform(&seed);
        for (int w = 0; w < WAYS; w++) {
            values[w] = ways[w].low + (ways[w].high - ways[w].low) * check_uniform(&seed);
            snprintf(text, sizeof text, "%.9g %s", values[w], ways[w].unit);
            check_set(machine, ways[w].path, text);
        }
        OWNED(answer) *before = ask(machine, &record);
        for (int w = 0; w < WAYS; w++) {
            OWNED(machine) *better = machine_clone(machine);
            double factor = 1 + check_uniform(&seed);
            snprintf(text, sizeof text, "%.9g %s",
                     ways[w].shorter ? values[w] / factor : values[w] * factor, ways[w].unit);
            check_set(better, ways[w].path, text);
            OWNED(answer) *after = ask(better, &record);
            if (answer_metric(after, "l1_rate") < answer_metric(before, "l1_rate") * (1 - 1e-9))
                fail_msg("%s = %s: %g after %g", ways[w].path, text,
                         answer_metric(after, "l1_rate"), answer_metric(before, "l1_rate"));
        }
    }
}

TEST(unknown_fields_are_named)
{
    static const struct {
        enum profile_field field;
        const char *words;
    } cases[] = {{FIELD_LINE_ACCESSES, "line_accesses"},
                 {FIELD_L1_UNIFORMITY, "l1_uniformity"},
                 {FIELD_WRITES, "writes"},
                 {FIELD_SECTOR_ACCESSES, "sector_accesses"},
                 {FIELD_CTAS, "ctas"},
                 {FIELD_LSU_MEMORY_SIDE, "lsu"}};
    OWNED(machine) *machine = check_shipped("dcl1", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record record = traffic();
        struct answer *answer;
        record.fields[cases[i].field] = NAN;
        check_error(try_answer(machine, &record, &answer, &failure), STATUS_UNKNOWN_FIELD,
                    cases[i].words);
    }
}

/* Designs that break a rule or cannot be built are counted with the reason, others ranked. */
TEST(sweeps_count_what_cannot_be_built)
{
    static const char text[] =
        "space: t\nmachine: dcl1\nworkloads: [\"bfs:nodes=512,degree=4\"]\nmodels: [dcl1]\n"
        "axes:\n  dcl1.design: [baseline, Sh40+Boost, Pr40, Pr33, Sh40+C10+Boost]\n"
        "objectives: [{minimise: kernel_time}, {minimise: cost.l1_noc_area}]\n";
    OWNED(space) *space = NULL;
    OWNED(sweep) *sweep = NULL;
    check_own_cache();
    check_ok(space_load(check_file("s.yaml", text), &space, &failure));
    check_ok(sweep_open(space, 1, &sweep, &failure));
    check_ok(sweep_prepare(sweep, NULL, NULL, &failure));
    check_ok(sweep_run(sweep, &failure));
    assert_int_equal(sweep->kept, 3);
    assert_int_equal(sweep->reasons.count, 2);
    bool boost = false, rule = false;
    for (size_t i = 0; i < sweep->reasons.count; i++) {
        boost |= strncmp(sweep->reasons.items[i].text, "NoC#1 cannot be boosted: a 80x40", 32) == 0;
        rule |= strstr(sweep->reasons.items[i].text, "the rule Y | X") != NULL;
    }
    assert_true(boost && rule);
}
