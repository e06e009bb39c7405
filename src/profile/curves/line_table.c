/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of lines and their index. */
#include "profile/curves/line_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { FIRST_INDEX_BITS = 12 };

static void index_create(struct line_table *table, uint32_t bits)
{
    /* Soon all of it will have been touched: in large pages, however large it is. */
    size_t bytes = sizeof *table->index << bits;
    table->index = memory_aligned(bytes < MEMORY_LARGE_PAGE ? 64 : MEMORY_LARGE_PAGE, bytes);
    memory_advise_large(table->index, bytes);
    memset(table->index, 0, bytes);
    table->index_shift = 64 - bits;
    table->index_limit = (uint32_t)(((uint64_t)1 << bits) * 7 / 10);
}

void line_table_init(struct line_table *table)
{
    *table = (struct line_table){0};
    index_create(table, FIRST_INDEX_BITS);
}

void line_table_fini(struct line_table *table)
{
    for (uint32_t i = 0; i < table->n_blocks; i++)
        free(table->blocks[i]);
    free(table->blocks);
    free(table->index);
    *table = (struct line_table){0};
}

size_t line_table_bytes(const struct line_table *table)
{
    return table->count * sizeof(struct line) + ((size_t)8 << (64 - table->index_shift));
}

static void index_insert(struct line_table *table, uint64_t place)
{
    size_t mask = ((size_t)1 << (64 - table->index_shift)) - 1;
    size_t at = place >> table->index_shift;
    while (table->index[at])
        at = (at + 1) & mask;
    table->index[at] = place;
}

/* Places stand almost in the order of hashes, and so do they in the new index: no place is
 * looked for at random. */
static void index_double(struct line_table *table)
{
    uint64_t *old = table->index;
    size_t places = (size_t)1 << (64 - table->index_shift);
    index_create(table, 64 - table->index_shift + 1);
    for (size_t i = 0; i < places; i++)
        if (old[i])
            index_insert(table, old[i]);
    free(old);
}

/* Makes room for one more entry: 1 when the index has moved, 0, or -1 when it is full. */
static int line_table_reserve(struct line_table *table)
{
    if (table->count == LINE_NONE)
        return -1;
    if (table->count / LINE_BLOCK == table->n_blocks) {
        struct line *block = memory_block(table->n_blocks == 0);
        table->blocks = memory_resize(table->blocks, table->n_blocks + 1, sizeof *table->blocks);
        table->blocks[table->n_blocks++] = block;
    }
    if (table->count < table->index_limit)
        return 0;
    index_double(table);
    return 1;
}

uint32_t line_table_add(struct line_table *table, uint64_t number, uint64_t hash, size_t at)
{
    int moved = line_table_reserve(table);
    if (moved < 0)
        return LINE_NONE;
    uint32_t id = table->count++;
    *line_table_at(table, id) = (struct line){.number = number};
    if (moved)
        index_insert(table, line_table_place(hash, id));
    else
        table->index[at] = line_table_place(hash, id);
    return id;
}

uint32_t line_table_put(struct line_table *table, uint64_t number, uint64_t hash, bool *fresh)
{
    size_t mask = ((size_t)1 << (64 - table->index_shift)) - 1;
    size_t at = hash >> table->index_shift;
    for (uint64_t place; (place = table->index[at]) != 0; at = (at + 1) & mask) {
        uint32_t id = (uint32_t)place - 1;
        *fresh = false;
        if (place >> 32 == hash >> 32 && line_table_at(table, id)->number == number)
            return id;
    }
    *fresh = true;
    return line_table_add(table, number, hash, at);
}
