/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A B+ tree of integer keys 0, 1, 2, ..., as insertion in ascending order
 * leaves it, in Rodinia's layout for the GPU: an array of nodes, level by level
 * from the root. */
#ifndef BANDSCAPE_WORKLOAD_BPLUS_TREE_H
#define BANDSCAPE_WORKLOAD_BPLUS_TREE_H

#include <stdbool.h>
#include <stdint.h>

/* A node's slot k covers the keys keys[k] <= key < keys[k + 1]; what it leads to
 * is the number of a node, in a leaf that of a record. Slots behind the last one
 * begin at INT32_MAX. */
struct bplus_tree {
    uint32_t order;  /* slots of a node */
    uint32_t height; /* levels above the leaves */
    uint32_t n_nodes;
    uint32_t n_keys;
    int32_t *keys;    /* order + 1 of each node */
    int32_t *indices; /* order + 1 of each node */
};

struct bplus_tree *bplus_tree_create(uint32_t n_keys, uint32_t order);
void bplus_tree_destroy(struct bplus_tree *tree); /* NULL is legal */

/* The slot of a node that covers the key; `order` when there is none. */
uint32_t bplus_tree_slot(const struct bplus_tree *tree, uint32_t node, int32_t key);

#endif
