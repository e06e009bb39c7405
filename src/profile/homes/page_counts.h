/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages that move: where each lives now, who has copies, and how often other domains have
 * asked for it. For placements that count accesses. */
#ifndef BANDSCAPE_PROFILE_PAGE_COUNTS_H
#define BANDSCAPE_PROFILE_PAGE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/* page.move_after where it is not given: what the access counters of NVIDIA's Volta start
 * with. */
enum { PAGE_MOVE_AFTER = 256 };

struct page_state {
    uint64_t tag;    /* number of the page, + 1; 0: empty */
    uint64_t copies; /* a bit a domain that has one, the home's too */
    uint32_t home;
    uint32_t index; /* of its counts */
};

/* All zero is empty. */
struct page_counts {
    struct page_state *pages; /* open addressing */
    uint32_t *counts;         /* n_domains a page */
    uint32_t bits, n_domains;
    size_t count, capacity;
};

/* The state of a page, which lives in `home` when it is new; until the next call. */
struct page_state *page_counts_find(struct page_counts *counts, uint32_t n_domains, uint64_t page,
                                    uint32_t home);
/* Its counts, one a domain. */
uint32_t *page_counts_of(const struct page_counts *counts, const struct page_state *page);
void page_counts_clear(const struct page_counts *counts, const struct page_state *page);
void page_counts_fini(struct page_counts *counts);

#endif
