/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines on their way, by the clocks of those who wait for them. */
#include "profile/issue/waits.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/prefetch.h"

void waits_init(struct waits *waits, uint32_t caches, size_t each)
{
    waits->each = each;
    waits->lines = memory_table(caches * each, sizeof *waits->lines);
}

void waits_fini(struct waits *waits)
{
    free(waits->lines);
    waits->lines = NULL;
}

static struct waits_line *waits_place(const struct waits *waits, uint32_t cache, uint64_t line)
{
    return &waits->lines[cache * waits->each + (hash_fmix64(line) & (waits->each - 1))];
}

void waits_prefetch(const struct waits *waits, uint32_t cache, uint64_t line)
{
    prefetch_write(waits_place(waits, cache, line));
}

static bool under_way(const struct waits_line *at, uint64_t line, uint64_t clock)
{
    return at->line == line + 1 && at->arrives > clock;
}

bool waits_read(struct waits *waits, uint32_t cache, uint64_t line, uint64_t clock, bool missing)
{
    struct waits_line *at = waits_place(waits, cache, line);
    if (!missing && !under_way(at, line, clock))
        return false;
    *at = (struct waits_line){line + 1, clock + 1};
    return true;
}

bool waits_follow(struct waits *waits, uint32_t cache, uint64_t line, uint64_t clock)
{
    struct waits_line *at = waits_place(waits, cache, line);
    bool follows = under_way(at, line, clock);
    *at = (struct waits_line){line + 1, clock + 1};
    return follows;
}
