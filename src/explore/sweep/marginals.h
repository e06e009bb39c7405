/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each value of an axis is worth over all the points of a space that have it: how many are
 * kept, the best and the mean of what they are ranked by. Gathered while points are gone through,
 * the same bits for any number of threads: a block's sums do not depend on who makes them, and the
 * sums of blocks not on their order (core/order_free_sum.h). */
#ifndef BANDSCAPE_EXPLORE_MARGINALS_H
#define BANDSCAPE_EXPLORE_MARGINALS_H

#include "explore/sweep/plan.h"

/* Axes of more values are left out. */
enum { MARGINALS_VALUES_MAX = 4096 };

/* A free axis while the points of a structure are gone through in blocks. */
struct scan_axis {
    size_t axis;
    size_t length;
    uint64_t stride;     /* of ids */
    size_t inner_stride; /* points between neighbouring values inside a block; 0: outer */
};

/* Points in one piece: n values, of which `mask` (NULL: all) has those that are kept; the id of the
 * first one; the axes, of which the first that runs inside may have a part of its values there, and
 * all behind it have theirs. */
struct marginals_block {
    const struct sweep_part *part;
    const double *values;
    const unsigned char *mask;
    size_t n;
    const double *squares; /* of the values their sum of squares, where it is known, else NULL */
    uint64_t first_id;
    const struct scan_axis *axes;
    size_t n_axes;
};

struct marginal {
    uint64_t points;
    double best, mean; /* NaN where there is no point */
};

/* Blocks have at most `width` points. */
struct marginals *marginals_create(const struct space *space, size_t width);
/* The sum of n squares as a block makes it; finite only where all n values are. */
double marginals_squares(const double *values, size_t n);
void marginals_destroy(struct marginals *marginals);
/* Returns the best of its values; the block has one. */
double marginals_take(struct marginals *marginals, const struct marginals_block *block);
void marginals_merge(struct marginals *to, const struct marginals *from);

/* As lines of a state (explore/sweep/sweep_state.h), and a line back, which is added: false: it is
 * none of these. */
void marginals_print(const struct marginals *marginals, struct text *out);
bool marginals_take_line(struct marginals *marginals, const char *key, const char *rest);

/* False: the axis is left out. */
bool marginals_value(const struct marginals *marginals, size_t axis, size_t value,
                     struct marginal *out);

/* Which share of the variance of all points is that of the means over the axis' values (the
 * correlation ratio eta^2); NaN: there is no variance, or the axis is left out. */
double marginals_share(const struct marginals *marginals, size_t axis);

/* Of all points. */
struct marginal marginals_all(const struct marginals *marginals);

#endif
