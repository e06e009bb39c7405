/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scanning all points of one structure in blocks: the inner loop of a sweep. */
#ifndef BANDSCAPE_EXPLORE_SCAN_H
#define BANDSCAPE_EXPLORE_SCAN_H

#include "explore/pareto_front.h"
#include "explore/structure.h"

/* The best K by (rank value, id), and others, up to K again, until they are sorted. */
struct scan_best {
    struct scan_entry {
        double key; /* smaller is better */
        uint64_t id;
    } * items, worst; /* what is not better is none of them */
    size_t count, limit;
};

/* What one worker has gathered over all structures so far. */
struct scan_worker {
    struct scan_best best;
    struct pareto_front *front;
    uint64_t *rejected; /* by where clause */
    uint64_t undefined; /* a metric is not a finite number */
    uint64_t kept;
    struct error error;
    int status;
};

void scan_worker_init(struct scan_worker *worker, const struct space *space);
void scan_worker_fini(struct scan_worker *worker);

/* Evaluates every point of the structure with the workers. */
int scan_structure(const struct sweep *sweep, const struct structure *structure,
                   struct scan_worker *workers, int n_workers, struct error *error);

/* How long that takes with so many threads, in s, from a small part of the points: a few blocks,
 * or, where these take long, a few points of one. Keeps nothing. */
int scan_estimate(const struct sweep *sweep, const struct structure *structure, int threads,
                  double *seconds, struct error *error);

/* Adds `from` to `to`; the result does not depend on the order of merging. */
void scan_merge(struct scan_worker *to, struct scan_worker *from, const struct space *space);

/* The best ids in order. */
void scan_best_sorted(struct scan_best *best, struct sweep_ids *out);

#endif
