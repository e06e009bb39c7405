/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of marginals, compiled for several instruction sets (marginals_kernels.simd.c). All
 * give the same bits: what is summed side by side is part of what they are. */
#ifndef BANDSCAPE_EXPLORE_MARGINALS_KERNELS_H
#define BANDSCAPE_EXPLORE_MARGINALS_KERNELS_H

#include <stddef.h>

/* Of each place: the sum of the values that are there, the least (of values that count the other
 * way, their negatives), and how many these are. */
struct marginals_box {
    double *sums, *leasts, *counts; /* counts NULL: they are known */
};

struct marginals_slice {
    double sum, least, count;
};

struct marginals_kernels {
    /* Puts values, each by itself, in n places; those of which mask (NULL: none) has 0 are left
     * out. `sign`: of what is the least. Returns the sum of squares. */
    double (*fill)(const struct marginals_box *box, const double *values, const unsigned char *mask,
                   double sign, size_t n);
    /* Of n places from `from` on. */
    struct marginals_slice (*slice)(const struct marginals_box *box, size_t from, size_t n);
    /* Adds them to the first n. */
    void (*fold)(const struct marginals_box *box, size_t from, size_t n);
};

/* The best set this processor runs. */
const struct marginals_kernels *marginals_kernels_get(void);
/* A set by name ("base", "v3", "v4") or NULL when it cannot run here: for tests. */
const struct marginals_kernels *marginals_kernels_find(const char *name);

#endif
