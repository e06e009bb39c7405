/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One set of the loops of marginals; the Makefile compiles this file once for each instruction set,
 * with SIMD_LEVEL naming it. Compilers may not change the order of a sum: it is made of LANES sums
 * that they may make side by side. */
#include <math.h>

#include "explore/sweep/marginals_kernels.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

enum { LANES = 8 };

static double sum_of(const double *values, size_t n)
{
    double lanes[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lanes[k] += values[i + k];
    for (size_t k = 0; k < LANES; k++)
        sum += lanes[k];
    for (; i < n; i++)
        sum += values[i];
    return sum;
}

static double least_of(const double *values, size_t n)
{
    double lanes[LANES], least = values[0];
    size_t i = 0;
    for (size_t k = 0; k < LANES; k++)
        lanes[k] = values[0];
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lanes[k] = values[i + k] < lanes[k] ? values[i + k] : lanes[k];
    for (size_t k = 0; k < LANES; k++)
        least = lanes[k] < least ? lanes[k] : least;
    for (; i < n; i++)
        least = values[i] < least ? values[i] : least;
    return least;
}

static double squares_of(const double *values, size_t n)
{
    double lanes[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lanes[k] += values[i + k] * values[i + k];
    for (size_t k = 0; k < LANES; k++)
        sum += lanes[k];
    for (; i < n; i++)
        sum += values[i] * values[i];
    return sum;
}

static double box_fill(const struct marginals_box *box, const double *restrict values,
                       const unsigned char *restrict mask, double sign, size_t n)
{
    double *restrict sums = box->sums, *restrict leasts = box->leasts;
    if (mask) {
        double *restrict counts = box->counts;
        for (size_t i = 0; i < n; i++) {
            double kept = mask[i] ? values[i] : 0.0, least = mask[i] ? sign * values[i] : HUGE_VAL;
            sums[i] = kept;
            leasts[i] = least;
            counts[i] = mask[i] ? 1.0 : 0.0;
        }
    } else {
        for (size_t i = 0; i < n; i++) {
            sums[i] = values[i];
            leasts[i] = sign * values[i];
        }
    }
    return squares_of(sums, n);
}

static struct marginals_slice box_slice(const struct marginals_box *box, size_t from, size_t n)
{
    return (struct marginals_slice){sum_of(box->sums + from, n), least_of(box->leasts + from, n),
                                    box->counts ? sum_of(box->counts + from, n) : 0};
}

static void box_fold(const struct marginals_box *box, size_t from, size_t n)
{
    double *restrict sums = box->sums, *restrict leasts = box->leasts, *restrict counts;
    const double *restrict more = sums + from, *restrict least = leasts + from;
    for (size_t i = 0; i < n; i++)
        sums[i] += more[i];
    for (size_t i = 0; i < n; i++)
        leasts[i] = least[i] < leasts[i] ? least[i] : leasts[i];
    if (!box->counts)
        return;
    counts = box->counts;
    more = counts + from;
    for (size_t i = 0; i < n; i++)
        counts[i] += more[i];
}

extern const struct marginals_kernels JOIN(marginals_kernels_, SIMD_LEVEL);
const struct marginals_kernels JOIN(marginals_kernels_, SIMD_LEVEL) = {box_fill, box_slice,
                                                                       box_fold};
