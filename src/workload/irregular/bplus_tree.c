/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splitting a full node leaves half of its slots in the left one, which no
 * later key reaches: nodes are half full but for the last of each level. */
#include "workload/irregular/bplus_tree.h"

#include <limits.h>
#include <stdlib.h>

#include "core/memory.h"

struct level {
    uint32_t first, count; /* nodes */
};

/* Splits n things over nodes of `half` each; the last one takes what is left
 * while that fits in a node. */
static uint32_t bplus_nodes(uint32_t n, uint32_t half, uint32_t most)
{
    return n <= most ? 1 : (n - most + half - 1) / half + 1;
}

/* The nodes of a level over `n` things, of which number i begins at key starts[i]. */
static void bplus_fill(struct bplus_tree *tree, struct level level, uint32_t half, uint32_t n,
                       const int32_t *starts, uint32_t first_index, int32_t *own_starts)
{
    for (uint32_t i = 0; i < level.count; i++) {
        int32_t *keys = &tree->keys[(size_t)(level.first + i) * (tree->order + 1)];
        int32_t *indices = &tree->indices[(size_t)(level.first + i) * (tree->order + 1)];
        uint32_t from = i * half, to = i + 1 < level.count ? from + half : n;
        for (uint32_t k = 0; k <= tree->order; k++) {
            bool used = from + k < to;
            keys[k] = used ? starts[from + k] : INT32_MAX;
            indices[k] = used ? (int32_t)(first_index + from + k) : 0;
        }
        own_starts[i] = keys[0];
    }
}

struct bplus_tree *bplus_tree_create(uint32_t n_keys, uint32_t order)
{
    struct bplus_tree *tree = memory_zero(1, sizeof *tree);
    uint32_t half = order / 2, counts[40];
    tree->order = order;
    tree->n_keys = n_keys;
    counts[0] = bplus_nodes(n_keys, half, order - 1);
    while (counts[tree->height] > 1) {
        counts[tree->height + 1] = bplus_nodes(counts[tree->height], half, order - 1);
        tree->height++;
    }
    for (uint32_t l = 0; l <= tree->height; l++)
        tree->n_nodes += counts[l];
    size_t slots = (size_t)tree->n_nodes * (order + 1);
    tree->keys = memory_alloc(slots * sizeof *tree->keys);
    tree->indices = memory_alloc(slots * sizeof *tree->indices);
    int32_t *starts = memory_alloc(n_keys * sizeof *starts);
    for (uint32_t i = 0; i < n_keys; i++)
        starts[i] = (int32_t)i;
    uint32_t end = tree->n_nodes, things = n_keys, first_index = 0;
    for (uint32_t l = 0; l <= tree->height; l++) { /* from the leaves to the root */
        struct level level = {end - counts[l], counts[l]};
        int32_t *own = memory_alloc(level.count * sizeof *own);
        bplus_fill(tree, level, half, things, starts, first_index, own);
        free(starts);
        starts = own;
        end = level.first;
        things = level.count;
        first_index = level.first;
    }
    free(starts);
    return tree;
}

void bplus_tree_destroy(struct bplus_tree *tree)
{
    if (!tree)
        return;
    free(tree->keys);
    free(tree->indices);
    free(tree);
}

uint32_t bplus_tree_slot(const struct bplus_tree *tree, uint32_t node, int32_t key)
{
    const int32_t *keys = &tree->keys[(size_t)node * (tree->order + 1)];
    uint32_t low = 0, high = tree->order; /* keys[low] <= key < keys[high] */
    if (key < keys[0])
        return tree->order;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (keys[middle] <= key)
            low = middle;
        else
            high = middle;
    }
    return low;
}
