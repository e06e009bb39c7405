/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Pareto front that is kept while points stream by, for sweeps.
 *
 * Point p dominates q when p is no worse in every objective and better in one.
 * The front is the set of points that no other dominates. Of equal points the
 * one with the smallest id stays, or all of them with PARETO_KEEP_TIES. The
 * result is a function of the set of (id, values) offered: it depends neither
 * on the order of points, nor on how they are cut into blocks, nor on the
 * fronts they went through before a merge. A point that is offered twice under
 * one id counts once.
 *
 * Cost: neighbours go together where a member of the front dominates the best
 * of each of their objectives, as in most of a sweep; a point dominated by one
 * of a few chosen members costs a few vector instructions. The others wait in a
 * buffer that is sorted into the front when it is three times as long as the front, so that
 * one costs O(log n) amortised for 2 and 3 objectives and O(log^(d-1) n) for d.
 * Memory: O(front). */
#ifndef BANDSCAPE_EXPLORE_PARETO_FRONT_H
#define BANDSCAPE_EXPLORE_PARETO_FRONT_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

enum pareto_sense { PARETO_MINIMISE, PARETO_MAXIMISE };
enum pareto_ties { PARETO_KEEP_FIRST, PARETO_KEEP_TIES };
enum { PARETO_OBJECTIVES_MAX = 16 };

struct pareto_front;

/* 1 <= objectives <= PARETO_OBJECTIVES_MAX. */
struct pareto_front *pareto_front_create(int objectives, const enum pareto_sense *senses,
                                         enum pareto_ties ties);
void pareto_front_destroy(struct pareto_front *front);

/* Offers a block: columns[j][i] is objective j of point i, first_id + ids[i] its id
 * (ids NULL: first_id, first_id + 1, ...). NaN or infinity is an error that names
 * the point and the objective; the block may then be taken in part. So it is after Ctrl-C, from
 * when on a front means nothing: STATUS_INTERRUPTED. */
int pareto_front_offer(struct pareto_front *front, const double *const *columns,
                       const uint64_t *ids, uint64_t first_id, size_t count, struct error *error);

/* Offers all points of another front with the same objectives and senses. */
void pareto_front_merge(struct pareto_front *front, struct pareto_front *other);

/* The points of the front, from the best in the first objective to the worst
 * (equal there: by the second, ...; all equal: by id). Counting brings the
 * front up to date; the accessors are valid until the next offer or merge. */
size_t pareto_front_count(struct pareto_front *front);
uint64_t pareto_front_id(const struct pareto_front *front, size_t point);
double pareto_front_value(const struct pareto_front *front, size_t point, int objective);

#endif
