/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the solvers of closed networks share: loops over lanes, and the cut to what a station can
 * serve. Only for the files NAME.simd.c, which are compiled once for each instruction set,
 * SIMD_LEVEL naming it. Every loop over lanes has a constant count and no branches, so that the
 * compiler turns it into vector instructions. */
#ifndef BANDSCAPE_QUEUEING_CLOSED_LANES_H
#define BANDSCAPE_QUEUEING_CLOSED_LANES_H

#include "core/simd.h"
#include "queueing/closed_kernels.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

enum { LANES = 16 };

#define EACH_LANE SIMD_EACH(i, lanes)

/* Solvers are written once for any number of lanes, and inlined with that constant. A large part
 * that several places call is a function of its own instead, one for each number of lanes, with
 * residual lives and without: X(suffix, lanes, residual) defines it, PICK says which. With a copy
 * in each place half of the time of a build went into them. */
#define NOINLINE __attribute__((noinline))
#define EACH_COPY(X)                                                                               \
    X(one, 1, false) X(many, LANES, false) X(one_residual, 1, true) X(many_residual, LANES, true)
#define PICK(function, lanes, residual)                                                            \
    ((lanes) == 1 ? (residual) ? function##_one_residual : function##_one                          \
     : (residual) ? function##_many_residual                                                       \
                  : function##_many)

INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

INLINE double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* a += b * c */
INLINE void add_product(int lanes, double *restrict a, const double *restrict b,
                        const double *restrict c)
{
    EACH_LANE a[i] += b[i] * c[i];
}

/* Cuts throughputs to the capacities. cycle[c] is the cycle time that goes with x[c]. */
INLINE void cut_to_capacity(const struct closed_block *b, int lanes, double *restrict x,
                            double *restrict cycle, double *restrict residence)
{
    for (int k = 0; k < b->stations; k++) {
        const double *restrict demand = b->demand_s + (size_t)(k * b->classes * lanes);
        double *restrict r = residence + (size_t)(k * b->classes * lanes);
        double load[LANES];
        if (b->varying[k])
            continue;
        EACH_LANE load[i] = 0.0;
        for (int c = 0; c < b->classes; c++)
            EACH_LANE load[i] += x[c * lanes + i] * demand[c * lanes + i];
        for (int c = 0; c < b->classes; c++)
            EACH_LANE
            {
                int at = c * lanes + i;
                double used = load[i] * b->spread[k];
                double over = demand[at] > 0.0 && used > 1.0 ? used : 1.0;
                r[at] += cycle[at] * (over - 1.0);
                cycle[at] *= over;
                x[at] /= over;
            }
    }
}

/* matrix * z = side; z in side. Diagonals are large enough to go without a choice of pivots. */
INLINE void solve_linear(int lanes, int classes, double *restrict matrix, double *restrict side)
{
    for (int p = 0; p < classes; p++) {
        double one[LANES];
        EACH_LANE one[i] = 1.0 / matrix[(p * classes + p) * lanes + i];
        for (int c = p + 1; c < classes; c++) {
            double factor[LANES];
            EACH_LANE factor[i] = matrix[(c * classes + p) * lanes + i] * one[i];
            for (int j = p + 1; j < classes; j++)
                EACH_LANE matrix[(c * classes + j) * lanes + i] -=
                    factor[i] * matrix[(p * classes + j) * lanes + i];
            EACH_LANE side[c * lanes + i] -= factor[i] * side[p * lanes + i];
        }
    }
    for (int p = classes - 1; p >= 0; p--) {
        for (int j = p + 1; j < classes; j++)
            EACH_LANE side[p * lanes + i] -=
                matrix[(p * classes + j) * lanes + i] * side[j * lanes + i];
        EACH_LANE side[p * lanes + i] /= matrix[(p * classes + p) * lanes + i];
    }
}

#endif
