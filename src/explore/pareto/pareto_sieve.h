/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast path of a streaming front: points against a few members of the
 * front, in blocks that the compiler turns into vector instructions. */
#ifndef BANDSCAPE_EXPLORE_PARETO_SIEVE_H
#define BANDSCAPE_EXPLORE_PARETO_SIEVE_H

#include <stddef.h>

#include "explore/pareto/pareto_front.h"

enum {
    SIEVE_BLOCK = 64,   /* points taken at a time */
    SIEVE_MEMBERS = 32, /* members of the front compared with, at most */
};

struct pareto_sieve {
    int objectives;
    size_t count;
    double sign[PARETO_OBJECTIVES_MAX]; /* -1 where the objective is maximised */
    /* Members, all minimised, in ascending order of objective 0. */
    double members[PARETO_OBJECTIVES_MAX][SIEVE_MEMBERS];
};

/* Takes points from .. from+count-1 (count <= SIEVE_BLOCK) of the columns,
 * writes them, all minimised, to keys[j][i], and the i of those that no member
 * dominates, or that are not finite, to `left`; returns how many those are. A
 * point equal to a member is left. */
typedef size_t pareto_sieve_function(const struct pareto_sieve *sieve, const double *const *columns,
                                     size_t from, size_t count, double (*keys)[SIEVE_BLOCK],
                                     unsigned char *left);

pareto_sieve_function pareto_sieve_base;
#if defined(__x86_64__)
pareto_sieve_function pareto_sieve_v3; /* AVX2 */
pareto_sieve_function pareto_sieve_v4; /* AVX-512 */
#endif

/* The best one this processor runs. */
pareto_sieve_function *pareto_sieve_pick(void);

#endif
