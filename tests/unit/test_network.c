/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queueing network of GPUs: by hand, against limits and other models, for domains that are
 * alike and that are not, and for random machines; batches have the bits of single points. */
#include "mcm_check.h"
#include "profile_check.h"
#include "sampled_check.h"

#include "core/catalogue.h"
#include "core/term_bounds.h"
#include "machine/system.h"
#include "network/network.h"

#define LINE 128.0

static double rate(const struct machine *machine, struct profile_record *record)
{
    return check_metric("network", machine, record, "effective_bandwidth");
}

/* One chip of `sac` with one SM, one slice and one channel, and no latencies. */
static struct machine *tiny(const char *warps, const char *latency)
{
    struct machine *m = check_shipped("sac", SETTINGS("chips", "1", "sm.per_chip", "1", "sm.warps",
                                                      warps, "llc.slices", "1", "memory.channels",
                                                      "1", "network.service", "exponential"));
    static const char *const paths[] = {"l1.latency", "noc.latency", "llc.latency",
                                        "memory.latency"};
    for (int i = 0; i < 4; i++)
        check_set(m, paths[i], latency);
    mcm_set(m, "noc.bandwidth", 1e18, "B/s");
    return m;
}

/* Two customers at two stations: mean value analysis on paper. */
TEST(two_stations_by_hand)
{
    struct profile_record record = mcm_record(1, 0.75);
    OWNED(machine) *m = tiny("2", "0 s");
    double llc = LINE / 4e12, memory = 0.25 * LINE / 437.5e9, sum = llc + memory;
    double cycle = llc * (1 + llc / sum) + memory * (1 + memory / sum);
    check_relative(rate(m, &record), 2 * LINE / cycle, 1e-4); /* the crossbar: 1e-16 s */
}

/* Alone, a request takes its latencies and its services. */
TEST(one_customer)
{
    struct profile_record record = mcm_record(1, 0.75);
    OWNED(machine) *m = tiny("1", "10 ns");
    check_set(m, "llc.slices", "16");
    double services = 16 * LINE / 4e12 + 0.25 * LINE / 437.5e9 + LINE / 1e18;
    double latencies = (1 + 2 + 1 + 0.25) * 10e-9; /* L1, crossbar there and back, LLC, memory */
    check_relative(rate(m, &record), LINE / (services + latencies), 1e-9);
    check_relative(check_metric("network", m, &record, "latency_local_hit"),
                   40e-9 + 16 * LINE / 4e12 + LINE / 1e18, 1e-9);
    check_relative(check_metric("network", m, &record, "latency_local_miss"),
                   50e-9 + 16 * LINE / 4e12 + LINE / 437.5e9 + LINE / 1e18, 1e-9);
}

/* Loads that a warp asks for before it needs one of them. */
static void ask_at_once(struct profile_record *record, double loads)
{
    record->fields[FIELD_LOADS] = loads;
    record->fields[FIELD_LOAD_GROUPS] = 1;
}

/* With requests without end in flight the busiest station decides, as in the bound; every chip
 * has an edge to every other, so that the bound's sum over edges holds for each. */
TEST(many_customers_reach_the_bound)
{
    static const char *const organisations[] = {"memory-side", "sm-side", "sac"};
    static const double links[] = {1, 96, 1e6}; /* GB/s */
    for (int i = 0; i < 9; i++) {
        struct profile_record record = mcm_record(0.4, 0.8);
        ask_at_once(&record, 1024);
        OWNED(machine) *m = check_shipped(
            "sac", SETTINGS("inter.topology", "fully-connected", "sm.outstanding", "1024",
                            "l1.mshrs", "65536", "llc.organisation", organisations[i % 3]));
        mcm_set(m, "inter.link_bandwidth", links[i / 3], "GB/s");
        check_relative(rate(m, &record),
                       check_metric("bottleneck", m, &record, "effective_bandwidth"), 1e-4);
    }
}

/* The ring's edges carry 4/3 hops a message: what the bound leaves out and link sizing has. */
TEST(hops_count)
{
    struct profile_record record = mcm_record(0.5, 0.8);
    ask_at_once(&record, 1024);
    OWNED(machine) *m =
        check_shipped("sac", SETTINGS("sm.outstanding", "1024", "l1.mshrs", "65536"));
    check_relative(rate(m, &record), 768e9 / 0.5 * 3 / 4, 1e-4);
    check_relative(rate(m, &record), check_metric("link", m, &record, "effective_bandwidth"), 1e-4);
}

/* --- domains ----------------------------------------------------------------------------- */

static double spoil; /* relative, of the first entry */

static struct profile_record with_traffic(double *traffic, size_t n, double hit)
{
    struct profile_record record = mcm_record(0, hit);
    double all = 0, local = 0;
    for (size_t i = 0; i < n * n; i++) {
        all += traffic[i];
        local += i % (n + 1) == 0 ? traffic[i] : 0;
    }
    traffic[0] *= 1 + spoil;
    record.fields[FIELD_R_LOCAL] = local / all;
    record.traffic = traffic;
    record.n_domains = n;
    return record;
}

/* Told apart by a millionth, domains are classes of their own; the answer is the same within a
 * customer of a domain's 4096. */
TEST(collapsed_is_the_whole)
{
    static const char *const services[] = {"exponential", "deterministic"};
    static const double links[] = {48, 384, 3000}; /* GB/s */
    for (int i = 0; i < 6; i++)
        for (int local = 1; local < 10; local += 4) {
            double got[2];
            for (int apart = 0; apart < 2; apart++) {
                double traffic[16];
                for (int k = 0; k < 16; k++)
                    traffic[k] = k % 5 == 0 ? 3.0 * local : 10.0 - local;
                spoil = apart * 1e-6;
                struct profile_record record = with_traffic(traffic, 4, 0.7);
                struct machine *m =
                    check_shipped("sac", SETTINGS("network.service", services[i % 2]));
                mcm_set(m, "inter.link_bandwidth", links[i / 2], "GB/s");
                got[apart] = rate(m, &record);
                machine_destroy(m);
                spoil = 0;
            }
            check_relative(got[0], got[1], 1.0 / 2048);
        }
}

/* Every request misses, links are no limit: memories decide. */
static double by_memories(double *traffic)
{
    struct profile_record record = with_traffic(traffic, 4, 0);
    ask_at_once(&record, 1024);
    OWNED(machine) *m =
        check_shipped("sac", SETTINGS("inter.link_bandwidth", "1e9 GB/s", "noc.bandwidth",
                                      "1e9 GB/s", "sm.outstanding", "1024", "l1.mshrs", "65536"));
    double got = rate(m, &record) / 437.5e9;
    return got;
}

TEST(unequal_domains)
{
    static const struct {
        double traffic[16], memories; /* from row to column; that are busy all the time */
    } cases[] = {
        /* Pages all over, then in one memory: NPB = 1/4. */
        {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 4},
        {{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 1},
        /* Half of them in one: its memory gives 1 while the others give 1/3 each. */
        {{3, 1, 1, 1, 3, 1, 1, 1, 3, 1, 1, 1, 3, 1, 1, 1}, 2},
        /* SMs of one domain have all the work. */
        {{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1},
        {{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 4},
        /* A domain with twice the work of the others ends last; alone at its memory ... */
        {{2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, 2.5},
        /* ... and all at one memory, which never rests, whoever asks. */
        {{2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double traffic[16];
        memcpy(traffic, cases[i].traffic, sizeof traffic);
        check_relative(by_memories(traffic), cases[i].memories, 2e-3);
    }
}

/* --- what a network has beyond a bound ---------------------------------------------------- */

/* Where links bind, bytes on the wire decide: whole flits, headers, blocked inputs. */
TEST(messages_on_links)
{
    struct profile_record record = mcm_record(0.5, 1);
    OWNED(machine) *m = check_shipped("sac", SETTINGS("inter.link_bandwidth", "1 GB/s"));
    double raw = rate(m, &record);
    check_set(m, "inter.flit", "100 B");
    check_relative(rate(m, &record), raw * 128 / 200, 1e-3);
    check_set(m, "inter.flit", "16 B");
    check_set(m, "inter.read_response", "8 B");
    check_relative(rate(m, &record), raw * 128 / 144, 1e-3);
    /* Requests go the other way over edges that are as busy. */
    check_set(m, "inter.read_request", "8 B");
    check_relative(rate(m, &record), raw * 128 / 160, 1e-3);
    check_set(m, "inter.switching", "fifo");
    /* Over an edge of the ring go its chip's own requests and those that pass it: two inputs, each
     * with two ways. */
    check_relative(rate(m, &record), 0.75 * raw * 128 / 160, 1e-3);
}

TEST(replies_apart)
{
    struct profile_record record = mcm_record(1, 1);
    record.fields[FIELD_REQUESTS] = 100;
    record.fields[FIELD_READS] = record.fields[FIELD_WRITES] = 50;
    OWNED(machine) *m = check_shipped("sac", SETTINGS("noc.bandwidth", "10 GB/s"));
    check_relative(rate(m, &record), 40e9, 1e-3);
    check_set(m, "noc.directions", "separate");
    check_relative(rate(m, &record), 80e9, 1e-3);
    /* Of reads only replies carry data, and only a faster way back helps. */
    record.fields[FIELD_READS] = 100;
    record.fields[FIELD_WRITES] = 0;
    check_relative(rate(m, &record), 40e9, 1e-3);
    check_relative(check_metric("network", m, &record, "noc_x2"), 40e9, 1e-3);
    check_relative(check_metric("network", m, &record, "noc_reply_x2"), 80e9, 1e-3);
}

TEST(compute_bound)
{
    struct profile_record record = mcm_record(1, 1);
    OWNED(machine) *m = check_shipped("sac", NULL);
    record.fields[FIELD_REQUESTS] = 1e6;
    record.fields[FIELD_WARP_INSTRUCTIONS] = 1e8; /* 100 a request: 256 SMs, 1 a cycle of 1 GHz */
    record.fields[FIELD_BYTES] = 1e6 * LINE;
    check_relative(rate(m, &record), 256e9 / 100 * LINE, 1e-3);
    OWNED(answer) *answer = check_answer_of("network", m, &record);
    check_relative(answer_metric(answer, "steady_bandwidth"), 256e9 / 100 * LINE, 1e-3);
    const struct model_record *built = answer_dominant(answer);
    assert_string_equal(answer_limit(answer, built, 0), "issue");
    check_relative(answer_metric(answer, "issue_x2"), 2 * 256e9 / 100 * LINE, 0.05);
    check_relative(answer_metric(answer, "memory_x2") / rate(m, &record), 1, 1e-6);
    /* A launch begins empty, with its first request. */
    check_relative(answer_metric(answer, "kernel_time"),
                   (1e6 - 1) * LINE / answer_metric(answer, "steady_bandwidth") +
                       answer_metric(answer, "start_time"),
                   1e-12);
    check_relative(answer_metric(answer, "kernel_time"), 1e6 * LINE / rate(m, &record), 1e-12);
}

TEST(populations)
{
    struct network_class class = {.work = 1, .sms = 64, .domains = 2};
    check_relative(network_population(&class, 32, 128, 128), 64 * 2 * 32, 0);
    class.writes = 0.5; /* 32 reads come with 32 writes */
    check_relative(network_population(&class, 32, 128, 128), 64 * 2 * 64, 0);
    check_relative(network_population(&class, 32, 4, 128), 64 * 2 * 8, 0);
    class.writes = 1;
    check_relative(network_population(&class, 32, 4, 128), 64 * 2 * 4, 0);
    class.writes = 0;
    class.sectors = 4; /* of a line, which has one */
    check_relative(network_population(&class, 32, 4, 128), 64 * 2 * 32 * 4, 0);
    class.even = 0.5; /* half of the time only the busiest SM has work */
    check_relative(network_population(&class, 32, 4, 128), 64 * 2 * 32 * 2, 0);
    struct profile_record record = mcm_record(1, 1); /* eight lines an access */
    struct machine *m = tiny("1", "10 ns");
    double one = rate(m, &record);
    record.fields[FIELD_REQUESTS] = record.fields[FIELD_READS] = 800;
    record.fields[FIELD_WARP_ACCESSES] = 100;
    check_relative(rate(m, &record), 8 * one, 1e-2);
    machine_destroy(m);
    class.sms = 0.001;
    check_relative(network_population(&class, 32, 4, 128), 1, 0);
}

/* Latencies alone, 10 ns each: 40 ns of a hit, 50 of a miss. A chain of 11 waits with 20 hits in L1
 * is as long as all of them, however many requests stand beside it. */
TEST(chains)
{
    static const struct {
        double hit, followers, awaited; /* of 1000 reads */
        const char *mshrs, *outstanding;
        double wait_ns, time_ns;
    } cases[] = {
        {1, 0, 1000, "128", "16", 40, 10 * (40 + 20) + 40},
        {0.9, 0, 1000, "128", "16", 41, 10 * (41 + 20) + 41},
        /* All wait for the misses of 100. */
        {0.9, 900, 1000, "128", "16", 50, 10 * (50 + 20) + 50},
        /* Warps stand before 10 MSHRs. */
        {0.9, 900, 1000, "10", "16", 50, 1000 / 10 * 50 + 50},
        /* 10 lines of an access: 1 - 0.9^10. */
        {0.9, 0, 100, "128", "16", 46.513, 10 * (46.513 + 20) + 46.513},
        /* A wait is for 4 accesses, of which a warp may have 2 under way: twice the waits, and
         * twice the hits. */
        {1, 0, 1000, "128", "2", 40, 2 * 10 * (40 + 20) + 40},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record record = mcm_record(1, cases[i].hit);
        OWNED(machine) *m = tiny("64", "10 ns");
        check_set(m, "l1.mshrs", cases[i].mshrs);
        check_set(m, "llc.slices", "64");
        check_set(m, "memory.channels", "64");
        mcm_set(m, "llc.bandwidth", 1e18, "B/s");
        mcm_set(m, "memory.bandwidth", 1e18, "B/s");
        record.fields[FIELD_REQUESTS] = record.fields[FIELD_READS] = 1000;
        record.fields[FIELD_WRITES] = 0;
        record.fields[FIELD_BYTES] = 1000 * LINE;
        record.fields[FIELD_WAITS] = cases[i].awaited / 4;
        record.fields[FIELD_AWAITED] = cases[i].awaited;
        ask_at_once(&record, 4);
        check_set(m, "sm.outstanding", cases[i].outstanding);
        record.fields[FIELD_CHAIN_WAITS] = 11;
        record.fields[FIELD_CHAIN_AWAITED] = 4 * 11;
        record.fields[FIELD_CHAIN_REMOTE] = 0;
        record.fields[FIELD_CHAIN_HITS] = 20;
        record.fields[FIELD_FOLLOWERS_MEMORY_SIDE] = cases[i].followers;
        check_relative(check_metric("network", m, &record, "start_time"), 1e-9 * cases[i].wait_ns,
                       1e-3);
        check_relative(check_metric("network", m, &record, "kernel_time"), 1e-9 * cases[i].time_ns,
                       1e-3);
    }
}

/* What a hand-made profile may say: a chain of nobody knows how many requests is none, and no more
 * than all of its waits are remote. */
TEST(odd_chains)
{
    struct profile_record record = mcm_record(0.5, 0.8);
    OWNED(machine) *m = check_shipped("sac", NULL);
    double without = rate(m, &record);
    record.fields[FIELD_CHAIN_WAITS] = 10;
    check_relative(rate(m, &record), without, 0);
    record.fields[FIELD_REQUESTS] = record.fields[FIELD_READS] = 1000;
    record.fields[FIELD_CHAIN_REMOTE] = 10;
    double remote = rate(m, &record);
    record.fields[FIELD_CHAIN_REMOTE] = 20;
    check_relative(rate(m, &record), remote, 0);
}

/* --- properties ------------------------------------------------------------------------------- */

static const char *const bandwidths[] = {"noc.bandwidth", "llc.bandwidth", "inter.link_bandwidth",
                                         "memory.bandwidth"};

static struct machine *random_machine(uint64_t *seed)
{
    static const char *const topologies[] = {"ring", "fully-connected", "switch"};
    static const char *const organisations[] = {"memory-side", "sm-side"};
    static const char *const services[] = {"exponential", "deterministic"};
    static const char *const chips[] = {"2", "3", "4"};
    struct machine *m =
        check_shipped("sac", SETTINGS("chips", chips[check_random(seed) % 3], "inter.topology",
                                      topologies[check_random(seed) % 3], "llc.organisation",
                                      organisations[check_random(seed) % 2], "network.service",
                                      services[check_random(seed) % 2]));
    for (int i = 0; i < 4; i++)
        mcm_set(m, bandwidths[i], 1e10 * pow(3000, check_uniform(seed)), "B/s");
    mcm_set(m, "sm.outstanding", floor(1 + 40 * check_uniform(seed)), "");
    mcm_set(m, "sm.per_chip", floor(1 + 100 * check_uniform(seed)), "");
    return m;
}

TEST(never_above_the_bound)
{
    uint64_t seed = 21;
    for (int round = 0; round < check_rounds(20, 1000); round++) {
        OWNED(machine) *m = random_machine(&seed);
        struct profile_record record = mcm_record(check_uniform(&seed), check_uniform(&seed));
        ask_at_once(&record, 40);
        record.fields[FIELD_LSU_MEMORY_SIDE] = 0.3 + 0.7 * check_uniform(&seed);
        double bound = check_metric("bottleneck", m, &record, "effective_bandwidth");
        double got = rate(m, &record);
        if (!(got > 0 && got <= bound * (1 + 1e-9)))
            fail_msg("round %d: network %g, bound %g", round, got, bound);
    }
}

/* A faster station never slows the whole, but for what ends of phases hide. */
TEST(monotone_in_bandwidths)
{
    uint64_t seed = 22;
    for (int round = 0; round < check_rounds(15, 500); round++) {
        OWNED(machine) *m = random_machine(&seed);
        uint32_t n = 0;
        double traffic[16];
        check_ok(machine_count(m, "chips", &n, &failure));
        for (int i = 0; i < 16; i++)
            traffic[i] = check_uniform(&seed);
        struct profile_record record = with_traffic(traffic, n, check_uniform(&seed));
        int which = (int)(check_random(&seed) % 4);
        double before = rate(m, &record), now;
        check_ok(machine_number(m, bandwidths[which], &now, &failure));
        mcm_set(m, bandwidths[which], now * (1 + 3 * check_uniform(&seed)), "B/s");
        double after = rate(m, &record);
        if (!(after >= before * (1 - 3e-3)))
            fail_msg("round %d, %s: %g, faster %g", round, bandwidths[which], before, after);
    }
}

/* All metrics of random points, in one batch and one by one. */
static void check_batch(const struct machine *m, const struct answer *answer, int axes)
{
    enum { POINTS = 37, OUTPUTS = 40, AXES = 5 };
    static const char *const names[AXES] = {"noc.bandwidth", "llc.bandwidth",
                                            "inter.link_bandwidth", "memory.bandwidth",
                                            "memory.latency"};
    const int points = check_slowness() > 1 ? 17 : POINTS; /* the lanes of a batch, and one */
    double columns[AXES][POINTS];
    uint64_t seed = 23;
    int outputs[OUTPUTS], n = answer->result.n_metrics, count = term_input_count(answer->graph);
    enum term_rate *rates = calloc((size_t)count, sizeof *rates);
    double *inputs = calloc((size_t)count, sizeof *inputs);
    double *values = calloc((size_t)term_count(answer->graph), sizeof *values);
    assert_true(n > 10 && n < OUTPUTS);
    for (int i = 0; i < n; i++)
        outputs[i] = answer->result.metrics[i].term;
    check_ok(model_bind(answer->graph, m, inputs, &failure));
    int axis[AXES];
    for (int b = 0; b < axes; b++)
        for (int i = 0; i < count; i++)
            if (strcmp(term_get(answer->graph, term_input_term(answer->graph, i))->name,
                       names[b]) == 0) {
                axis[b] = i;
                rates[i] = TERM_POINT;
                for (int p = 0; p < points; p++)
                    columns[b][p] = (b < 4 ? 1e10 : 1e-8) * pow(1000, check_uniform(&seed));
            }
    struct term_program *program = term_program_create(answer->graph, outputs, n, rates, points);
    struct term_state *batch = term_state_create(program);
    for (int i = 0; i < count; i++)
        if (rates[i] == TERM_SWEEP)
            term_state_scalar(batch, i, inputs[i]);
    for (int b = 0; b < axes; b++)
        term_state_column(batch, axis[b], columns[b]);
    term_state_begin(batch);
    term_state_block(batch, points);
    for (int p = 0; p < points; p++) {
        for (int b = 0; b < axes; b++)
            inputs[axis[b]] = columns[b][p];
        term_evaluate(answer->graph, inputs, values);
        for (int o = 0; o < n; o++) {
            bool scalar;
            double got = term_state_output(batch, o, &scalar)[p], want = values[outputs[o]];
            if (scalar)
                continue;
            if (memcmp(&got, &want, sizeof got) != 0)
                fail_msg("%s of point %d: %.17g in a batch, %.17g alone",
                         answer->result.metrics[o].name, p, got, want);
        }
    }
    term_state_destroy(batch);
    term_program_destroy(program);
    free(rates);
    free(inputs);
    free(values);
}

/* --- machines ----------------------------------------------------------------------------- */

static void fill_counts(const struct machine *machine, struct profile_record *record)
{
    struct machine_levels levels;
    const struct {
        enum profile_field field;
        double value;
    } counts[] = {{FIELD_REQUESTS, 1e6},
                  {FIELD_READS, 8e5},
                  {FIELD_WRITES, 2e5},
                  {FIELD_BYTES, 1e6 * LINE},
                  {FIELD_HOME_REQUESTS, 9e5},
                  {FIELD_HOME_READS, 7e5},
                  {FIELD_HOME_REMOTE_REQUESTS, 4e5},
                  {FIELD_HOME_REMOTE_READS, 3e5},
                  {FIELD_LEVEL_0, 1e6},
                  {FIELD_LEVEL_1, 5e5},
                  {FIELD_LEVEL_2, 5e5},
                  {FIELD_REPLICABLE, 1e5},
                  {check_sampled("mdr.hit_replicated"), 0.6},
                  {FIELD_INVALIDATIONS, 1e4},
                  {FIELD_PAGE_MOVES, 10},
                  {FIELD_LINE_ACCESSES, 2e6},
                  {FIELD_SECTOR_ACCESSES, 4e6},
                  {FIELD_WARP_ACCESSES, 1e6},
                  {FIELD_L1_READ_HITS, 1e6},
                  {FIELD_WARP_INSTRUCTIONS, 1e7},
                  {FIELD_L1_UNIFORMITY, 0.9},
                  {FIELD_CTAS, 4096},
                  {FIELD_ATOMICS, 0}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        record->fields[counts[i].field] = counts[i].value;
    check_ok(machine_levels(machine, false, &levels, &failure));
    for (int i = 0; i < levels.n; i++)
        record->levels[i] = levels.names[i];
}

/* No solution is beyond its bound, whatever stations the machine has. */
static void check_bound(const struct answer *answer, const struct machine *m, double got)
{
    struct term_graph *graph = answer->graph;
    int high = term_bounds(graph, model_result_metric(&answer->result, "effective_bandwidth")).high;
    assert_true(high >= 0);
    double *inputs = calloc((size_t)term_input_count(graph), sizeof *inputs);
    double *values = calloc((size_t)term_count(graph), sizeof *values);
    check_ok(model_bind(graph, m, inputs, &failure));
    term_evaluate_needed(graph, inputs, &high, 1, values);
    if (!(got <= values[high] && values[high] < 1e15))
        fail_msg("%g B/s, at most %g", got, values[high]);
    free(inputs);
    free(values);
}

/* Every shipped machine, on either side where its LLC may stand there. */
TEST(shipped_machines)
{
    struct catalogue machines;
    int solved = 0;
    const bool slow = check_slowness() > 1;
    const uint32_t most = slow ? 4 : UINT32_MAX; /* domains */
    machine_catalogue(&machines);
    for (size_t i = 0; i < machines.count; i += slow ? 5 : 1)
        for (int side = 0; side < 2; side++) {
            struct system resources;
            struct machine *m = check_shipped(machines.items[i].name, NULL);
            check_set(m, "llc.organisation", side ? "sm-side" : "memory-side");
            check_ok(system_compile(&resources, m, SYSTEM_STATIONS, &failure));
            uint32_t n = resources.domains;
            system_fini(&resources);
            if (n > most || (side && n > 8)) { /* many unlike take long, and nothing new */
                machine_destroy(m);
                continue;
            }
            double *traffic = calloc((size_t)n * n, sizeof *traffic);
            for (uint32_t k = 0; k < n * n; k++)
                traffic[k] = 1 + (k % (n + 1) == 0) * 3 + (k == 1);
            struct profile_record record = with_traffic(traffic, n, 0.5);
            struct profile_view view = {.records = &record, .n_records = 1};
            fill_counts(m, &record);
            struct answer *answer;
            const struct model *model = (const struct model *)plugin_find("model", "network");
            int status = answer_create(model, m, &view, &answer, &failure);
            if (status && status != STATUS_INFEASIBLE)
                check_ok(status);
            if (!status) {
                double got = answer_metric(answer, "effective_bandwidth");
                if (!(got > 1e9 && got < 1e15))
                    fail_msg("%s: %g B/s", machines.items[i].name, got);
                check_bound(answer, m, got);
                answer_destroy(answer);
                solved++;
            }
            assert_true(side || !status);
            free(traffic);
            machine_destroy(m);
        }
    assert_true(solved > (slow ? 6 : 35));
    catalogue_fini(&machines);
}

/* Bandwidths that vary, and latencies. */
TEST(batches_have_the_bits_of_points)
{
    double traffic[16];
    uint64_t seed = 23;
    for (int i = 0; i < 16; i++)
        traffic[i] = 1 + check_uniform(&seed);
    struct profile_record record = with_traffic(traffic, 4, 0.6);
    OWNED(machine) *m = check_shipped("sac", NULL);
    OWNED(answer) *answer = check_answer_of("network", m, &record);
    check_batch(m, answer, 4);
    OWNED(source) *source = check_source("srad:input=small");
    OWNED(profile) *profile = check_profile(source, m, false);
    OWNED(answer) *profiled = check_answer("network", m, &profile->views[0]);
    check_batch(m, profiled, 5);
}
