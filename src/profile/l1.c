/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1 caches: each set is an array of tags in LRU order. */
#include "profile/l1.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void l1_init(struct l1 *l1, uint32_t sms, uint64_t sets, uint32_t ways)
{
    *l1 = (struct l1){.sets = sets, .ways = ways, .sms = sms};
    l1->mask = sets & (sets - 1) ? 0 : sets - 1;
    l1->tags = memory_zero((size_t)sms * sets * ways, sizeof *l1->tags);
    l1->used = memory_zero(sms, sizeof *l1->used);
}

void l1_fini(struct l1 *l1)
{
    free(l1->tags);
    free(l1->used);
    *l1 = (struct l1){0};
}

static inline uint64_t *l1_set(const struct l1 *l1, uint32_t sm, uint64_t line)
{
    uint64_t set = l1->mask ? line & l1->mask : line % l1->sets;
    return l1->tags + (sm * l1->sets + set) * l1->ways;
}

/* Where the tag stands; `ways` when it does not. */
static inline uint32_t set_find(const uint64_t *set, uint32_t ways, uint64_t tag)
{
    uint32_t way = 0;
    while (way < ways && set[way] != tag)
        way++;
    return way;
}

/* Puts the tag in front of the first `way` others. */
static inline void set_promote(uint64_t *set, uint32_t way, uint64_t tag)
{
    for (; way > 0; way--)
        set[way] = set[way - 1];
    set[0] = tag;
}

bool l1_read(struct l1 *l1, uint32_t sm, uint64_t line)
{
    if (l1->sets == 0)
        return false;
    uint64_t *set = l1_set(l1, sm, line);
    uint32_t way = set_find(set, l1->ways, line + 1);
    bool hit = way < l1->ways;
    set_promote(set, hit ? way : l1->ways - 1, line + 1);
    l1->used[sm] = true;
    return hit;
}

void l1_write(struct l1 *l1, uint32_t sm, uint64_t line)
{
    if (l1->sets == 0)
        return;
    uint64_t *set = l1_set(l1, sm, line);
    uint32_t way = set_find(set, l1->ways, line + 1);
    if (way < l1->ways)
        set_promote(set, way, line + 1);
}

void l1_evict(struct l1 *l1, uint32_t sm, uint64_t line)
{
    if (l1->sets == 0)
        return;
    uint64_t *set = l1_set(l1, sm, line);
    uint32_t way = set_find(set, l1->ways, line + 1);
    if (way == l1->ways)
        return;
    for (; way + 1 < l1->ways; way++)
        set[way] = set[way + 1];
    set[way] = 0;
}

void l1_flush(struct l1 *l1)
{
    size_t tags = l1->sets * l1->ways;
    for (uint32_t sm = 0; sm < l1->sms; sm++) {
        if (l1->used[sm])
            memset(l1->tags + sm * tags, 0, tags * sizeof *l1->tags);
        l1->used[sm] = false;
    }
}
