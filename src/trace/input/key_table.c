/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/input/key_table.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

enum { KEY_TABLE_START = 8 };

static struct key_entry *key_table_slot(const struct key_table *table, uint64_t key)
{
    size_t at = (size_t)hash_fmix64(key) & (table->size - 1);
    while (table->slots[at].key && table->slots[at].key != key)
        at = (at + 1) & (table->size - 1);
    return &table->slots[at];
}

static void key_table_grow(struct key_table *table)
{
    struct key_table old = *table;
    table->size = old.size ? 2 * old.size : KEY_TABLE_START;
    table->slots = memory_zero(table->size, sizeof *table->slots);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].key)
            *key_table_slot(table, old.slots[i].key) = old.slots[i];
    free(old.slots);
}

uint64_t *key_table_enter(struct key_table *table, uint64_t key)
{
    if (2 * table->used >= table->size)
        key_table_grow(table);
    struct key_entry *slot = key_table_slot(table, key);
    if (!slot->key) {
        slot->key = key;
        table->used++;
    }
    return &slot->value;
}

const uint64_t *key_table_find(const struct key_table *table, uint64_t key)
{
    const struct key_entry *slot = table->size ? key_table_slot(table, key) : NULL;
    return slot && slot->key ? &slot->value : NULL;
}

void key_table_fini(struct key_table *table)
{
    free(table->slots);
    *table = (struct key_table){0};
}
