/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replication among L1s that may hold a line each, in closed form from miss curves.
 *
 * n caches of c lines; lookups interleave. Of the LRU stack distances of one cache's
 * lookups, M_u(x) is the miss ratio of x lines; of all lookups together, M_a(x). Lookups
 * that miss x lines are the rate at which x grows (the footprint's derivative is the miss
 * ratio: Xiang et al., ASPLOS 2013), so that a cache that has seen t lookups of all holds
 *
 *     u(t) lines,  du/dt = M_u(u) / n,  u <= c
 *
 * and keeps a line for the time in which c others come. What any cache holds is what anybody
 * touched within that time:
 *
 *     D(t) lines,  dD/dt = M_a(D),  while u grows
 *
 *     copies    = n u / D             a line that k of n caches touch within the time that
 *                                     they keep it counts k times in u, once in D
 *     elsewhere = 1 - M_a(D)/M_u(u)   of the misses, another cache holds the line
 *
 * Both are summed over the misses of a launch that begins with empty caches. Exact for
 * independent random references; stationary references, caches alike and fully associative
 * LRU are assumed, and no line is lost to writes. */
#ifndef BANDSCAPE_MODELS_DCL1_REPLICATION_H
#define BANDSCAPE_MODELS_DCL1_REPLICATION_H

#include "profile/record/curve.h"

struct dcl1_replication {
    double elsewhere; /* of the misses: 0 to 1 */
    double copies;    /* of a line that is cached at all: 1 to n */
    double misses;    /* of the lookups */
};

/* unit: lookups of n caches, merged, each with distances of its own; all: the same lookups in
 * one stack. lines: of one cache. NaN without lookups. */
struct dcl1_replication dcl1_replication(const struct curve *unit, const struct curve *all,
                                         double n, double lines);

#endif
