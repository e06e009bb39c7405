/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Migration, a simple baseline: a page begins with its first toucher; when another domain
 * has asked for it page.move_after times since it came to where it is, it moves there, and
 * all counts begin anew. The access that sets it off is still served from afar. Time of the
 * move itself, shoot-downs and thrashing limits of real drivers are not there; its traffic is
 * (the field page_moves). */
#include "profile/homes/page_counts.h"
#include "profile/homes/placement.h"

static void migration_finish(void *state)
{
    page_counts_fini(state);
}

/* First touch. */
static uint32_t migration_home(void *state, const struct placement_context *context,
                               uint64_t address, uint32_t toucher)
{
    (void)state;
    (void)context;
    (void)address;
    return toucher;
}

static uint32_t migration_access(void *state, const struct placement_context *context,
                                 uint64_t page, uint32_t first_home, uint32_t toucher, bool write,
                                 uint64_t *moves)
{
    uint32_t after = context->move_after ? context->move_after : PAGE_MOVE_AFTER;
    struct page_state *at = page_counts_find(state, context->n_homes, page, first_home);
    uint32_t home = at->home;
    (void)write;
    if (toucher == home || ++page_counts_of(state, at)[toucher] < after)
        return home;
    page_counts_clear(state, at);
    at->home = toucher;
    ++*moves;
    return home;
}

const struct placement placement_migration = {
    .plugin = {"placement", "migration",
               "first touch, then to a domain that asks for it often (a simple baseline)",
               "our own; counts as in access counters of NVIDIA's Volta", NULL},
    .state_size = sizeof(struct page_counts),
    .finish = migration_finish,
    .home = migration_home,
    .access = migration_access,
};
