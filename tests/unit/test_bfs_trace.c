/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The breadth-first search workload against the trace of a real run
 * (rodinia-bfs: 4 096 vertices, 24 576 edges, 8 levels, captured on sm_80).
 *
 * A trace has addresses but no data. The graph follows from them: the lane
 * that loads slot e of the edge array belongs to the thread, thus to the
 * vertex, whose row holds e, and the flag of `visited` that the lane looks at
 * next is that of the edge's target. The rows are complete because every slot
 * is loaded once; a vertex out of reach could have no edges then. It goes to
 * the workload as a Matrix Market file, whose entries keep their order and
 * need not be symmetric. The graph read back is: 12 288 edges, each entered
 * at both ends, none twice, no loop. (Files with loops and repeated edges are
 * tested in test_workload_bfs.c and test_workload_graph.c.)
 *
 * Then every array must be touched alike, element by element, kernel by
 * kernel, and even the order within each warp must be the same. No difference
 * in the accesses is left to explain: Kernel tests only `visited` and
 * `mask[tid]`, which no other thread writes meanwhile, and threads that find
 * the same neighbour store the same cost, so the outcome does not depend on
 * the order of warps; flags have one byte here as there (bool). What differs:
 *  - addresses of arrays: the real ones lie one behind the other as here,
 *    but from another base on;
 *  - instructions issued, by less than 0.1 %: lanes that leave the edge loop
 *    together here may do so one instruction apart on the machine;
 *  - the host's copies of g_over between levels, which are no accesses. */
#include "workload_check.h"
#include "workload/irregular/graph.h"

enum array { NODES, EDGES, MASK, UPDATING, VISITED, COST, OVER, N_ARRAYS };
enum { VERTICES = 4096, REAL_EDGES = 24576, LEVELS = 8, KERNELS = 2 * LEVELS, CTA_THREADS = 512 };

static const char *const array_names[N_ARRAYS] = {"nodes",   "edges", "mask", "updating",
                                                  "visited", "cost",  "over"};
static const uint32_t element_bytes[N_ARRAYS] = {4, 4, 1, 1, 1, 4, 1}; /* a node has two */
static const uint32_t array_elements[N_ARRAYS] = {2 * VERTICES, REAL_EDGES, VERTICES, VERTICES,
                                                  VERTICES,     VERTICES,   1};

/* ---- a run: the trace, or the workload ---------------------------------- */

struct run {
    struct source *source;
    struct trace_items all;
};

static void run_read(struct run *run, const char *spec)
{
    check_ok(source_open(spec, &run->source, &failure));
    check_ok(trace_read(run->source, false, &run->all, &failure));
    assert_int_equal(run->all.kernels.count, KERNELS);
    /* The host-to-device copies of the trace are the arrays of the workload. */
    assert_int_equal(run->source->allocations.count, N_ARRAYS);
    for (int a = 0; a < N_ARRAYS; a++)
        assert_int_equal(run->source->allocations.items[a].bytes,
                         array_elements[a] * element_bytes[a]);
}

static void run_free(struct run *run)
{
    trace_items_free(&run->all);
    source_destroy(run->source);
}

static enum array run_element(const struct run *run, uint64_t address, uint32_t *element)
{
    const struct stream_allocation *found = workload_array(run->source, address);
    enum array array = (enum array)(found - run->source->allocations.items);
    assert_int_equal((address - found->base) % element_bytes[array], 0);
    *element = (uint32_t)(address - found->base) / element_bytes[array];
    return array;
}

static enum array item_array(const struct run *run, const struct trace_item *item)
{
    uint32_t element;
    return item->lanes ? run_element(run, item->addresses[0], &element) : N_ARRAYS;
}

/* ---- the graph from the trace ------------------------------------------- */

enum { UNKNOWN = -1 };

struct rebuilt {
    uint32_t source; /* the vertex that the search starts from */
    int64_t start[VERTICES], degree[VERTICES];
    int64_t level[VERTICES]; /* at which it is expanded */
    int64_t target[REAL_EDGES];
    uint64_t loads[LEVELS]; /* of edge slots */
};

static uint32_t lane_thread(const struct trace_item *item, uint32_t mask)
{
    return (uint32_t)item->cta * CTA_THREADS + item->warp * WARP_LANES +
           (uint32_t)__builtin_ctz(mask);
}

/* One warp's load of edge slots, and the look at the targets' flags behind it. */
static void rebuild_edges(const struct run *real, const struct trace_item *slots,
                          struct rebuilt *out)
{
    const struct trace_item *look = slots + 1;
    uint32_t mask = slots->access.mask, slot, id;
    assert_int_equal(look->access.mask, mask);
    assert_int_equal(slots->kernel % 2, 0);
    for (int k = 0; k < slots->lanes; k++, mask &= mask - 1) {
        uint32_t v = lane_thread(slots, mask);
        assert_int_equal(run_element(real, slots->addresses[k], &slot), EDGES);
        assert_int_equal(run_element(real, look->addresses[k], &id), VISITED);
        if (out->degree[v]++ == 0)
            out->start[v] = slot;
        assert_int_equal(slot, out->start[v] + out->degree[v] - 1); /* one after the other */
        assert_int_equal(out->target[slot], UNKNOWN);               /* by one thread, once */
        out->target[slot] = id;
        out->loads[slots->kernel / 2]++;
    }
}

static void rebuild(const struct run *real, struct rebuilt *out)
{
    uint32_t sources = 0;
    memset(out, 0, sizeof *out);
    for (uint32_t e = 0; e < REAL_EDGES; e++)
        out->target[e] = UNKNOWN;
    for (uint32_t v = 0; v < VERTICES; v++)
        out->start[v] = out->level[v] = UNKNOWN;
    for (size_t i = 0; i < real->all.accesses.count; i++) {
        const struct trace_item *item = &real->all.accesses.items[i];
        enum array array = item_array(real, item);
        if (array == EDGES) {
            rebuild_edges(real, item, out);
        } else if (array == MASK && item->kernel % 2 == 0 && item->access.kind == ACCESS_WRITE) {
            for (uint32_t mask = item->access.mask; mask; mask &= mask - 1) {
                uint32_t v = lane_thread(item, mask);
                assert_int_equal(out->level[v], UNKNOWN); /* expanded once */
                out->level[v] = (int64_t)item->kernel / 2;
                if (item->kernel == 0) {
                    out->source = v;
                    sources++;
                }
            }
        }
    }
    assert_int_equal(sources, 1);
}

/* The rebuilt graph through the reader of Matrix Market files. */
static const char *rebuilt_file(const struct rebuilt *rebuilt)
{
    struct text text = {0};
    text_printf(&text, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", VERTICES,
                VERTICES, REAL_EDGES);
    for (uint32_t v = 0; v < VERTICES; v++)
        for (int64_t k = 0; k < rebuilt->degree[v]; k++)
            text_printf(&text, "%" PRIu32 " %" PRId64 "\n", v + 1,
                        rebuilt->target[rebuilt->start[v] + k] + 1);
    const char *path = check_file("real.mtx", text.data);
    text_free(&text);
    return path;
}

static void read_both(struct run *real, struct rebuilt *rebuilt, struct run *made,
                      const char *traces)
{
    char spec[1024];
    snprintf(spec, sizeof spec, "%s/rodinia-bfs/kernelslist.g", traces);
    run_read(real, spec);
    rebuild(real, rebuilt);
    snprintf(spec, sizeof spec, "bfs:graph=%s,source=%" PRIu32, rebuilt_file(rebuilt),
             rebuilt->source);
    run_read(made, spec);
}

/* ---- tests --------------------------------------------------------------- */

static int count_edges(const struct rebuilt *rebuilt, int64_t from, int64_t to)
{
    int count = 0;
    for (int64_t e = rebuilt->start[from]; e < rebuilt->start[from] + rebuilt->degree[from]; e++)
        count += rebuilt->target[e] == to;
    return count;
}

/* Every slot is loaded once, rows lie in the order of vertices, and the file
 * keeps their order. The trace says nothing of symmetry: that the graph has it
 * shows that targets were read off rightly. */
TEST(test_graph_is_complete_and_kept)
{
    static const uint64_t loads[LEVELS] = {10, 70, 416, 2331, 9608, 11278, 860, 3};
    static struct rebuilt rebuilt;
    struct run real, made;
    struct graph *graph;
    const char *traces;
    int64_t next = 0;
    check_need_traces(traces);
    read_both(&real, &rebuilt, &made, traces);
    for (int level = 0; level < LEVELS; level++)
        assert_int_equal(rebuilt.loads[level], loads[level]);
    check_ok(graph_read(check_path("real.mtx"), &graph, &failure));
    assert_int_equal(graph->n_vertices, VERTICES);
    for (uint32_t v = 0; v < VERTICES; v++) {
        if (rebuilt.degree[v])
            assert_int_equal(rebuilt.start[v], next);
        assert_int_equal(graph->offsets[v], next);
        assert_int_equal(graph_degree(graph, v), rebuilt.degree[v]);
        for (int64_t e = next; e < next + rebuilt.degree[v]; e++) {
            assert_int_equal(graph->targets[e], rebuilt.target[e]);
            assert_int_not_equal(rebuilt.target[e], v);
            assert_int_equal(count_edges(&rebuilt, v, rebuilt.target[e]), 1);
            assert_int_equal(count_edges(&rebuilt, rebuilt.target[e], v), 1);
        }
        next += rebuilt.degree[v];
    }
    assert_int_equal(next, REAL_EDGES);
    graph_destroy(graph);
    run_free(&real);
    run_free(&made);
}

/* The levels at which the machine expanded its vertices are the distances from
 * the source in the rebuilt graph. */
TEST(test_levels_are_distances)
{
    static struct rebuilt rebuilt;
    struct run real, made;
    const char *traces;
    int64_t distance[VERTICES];
    uint32_t queue[VERTICES], head = 0, tail = 1;
    check_need_traces(traces);
    read_both(&real, &rebuilt, &made, traces);
    for (uint32_t v = 0; v < VERTICES; v++)
        distance[v] = v == rebuilt.source ? 0 : UNKNOWN;
    for (queue[0] = rebuilt.source; head < tail; head++) {
        uint32_t v = queue[head];
        for (int64_t e = rebuilt.start[v]; e < rebuilt.start[v] + rebuilt.degree[v]; e++) {
            int64_t id = rebuilt.target[e];
            if (distance[id] == UNKNOWN) {
                distance[id] = distance[v] + 1;
                queue[tail++] = (uint32_t)id;
            }
        }
    }
    for (uint32_t v = 0; v < VERTICES; v++)
        assert_int_equal(rebuilt.level[v], distance[v]);
    assert_int_equal(rebuilt.level[queue[tail - 1]], LEVELS - 1);
    run_free(&real);
    run_free(&made);
}

/* How often each element is read and written in each kernel. */
struct touches {
    uint32_t *reads[KERNELS][N_ARRAYS], *writes[KERNELS][N_ARRAYS];
    struct arena *arena;
};

static struct touches touches_of(const struct run *run)
{
    struct touches t = {.arena = arena_create()};
    for (int k = 0; k < KERNELS; k++)
        for (int a = 0; a < N_ARRAYS; a++) {
            t.reads[k][a] = arena_alloc(t.arena, array_elements[a] * sizeof(uint32_t));
            t.writes[k][a] = arena_alloc(t.arena, array_elements[a] * sizeof(uint32_t));
        }
    for (size_t i = 0; i < run->all.accesses.count; i++) {
        const struct trace_item *item = &run->all.accesses.items[i];
        for (int lane = 0; lane < item->lanes; lane++) {
            uint32_t element;
            enum array a = run_element(run, item->addresses[lane], &element);
            assert_int_equal(item->access.bytes, element_bytes[a]);
            ++(item->access.kind == ACCESS_READ ? t.reads : t.writes)[item->kernel][a][element];
        }
    }
    return t;
}

TEST(test_elements_touched)
{
    static struct rebuilt rebuilt;
    struct run real, made;
    const char *traces;
    check_need_traces(traces);
    read_both(&real, &rebuilt, &made, traces);
    struct touches want = touches_of(&real), got = touches_of(&made);
    for (int k = 0; k < KERNELS; k++)
        for (int a = 0; a < N_ARRAYS; a++)
            for (uint32_t e = 0; e < array_elements[a]; e++)
                if (got.reads[k][a][e] != want.reads[k][a][e] ||
                    got.writes[k][a][e] != want.writes[k][a][e])
                    fail_msg("kernel %d: %s[%" PRIu32 "]: %" PRIu32 " reads and %" PRIu32
                             " writes, in the trace %" PRIu32 " and %" PRIu32,
                             k + 1, array_names[a], e, got.reads[k][a][e], got.writes[k][a][e],
                             want.reads[k][a][e], want.writes[k][a][e]);
    arena_destroy(want.arena);
    arena_destroy(got.arena);
    run_free(&real);
    run_free(&made);
}

static const struct trace_item *next_access(const struct run *run, size_t *at, uint64_t *issued)
{
    while (*at < run->all.accesses.count) {
        const struct trace_item *item = &run->all.accesses.items[(*at)++];
        *issued += item->access.instructions;
        if (item->access.kind != ACCESS_NONE)
            return item;
    }
    return NULL;
}

static bool same_access(const struct run *real, const struct trace_item *x, const struct run *made,
                        const struct trace_item *y)
{
    if (x->kernel != y->kernel || x->cta != y->cta || x->warp != y->warp ||
        x->access.mask != y->access.mask || x->access.kind != y->access.kind ||
        x->access.bytes != y->access.bytes)
        return false;
    for (int lane = 0; lane < x->lanes; lane++) {
        uint32_t e, f;
        if (run_element(real, x->addresses[lane], &e) != run_element(made, y->addresses[lane], &f))
            return false;
        if (e != f)
            return false;
    }
    return true;
}

/* Warp by warp the same accesses in the same order, lane by lane. */
TEST(test_order_within_warps)
{
    static struct rebuilt rebuilt;
    struct run real, made;
    const char *traces;
    size_t at = 0, at_made = 0, count = 0;
    uint64_t issued = 0, issued_made = 0;
    check_need_traces(traces);
    read_both(&real, &rebuilt, &made, traces);
    for (size_t k = 0; k < KERNELS; k++) {
        const struct stream_kernel *x = &real.all.kernels.items[k].launch;
        const struct stream_kernel *y = &made.all.kernels.items[k].launch;
        assert_memory_equal(x->grid, y->grid, sizeof x->grid);
        assert_memory_equal(x->block, y->block, sizeof x->block);
    }
    for (;; count++) {
        const struct trace_item *x = next_access(&real, &at, &issued);
        const struct trace_item *y = next_access(&made, &at_made, &issued_made);
        assert_int_equal(!x, !y);
        if (!x)
            break;
        if (!same_access(&real, x, &made, y))
            fail_msg("access %zu differs (kernel %zu, CTA %" PRIu64 ", warp %u)", count,
                     x->kernel + 1, x->cta, x->warp);
    }
    assert_int_equal(count, 30949);
    check_relative((double)issued_made, (double)issued, 0.001);
    run_free(&real);
    run_free(&made);
}
