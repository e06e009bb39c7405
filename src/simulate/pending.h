/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines on their way to a cache. The cache looks as if it held them, so what asks for one
 * in the meantime finds it and waits here until it has come. */
#ifndef BANDSCAPE_SIMULATE_PENDING_H
#define BANDSCAPE_SIMULATE_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PENDING_NONE UINT32_MAX

struct pending_line {
    uint64_t line;
    uint32_t unit;    /* the cache */
    uint32_t used;    /* 0: an empty place */
    uint32_t waiting; /* the last one that waits, a list of its owner's; PENDING_NONE */
    uint64_t pieces;  /* of it that come (simulate/packets.h): all, unless it is said */
};

/* Open addressing; deletion closes gaps. */
struct pending {
    struct pending_line *items;
    size_t count;
    uint32_t bits; /* log2 of the places */
};

void pending_init(struct pending *pending);
void pending_fini(struct pending *pending);

/* False when it is on its way already. */
bool pending_add(struct pending *pending, uint32_t unit, uint64_t line);
/* NULL: not on its way. Valid until the next call of another function. */
struct pending_line *pending_find(const struct pending *pending, uint32_t unit, uint64_t line);
/* It has come: those that waited; PENDING_NONE. */
uint32_t pending_remove(struct pending *pending, uint32_t unit, uint64_t line);

#endif
