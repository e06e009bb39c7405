/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of marginals, compiled for several instruction sets (marginals_kernels.simd.c). All
 * give the same bits: what is summed side by side is part of what they are. */
#ifndef BANDSCAPE_EXPLORE_MARGINALS_KERNELS_H
#define BANDSCAPE_EXPLORE_MARGINALS_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/order_free_sum.h"

/* Of each place: the sum of the values that are there, the least (of values that count the other
 * way, their negatives), and how many these are. */
struct marginals_box {
    double *sums, *leasts, *counts; /* counts NULL: they are known */
};

enum { MARGINALS_ROWS = 3 }; /* taken together behind the first */

struct marginals_slice {
    double sum, least, count;
};

/* What was gathered of many values of axes, by columns: how many points, the best one, and the
 * order-free sum (core/order_free_sum.h) of what they are ranked by. */
struct marginals_columns {
    uint64_t *points;
    double *best;
    int64_t *parts[ORDER_FREE_PARTS], *top;
    bool *lost;
    double *units; /* of the highest part, one over what it counts in; HUGE_VAL: there is none */
};

struct marginals_kernels {
    /* The sum of squares of n values; those of which mask (NULL: none) has 0 are left out. */
    double (*squares)(const double *values, const unsigned char *mask, size_t n);
    /* Puts n such values into as many places, or, `more`, adds them to what is there; `sign`: of
     * what is the least. Returns what these values come to. */
    struct marginals_slice (*take)(const struct marginals_box *box, const double *values,
                                   const unsigned char *mask, double sign, size_t n, bool more);
    /* Adds MARGINALS_ROWS times n values that follow each other, none of which is left out, to as
     * many places: the same as taking n of them at a time. */
    void (*take_rows)(const struct marginals_box *box, const double *values, double sign, size_t n,
                      struct marginals_slice *slices);
    /* Of n places from `from` on. */
    struct marginals_slice (*slice)(const struct marginals_box *box, size_t from, size_t n);
    /* Adds them to the first n. */
    void (*fold)(const struct marginals_box *box, size_t from, size_t n);
    /* Adds each of the first n places to one of n rows from `at` on; `points`: of each, where they
     * are not counted; `sign`: of what is the least. False: not to the sums, as one of the values
     * is no finite number, or larger than what its sum has room for yet. */
    bool (*add)(const struct marginals_columns *rows, size_t at, const struct marginals_box *box,
                size_t n, uint64_t points, double sign);
};

/* The best set this processor runs. */
const struct marginals_kernels *marginals_kernels_get(void);
/* A set by name ("base", "v3", "v4") or NULL when it cannot run here: for tests. */
const struct marginals_kernels *marginals_kernels_find(const char *name);

#endif
