/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Homes of pages. */
#include "profile/homes.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

enum { FIRST_BITS = 10 };

int homes_init(struct homes *homes, const struct shape *shape, const struct source *source,
               struct error *error)
{
    const struct placement *placement = shape->placement;
    *homes = (struct homes){
        .placement = placement,
        .context = {shape->domains, shape->page_bytes, shape->interleave_bytes,
                    shape->page_threshold, source},
        .state = placement->state_size ? memory_zero(1, placement->state_size) : NULL,
        .bits = FIRST_BITS,
    };
    homes->table = memory_zero((size_t)1 << homes->bits, sizeof *homes->table);
    int status = placement->setup ? placement->setup(homes->state, &homes->context, error) : 0;
    homes->unit = placement->unit && !status ? placement->unit(&homes->context) : shape->page_bytes;
    return status;
}

void homes_fini(struct homes *homes)
{
    if (homes->placement && homes->placement->finish)
        homes->placement->finish(homes->state);
    free(homes->state);
    free(homes->table);
    *homes = (struct homes){0};
}

static inline size_t homes_start(const struct homes *homes, uint64_t number)
{
    return hash_fmix64(number) >> (64 - homes->bits);
}

/* The unit's place, or the empty one where it belongs. */
static size_t homes_place(const struct homes *homes, uint64_t number)
{
    size_t mask = ((size_t)1 << homes->bits) - 1;
    size_t at = homes_start(homes, number);
    while (homes->table[at].number && homes->table[at].number != number)
        at = (at + 1) & mask;
    return at;
}

static void homes_grow(struct homes *homes)
{
    struct homes old = *homes;
    homes->bits++;
    homes->table = memory_zero((size_t)1 << homes->bits, sizeof *homes->table);
    for (size_t i = 0; i < (size_t)1 << old.bits; i++)
        if (old.table[i].number)
            homes->table[homes_place(homes, old.table[i].number)] = old.table[i];
    free(old.table);
}

int homes_find(struct homes *homes, uint64_t address, uint32_t toucher, uint32_t *out,
               struct error *error)
{
    uint64_t number = address / homes->unit;
    size_t at = homes_place(homes, number + 1);
    if (!homes->table[at].number) {
        uint32_t home =
            homes->placement->home(homes->state, &homes->context, number * homes->unit, toucher);
        if (home >= homes->context.n_homes) {
            error_set(error, STATUS_INPUT, "page.policy %s: the page at 0x%llx has no home",
                      homes->placement->plugin.name, (unsigned long long)(number * homes->unit));
            error_hint(error, "take another page.policy, such as first-touch");
            return STATUS_INPUT;
        }
        if (++homes->count > (size_t)1 << (homes->bits - 1)) {
            homes_grow(homes);
            at = homes_place(homes, number + 1);
        }
        homes->table[at].number = number + 1;
        homes->table[at].home = home;
    }
    *out = homes->table[at].home;
    return 0;
}

void homes_prefetch(const struct homes *homes, uint64_t address)
{
    __builtin_prefetch(&homes->table[homes_start(homes, address / homes->unit + 1)]);
}
