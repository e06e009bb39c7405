/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between which numbers a term lies, as terms that need no solver: so a sweep sees what a solution
 * could be at best before it asks for it.
 *
 * Whoever builds a graph says it of terms that hang on a solver (term_set_bounds). What is made of
 * these follows by interval arithmetic: rounding to the nearest is monotone, so that sums, products
 * of what is not negative, quotients, minima and maxima of ends are ends again, to the last bit;
 * roots, powers and logarithms are taken 1e-12 wider. */
#ifndef BANDSCAPE_CORE_TERM_BOUNDS_H
#define BANDSCAPE_CORE_TERM_BOUNDS_H

#include "core/term.h"

/* Terms; -1: nobody knows. */
struct term_ends {
    int low, high;
};

/* Adds terms to the graph. A term that hangs on no solver is both of its ends. Where the term is no
 * number (a solver did not settle), the ends say nothing of it; where an end is no number, it says
 * nothing of the term. */
struct term_ends term_bounds(struct term_graph *graph, int term);
/* From what is had quickly (term_set_quick_bounds): no closer. */
struct term_ends term_quick_bounds(struct term_graph *graph, int term);

#endif
