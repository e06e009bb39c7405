/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page placement: which domain is the home of a page. One file
 * `<name>.placement.c` a policy, ending in its descriptor. */
#ifndef BANDSCAPE_PROFILE_PLACEMENT_H
#define BANDSCAPE_PROFILE_PLACEMENT_H

#include "core/plugin.h"
#include "trace/stream.h"

struct placement_context {
    uint32_t n_homes;
    uint64_t page_bytes;
    uint64_t interleave_bytes;   /* page.interleave; 0: unknown */
    double threshold;            /* page.threshold */
    const struct source *source; /* allocations and recorded homes */
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
    /* Not NULL: homes do not depend on who touches what, but may change inside a page;
     * `home` is asked whenever it is wanted, for an address that is a multiple of this. */
    uint64_t (*unit)(const struct placement_context *context);
};

#endif
