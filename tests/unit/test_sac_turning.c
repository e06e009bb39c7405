/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What SAC's turns take, when they come, and what it decides from: by hand and at their limits. */
#include "sac_check.h"

#include "machine/latency.h"

/* What a turn of SAC costs in queues that empty: LLC, memory, the crossbar and 4/3 hops of the ring
 * there and back, in cycles of 1 ns. */
static const double drain_s = 120e-9 + 100e-9 + 2 * 8e-9 + 2 * 4.0 / 3 * 32e-9;

/* A launch of 1e9 B and half of its requests remote, m = .25, LSU .5 and .8. EAB in TB/s:
 * memory-side 16*.5*.5*.75 + min(1, .875) = 3.875 local, remote the links' .768; SM-side
 * 16*.8*.5*.75 + .875 and 4.8 + .768. At the mix, with 4/3 hops of the links: .576/.5, and
 * .576/.125 = 4.608 of them against 1.75/.25 of memory SM-side. */
static const struct {
    const char *model;
    double usual, other;
} alternatives[] = {{"eab", 4.643e12, 11.243e12}, {"bottleneck", 1.152e12, 4.608e12}};

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
 * of it over the links, each of which carries as much under traffic between all chips alike: 4/3
 * hops of their total. */
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

/* On the way back go home as many lines of other chips as there are among the writes, and from chip
 * 0 to chip 1 alone they have one link of 96 GB/s. Half of the requests are remote, a quarter are
 * writes: of a chip's own lines alone, of those of others alone, and of either as reads are. */
TEST(turning_back_by_what_is_written)
{
    static const struct {
        double remote_reads, share;
    } cases[] = {{4, 0}, {2, 1}, {3, 0.5}};
    double traffic[] = {0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int apart = 0; apart < 2; apart++) {
            OWNED(machine) *m = turning("0 s", "0.05");
            struct example e;
            example_make(&e, 0.5, 75, 75);
            double *f = e.record.fields, link = apart ? 96e9 : 0.768e12 * 3 / 4;
            f[FIELD_WRITTEN] = 1 << 20;
            f[FIELD_HOME_REQUESTS] = 8;
            f[FIELD_HOME_READS] = 6;
            f[FIELD_HOME_REMOTE_REQUESTS] = 4;
            f[FIELD_HOME_REMOTE_READS] = cases[i].remote_reads;
            e.record.traffic = apart ? traffic : NULL;
            e.record.n_domains = apart ? 4 : 0;
            check_set(m, "coherence", "hardware");
            double home = fmax((1 << 20) / 1.75e12, cases[i].share * (1 << 20) / link);
            check_relative(metric("eab", m, &e, "reconfiguration_time"), 3 * (2 * drain_s + home),
                           1e-12);
        }
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
 * the first and much in both. At the mix memory-side serves 1.152 TB/s: they take 113.8 and 455.1
 * ns. */
TEST(decides_from_what_it_saw)
{
    static const struct {
        const char *window, *requests, *decides, *choice;
    } cases[] = {
        {"113 ns", "0", "window", "memory-side"},    /* nothing was seen */
        {"114 ns", "0", "window", "memory-side"},    /* the first */
        {"456 ns", "0", "window", "sm-side"},        /* both */
        {"456 ns", "1024", "window", "memory-side"}, /* as many as asked for */
        {"113 ns", "4096", "window", "sm-side"},     {"113 ns", "0", "exact", "sm-side"},
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

/* Where all that is remote goes from chip 0 to chip 1, one link carries it: the half of all bytes
 * at 96 GB/s. The beginnings, whose own traffic no profile has, then take 683 and 2731 ns. */
TEST(sees_no_more_than_the_hottest_link_lets_it)
{
    static const struct {
        const char *window;
        bool turns;
    } cases[] = {{"682 ns", false}, {"683 ns", true}};
    double traffic[] = {0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = turning(cases[i].window, "0.05");
        struct example e;
        struct profile_record prefix;
        example_make(&e, 0.5, 75, 75);
        prefix = e.record;
        prefix.fields[FIELD_REQUESTS] = 3 * 1024;
        prefix.fields[FIELD_BYTES] = 3 * 1024 * 128;
        e.record.traffic = traffic;
        e.record.n_domains = 4;
        e.record.prefixes = &prefix;
        e.record.n_prefixes = 1;
        OWNED(answer) *a = ask("bottleneck", m, &e);
        assert_string_equal(answer_decision(a, &a->result.records[0]),
                            cases[i].turns ? "sm-side" : "memory-side");
    }
}

/* Of a window in which nobody asked a sampled set, the directory knows nothing, whatever it saw of
 * the rest of the launch: no hits. */
TEST(directory_that_saw_nothing)
{
    OWNED(machine) *m = turning("1 us", "0.05");
    struct example e;
    struct profile_record prefix;
    int hit = profile_field_find("crd.hit");
    check_set(m, "sac.decides", "crd");
    example_make(&e, 0.5, 75, 75);
    e.record.fields[profile_field_find("crd.lsu_sm-side")] = 0.8;
    e.record.fields[profile_field_find("crd.lsu_memory-side")] = 0.5;
    e.record.fields[profile_field_find("crd.sets")] = 1;
    e.record.fields[profile_field_find("crd.ways")] = 4096;
    prefix = e.record;
    prefix.fields[FIELD_REQUESTS] = 3 * 1024;
    prefix.fields[FIELD_BYTES] = 3 * 1024 * 128;
    prefix.fields[hit] = NAN;
    e.record.fields[hit] = 0.75;
    e.record.prefixes = &prefix;
    e.record.n_prefixes = 1;
    OWNED(answer) *nothing = ask("eab", m, &e);
    assert_string_equal(answer_decision(nothing, &nothing->result.records[0]), "memory-side");
    prefix.fields[hit] = 0.75;
    OWNED(answer) *something = ask("eab", m, &e);
    assert_string_equal(answer_decision(something, &something->result.records[0]), "sm-side");
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
