/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any points of a space, evaluated in any order: what a search asks for, and what is asked again
 * and again with the machine's numbers moved. Only what points are compared by is computed: what
 * ranks them, the objectives, and the conditions that they must meet. Structures are built, and
 * profiles of theirs made, when the first of their points is asked for. */
#ifndef BANDSCAPE_EXPLORE_TRIALS_H
#define BANDSCAPE_EXPLORE_TRIALS_H

#include "explore/sweep/plan.h"

struct trials;

/* `paths`: numbers of the machine, and inputs of models' errors, that are moved, by a factor each
 * (trial.factors); they and the sweep must outlive the trials. After sweep_columns. */
struct trials *trials_create(struct sweep *sweep, const char *const *paths, size_t n_paths);
void trials_destroy(struct trials *trials);

/* A point, by its id. A factor of a number times what the point has for it: whole where it counts,
 * and within what the parameter may be. NULL: as it is. */
struct trial {
    uint64_t id;
    const double *factors; /* by path */
};

/* Numbers of a trial: of what ranks, then of the objectives. */
size_t trials_width(const struct trials *trials);

/* values[trial * width]: NaN, all of them, where the point cannot be built, a model refuses it, a
 * condition is not met or one of the numbers is not finite. The same bits for any number of
 * threads, whatever trials are beside it. STATUS_INTERRUPTED: some are missing. */
int trials_run(struct trials *trials, const struct trial *list, size_t count, double *values,
               struct error *error);

/* What models answer before their own errors, of points as they are: answers[trial * errors +
 * structure_error_place], the bits of a time or a bandwidth; NaN where there is none. For a sweep
 * with model_errors. */
int trials_answers(struct trials *trials, const struct trial *list, size_t count, double *answers,
                   struct error *error);

/* Which structure a point has: the same number of the same one. */
uint64_t trials_structure(const struct trials *trials, uint64_t id);

/* Whether any structure that was built so far reads the number as an input that can be moved. */
bool trials_reads(const struct trials *trials, size_t path);

#endif
