/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows in blocks, and a table with open addressing. */
#include "profile/curves/places.h"

#include <stdlib.h>
#include <string.h>

enum { ROW_UNITS = 8, FIRST_PAIR_BITS = 12 };

void places_init(struct places *p, uint32_t units, bool one_place, uint32_t n_sectors)
{
    *p = (struct places){.width = one_place            ? 1
                                  : units <= ROW_UNITS ? units
                                                       : 0,
                         .n_sectors = n_sectors};
    if (p->width)
        return;
    p->pair_bits = FIRST_PAIR_BITS;
    p->capacity = (size_t)1 << p->pair_bits;
    p->pairs = memory_table(p->capacity, sizeof *p->pairs);
    if (n_sectors > 1)
        p->sectors = memory_zero(p->capacity * n_sectors, sizeof *p->sectors);
}

void places_fini(struct places *p)
{
    for (size_t i = 0; i < p->n_blocks; i++)
        free(p->blocks[i]);
    free(p->blocks);
    free(p->sectors);
    free(p->unit_of);
    free(p->pairs);
    *p = (struct places){0};
}

/* --- rows ------------------------------------------------------------------------ */

static void rows_grow(struct places *p, size_t wanted)
{
    for (; p->n_blocks * PLACES_BLOCK < wanted; p->n_blocks++) {
        p->blocks = memory_resize(p->blocks, p->n_blocks + 1, sizeof *p->blocks);
        p->blocks[p->n_blocks] = memory_block(p->n_blocks == 0);
    }
    if (wanted <= p->capacity)
        return;
    p->capacity = wanted + wanted / 2 + 4096;
    if (p->n_sectors > 1)
        p->sectors = memory_resize(p->sectors, p->capacity * p->n_sectors, sizeof *p->sectors);
    if (p->width == 1)
        p->unit_of = memory_resize(p->unit_of, p->capacity, sizeof *p->unit_of);
}

/* They are cleared when they are about to be used, some at a time: memory that is only reserved
 * costs nothing. */
void places_grow(struct places *p, uint32_t id)
{
    enum { LINES = 64 };
    size_t end = ((size_t)id / LINES + 1) * LINES * p->width, more = end - p->used;
    rows_grow(p, end);
    if (p->sectors)
        memset(p->sectors + p->used * p->n_sectors, 0, more * p->n_sectors * sizeof *p->sectors);
    if (p->unit_of)
        memset(p->unit_of + p->used, 0, more * sizeof *p->unit_of);
    while (p->used < end) {
        size_t in_block = PLACES_BLOCK - p->used % PLACES_BLOCK;
        size_t n = end - p->used < in_block ? end - p->used : in_block;
        memset(places_at(p, p->used), 0, n * sizeof(struct place));
        p->used += n;
    }
}

void places_copy_rows(struct places *p, const struct places *from)
{
    rows_grow(p, from->used);
    for (size_t start = 0; start < from->used; start += PLACES_BLOCK) {
        size_t n = from->used - start < PLACES_BLOCK ? from->used - start : PLACES_BLOCK;
        memcpy(places_at(p, start), places_at(from, start), n * sizeof(struct place));
    }
    if (from->sectors && from->used)
        memcpy(p->sectors, from->sectors, from->used * p->n_sectors * sizeof *p->sectors);
    if (from->unit_of && from->used)
        memcpy(p->unit_of, from->unit_of, from->used * sizeof *p->unit_of);
    p->used = from->used;
}

/* --- pairs ----------------------------------------------------------------------- */

/* The pair's place, or the empty one where it belongs. */
static size_t pair_find(const struct places *p, uint32_t id, uint32_t unit)
{
    size_t mask = p->capacity - 1, at = places_start(p, id, unit);
    while (p->pairs[at].id && (p->pairs[at].id != id + 1 || p->pairs[at].unit != unit))
        at = (at + 1) & mask;
    return at;
}

static void pairs_double(struct places *p)
{
    struct places old = *p;
    size_t row = p->n_sectors * sizeof *p->sectors;
    p->pair_bits++;
    p->capacity *= 2;
    p->pairs = memory_table(p->capacity, sizeof *p->pairs);
    if (old.sectors)
        p->sectors = memory_zero(p->capacity * p->n_sectors, sizeof *p->sectors);
    for (size_t i = 0; i < old.capacity; i++) {
        if (!old.pairs[i].id)
            continue;
        size_t at = pair_find(p, old.pairs[i].id - 1, old.pairs[i].unit);
        p->pairs[at] = old.pairs[i];
        if (old.sectors)
            memcpy(p->sectors + at * p->n_sectors, old.sectors + i * p->n_sectors, row);
    }
    free(old.pairs);
    free(old.sectors);
}

size_t places_of_pair(struct places *p, uint32_t id, uint32_t unit)
{
    size_t at = pair_find(p, id, unit);
    if (p->pairs[at].id)
        return at;
    if (++p->used > p->capacity / 8 * 5) {
        pairs_double(p);
        at = pair_find(p, id, unit);
    }
    p->pairs[at] = (struct pair){id + 1, unit, {0}};
    return at;
}

struct place *places_find(const struct places *p, uint32_t id, uint32_t unit, size_t *at)
{
    *at = p->width ? places_row(p, id, unit) : pair_find(p, id, unit);
    return p->width || p->pairs[*at].id ? places_at(p, *at) : NULL;
}

uint32_t places_lines(const struct places *p)
{
    size_t lines = p->width ? p->used / p->width : p->used;
    return (uint32_t)lines;
}

/* A unit's places in the rows of a block, which begins with the place `start`. */
static void block_renumber(struct places *p, const struct stack_renumbering *renumbering,
                           uint32_t unit, size_t start)
{
    struct place *block = p->blocks[start / PLACES_BLOCK];
    size_t n = p->used - start < PLACES_BLOCK ? p->used - start : PLACES_BLOCK;
    size_t behind = start % p->width; /* the places of the first row that are in the block before */
    size_t first = p->width == 1 ? 0 : (unit + p->width - behind) % p->width;
    for (size_t i = first; i < n; i += p->width)
        if (!p->unit_of || p->unit_of[start + i] == unit)
            block[i].slot = stack_distance_renumber(renumbering, block[i].slot);
}

void places_renumber(struct places *p, const struct stack_renumbering *renumbering, uint32_t unit)
{
    for (size_t start = 0; p->width && start < p->used; start += PLACES_BLOCK)
        block_renumber(p, renumbering, unit, start);
    for (size_t i = 0; !p->width && i < p->capacity; i++) {
        struct pair *pair = &p->pairs[i];
        if (pair->id && pair->unit == unit)
            pair->place.slot = stack_distance_renumber(renumbering, pair->place.slot);
    }
}

size_t places_bytes(const struct places *p)
{
    size_t places = p->width ? p->used : p->capacity;
    size_t bytes = places * (p->width ? sizeof(struct place) : sizeof *p->pairs);
    bytes += p->sectors ? places * p->n_sectors * sizeof *p->sectors : 0;
    return bytes + (p->unit_of ? places : 0);
}
