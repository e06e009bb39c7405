/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is kept of each line in each unit that may hold it: a place. Places of a line are a row of
 * their own while units are few, else they stand in a table of the (line, unit) pairs that were
 * met. Rows lie in blocks, one behind another. */
#ifndef BANDSCAPE_PROFILE_PLACES_H
#define BANDSCAPE_PROFILE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hash.h"
#include "core/memory.h"
#include "profile/curves/stack_distance.h"

struct place {
    uint32_t slot;    /* the last one in the unit's engine (stack_distance.h) */
    uint16_t soil;    /* writebacks.h; of lines with sectors they stand apart */
    uint16_t written; /* since the last flush */
};
struct place_sector {
    uint32_t far; /* largest distance of the line since the sector was asked for */
    uint16_t soil;
};
struct pair {
    uint32_t id; /* of the line, + 1; 0: empty */
    uint32_t unit;
    struct place place;
};

enum { PLACES_BLOCK = MEMORY_LARGE_PAGE / sizeof(struct place) };

struct places {
    uint32_t width;        /* places a line; 0: pairs */
    uint32_t n_sectors;    /* of a line */
    struct place **blocks; /* of rows */
    size_t n_blocks;
    struct place_sector *sectors; /* [place * n_sectors + sector]; NULL: lines have one */
    uint8_t *unit_of;             /* of lines with one place: the unit that has it */
    size_t capacity, used;        /* of sectors, unit_of and pairs; in use */
    struct pair *pairs;
    uint32_t pair_bits;
};

/* one_place: a line is in one unit only, whichever that is. */
void places_init(struct places *places, uint32_t units, bool one_place, uint32_t n_sectors);
void places_fini(struct places *places);
/* Makes those that were initialised a copy of others, which are rows of as many places. */
void places_copy_rows(struct places *places, const struct places *from);

/* Rows: places for all lines up to that one. */
void places_grow(struct places *places, uint32_t id);
static inline void places_reserve(struct places *places, uint32_t id)
{
    if (((size_t)id + 1) * places->width > places->used)
        places_grow(places, id);
}

/* Rows: where a unit stands in a line's. */
static inline size_t places_row(const struct places *places, uint32_t id, uint32_t unit)
{
    return places->width == 1 ? id : (size_t)id * places->width + unit;
}

static inline struct place *places_at(const struct places *places, size_t at)
{
    return places->width ? &places->blocks[at / PLACES_BLOCK][at % PLACES_BLOCK]
                         : &places->pairs[at].place;
}

/* Pairs: where one is looked for first. */
static inline size_t places_start(const struct places *places, uint32_t id, uint32_t unit)
{
    return hash_fmix64((uint64_t)unit << 32 | id) >> (64 - places->pair_bits);
}

/* Where the line stands in that unit; it gets a place if it has none. */
size_t places_of_pair(struct places *places, uint32_t id, uint32_t unit);
static inline size_t places_of(struct places *places, uint32_t id, uint32_t unit)
{
    return places->width ? places_row(places, id, unit) : places_of_pair(places, id, unit);
}
/* The same, or NULL where it never had one. Rows must have been reserved. */
struct place *places_find(const struct places *places, uint32_t id, uint32_t unit, size_t *at);

/* Lines that may have a place, for stack_distance_renumber_begin(); gives the places of a unit
 * their new slots. */
uint32_t places_lines(const struct places *places);
void places_renumber(struct places *places, const struct stack_renumbering *renumbering,
                     uint32_t unit);

size_t places_bytes(const struct places *places);

#endif
