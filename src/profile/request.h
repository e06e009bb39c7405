/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line that one warp access asks for, after coalescing, and what became of it. */
#ifndef BANDSCAPE_PROFILE_REQUEST_H
#define BANDSCAPE_PROFILE_REQUEST_H

#include <stdint.h>

#include "core/bits.h"

enum request_flag {
    REQUEST_LOOKUP = 1,     /* a read that looked up L1 */
    REQUEST_REPLICABLE = 2, /* a read; the line's home is another domain, nobody writes it now */
    REQUEST_WRITEBACK = 4,  /* a dirty line on its way home: no SM asks for it */
    REQUEST_PARTIAL = 8,    /* a write that has to fetch what it leaves of a sector */
    REQUEST_BEGINS = 16,    /* the first of those that its warp makes together (run/momentary.h) */
    REQUEST_SKIMMED = 32,   /* its line is asked for, and that is not counted (run/stretches.h) */
    REQUEST_FIRST = 64,     /* but for its domain's first one in the launch, where these are counted
                             * apart */
    REQUEST_MEETS = 128     /* found in L1, where it is on its way still, by rounds */
};

/* Sector masks have a bit a sector; bit 0 alone where lines are fetched whole. */
struct request {
    uint64_t line; /* number */
    uint64_t hash; /* of the line */
    uint32_t id;   /* in the table of lines; to distances of a sample: in that */
    uint32_t cta;  /* for sharing between thread blocks */
    union {
        uint32_t warp; /* of its thread block; until the line is known, */
        uint32_t
            share; /* then: of the lines so far in the sample, times 2^32; no sample: neither */
    };
    uint32_t wanted;       /* sectors that the lanes touch */
    uint32_t sectors;      /* of these, not found in L1: the requests; 0: all were */
    uint32_t home_sectors; /* of these, not found in a level before the LLC */
    uint32_t sm;
    uint8_t domain, home; /* of the requester, of the line */
    uint8_t kind;         /* enum access_kind */
    uint8_t flags;        /* enum request_flag */
};

enum { REQUEST_BATCH = 512 };

/* How many sectors. Most lines have one. */
static inline uint32_t sectors_count(uint32_t mask)
{
    return mask & (mask - 1) ? bits_count(mask) : mask != 0;
}

#endif
