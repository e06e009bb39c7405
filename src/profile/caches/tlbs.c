/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs: lookups from level to level. */
#include "profile/caches/tlbs.h"

void tlbs_init(struct tlbs *tlbs, const struct system *system)
{
    const struct system_translation *t = &system->translation;
    *tlbs = (struct tlbs){.n = t->n};
    for (uint32_t i = 0; i < t->n; i++) {
        tlbs->levels[i].sms = system->sms / t->tlbs[i].caches;
        cache_init(&tlbs->levels[i].cache, t->tlbs[i].caches, t->tlbs[i].sets, t->tlbs[i].ways, 1,
                   false);
    }
    if (t->n)
        tlbs->lines = (uint32_t)(t->page_bytes / system->line_bytes);
}

void tlbs_fini(struct tlbs *tlbs)
{
    for (uint32_t i = 0; i < tlbs->n; i++)
        cache_fini(&tlbs->levels[i].cache);
    *tlbs = (struct tlbs){0};
}

/* By low bits of the page's number, as TLBs have it; the number of sets need be no power of two. */
static size_t set_of(const struct tlb *tlb, uint32_t which, uint64_t page)
{
    return cache_set(&tlb->cache, which, page % tlb->cache.sets);
}

uint32_t tlbs_take(struct tlbs *tlbs, uint32_t sm, uint64_t page)
{
    uint32_t level = 0;
    for (; level < tlbs->n; level++) {
        struct tlb *tlb = &tlbs->levels[level];
        uint64_t victim;
        if (cache_take(&tlb->cache, set_of(tlb, sm / tlb->sms, page), page, &victim))
            break;
    }
    return level;
}

void tlbs_forget(struct tlbs *tlbs, uint64_t line)
{
    for (uint32_t i = 0; i < tlbs->n; i++) {
        struct tlb *tlb = &tlbs->levels[i];
        uint32_t caches = (uint32_t)(tlb->cache.n_sets / tlb->cache.sets);
        for (uint32_t which = 0; which < caches; which++) {
            size_t set = set_of(tlb, which, tlbs_page(tlbs, line));
            uint32_t way = cache_find(&tlb->cache, set, tlbs_page(tlbs, line));
            if (way < tlb->cache.ways)
                cache_remove(&tlb->cache, set, way);
        }
    }
}
