/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page placement: which domain is the home of a page. One file
 * `<name>.placement.c` a policy, ending in its descriptor. */
#ifndef BANDSCAPE_PROFILE_PLACEMENT_H
#define BANDSCAPE_PROFILE_PLACEMENT_H

#include <math.h>
#include <stdbool.h>

#include "core/plugin.h"
#include "machine/system.h"
#include "trace/stream.h"

struct placement_context {
    uint32_t n_homes;
    uint64_t page_bytes;
    uint64_t interleave_bytes;   /* page.interleave; 0: unknown */
    double threshold;            /* page.threshold */
    const struct source *source; /* allocations and recorded homes */
    uint32_t move_after;         /* page.move_after; 0: unknown */
};

#define PLACEMENT_NONE UINT32_MAX /* the policy knows no home for that page */

struct placement {
    struct plugin plugin; /* kind "placement" */
    /* Bytes of state, zeroed, then set up once a pass; NULL setup: nothing to do. */
    size_t state_size;
    int (*setup)(void *state, const struct placement_context *context, struct error *error);
    void (*finish)(void *state);
    /* The home of the page at `address` (page-aligned), first touched by `toucher`, or
     * PLACEMENT_NONE. Called once a page, in the order of first touch. */
    uint32_t (*home)(void *state, const struct placement_context *context, uint64_t address,
                     uint32_t toucher);
    /* Homes hang on how many pages were touched before, and not on who touches: were SMs of a round
     * to come in the order of their chips, pages that each touches would all be dealt to it. */
    bool deals;
    /* Not NULL: homes do not depend on who touches what, but may change inside a page;
     * `home` is asked whenever it is wanted, for an address that is a multiple of this. */
    uint64_t (*unit)(const struct placement_context *context);
    /* Not NULL: pages move, or have copies. Called at every line access with the home that
     * the page got at its first touch; returns the domain whose memory serves the access, and
     * adds to *moves what went over the links by it: pages. */
    uint32_t (*access)(void *state, const struct placement_context *context, uint64_t page,
                       uint32_t first_home, uint32_t toucher, bool write, uint64_t *moves);
};

/* Normalised page balance (NUBA, ASPLOS 2023): NPB = (1/n) sum P_i / max P_j over the
 * pages P of n homes: 1 when all have as many, 1/n when one has all; NaN without pages. */
static inline double placement_balance(const uint64_t *pages, uint32_t n_homes)
{
    uint64_t sum = 0, most = 0;
    for (uint32_t i = 0; i < n_homes; i++) {
        sum += pages[i];
        most = pages[i] > most ? pages[i] : most;
    }
    return most ? (double)sum / ((double)n_homes * (double)most) : (double)NAN;
}

static inline const struct placement *placement_of(const struct system *system)
{
    return (const struct placement *)system->placement;
}

#endif
