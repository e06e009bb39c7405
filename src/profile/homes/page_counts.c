/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of pages. */
#include "profile/homes/page_counts.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

enum { FIRST_BITS = 10 };

static struct page_state *place_of(const struct page_counts *c, uint64_t tag)
{
    size_t mask = ((size_t)1 << c->bits) - 1;
    size_t at = hash_fmix64(tag) >> (64 - c->bits);
    while (c->pages[at].tag && c->pages[at].tag != tag)
        at = (at + 1) & mask;
    return &c->pages[at];
}

static void pages_double(struct page_counts *c)
{
    struct page_state *old = c->pages;
    size_t places = old ? (size_t)1 << c->bits : 0;
    c->bits = old ? c->bits + 1 : FIRST_BITS;
    c->pages = memory_zero((size_t)1 << c->bits, sizeof *c->pages);
    for (size_t i = 0; i < places; i++)
        if (old[i].tag)
            *place_of(c, old[i].tag) = old[i];
    free(old);
}

struct page_state *page_counts_find(struct page_counts *c, uint32_t n_domains, uint64_t page,
                                    uint32_t home)
{
    c->n_domains = n_domains;
    if (!c->pages || c->count >= (size_t)1 << (c->bits - 1))
        pages_double(c);
    struct page_state *state = place_of(c, page + 1);
    if (state->tag)
        return state;
    if (c->count == c->capacity)
        c->counts = vector_grow(c->counts, c->count, &c->capacity, n_domains * sizeof *c->counts);
    *state = (struct page_state){
        .tag = page + 1, .copies = 1ULL << home, .home = home, .index = (uint32_t)c->count++};
    page_counts_clear(c, state);
    return state;
}

uint32_t *page_counts_of(const struct page_counts *c, const struct page_state *page)
{
    return c->counts + (size_t)page->index * c->n_domains;
}

void page_counts_clear(const struct page_counts *c, const struct page_state *page)
{
    memset(page_counts_of(c, page), 0, c->n_domains * sizeof *c->counts);
}

void page_counts_fini(struct page_counts *c)
{
    free(c->pages);
    free(c->counts);
    *c = (struct page_counts){0};
}
