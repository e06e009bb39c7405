/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast path of a streaming front: blocks of points, and each point of a block, against a few
 * members of the front, in loops that the compiler turns into vector instructions. */
#ifndef BANDSCAPE_EXPLORE_PARETO_SIEVE_H
#define BANDSCAPE_EXPLORE_PARETO_SIEVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore/pareto/pareto_front.h"

enum {
    SIEVE_BLOCK = 64,   /* points taken at a time */
    SIEVE_MEMBERS = 32, /* members of the front compared with, at most */
};

/* Points, all minimised; behind the last one the first again. */
struct pareto_block {
    int objectives;
    size_t count;
    double keys[PARETO_OBJECTIVES_MAX][SIEVE_BLOCK];
    double best[PARETO_OBJECTIVES_MAX], worst[PARETO_OBJECTIVES_MAX]; /* of all points */
    bool finite; /* all of them are; else best and worst mean nothing */
};

/* Members, all minimised. Of two objectives they ascend in the first and descend in the second. */
struct pareto_sieve {
    size_t count;
    double members[PARETO_OBJECTIVES_MAX][SIEVE_MEMBERS];
};

/* Whether a point with the values x dominates one with the values y is in all of these: no worse
 * in all objectives, and better in one. */
struct pareto_sieve_kernels {
    const char *name;
    /* Points from .. from+count-1 of the columns, times the signs (count <= SIEVE_BLOCK). */
    void (*load)(struct pareto_block *block, const double *sign, const double *const *columns,
                 size_t from, size_t count);
    /* Whether a member dominates the best corner of the block, and so all of it. */
    bool (*covers)(const struct pareto_sieve *sieve, const struct pareto_block *block);
    /* Writes the i of points that no member dominates to `left`; returns how many those are. A
     * point equal to a member is left. */
    size_t (*pass)(const struct pareto_sieve *sieve, const struct pareto_block *block,
                   unsigned char *left);
    /* Bit s of *mask: whether the point `key` dominates keys[.][s] of the block, s < count. */
    uint64_t (*mark)(const struct pareto_block *block, const double *key);
    /* How many of n masks' bits `covered` lacks. */
    int (*gain)(const uint64_t *masks, const uint64_t *covered, int n);
};

/* The best set this processor runs. */
const struct pareto_sieve_kernels *pareto_sieve_kernels_get(void);
/* A set by name ("base", "v3", "v4") or NULL when it cannot run here: for tests. */
const struct pareto_sieve_kernels *pareto_sieve_kernels_find(const char *name);

#endif
