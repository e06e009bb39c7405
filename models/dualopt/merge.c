/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging of requests under way. */
#include "dualopt/merge.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

enum { FIRST_BITS = 8 };

void merge_init(struct merge *merge, uint64_t latency)
{
    *merge = (struct merge){.latency = latency, .bits = FIRST_BITS};
    merge->lines = memory_zero((size_t)1 << merge->bits, sizeof *merge->lines);
}

void merge_fini(struct merge *merge)
{
    free(merge->lines);
    *merge = (struct merge){0};
}

/* The line's entry, or the empty place where it belongs. */
static struct merge_line *lines_find(const struct merge *merge, uint32_t sm, uint64_t line)
{
    size_t mask = ((size_t)1 << merge->bits) - 1;
    size_t at = hash_fmix64(hash_fmix64(line) + sm) >> (64 - merge->bits);
    for (;; at = (at + 1) & mask) {
        struct merge_line *entry = &merge->lines[at];
        if (!entry->used || (entry->line == line && entry->sm == sm))
            return entry;
    }
}

/* Drops lines that nothing is under way for; doubles the table when half of it is left. */
static void lines_renew(struct merge *merge, uint64_t round)
{
    struct merge_line *old = merge->lines;
    size_t places = (size_t)1 << merge->bits, live = 0;
    for (size_t i = 0; i < places; i++)
        live += old[i].used && round - old[i].last < merge->latency;
    merge->bits += live > places / 4;
    merge->lines = memory_zero((size_t)1 << merge->bits, sizeof *merge->lines);
    for (size_t i = 0; i < places; i++)
        if (old[i].used && round - old[i].last < merge->latency)
            *lines_find(merge, old[i].sm, old[i].line) = old[i];
    merge->count = live;
    free(old);
}

/* Pieces of twice the size, at the even bits of those that they cover; and so on. */
static uint64_t coarser(uint64_t pieces, enum merge_grain grain)
{
    if (grain == MERGE_LINE)
        return 1;
    if (grain >= MERGE_8)
        pieces = (pieces | pieces >> 1) & 0x5555555555555555ULL;
    if (grain >= MERGE_16)
        pieces = (pieces | pieces >> 2) & 0x1111111111111111ULL;
    return pieces;
}

bool merge_take(struct merge *merge, uint32_t sm, uint64_t line, uint64_t round, uint64_t pieces)
{
    if (merge->count >= (size_t)1 << (merge->bits - 1))
        lines_renew(merge, round);
    struct merge_line *entry = lines_find(merge, sm, line);
    bool known = entry->used, sent = false;
    if (!known) {
        *entry = (struct merge_line){.line = line, .sm = sm, .used = 1};
        merge->count++;
    }
    for (enum merge_grain g = MERGE_4; g < MERGE_GRAINS; g++) {
        uint64_t wanted = coarser(pieces, g);
        bool under_way = known && round - entry->sent[g] < merge->latency;
        if (under_way && (wanted & ~entry->pieces[g]) == 0)
            continue;
        sent = sent || g == MERGE_4;
        merge->requests[g]++;
        merge->asked[g] += (uint64_t)__builtin_popcountll(wanted);
        entry->sent[g] = entry->last = round;
        entry->pieces[g] = wanted;
    }
    return sent;
}
