/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replication, a simple baseline: a page begins with its first toucher; a domain that has
 * read it page.move_after times from afar gets a copy, and reads that from then on. A write
 * or an atomic of anyone goes to the home and drops all copies and counts. What dropping
 * costs is not counted, nor is the memory that copies take; their traffic is (the field
 * page_moves). */
#include "profile/homes/page_counts.h"
#include "profile/homes/placement.h"

static void replication_finish(void *state)
{
    page_counts_fini(state);
}

/* First touch. */
static uint32_t replication_home(void *state, const struct placement_context *context,
                                 uint64_t address, uint32_t toucher)
{
    (void)state;
    (void)context;
    (void)address;
    return toucher;
}

static uint32_t replication_access(void *state, const struct placement_context *context,
                                   uint64_t page, uint32_t first_home, uint32_t toucher, bool write,
                                   uint64_t *moves)
{
    uint32_t after = context->move_after ? context->move_after : PAGE_MOVE_AFTER;
    struct page_state *at = page_counts_find(state, context->n_homes, page, first_home);
    if (write) {
        at->copies = 1ULL << at->home;
        page_counts_clear(state, at);
        return at->home;
    }
    if (at->copies >> toucher & 1)
        return toucher;
    if (++page_counts_of(state, at)[toucher] >= after) {
        at->copies |= 1ULL << toucher;
        ++*moves;
    }
    return at->home;
}

const struct placement placement_replication = {
    .plugin = {"placement", "replication",
               "first touch, with copies for domains that read a page often (a simple baseline)",
               "our own", NULL},
    .state_size = sizeof(struct page_counts),
    .finish = replication_finish,
    .home = replication_home,
    .access = replication_access,
};
