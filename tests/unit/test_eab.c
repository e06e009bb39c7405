/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The EAB model and the fixed-mix bound against calculations by hand: each of
 * the minima binds in some case; R_local 0 and 1; the choice of SAC. */
#include "check.h"

#include "explore/answer/answer.h"
#include "machine/machine.h"

static struct profile_record point(double r_local, double h_mem, double lsu_mem, double h_sm,
                                   double lsu_sm)
{
    struct profile_record record = check_record();
    record.fields[FIELD_R_LOCAL] = r_local;
    record.fields[FIELD_LLC_HIT_MEMORY_SIDE] = h_mem;
    record.fields[FIELD_LSU_MEMORY_SIDE] = lsu_mem;
    record.fields[FIELD_LLC_HIT_SM_SIDE] = h_sm;
    record.fields[FIELD_LSU_SM_SIDE] = lsu_sm;
    return record;
}

/* Totals that enter the equations: 16, 16, 1.75, 0.768 TB/s (SAC, Table 3). */
TEST(sac_totals)
{
    static const struct {
        const char *machine, *name;
        double value;
    } cases[] = {
        {"sac", "total.noc_bandwidth", 16e12},
        {"sac", "total.llc_bandwidth", 16e12},
        {"sac", "total.memory_bandwidth", 1.75e12},
        {"sac", "total.link_bandwidth", 0.768e12},
        {"sac", "total.llc_capacity", 16 << 20},
        {"sac-2chip", "total.link_bandwidth", 0.768e12},
        {"sac", "total.sms", 256},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct term_graph *g = term_graph_create();
        int term;
        OWNED(machine) *m = check_shipped(cases[i].machine, NULL);
        check_ok(model_total_term(g, m, cases[i].name, &term, &failure));
        double inputs[8], values[32];
        check_ok(model_bind(g, m, inputs, &failure));
        term_evaluate(g, inputs, values);
        check_relative(values[term], cases[i].value, 1e-12);
        term_graph_destroy(g);
    }
}

/* In TB/s, by hand from the equations of models/sac/README.md. */
TEST(by_hand)
{
    static const struct {
        const char *what, *organisation;
        double r, h, lsu;
        const char *settings[4];
        double local, remote;
        const char *local_limit, *remote_limit;
    } cases[] = {
        /* local 16*.9*.8*.5 + min(16*.9*.2*.5, 1.75*.5); remote min(.768, the same) */
        {"memory binds locally, links remotely",
         "memory-side",
         0.5,
         0.8,
         0.9,
         {NULL},
         5.76 + 0.875,
         0.768,
         "memory",
         "inter"},
        /* local .7: min(11.2, 5.6 + min(5.6, 1.225)); remote .3: min(4.8, 2.4 + min(2.4, .768,
           .525)) */
        {"memory binds in both streams",
         "sm-side",
         0.7,
         0.5,
         1.0,
         {NULL},
         5.6 + 1.225,
         2.4 + 0.525,
         "memory",
         "memory"},
        {"all local, all hits: the crossbar",
         "memory-side",
         1.0,
         1.0,
         1.0,
         {NULL},
         16,
         0,
         "noc",
         NULL},
        {"all remote", "memory-side", 0.0, 0.5, 0.5, {NULL}, 0, 0.768, NULL, "inter"},
        {"all remote, SM-side", "sm-side", 0.0, 0.5, 0.5, {NULL}, 0, 4 + 0.768, NULL, "inter"},
        {"all local, SM-side", "sm-side", 1.0, 0.25, 1.0, {NULL}, 4 + 1.75, 0, "memory", NULL},
        {"a narrow crossbar",
         "memory-side",
         0.9,
         0.9,
         1.0,
         {"noc.bandwidth", "1 TB/s"},
         4,
         0.768,
         "noc",
         "inter"},
        {"misses limited by the slices",
         "memory-side",
         1.0,
         0.99,
         0.5,
         {NULL},
         7.92 + 0.08,
         0,
         "llc",
         NULL},
        /* memory 7 TB/s in all; remote .8: min(12.8, 3.84 + min(8.96, .768, 5.6)) */
        {"links bind the misses",
         "sm-side",
         0.2,
         0.3,
         1.0,
         {"memory.bandwidth", "1.75 TB/s"},
         0.96 + 1.4,
         3.84 + 0.768,
         "memory",
         "inter"},
        {"a crossbar narrower than all",
         "sm-side",
         0.5,
         0.9,
         1.0,
         {"noc.bandwidth", "0.1 TB/s"},
         0.2,
         0.2,
         "noc",
         "noc"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = check_shipped("sac", cases[i].settings);
        struct profile_record record =
            point(cases[i].r, cases[i].h, cases[i].lsu, cases[i].h, cases[i].lsu);
        struct profile_view view = {.records = &record, .n_records = 1};
        check_set(m, "llc.organisation", cases[i].organisation);
        OWNED(answer) *a = check_answer("eab", m, &view);
        check_relative(answer_metric(a, "eab_local"), cases[i].local * 1e12, 1e-12);
        check_relative(answer_metric(a, "eab_remote"), cases[i].remote * 1e12, 1e-12);
        check_relative(answer_metric(a, "effective_bandwidth"),
                       (cases[i].local + cases[i].remote) * 1e12, 1e-12);
        const char *local = answer_limit(a, &a->result.records[0], 0);
        const char *remote = answer_limit(a, &a->result.records[0], 1);
        if (cases[i].local_limit)
            assert_string_equal(local, cases[i].local_limit);
        else
            assert_null(local);
        if (cases[i].remote_limit)
            assert_string_equal(remote, cases[i].remote_limit);
        else
            assert_null(remote);
        assert_true(isnan(answer_metric(a, "kernel_time"))); /* bytes are not known */
    }
}

/* R = 0.5, h = 0.8, LSU = 0.9, memory-side: 7.4 and, with 4/3 hops of the ring, 0.768 / (2/3) TB/s.
 */
TEST(eab_and_fixed_mix_differ)
{
    OWNED(machine) *m = check_shipped("sac", NULL);
    struct profile_record record = point(0.5, 0.8, 0.9, 0.5, 0.9);
    struct profile_view view = {.records = &record, .n_records = 1};
    OWNED(answer) *eab = check_answer("eab", m, &view), *mix = check_answer("bottleneck", m, &view);
    check_relative(answer_metric(eab, "effective_bandwidth"), 7.403e12, 1e-12);
    check_relative(answer_metric(mix, "effective_bandwidth"), 1.152e12, 1e-12);
    assert_string_equal(answer_limit(mix, &mix->result.records[0], 0), "inter");
}

TEST(fixed_mix_by_hand)
{
    static const struct {
        const char *organisation;
        double r, h, lsu;
        const char *settings[4];
        double value;
        const char *limit;
    } cases[] = {
        {"memory-side", 1.0, 0.5, 1.0, {NULL}, 3.5, "memory"}, /* 1.75 / 0.5 */
        {"memory-side", 1.0, 1.0, 0.6, {NULL}, 9.6, "llc"},    /* 16 * 0.6 */
        {"memory-side", 0.98, 1.0, 1.0, {NULL}, 16 / 1.02, "noc"},
        {"sm-side", 0.5, 0.9, 1.0, {NULL}, 0.576 / 0.05, "inter"}, /* 4/3 hops: 11.52 */
        {"sm-side", 0.5, 0.5, 1.0, {NULL}, 0.576 / 0.25, "inter"},
        {"sm-side", 1.0, 1.0, 1.0, {"noc.bandwidth", "1 TB/s"}, 4, "noc"},
        {"sm-side", 1.0, 0.0, 1.0, {NULL}, 1.75, "memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = check_shipped("sac", cases[i].settings);
        struct profile_record record =
            point(cases[i].r, cases[i].h, cases[i].lsu, cases[i].h, cases[i].lsu);
        struct profile_view view = {.records = &record, .n_records = 1};
        check_set(m, "llc.organisation", cases[i].organisation);
        OWNED(answer) *a = check_answer("bottleneck", m, &view);
        check_relative(answer_metric(a, "effective_bandwidth"), cases[i].value * 1e12, 1e-12);
        assert_string_equal(answer_limit(a, &a->result.records[0], 0), cases[i].limit);
    }
}

/* SM-side exactly when EAB_sm > (1 + theta) EAB_mem. */
TEST(sac_decides_at_the_threshold)
{
    struct profile_record record = point(0.5, 0.8, 0.9, 0.5, 0.9);
    struct profile_view view = {.records = &record, .n_records = 1};
    double mem = 7.403, sm; /* SM-side: 2 * min(8, 3.6 + min(3.6, .768 or -, .875)) */
    sm = (3.6 + 0.875) + (3.6 + 0.768);
    double gain = sm / mem - 1;
    for (int above = 0; above < 2; above++) {
        char theta[32];
        snprintf(theta, sizeof theta, "%.12f", gain + (above ? 1e-9 : -1e-9));
        OWNED(machine) *m =
            check_shipped("sac", SETTINGS("llc.organisation", "sac", "llc.theta", theta));
        OWNED(answer) *a = check_answer("eab", m, &view),
                      *mix = check_answer("bottleneck", m, &view);
        assert_string_equal(answer_decision(a, &a->result.records[0]),
                            above ? "memory-side" : "sm-side");
        check_relative(answer_metric(a, "effective_bandwidth"), (above ? mem : sm) * 1e12, 1e-12);
        /* The bound follows the same decision. */
        check_relative(answer_metric(mix, "effective_bandwidth"),
                       (above ? 1.152 : 0.576 / 0.25) * 1e12, 1e-12);
    }
}

/* Run-level bandwidth = sum of bytes over sum of bytes / BW; launches without
 * requests do not count; each kernel decides for itself. */
TEST(kernels_add_up_in_time)
{
    struct profile_record records[3] = {point(1, 1, 1, 0.5, 1), point(0, 0.2, 1, 0.95, 1),
                                        point(NAN, NAN, NAN, NAN, NAN)};
    struct profile_view view = {.records = records, .n_records = 3};
    OWNED(machine) *m = check_shipped("sac", SETTINGS("llc.organisation", "sac"));
    records[0].fields[FIELD_BYTES] = 3e9;
    records[1].fields[FIELD_BYTES] = 1e9;
    records[2].fields[FIELD_REQUESTS] = records[2].fields[FIELD_BYTES] = 0;
    OWNED(answer) *a = check_answer("eab", m, &view);
    /* first: 16 memory-side; second: SM-side 15.2 + min(.8, .768, 1.75) = 15.968, behind 2 us
     * memory-side at .768 and a drain. */
    double window = 2e-6, drain = 120e-9 + 100e-9 + 16e-9 + 2 * 4.0 / 3 * 32e-9;
    double first = 3e9 / 16e12, second = window + (1 - window * 0.768e12 / 1e9) * 1e9 / 15.968e12;
    size_t choices;
    assert_int_equal(answer_decisions(a, &choices), 1);
    assert_int_equal(choices, 2);
    check_relative(answer_metric(a, "kernel_time"), first + second + drain, 1e-12);
    check_relative(answer_metric(a, "reconfiguration_time"), drain, 1e-12);
    check_relative(answer_metric(a, "effective_bandwidth"), 4e9 / (first + second + drain), 1e-12);
    check_relative(answer_metric(a, "eab_local") + answer_metric(a, "eab_remote"),
                   answer_metric(a, "effective_bandwidth"), 1e-12);
    assert_null(answer_decision(a, &a->result.records[2]));
}

TEST(unknown_fields_are_named)
{
    static const struct {
        enum profile_field field;
        const char *words;
    } cases[] = {{FIELD_R_LOCAL, "r_local"},
                 {FIELD_LSU_MEMORY_SIDE, "lsu.memory-side"},
                 {FIELD_LLC_HIT_MEMORY_SIDE, "llc_hit.memory-side"}};
    OWNED(machine) *m = check_shipped("sac", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile_record record = point(0.5, 0.8, 0.9, 0.5, 0.9);
        struct profile_view view = {.records = &record, .n_records = 1};
        record.fields[cases[i].field] = NAN;
        check_refused("eab", m, &view, STATUS_UNKNOWN_FIELD, cases[i].words);
    }
}

/* Requests that another level serves do not reach the LLC: the equations do not hold. */
TEST(levels_before_the_llc_are_refused)
{
    static const char text[] = "machine: mine\nbase: sac\nl15: {capacity: 1 MiB, ways: 16}\n";
    struct profile_record record = point(0.5, 0.8, 0.9, 0.5, 0.9);
    struct profile_view view = {.records = &record, .n_records = 1};
    OWNED(machine) *machine = check_machine(text);
    check_refused("eab", machine, &view, STATUS_INFEASIBLE, "does not know the level l15");
    check_set(machine, "l15.capacity", "0 B"); /* there is none */
    answer_destroy(check_answer("eab", machine, &view));
}

TEST(no_requests_are_undefined)
{
    struct profile_record record = point(0.5, 0.8, 0.9, 0.5, 0.9);
    struct profile_view view = {.records = &record, .n_records = 1};
    OWNED(machine) *m = check_shipped("sac", NULL);
    record.fields[FIELD_REQUESTS] = 0;
    check_refused("eab", m, &view, STATUS_UNKNOWN_FIELD, "no requests");
}

TEST(hops_divide_the_links_when_asked)
{
    struct profile_record record = point(0.0, 1.0, 1.0, 0.5, 1.0);
    struct profile_view view = {.records = &record, .n_records = 1};
    OWNED(machine) *m = check_shipped("sac", SETTINGS("eab.hop_aware", "1"));
    OWNED(answer) *a = check_answer("eab", m, &view);
    check_relative(answer_metric(a, "effective_bandwidth"), 0.768e12 / (4.0 / 3.0), 1e-12);
}

/* More of any bandwidth never costs EAB, for one organisation. */
TEST(eab_is_monotone_in_bandwidths)
{
    static const char *const paths[] = {"noc.bandwidth", "llc.bandwidth", "memory.bandwidth",
                                        "inter.link_bandwidth"};
    uint64_t seed = 17;
    for (int i = 0; i < check_rounds(150, 1000); i++) {
        struct profile_record record =
            point(check_uniform(&seed), check_uniform(&seed), check_uniform(&seed),
                  check_uniform(&seed), check_uniform(&seed));
        struct profile_view view = {.records = &record, .n_records = 1};
        OWNED(machine) *m = check_shipped("sac", NULL);
        double low[2], high[2];
        for (int p = 0; p < 4; p++) {
            char text[32];
            snprintf(text, sizeof text, "%.6g GB/s", 20 * pow(1000, check_uniform(&seed)));
            check_set(m, paths[p], text);
        }
        check_ok(
            machine_set(m, "llc.organisation", i % 2 ? "sm-side" : "memory-side", NULL, &failure));
        for (int p = 0; p < 4; p++)
            for (int step = 0; step < 2; step++) {
                double now;
                char text[32];
                for (int b = 0; b < 2; b++) {
                    OWNED(answer) *a = check_answer(b ? "bottleneck" : "eab", m, &view);
                    *(step ? &high[b] : &low[b]) = answer_metric(a, "effective_bandwidth");
                }
                if (step == 1) {
                    assert_true(high[0] >= low[0] * (1 - 1e-12));
                    assert_true(high[1] >= low[1] * (1 - 1e-12));
                    continue;
                }
                check_ok(machine_number(m, paths[p], &now, &failure));
                snprintf(text, sizeof text, "%.17g B/s", now * (1 + check_uniform(&seed)));
                check_set(m, paths[p], text);
            }
    }
}
