/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What adaptive.c and adaptive_open.c share: what an adaptive scan of a structure has in memory. */
#ifndef BANDSCAPE_EXPLORE_ADAPTIVE_INTERNAL_H
#define BANDSCAPE_EXPLORE_ADAPTIVE_INTERNAL_H

#include "explore/sweep/adaptive.h"
#include "explore/sweep/lazy.h"

/* Points a round, whose ends are known together; points that are begun between two looks at what
 * is found, at least, and at most: as many as before, twice, where none of these was of interest to
 * the end, so that threads have pieces and solvers whole lanes. A thread takes a piece of them, and
 * of ends: what a solver needs beside each other. */
enum { ADAPTIVE_ROUND = 4096, ADAPTIVE_BEGIN = 32, ADAPTIVE_TURN = 256, ADAPTIVE_PIECE = 16 };

struct adaptive_input {
    int input;
    size_t axis; /* of adaptive->axes */
    size_t assignment;
};

/* What is done to all points of a turn at a time: closer ends of a group, then its solution, or
 * this at once. */
struct adaptive_step {
    size_t group;
    bool solves;
    struct term_program *program;
    /* What it took from the best ends of points of this round so far: of a solution behind closer
     * ends, and of one at once. */
    struct adaptive_gain {
        double sum;
        uint64_t points;
    } gain, at_once;
};

/* One worker's memory. */
struct adaptive_local {
    struct term_state *ends;                /* quick ones of leaves, and conditions */
    struct term_state **steps;              /* by step */
    struct term_state *best_ends, *answers; /* formulas */
    double **points;                        /* by inputs */
    double **leaves;                        /* by inputs of the formulas */
};

struct adaptive {
    const struct sweep *sweep;
    const struct structure *structure;
    struct scan_worker *worker;
    int threads;
    struct scan_axis axes[SPACE_AXES_MAX];
    size_t n_axes;
    uint64_t count; /* points */
    struct adaptive_input *inputs;
    size_t n_inputs;
    struct lazy *lazy;
    struct term_program *ends, *best_ends, *answers;
    struct adaptive_step *steps;
    size_t n_steps;
    struct adaptive_local *locals;
    size_t outputs; /* the ranking and the objectives */
    /* Of a round, by its points: */
    double **low, **high; /* by leaf: ends, or what it is; of what is known low alone */
    double *best_end[LAZY_OUTPUTS], *boxed[PARETO_OBJECTIVES_MAX];
    size_t *excluded; /* the condition that excludes it + 1; 0: none */
    size_t *order;    /* those that none does, and about which nothing is known, best ends first */
    uint64_t from, stride;
    size_t points, ordered;
    /* Of a turn: */
    size_t taken[ADAPTIVE_TURN], turn, begin, most;
    size_t *course, n_course, at; /* steps, in which order; which */
    bool *closer;                 /* by group: it has its closer ends */
    double *values[LAZY_OUTPUTS]; /* best ends, then answers */
    double *keys;                 /* of the ranking's best ends before a step */
    uint64_t *ids;
};

#endif
