/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Link sizing of MCM-GPU: by hand, against enumerated shortest paths on random graphs, refusals;
 * energy and costs by hand. */
#include "mcm_check.h"

#include "machine/links.h"
#include "model/cost.h"
#include "validate/checkpoint.h"

/* --- by hand ------------------------------------------------------------------------- */

/* 1 TB/s = 1e12: f = 3/4, H = 4/3, so that 2 f H = 2; h = 0.5: s = 1.536 TB/s a module. */
TEST(ring_of_four_by_hand)
{
    static const struct {
        const char *link;
        double supply; /* min(4 * 1.536, 4 * L / 2), L = 4 links, GB/s */
    } cases[] = {{"96 GB/s", 768},
                 {"192 GB/s", 1536},
                 {"384 GB/s", 3072},
                 {"768 GB/s", 6144},
                 {"1536 GB/s", 6144}};
    struct profile_record record = mcm_record(0.25, 0.5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m = check_shipped("mcm", SETTINGS("inter.link_bandwidth", cases[i].link));
        OWNED(answer) *a = check_answer_of("link", m, &record);
        check_relative(answer_metric(a, "effective_bandwidth"), cases[i].supply * 1e9, 1e-12);
        check_relative(answer_metric(a, "supply_mean_module"), cases[i].supply * 1e9, 1e-12);
        check_relative(answer_metric(a, "supply_hottest_edge"), cases[i].supply * 1e9, 1e-12);
        check_relative(answer_metric(a, "supply_without_links"), 6144e9, 1e-12);
        check_relative(answer_metric(a, "link_required"), 4 * 768e9, 1e-12);
        check_relative(answer_metric(a, "link_knee"), 768e9, 1e-12);
        check_relative(answer_metric(a, "link_utilisation"), i < 4 ? 1 : 0.5, 1e-12);
        check_relative(answer_metric(a, "module_hops"), 4.0 / 3, 1e-12);
        check_relative(answer_metric(a, "link_share"), 0.75, 1e-12);
        if (i != 3) /* the knee: both limit */
            assert_string_equal(answer_limit(a, &a->result.records[0], 0),
                                i < 3 ? "inter" : "memory");
    }
}

/* High hit rates: B_L2 = 4 TB/s a module takes the place of b / (1 - h). */
TEST(fast_l2_is_the_supply)
{
    struct profile_record record = mcm_record(0.25, 0.9), perfect = mcm_record(0.25, 1);
    OWNED(machine) *m = check_shipped("mcm", SETTINGS("inter.link_bandwidth", "9 TB/s"));
    check_relative(check_metric("link", m, &record, "effective_bandwidth"), 16e12, 1e-12);
    check_relative(check_metric("link", m, &perfect, "effective_bandwidth"), 16e12, 1e-12);
    check_relative(check_metric("link", m, &record, "link_required"), 2 * 4e12, 1e-12);
}

/* supply = min(s / (1 - f h15), L / (2 f (1 - h15) H)): by hand and counted. */
TEST(l15_by_hand_and_counted)
{
    struct profile_record by_hand = mcm_record(0.25, 0.5), counted = mcm_record(0.25, 0.5);
    OWNED(machine) *assumed = check_shipped("mcm", SETTINGS("link.l15_hit", "0.6"));
    OWNED(machine) *exact = check_shipped("mcm-optimised", NULL);
    static const char *const same[] = {"effective_bandwidth", "link_required", "link_knee",
                                       "link_share",          "home_share",    "energy_per_byte"};
    counted.fields[FIELD_REQUESTS] = 1000;
    counted.levels[0] = "l15";
    counted.fields[FIELD_LEVEL_0] = 750;
    counted.fields[FIELD_LEVEL_0_HITS] = 450;
    counted.fields[FIELD_HOME_REQUESTS] = 550;
    counted.fields[FIELD_HOME_REMOTE_REQUESTS] = 300;
    /* 1 - .75 * .6 = .55; .75 * .4 = .3, times 2 H = 8/3: .8 */
    check_relative(check_metric("link", assumed, &by_hand, "effective_bandwidth"), 4 * 768e9 / 0.8,
                   1e-12);
    check_relative(check_metric("link", assumed, &by_hand, "supply_without_links"),
                   4 * 1536e9 / 0.55, 1e-12);
    check_relative(check_metric("link", exact, &counted, "l15_hit_rate"), 0.6, 1e-12);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        check_relative(check_metric("link", exact, &counted, same[i]),
                       check_metric("link", assumed, &by_hand, same[i]), 1e-12);
}

TEST(no_links_no_limit)
{
    struct profile_record alone = mcm_record(1, 0.5);
    OWNED(machine) *mono = check_shipped("mono256", NULL), *mcm = check_shipped("mcm", NULL);
    check_relative(check_metric("link", mono, &alone, "effective_bandwidth"), 6144e9, 1e-12);
    assert_true(check_metric("link", mono, &alone, "module_link_bandwidth") == 0);
    assert_true(check_metric("link", mono, &alone, "link_required") == 0);
    assert_true(check_metric("link", mono, &alone, "module_hops") == 0);
    /* f = 0 */
    check_relative(check_metric("link", mcm, &alone, "effective_bandwidth"), 6144e9, 1e-12);
    assert_true(check_metric("link", mcm, &alone, "link_required") == 0);
}

/* --- any topology ---------------------------------------------------------------------- */

enum { NODES_MAX = 7, EDGES_MAX = 24 };

struct graph {
    uint32_t chips, nodes, n_edges;
    struct machine_edge edges[EDGES_MAX];
    double loads[EDGES_MAX];
};

/* Random edges around a ring of all nodes: connected, some with a bandwidth of their own. */
static struct graph random_graph(uint64_t *seed)
{
    struct graph g = {.chips = 2 + (uint32_t)(check_uniform(seed) * 4)};
    g.nodes = g.chips + (uint32_t)(check_uniform(seed) * 3);
    uint32_t extra = (uint32_t)(check_uniform(seed) * 10);
    for (uint32_t i = 0; i < g.nodes + extra; i++) {
        uint32_t from = i < g.nodes ? i : (uint32_t)(check_uniform(seed) * g.nodes);
        uint32_t to = i < g.nodes ? (i + 1) % g.nodes : (uint32_t)(check_uniform(seed) * g.nodes);
        bool own = check_uniform(seed) < 0.3;
        if (from != to)
            g.edges[g.n_edges++] = (struct machine_edge){
                from, to, own ? 0 : 1, own ? 1e11 * (1 + check_uniform(seed)) : 0};
    }
    return g;
}

/* Every shortest path from `at` to `to` of `left` edges: counts them, or adds `part` to the loads
 * of their edges. */
static double walk(struct graph *g, uint32_t at, uint32_t to, int left, double part, int *path,
                   int depth)
{
    double found = 0;
    if (at == to && left == 0) {
        for (int i = 0; i < depth; i++)
            g->loads[path[i]] += part;
        return 1;
    }
    for (uint32_t e = 0; left > 0 && e < g->n_edges; e++)
        if (g->edges[e].from == at) {
            path[depth] = (int)e;
            found += walk(g, g->edges[e].to, to, left - 1, part, path, depth + 1);
        }
    return found;
}

static void route(struct graph *g, uint32_t from, uint32_t to, double bytes)
{
    int path[NODES_MAX];
    for (int length = 1; length < (int)g->nodes; length++) {
        double paths = walk(g, from, to, length, 0, path, 0);
        if (paths > 0) {
            walk(g, from, to, length, bytes / paths, path, 0);
            return;
        }
    }
}

static struct machine *graph_machine(const struct graph *g)
{
    struct machine *m = check_shipped("mcm", NULL);
    mcm_set(m, "chips", g->chips, "");
    check_set(m, "inter.topology", "edges");
    m->edges = arena_alloc(m->arena, sizeof g->edges);
    memcpy(m->edges, g->edges, sizeof g->edges);
    m->n_edges = g->n_edges;
    return m;
}

/* Traffic of a record: most of it random, its remote share as given. */
static double fill_traffic(struct profile_record *record, double *traffic, uint32_t n,
                           uint64_t *seed)
{
    double all = 0, remote = 0;
    for (uint32_t i = 0; i < n * n; i++) {
        traffic[i] = floor(check_uniform(seed) * 1000) + 1;
        all += traffic[i];
        remote += i % (n + 1) ? traffic[i] : 0;
    }
    record->traffic = traffic;
    record->n_domains = n;
    record->fields[FIELD_REQUESTS] = all;
    record->fields[FIELD_READS] = floor(all * check_uniform(seed));
    record->fields[FIELD_R_LOCAL] = 1 - remote / all;
    return remote / all;
}

TEST(random_graphs_against_all_paths)
{
    uint64_t seed = 29;
    for (int round = 0; round < check_rounds(60, 2000); round++) {
        struct graph g = random_graph(&seed);
        double traffic[NODES_MAX * NODES_MAX], ends = 0, hops = 0, hottest = HUGE_VAL;
        struct profile_record record = mcm_record(0, 0.5);
        double q = fill_traffic(&record, traffic, g.chips, &seed), remote = 0;
        double reads = record.fields[FIELD_READS] / record.fields[FIELD_REQUESTS];
        for (uint32_t i = 0; i < g.chips; i++)
            for (uint32_t j = 0; j < g.chips; j++)
                if (i != j) { /* i asks, j is the home */
                    route(&g, j, i, reads * traffic[i * g.chips + j]);
                    route(&g, i, j, (1 - reads) * traffic[i * g.chips + j]);
                    remote += traffic[i * g.chips + j];
                }
        for (uint32_t e = 0; e < g.n_edges; e++) {
            const struct machine_edge *edge = &g.edges[e];
            double bandwidth = edge->share * 192e9 + edge->bandwidth_bytes_per_s;
            double load = q * g.loads[e] / remote;
            ends += bandwidth * ((edge->from < g.chips) + (edge->to < g.chips));
            hops += edge->from < g.chips ? g.loads[e] / remote : 0;
            hottest = load > 0 ? fmin(hottest, bandwidth / load) : hottest;
        }
        OWNED(machine) *m = graph_machine(&g);
        struct answer *a = check_answer_of("link", m, &record);
        double modules = g.chips * 1536e9, mean = fmin(modules, ends / (2 * q * hops));
        check_relative(answer_metric(a, "module_hops"), hops, 1e-9);
        check_relative(answer_metric(a, "module_link_bandwidth"), ends / g.chips, 1e-9);
        check_relative(answer_metric(a, "link_required"), 2 * 1536e9 * q * hops, 1e-9);
        check_relative(answer_metric(a, "supply_mean_module"), mean, 1e-9);
        check_relative(answer_metric(a, "supply_hottest_edge"), fmin(modules, hottest), 1e-9);
        check_relative(answer_metric(a, "effective_bandwidth"), fmin(mean, hottest), 1e-9);
        check_relative(answer_metric(a, "link_utilisation"),
                       answer_metric(a, "effective_bandwidth") / hottest, 1e-9);
        answer_destroy(a);
        check_set(m, "link.hottest_edge", "0");
        check_relative(check_metric("link", m, &record, "effective_bandwidth"), mean, 1e-9);
    }
}

/* --- refusals ---------------------------------------------------------------------------- */

TEST(unknown_shapes_are_refused)
{
    static const struct {
        const char *machine, *path, *value, *words;
    } cases[] = {
        {"mcm", "partitions", "2", "partitions"},
        {"mcm", "llc.organisation", "sm-side", "llc.side is requester"},
        {"mcm", "llc.organisation", "sac", "llc.side is requester"},
    };
    struct profile_record record = mcm_record(0.25, 0.5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED(machine) *m =
            check_shipped(cases[i].machine, SETTINGS(cases[i].path, cases[i].value));
        mcm_refused("link", m, &record, cases[i].words);
    }
    OWNED(machine) *m = check_shipped("mcm-optimised", NULL);
    struct profile_view view = {.records = &record, .n_records = 1};
    check_refused("link", m, &view, STATUS_UNKNOWN_FIELD, "home_requests");
}

/* --- energy, costs ------------------------------------------------------------------------ */

static double cost(const struct machine *machine, const char *name)
{
    double value;
    check_ok(checkpoint_value(machine, name, &value, &failure));
    return value;
}

TEST(energy_by_hand)
{
    struct profile_record record = mcm_record(0.25, 0.5), alone = mcm_record(1, 0.5);
    const double pj_per_bit = 8e-12;
    /* Ring: q H = q K = 1; on chips 2 x 0.08 pJ, on links 0.54. At 1.536 TB/s. */
    struct machine *m = check_shipped("mcm", NULL);
    check_relative(check_metric("link", m, &record, "link_energy_per_byte"), 0.54 * pj_per_bit,
                   1e-12);
    check_relative(check_metric("link", m, &record, "energy_per_byte"), 0.70 * pj_per_bit, 1e-12);
    check_relative(check_metric("link", m, &record, "traffic_power"), 0.70 * pj_per_bit * 1536e9,
                   1e-12);
    machine_destroy(m);
    /* A switch: H = 1, but two edges; a board. */
    m = check_shipped("mcm", SETTINGS("inter.topology", "switch", "inter.tier", "board"));
    check_relative(check_metric("link", m, &record, "energy_per_byte"),
                   (1.75 * 0.08 + 0.75 * 2 * 10) * pj_per_bit, 1e-12);
    check_relative(cost(m, "cost.link_energy"), 20 * pj_per_bit, 1e-12);
    check_relative(cost(m, "cost.link_power"), 8 * 192e9 * 10 * pj_per_bit, 1e-12);
    machine_destroy(m);
    m = check_shipped("mono256", NULL);
    check_relative(check_metric("link", m, &alone, "energy_per_byte"), 0.08 * pj_per_bit, 1e-12);
    assert_true(cost(m, "cost.link_energy") == 0 && cost(m, "cost.link_power") == 0);
    machine_destroy(m);
    /* A machine that does not say what its links cross. */
    m = check_shipped("sac", NULL);
    assert_true(isnan(check_metric("link", m, &record, "energy_per_byte")));
    struct term_graph *g = term_graph_create();
    int term;
    check_error(cost_term(g, m, "link_energy", &term, &failure), STATUS_INFEASIBLE, "inter.tier");
    term_graph_destroy(g);
    machine_destroy(m);
}

TEST(area_by_hand)
{
    /* 256 x 128 KiB of L1, 8 MiB of L1.5, 8 MiB of L2. */
    struct machine *m = check_shipped("mcm-optimised", NULL);
    check_relative(cost(m, "cost.sram_area"), 0.453 * (32 + 8 + 8), 1e-12);
    mcm_set(m, "sram_area.mm2_per_mib", 1, "");
    check_relative(cost(m, "cost.sram_area"), 48, 1e-12);
    machine_destroy(m);
    m = check_shipped("mcm", NULL); /* no L1.5 */
    check_relative(cost(m, "cost.sram_area"), 0.453 * (32 + 16), 1e-12);
    machine_destroy(m);
}
