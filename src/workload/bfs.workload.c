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
 * The search itself runs on the host, level by level; the accesses of a warp
 * are worked out when they are read. A warp sees the state at the beginning of
 * its kernel: Kernel never writes what it tests (visited), nor does Kernel2, so
 * the order of warps does not matter. Accesses, their order, masks and the
 * instructions between them are those of nvcc's code for sm_80; in particular,
 * start and no_of_edges are loaded again after the stores of an iteration,
 * because the stores might have changed them. */
#include <stdlib.h>
#include <string.h>

#include "workload/graph.h"
#include "workload/layout.h"
#include "workload/settings.h"
#include "workload/access.h"
#include "workload/workload.h"

enum { BLOCK_THREADS = 512 };

enum array { NODES, EDGES, MASK, UPDATING, VISITED, COST, OVER, N_ARRAYS };

struct bfs_source {
    struct source base;
    struct graph *graph;
    uint32_t first;  /* vertex */
    uint64_t levels; /* at most */
    uint64_t bases[N_ARRAYS];
};

struct bfs_stream {
    struct stream base;
    const struct bfs_source *source;
    uint8_t *mask, *updating, *visited; /* as the current kernel finds them */
    uint32_t *frontier;                 /* vertices of this level; of the next one in Kernel2 */
    uint32_t n_frontier;
    uint64_t level;
    bool second; /* in Kernel2 */
    bool begun;
};

/* ---- accesses of a warp ------------------------------------------------- */

enum phase {
    LOAD_MASK, /* Kernel */
    CLEAR_MASK,
    LOAD_COUNT,
    LOAD_START,
    LOAD_EDGE, /* loop */
    LOAD_VISITED,
    LOAD_COST,
    STORE_COST,
    SET_UPDATING,
    RELOAD_COUNT,
    RELOAD_START,
    LOAD_UPDATING, /* Kernel2 */
    SET_MASK,
    SET_VISITED,
    SET_OVER,
    CLEAR_UPDATING,
    REST, /* instructions behind the last access */
    DONE
};

enum place { BY_THREAD, BY_SLOT, BY_NEIGHBOUR, BY_NOBODY };

/* `instructions` counts from the access before, or from the start; in sm_80
 * code Kernel's loop goes from 0x180 to 0x300. */
static const struct step {
    enum array array;
    enum place place;
    uint8_t kind, element, offset, bytes, instructions;
} steps[] = {
    [LOAD_MASK] = {MASK, BY_THREAD, ACCESS_READ, 1, 0, 1, 10},
    [CLEAR_MASK] = {MASK, BY_THREAD, ACCESS_WRITE, 1, 0, 1, 4},
    [LOAD_COUNT] = {NODES, BY_THREAD, ACCESS_READ, 8, 4, 4, 2},
    [LOAD_START] = {NODES, BY_THREAD, ACCESS_READ, 8, 0, 4, 3},
    [LOAD_EDGE] = {EDGES, BY_SLOT, ACCESS_READ, 4, 0, 4, 2},
    [LOAD_VISITED] = {VISITED, BY_NEIGHBOUR, ACCESS_READ, 1, 0, 1, 4},
    [LOAD_COST] = {COST, BY_THREAD, ACCESS_READ, 4, 0, 4, 2},
    [STORE_COST] = {COST, BY_NEIGHBOUR, ACCESS_WRITE, 4, 0, 4, 8},
    [SET_UPDATING] = {UPDATING, BY_NEIGHBOUR, ACCESS_WRITE, 1, 0, 1, 1},
    [RELOAD_COUNT] = {NODES, BY_THREAD, ACCESS_READ, 8, 4, 4, 1},
    [RELOAD_START] = {NODES, BY_THREAD, ACCESS_READ, 8, 0, 4, 1},
    [LOAD_UPDATING] = {UPDATING, BY_THREAD, ACCESS_READ, 1, 0, 1, 11},
    [SET_MASK] = {MASK, BY_THREAD, ACCESS_WRITE, 1, 0, 1, 11},
    [SET_VISITED] = {VISITED, BY_THREAD, ACCESS_WRITE, 1, 0, 1, 3},
    [SET_OVER] = {OVER, BY_NOBODY, ACCESS_WRITE, 1, 0, 1, 1},
    [CLEAR_UPDATING] = {UPDATING, BY_THREAD, ACCESS_WRITE, 1, 0, 1, 1},
};

/* Instructions that no access follows, or not always. */
enum {
    OUTSIDE = 6,  /* a warp behind the last vertex */
    IDLE = 2,     /* no lane is in the frontier */
    NO_EDGES = 2, /* no lane has a neighbour */
    LOOP_ENTRY = 5,
    LOOP_SKIPPED = 13, /* the stores of an iteration, all lanes predicated off */
    LOOP_TAIL = 6,
    LOOP_EXIT = 1, /* when a lane leaves */
    SECOND_EXIT = 1
};

struct bfs_warp {
    enum phase phase;
    uint32_t thread; /* of lane 0 */
    uint32_t lanes;  /* of the next access */
    uint32_t live;   /* in the edge loop */
    uint32_t edge;   /* iteration of that loop */
    uint32_t pending;
};

static uint64_t edge_slot(const struct graph *graph, const struct bfs_warp *w, uint32_t lane)
{
    return graph->offsets[w->thread + lane] + w->edge;
}

/* The lanes whose flag is set (or not set). */
static uint32_t flagged(const uint8_t *flags, const struct bfs_warp *w, uint32_t lanes)
{
    uint32_t result = 0;
    while (lanes) {
        uint32_t k = access_next_lane(&lanes);
        result |= (uint32_t)flags[w->thread + k] << k;
    }
    return result;
}

static uint32_t with_more_edges(const struct graph *graph, const struct bfs_warp *w, uint32_t lanes)
{
    uint32_t result = 0;
    while (lanes) {
        uint32_t k = access_next_lane(&lanes);
        result |= (uint32_t)(graph_degree(graph, w->thread + k) > w->edge) << k;
    }
    return result;
}

static uint32_t unvisited(const struct bfs_stream *s, const struct bfs_warp *w, uint32_t lanes)
{
    const struct graph *graph = s->source->graph;
    uint32_t result = 0;
    while (lanes) {
        uint32_t k = access_next_lane(&lanes);
        result |= (uint32_t)!s->visited[graph->targets[edge_slot(graph, w, k)]] << k;
    }
    return result;
}

/* The access of the warp's phase: false when the buffer has no room for it. */
static bool bfs_access(const struct bfs_stream *s, const struct bfs_warp *w,
                       struct warp_buffer *out)
{
    const struct step *step = &steps[w->phase];
    const struct graph *graph = s->source->graph;
    uint64_t base = s->source->bases[step->array] + step->offset, list[WARP_LANES];
    struct warp_access *item = &out->items[out->count];
    int n = 0;
    *item = (struct warp_access){.mask = w->lanes,
                                 .instructions = step->instructions + w->pending,
                                 .bytes = step->bytes,
                                 .kind = step->kind};
    if (step->place == BY_THREAD) {
        n = access_even(item, base + (uint64_t)w->thread * step->element, step->element, list);
    } else if (step->place == BY_NOBODY) {
        n = access_even(item, base, 0, list);
    } else {
        for (uint32_t left = w->lanes; left;) {
            uint64_t slot = edge_slot(graph, w, access_next_lane(&left));
            list[n++] =
                base + step->element * (step->place == BY_SLOT ? slot : graph->targets[slot]);
        }
        n = access_list(item, list, n);
    }
    if (n > WARP_BUFFER_POOL - out->pool_used)
        return false;
    if (n) {
        item->addresses = memcpy(&out->pool[out->pool_used], list, (size_t)n * sizeof *list);
        out->pool_used += n;
    }
    out->count++;
    return true;
}

static void bfs_rest(struct bfs_warp *w, uint32_t instructions)
{
    w->phase = REST;
    w->pending = instructions;
}

/* Behind an iteration of the edge loop. */
static void bfs_loop(const struct graph *graph, struct bfs_warp *w, uint32_t instructions)
{
    w->edge++;
    uint32_t live = with_more_edges(graph, w, w->live);
    instructions += LOOP_TAIL + (live != w->live ? LOOP_EXIT : 0);
    w->live = w->lanes = live;
    w->phase = LOAD_EDGE;
    w->pending = instructions;
    if (!live)
        bfs_rest(w, instructions);
}

/* What follows the access just made. */
static void bfs_advance(const struct bfs_stream *s, struct bfs_warp *w)
{
    const struct graph *graph = s->source->graph;
    uint32_t some;
    w->pending = 0;
    switch (w->phase) {
    case LOAD_MASK:
    case LOAD_UPDATING:
        w->lanes = flagged(w->phase == LOAD_MASK ? s->mask : s->updating, w, w->lanes);
        w->phase++;
        if (!w->lanes)
            bfs_rest(w, IDLE);
        break;
    case LOAD_COUNT:
        w->live = w->lanes = with_more_edges(graph, w, w->lanes);
        w->phase++;
        if (!w->live)
            bfs_rest(w, NO_EDGES);
        break;
    case LOAD_START:
        w->pending = LOOP_ENTRY;
        w->phase++;
        break;
    case LOAD_VISITED:
        some = unvisited(s, w, w->live);
        if (!some) {
            bfs_loop(graph, w, LOOP_SKIPPED);
            break;
        }
        w->lanes = some;
        w->phase++;
        break;
    case RELOAD_START:
        bfs_loop(graph, w, 0);
        break;
    case CLEAR_UPDATING:
        bfs_rest(w, SECOND_EXIT);
        break;
    default:
        w->phase++;
    }
}

static int bfs_warp_begin(struct stream *stream, uint64_t cta, uint32_t warp, void *state,
                          struct error *error)
{
    const struct bfs_stream *s = (const struct bfs_stream *)stream;
    uint64_t n = s->source->graph->n_vertices;
    uint64_t thread = cta * BLOCK_THREADS + (uint64_t)warp * WARP_LANES;
    struct bfs_warp *w = state;
    (void)error;
    *w = (struct bfs_warp){.phase = s->second ? LOAD_UPDATING : LOAD_MASK, .lanes = UINT32_MAX};
    w->thread = (uint32_t)thread;
    if (thread >= n)
        bfs_rest(w, OUTSIDE);
    else if (n - thread < WARP_LANES)
        w->lanes = ((uint32_t)1 << (n - thread)) - 1;
    return 0;
}

static int bfs_read(struct stream *stream, void *state, struct warp_buffer *out,
                    struct error *error)
{
    const struct bfs_stream *s = (const struct bfs_stream *)stream;
    struct bfs_warp *w = state;
    (void)error;
    out->count = out->pool_used = 0;
    while (out->count < WARP_BUFFER_ITEMS && w->phase < REST) {
        if (!bfs_access(s, w, out))
            return out->count;
        bfs_advance(s, w);
    }
    if (w->phase == REST && out->count < WARP_BUFFER_ITEMS) {
        out->items[out->count++] =
            (struct warp_access){.kind = ACCESS_NONE, .instructions = w->pending};
        w->phase = DONE;
    }
    return out->count;
}

/* ---- levels ------------------------------------------------------------- */

/* What Kernel leaves behind: the next frontier, marked in `updating`. */
static void bfs_finish_first(struct bfs_stream *s)
{
    const struct graph *graph = s->source->graph;
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

static void bfs_finish_second(struct bfs_stream *s)
{
    for (uint32_t i = 0; i < s->n_frontier; i++) {
        uint32_t v = s->frontier[i];
        s->mask[v] = s->visited[v] = 1;
        s->updating[v] = 0;
    }
    s->second = false;
    s->level++;
}

static int bfs_next_kernel(struct stream *stream, struct stream_kernel *out, struct error *error)
{
    struct bfs_stream *s = (struct bfs_stream *)stream;
    uint32_t n = s->source->graph->n_vertices;
    (void)error;
    if (s->begun && !s->second)
        bfs_finish_first(s);
    else if (s->begun)
        bfs_finish_second(s);
    s->begun = true;
    if (!s->second && (s->n_frontier == 0 || s->level == s->source->levels))
        return 0;
    uint32_t threads = n > BLOCK_THREADS ? BLOCK_THREADS : n;
    uint32_t ctas = (n + threads - 1) / threads;
    *out = (struct stream_kernel){.name = s->second ? "Kernel2" : "Kernel",
                                  .grid = {ctas, 1, 1},
                                  .block = {threads, 1, 1},
                                  .n_ctas = ctas,
                                  .warps_per_cta = (threads + WARP_LANES - 1) / WARP_LANES,
                                  .threads_per_cta = threads,
                                  .warp_state_size = sizeof(struct bfs_warp)};
    return 1;
}

static void bfs_stream_destroy(struct stream *stream)
{
    struct bfs_stream *s = (struct bfs_stream *)stream;
    free(s->mask);
    free(s->updating);
    free(s->visited);
    free(s->frontier);
    free(s);
}

static const struct stream_class bfs_stream_class = {.next_kernel = bfs_next_kernel,
                                                     .warp_begin = bfs_warp_begin,
                                                     .read = bfs_read,
                                                     .destroy = bfs_stream_destroy};

static int bfs_stream_open(const struct source *source, struct stream **out, struct error *error)
{
    const struct bfs_source *bfs = (const struct bfs_source *)source;
    uint32_t n = bfs->graph->n_vertices;
    struct bfs_stream *s = memory_zero(1, sizeof *s);
    (void)error;
    s->base = (struct stream){&bfs_stream_class, source};
    s->source = bfs;
    s->mask = memory_zero(n, 1);
    s->updating = memory_zero(n, 1);
    s->visited = memory_zero(n, 1);
    s->frontier = memory_alloc(sizeof *s->frontier);
    s->frontier[0] = bfs->first;
    s->n_frontier = 1;
    s->mask[bfs->first] = s->visited[bfs->first] = 1;
    *out = &s->base;
    return 0;
}

/* ---- the source --------------------------------------------------------- */

static void bfs_source_destroy(struct source *source)
{
    struct bfs_source *bfs = (struct bfs_source *)source;
    graph_destroy(bfs->graph);
    source_fini(source);
    free(bfs);
}

static const struct source_class bfs_source_class = {
    .kind = "workload", .stream_open = bfs_stream_open, .destroy = bfs_source_destroy};

enum parameter { GRAPH, GENERATOR, VERTICES, DEGREE, SEED, RMAT_A, RMAT_B, RMAT_C, FIRST, LEVELS };

static const struct workload_parameter bfs_parameters[] = {
    [GRAPH] = {"graph", "", "METIS (.graph) or Matrix Market (.mtx) file; empty: a made-up graph"},
    [GENERATOR] = {"generator", "uniform", "uniform (Rodinia's) or rmat"},
    [VERTICES] = {"nodes", "1000000", "vertices of a made-up graph"},
    [DEGREE] = {"degree", "6", "average degree of a made-up graph"},
    [SEED] = {"seed", "1", "of a made-up graph"},
    [RMAT_A] = {"a", "0.57", "R-MAT: probability of the upper left quadrant, at least 0.05"},
    [RMAT_B] = {"b", "0.19", "R-MAT: of the upper right one"},
    [RMAT_C] = {"c", "0.19", "R-MAT: of the lower left one"},
    [FIRST] = {"source", "0", "vertex to start from, or max: the one of highest degree"},
    [LEVELS] = {"levels", "0", "levels at most; 0: to the end"},
    {NULL, NULL, NULL}};

/* Settings of the generator do nothing beside a file, nor R-MAT's beside the
 * uniform generator. */
static int bfs_refuse(const char *const *values, int from, int to, const char *why,
                      struct error *error)
{
    for (int i = from; i <= to; i++)
        if (strcmp(values[i], bfs_parameters[i].fallback) != 0)
            return error_set(error, STATUS_INPUT, "%s=%s has no effect %s", bfs_parameters[i].name,
                             values[i], why);
    return 0;
}

static int bfs_generate(const char *const *values, struct graph **out, struct error *error)
{
    bool rmat = strcmp(values[GENERATOR], "rmat") == 0;
    int64_t n, degree, seed;
    double abc[3];
    int status = 0;
    if (!rmat && strcmp(values[GENERATOR], "uniform") != 0)
        return error_set(error, STATUS_INPUT, "generator=%.80s: expected uniform or rmat",
                         values[GENERATOR]);
    if (!rmat)
        status = bfs_refuse(values, RMAT_A, RMAT_C, "with the uniform generator", error);
    for (int i = 0; i < 3 && !status; i++)
        status = settings_number(bfs_parameters[RMAT_A + i].name, values[RMAT_A + i],
                                 i ? 0.0 : 0.05, 1.0, &abc[i], error);
    if (!status && abc[0] + abc[1] + abc[2] > 1.0)
        status = error_set(error, STATUS_INPUT, "a, b and c add up to more than 1");
    if (status || (status = settings_integer("nodes", values[VERTICES], 1, GRAPH_MAX, &n, error)) ||
        (status = settings_integer("degree", values[DEGREE], 2, 4096, &degree, error)) ||
        (status = settings_integer("seed", values[SEED], 0, INT64_MAX, &seed, error)))
        return status;
    if (n > GRAPH_MAX / (degree + 2)) /* the uniform generator draws up to degree + 2 */
        return error_set(error, STATUS_INPUT, "nodes=%s: more than %d edges", values[VERTICES],
                         GRAPH_MAX);
    *out = rmat ? graph_generate_rmat((uint32_t)n, (uint32_t)degree, abc, (uint64_t)seed)
                : graph_generate_uniform((uint32_t)n, (uint32_t)degree, (uint64_t)seed);
    return 0;
}

static int bfs_graph(const char *const *values, struct graph **out, struct error *error)
{
    if (!values[GRAPH][0])
        return bfs_generate(values, out, error);
    int status = bfs_refuse(values, GENERATOR, RMAT_C, "beside graph=", error);
    return status ? status : graph_read(values[GRAPH], out, error);
}

static void bfs_place(struct bfs_source *bfs)
{
    static const char *const names[] = {
        "g_graph_nodes",   "g_graph_edges", "g_graph_mask", "g_updating_graph_mask",
        "g_graph_visited", "g_cost",        "g_over"};
    uint64_t n = bfs->graph->n_vertices, m = bfs->graph->n_edges;
    const uint64_t bytes[] = {8 * n, 4 * (m ? m : 1), n, n, n, 4 * n, 1};
    for (int i = 0; i < N_ARRAYS; i++)
        bfs->bases[i] = layout_place(&bfs->base, names[i], bytes[i]);
}

/* Of the graph itself, however it was come by. */
static void bfs_hash(struct bfs_source *bfs)
{
    const struct graph *graph = bfs->graph;
    struct hash_content *hash = hash_content_begin();
    hash_content_string(hash, "rodinia bfs 1");
    hash_content_string(hash, LAYOUT_VERSION);
    hash_content_add(hash, &graph->n_vertices, sizeof graph->n_vertices);
    hash_content_add(hash, graph->offsets, (graph->n_vertices + 1ULL) * sizeof *graph->offsets);
    hash_content_add(hash, graph->targets, graph->n_edges * sizeof *graph->targets);
    hash_content_add(hash, &bfs->first, sizeof bfs->first);
    hash_content_add(hash, &bfs->levels, sizeof bfs->levels);
    hash_content_end(hash, bfs->base.hash);
}

static int bfs_open(const struct workload *workload, const char *const *values, struct source **out,
                    struct error *error)
{
    struct graph *graph = NULL;
    int64_t first = 0, levels;
    int status = settings_integer("levels", values[LEVELS], 0, INT32_MAX, &levels, error);
    if (!status)
        status = bfs_graph(values, &graph, error);
    if (!status && strcmp(values[FIRST], "max") == 0)
        first = graph_widest(graph);
    else if (!status)
        status = settings_integer("source", values[FIRST], 0, (int64_t)graph->n_vertices - 1,
                                  &first, error);
    if (status) {
        graph_destroy(graph);
        return status;
    }
    struct bfs_source *bfs = memory_zero(1, sizeof *bfs);
    bfs->base.class = &bfs_source_class;
    bfs->base.arena = arena_create();
    bfs->base.name = bfs->base.spec = workload->plugin.name;
    bfs->graph = graph;
    bfs->first = (uint32_t)first;
    bfs->levels = levels ? (uint64_t)levels : UINT64_MAX;
    bfs_place(bfs);
    bfs_hash(bfs);
    *out = &bfs->base;
    return 0;
}

static const struct workload_input bfs_inputs[] = {
    {"small", "generator=rmat,nodes=2^14,degree=4,source=max"},
    {"published-sac", "nodes=1000000"},
    {"published-mcm", "nodes=1000000"},
    {"published-dualopt", "nodes=1000000,source=max"},
    {NULL, NULL}};

static const struct workload_scale bfs_scale[] = {{"nodes", "nodes*size"}, {NULL, NULL}};

static const struct workload_published bfs_published[] = {
    {"sac",
     NULL,
     {{"ctas", "1954", NULL},
      {"footprint", "37 MB", NULL},
      {"truly_shared", "10 MB", NULL},
      {"falsely_shared", "14 MB", NULL}}},
    {"mcm", NULL, {{"footprint", "37 MB", NULL}}},
    {.name = NULL}};

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
        "another draw of the same distribution.\n",
    .parameters = bfs_parameters,
    .inputs = bfs_inputs,
    .scale = bfs_scale,
    .published = bfs_published,
    .open = bfs_open};
