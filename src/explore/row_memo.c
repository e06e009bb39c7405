/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of fixed size with open addressing. */
#include "explore/row_memo.h"

#include <stdlib.h>

#include "core/hash.h"

enum { ROWS_MOST = 1 << 14, PLACES = 2 * ROWS_MOST };

struct row_memo {
    struct arena *arena;
    size_t count;
    struct row_memo_place {
        bool filled;
        uint64_t id;
        struct sweep_row row;
    } places[PLACES];
};

struct row_memo *row_memo_create(void)
{
    struct row_memo *memo = memory_zero(1, sizeof *memo);
    memo->arena = arena_create();
    return memo;
}

void row_memo_destroy(struct row_memo *memo)
{
    if (!memo)
        return;
    arena_destroy(memo->arena);
    free(memo);
}

/* Where the point is, or would be: half of the places are empty. */
static size_t find_place(const struct row_memo *memo, uint64_t id)
{
    size_t at = hash_fmix64(id) % PLACES;
    while (memo->places[at].filled && memo->places[at].id != id)
        at = (at + 1) % PLACES;
    return at;
}

bool row_memo_find(const struct row_memo *memo, uint64_t id, struct sweep_row *out)
{
    const struct row_memo_place *place = &memo->places[find_place(memo, id)];
    if (place->filled)
        *out = place->row;
    return place->filled;
}

struct arena *row_memo_room(struct row_memo *memo, size_t n)
{
    return n <= ROWS_MOST - memo->count ? memo->arena : NULL;
}

void row_memo_add(struct row_memo *memo, uint64_t id, const struct sweep_row *row)
{
    struct row_memo_place *place = &memo->places[find_place(memo, id)];
    memo->count += !place->filled;
    *place = (struct row_memo_place){true, id, *row};
}
