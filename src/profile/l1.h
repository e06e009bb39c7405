/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The L1 caches, one an SM: exact, set-associative, LRU; write-through without
 * allocation. The set of a line is its number modulo the sets. */
#ifndef BANDSCAPE_PROFILE_L1_H
#define BANDSCAPE_PROFILE_L1_H

#include <stdbool.h>
#include <stdint.h>

struct l1 {
    uint64_t *tags;      /* line + 1, most recent first in each set; 0: empty */
    bool *used;          /* one an SM: holds anything */
    uint64_t sets, mask; /* mask: sets - 1 when they are a power of two, else 0 */
    uint32_t ways, sms;
};

/* sets 0: no L1; every read misses. */
void l1_init(struct l1 *l1, uint32_t sms, uint64_t sets, uint32_t ways);
void l1_fini(struct l1 *l1);

/* A read: true when it hits; a miss fills the line. */
bool l1_read(struct l1 *l1, uint32_t sm, uint64_t line);
/* A write: a line that is there stays and becomes the most recent. */
void l1_write(struct l1 *l1, uint32_t sm, uint64_t line);
/* An atomic is performed further down: a copy here would be stale. */
void l1_evict(struct l1 *l1, uint32_t sm, uint64_t line);
/* Empties all of them: a kernel begins, under any coherence, as on the machines of today. */
void l1_flush(struct l1 *l1);

#endif
