/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where pages live: asks the placement policy once a page and remembers. */
#ifndef BANDSCAPE_PROFILE_HOMES_H
#define BANDSCAPE_PROFILE_HOMES_H

#include "profile/shape.h"

struct homes {
    const struct placement *placement;
    struct placement_context context;
    void *state;
    uint64_t unit; /* bytes that share a home */
    struct {
        uint64_t number; /* of the unit, + 1; 0: empty */
        uint32_t home;
    } * table; /* open addressing */
    size_t count;
    uint32_t bits; /* log2 of its places */
};

/* To be finished even when it fails. */
int homes_init(struct homes *homes, const struct shape *shape, const struct source *source,
               struct error *error);
void homes_fini(struct homes *homes);

/* The home of an address; `toucher` matters when its page was never asked for. */
int homes_find(struct homes *homes, uint64_t address, uint32_t toucher, uint32_t *out,
               struct error *error);

/* Fetches what finding that address will read. */
void homes_prefetch(const struct homes *homes, uint64_t address);

#endif
