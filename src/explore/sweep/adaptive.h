/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adaptive sweeps: a network is solved where the point could still be among the best K, or on the
 * front.
 *
 * The points of a structure are gone through in rounds. Of all of a round the ends between which
 * its answers lie are evaluated, without a solution (core/term_bounds.h); then, from the best end
 * on, points are evaluated, some at a time, and those left out which
 *
 *     even at their best end come behind the K-th best so far, and
 *     with the best ends of all objectives are dominated by a point of the front so far.
 *
 * Before the first structure a few points of each are looked at (adaptive_look): what these reach
 * is known as well, so that a structure in which none is good is not solved for the best of its
 * own.
 *
 * Such a point is none of the best K of all points, and not on their front: who is in front of it
 * stays in front, or is displaced by who is even better. So ranking and front are those of the
 * whole sweep, and rounds and what is evaluated at a time hang on no thread. What needs all points
 * (marginals) is not gathered. */
#ifndef BANDSCAPE_EXPLORE_ADAPTIVE_H
#define BANDSCAPE_EXPLORE_ADAPTIVE_H

#include "explore/sweep/scan.h"

struct adaptive;

/* *out NULL: it does not apply to the structure, and *why (may be NULL) says so, in the arena. */
int adaptive_open(const struct sweep *sweep, const struct structure *structure,
                  struct scan_worker *worker, int threads, struct adaptive **out, const char **why,
                  struct error *error);
void adaptive_close(struct adaptive *adaptive);
uint64_t adaptive_rounds(const struct adaptive *adaptive);
/* One of them. What earlier ones found acts on how much is evaluated, not on what is found. */
int adaptive_round(struct adaptive *adaptive, uint64_t round, struct error *error);
/* Those that could be best of a few of its points, spread evenly, unless the worker knows better.
 */
enum { ADAPTIVE_LOOK = 128 };
int adaptive_look(struct adaptive *adaptive, struct error *error);

#endif
