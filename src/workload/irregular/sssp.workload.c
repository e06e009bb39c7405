/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LonestarGPU's shortest paths from one vertex, topology-driven: every launch
 * relaxes the edges of all vertices, one thread a vertex, until nothing changes.
 *
 *     for (each edge e of v) {
 *         alt = dist[v] + weight[e];
 *         if (alt < dist[dst[e]]) changed |= alt < atomicMin(&dist[dst[e]], alt); }
 *
 * Distances change while a launch runs, and who sees what depends on the
 * machine; here all warps of a launch see what it found (Bellman and Ford's
 * rounds), which is at times a launch more. */
#include <stdlib.h>
#include <string.h>

#include "workload/irregular/graph_input.h"
#include "workload/irregular/lonestar.h"
#include "workload/settings.h"
#include "workload/irregular/warp_code.h"

enum array { DISTANCES = LONESTAR_ARRAYS, CHANGED };

static const uint32_t sssp_infinity = 1000000000;

struct sssp {
    struct kernel_source base;
    struct graph *graph;
    uint64_t seed;   /* of weights */
    uint64_t rounds; /* at most */
    uint32_t first;
};

struct sssp_pass {
    struct kernel_pass base;
    uint32_t *distance; /* as the launch found them */
    bool changed;
};

struct sssp_warp {
    struct kernel_warp base;
    uint32_t live;   /* lanes with a further edge */
    uint32_t better; /* lanes that found a shorter way at this edge */
    uint32_t any;    /* lanes that found one at all */
    uint32_t edge;
};

static bool sssp_improves(const struct sssp_pass *s, uint64_t from, uint32_t edge)
{
    const struct sssp *source = (const struct sssp *)s->base.source;
    const struct graph *graph = source->graph;
    uint32_t to = graph->targets[graph->offsets[from] + edge];
    return s->distance[from] + graph_weight((uint32_t)from, to, source->seed) < s->distance[to];
}

static bool sssp_relax(const struct kernel_pass *pass, struct kernel_warp *warp,
                       struct warp_buffer *out)
{
    const struct sssp_pass *s = (const struct sssp_pass *)pass;
    const struct graph *graph = ((const struct sssp *)pass->source)->graph;
    const uint64_t v = warp->thread, *offsets = graph->offsets;
    struct sssp_warp *w = (struct sssp_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    w->live = warp_below(warp, graph->n_vertices);
    WARP_READ(LONESTAR_DEGREES, w->live, v + lane);
    for (;; w->edge++) {
        WARP_SELECT(w->live, w->live, offsets[v + lane] + w->edge < offsets[v + lane + 1]);
        if (!w->live)
            break;
        LONESTAR_FIRST_EDGE(w->live, v + lane);
        WARP_COMPUTE(2);
        WARP_READ(LONESTAR_TARGETS, w->live, offsets[v + lane] + w->edge);
        WARP_READ_TOO(LONESTAR_WEIGHTS, w->live, offsets[v + lane] + w->edge);
        WARP_READ_TOO(DISTANCES, w->live, v + lane);
        WARP_COMPUTE(2);
        WARP_READ(DISTANCES, w->live, graph->targets[offsets[v + lane] + w->edge]);
        WARP_SELECT(w->better, w->live, sssp_improves(s, v + lane, w->edge));
        WARP_COMPUTE(2);
        WARP_ATOMIC(DISTANCES, w->better, graph->targets[offsets[v + lane] + w->edge]);
        w->any |= w->better;
    }
    WARP_COMPUTE(2);
    WARP_WRITE(CHANGED, w->any, 0);
    WARP_END;
}

/* What a launch leaves behind. */
static void sssp_finish(struct sssp_pass *s)
{
    const struct sssp *source = (const struct sssp *)s->base.source;
    const struct graph *graph = source->graph;
    size_t bytes = graph->n_vertices * sizeof *s->distance;
    uint32_t *next = memcpy(memory_alloc(bytes), s->distance, bytes);
    s->changed = false;
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        if (s->distance[v] == sssp_infinity)
            continue;
        for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            uint32_t to = graph->targets[e];
            uint32_t way = s->distance[v] + graph_weight(v, to, source->seed);
            if (way < next[to]) {
                next[to] = way;
                s->changed = true;
            }
        }
    }
    free(s->distance);
    s->distance = next;
}

static bool sssp_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct sssp *source = (const struct sssp *)pass->source;
    struct sssp_pass *s = (struct sssp_pass *)pass;
    if (pass->launches)
        sssp_finish(s);
    if (!s->changed || pass->launches == source->rounds)
        return false;
    *out = kernel_over("drelax", source->graph->n_vertices, LONESTAR_BLOCK);
    out->warp_size = sizeof(struct sssp_warp);
    out->code = sssp_relax;
    return true;
}

/* The sum of all distances that are finite. */
static uint64_t sssp_result(const struct kernel_pass *pass)
{
    const struct sssp_pass *s = (const struct sssp_pass *)pass;
    uint64_t sum = 0;
    for (uint32_t v = 0; v < ((const struct sssp *)pass->source)->graph->n_vertices; v++)
        sum += s->distance[v] == sssp_infinity ? 0 : s->distance[v];
    return sum;
}

static void sssp_pass_begin(struct kernel_pass *pass)
{
    const struct sssp *source = (const struct sssp *)pass->source;
    struct sssp_pass *s = (struct sssp_pass *)pass;
    s->distance = memory_alloc(source->graph->n_vertices * sizeof *s->distance);
    for (uint32_t v = 0; v < source->graph->n_vertices; v++)
        s->distance[v] = sssp_infinity;
    s->distance[source->first] = 0;
    s->changed = true;
}

static void sssp_pass_end(struct kernel_pass *pass)
{
    free(((struct sssp_pass *)pass)->distance);
}

static void sssp_destroy(struct kernel_source *source)
{
    graph_destroy(((struct sssp *)source)->graph);
}

static const struct kernel_class sssp_class = {.pass_size = sizeof(struct sssp_pass),
                                               .pass_begin = sssp_pass_begin,
                                               .next = sssp_next,
                                               .result = sssp_result,
                                               .pass_end = sssp_pass_end,
                                               .destroy = sssp_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { FIRST = GRAPH_PARAMETERS, WEIGHTS, ROUNDS };

static const struct workload_parameter sssp_parameters[] = {
    GRAPH_PARAMETER_ROWS("grid", "970000", "3"),
    [FIRST] = {"source", "max", "vertex to start from, or max: the one of highest degree"},
    [WEIGHTS] = {"weights", "1", "seed of the edges' weights, 1 to 100"},
    [ROUNDS] = {"rounds", "10", "launches at most; 0: until nothing changes"},
    {NULL, NULL, NULL}};

static int sssp_open(const struct workload *workload, const char *const *values,
                     struct source **out, struct error *error)
{
    static const struct kernel_range ranges[] = {{0, INT64_MAX}, {0, INT32_MAX}};
    struct graph *graph;
    int64_t numbers[2];
    uint32_t first;
    int status = kernel_integers(workload, values, WEIGHTS, ranges, 2, numbers, error);
    if (!status)
        status = graph_input_open_at(workload, values, FIRST, &graph, &first, error);
    if (status)
        return status;
    struct sssp *s = kernel_source_create(workload, &sssp_class, sizeof *s);
    struct kernel_source *source = &s->base;
    s->graph = graph;
    s->seed = (uint64_t)numbers[0];
    s->rounds = numbers[1] ? (uint64_t)numbers[1] : UINT64_MAX;
    s->first = first;
    lonestar_place(source, graph);
    kernel_place(source, "dist", graph->n_vertices, 4);
    kernel_place(source, "changed", 1, 1);
    struct hash_content *hash = kernel_hash_begin(source, "lonestar sssp 1");
    graph_hash(graph, hash);
    hash_content_add(hash, &s->seed, sizeof s->seed);
    hash_content_add(hash, &s->rounds, sizeof s->rounds);
    hash_content_add(hash, &s->first, sizeof s->first);
    return kernel_source_finish(source, hash, out, error);
}

static const struct workload_input sssp_inputs[] = {
    {"small", "generator=rmat,nodes=1000,degree=4,rounds=0"},
    {"published-mcm", "rounds=200"},
    {NULL, NULL}};

static const struct workload_scale sssp_scale[] = {{"nodes", "nodes*size"}, {NULL, NULL}};

const struct workload workload_sssp = {
    .plugin = {.kind = "workload",
               .name = "sssp",
               .summary = "single-source shortest paths, all edges relaxed until nothing changes",
               .reference = "Burtscher, Nasre and Pingali, IISWC 2012 (LonestarGPU)"},
    .suite = "Lonestar",
    .page =
        "LonestarGPU's topology-driven Bellman-Ford: one kernel, drelax, one thread a vertex,\n"
        "blocks of 1 024, launched until no distance changes; atomicMin on the neighbour's\n"
        "distance where the way is shorter. All warps of a launch see the distances that it\n"
        "found; on a machine some see newer ones, and it takes fewer launches. Weights of 1\n"
        "to 100 from a seed.\n"
        "published-mcm: 37 MB are published, what LonestarGPU's road map of Florida takes\n"
        "(1 070 376 vertices, 2 712 798 edges, 38.8 MB); here a grid of 970 000 vertices with\n"
        "a quarter of its edges missing (38.8 MB, 948 CTAs), of whose thousands of rounds the\n"
        "first 200. A real road map can be given as graph=. The default is the same graph and\n"
        "the first 10: all vertices look at their distances in every round, few find a shorter\n"
        "way. Instructions between accesses are estimates.\n"
        "What is said of LonestarGPU's code and inputs is from memory, not checked against\n"
        "its source.\n",
    .parameters = sssp_parameters,
    .inputs = sssp_inputs,
    .scale = sssp_scale,
    .open = sssp_open};
