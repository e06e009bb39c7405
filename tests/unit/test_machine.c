/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines: files, settings, checks; link graphs and their mean hops. */
#include "check.h"

#include "machine/links.h"
#include "machine/machine.h"
#include "yaml/yaml.h"

static struct machine *load(const char *name)
{
    return check_shipped(name, NULL);
}

static double number(const struct machine *machine, const char *path)
{
    double value;
    check_ok(machine_number(machine, path, &value, &failure));
    return value;
}

TEST(sac_is_as_published)
{
    struct machine *m = load("sac");
    check_relative(number(m, "chips"), 4, 0);
    check_relative(number(m, "line"), 128, 0);
    check_relative(number(m, "llc.capacity"), 4 << 20, 0);
    check_relative(number(m, "inter.link_bandwidth"), 96e9, 0);
    check_relative(number(m, "llc.latency"), 120e-9, 1e-12); /* 120 cycles at 1 GHz */
    check_relative(number(m, "sm.issue"), 1e9, 1e-12);       /* 1 a cycle */
    machine_destroy(m);
    m = load("sac-2chip"); /* based on sac */
    check_relative(number(m, "chips"), 2, 0);
    check_relative(number(m, "inter.link_bandwidth"), 384e9, 0);
    check_relative(number(m, "llc.capacity"), 4 << 20, 0);
    machine_destroy(m);
}

TEST(a_clock_rescales_what_stands_in_cycles)
{
    OWNED(machine) *m = load("sac");
    check_set(m, "sm.clock", "2 GHz");
    check_relative(number(m, "llc.latency"), 60e-9, 1e-12);
    check_relative(number(m, "sm.issue"), 2e9, 1e-12);
    check_relative(number(m, "memory.latency"), 100e-9, 1e-12); /* given in ns */
    check_set(m, "llc.bandwidth", "4096 B/cycle");
    check_relative(number(m, "llc.bandwidth"), 8192e9, 1e-12);
}

TEST(settings_are_checked)
{
    static const struct {
        const char *path, *value, *words;
    } cases[] = {
        {"llc.capcity", "4 MiB", "did you mean \"llc.capacity\""},
        {"llc.capacity", "4", "the unit is missing"},
        {"llc.capacity", "32q", "expected a number with a unit"},
        {"llc.capacity", "4 GB/s", "expected bytes"},
        {"llc.capacity", "-4 MiB", "out of range"},
        {"llc.capacity", "nan", "expected a number"},
        {"chips", "0", "out of range"},
        {"chips", "2.5", "whole number"},
        {"chips", "65", "out of range"},
        {"sm.clock", "1 /cycle", "expected 1/s"},
        {"inter.topology", "rign", "did you mean \"ring\""},
        {"llc.organisation", "both", "there is no organisation"},
        {"sm.scheduler", "fifo", "known: lrr, gto, grr"},
        {"memory.latency", "-3 cycles", "negative"},
    };
    OWNED(machine) *m = load("sac");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_error(machine_set(m, cases[i].path, cases[i].value, NULL, &failure), STATUS_INPUT,
                    cases[i].words);
    check_set(m, "llc.capacity", "1 KiB");
    check_error(machine_check(m, &failure), STATUS_INPUT, "do not hold one set");
    check_set(m, "llc.capacity", "4 MiB");
    check_set(m, "sectors", "3");
    check_error(machine_check(m, &failure), STATUS_INPUT, "sectors");
}

TEST(files_are_checked)
{
    static const struct {
        const char *text, *words;
        long line, column;
    } cases[] = {
        {"chips: 4", "\"machine\" is missing", 1, 1},
        {"machine: x\nchips: 0", "out of range", 2, 8},
        {"machine: x\nchips: 4\nsm: {per_chip: 64}\nllc: {capcity: 4 MiB}",
         "did you mean \"capacity\"", 4, 7},
        {"machine: x\nchips: 4\nsm: {per_chip: 64}\nllc: {capacity: 4}", "unit is missing", 4, 17},
        {"machine: x\nchip: 4", "did you mean \"chips\"", 2, 1},
        {"machine: x\nl3: {capacity: 4 MiB}", "unknown key \"l3\"", 2, 1},
        {"machine: x\nl3: {kind: cache}", "expected level", 2, 12},
        {"machine: x\nllc: 4 MiB", "expected a map", 2, 6},
        {"machine: x\nbase: nowhere", "there is no machine", 2, 7},
        {"machine: x\ninter: {edges: [{from: 0, to: 0}]}", "to itself", 2, 17},
        {"machine: x\ninter: {edges: [{from: 0, to: 1, latency: 3 GB/s}]}", "expected a time", 2,
         43},
        {"machine: x\ninter: {edges: [{from: 0, to: 1, bandwidth: 3}]}", "positive bandwidth", 2,
         45},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct yaml_document *document;
        struct machine *machine;
        check_ok(yaml_parse("m.yaml", cases[i].text, strlen(cases[i].text), &document, &failure));
        check_error(machine_read(document->root, "m.yaml", &machine, &failure), STATUS_INPUT,
                    cases[i].words);
        if (failure.line != cases[i].line || failure.column != cases[i].column)
            fail_msg("case %zu: at %ld:%ld, expected %ld:%ld", i, failure.line, failure.column,
                     cases[i].line, cases[i].column);
        assert_null(machine);
        yaml_destroy(document);
    }
}

TEST(a_machine_without_chips_names_them)
{
    static const char text[] = "machine: x\nsm: {per_chip: 4}\n";
    struct yaml_document *document;
    struct machine *machine;
    check_ok(yaml_parse("m.yaml", text, sizeof text - 1, &document, &failure));
    check_error(machine_read(document->root, "m.yaml", &machine, &failure), STATUS_UNKNOWN_FIELD,
                "does not say its chips");
    yaml_destroy(document);
}

TEST(levels_of_any_name)
{
    static const char text[] = "machine: x\nchips: 2\nsm: {per_chip: 4}\n"
                               "victim: {kind: level, capacity: 1 MiB, ways: 8}\n";
    struct yaml_document *document;
    struct machine *machine, *copy;
    check_ok(yaml_parse("m.yaml", text, sizeof text - 1, &document, &failure));
    check_ok(machine_read(document->root, "m.yaml", &machine, &failure));
    yaml_destroy(document);
    copy = machine_clone(machine);
    machine_destroy(machine);
    check_relative(number(copy, "victim.capacity"), 1 << 20, 0);
    check_relative(number(copy, "victim.ways"), 8, 0);
    machine_destroy(copy);
}

/* --- links --------------------------------------------------------------------- */

static struct link_graph graph_of(const char *topology, int chips)
{
    OWNED(machine) *m = load("sac");
    struct link_graph graph;
    char text[16];
    snprintf(text, sizeof text, "%d", chips);
    check_set(m, "chips", text);
    check_set(m, "inter.topology", topology);
    check_ok(link_graph_build(m, &graph, &failure));
    return graph;
}

/* Mean hops of a ring: even N^2/(4(N-1)), odd (N+1)/4; fully connected and switch 1. */
TEST(mean_hops_follow_the_formula)
{
    for (int n = 1; n <= 17; n++) {
        struct link_graph ring = graph_of("ring", n);
        double want = n == 1 ? 0 : n % 2 == 0 ? (double)n * n / (4.0 * (n - 1)) : (n + 1) / 4.0;
        check_relative(link_graph_mean_hops(&ring), want, 1e-12);
        assert_int_equal(ring.edges.count, n == 1 ? 0 : n == 2 ? 2 : 2 * n);
        link_graph_fini(&ring);
        struct link_graph full = graph_of("fully-connected", n);
        check_relative(link_graph_mean_hops(&full), n > 1, 1e-12);
        assert_int_equal(full.edges.count, n * (n - 1));
        link_graph_fini(&full);
        struct link_graph star = graph_of("switch", n);
        double shares, own;
        check_relative(link_graph_mean_hops(&star), n > 1, 1e-12);
        link_graph_supply(&star, &shares, &own);
        check_relative(shares, n > 1 ? n : 0, 0); /* uplinks only */
        link_graph_fini(&star);
    }
}

static struct link_graph grid_of(const char *topology, int n, int columns)
{
    struct link_graph graph;
    char text[16], path[32];
    OWNED(machine) *m = check_shipped("sac", NULL);
    snprintf(text, sizeof text, "%d", n);
    snprintf(path, sizeof path, "%s.columns", topology);
    check_set(m, "chips", text);
    check_set(m, "inter.topology", topology);
    snprintf(text, sizeof text, "%d", columns);
    if (columns)
        check_set(m, path, text);
    check_ok(link_graph_build(m, &graph, &failure));
    return graph;
}

/* Mean distance of two places of a line or ring of k, the same one included. */
static double mean_distance(int k, bool ring)
{
    return ring ? k * k / 4 / (double)k : (k * (double)k - 1) / (3.0 * k);
}

/* Mean hops are the sum of both directions' mean distances, over pairs of different chips. */
TEST(grids_follow_the_formula)
{
    for (int rows = 1; rows <= 5; rows++)
        for (int columns = 1; columns <= 6; columns++)
            for (int ring = 0; ring < 2; ring++) {
                int n = rows * columns;
                struct link_graph grid = grid_of(ring ? "torus" : "mesh", n, columns);
                double sum = mean_distance(rows, ring) + mean_distance(columns, ring);
                double want = n > 1 ? sum * n / (n - 1) : 0;
                int lines = columns * (ring && rows > 2 ? rows : rows - 1) +
                            rows * (ring && columns > 2 ? columns : columns - 1);
                check_relative(link_graph_mean_hops(&grid), want, 1e-12);
                assert_int_equal(grid.edges.count, 2 * lines);
                link_graph_fini(&grid);
            }
    /* As square as the chips allow: 3 columns of 6 chips, one row of 5. */
    struct link_graph six = grid_of("mesh", 6, 0), five = grid_of("torus", 5, 0);
    assert_int_equal(six.edges.count, 14);
    assert_int_equal(five.edges.count, 10);
    link_graph_fini(&six);
    link_graph_fini(&five);
}

/* On a ring of four, messages to the opposite chip go both ways, half and half. */
TEST(ties_are_split)
{
    struct link_graph ring = graph_of("ring", 4);
    double loads[8], weight[16] = {0};
    link_graph_loads(&ring, NULL, loads);
    for (int e = 0; e < 8; e++)
        check_relative(loads[e], 2, 1e-12); /* 12 pairs * 4/3 hops / 8 edges */
    weight[0 * 4 + 2] = 1;
    link_graph_loads(&ring, weight, loads);
    for (size_t e = 0; e < 8; e++) {
        bool clockwise = ring.edges.items[e].to == (ring.edges.items[e].from + 1) % 4;
        bool on_path = clockwise ? ring.edges.items[e].from < 2
                                 : ring.edges.items[e].from == 0 || ring.edges.items[e].from == 3;
        check_relative(loads[e], on_path ? 0.5 : 0, 1e-12);
    }
    link_graph_fini(&ring);
}

TEST(listed_edges)
{
    static const char text[] =
        "machine: x\nchips: 3\nsm: {per_chip: 4}\n"
        "inter: {topology: edges, link_bandwidth: 10 GB/s, edges: [{from: 0, to: 1}, {from: 1, "
        "to: 2, bandwidth: 50 GB/s}, {from: 2, to: 3}, {from: 3, to: 0}]}\n";
    struct yaml_document *document;
    OWNED(machine) *m = NULL;
    struct link_graph graph;
    double shares, own;
    check_ok(yaml_parse("m.yaml", text, sizeof text - 1, &document, &failure));
    check_ok(machine_read(document->root, "m.yaml", &m, &failure));
    yaml_destroy(document);
    check_ok(link_graph_build(m, &graph, &failure));
    assert_int_equal(graph.n_nodes, 4); /* node 3 is a switch */
    link_graph_supply(&graph, &shares, &own);
    check_relative(shares, 2, 0); /* 0->1 and 2->3; 3->0 leaves a switch */
    check_relative(own, 50e9, 0);
    /* 0->1: 1, 0->2: 2, 1->2: 1, 1->0: 2, 2->0: 1 chip, 2->1: 2. */
    check_relative(link_graph_mean_hops(&graph), 9.0 / 6.0, 1e-12);
    link_graph_fini(&graph);
    m->n_edges = 3; /* nothing leads back to 0 */
    check_error(link_graph_build(m, &graph, &failure), STATUS_INPUT, "cannot reach");
}

static int read_edges_of(const char *edges, struct machine **out, struct error *error)
{
    char text[256];
    struct yaml_document *document;
    snprintf(text, sizeof text,
             "machine: x\nchips: 3\nsm: {per_chip: 4}\n"
             "inter: {topology: edges, link_bandwidth: 10 GB/s, edges: %s}\n",
             edges);
    int status = yaml_parse("m.yaml", text, strlen(text), &document, error);
    assert_int_equal(status, 0);
    status = machine_read(document->root, "m.yaml", out, error);
    yaml_destroy(document);
    return status;
}

/* A pair is an edge both ways. */
TEST(pairs_of_edges)
{
    struct machine *m;
    struct link_graph graph;
    check_ok(read_edges_of("[[0, 1], {from: 1, to: 2}, [2, 0]]", &m, &failure));
    check_ok(link_graph_build(m, &graph, &failure));
    assert_int_equal(graph.edges.count, 5);
    check_relative(link_graph_mean_hops(&graph), 7.0 / 6, 1e-12); /* 2 to 1 takes two */
    link_graph_fini(&graph);
    machine_destroy(m);
    check_error(read_edges_of("[[0, 1, 2]]", &m, &failure), STATUS_INPUT, "a pair of nodes, not 3");
    check_error(read_edges_of("[[1, 1]]", &m, &failure), STATUS_INPUT, "from node 1 to itself");
    check_error(read_edges_of("[[0, x]]", &m, &failure), STATUS_INPUT, "to");
}
