/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table from 64-bit keys to 64-bit values, for readers that meet warps or CTAs
 * in any order: open addressing, at most half full, entries never removed. */
#ifndef BANDSCAPE_TRACE_KEY_TABLE_H
#define BANDSCAPE_TRACE_KEY_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct key_entry {
    uint64_t key; /* 0: free */
    uint64_t value;
};

/* All zero is an empty table. To visit all entries, go through `slots` and pass
 * over the free ones. */
struct key_table {
    struct key_entry *slots;
    size_t size; /* a power of two, or 0 */
    size_t used;
};

/* The value of a key (not 0); a new one has the value 0. Valid until the next call. */
uint64_t *key_table_enter(struct key_table *table, uint64_t key);
/* The same without entering it: NULL when it is not there. */
const uint64_t *key_table_find(const struct key_table *table, uint64_t key);
void key_table_fini(struct key_table *table);

#endif
