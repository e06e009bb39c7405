/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points of a ranking that are one design in effect: what the space ranks by and the metrics that
 * are its objectives are the same, for each workload; they differ along axes that do not matter
 * there. */
#ifndef BANDSCAPE_REPORT_SWEEP_DESIGNS_H
#define BANDSCAPE_REPORT_SWEEP_DESIGNS_H

#include "explore/sweep/sweep.h"

/* How many are told apart, and how far down the ranking. */
enum { SWEEP_DESIGNS = 10, SWEEP_DESIGNS_LOOKS = 1000, SWEEP_DESIGN_OTHERS = 3 };

struct sweep_design {
    size_t rank;   /* from 0, of the one that stands for all: the best in the objectives, by turns,
                    * of these the first */
    size_t points; /* of the ranking, as far as it was looked at */
    const struct sweep_row *row;
    const struct sweep_row *others[SWEEP_DESIGN_OTHERS]; /* those besides it, so many at most */
    bool differs[SPACE_AXES_MAX];                        /* the axis, among these points */
};

struct sweep_designs {
    struct sweep_design items[SWEEP_DESIGNS];
    size_t count;
    size_t looked;  /* ranks that were gone through */
    bool exhausted; /* these are all ranks, and the ranking may go on beyond its --top */
};

/* The first designs of the ranking; rows live as long as the sweep and `arena`. */
int sweep_designs_find(const struct sweep *sweep, struct arena *arena, struct sweep_designs *out,
                       struct error *error);
/* "llc.capacity, memory": along what the points of a design differ; "llc.capacity 2 MiB, 4 MiB":
 * with the values of the others, where there are few along one axis. */
void sweep_design_words(const struct sweep *sweep, const struct sweep_design *design,
                        struct text *out);

#endif
