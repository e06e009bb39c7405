/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table of lines and caches. */
#include "simulate/pending.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

enum { FIRST_BITS = 10 };

void pending_init(struct pending *pending)
{
    *pending = (struct pending){.bits = FIRST_BITS};
    pending->items = memory_zero((size_t)1 << FIRST_BITS, sizeof *pending->items);
}

void pending_fini(struct pending *pending)
{
    free(pending->items);
}

static size_t start(const struct pending *pending, uint32_t unit, uint64_t line)
{
    return hash_fmix64(line + (uint64_t)unit * 0x9e3779b97f4a7c15ULL) >> (64 - pending->bits);
}

/* Its place, or the empty one where it would stand. */
static size_t place(const struct pending *pending, uint32_t unit, uint64_t line)
{
    size_t mask = ((size_t)1 << pending->bits) - 1, at = start(pending, unit, line);
    while (pending->items[at].used &&
           (pending->items[at].line != line || pending->items[at].unit != unit))
        at = (at + 1) & mask;
    return at;
}

static void grow(struct pending *pending)
{
    struct pending old = *pending;
    pending->bits++;
    pending->items = memory_zero((size_t)1 << pending->bits, sizeof *pending->items);
    for (size_t i = 0; i < (size_t)1 << old.bits; i++)
        if (old.items[i].used)
            pending->items[place(pending, old.items[i].unit, old.items[i].line)] = old.items[i];
    free(old.items);
}

bool pending_add(struct pending *pending, uint32_t unit, uint64_t line)
{
    if (2 * pending->count >= (size_t)1 << pending->bits)
        grow(pending);
    struct pending_line *item = &pending->items[place(pending, unit, line)];
    if (item->used)
        return false;
    *item = (struct pending_line){line, unit, 1, PENDING_NONE, UINT64_MAX};
    pending->count++;
    return true;
}

struct pending_line *pending_find(const struct pending *pending, uint32_t unit, uint64_t line)
{
    struct pending_line *item = &pending->items[place(pending, unit, line)];
    return item->used ? item : NULL;
}

uint32_t pending_remove(struct pending *pending, uint32_t unit, uint64_t line)
{
    size_t mask = ((size_t)1 << pending->bits) - 1, gap = place(pending, unit, line);
    struct pending_line *items = pending->items;
    if (!items[gap].used)
        return PENDING_NONE;
    uint32_t waiting = items[gap].waiting;
    pending->count--;
    /* Those behind that could not be found across the gap move into it. */
    for (size_t at = (gap + 1) & mask; items[at].used; at = (at + 1) & mask) {
        size_t wanted = start(pending, items[at].unit, items[at].line);
        if (((at - wanted) & mask) < ((at - gap) & mask))
            continue;
        items[gap] = items[at];
        gap = at;
    }
    items[gap].used = 0;
    return waiting;
}
