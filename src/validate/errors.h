/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the errors of predicted figures come from: their parts, of which each is a step from ours
 * to what is published. All are of x = ln(ours / published):
 *
 *     error     x of the model                                        above 0: ours is larger
 *     profile   x less that with what the simulation counted (explore/answer/counted.h)
 *     formula   that x less the simulation's
 *     both      of the two; all that is known where nothing can be counted
 *     rest      the simulation's x: other workloads, machines and readings than the paper's
 *
 * Both and the rest add up to the error. Each is of the mean over the figure's workloads; which
 * beginning of long runs is simulated, validate/figure.h says. */
#ifndef BANDSCAPE_VALIDATE_ERRORS_H
#define BANDSCAPE_VALIDATE_ERRORS_H

#include "validate/published.h"

/* system, figure, where, model, published, ours, counted, simulated, unit, error, profile, formula,
 * both, rest, whole (share of runs to their ends) */
extern const struct sheet_column errors_columns[];
enum errors_column {
    ERRORS_SYSTEM,
    ERRORS_FIGURE,
    ERRORS_WHERE,
    ERRORS_MODEL,
    ERRORS_PUBLISHED,
    ERRORS_OURS,
    ERRORS_COUNTED,
    ERRORS_SIMULATED,
    ERRORS_UNIT,
    ERRORS_ERROR,
    ERRORS_PROFILE,
    ERRORS_FORMULA,
    ERRORS_BOTH,
    ERRORS_REST,
    ERRORS_WHOLE,
    ERRORS_COLUMNS
};

/* Rows of a file's predicted figures over workloads that are off by more than PREDICTIONS_NEAR or
 * point the wrong way; with `all` of all of them. What cannot be simulated or counted is NaN.
 * *found grows by the predictions that were looked at. */
int errors_of(const struct published *published, const struct validation_request *request,
              struct sheet *rows, size_t *found, struct error *error);

#endif
