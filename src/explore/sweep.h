/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeping a space: enumerate lazily, evaluate in batches on all cores, keep
 * the best K and the Pareto front while streaming. Memory does not grow with
 * the number of points, and the result does not depend on the number of threads.
 *
 * A point's id is its place in the enumeration, last axis fastest; in a
 * one-at-a-time design the base point comes first, then each axis in turn. */
#ifndef BANDSCAPE_EXPLORE_SWEEP_H
#define BANDSCAPE_EXPLORE_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/baseline.h"
#include "explore/space.h"
#include "explore/subjects.h"

enum sweep_column_kind { COLUMN_AXIS, COLUMN_LET, COLUMN_METRIC };

/* A column of the result files. */
struct sweep_column {
    const char *name;
    enum sweep_column_kind kind;
    bool text;      /* an axis of names or bundles: labels instead of numbers */
    struct dim dim; /* of the numbers, in SI */
    size_t axis;    /* of COLUMN_AXIS */
};

struct sweep_row {
    uint64_t id;
    bool built;          /* false: it cannot be, or a model refuses it; only axes are known */
    bool kept;           /* built, meets every `where`, has finite metrics */
    double *values;      /* by column; NaN in text columns and where unknown */
    const char **labels; /* by column; NULL in numeric columns */
};

/* A reason why points are not in the result, or what a model says about them. */
struct sweep_reason {
    char *text;
    uint64_t count;
};

struct sweep_ids {
    uint64_t *items;
    size_t count, capacity;
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
    unsigned parts;        /* of profiles, enum profile_part, beside those that models read */
    double sample_rate;    /* of lines in these; 0 and 1: all of them */
    bool keep_views;       /* a view that the cache cannot keep is an error */
    const char **settings; /* paths that the user set on the machine; each must matter */
    size_t n_settings;
    uint64_t points, kept;
    struct {
        struct sweep_reason *items;
        size_t count, capacity;
    } reasons;
    struct {
        struct sweep_reason *items;
        size_t count, capacity;
    } warnings;               /* of workloads and models, with the points that have them */
    struct sweep_ids ranking; /* best first */
    struct sweep_ids front;   /* ascending ids */
    struct row_memo *memo;    /* of sweep_rows */
};

/* Opens the workloads. The space must outlive the sweep. */
int sweep_open(const struct space *space, int threads, struct sweep **out, struct error *error);
void sweep_destroy(struct sweep *sweep);

struct sweep_plan {
    uint64_t points;
    size_t structures;    /* machines with different structure */
    size_t views_missing; /* to be profiled */
    size_t views_cached;
};
/* Checks names and units of objectives, ranking, `let`, `where` and `set`, which needs no
 * profile. Until sweep_columns knows better, the columns are all those that models may have. */
int sweep_check(struct sweep *sweep, struct error *error);

/* Makes the views that are missing. `announce` (may be NULL) sees the plan first and may
 * stop with a negative status. */
typedef int sweep_announce_fn(void *context, const struct sweep_plan *plan, struct error *error);
int sweep_prepare(struct sweep *sweep, sweep_announce_fn *announce, void *context,
                  struct error *error);

/* The columns, known when the views are made; sweep_run calls it too. */
int sweep_columns(struct sweep *sweep, struct error *error);

/* An error where an axis or a setting has no effect (explore/effect.h); sweep_run calls it. */
int sweep_check_reads(const struct sweep *sweep, struct error *error);

/* Machines with different structure. */
uint64_t sweep_structures(const struct space *space);

/* How long sweep_run will take, in s: a few structures are built, and a few of their points
 * evaluated, for some tenths of a second in all. Leaves nothing behind. After sweep_columns. */
int sweep_estimate(const struct sweep *sweep, double *seconds, struct error *error);

/* Evaluates all points: fills columns, counts, ranking and front. */
int sweep_run(struct sweep *sweep, struct error *error);

/* The rows of given points, in their order, which live as long as the sweep and `arena`. One
 * thread at a time. */
int sweep_rows(const struct sweep *sweep, const uint64_t *ids, size_t count, struct arena *arena,
               struct sweep_row **out, struct error *error);

/* The machines of given points, with ties, and the sizes that workloads have there (see
 * sweep_subject); the caller destroys the machines. NULL: it cannot be built. */
int sweep_machines(const struct sweep *sweep, const uint64_t *ids, size_t count,
                   struct machine **out, size_t *sizes, struct error *error);

/* The column of that name, or an error with "did you mean". */
int sweep_column_find(const struct sweep *sweep, const char *name, size_t *out,
                      struct error *error);

/* Ids of the points in which all axes but `axis` and `by` (SIZE_MAX: none) stand at the
 * machine's own value, or at their first when it is none of theirs: a curve over `axis`
 * for each value of `by`. Cross: ids[b * n_values(axis) + a]. */
int sweep_curve_ids(const struct sweep *sweep, size_t axis, size_t by, struct sweep_ids *out,
                    struct error *error);

/* The size that workloads have in a structure, given its part's digits: an index below n_sizes. */
struct sweep_part;
size_t sweep_size(const struct sweep *sweep, const struct sweep_part *part, const size_t *digits);
struct subject *sweep_subject(const struct sweep *sweep, size_t size, size_t workload);

/* The index of an axis, or SIZE_MAX. */
size_t sweep_axis_find(const struct sweep *sweep, const char *name);

#endif
