/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pareto fronts, non-dominated ranks and hypervolumes of a set of points.
 * The streaming front of a sweep is explore/pareto/pareto_front.h. */
#ifndef BANDSCAPE_EXPLORE_PARETO_H
#define BANDSCAPE_EXPLORE_PARETO_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "explore/pareto/pareto_front.h"

/* n points in d objectives, one array per objective. */
struct pareto_points {
    size_t count;
    int objectives;
    const double *const *columns; /* columns[j][i]: objective j of point i */
    const enum pareto_sense *senses;
};

/* The front's indices in ascending order into front[count]. Among equal points
 * the first stays, or all with PARETO_KEEP_TIES. O(n log n) for d <= 3,
 * O(n log^(d-1) n) beyond; O(n) when nearly all points are dominated.
 * NaN and infinity are errors that name the point (from 0) and the objective; STATUS_INTERRUPTED
 * on Ctrl-C, here and below. */
int pareto_filter(const struct pareto_points *points, enum pareto_ties ties, size_t *front,
                  size_t *front_count, struct error *error);

/* Non-dominated sorting: rank 0 is the front, rank k the front of what is left
 * without ranks 0 .. k-1. Equal points share their rank. O(n log n) for d <= 2,
 * O(n log^(d-1) n) beyond (Jensen, IEEE Trans. Evol. Comput. 7(5), 2003). */
int pareto_rank(const struct pareto_points *points, uint32_t *rank, struct error *error);

/* The volume that the points dominate within the box that ends at `reference`
 * (d values, in the objectives' own senses); points that are not better than
 * the reference in every objective add nothing. Exact up to rounding.
 * O(n log n) comparisons for d <= 3; beyond that the WFG algorithm (While,
 * Bradstreet, Barone, IEEE Trans. Evol. Comput. 16(1), 2012), whose worst case
 * is exponential in d. */
/* STATUS_INPUT when the volume is too large or too small for a floating-point number. */
int pareto_hypervolume(const struct pareto_points *points, const double *reference, double *out,
                       struct error *error);

#endif
