/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs in a row, exact: which of them knows a page, and what they forget for it.
 *
 * Each is a row of set-associative LRU caches of pages (machine/translation.h), simulated like the
 * levels before the LLC and for the same reason: a second one sees what the first one misses, which
 * is another stream for each of its sizes. So entries and ways are part of a view's key. A page
 * that is walked for, or known further on, is entered in all that missed it. What TLBs hold stays
 * from launch to launch: homes may move, and pages that do are forgotten everywhere
 * (tlbs_forget). */
#ifndef BANDSCAPE_PROFILE_TLBS_H
#define BANDSCAPE_PROFILE_TLBS_H

#include "machine/system.h"
#include "profile/caches/cache.h"

struct tlb {
    struct cache cache;
    uint32_t sms; /* of one of them */
};

struct tlbs {
    struct tlb levels[MACHINE_TLBS_MAX]; /* in the order in which a request meets them */
    uint32_t n;
    uint32_t lines; /* of a page */
};

void tlbs_init(struct tlbs *tlbs, const struct system *system);
void tlbs_fini(struct tlbs *tlbs);

static inline uint64_t tlbs_page(const struct tlbs *tlbs, uint64_t line)
{
    return line / tlbs->lines;
}

/* Which one of its level an SM has. */
static inline uint32_t tlbs_which(const struct tlbs *tlbs, uint32_t level, uint32_t sm)
{
    return sm / tlbs->levels[level].sms;
}

/* A lookup of an SM: the number of the first level that knows the page; n: none does. */
uint32_t tlbs_take(struct tlbs *tlbs, uint32_t sm, uint64_t page);

/* The page of a line is elsewhere now. */
void tlbs_forget(struct tlbs *tlbs, uint64_t line);

/* Pages of one access, each of which is looked up once. */
enum { TLBS_PAGES = 32 };
struct tlbs_pages {
    uint64_t pages[TLBS_PAGES];
    uint32_t n;
};

/* True when the page is a new one of that access. */
static inline bool tlbs_pages_add(struct tlbs_pages *pages, uint64_t page)
{
    for (uint32_t i = 0; i < pages->n; i++)
        if (pages->pages[i] == page)
            return false;
    if (pages->n < TLBS_PAGES)
        pages->pages[pages->n++] = page;
    return true;
}

#endif
