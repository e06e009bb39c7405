/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of a sweep: what is asked, how its points are numbered, and where the answers go.
 * Structures, rows and scans look here, and know nothing of each other's makers.
 *
 * A point's id is its place in the enumeration, last axis fastest; in a
 * one-at-a-time design the base point comes first, then each axis in turn. */
#ifndef BANDSCAPE_EXPLORE_PLAN_H
#define BANDSCAPE_EXPLORE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/answer/baseline.h"
#include "explore/space/space.h"
#include "explore/views/subjects.h"
#include "profile/run/profiler.h"

enum sweep_column_kind { COLUMN_AXIS, COLUMN_LET, COLUMN_METRIC };

/* A column of the result files. */
struct sweep_column {
    const char *name;
    enum sweep_column_kind kind;
    bool text;      /* an axis of names or bundles: labels instead of numbers */
    struct dim dim; /* of the numbers, in SI */
    size_t axis;    /* of COLUMN_AXIS */
};

/* Where something was said first: the structure, and the place among what is said of it. */
struct sweep_place {
    uint64_t structure, turn;
};

/* A reason why points are not in the result, or what a model says about them. */
struct sweep_reason {
    char *text;
    uint64_t count;
    struct sweep_place first;
};

struct sweep_reasons {
    struct sweep_reason *items;
    size_t count, capacity;
};

struct sweep_ids {
    uint64_t *items;
    size_t count, capacity;
};

struct key_table; /* core/key_table.h */
struct marginals; /* explore/sweep/marginals.h */

struct sweep_state; /* explore/sweep/sweep_state.h */

/* How sweep_run goes through the points. All zero: through all of them, in memory. */
struct sweep_course {
    uint64_t share, shares;         /* the share-th, from 0, of so many; 0 or 1: all */
    const char *folder;             /* made when there is something to keep */
    const char *state_path;         /* a file in it that keeps what was found so far; NULL: none */
    const struct sweep_state *head; /* what stands in front there */
    double save_s;                  /* between two savings */
    bool resume;                    /* from there */
    const char *const *states;      /* what these files found is taken, and nothing evaluated */
    size_t n_states;                /* 0: no */
};

struct sweep {
    const struct space *space;
    struct subjects subjects; /* [size * n_workloads + workload], see sweep_subject */
    size_t n_sizes;           /* of the axis workload.size; 1 without it */
    char **workload_names;    /* unique */
    struct sweep_column *columns;
    size_t n_columns;
    bool columns_sketched; /* by sweep_check */
    struct arena *arena;
    struct baseline *baseline; /* of speed-ups; NULL: none */
    double *baseline_times;    /* of a machine: [(size * n_workloads + workload) * n_models + model]
                                * in s; else NULL */
    const char *obstacle;      /* why the first structure that cannot be built cannot */
    int threads;
    unsigned parts; /* of profiles, enum profile_part, beside those that models read */
    struct profile_effort effort;
    struct sweep_course course;
    bool keep_views;       /* a view that the cache cannot keep is an error */
    const char **settings; /* paths that the user set on the machine; each must matter */
    size_t n_settings;
    double *bests;  /* by where clause that says "of best": the best value. NULL: not known yet */
    size_t best_of; /* such a clause + 1: its best is looked for, instead of the ranking; 0: none */
    const bool *model_errors; /* by model: its answers have factors of its own error, 1 until they
                               * are moved (explore/search/uncertainty.h); NULL: none has */
    bool adaptive; /* networks are solved where it could matter (explore/sweep/adaptive.h) */
    uint64_t evaluated, skipped; /* where it is, and does */
    uint64_t answered;           /* there: workloads that were solved, over points */
    uint64_t points, kept;
    struct sweep_place place; /* that comes next */
    struct sweep_reasons reasons;
    struct sweep_reasons warnings; /* of workloads and models, with the points that have them */
    struct sweep_reason *filling; /* [workload * FILLING_KINDS + kind] (sweep_filling.h); text NULL:
                                   * no point has it */
    struct sweep_ids ranking;     /* best first */
    struct sweep_ids front;       /* ascending ids */
    struct marginals *marginals;  /* explore/sweep/marginals.h; NULL until it has run */
    struct {
        uint64_t evaluations;    /* 0: the sweep goes through all points */
        struct sweep_ids sample; /* of these, ascending */
    } found;                     /* by a search (explore/search/search.h) */
    struct key_table *rows;      /* that sweep_rows keeps */
};

/* --- points ----------------------------------------------------------------------------- */

/* A cross product of some axes, the others at the machine's own values. */
struct sweep_part {
    uint64_t first_id, count;
    bool *active;      /* by axis */
    uint64_t *strides; /* id distance of neighbouring values, by axis; 0: not active */
    size_t structures; /* product of active structural axes */
};

/* cross: one part; one-at-a-time: the base point, then one part an axis. */
size_t sweep_parts(const struct space *space, struct arena *arena, struct sweep_part **out);

/* Machines with different structure. */
uint64_t sweep_structures(const struct space *space);
/* The part of one of them; *index becomes its place there. */
const struct sweep_part *sweep_part_of(const struct sweep_part *parts, uint64_t *index);

/* Calls visit for every structure of every part, until one returns what is not 0: an error below
 * it, enough above it. Looks at the flag of Ctrl-C before each. */
typedef int sweep_visit(void *context, const struct sweep_part *part, size_t index,
                        struct error *error);
int sweep_for_each(const struct space *space, sweep_visit *visit, void *context,
                   struct error *error);

/* The digits of a part's structure, by axis: those of structural axes; others are 0. */
void sweep_digits(const struct space *space, const struct sweep_part *part, size_t index,
                  size_t *digits);

/* The column of that name, or an error with "did you mean". */
int sweep_column_find(const struct sweep *sweep, const char *name, size_t *out,
                      struct error *error);

/* Ids of the points in which all axes but `axis` and `by` (SIZE_MAX: none) stand at the
 * machine's own value, or at their first when it is none of theirs: a curve over `axis`
 * for each value of `by`. Cross: ids[b * n_values(axis) + a]. */
int sweep_curve_ids(const struct sweep *sweep, size_t axis, size_t by, struct sweep_ids *out,
                    struct error *error);

/* The size that workloads have in a structure, given its part's digits: an index below n_sizes. */
size_t sweep_size(const struct sweep *sweep, const struct sweep_part *part, const size_t *digits);
struct subject *sweep_subject(const struct sweep *sweep, size_t size, size_t workload);

/* The index of an axis, or SIZE_MAX. */
size_t sweep_axis_find(const struct sweep *sweep, const char *name);

#endif
