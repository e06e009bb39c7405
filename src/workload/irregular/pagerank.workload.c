/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hetero-Mark's PageRank: y = M x by rows, one group of 64 threads a row, and
 * x and y change places from one iteration to the next.
 *
 *     y[row] = 0;
 *     for (j = start + thread; j < end; j += 64) sum += val[j] * x[col[j]];
 *     the sum over the group, in shared memory
 *     if (thread == 0) y[row] += sum;
 *
 * What is touched depends on the graph alone. */
#include <stdlib.h>

#include "workload/irregular/graph_input.h"
#include "workload/settings.h"
#include "workload/irregular/warp_code.h"

enum { GROUP = 64 };

enum array { ROWS, COLUMNS, VALUES, RANKS_1, RANKS_2 };

struct pagerank {
    struct kernel_source base;
    struct graph *graph;
    uint64_t iterations;
};

struct pagerank_warp {
    struct kernel_warp base;
    uint32_t live;   /* lanes in the loop */
    uint64_t column; /* of lane 0 */
};

static bool pagerank_code(const struct kernel_pass *pass, struct kernel_warp *warp,
                          struct warp_buffer *out)
{
    const struct graph *graph = ((const struct pagerank *)pass->source)->graph;
    enum array x = pass->launches % 2 ? RANKS_1 : RANKS_2, y = x == RANKS_1 ? RANKS_2 : RANKS_1;
    uint64_t row = warp->cta;
    struct pagerank_warp *w = (struct pagerank_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(5);
    WARP_WRITE(y, UINT32_MAX, row);
    WARP_READ(ROWS, UINT32_MAX, row);
    WARP_READ_TOO(ROWS, UINT32_MAX, row + 1);
    for (w->column = graph->offsets[row] + warp->warp * WARP_LANES;; w->column += GROUP) {
        WARP_SELECT(w->live, UINT32_MAX, w->column + lane < graph->offsets[row + 1]);
        if (!w->live)
            break;
        WARP_COMPUTE(2);
        WARP_READ(VALUES, w->live, w->column + lane);
        WARP_READ_TOO(COLUMNS, w->live, w->column + lane);
        WARP_READ(x, w->live, graph->targets[w->column + lane]);
        WARP_COMPUTE(4);
    }
    WARP_COMPUTE(18); /* the sum over the group */
    WARP_READ(y, warp->warp == 0, row);
    WARP_COMPUTE(1);
    WARP_WRITE(y, warp->warp == 0, row);
    WARP_END;
}

static bool pagerank_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct pagerank *s = (const struct pagerank *)pass->source;
    if (pass->launches == s->iterations)
        return false;
    *out = kernel_over("PageRankUpdateGpu", (uint64_t)s->graph->n_vertices * GROUP, GROUP);
    out->shared_bytes = GROUP * 4;
    out->warp_size = sizeof(struct pagerank_warp);
    out->code = pagerank_code;
    out->data = 1 + pass->launches % 2; /* which vector is read */
    return true;
}

static void pagerank_destroy(struct kernel_source *source)
{
    graph_destroy(((struct pagerank *)source)->graph);
}

static const struct kernel_class pagerank_class = {.next = pagerank_next,
                                                   .destroy = pagerank_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { ITERATIONS = GRAPH_PARAMETERS };

static const struct workload_parameter pagerank_parameters[] = {
    GRAPH_PARAMETER_ROWS("rmat", "2^16", "32"),
    [ITERATIONS] = {"iterations", "4", "products; the vectors change places after each"},
    {NULL, NULL, NULL}};

static int pagerank_open(const struct workload *workload, const char *const *values,
                         struct source **out, struct error *error)
{
    struct graph *graph;
    int64_t iterations;
    int status = settings_integer("iterations", values[ITERATIONS], 1, 1000000, &iterations, error);
    if (!status)
        status = graph_input_open(workload, values, &graph, error);
    if (status)
        return status;
    struct pagerank *s = kernel_source_create(workload, &pagerank_class, sizeof *s);
    struct kernel_source *source = &s->base;
    graph_sort_rows(graph);
    s->graph = graph;
    s->iterations = (uint64_t)iterations;
    kernel_place(source, "rowOffsets", graph->n_vertices + 1ULL, 4);
    kernel_place(source, "columnNumbers", graph->n_edges, 4);
    kernel_place(source, "values", graph->n_edges, 4);
    kernel_place(source, "pageRank1", graph->n_vertices, 4);
    kernel_place(source, "pageRank2", graph->n_vertices, 4);
    struct hash_content *hash = kernel_hash_begin(source, "heteromark pagerank 1");
    graph_hash(graph, hash);
    hash_content_add(hash, &s->iterations, sizeof s->iterations);
    return kernel_source_finish(source, hash, out, error);
}

static const struct workload_input pagerank_inputs[] = {
    {"small", "nodes=1000,degree=8,iterations=2"}, {NULL, NULL}};

static const struct workload_scale pagerank_scale[] = {{"nodes", "nodes*size"}, {NULL, NULL}};

const struct workload workload_pagerank = {
    .plugin = {.kind = "workload",
               .name = "pagerank",
               .summary = "PageRank by power iteration, a group of 64 threads a row",
               .reference = "Sun et al., Hetero-Mark, IISWC 2016"},
    .suite = "Hetero-Mark",
    .page = "Hetero-Mark's PageRankUpdateGpu: compressed rows, a work-group of 64 threads (two\n"
            "warps) a row, a launch an iteration; the vectors of ranks change places. The columns\n"
            "of a row ascend. Any graph, from a file or made up; R-MAT by default, as the web's\n"
            "graph is skewed. DualOpt's graph is not published: 65 536 pages of average degree 32\n"
            "(65 536 CTAs, 17.6 MB) and 4 iterations are chosen. Instructions between accesses\n"
            "are estimates.\n"
            "What is said of Hetero-Mark's code and inputs is from memory, not checked against\n"
            "its source.\n",
    .parameters = pagerank_parameters,
    .inputs = pagerank_inputs,
    .scale = pagerank_scale,
    .open = pagerank_open};
