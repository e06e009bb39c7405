/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a network could reach at best: never below its solution, for random machines with made and
 * profiled requests, and near it where nothing or everything waits. */
#include "mcm_check.h"
#include "profile_check.h"

#include "core/term_bounds.h"

static const char *const bandwidths[] = {"noc.bandwidth", "llc.bandwidth", "inter.link_bandwidth",
                                         "memory.bandwidth"};

static void random_settings(struct machine *m, uint64_t *seed)
{
    for (int i = 0; i < 4; i++)
        mcm_set(m, bandwidths[i], 1e10 * pow(3000, check_uniform(seed)), "B/s");
    mcm_set(m, "sm.outstanding", floor(1 + 40 * check_uniform(seed)), "");
    mcm_set(m, "l1.mshrs", floor(1 + pow(400, check_uniform(seed))), "");
    mcm_set(m, "memory.latency", 1 + 1000 * check_uniform(seed), "ns");
    mcm_set(m, "launch.time", 1000 * check_uniform(seed), "ns");
    check_set(m, "network.service", check_random(seed) % 2 ? "exponential" : "deterministic");
    check_set(m, "network.algorithm", check_random(seed) % 4 ? "auto" : "schweitzer");
}

/* A metric over its best end; NaN: the network did not settle. */
static double share_of_bound(const struct machine *m, struct profile_view *view, const char *metric)
{
    OWNED(answer) *answer = check_answer("network", m, view);
    struct term_graph *graph = answer->graph;
    int term = model_result_metric(&answer->result, metric);
    struct term_ends ends = term_bounds(graph, term), quick = term_quick_bounds(graph, term);
    if (ends.high < 0 || quick.high < 0) /* low: 0, but of several records nobody says so */
        fail_msg("%s: at most anything", metric);
    double *inputs = calloc((size_t)term_input_count(graph), sizeof *inputs);
    double *values = calloc((size_t)term_count(graph), sizeof *values);
    check_ok(model_bind(graph, m, inputs, &failure));
    term_evaluate(graph, inputs, values);
    double value = values[term], low = ends.low < 0 ? 0 : values[ends.low],
           high = values[ends.high], most = values[quick.high];
    free(inputs);
    free(values);
    if (isfinite(value) && !(value >= low && value <= high && high <= most))
        fail_msg("%s: %.17g, not between %.17g and %.17g, quickly %.17g", metric, value, low, high,
                 most);
    return value / high;
}

static void check_both(const struct machine *m, struct profile_view *view)
{
    share_of_bound(m, view, "effective_bandwidth");
    share_of_bound(m, view, "steady_bandwidth");
}

static double share_of_record(const struct machine *m, struct profile_record *record)
{
    struct profile_view view = {.records = record, .n_records = 1};
    return share_of_bound(m, &view, "effective_bandwidth");
}

/* Domains with work of their own, homes anywhere, a chain or none. */
TEST(made_requests)
{
    uint64_t seed = 31;
    for (int round = 0; round < check_rounds(60, 5000); round++) {
        static const char *const chips[] = {"2", "3", "4"};
        uint32_t n = 2 + (uint32_t)(check_random(&seed) % 3);
        OWNED(machine) *m =
            check_shipped("sac", SETTINGS("chips", chips[n - 2], "llc.organisation",
                                          check_random(&seed) % 2 ? "memory-side" : "sm-side"));
        double traffic[16], all = 0, local = 0;
        random_settings(m, &seed);
        struct profile_record record = mcm_record(0, check_uniform(&seed));
        bool alike = check_random(&seed) % 2;
        for (uint32_t i = 0; i < n * n; i++) {
            traffic[i] = alike ? 1 + (i % (n + 1) == 0) : check_uniform(&seed);
            all += traffic[i];
            local += i % (n + 1) == 0 ? traffic[i] : 0;
        }
        record.fields[FIELD_R_LOCAL] = local / all;
        record.traffic = traffic;
        record.n_domains = n;
        record.fields[FIELD_REQUESTS] = floor(pow(1e6, check_uniform(&seed)));
        record.fields[FIELD_READS] = record.fields[FIELD_REQUESTS];
        record.fields[FIELD_BYTES] = 128 * record.fields[FIELD_REQUESTS];
        record.fields[FIELD_WARP_INSTRUCTIONS] =
            record.fields[FIELD_REQUESTS] * 20 * check_uniform(&seed);
        record.launches = 1 + (uint32_t)(check_random(&seed) % 4);
        if (check_random(&seed) % 2) {
            record.fields[FIELD_CHAIN_WAITS] = floor(1 + 100 * check_uniform(&seed));
            record.fields[FIELD_CHAIN_INSTRUCTIONS] = floor(1000 * check_uniform(&seed));
        }
        struct profile_view view = {.records = &record, .n_records = 1};
        check_both(m, &view);
    }
}

/* Chains, writes, levels, several launches: as profiled. */
TEST(profiled_requests)
{
    static const char *const names[] = {"srad:input=small", "bfs:input=small", "btree:input=small"};
    uint64_t seed = 32;
    int rounds = check_rounds(15, 1000);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        OWNED(machine) *m = check_shipped("sac", NULL);
        OWNED(source) *source = check_source(names[i]);
        OWNED(profile) *profile = check_profile(source, m, false);
        for (int round = 0; round < rounds; round++) {
            random_settings(m, &seed);
            check_both(m, &profile->views[0]);
        }
    }
}

/* One request at a time waits for nobody; of many the busiest station decides. */
TEST(near_the_solution)
{
    struct profile_record few = mcm_record(1, 0.75), many = mcm_record(0.4, 0.8);
    OWNED(machine) *one =
        check_shipped("sac", SETTINGS("chips", "1", "sm.per_chip", "1", "sm.warps", "1"));
    assert_true(share_of_record(one, &few) > 1 - 1e-5);
    OWNED(machine) *m = check_shipped("sac", SETTINGS("sm.outstanding", "1024", "l1.mshrs", "65536",
                                                      "inter.topology", "fully-connected"));
    many.fields[FIELD_LOADS] = 1024;
    many.fields[FIELD_LOAD_GROUPS] = 1;
    assert_true(share_of_record(m, &many) > 1 - 1e-3);
}

/* Chains of 1 to 64 waits for one channel: what they take at least as they are unlike is known
 * without queues, a fifth more than the longest takes alone. */
TEST(unlike_chains)
{
    enum { WARPS = 64, LINE = 128 };
    static const char text[] =
        "machine: t\nchips: 1\nline: 128 B\ncoherence: software\n"
        "sm: {per_chip: 1, clock: 1 GHz, issue: 100 /cycle, warps: 64, ctas: 64, scheduler: lrr}\n"
        "l1: {capacity: 16 KiB, ways: 4, mshrs: 64, latency: 10 ns}\n"
        "llc: {organisation: memory-side, capacity: 64 KiB, ways: 8, slices: 1,\n"
        "      bandwidth: 1000 TB/s, latency: 20 ns}\n"
        "noc: {bandwidth: 1000 TB/s, latency: 5 ns}\n"
        "memory: {bandwidth: 32 GB/s, channels: 1, latency: 96 ns}\n";
    OWNED(synthetic) *s = synthetic_create("chains");
    uint64_t line = 0;
    synthetic_kernel(s, "k", WARPS, 1);
    for (uint64_t w = 0; w < WARPS; w++)
        for (uint64_t i = 0; i <= w; i++)
            synthetic_lane(s, w, 0, ACCESS_READ, line++ * LINE);
    OWNED(machine) *m = check_machine(text);
    OWNED(profile) *profile = check_profile(&s->source, m, false);
    assert_true(share_of_bound(m, &profile->views[0], "effective_bandwidth") > 0.99);
}
