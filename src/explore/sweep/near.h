/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is nearly as good as the best: in conditions, and on fronts. */
#ifndef BANDSCAPE_EXPLORE_NEAR_H
#define BANDSCAPE_EXPLORE_NEAR_H

#include "explore/sweep/structure.h"

/* Where clause `where`, "X within 5% of best", whose term is X as yet, becomes a condition on what
 * sweep->bests says; it holds everywhere while that is unknown. While that best is looked for, X is
 * what is ranked. */
void structure_keep_near(struct structure *structure, const struct sweep *sweep, size_t where);

/* Boxes of a front with tolerances (Laumanns et al., Evolutionary Computation 10(3), 2002): numbers
 * of one box are alike, and of the points of one box the first stays. Of each objective with a
 * tolerance n values become the numbers of their boxes, in its buffer, which may be the values. */
void near_boxes(const struct space *space, const double **values, double *const *buffers, int n);

#endif
