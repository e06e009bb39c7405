/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches beside L1: of scalars, constants, textures.
 *
 * A section of any name whose `contents` are scalar, constant, texture, or several of them with +
 * in between, is a read-only cache of an SM or of a cluster of SMs (sm.clusters), which stands in
 * L1's place for such reads (machine/access_path.h): they look up it and not L1, what it misses
 * goes on to what is behind L1, and what it has goes no further. Each kind has one such cache at
 * most. Where a machine has none for a kind, L1 serves it as all others. */
#ifndef BANDSCAPE_MACHINE_BESIDE_H
#define BANDSCAPE_MACHINE_BESIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/access_path.h"
#include "machine/machine.h"

enum { MACHINE_BESIDE_MAX = ACCESS_PATHS - 1 };

/* What `contents` may be, in one text, as the table of parameters has it. */
#define BESIDE_CONTENTS                                                                            \
    "scalar constant texture scalar+constant scalar+texture constant+texture "                     \
    "scalar+constant+texture"

/* The kinds in such a text, a bit 1 << enum access_path each; 0: it is none. */
unsigned beside_contents(const char *text);

struct machine_beside {
    const char *names[MACHINE_BESIDE_MAX]; /* of the sections: live as long as the machine */
    unsigned serves[MACHINE_BESIDE_MAX];   /* 1 << enum access_path */
    int n;
};

/* Those that are there, as the machine lists them: with a capacity that is known and not 0.
 * `given`: those without one too, which a setting may give. STATUS_INPUT where two serve one kind.
 */
int machine_beside(const struct machine *machine, bool given, struct machine_beside *out,
                   struct error *error);

struct system_beside_level {
    const char *name; /* of its section: as that of a level between L1 and the LLC */
    unsigned serves;
    int scope;       /* enum level_scope: PER_SM, PER_CLUSTER */
    uint32_t caches; /* of the system */
    /* What forms the stream. */
    uint64_t sets; /* of one cache */
    uint32_t ways;
    bool keeps; /* what it holds stays from launch to launch */
    /* With SYSTEM_STATIONS. */
    double latency_s; /* a step */
    uint32_t mshrs;   /* of one cache; 0: it never stops */
};

struct system_beside {
    struct system_beside_level levels[MACHINE_BESIDE_MAX];
    uint32_t n;
};

/* The number of the cache that serves a kind; -1: L1 does. */
static inline int beside_of(const struct system_beside *beside, unsigned path)
{
    for (uint32_t i = 0; path && i < beside->n; i++)
        if (beside->levels[i].serves >> path & 1)
            return (int)i;
    return -1;
}

struct system_reader; /* machine/system_internal.h */
void system_read_beside(struct system_reader *r);
void system_read_beside_stream(struct system_reader *r);
/* Those that state a bandwidth are stations. */
void system_add_beside(struct system_reader *r);

#endif
