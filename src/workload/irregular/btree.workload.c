/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rodinia's b+tree: queries by key and by range, a block a query and a thread a
 * slot of a node. Of a node's threads, the one whose slot covers the key goes on:
 *
 *     findK:  for (i < height) {
 *                 if (keys[curr][t] <= key && keys[curr][t + 1] > key)
 *                     if (indices[offset][t] < n_nodes) offset = indices[offset][t];
 *                 barrier; if (t == 0) curr = offset; barrier; }
 *             if (keys[curr][t] == key) answer = records[indices[curr][t]];
 *
 * with curr, offset, key and answer in memory, one of each a query; findRangeK
 * does it for both ends of a range. A block touches only its own of them, so
 * blocks see the same in any order. */
#include <stdlib.h>

#include "workload/irregular/bplus_tree.h"
#include "workload/irregular/random.h"
#include "workload/irregular/warp_code.h"

enum array {
    NODES,
    RECORDS,
    CURRENT, /* findK */
    OFFSET,
    KEYS,
    ANSWERS,
    RANGE_CURRENT, /* findRangeK */
    RANGE_OFFSET,
    RANGE_LAST,
    RANGE_OFFSET_2,
    RANGE_START,
    RANGE_END,
    RANGE_FIRST_RECORD,
    RANGE_LENGTH
};

struct btree {
    struct kernel_source base;
    struct bplus_tree *tree;
    uint32_t n_queries, n_ranges;
    int32_t *keys, *starts, *ends;
};

struct btree_warp {
    struct kernel_warp base;
    uint32_t level;
    uint32_t node, last; /* where the searches are */
    uint32_t hit;        /* the lane whose slot covers the key, as a mask */
    uint32_t slot;
};

/* Members of a node: location, indices[order + 1], keys[order + 1], is_leaf, num_keys. */
#define INDEX_OF(slot) (4 + 4 * (uint64_t)(slot))
#define KEY_OF(slot) (4 + 4 * (uint64_t)(tree->order + 1 + (slot)))

/* The warp's threads of a node look for the one that covers the key. */
static void btree_look(const struct bplus_tree *tree, struct btree_warp *w, uint32_t node,
                       int32_t key)
{
    w->slot = bplus_tree_slot(tree, node, key);
    w->hit = w->slot / WARP_LANES == w->base.warp && w->slot < tree->order
                 ? (uint32_t)1 << w->slot % WARP_LANES
                 : 0;
}

/* Threads whose slot begins at or before the key: they load the next slot's key as well. */
static uint32_t btree_from(const struct btree_warp *w)
{
    uint32_t first = w->base.warp * WARP_LANES;
    return w->slot < first ? 0
           : w->slot - first >= WARP_LANES - 1
               ? w->base.lanes
               : w->base.lanes & (((uint32_t)2 << (w->slot - first)) - 1);
}

/* Where the slot that was found leads to. */
static uint32_t btree_child(const struct bplus_tree *tree, const struct btree_warp *w,
                            uint32_t node)
{
    return (uint32_t)tree->indices[(size_t)node * (tree->order + 1) + w->slot];
}

/* One level for one end: node numbers in `current` and `offset`, the key in `wanted`. */
#define BTREE_LEVEL(current, offset, from, wanted, place, key)                                     \
    do {                                                                                           \
        btree_look(tree, w, place, key);                                                           \
        WARP_READ(current, warp->lanes, query);                                                    \
        WARP_COMPUTE(2);                                                                           \
        WARP_READ_AT(NODES, warp->lanes, place, KEY_OF(thread + lane), 4);                         \
        WARP_READ_TOO(wanted, warp->lanes, query);                                                 \
        WARP_COMPUTE(2);                                                                           \
        WARP_READ_AT(NODES, btree_from(w), place, KEY_OF(thread + lane + 1), 4);                   \
        WARP_READ(from, w->hit, query);                                                            \
        WARP_READ_AT(NODES, w->hit, place, INDEX_OF(thread + lane), 4);                            \
        WARP_COMPUTE(2);                                                                           \
        WARP_WRITE(offset, w->hit, query);                                                         \
        place = btree_child(tree, w, place);                                                       \
    } while (0)

/* The leaf, likewise: the thread whose key it is loads the record's number. */
#define BTREE_LEAF(current, wanted, place, key)                                                    \
    do {                                                                                           \
        btree_look(tree, w, place, key);                                                           \
        WARP_READ(current, warp->lanes, query);                                                    \
        WARP_READ_AT(NODES, warp->lanes, place, KEY_OF(thread + lane), 4);                         \
        WARP_READ_TOO(wanted, warp->lanes, query);                                                 \
        WARP_COMPUTE(2);                                                                           \
        WARP_READ_AT(NODES, w->hit, place, INDEX_OF(thread + lane), 4);                            \
    } while (0)

static bool btree_find(const struct kernel_pass *pass, struct kernel_warp *warp,
                       struct warp_buffer *out)
{
    const struct btree *s = (const struct btree *)pass->source;
    const struct bplus_tree *tree = s->tree;
    const uint32_t query = warp->cta, thread = warp->warp * WARP_LANES;
    const int32_t key = s->keys[query];
    struct btree_warp *w = (struct btree_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    for (; w->level < tree->height; w->level++) {
        BTREE_LEVEL(CURRENT, OFFSET, OFFSET, KEYS, w->node, key);
        WARP_READ(OFFSET, warp->warp == 0, query);
        WARP_WRITE(CURRENT, warp->warp == 0, query);
        WARP_COMPUTE(3);
    }
    BTREE_LEAF(CURRENT, KEYS, w->node, key);
    WARP_READ(RECORDS, w->hit, btree_child(tree, w, w->node));
    WARP_WRITE(ANSWERS, w->hit, query);
    WARP_END;
}

static bool btree_find_range(const struct kernel_pass *pass, struct kernel_warp *warp,
                             struct warp_buffer *out)
{
    const struct btree *s = (const struct btree *)pass->source;
    const struct bplus_tree *tree = s->tree;
    const uint32_t query = warp->cta, thread = warp->warp * WARP_LANES;
    const int32_t start = s->starts[query], end = s->ends[query];
    struct btree_warp *w = (struct btree_warp *)warp;
    WARP_BEGIN;
    WARP_COMPUTE(4);
    for (; w->level < tree->height; w->level++) {
        BTREE_LEVEL(RANGE_CURRENT, RANGE_OFFSET, RANGE_CURRENT, RANGE_START, w->node, start);
        BTREE_LEVEL(RANGE_LAST, RANGE_OFFSET_2, RANGE_LAST, RANGE_END, w->last, end);
        WARP_READ(RANGE_OFFSET, warp->warp == 0, query);
        WARP_WRITE(RANGE_CURRENT, warp->warp == 0, query);
        WARP_READ(RANGE_OFFSET_2, warp->warp == 0, query);
        WARP_WRITE(RANGE_LAST, warp->warp == 0, query);
        WARP_COMPUTE(3);
    }
    BTREE_LEAF(RANGE_CURRENT, RANGE_START, w->node, start);
    WARP_WRITE(RANGE_FIRST_RECORD, w->hit, query);
    BTREE_LEAF(RANGE_LAST, RANGE_END, w->last, end);
    WARP_READ(RANGE_FIRST_RECORD, w->hit, query);
    WARP_COMPUTE(2);
    WARP_WRITE(RANGE_LENGTH, w->hit, query);
    WARP_END;
}

static bool btree_next(struct kernel_pass *pass, struct kernel_launch *out)
{
    const struct btree *s = (const struct btree *)pass->source;
    bool ranges = pass->launches == 1 || s->n_queries == 0;
    if (pass->launches == (s->n_queries > 0) + (uint64_t)(s->n_ranges > 0))
        return false;
    *out = (struct kernel_launch){.name = ranges ? "findRangeK" : "findK",
                                  .grid = {ranges ? s->n_ranges : s->n_queries},
                                  .block = {s->tree->order},
                                  .warp_size = sizeof(struct btree_warp),
                                  .code = ranges ? btree_find_range : btree_find};
    return true;
}

static void btree_destroy(struct kernel_source *source)
{
    struct btree *s = (struct btree *)source;
    bplus_tree_destroy(s->tree);
    free(s->keys);
    free(s->starts);
    free(s->ends);
}

static const struct kernel_class btree_class = {.next = btree_next, .destroy = btree_destroy};

/* ---- the workload ------------------------------------------------------- */

enum { KEYS_IN_TREE, ORDER, QUERIES, RANGES, LENGTH, SEED, N_PARAMETERS };

static const struct workload_parameter btree_parameters[] = {
    [KEYS_IN_TREE] = {"keys", "1830000", "keys in the tree"},
    [ORDER] = {"order", "508", "slots of a node, and threads of a block"},
    [QUERIES] = {"queries", "20000", "of findK; 0: no launch"},
    [RANGES] = {"ranges", "12000", "of findRangeK; 0: no launch"},
    [LENGTH] = {"length", "3000", "keys of a range"},
    [SEED] = {"seed", "1", "of the queries"},
    {NULL, NULL, NULL}};

static void btree_draw(struct btree *s, uint32_t n_keys, uint32_t length, uint64_t seed)
{
    struct random random = random_begin(seed);
    s->keys = memory_alloc(s->n_queries * sizeof *s->keys);
    s->starts = memory_alloc(s->n_ranges * sizeof *s->starts);
    s->ends = memory_alloc(s->n_ranges * sizeof *s->ends);
    for (uint32_t i = 0; i < s->n_queries; i++)
        s->keys[i] = (int32_t)random_below(&random, n_keys);
    for (uint32_t i = 0; i < s->n_ranges; i++) {
        s->starts[i] = (int32_t)random_below(&random, n_keys - length + 1);
        s->ends[i] = s->starts[i] + (int32_t)length - 1;
    }
}

static void btree_place(struct btree *s)
{
    struct kernel_source *source = &s->base;
    uint64_t q = s->n_queries, r = s->n_ranges;
    kernel_place(source, "knodes", s->tree->n_nodes, 4 + 2 * 4 * (s->tree->order + 1) + 8);
    kernel_place(source, "records", s->tree->n_keys, 4);
    kernel_place(source, "currKnode", q, 8);
    kernel_place(source, "offset", q, 8);
    kernel_place(source, "keys", q, 4);
    kernel_place(source, "ans", q, 4);
    kernel_place(source, "currKnode (range)", r, 8);
    kernel_place(source, "offset (range)", r, 8);
    kernel_place(source, "lastKnode", r, 8);
    kernel_place(source, "offset_2", r, 8);
    kernel_place(source, "start", r, 4);
    kernel_place(source, "end", r, 4);
    kernel_place(source, "recstart", r, 4);
    kernel_place(source, "reclength", r, 4);
}

static int btree_open(const struct workload *workload, const char *const *values,
                      struct source **out, struct error *error)
{
    static const struct kernel_range ranges[] = {{1, 100000000}, {4, 1024},      {0, 10000000},
                                                 {0, 10000000},  {1, 100000000}, {0, INT64_MAX}};
    int64_t v[N_PARAMETERS];
    int status = kernel_integers(workload, values, 0, ranges, N_PARAMETERS, v, error);
    if (status)
        return status;
    if (v[QUERIES] + v[RANGES] == 0)
        return error_set(error, STATUS_INPUT, "queries=0 and ranges=0: nothing to find");
    if (v[LENGTH] > v[KEYS_IN_TREE])
        return error_set(error, STATUS_INPUT, "length=%lld: more than the %lld keys of the tree",
                         (long long)v[LENGTH], (long long)v[KEYS_IN_TREE]);
    struct btree *s = kernel_source_create(workload, &btree_class, sizeof *s);
    s->tree = bplus_tree_create((uint32_t)v[KEYS_IN_TREE], (uint32_t)v[ORDER]);
    s->n_queries = (uint32_t)v[QUERIES];
    s->n_ranges = (uint32_t)v[RANGES];
    btree_draw(s, (uint32_t)v[KEYS_IN_TREE], (uint32_t)v[LENGTH], (uint64_t)v[SEED]);
    btree_place(s);
    return kernel_source_finish_values(&s->base, "rodinia b+tree 1", v, N_PARAMETERS, out, error);
}

static const struct workload_input btree_inputs[] = {
    {"small", "keys=20000,order=64,queries=300,ranges=200,length=100"},
    {"published-sac", "keys=1830000,queries=48096,ranges=48096"},
    {"published-nuba", "keys=2400000,queries=48096,ranges=48096"},
    {NULL, NULL}};

static const struct workload_scale btree_scale[] = {{"keys", "keys*size"}, {NULL, NULL}};

const struct workload workload_btree = {
    .plugin = {.kind = "workload",
               .name = "btree",
               .summary = "queries of a B+ tree by key and by range, a block a query",
               .reference = "Che et al., Rodinia, IISWC 2009; Fix, Wilkes and Skadron, A4MMC 2011"},
    .suite = "Rodinia",
    .page =
        "Rodinia's b+tree: findK finds keys, then findRangeK ranges of 3 000 keys, in a tree of\n"
        "order 508. Rodinia's script asks for 10 000 keys and 6 000 ranges in a tree of a\n"
        "million keys; the default asks twice as often in the tree of published-sac. A block of "
        "508 threads a query goes down the tree, a thread a slot. The\n"
        "tree is the one that insertion in ascending order leaves, nodes half full, 4 084 B a\n"
        "node; which records Rodinia's file holds in which order does not matter otherwise.\n"
        "Keys and ranges are drawn uniformly from a seed.\n"
        "published-sac: 48 096 CTAs and 31 MB are published, neither of which follows from\n"
        "Rodinia's script: 48 096 queries of either kind, and 1.83 million keys for 31 MB of\n"
        "lines that are touched.\n"
        "published-nuba: 39 MB, by 2.4 million keys. Instructions between accesses are\n"
        "estimates.\n"
        "What is said of Rodinia's code and inputs is from memory, not checked against its\n"
        "source.\n",
    .parameters = btree_parameters,
    .inputs = btree_inputs,
    .scale = btree_scale,
    .open = btree_open};
