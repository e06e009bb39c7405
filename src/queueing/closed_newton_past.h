/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the Linearizer's differences go on where a share of what they miss is not enough
 * (closed_newton.simd.c): by what the last sweeps say together. Only for that file.
 *
 * With what they miss, f, as a function of the differences x that is a line near the fixed point,
 *
 *     x + f - sum_i g_i (dx_i + df_i),   g: least |f - sum_i g_i df_i|
 *
 * over the last sweeps i, dx and df from each to the next (Anderson, "Iterative procedures for
 * nonlinear integral equations", JACM 12(4), 1965; Walker and Ni, SIAM Journal on Numerical
 * Analysis 49(4), 2011). Stations that are equally full make x drift in as many directions as there
 * are of them, which one share for all directions does not meet. */
#ifndef BANDSCAPE_QUEUEING_CLOSED_NEWTON_PAST_H
#define BANDSCAPE_QUEUEING_CLOSED_NEWTON_PAST_H

#include "queueing/closed_newton_step.h"

/* Of a diagonal, so much that sweeps which say the same do not divide by rounding. */
#define PAST_ROUNDED 1e-14
/* So many times what was once missing is no turn of the way: a sweep misses less than the one
 * before, now and then somewhat more. */
#define PAST_ASTRAY 10.0
/* A sum of squares that stands for none. */
#define PAST_NONE 1e-300

INLINE size_t past_size(const struct closed_block *b, int lanes)
{
    return (size_t)(b->stations * b->classes * b->classes * lanes);
}

INLINE void past_product(size_t size, int lanes, const double *restrict x, const double *restrict y,
                         double *restrict out)
{
    EACH_LANE out[i] = 0.0;
    for (size_t at = 0; at < size; at += (size_t)lanes)
        EACH_LANE out[i] += x[at + (size_t)i] * y[at + (size_t)i];
}

/* matrix = L L', in its lower half; L^-1 side in side. */
INLINE void past_factor(int lanes, int n, double matrix[][CLOSED_PAST][LANES], double side[][LANES])
{
    for (int u = 0; u < n; u++) {
        for (int v = 0; v <= u; v++) {
            double least[LANES];
            EACH_LANE least[i] = matrix[u][u][i] * PAST_ROUNDED + PAST_NONE;
            for (int w = 0; w < v; w++)
                EACH_LANE matrix[u][v][i] -= matrix[u][w][i] * matrix[v][w][i];
            if (u == v)
                EACH_LANE matrix[u][u][i] = sqrt(larger(matrix[u][u][i], least[i]));
            else
                EACH_LANE matrix[u][v][i] /= matrix[v][v][i];
        }
        for (int w = 0; w < u; w++)
            EACH_LANE side[u][i] -= matrix[u][w][i] * side[w][i];
        EACH_LANE side[u][i] /= matrix[u][u][i];
    }
}

/* g of the n last sweeps. */
INLINE void past_parts(const struct closed_block *b, int lanes, const struct newton *s, int n,
                       double part[][LANES])
{
    double matrix[CLOSED_PAST][CLOSED_PAST][LANES];
    size_t size = past_size(b, lanes);
    for (int u = 0; u < n; u++) {
        for (int v = 0; v <= u; v++)
            past_product(size, lanes, s->turned + (size_t)u * size, s->turned + (size_t)v * size,
                         matrix[u][v]);
        past_product(size, lanes, s->turned + (size_t)u * size, s->lack, part[u]);
    }
    past_factor(lanes, n, matrix, part);
    for (int u = n - 1; u >= 0; u--) {
        for (int w = u + 1; w < n; w++)
            EACH_LANE part[u][i] -= matrix[w][u][i] * part[w][i];
        EACH_LANE part[u][i] /= matrix[u][u][i];
    }
}

/* Before what the differences miss is worked out anew. */
INLINE void past_keep(const struct closed_block *b, int lanes, struct newton *s, int sweeps)
{
    size_t size = past_size(b, lanes);
    double *restrict turned = s->turned + (size_t)((sweeps + CLOSED_PAST - 1) % CLOSED_PAST) * size;
    for (size_t at = 0; at < size && sweeps > 0; at++)
        turned[at] = -s->lack[at];
}

/* Sweeps that led away say nothing of the way: lanes where more is missing than PAST_ASTRAY times
 * what was once missing forget them. */
INLINE void past_forget(const struct closed_block *b, int lanes, struct newton *s)
{
    size_t kept = CLOSED_PAST * past_size(b, lanes);
    double keep[LANES];
    int astray = 0;
    EACH_LANE
    {
        bool far = s->worst[i] > PAST_ASTRAY * s->nearest[i];
        s->nearest[i] = smaller(s->nearest[i], s->worst[i]);
        keep[i] = far ? 0.0 : 1.0;
        astray += far;
    }
    for (size_t at = 0; at < kept && astray > 0; at += (size_t)lanes)
        EACH_LANE
        {
            s->went[at + (size_t)i] *= keep[i];
            s->turned[at + (size_t)i] *= keep[i];
        }
}

/* After it: differences of lanes that move go on, in the first sweeps by all of it. */
INLINE void past_delta(const struct closed_block *b, int lanes, struct newton *s, int sweeps,
                       bool whole)
{
    size_t size = past_size(b, lanes);
    int n = whole ? 0 : sweeps < CLOSED_PAST ? sweeps : CLOSED_PAST;
    double part[CLOSED_PAST][LANES];
    double *restrict turned = s->turned + (size_t)((sweeps + CLOSED_PAST - 1) % CLOSED_PAST) * size;
    double *restrict went = s->went + (size_t)(sweeps % CLOSED_PAST) * size;
    for (size_t at = 0; at < size && sweeps > 0; at++)
        turned[at] += s->lack[at];
    past_forget(b, lanes, s);
    past_parts(b, lanes, s, n, part);
    for (size_t at = 0; at < size; at += (size_t)lanes) {
        double step[LANES];
        EACH_LANE step[i] = s->lack[at + (size_t)i];
        for (int u = 0; u < n; u++) {
            const double *restrict dx = s->went + (size_t)u * size + at;
            const double *restrict df = s->turned + (size_t)u * size + at;
            EACH_LANE step[i] -= part[u][i] * (dx[i] + df[i]);
        }
        EACH_LANE
        {
            step[i] = s->moving[i] != 0.0 ? step[i] : 0.0;
            s->delta[at + (size_t)i] += step[i];
            went[at + (size_t)i] = step[i];
        }
    }
}

#endif
