/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeping a space: enumerate lazily, evaluate in batches on all cores, keep
 * the best K and the Pareto front while streaming. Memory does not grow with
 * the number of points, and the result does not depend on the number of threads. */
#ifndef BANDSCAPE_EXPLORE_SWEEP_H
#define BANDSCAPE_EXPLORE_SWEEP_H

#include "explore/sweep/plan.h"
#include "explore/sweep/rows.h"

/* Opens the workloads. The space must outlive the sweep. */
int sweep_open(const struct space *space, int threads, struct sweep **out, struct error *error);
void sweep_destroy(struct sweep *sweep);

struct sweep_plan {
    uint64_t points;
    size_t structures;    /* machines with different structure; of a share: its own */
    size_t views_missing; /* to be profiled */
    size_t passes;        /* that make them (explore/views/view_groups.h) */
    size_t views_cached;
    const struct subject_task *tasks; /* all of these views; while it is announced */
    size_t n_tasks;
};
/* Checks names and units of objectives, ranking, `let`, `where` and `set`, which needs no
 * profile. Until sweep_columns knows better, the columns are all those that models may have. */
int sweep_check(struct sweep *sweep, struct error *error);

/* Makes the views that are missing. Collective, as sweep_run is. `announce` (may be NULL) sees the
 * plan first and may stop with a negative status. */
typedef int sweep_announce_fn(void *context, const struct sweep_plan *plan, struct error *error);
int sweep_prepare(struct sweep *sweep, sweep_announce_fn *announce, void *context,
                  struct error *error);
/* The same for one structure, when it is needed: by explore/search/trials.h, and by ranks
 * (core/ranks.h), which make views together and of which only rank 0 has all after sweep_prepare.
 */
int sweep_prepare_structure(struct sweep *sweep, const struct sweep_part *part, size_t index,
                            struct error *error);

/* The columns, known when the views are made; sweep_run calls it too. A share of which nothing can
 * be built keeps those of sweep_check. */
int sweep_columns(struct sweep *sweep, struct error *error);

/* The same from one structure, whose views are made: 1 if they are known from now on, 0 if it
 * cannot be built. */
int sweep_find_columns(struct sweep *sweep, const struct sweep_part *part, size_t index,
                       struct error *error);

/* An error where an axis or a setting has no effect (explore/answer/effect.h); sweep_run calls it.
 * In a share it may have one in another: a remark. */
int sweep_check_reads(const struct sweep *sweep, struct error *error);

/* How long sweep_run will take, in s: a few structures are built, and a few of their points
 * evaluated, for some tenths of a second in all. Leaves nothing behind. After sweep_columns. */
int sweep_estimate(const struct sweep *sweep, double *seconds, struct error *error);

/* Evaluates all points: fills columns, counts, ranking and front. */
int sweep_run(struct sweep *sweep, struct error *error);

#endif
