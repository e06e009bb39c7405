/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/key_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { KEY_TABLE_START = 8 };

void key_table_grow(struct key_table *table)
{
    struct key_table old = *table;
    table->size = old.size ? 2 * old.size : KEY_TABLE_START;
    table->items = memory_zero(table->size, table->item_bytes);
    for (size_t i = 0; i < old.size; i++) {
        const uint64_t *item = (const uint64_t *)(void *)(old.items + i * old.item_bytes);
        if (*item)
            memcpy(key_table_place(table, *item), item, table->item_bytes);
    }
    free(old.items);
}

void key_table_clear(struct key_table *table)
{
    if (table->size)
        memset(table->items, 0, table->size * table->item_bytes);
    table->used = 0;
}

void key_table_fini(struct key_table *table)
{
    free(table->items);
    *table = (struct key_table){.item_bytes = table->item_bytes};
}
