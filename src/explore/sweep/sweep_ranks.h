/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep by ranks (core/ranks.h): its points are cut into cells (explore/sweep/sweep_state.h),
 * some dozens a rank, of which each takes what is next when it has done its own. What they found
 * goes up the tree as the text of a state, and adds up in any order: the bytes are those of one
 * process.
 *
 * Each rank keeps what it found in a file of its own: rank 0 where a sweep without ranks does,
 * rank 3 in unfinished-3.state. Each says of which cells it is, and so any set of files without a
 * common cell can be gone on with, by any number of ranks. Going on makes one file of them before
 * anything else is written: ended then, it leaves files whose cells are all in that one, which are
 * left out. */
#ifndef BANDSCAPE_EXPLORE_SWEEP_RANKS_H
#define BANDSCAPE_EXPLORE_SWEEP_RANKS_H

#include "explore/sweep/plan.h"

struct sweep_run;

/* All cells that the state does not have. Collective; then rank 0 has all. */
int sweep_ranks_run(struct sweep_run *run, struct error *error);
/* The best of the clause sweep->best_of. Collective; then rank 0's first worker has it. */
int sweep_ranks_find_best(struct sweep_run *run, struct error *error);
/* Rank 0's bests. Collective. */
void sweep_ranks_spread_bests(struct sweep *sweep);
/* Takes the files of an earlier run and makes one of them: on rank 0. */
int sweep_ranks_resume(struct sweep_run *run, struct error *error);
/* Removes files of ranks in a folder, but for rank 0's. */
void sweep_ranks_forget(const char *folder);

#endif
