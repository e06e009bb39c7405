/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortest paths and minimum spanning trees: against plain C executions of the
 * kernels, a thread at a time, and against Dijkstra's and Kruskal's algorithms. */
#include "kernel_check.h"
#include "workload/irregular/graph.h"

enum { DEGREES, ROWS, STARTS, TARGETS, WEIGHTS };
enum { INFINITE = 1000000000 };

static struct kernel_counts graph_counts(const struct graph *graph)
{
    struct kernel_counts c = {0};
    uint64_t n = graph->n_vertices;
    kernel_counts_add(&c, "noutgoing", n, 4);
    kernel_counts_add(&c, "srcsrc", n, 4);
    kernel_counts_add(&c, "psrc", n + 1, 4);
    kernel_counts_add(&c, "edgessrcdst", graph->n_edges, 4);
    kernel_counts_add(&c, "edgessrcwt", graph->n_edges, 4);
    return c;
}

/* ---- shortest paths ------------------------------------------------------- */

enum { DISTANCES = 5, CHANGED };

/* The sum of finite distances, by Dijkstra's algorithm with a plain search for the nearest. */
static uint64_t dijkstra(const struct graph *graph, uint32_t first)
{
    uint32_t n = graph->n_vertices, *distance = memory_alloc(n * sizeof *distance);
    uint8_t *done = memory_zero(n, 1);
    uint64_t sum = 0;
    for (uint32_t v = 0; v < n; v++)
        distance[v] = INFINITE;
    distance[first] = 0;
    for (;;) {
        uint32_t best = n;
        for (uint32_t v = 0; v < n; v++)
            if (!done[v] && distance[v] < INFINITE && (best == n || distance[v] < distance[best]))
                best = v;
        if (best == n)
            break;
        done[best] = 1;
        sum += distance[best];
        for (uint64_t e = graph->offsets[best]; e < graph->offsets[best + 1]; e++) {
            uint32_t to = graph->targets[e];
            uint32_t way = distance[best] + graph_weight(best, to, 1);
            if (way < distance[to])
                distance[to] = way;
        }
    }
    free(distance);
    free(done);
    return sum;
}

static void check_sssp(const char *spec, const struct graph *graph, uint32_t first)
{
    uint32_t n = graph->n_vertices, *old = memory_alloc(n * sizeof *old);
    uint32_t *new = memory_alloc(n * sizeof *new);
    struct kernel_counts c = graph_counts(graph);
    struct text launches = {0};
    kernel_counts_add(&c, "dist", n, 4);
    kernel_counts_add(&c, "changed", 1, 1);
    for (uint32_t v = 0; v < n; v++)
        old[v] = INFINITE;
    old[first] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        text_printf(&launches, "%sdrelax", launches.length ? " " : "");
        memcpy(new, old, n * sizeof *new);
        for (uint32_t v = 0; v < n; v++) {
            bool any = false;
            R(DEGREES, v);
            for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
                uint32_t to = graph->targets[e], way = old[v] + graph_weight(v, to, 1);
                R(DEGREES, v);
                R(ROWS, v);
                R(STARTS, v);
                R(TARGETS, e);
                R(WEIGHTS, e);
                R(DISTANCES, v);
                R(DISTANCES, to);
                if (way < old[to]) {
                    A(DISTANCES, to);
                    any = true;
                    if (way < new[to])
                        new[to] = way;
                }
            }
            if (any)
                W(CHANGED, 0);
            changed = changed || any;
        }
        memcpy(old, new, n * sizeof *new);
    }
    kernel_check_counts(spec, &c, launches.data);
    assert_int_equal(kernel_result(spec), dijkstra(graph, first));
    text_free(&launches);
    free(old);
    free(new);
}

TEST(test_sssp)
{
    static const double abc[] = {0.57, 0.19, 0.19};
    struct graph *graph = graph_generate_rmat(1100, 6, abc, 4);
    check_sssp("sssp:generator=rmat,nodes=1100,degree=6,seed=4,rounds=0", graph,
               graph_widest(graph));
    graph_destroy(graph);
    graph = graph_generate_grid(400, 3, 1);
    check_sssp("sssp:nodes=400,source=7,rounds=0", graph, 7);
    graph_destroy(graph);
}

/* ---- spanning trees ------------------------------------------------------- */

enum {
    BOSS = 5,
    LENGTH,
    LIGHTEST,
    MINIMUM,
    PARTNER,
    MARKED,
    AHEAD,
    N_COMPONENTS,
    TREE_WEIGHT,
    TREE_EDGES,
    REPEAT
};

struct boruvka {
    struct kernel_counts c;
    const struct graph *graph;
    uint32_t n, *boss, *later; /* as the launch found them, and as it leaves them */
    uint32_t lightest[2000], minimum[2000], partner[2000], ahead[2000];
    bool marked[2000];
    uint64_t weight;
    uint32_t united;
};

#define c (b->c)

static uint32_t find(struct boruvka *b, uint32_t v)
{
    uint32_t at = v;
    for (A(BOSS, at); b->boss[at] != at; A(BOSS, at)) {
        R(BOSS, at);
        at = b->boss[at];
    }
    W(BOSS, v);
    if (b->later[v] == b->boss[v])
        b->later[v] = at;
    return at;
}

static void first_edge(struct boruvka *b, uint32_t v)
{
    R(DEGREES, v);
    R(ROWS, v);
    R(STARTS, v);
}

static void find_1(struct boruvka *b, uint32_t v)
{
    const struct graph *graph = b->graph;
    uint32_t mine = find(b, v), best = INFINITE, best_boss = b->n;
    R(DEGREES, v);
    for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
        uint32_t weight = graph_weight(v, graph->targets[e], 1);
        first_edge(b, v);
        R(WEIGHTS, e);
        if (weight >= best)
            continue;
        R(TARGETS, e);
        uint32_t other = find(b, graph->targets[e]);
        if (other != mine) {
            best = weight;
            best_boss = other;
        }
    }
    b->lightest[v] = best;
    b->partner[v] = best_boss;
    W(LIGHTEST, v);
    W(PARTNER, v);
    R(MINIMUM, mine);
    if (best < INFINITE) {
        A(MINIMUM, mine);
        if (best < b->minimum[mine])
            b->minimum[mine] = best;
    }
}

static void find_2(struct boruvka *b, uint32_t v)
{
    const struct graph *graph = b->graph;
    uint32_t mine = find(b, v);
    R(LIGHTEST, v);
    R(MINIMUM, mine);
    if (b->lightest[v] != b->minimum[mine])
        return;
    R(PARTNER, v);
    if (b->partner[v] == b->n)
        return;
    R(DEGREES, v);
    for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
        first_edge(b, v);
        R(WEIGHTS, e);
        R(LIGHTEST, v);
        if (graph_weight(v, graph->targets[e], 1) != b->lightest[v])
            continue;
        R(TARGETS, e);
        uint32_t other = find(b, graph->targets[e]);
        R(PARTNER, v);
        if (other != b->partner[v])
            continue;
        A(AHEAD, mine);
        if (b->ahead[mine] == b->n)
            b->ahead[mine] = v;
    }
}

static void verify(struct boruvka *b, uint32_t v)
{
    const struct graph *graph = b->graph;
    A(BOSS, v);
    if (b->boss[v] != v)
        return;
    R(AHEAD, v);
    uint32_t u = b->ahead[v];
    if (u == b->n)
        return;
    R(DEGREES, u);
    R(MINIMUM, v);
    for (uint64_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
        first_edge(b, u);
        R(WEIGHTS, e);
        if (graph_weight(u, graph->targets[e], 1) != b->minimum[v])
            continue;
        R(TARGETS, e);
        uint32_t other = find(b, graph->targets[e]);
        R(PARTNER, u);
        if (other == b->partner[u]) {
            W(MARKED, u);
            b->marked[u] = true;
            return;
        }
    }
}

/* `now`: who is a boss at this moment. True when the vertex gave way. */
static bool unite(struct boruvka *b, uint32_t v, uint32_t *now)
{
    R(MARKED, v);
    if (!b->marked[v])
        return false;
    uint32_t from = find(b, v);
    R(PARTNER, v);
    uint32_t to = find(b, b->partner[v]);
    R(MARKED, v);
    if (from == to)
        return false;
    A(BOSS, from);
    if (now[from] == from)
        A(BOSS, to);
    if (now[from] != from || now[to] != to) {
        W(REPEAT, 0);
        return true;
    }
    uint32_t low = from < to ? from : to, high = from < to ? to : from;
    now[low] = b->later[low] = high;
    A(BOSS, low);
    A(N_COMPONENTS, 0);
    R(LENGTH, low);
    R(LENGTH, high);
    W(LENGTH, high);
    R(LIGHTEST, v);
    A(TREE_WEIGHT, 0);
    A(TREE_EDGES, 0);
    W(MARKED, v);
    W(LIGHTEST, v);
    b->marked[v] = false;
    b->weight += b->lightest[v];
    b->united++;
    return false;
}

static bool unite_all(struct boruvka *b)
{
    uint32_t now[2000];
    bool repeat = false;
    memcpy(now, b->boss, b->n * sizeof *now);
    for (uint32_t v = 0; v < b->n; v++)
        repeat = unite(b, v, now) || repeat;
    return repeat;
}

static void next_launch(struct boruvka *b, struct text *launches, const char *name)
{
    memcpy(b->boss, b->later, b->n * sizeof *b->boss);
    text_printf(launches, "%s%s", launches->length ? " " : "", name);
}

static void boruvka_round(struct boruvka *b, struct text *launches)
{
    next_launch(b, launches, "dinit");
    for (uint32_t v = 0; v < b->n; v++) {
        W(LIGHTEST, v);
        W(MINIMUM, v);
        W(AHEAD, v);
        W(PARTNER, v);
        W(MARKED, v);
        b->minimum[v] = INFINITE;
        b->ahead[v] = b->n;
        b->marked[v] = false;
    }
    next_launch(b, launches, "dfindelemin");
    for (uint32_t v = 0; v < b->n; v++)
        find_1(b, v);
    next_launch(b, launches, "dfindelemin2");
    for (uint32_t v = 0; v < b->n; v++)
        find_2(b, v);
    next_launch(b, launches, "verify_min_elem");
    for (uint32_t v = 0; v < b->n; v++)
        verify(b, v);
    do
        next_launch(b, launches, "dfindcompmin");
    while (unite_all(b));
}
#undef c

/* Kruskal: edges by weight, united while they join two sets. */
static uint64_t kruskal(const struct graph *graph)
{
    uint32_t n = graph->n_vertices, *set = memory_alloc(n * sizeof *set);
    uint64_t sum = 0;
    for (uint32_t v = 0; v < n; v++)
        set[v] = v;
    for (uint32_t weight = 1; weight <= 100; weight++)
        for (uint32_t v = 0; v < n; v++)
            for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
                uint32_t from = set[v], to = set[graph->targets[e]];
                if (graph_weight(v, graph->targets[e], 1) != weight || from == to)
                    continue;
                sum += weight;
                for (uint32_t u = 0; u < n; u++)
                    set[u] = set[u] == from ? to : set[u];
            }
    free(set);
    return sum;
}

static void check_mst(const char *spec, const struct graph *graph)
{
    static const char *const names[] = {"ele2comp",
                                        "complen",
                                        "eleminwts",
                                        "minwtcomponent",
                                        "partners",
                                        "processinnextiteration",
                                        "goaheadnodeofcomponent"};
    struct boruvka *b = memory_zero(1, sizeof *b);
    uint32_t n = graph->n_vertices, bosses[2000], later[2000];
    struct text launches = {0};
    assert_true(n <= 2000);
    *b = (struct boruvka){.c = graph_counts(graph), .graph = graph, .n = n};
    b->boss = bosses;
    b->later = later;
    for (int i = 0; i < 7; i++)
        kernel_counts_add(&b->c, names[i], n, i == 5 ? 1 : 4);
    kernel_counts_add(&b->c, "ncomponents", 1, 4);
    kernel_counts_add(&b->c, "mstwt", 1, 4);
    kernel_counts_add(&b->c, "edgecount", 1, 4);
    kernel_counts_add(&b->c, "repeat", 1, 1);
    for (uint32_t v = 0; v < n; v++)
        later[v] = v;
    do {
        b->united = 0;
        boruvka_round(b, &launches);
    } while (b->united);
    assert_int_equal(b->weight, kruskal(graph));
    assert_int_equal(kernel_result(spec), b->weight);
    kernel_check_counts(spec, &b->c, launches.data);
    text_free(&launches);
    free(b);
}

TEST(test_mst)
{
    static const double abc[] = {0.57, 0.19, 0.19};
    struct graph *graph = graph_generate_grid(1300, 4, 2);
    check_mst("mst:nodes=1300,seed=2,blocks=2", graph);
    graph_destroy(graph);
    graph = graph_generate_rmat(500, 6, abc, 1);
    check_mst("mst:generator=rmat,nodes=500,degree=6,blocks=1", graph);
    graph_destroy(graph);
}

/* A square grid has all its edges, a sparser one fewer, both ways and of one weight. */
TEST(test_grids)
{
    struct graph *graph = graph_generate_grid(110, 4, 1);
    assert_int_equal(graph->n_edges, 2 * (11 * 9 + 10 * 10));
    assert_int_equal(graph_degree(graph, 0), 2);
    assert_int_equal(graph_degree(graph, 55), 4);
    graph_destroy(graph);
    graph = graph_generate_grid(10000, 3, 1);
    check_relative((double)graph->n_edges, 2 * 0.75 * 2 * 9900, 0.02);
    graph_destroy(graph);
    for (uint32_t v = 0; v < 1000; v++) {
        assert_in_range(graph_weight(v, v * 7 + 1, 3), 1, 100);
        assert_int_equal(graph_weight(v, v * 7 + 1, 3), graph_weight(v * 7 + 1, v, 3));
    }
}
