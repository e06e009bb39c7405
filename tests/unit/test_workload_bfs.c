/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breadth-first search: against a plain C execution of Rodinia's two kernels,
 * and in any order of warps. (test_bfs_trace.c has the trace of a real run.) */
#include "kernel_check.h"
#include "workload/irregular/graph.h"

enum { NODES, EDGES, MASK, UPDATING, VISITED, COST, OVER, N_ARRAYS };

static const struct {
    const char *name;
    uint32_t bytes; /* of an element; a node is two integers */
} arrays[] = {
    {"g_graph_nodes", 4},   {"g_graph_edges", 4}, {"g_graph_mask", 1}, {"g_updating_graph_mask", 1},
    {"g_graph_visited", 1}, {"g_cost", 4},        {"g_over", 1}};

struct counts {
    uint64_t n[N_ARRAYS];
    uint32_t *reads[N_ARRAYS], *writes[N_ARRAYS];
};

static struct counts counts_new(const struct graph *graph)
{
    uint64_t n = graph->n_vertices;
    struct counts c = {.n = {2 * n, graph->n_edges, n, n, n, n, 1}};
    for (int i = 0; i < N_ARRAYS; i++) {
        c.reads[i] = memory_zero(c.n[i], sizeof(uint32_t));
        c.writes[i] = memory_zero(c.n[i], sizeof(uint32_t));
    }
    return c;
}

static void counts_free(struct counts *c)
{
    for (int i = 0; i < N_ARRAYS; i++) {
        free(c->reads[i]);
        free(c->writes[i]);
    }
}

/* ---- the referee ------------------------------------------------------------ */

/* Rodinia's host loop and kernels, one thread after the other; the loop's
 * condition loads start and no_of_edges again where stores went before it. */
static int run_rodinia(const struct graph *graph, uint32_t source, struct counts *c)
{
    uint32_t n = graph->n_vertices;
    uint8_t *mask = memory_zero(n, 1), *updating = memory_zero(n, 1), *visited = memory_zero(n, 1);
    int levels = 0;
    mask[source] = visited[source] = 1;
    for (bool stop = true; stop; levels++) {
        stop = false;
        for (uint32_t t = 0; t < n; t++) {
            c->reads[MASK][t]++;
            if (!mask[t])
                continue;
            mask[t] = 0;
            c->writes[MASK][t]++;
            c->reads[NODES][2 * t + 1]++;
            if (graph_degree(graph, t) == 0)
                continue;
            c->reads[NODES][2 * t]++;
            for (uint64_t i = graph->offsets[t]; i < graph->offsets[t + 1]; i++) {
                uint32_t id = graph->targets[i];
                c->reads[EDGES][i]++;
                c->reads[VISITED][id]++;
                if (visited[id])
                    continue;
                c->reads[COST][t]++;
                c->writes[COST][id]++;
                c->writes[UPDATING][id]++;
                updating[id] = 1;
                c->reads[NODES][2 * t + 1]++;
                c->reads[NODES][2 * t]++;
            }
        }
        for (uint32_t t = 0; t < n; t++) {
            c->reads[UPDATING][t]++;
            if (!updating[t])
                continue;
            mask[t] = visited[t] = 1;
            updating[t] = 0;
            stop = true;
            c->writes[MASK][t]++;
            c->writes[VISITED][t]++;
            c->writes[OVER][0]++;
            c->writes[UPDATING][t]++;
        }
    }
    free(mask);
    free(updating);
    free(visited);
    return levels;
}

static void count_items(const struct source *source, const struct trace_items *all,
                        struct counts *c)
{
    for (size_t k = 0; k < all->accesses.count; k++) {
        const struct trace_item *item = &all->accesses.items[k];
        for (int lane = 0; lane < item->lanes; lane++) {
            const struct stream_allocation *a = workload_array(source, item->addresses[lane]);
            int i = (int)(a - source->allocations.items);
            uint64_t element = (item->addresses[lane] - a->base) / arrays[i].bytes;
            assert_int_equal(item->access.bytes, arrays[i].bytes);
            assert_true(element < c->n[i]);
            ++*(item->access.kind == ACCESS_READ ? &c->reads[i][element] : &c->writes[i][element]);
        }
    }
}

static void check_search(const char *spec, const struct graph *graph, uint32_t first)
{
    struct trace_items all;
    struct counts want = counts_new(graph), got = counts_new(graph);
    int levels = run_rodinia(graph, first, &want);
    OWNED(source) *source = check_source(spec);
    assert_int_equal(source->allocations.count, N_ARRAYS);
    for (int i = 0; i < N_ARRAYS; i++)
        assert_string_equal(source->allocations.items[i].name, arrays[i].name);
    check_ok(trace_read(source, false, &all, &failure));
    assert_int_equal(all.kernels.count, 2 * levels);
    for (size_t k = 0; k < all.kernels.count; k++) {
        uint32_t n = graph->n_vertices, threads = n > 512 ? 512 : n;
        assert_string_equal(all.kernels.items[k].name, k % 2 ? "Kernel2" : "Kernel");
        assert_int_equal(all.kernels.items[k].launch.threads_per_cta, threads);
        assert_int_equal(all.kernels.items[k].launch.n_ctas, (n + threads - 1) / threads);
    }
    count_items(source, &all, &got);
    for (int i = 0; i < N_ARRAYS; i++)
        for (uint64_t e = 0; e < want.n[i]; e++)
            if (got.reads[i][e] != want.reads[i][e] || got.writes[i][e] != want.writes[i][e])
                fail_msg("%s: %s[%" PRIu64 "]: %u reads and %u writes, expected %u and %u", spec,
                         arrays[i].name, e, got.reads[i][e], got.writes[i][e], want.reads[i][e],
                         want.writes[i][e]);
    counts_free(&want);
    counts_free(&got);
    trace_items_free(&all);
}

TEST(test_against_plain_search)
{
    static const double abc[] = {0.57, 0.19, 0.19};
    struct graph *graph = graph_generate_uniform(1500, 6, 3);
    char spec[1024];
    check_search("bfs:nodes=1500,seed=3", graph, 0);
    check_search("bfs:nodes=1500,seed=3,source=1499", graph, 1499);
    graph_destroy(graph);
    graph = graph_generate_rmat(700, 8, abc, 1);
    check_search("bfs:generator=rmat,nodes=700,degree=8,source=max", graph, graph_widest(graph));
    graph_destroy(graph);
    /* A path with a loop, a double edge, and a vertex out of reach: blocks of 7. */
    const char *path = check_file("path.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                              "7 7 8\n1 2\n2 3\n3 4\n4 4\n4 5\n4 5\n5 6\n5 1\n");
    check_ok(graph_read(path, &graph, &failure));
    snprintf(spec, sizeof spec, "bfs:graph=%s", path);
    check_search(spec, graph, 0);
    snprintf(spec, sizeof spec, "bfs:graph=%s,source=6", check_path("path.mtx"));
    check_search(spec, graph, 6);
    graph_destroy(graph);
}

/* One vertex after the other, so that everything can be seen. */
TEST(test_small_search_by_hand)
{
    struct text got = {0};
    char spec[1024];
    snprintf(spec, sizeof spec, "bfs:graph=%s", check_file("v.graph", "3 2\n2 3\n1\n1\n"));
    OWNED(source) *source = check_source(spec);
    check_ok(workload_print(source, &got, &failure));
    assert_string_equal(got.data, "Kernel 1,1,1 3,1,1\n"
                                  "0.0 r g_graph_mask 0:2:1 /7 +10\n"
                                  "0.0 w g_graph_mask 0 /1 +4\n"
                                  "0.0 r g_graph_nodes 1 /1 +2\n"
                                  "0.0 r g_graph_nodes 0 /1 +3\n"
                                  "0.0 r g_graph_edges 0 /1 +7\n"
                                  "0.0 r g_graph_visited 1 /1 +4\n"
                                  "0.0 r g_cost 0 /1 +2\n"
                                  "0.0 w g_cost 1 /1 +8\n"
                                  "0.0 w g_updating_graph_mask 1 /1 +1\n"
                                  "0.0 r g_graph_nodes 1 /1 +1\n"
                                  "0.0 r g_graph_nodes 0 /1 +1\n"
                                  "0.0 r g_graph_edges 1 /1 +8\n"
                                  "0.0 r g_graph_visited 2 /1 +4\n"
                                  "0.0 r g_cost 0 /1 +2\n"
                                  "0.0 w g_cost 2 /1 +8\n"
                                  "0.0 w g_updating_graph_mask 2 /1 +1\n"
                                  "0.0 r g_graph_nodes 1 /1 +1\n"
                                  "0.0 r g_graph_nodes 0 /1 +1\n"
                                  "0.0 - +7\n"
                                  "Kernel2 1,1,1 3,1,1\n"
                                  "0.0 r g_updating_graph_mask 0:2:1 /7 +11\n"
                                  "0.0 w g_graph_mask 1,2 /6 +11\n"
                                  "0.0 w g_graph_visited 1,2 /6 +3\n"
                                  "0.0 w g_over 0,0 /6 +1\n"
                                  "0.0 w g_updating_graph_mask 1,2 /6 +1\n"
                                  "0.0 - +1\n"
                                  "Kernel 1,1,1 3,1,1\n"
                                  "0.0 r g_graph_mask 0:2:1 /7 +10\n"
                                  "0.0 w g_graph_mask 1,2 /6 +4\n"
                                  "0.0 r g_graph_nodes 3,5 /6 +2\n"
                                  "0.0 r g_graph_nodes 2,4 /6 +3\n"
                                  "0.0 r g_graph_edges 2,3 /6 +7\n"
                                  "0.0 r g_graph_visited 0,0 /6 +4\n"
                                  "0.0 - +20\n"
                                  "Kernel2 1,1,1 3,1,1\n"
                                  "0.0 r g_updating_graph_mask 0:2:1 /7 +11\n"
                                  "0.0 - +2\n");
    text_free(&got);
}

TEST(test_levels)
{
    struct trace_items all;
    OWNED(source) *source = check_source("bfs:nodes=5000,levels=2");
    check_ok(trace_read(source, false, &all, &failure));
    assert_int_equal(all.kernels.count, 4);
    trace_items_free(&all);
}

TEST(test_any_order_of_warps)
{
    kernel_check_any_order("bfs:nodes=3000,seed=9");
}
