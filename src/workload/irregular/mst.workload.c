/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LonestarGPU's minimum spanning tree: Boruvka's algorithm over components that
 * are trees of pointers (union-find). A round is
 *
 *     dinit            forget the round before
 *     dfindelemin      a vertex: its lightest edge into another component; atomicMin at its boss
 *     dfindelemin2     whose edge is the component's lightest goes ahead: one vertex of each
 *     verify_min_elem  a boss: marks that vertex
 *     dfindcompmin     marked vertices unite components; again while some had to give way
 *
 * until a round unites nothing. All warps of a launch see what it found; of the
 * vertices that unite at the same time, those of lower number go first. */
#include <stdlib.h>
#include <string.h>

#include "workload/irregular/graph_input.h"
#include "workload/irregular/lonestar.h"
#include "workload/settings.h"
#include "workload/irregular/warp_code.h"

enum array {
    BOSS = LONESTAR_ARRAYS,
    LENGTH,
    LIGHTEST, /* of a vertex */
    MINIMUM,  /* of a component */
    PARTNER,
    MARKED,
    AHEAD,
    N_COMPONENTS,
    TREE_WEIGHT,
    TREE_EDGES,
    REPEAT
};

enum phase { INIT, FIND_1, FIND_2, VERIFY, UNITE };
enum { UNITE_BLOCK = 384 };

/* What a vertex comes to in dfindcompmin. */
enum outcome { IDLE, SAME, GAVE_WAY_1, GAVE_WAY_2, UNITED };

static const uint32_t mst_infinity = 1000000000;

struct mst {
    struct kernel_source base;
    struct graph *graph;
    uint64_t seed;   /* of weights */
    uint64_t rounds; /* at most */
    uint32_t blocks; /* of dfindcompmin, which stay on the machine */
};

struct mst_pass {
    struct kernel_pass base;
    enum phase phase;
    uint64_t round;
    uint64_t weight;   /* of the tree so far */
    uint32_t united;   /* in this round */
    bool repeat;       /* somebody gave way */
    uint32_t *boss;    /* of a vertex, or one nearer to it */
    uint32_t *minimum; /* of a component: its lightest edge; by boss */
    uint32_t *ahead;   /* of a component: the vertex that goes ahead */
    uint32_t *lightest, *partner;
    uint8_t *marked, *outcome;
};

struct mst_warp {
    struct kernel_warp base;
    uint32_t live, some, walk; /* lanes */
    uint32_t edge;
    uint64_t first;              /* vertex of lane 0 in dfindcompmin */
    uint32_t at[WARP_LANES];     /* where a search for the boss is */
    uint32_t source[WARP_LANES]; /* boss of the lane's vertex */
    uint32_t best[WARP_LANES];   /* weight */
    uint32_t best_boss[WARP_LANES];
};

static uint32_t mst_target(const struct mst_pass *s, uint64_t v, uint32_t edge)
{
    const struct graph *graph = ((const struct mst *)s->base.source)->graph;
    return graph->targets[graph->offsets[v] + edge];
}

static uint32_t mst_weight(const struct mst_pass *s, uint64_t v, uint32_t edge)
{
    return graph_weight((uint32_t)v, mst_target(s, v, edge),
                        ((const struct mst *)s->base.source)->seed);
}

static uint32_t mst_find(const struct mst_pass *s, uint32_t v)
{
    while (s->boss[v] != v)
        v = s->boss[v];
    return v;
}

/* ---- code --------------------------------------------------------------- */

/* Leaves the bosses of vertices in w->at: up the tree, asking each whether it
 * is one by an atomic; the way is written down as a shorter one. */
#define MST_FIND(mask, vertex)                                                                     \
    do {                                                                                           \
        WARP_EACH(mask)                                                                            \
        w->at[lane] = (uint32_t)(vertex);                                                          \
        for (w->walk = (mask);;) {                                                                 \
            WARP_ATOMIC(BOSS, w->walk, w->at[lane]);                                               \
            WARP_SELECT(w->walk, w->walk, s->boss[w->at[lane]] != w->at[lane]);                    \
            if (!w->walk)                                                                          \
                break;                                                                             \
            WARP_READ(BOSS, w->walk, w->at[lane]);                                                 \
            WARP_EACH(w->walk)                                                                     \
            w->at[lane] = s->boss[w->at[lane]];                                                    \
        }                                                                                          \
        WARP_WRITE(BOSS, mask, vertex);                                                            \
    } while (0)

static bool mst_init(const struct kernel_pass *pass, struct kernel_warp *warp,
                     struct warp_buffer *out)
{
    const uint32_t n = ((const struct mst *)pass->source)->graph->n_vertices;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    WARP_WRITE(LIGHTEST, warp_below(warp, n), warp->thread + lane);
    WARP_WRITE(MINIMUM, warp_below(warp, n), warp->thread + lane);
    WARP_WRITE(AHEAD, warp_below(warp, n), warp->thread + lane);
    WARP_WRITE(PARTNER, warp_below(warp, n), warp->thread + lane);
    WARP_WRITE(MARKED, warp_below(warp, n), warp->thread + lane);
    WARP_END;
}

static bool mst_find_1(const struct kernel_pass *pass, struct kernel_warp *warp,
                       struct warp_buffer *out)
{
    const struct mst_pass *s = (const struct mst_pass *)pass;
    const struct graph *graph = ((const struct mst *)pass->source)->graph;
    const uint64_t v = warp->thread;
    const uint32_t all = warp_below(warp, graph->n_vertices);
    struct mst_warp *w = (struct mst_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    MST_FIND(all, v + lane);
    WARP_EACH(all)
    {
        w->source[lane] = w->at[lane];
        w->best[lane] = mst_infinity;
        w->best_boss[lane] = graph->n_vertices;
    }
    WARP_READ(LONESTAR_DEGREES, all, v + lane);
    for (w->live = all;; w->edge++) {
        WARP_SELECT(w->live, w->live, w->edge < graph_degree(graph, (uint32_t)v + lane));
        if (!w->live)
            break;
        LONESTAR_FIRST_EDGE(w->live, v + lane);
        WARP_COMPUTE(2);
        WARP_READ(LONESTAR_WEIGHTS, w->live, graph->offsets[v + lane] + w->edge);
        WARP_SELECT(w->some, w->live, mst_weight(s, v + lane, w->edge) < w->best[lane]);
        WARP_READ(LONESTAR_TARGETS, w->some, graph->offsets[v + lane] + w->edge);
        MST_FIND(w->some, mst_target(s, v + lane, w->edge));
        WARP_SELECT(w->some, w->some, w->at[lane] != w->source[lane]);
        WARP_EACH(w->some)
        {
            w->best[lane] = mst_weight(s, v + lane, w->edge);
            w->best_boss[lane] = w->at[lane];
        }
        WARP_COMPUTE(4);
    }
    WARP_WRITE(LIGHTEST, all, v + lane);
    WARP_WRITE(PARTNER, all, v + lane);
    WARP_READ(MINIMUM, all, w->source[lane]);
    WARP_SELECT(w->some, all, w->best[lane] < mst_infinity);
    WARP_COMPUTE(3);
    WARP_ATOMIC(MINIMUM, w->some, w->source[lane]);
    WARP_END;
}

static bool mst_find_2(const struct kernel_pass *pass, struct kernel_warp *warp,
                       struct warp_buffer *out)
{
    const struct mst_pass *s = (const struct mst_pass *)pass;
    const struct graph *graph = ((const struct mst *)pass->source)->graph;
    const uint64_t v = warp->thread;
    const uint32_t all = warp_below(warp, graph->n_vertices);
    struct mst_warp *w = (struct mst_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    MST_FIND(all, v + lane);
    memcpy(w->source, w->at, sizeof w->source);
    WARP_READ(LIGHTEST, all, v + lane);
    WARP_READ_TOO(MINIMUM, all, w->source[lane]);
    WARP_SELECT(w->live, all, s->lightest[v + lane] == s->minimum[w->source[lane]]);
    WARP_READ(PARTNER, w->live, v + lane);
    WARP_SELECT(w->live, w->live, s->partner[v + lane] != graph->n_vertices);
    WARP_READ(LONESTAR_DEGREES, w->live, v + lane);
    for (;; w->edge++) {
        WARP_SELECT(w->live, w->live, w->edge < graph_degree(graph, (uint32_t)v + lane));
        if (!w->live)
            break;
        LONESTAR_FIRST_EDGE(w->live, v + lane);
        WARP_READ(LONESTAR_WEIGHTS, w->live, graph->offsets[v + lane] + w->edge);
        WARP_READ_TOO(LIGHTEST, w->live, v + lane);
        WARP_COMPUTE(3);
        WARP_SELECT(w->some, w->live, mst_weight(s, v + lane, w->edge) == s->lightest[v + lane]);
        WARP_READ(LONESTAR_TARGETS, w->some, graph->offsets[v + lane] + w->edge);
        MST_FIND(w->some, mst_target(s, v + lane, w->edge));
        WARP_READ(PARTNER, w->some, v + lane);
        WARP_SELECT(w->some, w->some, w->at[lane] == s->partner[v + lane]);
        WARP_ATOMIC(AHEAD, w->some, w->source[lane]);
        WARP_COMPUTE(4);
    }
    WARP_END;
}

static bool mst_verify(const struct kernel_pass *pass, struct kernel_warp *warp,
                       struct warp_buffer *out)
{
    const struct mst_pass *s = (const struct mst_pass *)pass;
    const struct graph *graph = ((const struct mst *)pass->source)->graph;
    const uint64_t v = warp->thread;
    const uint32_t n = graph->n_vertices;
    struct mst_warp *w = (struct mst_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    WARP_ATOMIC(BOSS, warp_below(warp, n), v + lane);
    WARP_SELECT(w->live, warp_below(warp, n), s->boss[v + lane] == v + lane);
    WARP_READ(AHEAD, w->live, v + lane);
    WARP_SELECT(w->live, w->live, s->ahead[v + lane] != n);
    WARP_READ(LONESTAR_DEGREES, w->live, s->ahead[v + lane]);
    WARP_READ_TOO(MINIMUM, w->live, v + lane);
    for (;; w->edge++) {
        WARP_SELECT(w->live, w->live, w->edge < graph_degree(graph, s->ahead[v + lane]));
        if (!w->live)
            break;
        LONESTAR_FIRST_EDGE(w->live, s->ahead[v + lane]);
        WARP_READ(LONESTAR_WEIGHTS, w->live, graph->offsets[s->ahead[v + lane]] + w->edge);
        WARP_COMPUTE(3);
        WARP_SELECT(w->some, w->live,
                    mst_weight(s, s->ahead[v + lane], w->edge) == s->minimum[v + lane]);
        WARP_READ(LONESTAR_TARGETS, w->some, graph->offsets[s->ahead[v + lane]] + w->edge);
        MST_FIND(w->some, mst_target(s, s->ahead[v + lane], w->edge));
        WARP_READ(PARTNER, w->some, s->ahead[v + lane]);
        WARP_SELECT(w->some, w->some, w->at[lane] == s->partner[s->ahead[v + lane]]);
        WARP_WRITE(MARKED, w->some, s->ahead[v + lane]);
        w->live &= ~w->some;
    }
    WARP_END;
}

static bool mst_unite(const struct kernel_pass *pass, struct kernel_warp *warp,
                      struct warp_buffer *out)
{
    const struct mst_pass *s = (const struct mst_pass *)pass;
    const uint64_t n = ((const struct mst *)pass->source)->graph->n_vertices;
    const uint64_t stride = (uint64_t)pass->launch.grid[0] * UNITE_BLOCK;
    struct mst_warp *w = (struct mst_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(8);
    for (w->first = warp->thread; w->first < n; w->first += stride) {
        WARP_SELECT(w->live, warp->lanes, w->first + lane < n);
        WARP_READ(MARKED, w->live, w->first + lane);
        WARP_SELECT(w->live, w->live, s->outcome[w->first + lane] != IDLE);
        MST_FIND(w->live, w->first + lane);
        memcpy(w->source, w->at, sizeof w->source);
        WARP_READ(PARTNER, w->live, w->first + lane);
        MST_FIND(w->live, s->partner[w->first + lane]);
        WARP_COMPUTE(4);
        WARP_READ(MARKED, w->live, w->first + lane); /* behind the barrier */
        WARP_SELECT(w->live, w->live, s->outcome[w->first + lane] != SAME);
        WARP_ATOMIC(BOSS, w->live, w->source[lane]);
        WARP_SELECT(w->some, w->live, s->outcome[w->first + lane] != GAVE_WAY_1);
        WARP_ATOMIC(BOSS, w->some, w->at[lane]);
        WARP_SELECT(w->some, w->some, s->outcome[w->first + lane] == UNITED);
        WARP_COMPUTE(2);
        WARP_ATOMIC(BOSS, w->some, w->at[lane] < w->source[lane] ? w->at[lane] : w->source[lane]);
        WARP_ATOMIC(N_COMPONENTS, w->some, 0);
        WARP_READ(LENGTH, w->some, w->at[lane]);
        WARP_READ_TOO(LENGTH, w->some, w->source[lane]);
        WARP_WRITE(LENGTH, w->some, w->at[lane] < w->source[lane] ? w->source[lane] : w->at[lane]);
        WARP_READ(LIGHTEST, w->some, w->first + lane);
        WARP_ATOMIC(TREE_WEIGHT, w->some, 0);
        WARP_ATOMIC(TREE_EDGES, w->some, 0);
        WARP_WRITE(MARKED, w->some, w->first + lane);
        WARP_WRITE(LIGHTEST, w->some, w->first + lane);
        WARP_WRITE(REPEAT, w->live & ~w->some, 0);
        WARP_COMPUTE(5);
    }
    WARP_END;
}

/* ---- what launches do --------------------------------------------------- */

static void mst_finish_init(struct mst_pass *s, uint32_t n)
{
    for (uint32_t v = 0; v < n; v++) {
        s->lightest[v] = s->minimum[v] = mst_infinity;
        s->ahead[v] = n;
        s->partner[v] = v;
    }
    memset(s->marked, 0, n);
}

static void mst_finish_find_1(struct mst_pass *s, const struct graph *graph)
{
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        s->boss[v] = mst_find(s, v); /* every vertex has looked for its own */
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        uint32_t boss = s->boss[v];
        s->lightest[v] = mst_infinity;
        s->partner[v] = graph->n_vertices;
        for (uint32_t e = 0; e < graph_degree(graph, v); e++) {
            uint32_t other = s->boss[mst_target(s, v, e)];
            if (other != boss && mst_weight(s, v, e) < s->lightest[v]) {
                s->lightest[v] = mst_weight(s, v, e);
                s->partner[v] = other;
            }
        }
        if (s->lightest[v] < s->minimum[boss])
            s->minimum[boss] = s->lightest[v];
    }
}

static void mst_finish_find_2(struct mst_pass *s, uint32_t n)
{
    for (uint32_t v = n; v-- > 0;)
        if (s->partner[v] != n && s->lightest[v] == s->minimum[s->boss[v]])
            s->ahead[s->boss[v]] = v;
}

static void mst_finish_verify(struct mst_pass *s, uint32_t n)
{
    for (uint32_t v = 0; v < n; v++)
        if (s->boss[v] == v && s->ahead[v] != n)
            s->marked[s->ahead[v]] = 1;
}

/* How each vertex will fare, in the order of their numbers. Bosses are those
 * that the launch found; whether they still are is asked again. */
static void mst_plan_unite(struct mst_pass *s, uint32_t n)
{
    uint32_t *boss = memcpy(memory_alloc(n * sizeof *boss), s->boss, n * sizeof *boss);
    for (uint32_t v = 0; v < n; v++) {
        s->outcome[v] = IDLE;
        if (!s->marked[v])
            continue;
        uint32_t from = mst_find(s, v), to = mst_find(s, s->partner[v]);
        s->outcome[v] = from == to           ? SAME
                        : boss[from] != from ? GAVE_WAY_1
                        : boss[to] != to     ? GAVE_WAY_2
                                             : UNITED;
        if (s->outcome[v] == UNITED)
            boss[from < to ? from : to] = from < to ? to : from;
    }
    free(boss);
}

static void mst_finish_unite(struct mst_pass *s, uint32_t n)
{
    s->repeat = false;
    for (uint32_t v = 0; v < n; v++)
        if (s->outcome[v] != IDLE) { /* the ways that were made shorter */
            s->boss[v] = mst_find(s, v);
            s->boss[s->partner[v]] = mst_find(s, s->partner[v]);
        }
    uint32_t *from = memory_alloc(n * sizeof *from), *to = memory_alloc(n * sizeof *to);
    for (uint32_t v = 0; v < n; v++)
        if (s->outcome[v] == UNITED) {
            from[v] = mst_find(s, v);
            to[v] = mst_find(s, s->partner[v]);
        }
    for (uint32_t v = 0; v < n; v++) {
        s->repeat = s->repeat || s->outcome[v] == GAVE_WAY_1 || s->outcome[v] == GAVE_WAY_2;
        if (s->outcome[v] != UNITED)
            continue;
        s->boss[from[v] < to[v] ? from[v] : to[v]] = from[v] < to[v] ? to[v] : from[v];
        s->weight += s->lightest[v];
        s->marked[v] = 0;
        s->united++;
    }
    free(from);
    free(to);
}

static void mst_finish(struct mst_pass *s, const struct graph *graph)
{
    uint32_t n = graph->n_vertices;
    switch (s->phase) {
    case INIT:
        mst_finish_init(s, n);
        break;
    case FIND_1:
        mst_finish_find_1(s, graph);
        break;
    case FIND_2:
        mst_finish_find_2(s, n);
        break;
    case VERIFY:
        mst_finish_verify(s, n);
        break;
    case UNITE:
        mst_finish_unite(s, n);
        break;
    }
}

static bool mst_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    static const struct {
        const char *name;
        bool (*code)(const struct kernel_pass *, struct kernel_warp *, struct warp_buffer *);
    } kernels[] = {{"dinit", mst_init},
                   {"dfindelemin", mst_find_1},
                   {"dfindelemin2", mst_find_2},
                   {"verify_min_elem", mst_verify},
                   {"dfindcompmin", mst_unite}};
    const struct mst *source = (const struct mst *)pass->source;
    struct mst_pass *s = (struct mst_pass *)pass;
    const uint32_t n = source->graph->n_vertices;
    if (pass->launches) {
        mst_finish(s, source->graph);
        if (s->phase < UNITE) {
            s->phase++;
        } else if (!s->repeat) {
            if (s->united == 0 || ++s->round == source->rounds)
                return false;
            s->phase = INIT;
            s->united = 0;
        }
    }
    *out = kernel_over(kernels[s->phase].name, n, LONESTAR_BLOCK);
    if (s->phase == UNITE) {
        mst_plan_unite(s, n);
        out->grid[0] = source->blocks;
        out->block[0] = UNITE_BLOCK;
    }
    out->warp_size = sizeof(struct mst_warp);
    out->code = kernels[s->phase].code;
    return true;
}

static uint64_t mst_result(const struct kernel_pass *pass)
{
    return ((const struct mst_pass *)pass)->weight;
}

/* ---- the workload ------------------------------------------------------- */

static void mst_pass_begin(struct kernel_pass *pass)
{
    struct mst_pass *s = (struct mst_pass *)pass;
    size_t n = ((const struct mst *)pass->source)->graph->n_vertices;
    s->boss = memory_alloc(n * sizeof *s->boss);
    s->minimum = memory_alloc(n * sizeof *s->minimum);
    s->ahead = memory_alloc(n * sizeof *s->ahead);
    s->lightest = memory_alloc(n * sizeof *s->lightest);
    s->partner = memory_alloc(n * sizeof *s->partner);
    s->marked = memory_zero(n, 1);
    s->outcome = memory_zero(n, 1);
    for (uint32_t v = 0; v < n; v++)
        s->boss[v] = v;
}

static void mst_pass_end(struct kernel_pass *pass)
{
    struct mst_pass *s = (struct mst_pass *)pass;
    free(s->boss);
    free(s->minimum);
    free(s->ahead);
    free(s->lightest);
    free(s->partner);
    free(s->marked);
    free(s->outcome);
}

static void mst_destroy(struct kernel_source *source)
{
    graph_destroy(((struct mst *)source)->graph);
}

static const struct kernel_class mst_class = {.pass_size = sizeof(struct mst_pass),
                                              .pass_begin = mst_pass_begin,
                                              .next = mst_next,
                                              .result = mst_result,
                                              .pass_end = mst_pass_end,
                                              .destroy = mst_destroy};

enum { WEIGHTS = GRAPH_PARAMETERS, ROUNDS, BLOCKS };

static const struct workload_parameter mst_parameters[] = {
    GRAPH_PARAMETER_ROWS("grid", "2^18", "4"),
    [WEIGHTS] = {"weights", "1", "seed of the edges' weights, 1 to 100"},
    [ROUNDS] = {"rounds", "0", "rounds at most; 0: until nothing is united"},
    [BLOCKS] = {"blocks", "1280", "of dfindcompmin, which loops over the vertices"},
    {NULL, NULL, NULL}};

static int mst_open(const struct workload *workload, const char *const *values, struct source **out,
                    struct error *error)
{
    static const struct kernel_range ranges[] = {{0, INT64_MAX}, {0, INT32_MAX}, {1, 65535}};
    struct graph *graph;
    int64_t numbers[3];
    int status = kernel_integers(workload, values, WEIGHTS, ranges, 3, numbers, error);
    if (!status)
        status = graph_input_open(workload, values, &graph, error);
    if (status)
        return status;
    struct mst *s = kernel_source_create(workload, &mst_class, sizeof *s);
    struct kernel_source *source = &s->base;
    s->graph = graph;
    s->seed = (uint64_t)numbers[0];
    s->rounds = numbers[1] ? (uint64_t)numbers[1] : UINT64_MAX;
    s->blocks = (uint32_t)numbers[2];
    lonestar_place(source, graph);
    kernel_place(source, "ele2comp", graph->n_vertices, 4);
    kernel_place(source, "complen", graph->n_vertices, 4);
    kernel_place(source, "eleminwts", graph->n_vertices, 4);
    kernel_place(source, "minwtcomponent", graph->n_vertices, 4);
    kernel_place(source, "partners", graph->n_vertices, 4);
    kernel_place(source, "processinnextiteration", graph->n_vertices, 1);
    kernel_place(source, "goaheadnodeofcomponent", graph->n_vertices, 4);
    kernel_place(source, "ncomponents", 1, 4);
    kernel_place(source, "mstwt", 1, 4);
    kernel_place(source, "edgecount", 1, 4);
    kernel_place(source, "repeat", 1, 1);
    struct hash_content *hash = kernel_hash_begin(source, "lonestar mst 1");
    graph_hash(graph, hash);
    hash_content_add(hash, &s->seed, sizeof s->seed);
    hash_content_add(hash, &s->rounds, sizeof s->rounds);
    hash_content_add(hash, &s->blocks, sizeof s->blocks);
    return kernel_source_finish(source, hash, out, error);
}

static const struct workload_input mst_inputs[] = {
    {"small", "nodes=400,blocks=2"}, {"published-mcm", "nodes=2^20"}, {NULL, NULL}};

static const struct workload_scale mst_scale[] = {{"nodes", "nodes*size"}, {NULL, NULL}};

const struct workload workload_mst = {
    .plugin = {.kind = "workload",
               .name = "mst",
               .summary = "minimum spanning tree by Boruvka's algorithm over union-find trees",
               .reference = "Burtscher, Nasre and Pingali, IISWC 2012 (LonestarGPU)"},
    .suite = "Lonestar",
    .page = "LonestarGPU's mst: five kernels a round (see the table of a profile), one thread a\n"
            "vertex, blocks of 1 024; dfindcompmin has a fixed grid of 384 threads a block that\n"
            "loops. Components are trees of pointers that searches climb and shorten, with an\n"
            "atomic at every step. The tree really grows; warps of a launch see what it found,\n"
            "and of the vertices that unite components at the same time the lower numbers go\n"
            "first. The barrier inside dfindcompmin is left out.\n"
            "published-mcm: 73 MB are published; LonestarGPU's own input 2d-2e20.sym is a square\n"
            "grid of 2^20 vertices with edges in both directions, which takes 72.3 MB here as\n"
            "there. The default is a quarter of it (18.1 MB). Instructions between accesses are\n"
            "estimates.\n"
            "What is said of LonestarGPU's code and inputs is from memory, not checked against\n"
            "its source.\n",
    .parameters = mst_parameters,
    .inputs = mst_inputs,
    .scale = mst_scale,
    .open = mst_open};
