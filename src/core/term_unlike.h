/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solvers take long: of neighbouring points that are alike to the bit one is solved. */
#ifndef BANDSCAPE_CORE_TERM_UNLIKE_H
#define BANDSCAPE_CORE_TERM_UNLIKE_H

#include "core/term.h"

/* Memory for solvers of so many arguments, results and points at most. */
struct term_unlike;
struct term_unlike *term_unlike_create(int args, int results, int points);
void term_unlike_destroy(struct term_unlike *unlike);

/* Runs the solver of a term over n points: results[i] is a column of n or NULL, as
 * term_solver_function has it. Operands may be changed. */
void term_unlike_solve(struct term_unlike *unlike, const struct term *term, int n,
                       struct term_operand *operands, double *const *results);

#endif
