/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sharing classes over a run (SAC, ISCA 2023, section 3): a line is truly
 * shared when two domains or more touch it, falsely shared when one does and
 * another domain touches another line of its page, else not shared.
 *
 * The stream before L1 needs no look of its own: a hit in L1 is to a line that
 * the same domain has asked for before. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "profile/requests.h"

/* Which domains touch each page: open addressing on the page's number. */
struct pages {
    struct page {
        uint64_t number; /* + 1; 0: empty */
        uint64_t domains;
    } * table;
    uint32_t bits;
    size_t count;
};

static struct page *pages_at(const struct pages *pages, uint64_t number)
{
    size_t mask = ((size_t)1 << pages->bits) - 1;
    size_t at = hash_fmix64(number) >> (64 - pages->bits);
    while (pages->table[at].number && pages->table[at].number != number + 1)
        at = (at + 1) & mask;
    return &pages->table[at];
}

static void pages_grow(struct pages *pages)
{
    struct pages old = *pages;
    pages->bits++;
    pages->table = memory_zero((size_t)1 << pages->bits, sizeof *pages->table);
    for (size_t i = 0; i < (size_t)1 << old.bits; i++)
        if (old.table[i].number)
            *pages_at(pages, old.table[i].number - 1) = old.table[i];
    free(old.table);
}

static void pages_touch(struct pages *pages, uint64_t number, uint64_t domains)
{
    struct page *page = pages_at(pages, number);
    page->domains |= domains;
    if (page->number)
        return;
    page->number = number + 1;
    if (++pages->count > (size_t)1 << (pages->bits - 1))
        pages_grow(pages);
}

struct profile_sharing requests_sharing(const struct requests *requests)
{
    const struct line_table *lines = &requests->lines;
    uint64_t lines_per_page = requests->shape->page_bytes / requests->shape->line_bytes;
    uint64_t truly = 0, falsely = 0, read_only = 0;
    struct pages pages = {.bits = 10};
    pages.table = memory_zero((size_t)1 << pages.bits, sizeof *pages.table);
    for (uint32_t id = 0; id < lines->count; id++) {
        const struct line *line = line_table_at(lines, id);
        pages_touch(&pages, line->number / lines_per_page, line->domains);
    }
    for (uint32_t id = 0; id < lines->count; id++) {
        const struct line *line = line_table_at(lines, id);
        if (line->domains & (line->domains - 1)) {
            truly++;
            read_only += !line->written;
        } else if (pages_at(&pages, line->number / lines_per_page)->domains != line->domains) {
            falsely++;
        }
    }
    double bytes = requests->shape->line_bytes;
    struct profile_sharing sharing = {
        .footprint_bytes = bytes * lines->count,
        .truly_shared_bytes = bytes * (double)truly,
        .falsely_shared_bytes = bytes * (double)falsely,
        .non_shared_bytes = bytes * (double)(lines->count - truly - falsely),
        .read_only_shared_bytes = bytes * (double)read_only,
        .pages = (double)pages.count,
        .pages_by_sms = {(double)NAN, (double)NAN, (double)NAN, (double)NAN},
        .page_balance = (double)NAN,
    };
    free(pages.table);
    return sharing;
}
