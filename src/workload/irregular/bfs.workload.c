/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rodinia's breadth-first search: two kernels a level over compressed rows,
 * one thread a vertex.
 *
 *     Kernel:  if (mask[t]) { mask[t] = false;
 *                  for (i = start; i < start + no_of_edges; i++) {
 *                      id = edges[i];
 *                      if (!visited[id]) { cost[id] = cost[t] + 1; updating[id] = true; } } }
 *     Kernel2: if (updating[t]) { mask[t] = visited[t] = true; over = true; updating[t] = false; }
 *
 * Kernel never writes what it tests (visited), nor does Kernel2, so the order of
 * warps does not matter. Accesses, their order, masks and the instructions
 * between them are those of nvcc's code for sm_80; in particular, start and
 * no_of_edges are loaded again after the stores of an iteration, because the
 * stores might have changed them. */
#include <stdlib.h>

#include "workload/irregular/graph_input.h"
#include "workload/settings.h"
#include "workload/irregular/warp_code.h"

enum { BLOCK_THREADS = 512 };

enum array { NODES, EDGES, MASK, UPDATING, VISITED, COST, OVER };

/* Members of a node. */
enum { START = 0, NO_OF_EDGES = 4 };

struct bfs {
    struct kernel_source base;
    struct graph *graph;
    uint32_t first;  /* vertex */
    uint64_t levels; /* at most */
};

struct bfs_pass {
    struct kernel_pass base;
    uint8_t *mask, *updating, *visited; /* as the current kernel finds them */
    uint32_t *frontier;                 /* vertices of this level; of the next one in Kernel2 */
    uint32_t n_frontier;
    uint64_t level;
    bool second; /* in Kernel2 */
};

/* ---- code --------------------------------------------------------------- */

struct bfs_warp {
    struct kernel_warp base;
    uint32_t active; /* lanes in the frontier */
    uint32_t live;   /* in the edge loop */
    uint32_t some;   /* whose neighbour is not visited */
    uint32_t edge;   /* iteration of that loop */
};

static bool bfs_first(const struct kernel_pass *pass, struct kernel_warp *warp,
                      struct warp_buffer *out)
{
    const struct bfs_pass *s = (const struct bfs_pass *)pass;
    const struct graph *graph = ((const struct bfs *)pass->source)->graph;
    const uint64_t *offsets =
        &graph->offsets[warp_below(warp, graph->n_vertices) ? warp->thread : 0];
    struct bfs_warp *w = (struct bfs_warp *)warp;
    uint32_t left;
    WARP_BEGIN;
    w->active = warp_below(warp, graph->n_vertices);
    WARP_COMPUTE(w->active ? 9 : 6);
    WARP_READ(MASK, w->active, warp->thread + lane);
    WARP_SELECT(w->active, w->active, s->mask[warp->thread + lane]);
    if (!w->active) {
        WARP_COMPUTE(warp->thread < graph->n_vertices ? 2 : 0);
        return true;
    }
    WARP_COMPUTE(3);
    WARP_WRITE(MASK, w->active, warp->thread + lane);
    WARP_COMPUTE(1);
    WARP_READ_AT(NODES, w->active, warp->thread + lane, NO_OF_EDGES, 4);
    WARP_SELECT(w->live, w->active, offsets[lane + 1] > offsets[lane]);
    WARP_COMPUTE(2);
    WARP_READ_AT(NODES, w->live, warp->thread + lane, START, 4);
    WARP_COMPUTE(w->live ? 5 : 0);
    while (w->live) {
        WARP_COMPUTE(1);
        WARP_READ(EDGES, w->live, offsets[lane] + w->edge);
        WARP_COMPUTE(3);
        WARP_READ(VISITED, w->live, graph->targets[offsets[lane] + w->edge]);
        WARP_SELECT(w->some, w->live, !s->visited[graph->targets[offsets[lane] + w->edge]]);
        if (w->some) {
            WARP_COMPUTE(1);
            WARP_READ(COST, w->some, warp->thread + lane);
            WARP_COMPUTE(7);
            WARP_WRITE(COST, w->some, graph->targets[offsets[lane] + w->edge]);
            WARP_WRITE(UPDATING, w->some, graph->targets[offsets[lane] + w->edge]);
            WARP_READ_AT(NODES, w->some, warp->thread + lane, NO_OF_EDGES, 4);
            WARP_READ_TOO_AT(NODES, w->some, warp->thread + lane, START, 4);
        } else {
            WARP_COMPUTE(13); /* the stores, all lanes predicated off */
        }
        w->edge++;
        WARP_SELECT(left, w->live, offsets[lane] + w->edge < offsets[lane + 1]);
        WARP_COMPUTE(left != w->live ? 7 : 6); /* one more when a lane leaves */
        w->live = left;
    }
    WARP_END;
}

static bool bfs_second(const struct kernel_pass *pass, struct kernel_warp *warp,
                       struct warp_buffer *out)
{
    const struct bfs_pass *s = (const struct bfs_pass *)pass;
    const struct graph *graph = ((const struct bfs *)pass->source)->graph;
    struct bfs_warp *w = (struct bfs_warp *)warp;
    WARP_BEGIN;
    w->active = warp_below(warp, graph->n_vertices);
    WARP_COMPUTE(w->active ? 10 : 6);
    WARP_READ(UPDATING, w->active, warp->thread + lane);
    WARP_SELECT(w->active, w->active, s->updating[warp->thread + lane]);
    if (!w->active) {
        WARP_COMPUTE(warp->thread < graph->n_vertices ? 2 : 0);
        return true;
    }
    WARP_COMPUTE(10);
    WARP_WRITE(MASK, w->active, warp->thread + lane);
    WARP_COMPUTE(2);
    WARP_WRITE(VISITED, w->active, warp->thread + lane);
    WARP_WRITE(OVER, w->active, 0);
    WARP_WRITE(UPDATING, w->active, warp->thread + lane);
    WARP_COMPUTE(1);
    WARP_END;
}

/* ---- levels ------------------------------------------------------------- */

/* What Kernel leaves behind: the next frontier, marked in `updating`. */
static void bfs_finish_first(struct bfs_pass *s, const struct graph *graph)
{
    uint32_t *next = memory_alloc(graph->n_vertices * sizeof *next), n = 0;
    for (uint32_t i = 0; i < s->n_frontier; i++) {
        uint32_t v = s->frontier[i];
        s->mask[v] = 0;
        for (uint64_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            uint32_t id = graph->targets[e];
            if (!s->visited[id] && !s->updating[id]) {
                s->updating[id] = 1;
                next[n++] = id;
            }
        }
    }
    free(s->frontier);
    s->frontier = next;
    s->n_frontier = n;
    s->second = true;
}

static void bfs_finish_second(struct bfs_pass *s)
{
    for (uint32_t i = 0; i < s->n_frontier; i++) {
        uint32_t v = s->frontier[i];
        s->mask[v] = s->visited[v] = 1;
        s->updating[v] = 0;
    }
    s->second = false;
    s->level++;
}

static bool bfs_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct bfs *bfs = (const struct bfs *)pass->source;
    struct bfs_pass *s = (struct bfs_pass *)pass;
    uint32_t n = bfs->graph->n_vertices;
    if (pass->launches && !s->second)
        bfs_finish_first(s, bfs->graph);
    else if (pass->launches)
        bfs_finish_second(s);
    if (!s->second && (s->n_frontier == 0 || s->level == bfs->levels))
        return false;
    *out = kernel_over(s->second ? "Kernel2" : "Kernel", n, n > BLOCK_THREADS ? BLOCK_THREADS : n);
    out->warp_size = sizeof(struct bfs_warp);
    out->code = s->second ? bfs_second : bfs_first;
    return true;
}

static void bfs_pass_begin(struct kernel_pass *pass)
{
    const struct bfs *bfs = (const struct bfs *)pass->source;
    struct bfs_pass *s = (struct bfs_pass *)pass;
    uint32_t n = bfs->graph->n_vertices;
    s->mask = memory_zero(n, 1);
    s->updating = memory_zero(n, 1);
    s->visited = memory_zero(n, 1);
    s->mask[bfs->first] = s->visited[bfs->first] = 1;
    s->frontier = memory_alloc(sizeof *s->frontier);
    s->frontier[0] = bfs->first;
    s->n_frontier = 1;
}

static void bfs_pass_end(struct kernel_pass *pass)
{
    struct bfs_pass *s = (struct bfs_pass *)pass;
    free(s->mask);
    free(s->updating);
    free(s->visited);
    free(s->frontier);
}

static void bfs_destroy(struct kernel_source *source)
{
    graph_destroy(((struct bfs *)source)->graph);
}

static const struct kernel_class bfs_class = {.pass_size = sizeof(struct bfs_pass),
                                              .pass_begin = bfs_pass_begin,
                                              .next = bfs_next,
                                              .pass_end = bfs_pass_end,
                                              .destroy = bfs_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { FIRST = GRAPH_PARAMETERS, LEVELS };

static const struct workload_parameter bfs_parameters[] = {
    GRAPH_PARAMETER_ROWS("uniform", "1000000", "6"),
    [FIRST] = {"source", "0", "vertex to start from, or max: the one of highest degree"},
    [LEVELS] = {"levels", "0", "levels at most; 0: to the end"},
    {NULL, NULL, NULL}};

static int bfs_open(const struct workload *workload, const char *const *values, struct source **out,
                    struct error *error)
{
    struct graph *graph;
    uint32_t first;
    int64_t levels;
    int status = settings_integer("levels", values[LEVELS], 0, INT32_MAX, &levels, error);
    if (!status)
        status = graph_input_open_at(workload, values, FIRST, &graph, &first, error);
    if (status)
        return status;
    struct bfs *bfs = kernel_source_create(workload, &bfs_class, sizeof *bfs);
    struct kernel_source *source = &bfs->base;
    bfs->graph = graph;
    bfs->first = first;
    bfs->levels = levels ? (uint64_t)levels : UINT64_MAX;
    kernel_place(source, "g_graph_nodes", graph->n_vertices, 8);
    kernel_place(source, "g_graph_edges", graph->n_edges, 4);
    kernel_place(source, "g_graph_mask", graph->n_vertices, 1);
    kernel_place(source, "g_updating_graph_mask", graph->n_vertices, 1);
    kernel_place(source, "g_graph_visited", graph->n_vertices, 1);
    kernel_place(source, "g_cost", graph->n_vertices, 4);
    kernel_place(source, "g_over", 1, 1);
    struct hash_content *hash = kernel_hash_begin(source, "rodinia bfs 1");
    graph_hash(graph, hash);
    hash_content_add(hash, &bfs->first, sizeof bfs->first);
    hash_content_add(hash, &bfs->levels, sizeof bfs->levels);
    return kernel_source_finish(source, hash, out, error);
}

static const struct workload_input bfs_inputs[] = {
    {"small", "generator=rmat,nodes=2^14,degree=4,source=max"},
    {"published-sac", "nodes=1000000"},
    {"published-mcm", "nodes=1000000"},
    {"published-dualopt", "nodes=1000000,source=max"},
    {NULL, NULL}};

static const struct workload_scale bfs_scale[] = {{"nodes", "nodes*size"}, {NULL, NULL}};

const struct workload workload_bfs = {
    .plugin = {.kind = "workload",
               .name = "bfs",
               .summary = "breadth-first search, two kernels a level, one thread a vertex",
               .reference = "Che et al., Rodinia, IISWC 2009; Harish and Narayanan, HiPC 2007"},
    .suite = "Rodinia",
    .page =
        "Rodinia's BFS: Kernel expands the frontier, Kernel2 makes the next one; blocks of 512\n"
        "threads, a launch of both for each level. The search really runs, over a graph from a\n"
        "file or a generator, so frontiers and divergence are true; accesses, masks and\n"
        "instruction counts follow nvcc's code for sm_80.\n"
        "published-sac: 1 954 CTAs and 37 MB are published; 1 000 000 vertices of average degree\n"
        "6, as Rodinia's generator makes them (each vertex draws 2 to 4 partners, edges in both\n"
        "directions), have 1 954 CTAs and 39.0 MB (37.2 MiB). It is the default as well.\n"
        "published-mcm: 37 MB, the same. Rodinia starts at vertex 0; published-dualopt at the\n"
        "vertex of highest degree. The file of that size which Rodinia ships (graph1MW_6) is\n"
        "another draw of the same distribution.\n"
        "The kernels are checked against a trace of the program; what is said of Rodinia's\n"
        "generator and file is from memory.\n",
    .parameters = bfs_parameters,
    .inputs = bfs_inputs,
    .scale = bfs_scale,
    .open = bfs_open};
