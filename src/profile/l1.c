/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1 caches: each set is an array of tags in LRU order. */
#include "profile/l1.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void l1_init(struct l1 *l1, const struct shape *shape)
{
    *l1 = (struct l1){
        .sets = shape->l1_sets,
        .ways = shape->l1_ways,
        .nodes = shape->l1_nodes,
        .sms_per_cluster = shape->sms / shape->l1_clusters,
        .nodes_per_cluster = shape->l1_nodes / shape->l1_clusters,
        .perfect = shape->l1_perfect,
        .write_evict = shape->l1_write_evict,
    };
    size_t tags = (size_t)l1->nodes * l1->sets * l1->ways;
    l1->mask = l1->sets & (l1->sets - 1) ? 0 : l1->sets - 1;
    l1->tags = memory_zero(tags, sizeof *l1->tags);
    l1->valid = shape->sectors > 1 ? memory_zero(tags, sizeof *l1->valid) : NULL;
    l1->used = memory_zero(l1->nodes, sizeof *l1->used);
    l1->passed = memory_zero(l1->nodes, sizeof *l1->passed);
}

void l1_fini(struct l1 *l1)
{
    free(l1->tags);
    free(l1->valid);
    free(l1->used);
    free(l1->passed);
    *l1 = (struct l1){0};
}

uint32_t l1_node(const struct l1 *l1, uint32_t sm, uint64_t line)
{
    if (l1->nodes_per_cluster == 1)
        return sm / l1->sms_per_cluster;
    return sm / l1->sms_per_cluster * l1->nodes_per_cluster +
           (uint32_t)(line % l1->nodes_per_cluster);
}

/* Where the line's set begins. */
static inline size_t set_of(const struct l1 *l1, uint32_t node, uint64_t line)
{
    uint64_t rest = l1->nodes_per_cluster == 1 ? line : line / l1->nodes_per_cluster;
    uint64_t set = l1->mask || l1->sets == 1 ? rest & l1->mask : rest % l1->sets;
    return (node * l1->sets + set) * l1->ways;
}

/* Where the tag stands; `ways` when it does not. */
static inline uint32_t set_find(const uint64_t *set, uint32_t ways, uint64_t tag)
{
    uint32_t way = 0;
    while (way < ways && set[way] != tag)
        way++;
    return way;
}

/* Moves a way to the front. */
static inline void set_promote(struct l1 *l1, size_t set, uint32_t way, uint64_t tag,
                               uint32_t valid)
{
    for (uint32_t w = way; w > 0; w--)
        l1->tags[set + w] = l1->tags[set + w - 1];
    l1->tags[set] = tag;
    if (!l1->valid)
        return;
    for (uint32_t w = way; w > 0; w--)
        l1->valid[set + w] = l1->valid[set + w - 1];
    l1->valid[set] = valid;
}

void l1_pass(struct l1 *l1, uint32_t sm, uint64_t line)
{
    l1->passed[l1_node(l1, sm, line)]++;
}

uint32_t l1_read(struct l1 *l1, uint32_t sm, uint64_t line, uint32_t wanted)
{
    uint32_t node = l1_node(l1, sm, line);
    if (l1->perfect)
        return 0;
    if (l1->sets == 0)
        return wanted;
    size_t set = set_of(l1, node, line);
    uint32_t way = set_find(l1->tags + set, l1->ways, line + 1);
    bool there = way < l1->ways;
    uint32_t valid = !there ? 0 : l1->valid ? l1->valid[set + way] : wanted;
    set_promote(l1, set, there ? way : l1->ways - 1, line + 1, valid | wanted);
    l1->used[node] = true;
    return wanted & ~valid;
}

void l1_evict(struct l1 *l1, uint32_t sm, uint64_t line)
{
    uint32_t node = l1_node(l1, sm, line);
    if (l1->sets == 0)
        return;
    size_t set = set_of(l1, node, line);
    uint32_t way = set_find(l1->tags + set, l1->ways, line + 1);
    if (way == l1->ways)
        return;
    for (; way + 1 < l1->ways; way++) {
        l1->tags[set + way] = l1->tags[set + way + 1];
        if (l1->valid)
            l1->valid[set + way] = l1->valid[set + way + 1];
    }
    l1->tags[set + way] = 0;
}

void l1_write(struct l1 *l1, uint32_t sm, uint64_t line)
{
    if (l1->write_evict) {
        l1_evict(l1, sm, line);
        return;
    }
    uint32_t node = l1_node(l1, sm, line);
    if (l1->sets == 0)
        return;
    size_t set = set_of(l1, node, line);
    uint32_t way = set_find(l1->tags + set, l1->ways, line + 1);
    if (way < l1->ways)
        set_promote(l1, set, way, line + 1, l1->valid ? l1->valid[set + way] : 0);
}

void l1_flush(struct l1 *l1)
{
    size_t tags = l1->sets * l1->ways;
    for (uint32_t node = 0; node < l1->nodes; node++) {
        if (l1->used[node])
            memset(l1->tags + node * tags, 0, tags * sizeof *l1->tags);
        l1->used[node] = false;
        l1->passed[node] = 0;
    }
}
