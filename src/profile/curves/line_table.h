/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that a pass knows of each line it has seen: one entry a line serves the
 * sharing classes and gives the line the number under which others know it.
 *
 * Entries stand in the order of first touch, so neighbours in time are
 * neighbours in memory; a separate open-addressing index of 8 bytes a place
 * (32 bits of hash, 32 bits of number) finds them. An entry takes 32 bytes, and
 * its share of the index 11 to 23. */
#ifndef BANDSCAPE_PROFILE_LINE_TABLE_H
#define BANDSCAPE_PROFILE_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/prefetch.h"

/* Lines are numbered from 0 in the order of first touch. */
enum { LINE_NONE = UINT32_MAX >> 1 }; /* more do not fit */

struct line {
    uint64_t number;         /* address / line size */
    uint64_t domains;        /* bit d: domain d touched it in this run */
    uint64_t launch_domains; /* the same in the last launch that touched it */
    uint32_t launch;
    bool written;        /* by anybody in this run */
    bool launch_written; /* in that launch */
    uint16_t moment;     /* of the last window that asked for it (run/momentary.h) */
};

/* A large page of lines. */
enum { LINE_BLOCK = MEMORY_LARGE_PAGE / sizeof(struct line) };
_Static_assert((LINE_BLOCK & (LINE_BLOCK - 1)) == 0, "looking up is shifting");

struct line_table {
    struct line **blocks; /* of LINE_BLOCK lines */
    uint32_t count, n_blocks;
    uint64_t *index;      /* places: line_table_place(), or 0 */
    uint32_t index_shift; /* at least 32; place of a hash: hash >> index_shift, or behind */
    uint32_t index_limit; /* entries at which the index doubles */
};

void line_table_init(struct line_table *table);
void line_table_fini(struct line_table *table);
/* Resident bytes: entries in use and the index. */
size_t line_table_bytes(const struct line_table *table);

static inline struct line *line_table_at(const struct line_table *table, uint32_t id)
{
    return &table->blocks[id / LINE_BLOCK][id % LINE_BLOCK];
}

/* The upper half of the hash, which says where the place belongs, and the entry's number + 1. The
 * fewer bits of that half the index leaves to tell neighbours apart, the more entries are looked
 * at in vain: one in 64 at 2^26 places. */
static inline uint64_t line_table_place(uint64_t hash, uint32_t id)
{
    return hash >> 32 << 32 | (id + 1);
}

/* Looking up is done in steps that fetch ahead, each for a whole batch of lines: hash
 * them and prefetch the index; guess (the entry with the same 32 bits of hash), which
 * prefetches entries; put. */
static inline uint64_t line_table_hash(uint64_t number)
{
    return hash_fmix64(number);
}

static inline void line_table_prefetch(const struct line_table *table, uint64_t hash)
{
    prefetch_read(&table->index[hash >> table->index_shift]);
}

/* *end: where the search ended. */
static inline uint32_t line_table_guess(const struct line_table *table, uint64_t hash, size_t *end)
{
    size_t mask = ((size_t)1 << (64 - table->index_shift)) - 1;
    for (size_t at = hash >> table->index_shift;; at = (at + 1) & mask) {
        uint64_t place = table->index[at];
        *end = at;
        if (place == 0)
            return LINE_NONE;
        if (place >> 32 != hash >> 32)
            continue;
        uint32_t id = (uint32_t)place - 1;
        prefetch_write(line_table_at(table, id));
        return id;
    }
}

/* Whether a line of which there was no guess, and whose search ended there while the index had that
 * shift, is not in the table still. */
static inline bool line_table_lacks(const struct line_table *table, uint32_t shift, size_t end)
{
    return table->index_shift == shift && table->index[end] == 0;
}
/* Adds one that is not in the table, and belongs there; its number or LINE_NONE, as below. */
uint32_t line_table_add(struct line_table *table, uint64_t number, uint64_t hash, size_t at);

/* The line's number in the table. One that is not there (*fresh) is added, zeroed but for
 * `number`. LINE_NONE: the table is full. */
uint32_t line_table_put(struct line_table *table, uint64_t number, uint64_t hash, bool *fresh);

#endif
