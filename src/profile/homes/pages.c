/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page table. */
#include "profile/homes/pages.h"

#include <stdlib.h>
#include <string.h>

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
        .sms_words = (system->sms + 63) / 64,
    };
    pages->groups = memory_zero((size_t)1 << pages->bits, sizeof *pages->groups);
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
    free(pages->sms);
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
    size_t words = PAGES_GROUP * pages->sms_words;
    if (pages->n_groups == pages->capacity)
        pages->sms =
            vector_grow(pages->sms, pages->n_groups, &pages->capacity, words * sizeof *pages->sms);
    memset(pages->sms + pages->n_groups * words, 0, words * sizeof *pages->sms);
    group->tag = number + 1;
    group->index = (uint32_t)pages->n_groups++;
    return group;
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
    size_t row = (size_t)group->index * PAGES_GROUP + number % PAGES_GROUP;
    pages->sms[row * pages->sms_words + sm / 64] |= 1ULL << sm % 64;
    if (pages->page_granules > 1) /* the page's parts have homes of their own */
        status = pages_ask(pages, granule * pages->granule_bytes, sm, &home, error);
    if (!status)
        *memo = (struct pages_memo){granule + 1, home};
    return status;
}

double pages_balance(const struct pages *pages)
{
    return placement_balance(pages->per_domain, pages->context.n_homes);
}

void pages_degrees(const struct pages *pages, uint64_t degrees[PAGES_DEGREES])
{
    memset(degrees, 0, PAGES_DEGREES * sizeof *degrees);
    for (size_t row = 0; row < pages->n_groups * PAGES_GROUP; row++) {
        int n = 0;
        for (size_t word = 0; word < pages->sms_words; word++)
            n += __builtin_popcountll(pages->sms[row * pages->sms_words + word]);
        if (n)
            degrees[(n > 1) + (n > 10) + (n > 25)]++;
    }
}

uint64_t *pages_domains(const struct pages *pages)
{
    size_t words = pages->sms_words, rows = pages->n_groups * PAGES_GROUP;
    uint64_t *domains = memory_zero(rows, sizeof *domains);
    for (size_t row = 0; row < rows; row++)
        for (uint32_t word = 0; word < words; word++)
            for (uint64_t sms = pages->sms[row * words + word]; sms; sms &= sms - 1) {
                uint32_t sm = word * 64 + (uint32_t)__builtin_ctzll(sms);
                domains[row] |= 1ULL << system_domain(pages->system, sm);
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
           pages->capacity * PAGES_GROUP * pages->sms_words * sizeof *pages->sms +
           ((size_t)pages->system->sms << PAGES_MEMO_BITS) * sizeof *pages->memo;
}
