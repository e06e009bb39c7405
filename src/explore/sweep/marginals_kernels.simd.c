/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One set of the loops of marginals; the Makefile compiles this file once for each instruction set,
 * with SIMD_LEVEL naming it. Compilers may not change the order of a sum: it is made of LANES sums
 * that they may make side by side. */
#include <math.h>

#include "core/simd.h"
#include "explore/sweep/marginals_kernels.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

enum { LANES = 8 };

static double sum_of(const double *values, size_t n)
{
    double lanes[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        SIMD_EACH(k, LANES)
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
    SIMD_EACH(k, LANES)
    lanes[k] = values[0];
    for (; i + LANES <= n; i += LANES)
        SIMD_EACH(k, LANES)
    lanes[k] = values[i + k] < lanes[k] ? values[i + k] : lanes[k];
    for (size_t k = 0; k < LANES; k++)
        least = lanes[k] < least ? lanes[k] : least;
    for (; i < n; i++)
        least = values[i] < least ? values[i] : least;
    return least;
}

/* Of a value that may be left out. */
#define KEPT(i) (!mask || mask[i] ? values[i] : 0.0)
#define LEAST(i) (!mask || mask[i] ? sign * values[i] : HUGE_VAL)

INLINE double squares_of(const double *restrict values, const unsigned char *restrict mask,
                         size_t n)
{
    double lanes[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        SIMD_EACH(k, LANES)
    lanes[k] += KEPT(i + k) * KEPT(i + k);
    for (size_t k = 0; k < LANES; k++)
        sum += lanes[k];
    for (; i < n; i++)
        sum += KEPT(i) * KEPT(i);
    return sum;
}

static double squares(const double *values, const unsigned char *mask, size_t n)
{
    return mask ? squares_of(values, mask, n) : squares_of(values, NULL, n);
}

INLINE void box_take_one(const struct marginals_box *box, size_t i, double kept, double least,
                         bool more)
{
    box->sums[i] = more ? box->sums[i] + kept : kept;
    box->leasts[i] = more && !(least < box->leasts[i]) ? box->leasts[i] : least;
}

/* Sums side by side in the order of sum_of and least_of. */
INLINE struct marginals_slice take_of(const struct marginals_box *box,
                                      const double *restrict values,
                                      const unsigned char *restrict mask, double sign, size_t n,
                                      bool more)
{
    double *restrict sums = box->sums, *restrict leasts = box->leasts;
    double sum_lanes[LANES] = {0}, least_lanes[LANES];
    struct marginals_slice all = {0, LEAST(0), 0};
    struct marginals_box to = {sums, leasts, NULL};
    size_t i = 0;
    for (size_t k = 0; k < LANES; k++)
        least_lanes[k] = all.least;
    for (; i + LANES <= n; i += LANES)
        SIMD_EACH(k, LANES)
        {
            double kept = KEPT(i + k), least = LEAST(i + k);
            sum_lanes[k] += kept;
            least_lanes[k] = least < least_lanes[k] ? least : least_lanes[k];
            box_take_one(&to, i + k, kept, least, more);
        }
    for (size_t k = 0; k < LANES; k++) {
        all.sum += sum_lanes[k];
        all.least = least_lanes[k] < all.least ? least_lanes[k] : all.least;
    }
    for (; i < n; i++) {
        double kept = KEPT(i), least = LEAST(i);
        all.sum += kept;
        all.least = least < all.least ? least : all.least;
        box_take_one(&to, i, kept, least, more);
    }
    return all;
}

static void rows_take(const struct marginals_box *box, const double *values, double sign, size_t n,
                      struct marginals_slice *slices)
{
    double *restrict sums = box->sums, *restrict leasts = box->leasts;
    double sum_lanes[MARGINALS_ROWS][LANES] = {{0}}, least_lanes[MARGINALS_ROWS][LANES];
    size_t i = 0;
    for (size_t v = 0; v < MARGINALS_ROWS; v++)
        for (size_t k = 0; k < LANES; k++)
            least_lanes[v][k] = sign * values[v * n];
    for (; i + LANES <= n; i += LANES)
        SIMD_EACH(k, LANES)
        {
            double sum = sums[i + k], low = leasts[i + k];
            for (size_t v = 0; v < MARGINALS_ROWS; v++) {
                double here = values[v * n + i + k], least = sign * here;
                sum_lanes[v][k] += here;
                least_lanes[v][k] = least < least_lanes[v][k] ? least : least_lanes[v][k];
                sum += here;
                low = least < low ? least : low;
            }
            sums[i + k] = sum;
            leasts[i + k] = low;
        }
    for (size_t v = 0; v < MARGINALS_ROWS; v++) {
        struct marginals_slice all = {0, sign * values[v * n], 0};
        struct marginals_box to = {sums, leasts, NULL};
        for (size_t k = 0; k < LANES; k++) {
            all.sum += sum_lanes[v][k];
            all.least = least_lanes[v][k] < all.least ? least_lanes[v][k] : all.least;
        }
        for (size_t k = i; k < n; k++) {
            double here = values[v * n + k], least = sign * here;
            all.sum += here;
            all.least = least < all.least ? least : all.least;
            box_take_one(&to, k, here, least, true);
        }
        slices[v] = all;
    }
}

static double take_counts(double *restrict counts, const unsigned char *restrict mask, size_t n,
                          bool more)
{
    unsigned taken = 0; /* whole numbers: in any order */
    for (size_t i = 0; i < n; i++) {
        counts[i] = (more ? counts[i] : 0.0) + mask[i];
        taken += mask[i];
    }
    return taken;
}

/* Four versions, so that no loop asks what it is. */
static struct marginals_slice box_take(const struct marginals_box *box, const double *values,
                                       const unsigned char *mask, double sign, size_t n, bool more)
{
    struct marginals_slice all;
    if (!mask)
        return more ? take_of(box, values, NULL, sign, n, true)
                    : take_of(box, values, NULL, sign, n, false);
    all = more ? take_of(box, values, mask, sign, n, true)
               : take_of(box, values, mask, sign, n, false);
    all.count = take_counts(box->counts, mask, n, more);
    return all;
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

/* Parts of a number are its digits to the base of 2^32, all with its sign, as order_free_add makes
 * them: what is left of it, in units of one digit, is cut to a whole number, all of which is
 * exact. Below TOP_UNITS of the highest digit, order_free_add would not raise that. */
static bool sums_add(const struct marginals_columns *rows, size_t at, const double *restrict values,
                     size_t n)
{
    static const double TOP_UNITS = 0x1p20, BASE = 0x1p32;
    const double *restrict units = rows->units + at;
    int64_t *restrict part0 = rows->parts[0] + at, *restrict part1 = rows->parts[1] + at,
                      *restrict part2 = rows->parts[2] + at, *restrict part3 = rows->parts[3] + at,
                      lacks = 0;
    for (size_t i = 0; i < n; i++)
        lacks |= !(fabs(values[i] * units[i]) < TOP_UNITS); /* nor is a NaN */
    if (lacks)
        return false;
    for (size_t i = 0; i < n; i++) {
        double left = values[i] * units[i];
        int64_t digit = (int64_t)left;
        part0[i] += digit;
        left = (left - (double)digit) * BASE;
        digit = (int64_t)left;
        part1[i] += digit;
        left = (left - (double)digit) * BASE;
        digit = (int64_t)left;
        part2[i] += digit;
        left = (left - (double)digit) * BASE;
        part3[i] += (int64_t)left;
    }
    return true;
}

static bool rows_add(const struct marginals_columns *rows, size_t at,
                     const struct marginals_box *box, size_t n, uint64_t points, double sign)
{
    uint64_t *restrict to = rows->points + at;
    double *restrict best = rows->best + at;
    const double *restrict leasts = box->leasts, *restrict counts = box->counts;
    if (counts)
        for (size_t i = 0; i < n; i++)
            to[i] += (uint64_t)(int64_t)counts[i];
    else
        for (size_t i = 0; i < n; i++)
            to[i] += points;
    if (sign > 0)
        for (size_t i = 0; i < n; i++)
            best[i] = leasts[i] < best[i] ? leasts[i] : best[i];
    else
        for (size_t i = 0; i < n; i++)
            best[i] = -leasts[i] > best[i] ? -leasts[i] : best[i];
    return sums_add(rows, at, box->sums, n);
}

extern const struct marginals_kernels JOIN(marginals_kernels_, SIMD_LEVEL);
const struct marginals_kernels JOIN(marginals_kernels_, SIMD_LEVEL) = {.squares = squares,
                                                                       .take = box_take,
                                                                       .take_rows = rows_take,
                                                                       .slice = box_slice,
                                                                       .fold = box_fold,
                                                                       .add = rows_add};
