/* SPDX-License-Identifier: GPL-3.0-or-later */
/* B+ trees, and queries of them against a plain C execution of the kernels. */
#include "kernel_check.h"
#include "workload/irregular/bplus_tree.h"
#include "workload/irregular/random.h"

enum {
    NODES,
    RECORDS,
    CURRENT,
    OFFSET,
    KEYS,
    ANSWERS,
    RANGE_CURRENT,
    RANGE_OFFSET,
    RANGE_LAST,
    RANGE_OFFSET_2,
    RANGE_START,
    RANGE_END,
    RANGE_FIRST_RECORD,
    RANGE_LENGTH
};

/* Every key is found, at every size around those where nodes fill up. */
TEST(test_trees)
{
    for (uint32_t order = 4; order < 10; order++)
        for (uint32_t n = 1; n < 400; n += n < 100 ? 1 : 37) {
            struct bplus_tree *tree = bplus_tree_create(n, order);
            for (uint32_t key = 0; key < n; key++) {
                uint32_t node = 0, slot;
                for (uint32_t level = 0; level <= tree->height; level++) {
                    slot = bplus_tree_slot(tree, node, (int32_t)key);
                    assert_true(slot < order);
                    const int32_t *keys = &tree->keys[node * (order + 1)];
                    assert_true(keys[slot] <= (int32_t)key && keys[slot + 1] > (int32_t)key);
                    if (level == tree->height)
                        assert_int_equal(keys[slot], key);
                    uint32_t next = (uint32_t)tree->indices[node * (order + 1) + slot];
                    assert_true(level == tree->height || (next > node && next < tree->n_nodes));
                    node = next;
                }
                assert_int_equal(node, key); /* the record */
            }
            bplus_tree_destroy(tree);
        }
}

struct queries {
    struct kernel_counts c;
    const struct bplus_tree *tree;
};

#define c (q->c)

static uint64_t key_word(const struct queries *q, uint32_t node, uint32_t slot)
{
    uint32_t words = 2 * (q->tree->order + 1) + 3;
    return (uint64_t)node * words + 1 + q->tree->order + 1 + slot;
}

static int32_t key_at(const struct queries *q, uint32_t node, uint32_t slot)
{
    return q->tree->keys[node * (q->tree->order + 1) + slot];
}

static void read_long(struct queries *q, int array, uint32_t i)
{
    R(array, 2 * i);
    R(array, 2 * i + 1);
}

static void write_long(struct queries *q, int array, uint32_t i)
{
    W(array, 2 * i);
    W(array, 2 * i + 1);
}

/* One level for one end of a query, all threads of the block; returns the next node. */
static uint32_t level(struct queries *q, uint32_t i, uint32_t node, int32_t key, int current,
                      int offset, int from, int wanted)
{
    uint32_t next = UINT32_MAX;
    for (uint32_t t = 0; t < q->tree->order; t++) {
        read_long(q, current, i);
        R(NODES, key_word(q, node, t));
        R(wanted, i);
        if (key_at(q, node, t) > key)
            continue;
        R(NODES, key_word(q, node, t + 1));
        if (key_at(q, node, t + 1) <= key)
            continue;
        read_long(q, from, i);
        R(NODES, key_word(q, node, t) - (q->tree->order + 1));
        write_long(q, offset, i);
        next = (uint32_t)q->tree->indices[node * (q->tree->order + 1) + t];
    }
    return next;
}

/* At the leaf: the record, read as an index. */
static uint32_t leaf(struct queries *q, uint32_t i, uint32_t node, int32_t key, int current,
                     int wanted)
{
    uint32_t record = UINT32_MAX;
    for (uint32_t t = 0; t < q->tree->order; t++) {
        read_long(q, current, i);
        R(NODES, key_word(q, node, t));
        R(wanted, i);
        if (key_at(q, node, t) != key)
            continue;
        R(NODES, key_word(q, node, t) - (q->tree->order + 1));
        record = (uint32_t)q->tree->indices[node * (q->tree->order + 1) + t];
    }
    return record;
}

static void find(struct queries *q, uint32_t i, int32_t key)
{
    uint32_t node = 0;
    for (uint32_t l = 0; l < q->tree->height; l++) {
        node = level(q, i, node, key, CURRENT, OFFSET, OFFSET, KEYS);
        read_long(q, OFFSET, i);
        write_long(q, CURRENT, i);
    }
    uint32_t record = leaf(q, i, node, key, CURRENT, KEYS);
    assert_int_equal(record, key);
    R(RECORDS, record);
    W(ANSWERS, i);
}

static void find_range(struct queries *q, uint32_t i, int32_t start, int32_t end)
{
    uint32_t node = 0, last = 0;
    for (uint32_t l = 0; l < q->tree->height; l++) {
        node = level(q, i, node, start, RANGE_CURRENT, RANGE_OFFSET, RANGE_CURRENT, RANGE_START);
        last = level(q, i, last, end, RANGE_LAST, RANGE_OFFSET_2, RANGE_LAST, RANGE_END);
        read_long(q, RANGE_OFFSET, i);
        write_long(q, RANGE_CURRENT, i);
        read_long(q, RANGE_OFFSET_2, i);
        write_long(q, RANGE_LAST, i);
    }
    assert_int_equal(leaf(q, i, node, start, RANGE_CURRENT, RANGE_START), start);
    W(RANGE_FIRST_RECORD, i);
    assert_int_equal(leaf(q, i, last, end, RANGE_LAST, RANGE_END), end);
    R(RANGE_FIRST_RECORD, i);
    W(RANGE_LENGTH, i);
}

TEST(test_queries)
{
    enum { N = 3000, ORDER = 40, QUERIES = 50, RANGES = 30, LENGTH = 100 };
    static const struct {
        const char *name;
        uint32_t words;
    } arrays[] = {{"currKnode", 2 * QUERIES},
                  {"offset", 2 * QUERIES},
                  {"keys", QUERIES},
                  {"ans", QUERIES},
                  {"currKnode (range)", 2 * RANGES},
                  {"offset (range)", 2 * RANGES},
                  {"lastKnode", 2 * RANGES},
                  {"offset_2", 2 * RANGES},
                  {"start", RANGES},
                  {"end", RANGES},
                  {"recstart", RANGES},
                  {"reclength", RANGES}};
    struct bplus_tree *tree = bplus_tree_create(N, ORDER);
    struct random random = random_begin(5);
    struct queries queries = {.tree = tree}, *q = &queries;
    assert_int_equal(tree->height, 2);
    kernel_counts_add(&c, "knodes", (uint64_t)tree->n_nodes * (2 * (ORDER + 1) + 3), 4);
    kernel_counts_add(&c, "records", N, 4);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        kernel_counts_add(&c, arrays[i].name, arrays[i].words, 4);
    for (uint32_t i = 0; i < QUERIES; i++)
        find(q, i, (int32_t)random_below(&random, N));
    for (uint32_t i = 0; i < RANGES; i++) {
        int32_t start = (int32_t)random_below(&random, N - LENGTH + 1);
        find_range(q, i, start, start + LENGTH - 1);
    }
    kernel_check_counts("btree:keys=3000,order=40,queries=50,ranges=30,length=100,seed=5", &c,
                        "findK findRangeK");
    bplus_tree_destroy(tree);
}
