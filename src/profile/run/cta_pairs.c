/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of line and thread block. Most touches repeat the line's last block:
 * only the others go to the set of pairs. */
#include "profile/run/cta_pairs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

enum { FIRST_BITS = 12 };

void cta_pairs_init(struct cta_pairs *pairs)
{
    *pairs = (struct cta_pairs){.bits = FIRST_BITS};
    pairs->pairs = memory_zero((size_t)1 << pairs->bits, sizeof *pairs->pairs);
}

void cta_pairs_fini(struct cta_pairs *pairs)
{
    free(pairs->marks);
    free(pairs->pairs);
    *pairs = (struct cta_pairs){0};
}

void cta_pairs_begin_launch(struct cta_pairs *pairs)
{
    if (pairs->count)
        memset(pairs->pairs, 0, ((size_t)1 << pairs->bits) * sizeof *pairs->pairs);
    pairs->count = 0;
    pairs->launch++;
    pairs->shared_lines = pairs->line_pairs = 0;
}

static size_t pairs_place(const struct cta_pairs *pairs, uint64_t key)
{
    size_t mask = ((size_t)1 << pairs->bits) - 1;
    size_t at = hash_fmix64(key) >> (64 - pairs->bits);
    while (pairs->pairs[at] && pairs->pairs[at] != key)
        at = (at + 1) & mask;
    return at;
}

static void pairs_grow(struct cta_pairs *pairs)
{
    struct cta_pairs old = *pairs;
    pairs->bits++;
    pairs->pairs = memory_zero((size_t)1 << pairs->bits, sizeof *pairs->pairs);
    for (size_t i = 0; i < (size_t)1 << old.bits; i++)
        if (old.pairs[i])
            pairs->pairs[pairs_place(pairs, old.pairs[i])] = old.pairs[i];
    free(old.pairs);
}

/* True when the pair is new. */
static bool pairs_add(struct cta_pairs *pairs, uint64_t key)
{
    size_t at = pairs_place(pairs, key);
    if (pairs->pairs[at])
        return false;
    pairs->pairs[at] = key;
    if (++pairs->count > (size_t)1 << (pairs->bits - 1))
        pairs_grow(pairs);
    return true;
}

static void marks_grow(struct cta_pairs *pairs, uint32_t line)
{
    size_t wanted = line + line / 2 + (size_t)1024;
    pairs->marks = memory_resize(pairs->marks, wanted, sizeof *pairs->marks);
    memset(pairs->marks + pairs->n_marks, 0, (wanted - pairs->n_marks) * sizeof *pairs->marks);
    pairs->n_marks = wanted;
}

void cta_pairs_touch(struct cta_pairs *pairs, uint32_t line, uint32_t cta)
{
    if (line >= pairs->n_marks)
        marks_grow(pairs, line);
    struct cta_mark *mark = &pairs->marks[line];
    if (mark->launch == pairs->launch && mark->cta == cta)
        return;
    if (mark->launch != pairs->launch)
        *mark = (struct cta_mark){pairs->launch, cta, 0};
    mark->cta = cta;
    if (!pairs_add(pairs, ((uint64_t)line << 32 | cta) + 1))
        return;
    pairs->line_pairs++;
    if (++mark->ctas == 2)
        pairs->shared_lines++;
}
