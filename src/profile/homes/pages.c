/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page table. */
#include "profile/homes/pages.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { FIRST_BITS = 10, FIRST_WORDS = 8 };

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
    const struct system *system = pages->system;
    const struct placement *placement = pages->placement;
    if (placement->unit) {
        pages->unit = placement->unit(&pages->context);
        if (pages->unit == 0 || pages->unit % system->line_bytes)
            return error_set(error, STATUS_INPUT,
                             "page.policy %s: homes that change every %llu bytes divide lines of "
                             "%u bytes",
                             placement->plugin.name, (unsigned long long)pages->unit,
                             system->line_bytes);
    }
    uint64_t granule = greatest_common_divisor(system->page_bytes, pages->unit);
    pages->granule_bytes = granule;
    pages->granule_lines = granule / system->line_bytes;
    pages->page_granules = system->page_bytes / granule;
    if ((pages->granule_lines & (pages->granule_lines - 1)) == 0)
        pages->granule_shift = __builtin_ctzll(pages->granule_lines);
    return 0;
}

int pages_init(struct pages *pages, const struct system *system, const struct source *source,
               struct error *error)
{
    const struct placement *placement = placement_of(system);
    *pages = (struct pages){
        .system = system,
        .placement = placement,
        .context = {system->domains, system->page_bytes, system->interleave_bytes,
                    system->page_threshold, source, system->page_move_after},
        .state = placement->state_size ? memory_zero(1, placement->state_size) : NULL,
        .granule_shift = -1,
        .memo = memory_zero((size_t)system->sms << PAGES_MEMO_BITS, sizeof *pages->memo),
        .bits = FIRST_BITS,
        .words = FIRST_WORDS,
    };
    pages->groups = memory_zero((size_t)1 << pages->bits, sizeof *pages->groups);
    pages->touched = memory_zero(system->sms * pages->words, sizeof *pages->touched);
    int status = placement->setup ? placement->setup(pages->state, &pages->context, error) : 0;
    return status ? status : pages_set_unit(pages, error);
}

void pages_fini(struct pages *pages)
{
    if (pages->placement && pages->placement->finish)
        pages->placement->finish(pages->state);
    free(pages->state);
    free(pages->memo);
    free(pages->groups);
    free(pages->touched);
    *pages = (struct pages){0};
}

/* The group's place, or the empty one where it belongs; `tag`: number + 1. */
static struct pages_group *pages_place(const struct pages *pages, uint64_t tag)
{
    size_t mask = ((size_t)1 << pages->bits) - 1;
    size_t at = pages_start(pages, tag);
    while (pages->groups[at].tag && pages->groups[at].tag != tag)
        at = (at + 1) & mask;
    return &pages->groups[at];
}

static void pages_grow(struct pages *pages)
{
    struct pages_group *old = pages->groups;
    size_t places = (size_t)1 << pages->bits++;
    pages->groups = memory_zero((size_t)1 << pages->bits, sizeof *pages->groups);
    for (size_t i = 0; i < places; i++)
        if (old[i].tag)
            *pages_place(pages, old[i].tag) = old[i];
    free(old);
}

/* Twice as many rows. */
static void pages_widen(struct pages *pages)
{
    size_t words = pages->words * 2, bytes = pages->words * sizeof *pages->touched;
    uint64_t *wider = memory_zero(pages->system->sms * words, sizeof *wider);
    for (uint32_t sm = 0; sm < pages->system->sms; sm++)
        memcpy(wider + sm * words, pages->touched + sm * pages->words, bytes);
    free(pages->touched);
    pages->touched = wider;
    pages->words = words;
}

/* The group of that number; it is made when there is none. */
static struct pages_group *pages_group(struct pages *pages, uint64_t number)
{
    struct pages_group *group = pages_place(pages, number + 1);
    if (group->tag)
        return group;
    if (pages->n_groups + 1 > (size_t)1 << (pages->bits - 1)) {
        pages_grow(pages);
        group = pages_place(pages, number + 1);
    }
    if ((pages->n_groups + 1) * PAGES_GROUP > pages->words * 64)
        pages_widen(pages);
    group->tag = number + 1;
    group->index = (uint32_t)pages->n_groups++;
    return group;
}

static inline void pages_touch_row(const struct pages *pages, uint32_t sm, size_t row)
{
    pages->touched[sm * pages->words + row / 64] |= 1ULL << row % 64;
}

/* Asks the placement for the home of a byte. */
static int pages_ask(struct pages *pages, uint64_t address, uint32_t sm, uint32_t *home,
                     struct error *error)
{
    const struct placement *placement = pages->placement;
    address -= address % (pages->unit ? pages->unit : pages->system->page_bytes);
    *home =
        placement->home(pages->state, &pages->context, address, system_domain(pages->system, sm));
    if (*home < pages->context.n_homes)
        return 0;
    error_set(error, STATUS_INPUT, "page.policy %s: the page at 0x%llx has no home",
              placement->plugin.name, (unsigned long long)address);
    error_hint(error, "take another page.policy, such as first-touch");
    return STATUS_INPUT;
}

int pages_look_up(struct pages *pages, uint32_t sm, uint64_t line, struct pages_memo *memo,
                  struct error *error)
{
    uint64_t granule = pages_granule(pages, line), number = pages_number(pages, granule);
    struct pages_group *group = pages_group(pages, number / PAGES_GROUP);
    uint8_t *entry = &group->homes[number % PAGES_GROUP];
    uint32_t home;
    int status = 0;
    if (*entry == 0) { /* nobody touched it before */
        status = pages_ask(pages, number * pages->system->page_bytes, sm, &home, error);
        if (status)
            return status;
        *entry = (uint8_t)(home + 1);
        pages->per_domain[home]++;
        pages->count++;
    }
    home = *entry - 1U;
    pages_touch_row(pages, sm, (size_t)group->index * PAGES_GROUP + number % PAGES_GROUP);
    if (pages->page_granules > 1) /* the page's parts have homes of their own */
        status = pages_ask(pages, granule * pages->granule_bytes, sm, &home, error);
    if (!status)
        *memo = (struct pages_memo){granule + 1, home};
    return status;
}

bool pages_known(struct pages *pages, uint32_t sm, uint64_t granule, uint32_t *home)
{
    const struct pages_group *group = pages_place(pages, granule / PAGES_GROUP + 1);
    uint8_t entry = group->tag ? group->homes[granule % PAGES_GROUP] : 0;
    if (pages->page_granules > 1 || entry == 0)
        return false;
    pages_touch_row(pages, sm, (size_t)group->index * PAGES_GROUP + granule % PAGES_GROUP);
    *home = entry - 1U;
    return true;
}

double pages_balance(const struct pages *pages)
{
    return placement_balance(pages->per_domain, pages->context.n_homes);
}

/* Rows of a word of an SM's: from the lowest bit that is left in *bits, which is taken out. */
static inline size_t next_row(size_t word, uint64_t *bits)
{
    size_t row = word * 64 + (size_t)__builtin_ctzll(*bits);
    *bits &= *bits - 1;
    return row;
}

void pages_degrees(const struct pages *pages, uint64_t degrees[PAGES_DEGREES])
{
    size_t rows = pages->n_groups * PAGES_GROUP, words = (rows + 63) / 64;
    uint32_t *sms = memory_zero(words * 64, sizeof *sms);
    memset(degrees, 0, PAGES_DEGREES * sizeof *degrees);
    for (uint32_t sm = 0; sm < pages->system->sms; sm++)
        for (size_t word = 0; word < words; word++)
            for (uint64_t bits = pages->touched[sm * pages->words + word]; bits;)
                sms[next_row(word, &bits)]++;
    for (size_t row = 0; row < rows; row++)
        if (sms[row])
            degrees[(sms[row] > 1) + (sms[row] > 10) + (sms[row] > 25)]++;
    free(sms);
}

uint64_t *pages_domains(const struct pages *pages)
{
    size_t rows = pages->n_groups * PAGES_GROUP, words = (rows + 63) / 64;
    uint64_t *domains = memory_zero(words * 64, sizeof *domains);
    for (uint32_t sm = 0; sm < pages->system->sms; sm++) {
        uint64_t own = 1ULL << system_domain(pages->system, sm);
        for (size_t word = 0; word < words; word++)
            for (uint64_t bits = pages->touched[sm * pages->words + word]; bits;)
                domains[next_row(word, &bits)] |= own;
    }
    return domains;
}

size_t pages_row(const struct pages *pages, uint64_t line)
{
    uint64_t number = pages_number(pages, pages_granule(pages, line));
    const struct pages_group *group = pages_place(pages, number / PAGES_GROUP + 1);
    return (size_t)group->index * PAGES_GROUP + number % PAGES_GROUP;
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
    return (sizeof *pages->groups << pages->bits) +
           pages->system->sms * pages->words * sizeof *pages->touched +
           ((size_t)pages->system->sms << PAGES_MEMO_BITS) * sizeof *pages->memo;
}
