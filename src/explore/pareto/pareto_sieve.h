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
    SIEVE_RUN = 4,      /* blocks looked at together before that */
    SIEVE_LANES = 8,    /* points of a block side by side */
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

/* The best of each objective, all minimised, of the whole blocks of a run; of each block it is
 * still apart: the best of every SIEVE_LANES-th point. */
struct pareto_run {
    double best[PARETO_OBJECTIVES_MAX];
    double lanes[PARETO_OBJECTIVES_MAX][SIEVE_RUN][SIEVE_LANES];
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
    /* The points from .. from + SIEVE_RUN * SIEVE_BLOCK - 1, times the signs. False: one of them is
     * not finite, and the rest means nothing. */
    bool (*look)(struct pareto_run *run, const double *sign, const double *const *columns,
                 int objectives, size_t from);
    /* Whether a member dominates the best of each objective of some points, and so all of them. */
    bool (*covers)(const struct pareto_sieve *sieve, const double *best, int objectives);
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
