/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of items with 64-bit keys that come in any order: open addressing, at
 * most half full, entries never removed. Inline, since traces ask for each access. */
#ifndef BANDSCAPE_CORE_KEY_TABLE_H
#define BANDSCAPE_CORE_KEY_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/hash.h"

/* All zero but the size of an item is an empty table. An item is a struct whose first member is
 * its key, a uint64_t that is not 0. To visit all, go through `size` items of `item_bytes` and
 * pass over those with key 0. */
struct key_table {
    size_t item_bytes;
    unsigned char *items;
    size_t size; /* a power of two, or 0 */
    size_t used;
};

/* An item that is a number. */
struct key_value {
    uint64_t key, value;
};

/* Where the key's item is or would be; the table is not empty. */
static inline void *key_table_place(const struct key_table *table, uint64_t key)
{
    size_t at = (size_t)hash_fmix64(key) & (table->size - 1);
    for (;; at = (at + 1) & (table->size - 1)) {
        uint64_t *item = (uint64_t *)(void *)(table->items + at * table->item_bytes);
        if (*item == 0 || *item == key)
            return item;
    }
}

/* The item of a key, or NULL. */
static inline void *key_table_find(const struct key_table *table, uint64_t key)
{
    uint64_t *item = table->size ? key_table_place(table, key) : NULL;
    return item && *item ? item : NULL;
}

void key_table_grow(struct key_table *table);

/* The item of a key; a new one is zero but for it. Valid until the next call. */
static inline void *key_table_enter(struct key_table *table, uint64_t key)
{
    if (2 * table->used >= table->size)
        key_table_grow(table);
    uint64_t *item = key_table_place(table, key);
    table->used += *item == 0;
    *item = key;
    return item;
}

/* Forgets all items and keeps their room. */
void key_table_clear(struct key_table *table);
void key_table_fini(struct key_table *table);

#endif
