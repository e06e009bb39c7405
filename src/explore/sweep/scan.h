/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scanning all points of one structure in blocks: the inner loop of a sweep. */
#ifndef BANDSCAPE_EXPLORE_SCAN_H
#define BANDSCAPE_EXPLORE_SCAN_H

#include "explore/sweep/marginals.h"
#include "explore/pareto/pareto_front.h"
#include "explore/sweep/structure.h"

/* Points a block: what a block costs by itself is shared by many, and the columns in use stay in
 * the caches next to a core. Where networks are solved they are what takes the time: as many as a
 * solver needs beside each other, so that a few dozen points are work for several threads. States
 * that are kept say both (explore/sweep/sweep_state.h). */
enum { SCAN_WIDTH = 2048, SCAN_WIDTH_SOLVED = 32 };

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
    struct marginals *marginals;
    uint64_t *rejected; /* by where clause */
    uint64_t undefined; /* a metric is not a finite number */
    uint64_t kept;
    uint64_t evaluated, skipped; /* where it is adaptive (explore/sweep/adaptive.h) */
    uint64_t answered;           /* there: workloads that were solved, over points */
    const struct scan_worker
        *ahead; /* there: what others of the points reach; NULL: nobody knows */
    struct error error;
    int status;
};

void scan_worker_init(struct scan_worker *worker, const struct space *space);
void scan_worker_fini(struct scan_worker *worker);

/* Goes through the points of a structure, in blocks, with the workers: any range of the blocks at
 * a time. What they gather does not hang on the ranges. An adaptive sweep has one worker gather,
 * and goes through the blocks in order; *complete (NULL: nobody asks): why it is not, here. */
struct scan;
int scan_open(const struct sweep *sweep, const struct structure *structure,
              struct scan_worker *workers, int n_workers, const char **complete, struct scan **out,
              struct error *error);
void scan_close(struct scan *scan);
uint64_t scan_blocks(const struct scan *scan);
/* Blocks from .. to - 1. */
int scan_run(struct scan *scan, uint64_t from, uint64_t to, struct error *error);

/* What a few points of a structure reach, for `ahead` of those who go through all; nothing where
 * that is not adaptive, or where it has few. */
int scan_look_ahead(const struct sweep *sweep, const struct structure *structure, uint64_t points,
                    struct scan_worker *ahead, struct error *error);

/* How long that takes with so many threads, in s, from a small part of the points: a few blocks,
 * or, where these take long, a few points of one. Keeps nothing. */
int scan_estimate(const struct sweep *sweep, const struct structure *structure, int threads,
                  double *seconds, struct error *error);

/* Adds `from` to `to`; the result does not depend on the order of merging. */
void scan_merge(struct scan_worker *to, struct scan_worker *from, const struct space *space);

/* What a worker has, as lines of a state (explore/sweep/sweep_state.h), and a line back: false: it
 * is none of these. */
void scan_worker_print(struct scan_worker *worker, const struct space *space, struct text *out);
bool scan_worker_take(struct scan_worker *worker, const struct space *space, const char *key,
                      const char *rest);

/* Forgets what is not among the best, so that `worst` is the K-th, if there are as many. */
void scan_best_cut(struct scan_best *best);
void scan_best_offer(struct scan_best *best, struct scan_entry entry);
/* The best ids in order. */
void scan_best_sorted(struct scan_best *best, struct sweep_ids *out);

#endif
