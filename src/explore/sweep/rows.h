/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single points of a sweep as rows: for files, tables and plots. */
#ifndef BANDSCAPE_EXPLORE_ROWS_H
#define BANDSCAPE_EXPLORE_ROWS_H

#include "explore/sweep/plan.h"

struct sweep_row {
    uint64_t id;
    bool built;          /* false: it cannot be, or a model refuses it; only axes are known */
    bool kept;           /* built, meets every `where`, has finite metrics */
    double *values;      /* by column; NaN in text columns and where unknown */
    const char **labels; /* by column; NULL in numeric columns */
    unsigned filling;    /* set of 1 << enum filling_kind: what any of its inputs leaves of the
                          * machine */
    const bool *spare;   /* by column: left out of brief rows; NULL: none is */
    bool brief;          /* these were not evaluated */
};

/* Rows that were evaluated are kept, so many of them: files, tables and plots ask for the same few
 * points, and all metrics of one may take many times as long as what the sweep ranks it by. */
enum { SWEEP_ROWS_KEPT = 1 << 14 };
struct sweep_kept {
    uint64_t key; /* id + 1 */
    struct sweep_row row;
};

/* The rows of given points, in their order, which live as long as the sweep and `arena`. One
 * thread at a time. */
int sweep_rows(const struct sweep *sweep, const uint64_t *ids, size_t count, struct arena *arena,
               struct sweep_row **out, struct error *error);

/* The same, without columns that need a solution which nothing else needs: none of what points are
 * compared by, what the space lets and draws, and the answers of its models. What *_x2 of a network
 * says is five times as much work as its answer, and of a sample nobody looks at it. */
int sweep_rows_brief(const struct sweep *sweep, const uint64_t *ids, size_t count,
                     struct arena *arena, struct sweep_row **out, struct error *error);

/* The machines of given points, with ties, and the sizes that workloads have there (see
 * sweep_subject); the caller destroys the machines. NULL: it cannot be built. */
int sweep_machines(const struct sweep *sweep, const uint64_t *ids, size_t count,
                   struct machine **out, size_t *sizes, struct error *error);

#endif
