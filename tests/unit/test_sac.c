/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC beyond EAB: split ways by hand and at their limits, the balance of the dynamic LLC,
 * crossbars, coherence, responses, reconfiguration, costs, and what is refused. */
#include "profile_check.h"

#include "explore/answer.h"
#include "explore/baseline.h"
#include "machine/latency.h"
#include "model/cost.h"

/* One set of 4096 ways: a fully associative LLC of 4096 lines, read off the curves. */
static struct machine *one_set(const char *organisation)
{
    struct machine *m = check_shipped("sac", NULL);
    check_set(m, "llc.capacity", "512 KiB");
    check_set(m, "llc.ways", "4096");
    check_set(m, "llc.organisation", organisation);
    return m;
}

/* Of 100 requests `hits` have distances spread evenly below `lines`. */
static struct profile_curve straight(struct curve_point *point, const char *side,
                                     const char *filter, uint64_t lines, uint64_t hits)
{
    *point = (struct curve_point){lines, hits};
    return (struct profile_curve){
        .scope = "chip", .side = side, .filter = filter, .curve = {100, 100 - hits, point, 1}};
}

struct example {
    struct curve_point points[4];
    struct profile_curve curves[4];
    struct profile_record record;
    struct profile_view view;
};

/* Misses of the local stream fall from 1 to 1 - local/100 over 4096 lines, of the remote
 * stream to 1 - remote/100; those of memory-side and SM-side LLCs as of the local stream. */
static void example_make(struct example *e, double r_local, uint64_t local, uint64_t remote)
{
    *e = (struct example){.record = {.name = "k", .launches = 3, .n_curves = 4}};
    e->curves[0] = straight(&e->points[0], "home", "local", 4096, local);
    e->curves[1] = straight(&e->points[1], "requester", "remote", 4096, remote);
    e->curves[2] = straight(&e->points[2], "home", "all", 4096, local);
    e->curves[3] = straight(&e->points[3], "requester", "all", 4096, local);
    for (int i = 0; i < FIELD_COUNT; i++)
        e->record.fields[i] = NAN;
    e->record.fields[FIELD_R_LOCAL] = r_local;
    e->record.fields[FIELD_LSU_MEMORY_SIDE] = 0.5;
    e->record.fields[FIELD_LSU_SM_SIDE] = 0.8;
    e->record.fields[FIELD_BYTES] = 1e9;
    e->record.curves = e->curves;
    e->view = (struct profile_view){.records = &e->record, .n_records = 1};
}

static struct answer *ask(const char *model, const struct machine *machine, struct example *e)
{
    return check_answer(model, machine, &e->view);
}

static double metric(const char *model, const struct machine *machine, struct example *e,
                     const char *name)
{
    OWNED(answer) *answer = ask(model, machine, e);
    double value = answer_metric(answer, name);
    return value;
}

/* phi = 1/4: 1024 ways for remote lines (20 of 100 hit), 3072 for local ones (60 hit).
 * In TB/s: B_LLC*LSU 12.8; local min(16, 12.8*.6*.7 + min(12.8*.4*.7, 1.75*.7));
 * remote min(16*.3, 12.8*.2*.3 + min(12.8*.8*.3, .768, 1.75*.3)). */
TEST(static_by_hand)
{
    OWNED(machine) *m = one_set("static");
    struct example e;
    check_set(m, "llc.remote_share", "0.25");
    example_make(&e, 0.7, 80, 80);
    double local = 5.376 + 1.225, remote = 0.768 + 0.525;
    check_relative(metric("eab", m, &e, "eab_local"), local * 1e12, 1e-12);
    check_relative(metric("eab", m, &e, "eab_remote"), remote * 1e12, 1e-12);
    check_relative(metric("eab", m, &e, "llc_hit_rate"), 0.7 * 0.6 + 0.3 * 0.2, 1e-12);
    check_relative(metric("eab", m, &e, "llc_remote_share"), 0.25, 0);
    /* fixed mix: noc 16/(1 + 2*.24), llc 12.8, inter .768/.24, memory 1.75/(.28 + .24) */
    check_relative(metric("bottleneck", m, &e, "effective_bandwidth"), 0.768 / 0.24 * 1e12, 1e-12);
    check_set(m, "noc.bandwidth", "1 TB/s");
    check_relative(metric("bottleneck", m, &e, "effective_bandwidth"), 4 / 1.48 * 1e12, 1e-12);
    check_set(m, "llc.bandwidth", "1 TB/s");
    check_set(m, "noc.bandwidth", "4 TB/s");
    check_set(m, "inter.link_bandwidth", "1 TB/s");
    check_relative(metric("bottleneck", m, &e, "effective_bandwidth"), 3.2e12, 1e-12);
    check_set(m, "memory.bandwidth", "0.1 TB/s");
    check_relative(metric("bottleneck", m, &e, "effective_bandwidth"), 0.4 / 0.52 * 1e12, 1e-12);
}

/* All ways for the one stream there is: the organisation of that stream. An empty stream
 * needs no ways, and none of it is divided by. */
TEST(split_limits)
{
    static const char *const models[] = {"eab", "bottleneck"};
    static const struct {
        double r_local;
        const char *share, *same;
        double lsu;
    } cases[] = {{1, "0", "memory-side", 0.8}, {0, "1", "sm-side", 0.8}};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            OWNED(machine) *split = one_set("static"), *dynamic = one_set("dynamic");
            OWNED(machine) *same = one_set(cases[i].same);
            struct example e;
            example_make(&e, cases[i].r_local, 75, 75);
            e.record.fields[FIELD_LSU_MEMORY_SIDE] = cases[i].lsu;
            check_set(split, "llc.remote_share", cases[i].share);
            /* but for its second crossbar, which a split LLC has not */
            check_set(same, "noc.bandwidth", "100 TB/s");
            check_set(split, "noc.bandwidth", "100 TB/s");
            check_set(dynamic, "noc.bandwidth", "100 TB/s");
            double want = metric(models[k], same, &e, "effective_bandwidth");
            check_relative(metric(models[k], split, &e, "effective_bandwidth"), want, 1e-12);
            check_relative(metric(models[k], dynamic, &e, "effective_bandwidth"), want, 1e-12);
        }
}

/* R_remote m_remote / B_inter = R_local m_local / B_memory where there is such a share: on
 * straight lines R_r (1 - r phi) / B_i = R_l (1 - l (1 - phi)) / B_m gives phi at once. */
TEST(dynamic_balances)
{
    uint64_t seed = 5;
    int inside = 0, ends = 0, rounds = check_long() ? 1000 : 120; /* 10 of each come up */
    for (int round = 0; round < rounds; round++) {
        OWNED(machine) *m = one_set("dynamic");
        struct example e;
        char text[64];
        double r_local = 0.05 + 0.9 * check_uniform(&seed);
        uint64_t local = 1 + check_random(&seed) % 99, remote = 1 + check_random(&seed) % 99;
        double links = exp2(4 + 8 * check_uniform(&seed)); /* GB/s a link, 8 of them */
        snprintf(text, sizeof text, "%.17g GB/s", links);
        check_set(m, "inter.link_bandwidth", text);
        example_make(&e, r_local, local, remote);
        double a = (1 - r_local) / (8e9 * links), b = r_local / 1.75e12;
        double r = (double)remote / 100, l = (double)local / 100;
        double want = (a - b * (1 - l)) / (a * r + b * l);
        double phi = metric("eab", m, &e, "llc_remote_share");
        if (want > 0 && want < 1) {
            inside++;
            if (fabs(phi - want) > 1e-9)
                fail_msg("share %.12g, balanced at %.12g", phi, want);
        } else {
            ends++;
            check_relative(phi, want <= 0 ? 0 : 1, 0);
        }
        check_relative(metric("bottleneck", m, &e, "llc_hit_rate"),
                       metric("eab", m, &e, "llc_hit_rate"), 1e-12);
    }
    assert_true(inside > 10 && ends > 10);
}

/* A set-associative LLC: the balance holds within a hundredth of the uses. */
TEST(dynamic_balances_sets)
{
    OWNED(machine) *m = check_shipped("sac", NULL);
    struct example e;
    check_set(m, "llc.organisation", "dynamic");
    check_set(m, "llc.capacity", "512 KiB");
    example_make(&e, 0.6, 90, 70);
    OWNED(answer) *answer = ask("eab", m, &e);
    double phi = answer_metric(answer, "llc_remote_share");
    assert_true(phi > 0.1 && phi < 1);
    double links = answer_metric(answer, "responses_remote_memory") / 0.768e12;
    double memory = answer_metric(answer, "responses_local_memory") / 1.75e12;
    check_relative(links, memory, 0.01);
}

/* What a turn of SAC costs in queues that empty: LLC, memory, the crossbar and 4/3 hops of the ring
 * there and back, in cycles of 1 ns. */
static const double drain_s = 120e-9 + 100e-9 + 2 * 8e-9 + 2 * 4.0 / 3 * 32e-9;

/* One crossbar or two: SM-side, m = .25, R_remote = .5, noc 0.4 TB/s in all. SAC's misses
 * cross it again, and the home's: 0.4 / (1 + 2 * .125). EAB, as published, does not tell. */
TEST(crossbars)
{
    OWNED(machine) *two = one_set("sm-side"), *one = one_set("sac");
    struct example e;
    example_make(&e, 0.5, 75, 75);
    check_set(two, "noc.bandwidth", "0.1 TB/s");
    check_set(one, "noc.bandwidth", "0.1 TB/s");
    check_set(one, "llc.theta", "0");
    e.record.fields[FIELD_LSU_MEMORY_SIDE] = 0.0001; /* so that SAC turns */
    e.record.fields[FIELD_BYTES] = NAN;              /* and no time: the alternatives themselves */
    struct answer *turned = ask("bottleneck", one, &e);
    assert_string_equal(answer_decision(turned, &turned->result.records[0]), "sm-side");
    answer_destroy(turned);
    check_relative(metric("bottleneck", two, &e, "effective_bandwidth"), 0.4e12, 1e-12);
    check_relative(metric("bottleneck", one, &e, "effective_bandwidth"), 0.32e12, 1e-12);
    check_relative(metric("eab", one, &e, "effective_bandwidth"),
                   metric("eab", two, &e, "effective_bandwidth"), 0);
}

/* Responses add up to 1 and agree with the hit rate, under every organisation. */
TEST(responses_add_up)
{
    static const char *const organisations[] = {"memory-side", "sm-side", "static", "dynamic",
                                                "sac"};
    static const char *const parts[] = {"responses_local_llc", "responses_remote_llc",
                                        "responses_local_memory", "responses_remote_memory"};
    uint64_t seed = 11;
    for (int round = 0; round < check_rounds(12, 150); round++)
        for (int o = 0; o < 5; o++) {
            OWNED(machine) *m = one_set(organisations[o]);
            struct example e;
            double r_local = check_random(&seed) % 5 ? check_uniform(&seed) : round % 2;
            example_make(&e, r_local, 1 + check_random(&seed) % 99, 1 + check_random(&seed) % 99);
            OWNED(answer) *answer = ask("eab", m, &e);
            double sum = 0, hits = 0;
            for (int p = 0; p < 4; p++) {
                double share = answer_metric(answer, parts[p]);
                assert_true(share >= 0 && share <= 1);
                sum += share;
                hits += p < 2 ? share : 0;
            }
            check_relative(sum, 1, 1e-12);
            check_relative(hits, answer_metric(answer, "llc_hit_rate"), 1e-12);
            /* local data from local chips */
            check_relative(answer_metric(answer, parts[2]) <= r_local + 1e-12, 1, 0);
            if (strcmp(organisations[o], "memory-side") == 0)
                check_relative(answer_metric(answer, parts[0]) + answer_metric(answer, parts[2]),
                               r_local, 1e-12);
            else if (strcmp(organisations[o], "sac") != 0)
                check_relative(answer_metric(answer, parts[1]), 0, 0);
        }
}

/* --- turning ---------------------------------------------------------------------------- */

/* A launch of 1e9 B and half of its requests remote, m = .25, LSU .5 and .8. EAB in TB/s:
 * memory-side 16*.5*.5*.75 + min(1, .875) = 3.875 local, remote the links' .768; SM-side
 * 16*.8*.5*.75 + .875 and 4.8 + .768. At the mix: links .768/.5, and .768/.125 = 6.144 of them
 * against 1.75/.25 of memory SM-side. */
static const struct {
    const char *model;
    double usual, other;
} alternatives[] = {{"eab", 4.643e12, 11.243e12}, {"bottleneck", 1.536e12, 6.144e12}};

static struct machine *turning(const char *window, const char *theta)
{
    struct machine *m = one_set("sac");
    check_set(m, "sac.window", window);
    check_set(m, "llc.theta", theta);
    return m;
}

/* T = w + (1 - w/T_u) T_o + drain + dirty/B_memory, for each of three launches. */
TEST(turning_by_hand)
{
    for (int i = 0; i < 2; i++) {
        OWNED(machine) *m = turning("2000 cycles", "0.05"), *memory = one_set("memory-side");
        OWNED(machine) *sm = one_set("sm-side");
        const char *model = alternatives[i].model;
        struct example e;
        example_make(&e, 0.5, 75, 75);
        check_relative(metric(model, memory, &e, "effective_bandwidth"), alternatives[i].usual,
                       1e-12);
        check_relative(metric(model, sm, &e, "effective_bandwidth"), alternatives[i].other, 1e-12);
        double usual = 1e9 / alternatives[i].usual, other = 1e9 / alternatives[i].other;
        double share = 3 * 2e-6 / usual, plain = 3 * 2e-6 + (1 - share) * other;
        check_relative(metric(model, m, &e, "reconfiguration_time"), 3 * drain_s, 1e-12);
        check_relative(metric(model, m, &e, "kernel_time"), plain + 3 * drain_s, 1e-12);
        /* What was written in the window is written back; all of it would not fit the LLC. */
        e.record.fields[FIELD_WRITTEN] = 1 << 20;
        double cost = 3 * drain_s + 3 * share * (1 << 20) / 1.75e12;
        check_relative(metric(model, m, &e, "reconfiguration_time"), cost, 1e-12);
        check_relative(metric(model, m, &e, "kernel_time"), plain + cost, 1e-12);
        e.record.fields[FIELD_WRITTEN] = 1e12;
        cost = 3 * drain_s + 3 * (4 << 19) / 1.75e12;
        check_relative(metric(model, m, &e, "reconfiguration_time"), cost, 1e-12);
        check_relative(metric(model, m, &e, "effective_bandwidth"), 1e9 / (plain + cost), 1e-12);
        /* Nobody else turns. */
        assert_true(isnan(metric(model, sm, &e, "reconfiguration_time")));
    }
}

/* Means by requests, parts of a bandwidth by time: they still add up to it. */
TEST(turning_mixes_metrics)
{
    OWNED(machine) *m = turning("20 us", "0.05");
    struct example e;
    example_make(&e, 0.5, 75, 75);
    double share = 3 * 20e-6 * 4.643e12 / 1e9;
    check_relative(metric("eab", m, &e, "responses_remote_llc"), share * 0.375, 1e-12);
    check_relative(metric("eab", m, &e, "responses_local_llc"), share * 0.375 + (1 - share) * 0.75,
                   1e-12);
    check_relative(metric("eab", m, &e, "eab_local") + metric("eab", m, &e, "eab_remote"),
                   metric("eab", m, &e, "effective_bandwidth"), 1e-12);
}

/* A threshold that is not passed, or a window that is not survived: the memory side, at no cost.
 * No window and no cost: the SM side. Between them SAC gains at most what turning costs. */
TEST(turning_limits)
{
    static const struct {
        const char *window, *theta;
        int turns;
    } cases[] = {{"0 s", "0", 1}, {"0 s", "10", 0}, {"1 ms", "0", 0}, {"50 us", "0", 1}};
    static const char *const models[] = {"eab", "bottleneck"};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            OWNED(machine) *m = turning(cases[i].window, cases[i].theta);
            OWNED(machine) *memory = one_set("memory-side"), *sm = one_set("sm-side");
            struct example e;
            example_make(&e, 0.5, 75, 75);
            e.record.fields[FIELD_WRITTEN] = 1 << 20;
            double usual = metric(models[k], memory, &e, "kernel_time");
            double other = metric(models[k], sm, &e, "kernel_time");
            double time = metric(models[k], m, &e, "kernel_time");
            double cost = metric(models[k], m, &e, "reconfiguration_time");
            OWNED(answer) *a = ask(models[k], m, &e);
            /* What it chooses does not depend on who answers, nor on whether it comes to that. */
            assert_string_equal(answer_decision(a, &a->result.records[0]),
                                strcmp(cases[i].theta, "0") == 0 ? "sm-side" : "memory-side");
            check_relative(cost > 0, cases[i].turns, 0);
            if (!cases[i].turns)
                check_relative(time, usual, 0);
            else if (strcmp(cases[i].window, "0 s") == 0)
                check_relative(time, other + cost, 1e-12);
            assert_true(time >= fmin(usual, other));
            assert_true(time <= fmax(usual, other) + cost);
        }
}

/* A longer window is never better where the SM side is, up to the launch's own time. */
TEST(turning_later_costs)
{
    double before = 0;
    for (int us = 0; us <= 70; us += 10) {
        char window[32];
        snprintf(window, sizeof window, "%d us", us);
        OWNED(machine) *m = turning(window, "0.05");
        struct example e;
        example_make(&e, 0.5, 75, 75);
        double time = metric("bottleneck", m, &e, "kernel_time");
        assert_true(time > before);
        before = time;
    }
}

/* Hardware coherence does not write back at the end of a launch: SAC has to, on its way back, half
 * of it over 4/3 hops of the links. */
TEST(turning_back)
{
    OWNED(machine) *m = turning("0 s", "0.05");
    struct example e;
    example_make(&e, 0.5, 75, 75);
    e.record.fields[FIELD_WRITTEN] = 1 << 20;
    check_set(m, "coherence", "hardware");
    double home = fmax((1 << 20) / 1.75e12, 0.5 * (1 << 20) * 4 / 3 / 0.768e12);
    check_relative(metric("eab", m, &e, "reconfiguration_time"), 3 * (2 * drain_s + home), 1e-12);
}

/* Lines that a launch before left dirty in the memory-side LLC are written back by the first turn;
 * one that turned itself left none. */
TEST(turning_finds_what_was_left)
{
    for (int turned = 0; turned < 2; turned++) {
        OWNED(machine) *m = turning("0 s", "0.05");
        struct example first, second;
        example_make(&first, 0.5, 75, 75);
        example_make(&second, 0.5, 75, 75);
        first.record.fields[FIELD_WRITTEN] = 1 << 20;
        first.record.fields[FIELD_LSU_SM_SIDE] = turned ? 0.8 : 0.01;
        second.record.fields[FIELD_WRITTEN] = 0;
        struct profile_record records[] = {first.record, second.record};
        struct profile_view view = {.records = records, .n_records = 2};
        OWNED(answer) *a = check_answer("eab", m, &view);
        assert_string_equal(answer_decision(a, &a->result.records[0]),
                            turned ? "sm-side" : "memory-side");
        assert_string_equal(answer_decision(a, &a->result.records[1]), "sm-side");
        check_relative(answer_metric(a, "reconfiguration_time"),
                       turned ? 6 * drain_s : 3 * drain_s + (1 << 20) / 1.75e12, 1e-12);
    }
}

/* A step that is given from load to use counts as one in the drain: links of 500 ns to use, less
 * than L1, crossbar there and back and LLC, there and back over 4/3 hops. */
TEST(turning_drains_by_steps)
{
    OWNED(machine) *m = turning("0 s", "0.05"), *step = turning("0 s", "0.05");
    struct example e;
    double seconds;
    char text[64];
    example_make(&e, 0.5, 75, 75);
    check_set(m, "inter.latency_is", "load-to-use");
    check_set(m, "inter.latency", "500 ns");
    check_ok(latency_seconds(m, "inter.latency", &seconds, &failure));
    assert_true(seconds > 10e-9 && seconds < 250e-9);
    snprintf(text, sizeof text, "%.17g s", seconds);
    check_set(step, "inter.latency", text);
    check_relative(metric("eab", m, &e, "reconfiguration_time"),
                   metric("eab", step, &e, "reconfiguration_time"), 1e-9);
    check_relative(metric("eab", m, &e, "reconfiguration_time"),
                   3 * (236e-9 + 2 * 4.0 / 3 * seconds), 1e-9);
}

/* Beginnings of 1 Ki and 4 Ki requests of 128 B in each launch, where the SM side hits nothing in
 * the first and much in both. At the mix memory-side serves 1.536 TB/s: they take 85 and 341 ns. */
TEST(decides_from_what_it_saw)
{
    static const struct {
        const char *window, *requests, *decides, *choice;
    } cases[] = {
        {"84 ns", "0", "window", "memory-side"},     /* nothing was seen */
        {"86 ns", "0", "window", "memory-side"},     /* the first */
        {"342 ns", "0", "window", "sm-side"},        /* both */
        {"342 ns", "1024", "window", "memory-side"}, /* as many as asked for */
        {"84 ns", "4096", "window", "sm-side"},      {"84 ns", "0", "exact", "sm-side"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = turning(cases[i].window, "0.05");
        struct example e, beginnings[2];
        struct profile_record prefixes[2];
        check_set(m, "sac.window_requests", cases[i].requests);
        check_set(m, "sac.decides", cases[i].decides);
        example_make(&e, 0.5, 75, 75);
        for (int p = 0; p < 2; p++) {
            double requests = 3 * 1024 << 2 * p;
            example_make(&beginnings[p], 0.5, 75, 75);
            if (p == 0)
                beginnings[p].curves[3] =
                    straight(&beginnings[p].points[3], "requester", "all", 4096, 0);
            prefixes[p] = beginnings[p].record;
            prefixes[p].fields[FIELD_REQUESTS] = requests;
            prefixes[p].fields[FIELD_BYTES] = 128 * requests;
            prefixes[p].fields[FIELD_LSU_SM_SIDE] = p == 0 ? 0.1 : 0.8;
        }
        e.record.prefixes = prefixes;
        e.record.n_prefixes = 2;
        OWNED(answer) *a = ask("bottleneck", m, &e);
        assert_string_equal(answer_decision(a, &a->result.records[0]), cases[i].choice);
        assert_int_equal(a->result.n_warnings, 1); /* written is unknown */
        OWNED(answer) *b = ask("eab", m, &e);      /* the same choice whoever answers */
        assert_string_equal(answer_decision(b, &b->result.records[0]), cases[i].choice);
    }
}

/* The directory's estimate in the place of the curve, and the counters' uniformities; only for the
 * LLC that was sampled, also at points of a study. */
TEST(decides_by_the_directory)
{
    for (int good = 0; good < 2; good++) {
        OWNED(machine) *m = turning("1 us", "0.05");
        struct example e;
        struct profile_record prefix;
        double *f = prefix.fields;
        check_set(m, "sac.decides", "crd");
        example_make(&e, 0.5, 75, 75);
        prefix = e.record;
        f[FIELD_REQUESTS] = 3 * 1024;
        f[FIELD_BYTES] = f[FIELD_REQUESTS] * 128;
        f[FIELD_LSU_SM_SIDE] = good ? 0.01 : 0.8; /* what the directory says is what counts */
        f[profile_field_find("crd.hit")] = good ? 0.75 : 0;
        f[profile_field_find("crd.lsu_sm-side")] = good ? 0.8 : 0.05;
        f[profile_field_find("crd.lsu_memory-side")] = 0.5;
        f[profile_field_find("crd.sets")] = 1;
        f[profile_field_find("crd.ways")] = 4096;
        e.record.prefixes = &prefix;
        e.record.n_prefixes = 1;
        OWNED(answer) *a = ask("eab", m, &e);
        assert_string_equal(answer_decision(a, &a->result.records[0]),
                            good ? "sm-side" : "memory-side");
        check_set(m, "llc.capacity", "1 MiB");
        struct answer *other = NULL;
        check_error(answer_create((const struct model *)plugin_find("model", "eab"), m, &e.view,
                                  &other, &failure),
                    STATUS_INFEASIBLE, "sampled for an LLC of 1 sets and 4096 ways");
    }
}

/* Bandwidths and capacities only ever help (SAC near its threshold and the dynamic LLC,
 * which moves ways when links change, are exempt). */
TEST(more_is_never_less)
{
    static const char *const organisations[] = {"memory-side", "sm-side", "static"};
    static const char *const models[] = {"eab", "bottleneck"};
    static const char *const paths[] = {"noc.bandwidth", "llc.bandwidth", "memory.bandwidth",
                                        "inter.link_bandwidth", "llc.capacity"};
    uint64_t seed = 17;
    for (int round = 0; round < check_rounds(12, 150); round++)
        for (int o = 0; o < 3; o++) {
            OWNED(machine) *m = check_shipped("sac", NULL);
            struct example e;
            double numbers[5];
            check_set(m, "llc.organisation", organisations[o]);
            example_make(&e, check_uniform(&seed), 1 + check_random(&seed) % 99,
                         1 + check_random(&seed) % 99);
            for (int p = 0; p < 5; p++) {
                char text[64];
                numbers[p] = p == 4 ? floor(exp2(17 + 6 * check_uniform(&seed)))
                                    : exp2(33 + 9 * check_uniform(&seed));
                snprintf(text, sizeof text, "%.17g %s", numbers[p], p == 4 ? "B" : "B/s");
                check_set(m, paths[p], text);
            }
            for (int k = 0; k < 2; k++) {
                double before = metric(models[k], m, &e, "effective_bandwidth");
                for (int p = 0; p < 5; p++) {
                    OWNED(machine) *more = machine_clone(m);
                    char text[64];
                    snprintf(text, sizeof text, "%.17g %s", 1.5 * numbers[p], p == 4 ? "B" : "B/s");
                    check_set(more, paths[p], text);
                    double after = metric(models[k], more, &e, "effective_bandwidth");
                    if (after < before * (1 - 1e-9))
                        fail_msg("%s, %s: more %s, and %g B/s become %g", models[k],
                                 organisations[o], paths[p], before, after);
                }
            }
        }
}

/* --- coherence ------------------------------------------------------------------------ */

static const char four_chips[] = "machine: four\n"
                                 "chips: 4\n"
                                 "coherence: hardware\n"
                                 "sm: {per_chip: 1, scheduler: lrr}\n"
                                 "llc: {capacity: 64 KiB, slices: 1}\n"
                                 "page: {size: 256 B}\n";

/* Random accesses in recorded order over few lines, against sets of sharers kept naively. */
TEST(invalidations_are_counted)
{
    enum { CHIPS = 4, LINES = 40 };
    uint64_t seed = 23;
    for (int round = 0; round < check_rounds(6, 30); round++) {
        OWNED(machine) *machine = check_machine(four_chips);
        OWNED(synthetic) *s = synthetic_create("shared");
        bool shares[LINES][CHIPS] = {{false}};
        double want[2] = {0};
        for (int k = 0; k < 2; k++) { /* contents outlive kernels */
            struct synthetic_kernel *kernel = synthetic_kernel(s, k ? "b" : "a", CHIPS, 1);
            kernel->recorded_order = true;
            for (int i = 0; i < 3000; i++) {
                uint64_t line = check_random(&seed) % LINES;
                uint32_t chip = (uint32_t)(check_random(&seed) % CHIPS);
                uint64_t kind = check_random(&seed) % 8;
                synthetic_lane(s, chip, 0,
                               kind == 0   ? ACCESS_WRITE
                               : kind == 1 ? ACCESS_ATOMIC
                                           : ACCESS_READ,
                               128 * line);
                for (uint32_t c = 0; c < CHIPS && kind < 2; c++) {
                    want[k] += c != chip && shares[line][c];
                    shares[line][c] = false;
                }
                shares[line][chip] = true;
            }
        }
        struct profile *profile = check_profile(&s->source, machine, false);
        for (int k = 0; k < 2; k++)
            check_field(&profile->views[0].records[k], FIELD_INVALIDATIONS, want[k]);
        profile_destroy(profile);
        check_set(machine, "coherence", "software");
        profile = check_profile(&s->source, machine, false);
        assert_true(isnan(profile->views[0].records[0].fields[FIELD_INVALIDATIONS]));
        profile_destroy(profile);
    }
}

/* 10^6 invalidations of 8 B beside 10^9 requested bytes are 0.008 of the links' load; a
 * memory-side LLC has no copies, software sends nothing. */
TEST(invalidations_load_links)
{
    OWNED(machine) *m = one_set("sm-side"), *home = one_set("memory-side");
    struct example e;
    example_make(&e, 0.5, 75, 75);
    double before = metric("bottleneck", m, &e, "effective_bandwidth");
    check_relative(before, 0.768 / 0.125 * 1e12, 1e-12);
    check_set(m, "coherence", "hardware");
    check_set(home, "coherence", "hardware");
    struct answer *answer;
    const struct model *bottleneck = (const struct model *)plugin_find("model", "bottleneck");
    check_error(answer_create(bottleneck, m, &e.view, &answer, &failure), STATUS_UNKNOWN_FIELD,
                "invalidations");
    e.record.fields[FIELD_INVALIDATIONS] = 1e6;
    check_relative(metric("bottleneck", m, &e, "effective_bandwidth"), 0.768 / 0.133 * 1e12, 1e-12);
    check_relative(metric("eab", m, &e, "invalidations"), 1e6, 0);
    check_relative(metric("eab", home, &e, "invalidations"), 0, 0);
    check_relative(metric("bottleneck", home, &e, "effective_bandwidth"), 0.768 / 0.5 * 1e12,
                   1e-12);
}

/* --- refusals and costs ---------------------------------------------------------------- */

static void asks_a_side(struct model_builder *b)
{
    model_set_metric(b, "effective_bandwidth",
                     term_product(model_graph(b), NULL, model_total(b, "total.llc_bandwidth"),
                                  model_miss_ratio(b, "llc")));
}

/* A model that knows nothing of split ways is refused, not answered for another cache. */
TEST(what_is_not_known_is_refused)
{
    static const struct model naive = {.plugin = {"model", "naive", "", NULL, NULL},
                                       .build = asks_a_side};
    const struct model *eab = (const struct model *)plugin_find("model", "eab");
    struct machine *m = one_set("static"), *partitions = one_set("memory-side"), *level;
    struct example e;
    struct answer *answer;
    example_make(&e, 0.5, 75, 75);
    check_error(answer_create(&naive, m, &e.view, &answer, &failure), STATUS_INFEASIBLE, "split");
    check_set(partitions, "partitions", "2");
    check_error(answer_create(eab, partitions, &e.view, &answer, &failure), STATUS_INFEASIBLE,
                "partitions");
    level = check_machine("machine: with-l15\n"
                          "base: sac\n"
                          "l15: {capacity: 1 MiB, scope: chip}\n");
    check_error(answer_create(eab, level, &e.view, &answer, &failure), STATUS_INFEASIBLE, "l15");
    /* hit rates alone do not say how a split LLC does */
    e.record.n_curves = 0;
    e.record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = e.record.fields[FIELD_LLC_HIT_SM_SIDE] = 0.5;
    check_error(answer_create(eab, m, &e.view, &answer, &failure), STATUS_UNKNOWN_FIELD, "local");
    machine_destroy(m);
    machine_destroy(partitions);
    machine_destroy(level);
}

TEST(costs_know_published_organisations)
{
    OWNED(machine) *m = check_shipped("sac", NULL);
    struct term_graph *g = term_graph_create();
    int term;
    check_set(m, "llc.organisation", "sac");
    check_ok(cost_term(g, m, "cost.llc_noc_area", &term, &failure));
    check_relative(term_get(g, term)->constant, 1.019, 0);
    check_set(m, "llc.organisation", "dynamic");
    check_error(cost_term(g, m, "cost.llc_noc_power", &term, &failure), STATUS_INFEASIBLE,
                "dynamic");
    term_graph_destroy(g);
}

TEST(means)
{
    struct baseline_means m = baseline_means((double[]){1, 2, 4}, 3);
    check_relative(m.harmonic, 3 / 1.75, 1e-15);
    check_relative(m.geometric, 2, 1e-15);
    check_relative(m.arithmetic, 7.0 / 3, 1e-15);
}
