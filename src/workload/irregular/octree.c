/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels are kept in a dense map of the finest blocks: simple, and small beside
 * the cells of the blocks. */
#include "workload/irregular/octree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

struct map {
    uint32_t side, levels; /* finest blocks along an edge */
    uint8_t *level;        /* of the block over each of them */
    uint32_t *block;       /* its number */
};

static size_t map_at(const struct map *map, const uint32_t at[3])
{
    return ((size_t)at[2] * map->side + at[1]) * map->side + at[0];
}

/* Does the sphere's surface (centre in the middle, radius 0.3 of the edge) cross a cube?
 * Compares the nearest and the farthest point's distances, in units of the finest blocks. */
static bool map_crossed(const struct map *map, const uint32_t at[3], uint32_t size)
{
    double near = 0.0, far = 0.0, radius = 0.3 * map->side;
    for (int d = 0; d < 3; d++) {
        double low = at[d] - 0.5 * map->side, high = low + size;
        double a = low * low, b = high * high;
        near += low <= 0.0 && high >= 0.0 ? 0.0 : a < b ? a : b;
        far += a > b ? a : b;
    }
    return near <= radius * radius && far >= radius * radius;
}

static void map_set(struct map *map, const uint32_t at[3], uint32_t size, uint8_t level)
{
    for (uint32_t z = at[2]; z < at[2] + size; z++)
        for (uint32_t y = at[1]; y < at[1] + size; y++)
            memset(&map->level[map_at(map, (const uint32_t[]){at[0], y, z})], level, size);
}

/* Splits the block over a place. */
static void map_split(struct map *map, const uint32_t at[3])
{
    uint8_t level = map->level[map_at(map, at)];
    uint32_t size = (uint32_t)1 << (map->levels - level), corner[3];
    for (int d = 0; d < 3; d++)
        corner[d] = at[d] / size * size;
    map_set(map, corner, size, level + 1);
}

static void map_refine(struct map *map)
{
    uint32_t at[3];
    for (uint32_t level = 0; level < map->levels; level++) {
        uint32_t size = (uint32_t)1 << (map->levels - level);
        for (at[2] = 0; at[2] < map->side; at[2] += size)
            for (at[1] = 0; at[1] < map->side; at[1] += size)
                for (at[0] = 0; at[0] < map->side; at[0] += size)
                    if (map->level[map_at(map, at)] == level && map_crossed(map, at, size))
                        map_split(map, at);
    }
}

/* One look at all pairs of places that share a face; true when something was split. */
static bool map_balance(struct map *map)
{
    bool any = false;
    uint32_t at[3];
    for (at[2] = 0; at[2] < map->side; at[2]++)
        for (at[1] = 0; at[1] < map->side; at[1]++)
            for (at[0] = 0; at[0] < map->side; at[0]++)
                for (int d = 0; d < 3; d++) {
                    uint32_t other[3] = {at[0], at[1], at[2]};
                    if (++other[d] == map->side)
                        continue;
                    int a = map->level[map_at(map, at)], b = map->level[map_at(map, other)];
                    if (a + 1 < b)
                        map_split(map, at);
                    else if (b + 1 < a)
                        map_split(map, other);
                    any = any || a + 1 < b || b + 1 < a;
                }
    return any;
}

/* ---- blocks ------------------------------------------------------------- */

static void octree_walk(struct octree *tree, struct map *map, const uint32_t at[3], uint32_t level)
{
    uint32_t size = (uint32_t)1 << (map->levels - level);
    if (map->level[map_at(map, at)] > level) {
        for (uint32_t k = 0; k < 8; k++) {
            const uint32_t child[3] = {at[0] + (k & 1) * size / 2, at[1] + (k >> 1 & 1) * size / 2,
                                       at[2] + (k >> 2) * size / 2};
            octree_walk(tree, map, child, level + 1);
        }
        return;
    }
    if (tree->blocks) {
        struct octree_block *block = &tree->blocks[tree->n_blocks];
        block->level = level;
        for (int d = 0; d < 3; d++)
            block->at[d] = at[d] / size;
        for (uint32_t z = at[2]; z < at[2] + size; z++)
            for (uint32_t y = at[1]; y < at[1] + size; y++)
                for (uint32_t x = at[0]; x < at[0] + size; x++)
                    map->block[map_at(map, (const uint32_t[]){x, y, z})] = tree->n_blocks;
    }
    tree->n_blocks++;
}

static void octree_walk_all(struct octree *tree, struct map *map)
{
    uint32_t size = (uint32_t)1 << map->levels, at[3];
    tree->n_blocks = 0;
    for (at[2] = 0; at[2] < map->side; at[2] += size)
        for (at[1] = 0; at[1] < map->side; at[1] += size)
            for (at[0] = 0; at[0] < map->side; at[0] += size)
                octree_walk(tree, map, at, 0);
}

static struct octree_face octree_look(const struct map *map, const struct octree_block *block,
                                      int face)
{
    struct octree_face result = {.side = OCTREE_BOUNDARY};
    uint32_t size = (uint32_t)1 << (map->levels - block->level), beyond[3];
    int d = face / 2, u = d == 0 ? 1 : 0, v = d == 2 ? 1 : 2; /* the other axes */
    for (int i = 0; i < 3; i++)
        beyond[i] = block->at[i] * size;
    if (face % 2 ? beyond[d] + size == map->side : beyond[d] == 0)
        return result;
    beyond[d] = face % 2 ? beyond[d] + size : beyond[d] - 1;
    uint32_t level = map->level[map_at(map, beyond)];
    result.side = level == block->level  ? OCTREE_SAME
                  : level < block->level ? OCTREE_COARSER
                                         : OCTREE_FINER;
    result.quarter = block->at[u] % 2 + 2 * (block->at[v] % 2);
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t at[3] = {beyond[0], beyond[1], beyond[2]};
        if (result.side == OCTREE_FINER) {
            at[u] += (k & 1) * size / 2;
            at[v] += (k >> 1) * size / 2;
        }
        result.blocks[k] = map->block[map_at(map, at)];
    }
    return result;
}

struct octree *octree_create(uint32_t roots, uint32_t levels)
{
    struct octree *tree = memory_zero(1, sizeof *tree);
    struct map map = {.side = roots << levels, .levels = levels};
    size_t n = (size_t)map.side * map.side * map.side;
    map.level = memory_zero(n, 1);
    map.block = memory_zero(n, sizeof *map.block);
    map_refine(&map);
    while (map_balance(&map))
        ;
    octree_walk_all(tree, &map); /* counts */
    tree->blocks = memory_zero(tree->n_blocks, sizeof *tree->blocks);
    octree_walk_all(tree, &map);
    for (uint32_t b = 0; b < tree->n_blocks; b++)
        for (int face = 0; face < OCTREE_FACES; face++)
            tree->blocks[b].faces[face] = octree_look(&map, &tree->blocks[b], face);
    free(map.level);
    free(map.block);
    return tree;
}

void octree_destroy(struct octree *tree)
{
    if (!tree)
        return;
    free(tree->blocks);
    free(tree);
}
