/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse matrix-vector products and PageRank against plain C, thread by thread. */
#include "kernel_check.h"
#include "workload/irregular/graph.h"

static struct graph *sorted_rmat(uint32_t n, uint32_t degree, uint64_t seed)
{
    static const double abc[] = {0.57, 0.19, 0.19};
    struct graph *graph = graph_generate_rmat(n, degree, abc, seed);
    graph_sort_rows(graph);
    for (uint32_t v = 0; v < n; v++)
        for (uint64_t e = graph->offsets[v] + 1; e < graph->offsets[v + 1]; e++)
            assert_true(graph->targets[e - 1] <= graph->targets[e]);
    return graph;
}

static struct kernel_counts spmv_counts(const struct graph *graph)
{
    struct kernel_counts c = {0};
    kernel_counts_add(&c, "val", graph->n_edges, 4);
    kernel_counts_add(&c, "cols", graph->n_edges, 4);
    kernel_counts_add(&c, "rowDelimiters", graph->n_vertices + 1, 4);
    kernel_counts_add(&c, "vec", graph->n_vertices, 4);
    kernel_counts_add(&c, "out", graph->n_vertices, 4);
    return c;
}

TEST(test_spmv)
{
    enum { VALUES, COLUMNS, ROWS, X, Y, N = 301, TIMES = 3 };
    struct graph *graph = sorted_rmat(N, 16, 5);
    for (int vector = 0; vector < 2; vector++) {
        struct kernel_counts c = spmv_counts(graph);
        for (int t = 0; t < TIMES; t++)
            for (uint32_t row = 0; row < N; row++) {
                for (int lane = 0; lane < (vector ? 32 : 1); lane++) {
                    R(ROWS, row);
                    R(ROWS, row + 1);
                }
                for (uint64_t j = graph->offsets[row]; j < graph->offsets[row + 1]; j++) {
                    R(COLUMNS, j);
                    R(VALUES, j);
                    R(X, graph->targets[j]);
                }
                W(Y, row);
            }
        if (vector)
            kernel_check_counts(
                "spmv:generator=rmat,nodes=301,degree=16,seed=5,times=3", &c,
                "spmv_csr_vector_kernel spmv_csr_vector_kernel spmv_csr_vector_kernel");
        else
            kernel_check_counts(
                "spmv:kernel=scalar,generator=rmat,nodes=301,degree=16,seed=5,times=3", &c,
                "spmv_csr_scalar_kernel spmv_csr_scalar_kernel spmv_csr_scalar_kernel");
    }
    graph_destroy(graph);
}

/* Three rows of 2, 0 and 1 elements, a thread each. */
TEST(test_spmv_by_hand)
{
    struct text got = {0};
    char spec[1024];
    snprintf(spec, sizeof spec, "spmv:kernel=scalar,times=1,graph=%s",
             check_file("m.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                 "3 3 3\n1 3 1.5\n1 1 2\n3 2 -1\n"));
    OWNED(source) *source = check_source(spec);
    check_ok(workload_print(source, &got, &failure));
    const char *head = "spmv_csr_scalar_kernel 1,1,1 128,1,1\n"
                       "0.0 r rowDelimiters 0:2:1 /7 +5\n"
                       "0.0 r rowDelimiters 1:3:1 /7 +1\n"
                       "0.0 r cols 0,2 /5 +3\n"
                       "0.0 r val 0,2 /5 +1\n"
                       "0.0 r vec 0,1 /5 +1\n"
                       "0.0 r cols 1 /1 +6\n"
                       "0.0 r val 1 /1 +1\n"
                       "0.0 r vec 2 /1 +1\n"
                       "0.0 w out 0:2:1 /7 +4\n"
                       "0.1 - +4\n0.2 - +4\n0.3 - +4\n";
    assert_string_equal(got.data, head);
    text_free(&got);
}

TEST(test_pagerank)
{
    enum { ROWS, COLUMNS, VALUES, FIRST, SECOND, N = 150, ITERATIONS = 3 };
    struct graph *graph = sorted_rmat(N, 40, 2);
    struct kernel_counts c = {0};
    kernel_counts_add(&c, "rowOffsets", N + 1, 4);
    kernel_counts_add(&c, "columnNumbers", graph->n_edges, 4);
    kernel_counts_add(&c, "values", graph->n_edges, 4);
    kernel_counts_add(&c, "pageRank1", N, 4);
    kernel_counts_add(&c, "pageRank2", N, 4);
    for (int i = 0; i < ITERATIONS; i++)
        for (uint32_t row = 0; row < N; row++) {
            int x = i % 2 ? SECOND : FIRST, y = i % 2 ? FIRST : SECOND;
            for (int thread = 0; thread < 64; thread++) {
                W(y, row);
                R(ROWS, row);
                R(ROWS, row + 1);
                for (uint64_t j = graph->offsets[row] + (uint64_t)thread;
                     j < graph->offsets[row + 1]; j += 64) {
                    R(VALUES, j);
                    R(COLUMNS, j);
                    R(x, graph->targets[j]);
                }
            }
            R(y, row);
            W(y, row);
        }
    kernel_check_counts("pagerank:nodes=150,degree=40,seed=2,iterations=3", &c,
                        "PageRankUpdateGpu PageRankUpdateGpu PageRankUpdateGpu");
    graph_destroy(graph);
}
