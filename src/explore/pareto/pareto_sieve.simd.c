/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiled once per instruction set: plain loops over a block, without
 * branches, that the compiler vectorises. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "explore/pareto/pareto_sieve.h"

#define SIEVE_JOIN(a, b) a##b
#define SIEVE_NAME(level) SIEVE_JOIN(pareto_sieve_, level)

/* Members ascend in objective 0 and descend in objective 1, so the last one
 * that is <= in 0 says whether the point is dominated: three operations a
 * member. alive[i] becomes 0 for the dominated. */
static void sieve_2d(const struct pareto_sieve *sieve, double (*keys)[SIEVE_BLOCK],
                     int64_t *restrict alive)
{
    const double *restrict x = keys[0], *restrict y = keys[1];
    double step_x[SIEVE_BLOCK], step_y[SIEVE_BLOCK];
    for (int i = 0; i < SIEVE_BLOCK; i++)
        step_x[i] = step_y[i] = HUGE_VAL;
    for (size_t k = 0; k < sieve->count; k++) {
        double member_x = sieve->members[0][k], member_y = sieve->members[1][k];
        for (int i = 0; i < SIEVE_BLOCK; i++) {
            step_y[i] = x[i] >= member_x ? member_y : step_y[i];
            step_x[i] = x[i] >= member_x ? member_x : step_x[i];
        }
    }
    for (int i = 0; i < SIEVE_BLOCK; i++)
        alive[i] = !((y[i] > step_y[i]) | ((y[i] == step_y[i]) & (x[i] > step_x[i])));
}

static void sieve_any(const struct pareto_sieve *sieve, double (*keys)[SIEVE_BLOCK],
                      int64_t *restrict alive)
{
    int64_t no_worse[SIEVE_BLOCK], better[SIEVE_BLOCK];
    for (int i = 0; i < SIEVE_BLOCK; i++)
        alive[i] = 1;
    for (size_t k = 0; k < sieve->count; k++) {
        for (int i = 0; i < SIEVE_BLOCK; i++) {
            no_worse[i] = 1;
            better[i] = 0;
        }
        for (int j = 0; j < sieve->objectives; j++) {
            const double *restrict key = keys[j];
            double member = sieve->members[j][k];
            for (int i = 0; i < SIEVE_BLOCK; i++) {
                no_worse[i] &= member <= key[i];
                better[i] |= member < key[i];
            }
        }
        for (int i = 0; i < SIEVE_BLOCK; i++)
            alive[i] &= !(no_worse[i] & better[i]);
    }
}

pareto_sieve_function SIEVE_NAME(SIMD_LEVEL);
size_t SIEVE_NAME(SIMD_LEVEL)(const struct pareto_sieve *sieve, const double *const *columns,
                              size_t from, size_t count, double (*keys)[SIEVE_BLOCK],
                              unsigned char *left)
{
    int64_t alive[SIEVE_BLOCK];
    for (int j = 0; j < sieve->objectives; j++) {
        const double *column = columns[j] + from;
        double sign = sieve->sign[j];
        if (count == SIEVE_BLOCK)
            for (int i = 0; i < SIEVE_BLOCK; i++)
                keys[j][i] = column[i] * sign;
        else
            for (size_t i = 0; i < SIEVE_BLOCK; i++)
                keys[j][i] = i < count ? column[i] * sign : 0.0;
    }
    if (sieve->objectives == 2)
        sieve_2d(sieve, keys, alive);
    else
        sieve_any(sieve, keys, alive);
    for (int j = 0; j < sieve->objectives; j++)
        for (int i = 0; i < SIEVE_BLOCK; i++)
            alive[i] |= !(fabs(keys[j][i]) <= DBL_MAX);
    size_t found = 0;
    for (size_t group = 0; group < count; group += 8) {
        int64_t any = 0;
        for (size_t i = group; i < group + 8; i++)
            any |= alive[i];
        if (any)
            for (size_t i = group; i < group + 8 && i < count; i++)
                if (alive[i])
                    left[found++] = (unsigned char)i;
    }
    return found;
}
