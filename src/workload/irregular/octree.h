/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of an adaptive mesh: a cube of root blocks, each split into eight
 * where the surface of a sphere goes through it, level by level; blocks with a
 * face in common differ by one level at most. */
#ifndef BANDSCAPE_WORKLOAD_OCTREE_H
#define BANDSCAPE_WORKLOAD_OCTREE_H

#include <stdint.h>

enum { OCTREE_FACES = 6, OCTREE_CELLS = 10 }; /* cells along a block's edge */

enum octree_side { OCTREE_BOUNDARY, OCTREE_SAME, OCTREE_COARSER, OCTREE_FINER };

/* What lies beyond a face (-x +x -y +y -z +z): a block of the same or the next coarser level,
 * or four finer ones, by quarter (first the lower of the two other axes). For a coarser one,
 * `quarter` is the part of its face that this block touches. */
struct octree_face {
    enum octree_side side;
    uint32_t blocks[4];
    uint32_t quarter;
};

struct octree_block {
    uint32_t level, at[3]; /* in blocks of its level */
    struct octree_face faces[OCTREE_FACES];
};

struct octree {
    uint32_t n_blocks;
    struct octree_block *blocks; /* in the order of a walk, eight children in a row */
};

/* `roots` blocks along an edge, split at most `levels` times (roots << levels <= 256). */
struct octree *octree_create(uint32_t roots, uint32_t levels);
void octree_destroy(struct octree *tree); /* NULL is legal */

#endif
