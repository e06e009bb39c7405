/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sweep_run has at hand, for the ways through the points (explore/sweep/sweep_run.c,
 * explore/sweep/sweep_ranks.c). */
#ifndef BANDSCAPE_EXPLORE_SWEEP_RUN_H
#define BANDSCAPE_EXPLORE_SWEEP_RUN_H

#include "explore/sweep/sweep.h"
#include "explore/sweep/sweep_ranks.h"
#include "explore/sweep/sweep_state.h"

struct sweep_run {
    struct sweep *sweep;
    struct scan_worker *workers; /* one a thread */
    struct scan_worker ahead;    /* of which the first one knows, where the sweep is adaptive */
    const char *path;            /* of its state; NULL: none is kept */
    struct sweep_cells cells;
    struct sweep_state state; /* where it is */
    uint64_t structure;       /* that is visited */
    double saved_s;           /* when its state was, or it began */
};

/* What all workers found becomes the first one's. */
void sweep_run_gather(struct sweep_run *run);
/* Writes the state; the head is that of the course. */
int sweep_run_save(struct sweep_run *run, struct error *error);
/* What is to be said of a structure as a whole. `complete`: why no point of it is skipped, where
 * the sweep is adaptive; or NULL. */
void sweep_run_remark(struct sweep *sweep, struct structure *structure, uint64_t points,
                      const char *complete);

#endif
