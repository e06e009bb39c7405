/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What points of a structure are compared by, as formulas over answers: of each workload what a
 * model says of it, which takes solutions of networks, and what takes none. While some workloads
 * are not solved the formulas have ends, from the others' values and from the ends of theirs.
 *
 * The formulas stand in a graph of their own, whose inputs are the answers (leaves): a mean over
 * workloads costs nothing there, however many networks stand behind it. */
#ifndef BANDSCAPE_EXPLORE_LAZY_H
#define BANDSCAPE_EXPLORE_LAZY_H

#include "core/term_bounds.h"
#include "explore/pareto/pareto_front.h"
#include "explore/sweep/structure.h"

enum { LAZY_OUTPUTS = 1 + PARETO_OBJECTIVES_MAX };

/* One number that formulas are made of. */
struct lazy_leaf {
    int term;                      /* of the structure's graph */
    bool solved;                   /* takes a solution; else it is known at once */
    size_t group;                  /* of leaves that are solved together: a workload */
    int input;                     /* of the formulas' graph: the number */
    int low, high;                 /* and its ends; not if it is known */
    struct term_ends quick, close; /* its ends in the structure's graph (core/term_bounds.h) */
};

struct lazy {
    struct term_graph *graph; /* of the formulas */
    struct {
        struct lazy_leaf *items;
        size_t count, capacity;
    } leaves;
    size_t groups, *networks; /* by group: how many it solves */
    size_t outputs;           /* the rank and the objectives, terms of the formulas' graph: */
    int answers[LAZY_OUTPUTS], best_ends[LAZY_OUTPUTS];
};

struct lazy *lazy_create(const struct sweep *sweep, const struct structure *structure);
void lazy_destroy(struct lazy *lazy);
enum pareto_sense lazy_sense(const struct space *space, size_t output);

#endif
