/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page table. */
#include "profile/pages.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

enum { FIRST_BITS = 10 };

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* How far apart homes may change. */
static int pages_set_unit(struct pages *pages, struct error *error)
{
    const struct shape *shape = pages->shape;
    if (shape->placement->unit) {
        pages->unit = shape->placement->unit(&pages->context);
        if (pages->unit == 0 || pages->unit % shape->line_bytes)
            return error_set(error, STATUS_INPUT,
                             "page.policy %s: homes that change every %llu bytes divide lines of "
                             "%u bytes",
                             shape->placement->plugin.name, (unsigned long long)pages->unit,
                             shape->line_bytes);
    }
    uint64_t granule = greatest_common_divisor(shape->page_bytes, pages->unit);
    pages->page_lines = shape->page_bytes / shape->line_bytes;
    pages->granule_lines = granule / shape->line_bytes;
    if ((pages->granule_lines & (pages->granule_lines - 1)) == 0)
        pages->granule_shift = __builtin_ctzll(pages->granule_lines);
    return 0;
}

int pages_init(struct pages *pages, const struct shape *shape, const struct source *source,
               struct error *error)
{
    const struct placement *placement = shape->placement;
    *pages = (struct pages){
        .shape = shape,
        .context = {shape->domains, shape->page_bytes, shape->interleave_bytes,
                    shape->page_threshold, source},
        .state = placement->state_size ? memory_zero(1, placement->state_size) : NULL,
        .granule_shift = -1,
        .memo = memory_zero((size_t)shape->sms << PAGES_MEMO_BITS, sizeof *pages->memo),
        .page_size = sizeof(struct page) + (shape->sms + 63) / 64 * sizeof(uint64_t),
        .bits = FIRST_BITS,
    };
    pages->slots = memory_zero((size_t)1 << pages->bits, sizeof *pages->slots);
    int status = placement->setup ? placement->setup(pages->state, &pages->context, error) : 0;
    return status ? status : pages_set_unit(pages, error);
}

void pages_fini(struct pages *pages)
{
    if (pages->shape && pages->shape->placement->finish)
        pages->shape->placement->finish(pages->state);
    free(pages->state);
    free(pages->memo);
    free(pages->pages);
    free(pages->slots);
    *pages = (struct pages){0};
}

static struct page *page_at(const struct pages *pages, size_t index)
{
    return (struct page *)(void *)(pages->pages + index * pages->page_size);
}

/* The page's slot, or the empty one where it belongs. */
static uint32_t *pages_slot(const struct pages *pages, uint64_t number)
{
    size_t mask = ((size_t)1 << pages->bits) - 1;
    size_t at = hash_fmix64(number) >> (64 - pages->bits);
    while (pages->slots[at] && page_at(pages, pages->slots[at] - 1)->number != number)
        at = (at + 1) & mask;
    return &pages->slots[at];
}

static void pages_grow_slots(struct pages *pages)
{
    free(pages->slots);
    pages->bits++;
    pages->slots = memory_zero((size_t)1 << pages->bits, sizeof *pages->slots);
    for (size_t i = 0; i < pages->count; i++)
        *pages_slot(pages, page_at(pages, i)->number) = (uint32_t)i + 1;
}

/* Asks the placement for the home of a byte. */
static int pages_ask(struct pages *pages, uint64_t address, uint32_t sm, uint32_t *home,
                     struct error *error)
{
    const struct placement *placement = pages->shape->placement;
    address -= address % (pages->unit ? pages->unit : pages->shape->page_bytes);
    *home = placement->home(pages->state, &pages->context, address, shape_domain(pages->shape, sm));
    if (*home < pages->context.n_homes)
        return 0;
    error_set(error, STATUS_INPUT, "page.policy %s: the page at 0x%llx has no home",
              placement->plugin.name, (unsigned long long)address);
    error_hint(error, "take another page.policy, such as first-touch");
    return STATUS_INPUT;
}

/* A page that nobody touched before, behind the others. */
static int pages_add(struct pages *pages, uint64_t number, uint32_t sm, struct error *error)
{
    uint32_t home;
    int status = pages_ask(pages, number * pages->shape->page_bytes, sm, &home, error);
    if (status)
        return status;
    if (pages->count == UINT32_MAX)
        return error_set(error, STATUS_FAILED, "the input touches more than 2^32 - 1 pages");
    if (pages->count == pages->capacity)
        pages->pages = vector_grow(pages->pages, pages->count, &pages->capacity, pages->page_size);
    struct page *page = page_at(pages, pages->count++);
    memset(page, 0, pages->page_size);
    page->number = number;
    page->home = home;
    pages->per_domain[home]++;
    return 0;
}

int pages_look_up(struct pages *pages, uint32_t sm, uint64_t line, struct pages_memo *memo,
                  struct error *error)
{
    uint64_t number = line / pages->page_lines, granule = line / pages->granule_lines;
    uint32_t *slot = pages_slot(pages, number);
    if (*slot == 0) {
        int status = pages_add(pages, number, sm, error);
        if (status)
            return status;
        *slot = (uint32_t)pages->count;
        if (pages->count > ((size_t)3 << pages->bits) / 4) {
            pages_grow_slots(pages);
            slot = pages_slot(pages, number);
        }
    }
    struct page *page = page_at(pages, *slot - 1);
    uint64_t bit = 1ULL << sm % 64;
    page->n_sms += (page->sms[sm / 64] & bit) == 0;
    page->sms[sm / 64] |= bit;
    uint32_t home = page->home;
    if (pages->granule_lines < pages->page_lines) { /* the page's parts have homes of their own */
        uint64_t address = granule * pages->granule_lines * pages->shape->line_bytes;
        int status = pages_ask(pages, address, sm, &home, error);
        if (status)
            return status;
    }
    *memo = (struct pages_memo){granule + 1, home};
    return 0;
}

double pages_balance(const struct pages *pages)
{
    return placement_balance(pages->per_domain, pages->context.n_homes);
}

void pages_degrees(const struct pages *pages, uint64_t degrees[PAGES_DEGREES])
{
    memset(degrees, 0, PAGES_DEGREES * sizeof *degrees);
    for (size_t i = 0; i < pages->count; i++) {
        uint32_t n = page_at(pages, i)->n_sms;
        degrees[(n > 1) + (n > 10) + (n > 25)]++;
    }
}

bool pages_low_sharing(const uint64_t degrees[PAGES_DEGREES])
{
    uint64_t all = 0;
    for (int i = 0; i < PAGES_DEGREES; i++)
        all += degrees[i];
    return degrees[0] * 5 > all * 4;
}

size_t pages_bytes(const struct pages *pages)
{
    return pages->capacity * pages->page_size + (sizeof *pages->slots << pages->bits) +
           ((size_t)pages->shape->sms << PAGES_MEMO_BITS) * sizeof *pages->memo;
}
