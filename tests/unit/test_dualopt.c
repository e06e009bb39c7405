/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DualOpt: packets against closed forms and simulated buffers, every design against a
 * calculation by hand, the engine, limits, monotonicity, refusals. */
#include "check.h"
#include "profile_check.h"
#include "sampled_check.h"

#include "dualopt/packets.h"
#include "explore/answer/answer.h"
#include "explore/views/subject.h"
#include "dualopt/access_class.h"

static const struct model *model(void)
{
    return (const struct model *)plugin_find("model", "dualopt");
}

static struct machine *machine_with(const char *const *settings)
{
    struct machine *m = check_shipped("dualopt", NULL);
    check_set(m, "llc.side", "home");
    check_settings(m, settings);
    return m;
}

/* --- packets ------------------------------------------------------------------------- */

TEST(test_packets)
{
    check_relative(packet_capacity(64, 4, 2), 10, 0);
    check_relative(packet_capacity(64, 8, 2), 6, 0);
    check_relative(packet_capacity(64, 16, 2), 3, 0);
    check_relative(packet_capacity(4, 4, 2), 1, 0); /* a piece must go */
    check_relative(packet_flits(1, 1, 6.0 / 16), 2, 0);
    check_relative(packet_flits(10, 1, 6.0 / 16), 5, 0);
    check_relative(packet_flits(2.5, 1, 6.0 / 16), 0.5 * 2 + 0.5 * 3, 1e-15);
    check_relative(packet_flits(5, 0.1, 0.1), 1, 0); /* 0.6 of a flit, whatever it adds up to */
    check_relative(packet_fill(10, 0, 30e-9), 1, 0);
    check_relative(packet_fill(10, 0.1e9, 30e-9), 4, 1e-15);
    check_relative(packet_fill(10, 1e9, 30e-9), 10, 0);
    check_relative(packet_wait(10, 0, 1), 1, 0);                /* alone: the whole timeout */
    check_relative(packet_wait(10, 18, 10), 0.5 * 0.55, 1e-15); /* full after half of it */
}

/* A buffer of one destination with Poisson arrivals, as hardware would have it. */
static double simulated_fill(double capacity, double arrivals, uint64_t *random)
{
    enum { PACKETS = 20000 };
    double pieces = 0;
    for (int packet = 0; packet < PACKETS; packet++) {
        double time = 0, n = 1;
        while (n < capacity && arrivals > 0) {
            time -= log(1 - check_uniform(random)) / arrivals;
            if (time > 1)
                break;
            n++;
        }
        pieces += n;
    }
    return pieces / PACKETS;
}

/* The published form is the fluid limit of that buffer: an upper bound, tight when packets
 * are nearly empty or surely full, up to 14 % too high between. */
TEST(test_fill_against_buffer)
{
    static const double arrivals[] = {0.01, 0.1, 1, 3, 6, 9, 12, 20, 50};
    static const double off[] = {0.01, 0.01, 0.01, 0.02, 0.05, 0.15, 0.06, 0.01, 0.01};
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof arrivals / sizeof *arrivals; i++) {
        double ours = packet_fill(10, arrivals[i], 1);
        double buffer = simulated_fill(10, arrivals[i], &random);
        assert_true(buffer <= ours * 1.01);
        check_relative(buffer, ours, off[i] + 0.01);
    }
}

/* Both equations hold, and no smaller fill satisfies them. */
TEST(test_balance)
{
    uint64_t random = 2;
    for (int round = 0; round < check_rounds(1000, 50000); round++) {
        struct packet_balance b = {
            .others = exp(4 * check_uniform(&random)),
            .links = round % 5 ? exp(4 * check_uniform(&random)) : 0,
            .pieces = exp(6 * check_uniform(&random)),
            .waiting = exp(8 * check_uniform(&random)),
            .capacity = 1 + (double)(check_random(&random) % 12),
            .header = 0.25 * (double)(1 + check_random(&random) % 8),
            .piece = 0.125 * (double)(1 + check_random(&random) % 12),
        };
        double fill = packet_balance_fill(&b);
        for (double n = 1; n <= fill; n += 0.03125) {
            double least = n + 0.03125 > fill ? fill : n; /* the last one: the fill itself */
            double time =
                fmax(b.others, b.links + b.pieces * packet_flits(least, b.header, b.piece) / least);
            double wanted = fmin(b.capacity, 1 + b.waiting / time);
            if (least < fill)
                assert_true(wanted > least);
            else
                check_relative(wanted, fill, 1e-9);
        }
    }
    check_relative(packet_balance_fill(&(struct packet_balance){.others = 1, .capacity = 10}), 1,
                   0);
}

/* --- by hand --------------------------------------------------------------------------- */

static struct profile_record point(void)
{
    struct profile_record r = check_record();
    r.fields[FIELD_REQUESTS] = 1e6;
    r.fields[FIELD_L1_READS] = 2e6;
    r.fields[FIELD_L1_READ_HITS] = 1.1e6;
    r.fields[FIELD_L1_REMOTE_READS] = 0.5e6;
    r.fields[FIELD_L1_REMOTE_READ_HITS] = 0.1e6;
    r.fields[FIELD_LINE_USE] = 0.1;
    r.fields[FIELD_HOME_REQUESTS] = 1e6;
    r.fields[FIELD_HOME_READS] = 0.9e6;
    r.fields[FIELD_HOME_REMOTE_REQUESTS] = 0.45e6;
    r.fields[FIELD_HOME_REMOTE_READS] = 0.4e6;
    r.levels[0] = "rdma";
    r.fields[FIELD_LEVEL_0] = 0.6e6;
    r.fields[FIELD_LEVEL_0_HITS] = 0.15e6;
    r.fields[check_sampled("remote.sent_lines")] = 0.36e6;
    r.fields[check_sampled("remote.sent_4")] = 0.38e6;
    r.fields[check_sampled("remote.sent_pieces_4")] = 0.57e6;
    r.fields[check_sampled("remote.sent_8")] = 0.37e6;
    r.fields[check_sampled("remote.sent_pieces_8")] = 0.5e6;
    r.fields[check_sampled("remote.sent_16")] = 0.36e6;
    r.fields[check_sampled("remote.sent_pieces_16")] = 0.4e6;
    r.fields[check_sampled("remote.edge_requests")] = 0.4e6;
    r.fields[check_sampled("remote.edge_outstanding")] = 0.1e6;
    r.fields[check_sampled("remote.edge_buffered")] = 0.05e6;
    r.fields[FIELD_LSU_MEMORY_SIDE] = 0.9;
    r.fields[FIELD_LLC_HIT_MEMORY_SIDE] = 0.75;
    return r;
}

static struct answer *ask(const struct machine *machine, const struct profile_record *record)
{
    struct profile_record copy = *record;
    struct profile_view view = {.records = &copy, .n_records = 1};
    struct answer *answer;
    check_ok(answer_create(model(), machine, &view, &answer, &failure));
    return answer;
}

static double ask_one(const char *const *settings, const struct profile_record *record,
                      const char *metric)
{
    OWNED(machine) *m = machine_with(settings);
    OWNED(answer) *answer = ask(m, record);
    double value = answer_metric(answer, metric);
    return value;
}

/* Flits of the remote traffic of point(): requests of 1 flit (12 B), lines of 5 (4 + 64 B), writes
 * of 5 and 1 (76 B and 4). Pieces of 4, 8 and 16 B, 2 B of id and the header of a reply: 10, 14,
 * 22 B. The links, 4 x 64 GB/s, are the slowest resource of all designs. */
TEST(test_designs_by_hand)
{
    static const struct {
        const char *design, *granularity, *header;
        double flits;
    } cases[] = {
        {"baseline", "4 B", NULL, 0.4e6 * 6 + 0.05e6 * 6},
        {"bypass", "4 B", NULL, 0.36e6 * 6 + 0.05e6 * 6},
        {"fine-grained", "4 B", NULL, 0.38e6 + 0.57e6 * 1 + 0.05e6 * 6},
        {"fine-grained", "8 B", NULL, 0.37e6 + 0.5e6 * 1 + 0.05e6 * 6},
        {"fine-grained", "16 B", NULL, 0.36e6 + 0.4e6 * 2 + 0.05e6 * 6},
        {"fine-grained", "4 B", "16 B", 0.38e6 + 0.57e6 * 2 + 0.05e6 * 6},
        {"fine-grained", "16 B", "16 B", 0.36e6 + 0.4e6 * 3 + 0.05e6 * 6},
        {"rdma", "4 B", NULL, 0.4e6 * 6 + 0.05e6 * 6},
    };
    struct profile_record r = point();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *settings[] = {"dualopt.design",
                                  cases[i].design,
                                  "dualopt.granularity",
                                  cases[i].granularity,
                                  cases[i].header ? "dualopt.header" : NULL,
                                  cases[i].header,
                                  NULL};
        double bytes = 16 * cases[i].flits;
        check_relative(ask_one(settings, &r, "fabric_bytes"), bytes, 1e-12);
        check_relative(ask_one(settings, &r, "kernel_time"), bytes / 256e9, 1e-12);
        check_relative(ask_one(settings, &r, "effective_bandwidth"), 64e6 * 256e9 / bytes, 1e-12);
        check_relative(ask_one(settings, &r, "speedup"), cases[0].flits / cases[i].flits, 1e-12);
        check_relative(ask_one(settings, &r, "fabric_bytes_baseline"), 16 * cases[0].flits, 1e-12);
    }
    /* Coalescing: 0.57e6 / 12 pieces for each of 12 pairs in some 47 us: 30 in 30 ns. */
    const char *full[] = {"dualopt.design", "coalescing", NULL};
    double flits = 0.38e6 + 0.057e6 * 4 + 0.05e6 * 6;
    check_relative(ask_one(full, &r, "packet_fill"), 10, 0);
    check_relative(ask_one(full, &r, "fabric_bytes"), 16 * flits, 1e-12);
    /* A timeout of nothing: as fine-grained; one for which the links decide: by the balance. */
    const char *alone[] = {"dualopt.design", "coalescing", "dualopt.timeout", "0 cycles", NULL};
    check_relative(ask_one(alone, &r, "fabric_bytes"), 16 * cases[2].flits, 1e-12);
    const char *some[] = {"dualopt.design", "coalescing", "dualopt.timeout", "2 cycles", NULL};
    double fill = ask_one(some, &r, "packet_fill"), time = ask_one(some, &r, "kernel_time");
    assert_true(fill > 1.5 && fill < 9.5);
    check_relative(fill, 1 + 0.57e6 / 12 * 2e-9 / time, 1e-9);
    /* Without flits: raw bytes. */
    OWNED(machine) *m = machine_with(full);
    struct parameter p;
    check_ok(machine_find(m, "inter.flit", &p, &failure));
    p.section->values[p.index].known = false;
    OWNED(answer) *answer = ask(m, &r);
    check_relative(answer_metric(answer, "fabric_bytes"),
                   0.38e6 * 12 + 0.057e6 * (4 + 60) + 0.05e6 * (76 + 4), 1e-12);
}

/* Each resource in turn, made slow. */
TEST(test_limits_by_hand)
{
    static const struct {
        const char *path, *value, *resource;
        double time;
    } cases[] = {
        {"inter.link_bandwidth", "64 GB/s", "inter", 16 * 0.45e6 * 6 / 256e9},
        {"llc.bandwidth", "10 GB/s", "llc", 64e6 / (40e9 * 0.9)},
        {"memory.bandwidth", "1 GB/s", "memory", 0.25 * 64e6 / 4e9},
        {"noc.bandwidth", "10 GB/s", "noc", 64 * 1.45e6 / 40e9},
        /* 0.5e6 local reads of 28 + 16 + 120 + 25 ns; 0.4e6 remote ones of 28 + 8, twice
         * 150 ns and 6 flits at 64 GB/s, 24 + 120 + 25 ns; of 256 SMs each one at a time. */
        {"l1.mshrs", "1", "mshrs", (0.5e6 * 189e-9 + 0.4e6 * (36e-9 + 301.5e-9 + 169e-9)) / 256},
    };
    struct profile_record r = point();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *settings[] = {"dualopt.design", "baseline", cases[i].path, cases[i].value,
                                  NULL};
        OWNED(machine) *m = machine_with(settings);
        OWNED(answer) *answer = ask(m, &r);
        check_relative(answer_metric(answer, "kernel_time"), cases[i].time, 1e-12);
        assert_string_equal(answer_limit(answer, answer_dominant(answer), 0), cases[i].resource);
    }
    /* 256 SMs issue one a cycle of 1 ns, half of them at a time; nobody knows: no limit. */
    const char *none[] = {"dualopt.design", "baseline", NULL};
    r.fields[FIELD_WARP_INSTRUCTIONS] = 0x1p27;
    r.fields[FIELD_ISSUE_UNIFORMITY] = 0.5;
    OWNED(machine) *m = machine_with(none);
    OWNED(answer) *answer = ask(m, &r);
    check_relative(answer_metric(answer, "kernel_time"), 0x1p20 * 1e-9, 1e-12);
    assert_string_equal(answer_limit(answer, answer_dominant(answer), 0), "issue");
    r = point();
    const char *slow[] = {"dualopt.design", "rdma", "rdma.bandwidth", "1 GB/s", NULL};
    check_relative(ask_one(slow, &r, "kernel_time"), 64 * 0.6e6 / 4e9, 1e-12);
    check_relative(ask_one(slow, &r, "rdma_hit_rate"), 0.25, 1e-15);
}

TEST(test_latency_by_hand)
{
    static const char *const designs[] = {"baseline", "bypass", "fine-grained", "coalescing",
                                          "rdma"};
    struct profile_record r = point();
    for (size_t i = 0; i < 5; i++) {
        const char *settings[] = {"dualopt.design", designs[i], NULL};
        static const char *const parts[] = {"latency_local", "latency_before", "latency_link",
                                            "latency_after"};
        double sum = 0;
        for (size_t p = 0; p < 4; p++)
            sum += ask_one(settings, &r, parts[p]);
        check_relative(ask_one(settings, &r, "memory_latency"), sum, 1e-12);
    }
    const char *base[] = {"dualopt.design", "baseline", NULL};
    double all = 2e6; /* 1.1e6 hits, 0.5e6 local reads, 0.4e6 remote ones */
    check_relative(ask_one(base, &r, "latency_local"), (1.1e6 * 28e-9 + 0.5e6 * 189e-9) / all,
                   1e-12);
    check_relative(ask_one(base, &r, "latency_before"), 0.2 * 36e-9, 1e-12);
    check_relative(ask_one(base, &r, "latency_link"), 0.2 * 301.5e-9, 1e-12);
    check_relative(ask_one(base, &r, "latency_after"), 0.2 * 169e-9, 1e-12);
    check_relative(ask_one(base, &r, "remote_latency"), 506.5e-9, 1e-12);
    /* Little: 256 SMs with 32 each, over the time of the links. */
    double time = 16 * 0.45e6 * 6 / 256e9;
    check_relative(ask_one(base, &r, "loaded_latency"), (1.1e6 * 28e-9 + 8192 * time) / all, 1e-12);
    check_relative(ask_one(base, &r, "coalescing_potential"), 0.25, 1e-15);
    check_relative(ask_one(base, &r, "coalescing_potential_bounded"), 0.125, 1e-15);
    const char *rdma[] = {"dualopt.design", "rdma", NULL};
    check_relative(ask_one(rdma, &r, "latency_before"), 0.2 * 96e-9, 1e-12);
}

/* --- the engine -------------------------------------------------------------------------- */

TEST(test_engine)
{
    static const struct {
        double remote, use, hit;
        int class;
        const char *as;
    } cases[] = {
        {0.019, 0.1, 0.1, ACCESS_LOCAL_DOMINATED, "baseline"},
        {0.02, 0.1, 0.1, ACCESS_CACHE_INSENSITIVE, "coalescing"},
        {0.5, 0.19, 0.39, ACCESS_CACHE_INSENSITIVE, "coalescing"},
        {0.5, 0.2, 0.1, ACCESS_CACHE_FRIENDLY, "rdma"},
        {0.5, 0.1, 0.4, ACCESS_CACHE_FRIENDLY, "rdma"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record r = point();
        const char *engine[] = {"dualopt.decide", "run", NULL};
        const char *window[] = {"dualopt.decide", "window", NULL};
        const char *alone[] = {"dualopt.design", cases[i].as, NULL};
        double reads = r.fields[FIELD_L1_READS];
        r.fields[check_sampled("engine.remote_ratio")] =
            r.fields[check_sampled("engine.line_use")] = 0;
        r.fields[FIELD_L1_REMOTE_READS] = cases[i].remote * reads;
        r.fields[FIELD_L1_REMOTE_READ_HITS] = cases[i].remote * reads * cases[i].hit;
        r.fields[FIELD_LINE_USE] = cases[i].use;
        assert_true(ask_one(engine, &r, "class") == cases[i].class);
        assert_true(ask_one(engine, &r, "window_class") == ACCESS_LOCAL_DOMINATED);
        check_relative(ask_one(engine, &r, "kernel_time"), ask_one(alone, &r, "kernel_time"), 0);
        check_relative(ask_one(window, &r, "speedup"), 1, 0);
        r.fields[check_sampled("engine.remote_ratio")] = cases[i].remote;
        r.fields[check_sampled("engine.line_use")] = cases[i].use;
        r.fields[check_sampled("engine.remote_l1_hit")] = cases[i].hit;
        check_relative(ask_one(window, &r, "kernel_time"), ask_one(alone, &r, "kernel_time"), 0);
        r.fields[check_sampled("engine.remote_ratio")] = (double)NAN;
        assert_true(ask_one(window, &r, "window_class") == ACCESS_UNDECIDED);
        check_relative(ask_one(window, &r, "speedup"), 1, 0);
    }
}

/* --- profiles ------------------------------------------------------------------------------ */

static struct answer *ask_workload(const char *spec, const char *const *settings)
{
    struct subject *subject;
    struct model_views views;
    struct answer *answer;
    const struct model *m = model();
    OWNED(machine) *machine = machine_with(settings);
    size_t made;
    check_ok(subject_open(spec, &subject, &failure));
    check_ok(subject_prepare_models(subject, machine, &m, 1, PART_BASE, NULL, &made, &failure));
    check_ok(subject_views(subject, m, machine, &views, &failure));
    check_ok(answer_create_variants(m, machine, &views, &answer, &failure));
    subject_destroy(subject);
    return answer;
}

/* Without remote accesses nothing changes, unless the L2 has become smaller. */
TEST(test_nothing_remote)
{
    static const char *const designs[] = {"bypass", "fine-grained", "coalescing", "engine"};
    static const char *const metrics[] = {"effective_bandwidth", "kernel_time",  "fabric_bytes",
                                          "memory_latency",      "llc_hit_rate", "loaded_latency"};
    static const char *const machines[][2] = {{"chips", "4"}, {"chips", "1"}};
    static const char *const specs[] = {"stream:n=4096", "gemm:ni=64,nj=64,nk=64"};
    for (size_t k = 0; k < 2; k++) { /* a workload that is local, and one GPU alone */
        const char *base[] = {"dualopt.design", "baseline", machines[k][0], machines[k][1], NULL};
        OWNED(answer) *as_is = ask_workload(specs[k], base);
        for (size_t d = 0; d < 4; d++) {
            const char *settings[] = {"dualopt.design", designs[d], machines[k][0], machines[k][1],
                                      NULL};
            OWNED(answer) *answer = ask_workload(specs[k], settings);
            for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
                check_relative(answer_metric(answer, metrics[i]), answer_metric(as_is, metrics[i]),
                               0);
            check_relative(answer_metric(answer, "speedup"), 1, 0);
            assert_true(answer_metric(answer, "class") == ACCESS_LOCAL_DOMINATED);
            assert_true(answer_metric(answer, "fabric_bytes") == 0);
        }
    }
}

/* The engine on a run of several launches is one of the designs, and its speed-up that of
 * the run. */
TEST(test_run)
{
    static const char *const specs[] = {"mvt:input=small", "bfs:input=small"};
    static const char *const chosen[] = {"coalescing", "rdma"};
    for (size_t w = 0; w < 2; w++) {
        const char *base[] = {"dualopt.design", "baseline", NULL};
        const char *one[] = {"dualopt.design", chosen[w], NULL};
        OWNED(answer) *engine = ask_workload(specs[w], NULL), *as_is = ask_workload(specs[w], base);
        OWNED(answer) *design = ask_workload(specs[w], one);
        assert_true(engine->result.n_records > 1);
        check_relative(answer_metric(engine, "kernel_time"), answer_metric(design, "kernel_time"),
                       0);
        check_relative(answer_metric(engine, "speedup"),
                       answer_metric(as_is, "kernel_time") / answer_metric(engine, "kernel_time"),
                       1e-12);
        /* Two blocks of mvt leave links the slowest; bfs' 32 soon have instructions to issue. */
        bool issues = strcmp(answer_limit(engine, answer_dominant(engine), 0), "issue") == 0;
        assert_true(issues == (w == 1));
        assert_true(answer_metric(engine, "speedup") > (issues ? 1 : 2));
        check_relative(answer_metric(engine, "fabric_bytes"), answer_metric(design, "fabric_bytes"),
                       0);
        /* mvt's L1s keep some of the lines that 32 lanes of each warp ask for: 3/7. */
        assert_true(answer_metric(engine, "fabric_bytes") <
                    answer_metric(as_is, "fabric_bytes") / 2);
        assert_true(answer_metric(engine, "fabric_bytes_baseline") ==
                    answer_metric(as_is, "fabric_bytes"));
    }
}

/* The variant with the cache is the machine dualopt-rdma: same counts, same L2. */
TEST(test_rdma_is_exact)
{
    struct subject *subject;
    const struct profile_view *view;
    const char *settings[] = {"dualopt.design", "rdma", NULL};
    OWNED(machine) *machine = check_shipped("dualopt-rdma", NULL);
    check_ok(subject_open("gemm:input=small", &subject, &failure));
    struct subject_task task = {.subject = subject, .machine = machine};
    check_ok(subject_prepare(&task, subject_plan(&task, 1), 1, &failure));
    check_ok(subject_view(subject, machine, &view, &failure));
    double flits = 0, lookups = 0, hits = 0;
    for (size_t i = 0; i < view->n_records; i++) {
        flits += 6 * view->records[i].fields[FIELD_HOME_REMOTE_REQUESTS];
        lookups += view->records[i].fields[FIELD_LEVEL_0];
        hits += view->records[i].fields[FIELD_LEVEL_0_HITS];
    }
    OWNED(answer) *answer = ask_workload("gemm:input=small", settings);
    check_relative(answer_metric(answer, "fabric_bytes"), 16 * flits, 1e-12);
    assert_true(answer->result.n_records == 1);
    check_relative(answer_metric(answer, "rdma_hit_rate"), hits / lookups, 1e-12);
    const struct profile_curve *home = profile_curve_find(&view->records[0], "chip", "home", "all");
    check_relative(answer_metric(answer, "llc_hit_rate"),
                   1 - curve_miss_ratio(&home->curve, 0x1p19 / 64 / 16, 16), 1e-12);
    subject_destroy(subject);
}

/* "always": the engine's other classes pay for the area as well. */
TEST(test_shrunk_l2)
{
    const char *with[] = {
        "dualopt.design", "engine", "dualopt.remote_threshold", "1", "dualopt.l2_shrinks",
        "rdma",           NULL};
    const char *always[] = {
        "dualopt.design", "engine", "dualopt.remote_threshold", "1", "dualopt.l2_shrinks",
        "always",         NULL};
    OWNED(answer) *a = ask_workload("stencil:input=small", with);
    OWNED(answer) *b = ask_workload("stencil:input=small", always);
    check_relative(answer_metric(a, "speedup"), 1, 0);
    assert_true(answer_metric(b, "llc_hit_rate") < answer_metric(a, "llc_hit_rate"));
    assert_true(answer_metric(b, "fabric_bytes") == answer_metric(a, "fabric_bytes"));
}

/* --- monotonicity ---------------------------------------------------------------------------- */

static struct profile_record random_point(uint64_t *random)
{
    struct profile_record r = point();
    double remote = 1e6 * check_uniform(random), sent = remote * check_uniform(random);
    double local = 1e6 * check_uniform(random), writes = 1e5 * check_uniform(random);
    r.fields[FIELD_HOME_REMOTE_READS] = remote;
    r.fields[FIELD_HOME_READS] = remote + local;
    r.fields[FIELD_HOME_REMOTE_REQUESTS] = remote + writes;
    r.fields[FIELD_HOME_REQUESTS] = r.fields[FIELD_REQUESTS] = remote + local + 2 * writes;
    r.fields[check_sampled("remote.sent_lines")] = r.fields[check_sampled("remote.sent_4")] = sent;
    r.fields[check_sampled("remote.sent_pieces_4")] = sent * (1 + 15 * check_uniform(random));
    r.fields[FIELD_LLC_HIT_MEMORY_SIDE] = check_uniform(random);
    r.fields[FIELD_LSU_MEMORY_SIDE] = 0.5 + 0.5 * check_uniform(random);
    return r;
}

/* More of anything never makes a design slower; a longer latency never makes it faster. */
TEST(test_monotone)
{
    static const char *const designs[] = {"baseline",   "bypass", "fine-grained",
                                          "coalescing", "rdma",   "engine"};
    static const struct {
        const char *path;
        double low;
        bool better;
    } parameters[] = {
        {"inter.link_bandwidth", 4e9, true}, {"llc.bandwidth", 1e10, true},
        {"memory.bandwidth", 1e10, true},    {"noc.bandwidth", 1e11, true},
        {"rdma.bandwidth", 1e10, true},      {"l1.mshrs", 1, true},
        {"inter.latency", 1e-8, false},      {"memory.latency", 1e-8, false},
    };
    enum { STEPS = 5 };
    uint64_t random = 3;
    for (int round = 0; round < check_rounds(16, 100); round++) {
        struct profile_record r = random_point(&random);
        const char *settings[] = {"dualopt.design", designs[check_random(&random) % 6], NULL};
        OWNED(machine) *m = machine_with(settings);
        for (size_t p = 0; p < sizeof parameters / sizeof *parameters; p++) {
            struct parameter parameter;
            double last = 0;
            check_ok(machine_find(m, parameters[p].path, &parameter, &failure));
            struct parameter_value kept = parameter.section->values[parameter.index];
            double value = parameters[p].low * (1 + floor(8 * check_uniform(&random)));
            for (int step = 0; step < STEPS; step++, value *= 2) {
                parameter.section->values[parameter.index].number = value;
                OWNED(answer) *answer = ask(m, &r);
                double now = answer_metric(answer, "effective_bandwidth");
                if (step > 0 && parameters[p].better)
                    assert_true(now >= last * (1 - 1e-9));
                else if (step > 0)
                    assert_true(now <= last * (1 + 1e-9));
                last = now;
            }
            parameter.section->values[parameter.index] = kept;
        }
    }
}

/* --- refusals ----------------------------------------------------------------------------------
 */

/* MGPUSim's scalar caches. 64 blocks of two warps, sixteen on sixteen CUs of each GPU, which share
 * four caches: 128 warps read 16 coefficients, one line, which each of 16 caches fetches once.
 * Vector reads are of input alone, a page a GPU. Of the inputs before its own a GPU's first warp
 * needs the 15 that its neighbour has, one line, which 15 reads touch. With a copy on each GPU no
 * coefficient is remote. */
TEST(test_scalars_and_copies)
{
    static const char *const specs[] = {"fir:n=4096,taps=16,blocks=1",
                                        "fir:n=4096,taps=16,blocks=1,copies=4"};
    for (int i = 0; i < 2; i++) {
        OWNED(machine) *m = check_shipped("dualopt", NULL);
        OWNED(source) *source = check_source(specs[i]);
        OWNED(profile) *profile = check_profile(source, m, false);
        const struct profile_record *r = &profile->views[0].records[0];
        int level = profile_record_level(r, "scalar");
        assert_true(level >= 0);
        check_relative(r->fields[FIELD_SCALAR_READS], 128 * 16, 0);
        check_relative(r->fields[profile_level_field(level, LEVEL_LOOKUPS)], 128 * 16, 0);
        check_relative(r->fields[profile_level_field(level, LEVEL_HITS)], 128 * 16 - 16, 0);
        check_relative(r->fields[FIELD_L1_REMOTE_READS], 3 * 15, 0);
        check_relative(r->fields[FIELD_L1_REMOTE_READ_HITS], 3 * 14, 0);
        /* Of three GPUs four caches each. */
        double lines = r->fields[FIELD_HOME_REMOTE_READS] - 3;
        check_relative(lines, i ? 0 : 3 * 4, 0);
    }
}

TEST(test_refusals)
{
    static const struct {
        const char *path, *value, *words;
    } cases[] = {
        {"llc.organisation", "sm-side", "memory-side"},
        {"llc.organisation", "sac", "memory-side"},
        {"sectors", "2", "sectors must be 1"},
        {"rdma.capacity", "1 MiB", "with and without an RDMA cache"},
        {"l1.bypass", "remote", "L1 bypass"},
        {"dualopt.granularity", "5 B", "4, 8 and 16"},
        {"partitions", "2", "partitions must be 1"},
        {"line", "512 B", "lines above 256 B"},
    };
    struct profile_record r = point();
    struct profile_view view = {.records = &r, .n_records = 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *settings[] = {cases[i].path, cases[i].value, NULL};
        OWNED(machine) *m = machine_with(settings);
        struct answer *answer;
        check_error(answer_create(model(), m, &view, &answer, &failure), STATUS_INFEASIBLE,
                    cases[i].words);
    }
    /* A machine without the section that says what the cache is like. */
    struct machine *variant;
    struct machine *sac = check_shipped("sac", NULL);
    check_error(model_variant(model(), sac, 2, &variant, &failure), STATUS_INFEASIBLE, "rdma: {");
    machine_destroy(sac);
    /* What the profile does not say is named. */
    r.fields[check_sampled("remote.sent_4")] = (double)NAN;
    OWNED(machine) *m = machine_with((const char *const[]){"dualopt.design", "coalescing", NULL});
    struct answer *answer;
    check_error(answer_create(model(), m, &view, &answer, &failure), STATUS_UNKNOWN_FIELD,
                "remote.sent_4");
    r.fields[FIELD_HOME_REQUESTS] = (double)NAN;
    check_error(answer_create(model(), m, &view, &answer, &failure), STATUS_INFEASIBLE,
                "counts of requests");
    /* A profiled view is not taken for another machine's. */
    r = point();
    view.keys = &(struct profile_key){"chips", "4"};
    view.n_keys = 1;
    check_error(answer_create(model(), m, &view, &answer, &failure), STATUS_UNKNOWN_FIELD,
                "no profile of variant 1");
}
