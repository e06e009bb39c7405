/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The L1 caches: exact, set-associative, LRU; write-through without allocation,
 * or write-evict. One an SM, or DC-L1's nodes (HPCA 2021): X SMs, Y nodes and Z
 * clusters of M = Y/Z nodes; an SM asks the node of its cluster that the low
 * bits of the line number name. The set of a line is what is left of its number,
 * modulo the sets. */
#ifndef BANDSCAPE_PROFILE_L1_H
#define BANDSCAPE_PROFILE_L1_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/shape.h"

struct l1 {
    uint64_t *tags;      /* line + 1, most recent first in each set; 0: empty */
    uint32_t *valid;     /* sectors of each tag that are there; NULL: lines have one sector */
    bool *used;          /* one a node: holds anything */
    uint64_t sets, mask; /* mask: sets - 1 when they are a power of two, else 0 */
    uint32_t ways, nodes;
    uint32_t sms_per_cluster, nodes_per_cluster;
    bool perfect, write_evict;
    uint64_t *passed; /* accesses that passed each node */
};

/* A shape of no sets has no L1: every read misses. */
void l1_init(struct l1 *l1, const struct shape *shape);
void l1_fini(struct l1 *l1);

/* The node that an SM asks for a line. */
uint32_t l1_node(const struct l1 *l1, uint32_t sm, uint64_t line);
/* Counts an access that passes the line's node, whether it looks the cache up or not. */
void l1_pass(struct l1 *l1, uint32_t sm, uint64_t line);
/* A read: of the sectors that are wanted, those that have to be fetched; they are there
 * afterwards. 0: a hit. */
uint32_t l1_read(struct l1 *l1, uint32_t sm, uint64_t line, uint32_t wanted);
/* A write: a line that is there stays and becomes the most recent, or leaves (write-evict). */
void l1_write(struct l1 *l1, uint32_t sm, uint64_t line);
/* An atomic is performed further down: a copy here would be stale. */
void l1_evict(struct l1 *l1, uint32_t sm, uint64_t line);
/* Empties all of them: a kernel begins, under any coherence, as on the machines of today. */
void l1_flush(struct l1 *l1);

#endif
