/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC beyond EAB: split ways by hand and at their limits, the balance of the dynamic LLC,
 * crossbars, coherence, responses, costs, and what is refused. */
#include "sac_check.h"

#include "explore/answer/baseline.h"
#include "model/cost.h"

/* phi = 1/4: 1024 ways for remote lines (80 of 100 go on), 3072 for the home (40 miss there, local
 * ones and of all remote ones). In TB/s: B_LLC*LSU 8 at home, 12.8 at requesters; local min(16,
 * 8*.6*.7 + min(8*.4*.7, 1.75*.7)); remote min(16*.3, 12.8*.2*.3 + min(12.8*.8*.3, .768,
 * 8*(.8-.4)*.3 + min(8*.4*.3, 1.75*.3))). */
TEST(static_by_hand)
{
    OWNED(machine) *m = one_set("static");
    struct example e;
    check_set(m, "llc.remote_share", "0.25");
    example_make(&e, 0.7, 80, 80);
    double local = 3.36 + 1.225, remote = 0.768 + 0.768;
    check_relative(metric("eab", m, &e, "eab_local"), local * 1e12, 1e-12);
    check_relative(metric("eab", m, &e, "eab_remote"), remote * 1e12, 1e-12);
    check_relative(metric("eab", m, &e, "llc_hit_rate"), 0.6, 1e-12);
    check_relative(metric("eab", m, &e, "llc_remote_share"), 0.25, 0);
    check_relative(metric("eab", m, &e, "responses_local_llc"), 0.7 * 0.6 + 0.3 * 0.2, 1e-12);
    check_relative(metric("eab", m, &e, "responses_remote_llc"), 0.3 * 0.4, 1e-12);
    check_relative(metric("eab", m, &e, "responses_remote_memory"), 0.3 * 0.4, 1e-12);
    /* fixed mix: noc 16/(1 + 2*.24), llc 16/(.94/.5 + .3/.8), inter .576/.24 (4/3 hops), memory
     * 1.75/.4 */
    check_relative(metric("bottleneck", m, &e, "effective_bandwidth"), 0.576 / 0.24 * 1e12, 1e-12);
    check_set(m, "noc.bandwidth", "0.8 TB/s");
    check_relative(metric("bottleneck", m, &e, "effective_bandwidth"), 3.2 / 1.48 * 1e12, 1e-12);
    check_set(m, "llc.bandwidth", "1 TB/s");
    check_set(m, "noc.bandwidth", "4 TB/s");
    check_set(m, "inter.link_bandwidth", "1 TB/s");
    check_relative(metric("bottleneck", m, &e, "effective_bandwidth"), 4 / 2.255 * 1e12, 1e-12);
    check_set(m, "memory.bandwidth", "0.1 TB/s");
    check_relative(metric("bottleneck", m, &e, "effective_bandwidth"), 0.4 / 0.4 * 1e12, 1e-12);
}

/* phi = 1/2: of the remote requests 60 go on, and 80 of 100 would miss at home; of the local ones
 * 55 miss alone, and (70 - .5*80)/.5 = 60 among all of them. Memory answers 55 + .6*5 = 58 and 60.
 */
TEST(home_sees_what_goes_on)
{
    OWNED(machine) *m = one_set("static");
    struct example e;
    example_make(&e, 0.5, 90, 80);
    e.points[2].hits = 60;
    e.points[4].hits = 40;
    check_relative(metric("eab", m, &e, "responses_local_memory"), 0.5 * 0.58, 1e-12);
    check_relative(metric("eab", m, &e, "responses_remote_memory"), 0.5 * 0.6, 1e-12);
    check_relative(metric("bottleneck", m, &e, "llc_hit_rate"), 1 - 0.59, 1e-12);
    e.points[4].hits = 70; /* 65 would miss at home: (70 - .5*65)/.5 = 75 of the local ones */
    check_relative(metric("eab", m, &e, "responses_remote_memory"), 0.5 * 0.6, 1e-12);
    check_relative(metric("eab", m, &e, "responses_local_memory"), 0.5 * (0.55 + 0.6 * 0.2), 1e-12);
    e.points[4].hits = 90;
    check_relative(metric("eab", m, &e, "responses_remote_memory"), 0.5 * 0.55, 1e-12);
}

/* No ways for remote lines: memory-side. All of them and no other lines: SM-side, but for a second
 * look-up. Both ends of the dynamic LLC leave a way. */
TEST(split_limits)
{
    static const char *const models[] = {"eab", "bottleneck"};
    static const struct {
        double r_local;
        const char *share, *same, *dynamic;
        double lsu;
    } cases[] = {{1, "0", "memory-side", "0.000244140625", 0.8},
                 {0.5, "0", "memory-side", NULL, 0.6},
                 {0, "1", "sm-side", "0.999755859375", 0.8}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            OWNED(machine) *split = one_set("static"), *dynamic = one_set("dynamic");
            OWNED(machine) *same = one_set(cases[i].same);
            struct example e;
            example_make(&e, cases[i].r_local, 75, 75);
            e.record.fields[FIELD_LSU_MEMORY_SIDE] = cases[i].lsu;
            check_set(split, "llc.remote_share", cases[i].share);
            /* but for its second crossbar, which a split LLC has not */
            if (cases[i].r_local == 0) {
                check_set(same, "noc.bandwidth", "100 TB/s");
                check_set(split, "noc.bandwidth", "100 TB/s");
            }
            double want = metric(models[k], same, &e, "effective_bandwidth");
            check_relative(metric(models[k], split, &e, "effective_bandwidth"), want, 1e-12);
            if (!cases[i].dynamic)
                continue;
            check_set(split, "llc.remote_share", cases[i].dynamic);
            check_set(dynamic, "noc.bandwidth", cases[i].r_local == 0 ? "100 TB/s" : "4 TB/s");
            check_relative(metric(models[k], dynamic, &e, "effective_bandwidth"),
                           metric(models[k], split, &e, "effective_bandwidth"), 1e-12);
        }
}

/* R_remote x / B_inter = (R_local m_local + R_remote m_remote) / B_memory where there is such a
 * share, to a way: on straight lines x = 1 - r phi, m_local = 1 - l (1 - phi) and m_remote is the
 * smaller of the two. */
TEST(dynamic_balances)
{
    enum { WAYS = 4096 };
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
        double phi = metric("eab", m, &e, "llc_remote_share");
        double x = 1 - (double)remote / 100 * phi, home = 1 - (double)local / 100 * (1 - phi);
        double used = (1 - r_local) * x / (8e9 * links);
        double memory = (r_local * home + (1 - r_local) * fmin(x, home)) / 1.75e12;
        bool low = phi <= 1.0 / WAYS, high = phi >= 1 - 1.0 / WAYS;
        if (low || high) {
            ends++;
            if (low ? used > memory : used < memory)
                fail_msg("share %.12g, links %g, memory %g", phi, used, memory);
        } else {
            inside++;
            check_relative(used * 1e12, memory * 1e12, 2e-3);
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
    double from_home = answer_metric(answer, "responses_remote_memory");
    double links = (from_home + answer_metric(answer, "responses_remote_llc")) / 0.768e12;
    double memory = (from_home + answer_metric(answer, "responses_local_memory")) / 1.75e12;
    check_relative(links, memory, 0.01);
}

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
            else if (strcmp(organisations[o], "sm-side") == 0)
                check_relative(answer_metric(answer, parts[1]), 0, 0);
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

/* 10^6 invalidations of 8 B beside 10^9 requested bytes are 0.008 of the links' load, which have
 * 0.768 TB/s and 4/3 hops; a
 * memory-side LLC has no copies, software sends nothing. */
TEST(invalidations_load_links)
{
    OWNED(machine) *m = one_set("sm-side"), *home = one_set("memory-side");
    struct example e;
    example_make(&e, 0.5, 75, 75);
    double before = metric("bottleneck", m, &e, "effective_bandwidth");
    check_relative(before, 0.576 / 0.125 * 1e12, 1e-12);
    check_set(m, "coherence", "hardware");
    check_set(home, "coherence", "hardware");
    struct answer *answer;
    const struct model *bottleneck = (const struct model *)plugin_find("model", "bottleneck");
    check_error(answer_create(bottleneck, m, &e.view, &answer, &failure), STATUS_UNKNOWN_FIELD,
                "invalidations");
    e.record.fields[FIELD_INVALIDATIONS] = 1e6;
    check_relative(metric("bottleneck", m, &e, "effective_bandwidth"), 0.576 / 0.133 * 1e12, 1e-12);
    check_relative(metric("eab", m, &e, "invalidations"), 1e6, 0);
    check_relative(metric("eab", home, &e, "invalidations"), 0, 0);
    check_relative(metric("bottleneck", home, &e, "effective_bandwidth"), 0.576 / 0.5 * 1e12,
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
