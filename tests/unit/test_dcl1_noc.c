/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Designs of DC-L1 by name, their rules, their crossbars and what these cost. */
#include "check.h"

#include "dcl1/design.h"
#include "dcl1/noc.h"
#include "machine/machine.h"
#include "model/cost.h"
#include "validate/checkpoint.h"

TEST(names_are_read)
{
    static const struct {
        const char *name;
        struct dcl1_design want;
    } cases[] = {
        {"baseline", {0, 0, false, false, false, false}},
        {"perfect", {0, 0, false, false, true, false}},
        {"ideal", {1, 1, false, false, false, true}},
        {"Pr40", {40, 40, true, false, false, false}},
        {"Pr1+Boost", {1, 1, true, true, false, false}},
        {"Sh40", {40, 1, true, false, false, false}},
        {"Sh40+C1", {40, 1, true, false, false, false}},
        {"Sh40+C10", {40, 10, true, false, false, false}},
        {"Sh40+C40", {40, 40, true, false, false, false}},
        {"Sh40+C10+Boost", {40, 10, true, true, false, false}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcl1_design got;
        check_ok(dcl1_design_scan(cases[i].name, &got, &failure));
        assert_int_equal(got.nodes, cases[i].want.nodes);
        assert_int_equal(got.clusters, cases[i].want.clusters);
        assert_int_equal(got.built, cases[i].want.built);
        assert_int_equal(got.boost, cases[i].want.boost);
        assert_int_equal(got.perfect, cases[i].want.perfect);
        assert_int_equal(got.full, cases[i].want.full);
    }
}

TEST(wrong_names_name_the_rule)
{
    static const struct {
        const char *name, *words;
    } cases[] = {
        {"Sh40+C7", "7 clusters do not divide 40 nodes (the rule Z | Y)"},
        {"Sh40+C0", "at least one node and one cluster"},
        {"Pr0", "at least one node and one cluster"},
        {"Pr40+C10", "clusters share nodes: Sh40+C10"},
        {"Pr", "there is no design \"Pr\""},
        {"Sh40+C", "known: baseline, perfect, ideal"},
        {"Sh40+boost", "there is no design"},
        {"baseline+Boost", "there is no design"},
        {"Sh40+C10+Boost ", "there is no design"},
        {"Sh99999", "there is no design"},
        {"", "there is no design"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_shipped("dcl1", NULL);
        check_error(machine_set(machine, "dcl1.design", cases[i].name, NULL, &failure),
                    STATUS_INPUT, cases[i].words);
    }
}

TEST(rules_between_numbers_are_checked)
{
    static const struct {
        const char *settings[5], *words;
    } cases[] = {
        {{"dcl1.design", "Pr33"}, "33 nodes do not divide 80 SMs a chip (the rule Y | X)"},
        {{"l1.nodes", "40", "l1.clusters", "7"},
         "7 clusters do not divide 40 nodes (the rule Z | Y)"},
        {{"dcl1.design", "Pr40", "l1.nodes", "20"},
         "dcl1.design is Pr40, which has l1.nodes 40, not 20"},
        {{"dcl1.design", "perfect", "l1.contents", "lru"},
         "which has l1.contents perfect, not lru"},
        {{"dcl1.design", "Sh40+C10+Boost", "sm.per_chip", "90"}, "(the rule Y | X)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_shipped("dcl1", cases[i].settings);
        check_error(machine_check(machine, &failure), STATUS_INPUT, cases[i].words);
    }
    /* The last of two designs is meant, and leaves nothing behind of the first. */
    OWNED(machine) *machine =
        check_shipped("dcl1", SETTINGS("dcl1.design", "Sh40+C10+Boost", "dcl1.design", "ideal",
                                       "dcl1.design", "Pr40"));
    struct dcl1_noc noc;
    check_ok(machine_check(machine, &failure));
    check_ok(dcl1_noc_read(machine, &noc, &failure));
    assert_true(noc.built && !noc.full && noc.nodes == 40 && noc.clusters == 40);
}

/* By hand from the table of designs. */
TEST(crossbars_by_hand)
{
    static const struct {
        const char *design;
        uint32_t cores, slices, stages[2][3], bits;
    } cases[] = {
        {"baseline", 80, 32, {{1, 80, 32}}, 0},
        {"perfect", 80, 32, {{1, 80, 32}}, 0},
        {"ideal", 80, 32, {{1, 80, 32}}, 0},
        {"Pr80", 80, 32, {{80, 1, 1}, {1, 80, 32}}, 0},
        {"Pr40", 80, 32, {{40, 2, 1}, {1, 40, 32}}, 0},
        {"Pr10", 80, 32, {{10, 8, 1}, {1, 10, 32}}, 0},
        {"Sh40", 80, 32, {{1, 80, 40}, {1, 40, 32}}, 6}, /* 40 does not divide 32 */
        {"Sh16", 80, 32, {{1, 80, 16}, {16, 1, 2}}, 4},
        {"Sh40+C5", 80, 32, {{5, 16, 8}, {8, 5, 4}}, 3},
        {"Sh40+C10", 80, 32, {{10, 8, 4}, {4, 10, 8}}, 2},
        {"Sh40+C20", 80, 32, {{20, 4, 2}, {2, 20, 16}}, 1},
        {"Sh40+C8", 80, 32, {{8, 10, 5}, {1, 40, 32}}, 3}, /* 5 does not divide 32 */
        {"Sh60+C10", 120, 48, {{10, 12, 6}, {6, 10, 8}}, 3},
        {"Sh60+C12", 120, 48, {{12, 10, 5}, {1, 60, 48}}, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dcl1_noc noc;
        check_ok(dcl1_noc_of(cases[i].design, cases[i].cores, cases[i].slices, &noc, &failure));
        int n = cases[i].stages[1][0] ? 2 : 1;
        assert_int_equal(noc.n_stages, n);
        for (int s = 0; s < n; s++) {
            assert_int_equal(noc.stages[s].count, cases[i].stages[s][0]);
            assert_int_equal(noc.stages[s].inputs, cases[i].stages[s][1]);
            assert_int_equal(noc.stages[s].outputs, cases[i].stages[s][2]);
        }
        assert_int_equal(dcl1_noc_home_bits(&noc), cases[i].bits);
    }
    struct dcl1_noc noc;
    check_error(dcl1_noc_of("Pr33", 80, 32, &noc, &failure), STATUS_INPUT, "the rule Y | X");
}

/* The machine says the same as the name; ports are conserved in every design. */
TEST(machines_have_the_crossbars_of_their_design)
{
    static const char *const designs[] = {"baseline", "Pr20",           "Sh40", "Sh40+C5",
                                          "Sh80+C16", "Sh40+C10+Boost", "ideal"};
    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        OWNED(machine) *machine = check_shipped("dcl1", SETTINGS("dcl1.design", designs[i]));
        struct dcl1_noc a, b;
        check_ok(dcl1_noc_read(machine, &a, &failure));
        check_ok(dcl1_noc_of(designs[i], 80, 32, &b, &failure));
        assert_int_equal(a.n_stages, b.n_stages);
        for (int s = 0; s < a.n_stages; s++) {
            assert_int_equal(a.stages[s].count, b.stages[s].count);
            assert_int_equal(a.stages[s].inputs, b.stages[s].inputs);
            assert_int_equal(a.stages[s].outputs, b.stages[s].outputs);
            assert_true(a.stages[s].boost == b.stages[s].boost);
        }
        assert_int_equal(a.stages[0].count * a.stages[0].inputs, 80);
        const struct dcl1_stage *last = dcl1_noc_last(&a);
        assert_int_equal(last->count * last->outputs, 32);
    }
}

/* Nodes ask L/M slices of their own only where homes follow slices: those that a hash chooses do
 * not follow lines in turn, those that lines choose in turn do. */
TEST(crossbars_need_homes_that_follow_slices)
{
    static const struct {
        const char *design, *home, *mapping, *interleave;
        uint32_t last[3];
        bool by_slice;
    } cases[] = {
        {"Sh40+C10", NULL, "hashed", "256 B", {4, 10, 8}, true},
        {"Sh40+C10", NULL, "fixed", "256 B", {4, 10, 8}, true},
        {"Sh40+C10", "slice", "fixed", "256 B", {4, 10, 8}, true},
        {"Sh40+C10", "line", "hashed", "128 B", {1, 40, 32}, false},
        {"Sh40+C10", "line", "fixed", "256 B", {1, 40, 32}, false},
        {"Sh40+C10", "line", "fixed", "128 B", {4, 10, 8}, true},
        {"Sh40", NULL, "fixed", "256 B", {1, 40, 32}, false}, /* 40 does not divide 32 */
        {"Pr40", NULL, "fixed", "256 B", {1, 40, 32}, false}, /* one node a cluster */
        {"Pr40", "slice", "fixed", "256 B", {1, 40, 32}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_shipped(
            "dcl1", SETTINGS("dcl1.design", cases[i].design, "llc.mapping", cases[i].mapping,
                             "llc.interleave", cases[i].interleave));
        struct dcl1_noc noc;
        bool by_slice;
        if (cases[i].home)
            check_set(machine, "l1.home", cases[i].home);
        check_ok(machine_l1_home(machine, &by_slice, &failure));
        assert_int_equal(by_slice, cases[i].by_slice);
        check_ok(dcl1_noc_read(machine, &noc, &failure));
        const struct dcl1_stage *last = dcl1_noc_last(&noc);
        assert_int_equal(last->count, cases[i].last[0]);
        assert_int_equal(last->inputs, cases[i].last[1]);
        assert_int_equal(last->outputs, cases[i].last[2]);
    }
    OWNED(machine) *machine = check_shipped("dcl1", SETTINGS("dcl1.design", "Sh40"));
    check_set(machine, "l1.home", "slice");
    check_error(machine_check(machine, &failure), STATUS_INPUT,
                "l1.home: 40 nodes of a cluster do not divide 32 LLC slices");
}

TEST(two_stages_replace_the_private_crossbar)
{
    struct dcl1_noc noc;
    OWNED(machine) *machine =
        check_shipped("dcl1", SETTINGS("dcl1.noc", "two-stage", "dcl1.noc1_boost", "2"));
    check_ok(dcl1_noc_read(machine, &noc, &failure));
    assert_true(noc.two_stage && noc.n_stages == 2 && !noc.built);
    assert_int_equal(noc.stages[0].count, 10);
    assert_int_equal(noc.stages[0].inputs, 8);
    assert_int_equal(noc.stages[0].outputs, 4);
    assert_int_equal(noc.stages[1].count, 4);
    assert_int_equal(noc.stages[1].inputs, 10);
    assert_int_equal(noc.stages[1].outputs, 8);
    assert_true(noc.stages[0].boost == 2 && noc.stages[1].boost == 1);
    check_set(machine, "dcl1.noc_groups", "9");
    check_error(dcl1_noc_read(machine, &noc, &failure), STATUS_INPUT, "9 groups do not divide 80");
    check_set(machine, "dcl1.noc_groups", "10");
    check_set(machine, "dcl1.noc_middle", "5");
    check_error(dcl1_noc_read(machine, &noc, &failure), STATUS_INPUT, "do not divide 32 L2 slices");
    check_set(machine, "dcl1.design", "Pr40");
    check_error(dcl1_noc_read(machine, &noc, &failure), STATUS_INPUT, "has its two NoCs already");
}

TEST(large_crossbars_are_not_boosted)
{
    static const struct {
        const char *settings[9], *words; /* NULL: it can be built */
    } cases[] = {
        {{"dcl1.design", "Pr40+Boost"}, NULL},
        {{"dcl1.design", "Pr80+Boost"}, NULL},
        {{"dcl1.design", "Sh40+C10+Boost"}, NULL},
        {{"dcl1.design", "Sh40+C5+Boost"}, NULL}, /* 16 x 8: the largest */
        {{"dcl1.design", "Sh40+Boost"}, "NoC#1 cannot be boosted: a 80x40 crossbar"},
        {{"dcl1.design", "Sh40+C4+Boost"}, "NoC#1 cannot be boosted: a 20x10 crossbar"},
        {{"dcl1.noc2_boost", "2"}, "the NoC cannot be boosted: a 80x32 crossbar"},
        {{"dcl1.design", "Sh40+C10", "dcl1.noc2_boost", "2"}, NULL}, /* 10 x 8 */
        {{"dcl1.design", "Sh40+C20", "dcl1.noc2_boost", "2"}, "NoC#2 cannot be boosted: a 20x16"},
        {{"dcl1.noc2_boost", "2", "dcl1.boost_ports", "80"}, NULL},
        {{"dcl1.noc", "two-stage", "dcl1.noc1_boost", "2", "dcl1.noc2_boost", "2"}, NULL},
        {{"dcl1.noc", "two-stage", "dcl1.noc_groups", "2", "dcl1.noc1_boost", "2"},
         "the first stage cannot be boosted: a 40x4 crossbar"},
        /* 44.8 GHz, and a little more than twice */
        {{"dcl1.design", "Sh40+C10", "dcl1.noc2_boost", "64"},
         "NoC#2 cannot be boosted 64 times: a 10x8 crossbar reaches at most 2 times its clock"},
        {{"l1.nodes", "40", "l1.clusters", "10", "dcl1.noc1_boost", "2.1"},
         "NoC#1 cannot be boosted 2.1 times"},
        {{"dcl1.design", "Sh40+C10", "dcl1.noc2_boost", "4", "dcl1.boost_most", "4"}, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *machine = check_shipped("dcl1", cases[i].settings);
        struct dcl1_noc noc;
        if (cases[i].words)
            check_error(dcl1_noc_read(machine, &noc, &failure), STATUS_INFEASIBLE, cases[i].words);
        else
            check_ok(dcl1_noc_read(machine, &noc, &failure));
    }
}

TEST(other_machines_are_refused)
{
    struct dcl1_noc noc;
    struct machine *machine = check_shipped("sac", NULL);
    check_error(dcl1_noc_read(machine, &noc, &failure), STATUS_INFEASIBLE, "has 4 chips");
    machine_destroy(machine);
    machine = check_shipped("dcl1", SETTINGS("partitions", "2"));
    check_error(dcl1_noc_read(machine, &noc, &failure), STATUS_INFEASIBLE,
                "1 chips of 2 partitions");
    machine_destroy(machine);
}

/* --- laws ---------------------------------------------------------------------------------- */

/* The fit is made anew; the shipped law is its result, and meets the published ratios. */
TEST(law_is_the_fit_of_the_published_ratios)
{
    struct dcl1_law fit;
    check_ok(dcl1_law_fit(&fit, &failure));
    check_relative(dcl1_law.area_crosspoint, fit.area_crosspoint, 3e-4);
    check_relative(dcl1_law.area_buffer, fit.area_buffer, 3e-4);
    check_relative(dcl1_law.static_input, fit.static_input, 3e-4);
    check_relative(dcl1_law.static_crossing, fit.static_crossing, 3e-4);
    for (const struct dcl1_published *p = dcl1_published; p->design; p++) {
        struct dcl1_noc noc;
        check_ok(dcl1_noc_of(p->design, 80, 32, &noc, &failure));
        check_relative(dcl1_noc_area(&noc, 32), p->area, 0.025);
        if (!isnan(p->static_power))
            check_relative(dcl1_noc_static_power(&noc, 32), p->static_power, 0.0075);
    }
}

TEST(laws_by_hand)
{
    struct dcl1_noc noc;
    check_ok(dcl1_noc_of("baseline", 80, 32, &noc, &failure));
    check_relative(dcl1_noc_area(&noc, 32), 3.136e-4 * 2560 + 1.551e-3 * 112, 1e-12);
    check_relative(dcl1_noc_area(&noc, 32), 0.977, 5e-4);
    check_relative(dcl1_noc_static_power(&noc, 32), 6.848e-3 * 80 + 1.571e-6 * 2560 * 112, 1e-12);
    check_relative(dcl1_noc_static_power(&noc, 32), 0.998, 5e-4);
    check_relative(dcl1_noc_area(&noc, 64), 3.136e-4 * 2560 * pow(2, 1.9) + 1.551e-3 * 112 * 2,
                   1e-12);
    check_ok(dcl1_noc_of("Sh40+C10", 80, 32, &noc, &failure));
    check_relative(dcl1_noc_area(&noc, 32), 3.136e-4 * 640 + 1.551e-3 * 192, 1e-12);
    check_relative(dcl1_noc_static_power(&noc, 32), 6.848e-3 * 120 + 1.571e-6 * (3840 + 5760),
                   1e-12);
    /* 80 wires cost nothing. */
    check_ok(dcl1_noc_of("Pr80", 80, 32, &noc, &failure));
    check_relative(dcl1_noc_area(&noc, 32), 3.136e-4 * 2560 + 1.551e-3 * 112, 1e-12);
}

static double cost_of(const struct machine *machine, const char *name)
{
    double value;
    check_ok(checkpoint_value(machine, name, &value, &failure));
    return value;
}

TEST(costs_are_the_laws)
{
    static const char *const designs[] = {"baseline", "Pr40", "Sh40", "Sh40+C10+Boost", "Pr10"};
    static const char *const flits[] = {"16 B", "32 B", "160 B"};
    for (size_t d = 0; d < 5; d++)
        for (size_t f = 0; f < 3; f++) {
            OWNED(machine) *machine =
                check_shipped("dcl1", SETTINGS("dcl1.design", designs[d], "dcl1.flit", flits[f]));
            struct dcl1_noc noc;
            double flit;
            check_ok(dcl1_noc_read(machine, &noc, &failure));
            check_ok(machine_number(machine, "dcl1.flit", &flit, &failure));
            check_relative(cost_of(machine, "cost.l1_noc_area"), dcl1_noc_area(&noc, flit), 1e-12);
            check_relative(cost_of(machine, "cost.l1_noc_static_power"),
                           dcl1_noc_static_power(&noc, flit), 1e-12);
            check_relative(cost_of(machine, "cost.l1_area"), dcl1_l1_area(&noc, 16 << 10), 1e-12);
            check_relative(cost_of(machine, "cost.l1_queues"), dcl1_noc_queues(&noc, 128), 1e-12);
        }
    /* Half as many nodes: -8 %. Twice the capacity: +84 %. 40 nodes queue 80 KiB. */
    struct machine *machine = check_shipped("dcl1", SETTINGS("dcl1.design", "Sh40"));
    check_relative(cost_of(machine, "cost.l1_area"), 0.92, 1e-12);
    check_relative(cost_of(machine, "cost.l1_queues"), 80 << 10, 1e-12);
    machine_destroy(machine);
    machine = check_shipped("dcl1", SETTINGS("l1.capacity", "32 KiB"));
    check_relative(cost_of(machine, "cost.l1_area"), 1.84, 1e-12);
    check_relative(cost_of(machine, "cost.l1_queues"), 0, 0);
    machine_destroy(machine);
    struct term_graph *g = term_graph_create();
    int term;
    machine = check_shipped("sac", NULL);
    check_error(cost_term(g, machine, "cost.l1_noc_area", &term, &failure), STATUS_INFEASIBLE,
                "4 chips");
    machine_destroy(machine);
    term_graph_destroy(g);
}

/* More nodes in as many clusters never make the crossbars smaller, nor do wider flits. */
TEST(costs_are_monotone)
{
    uint64_t seed = 3;
    for (int i = 0; i < check_rounds(300, 5000); i++) {
        uint32_t clusters = 1u << check_random(&seed) % 4, per = 1u << check_random(&seed) % 3;
        uint32_t cores = clusters * per * 2 * (1 + (uint32_t)(check_random(&seed) % 4));
        struct dcl1_noc noc[2];
        for (int k = 0; k < 2; k++) {
            char name[40];
            snprintf(name, sizeof name, "Sh%u+C%u", clusters * per * (k ? 2 : 1), clusters);
            check_ok(dcl1_noc_of(name, cores, 32, &noc[k], &failure));
        }
        /* With slices that every M divides: NoC#2 is M x (Z x L/M) in both. */
        double flit = 8 * (1 + check_uniform(&seed) * 20);
        assert_true(dcl1_noc_area(&noc[1], flit) >= dcl1_noc_area(&noc[0], flit));
        assert_true(dcl1_noc_area(&noc[0], flit * 1.5) > dcl1_noc_area(&noc[0], flit) ||
                    dcl1_noc_area(&noc[0], flit) == 0);
        assert_true(dcl1_noc_static_power(&noc[0], flit * 1.5) >=
                    dcl1_noc_static_power(&noc[0], flit));
    }
}
