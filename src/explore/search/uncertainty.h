/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stated errors leave of a ranking and of a front: Monte Carlo. Every draw moves the numbers
 * of the machine, by the same factors for all designs, and evaluates the designs that could be the
 * best: not the whole space.
 *
 * Candidates are the front and the first of the ranking, twice as many again and again until none
 * of the last half was among the best K in any draw. A design that was never there in n draws has
 * a probability below 3/n of being so, at 95 % confidence. */
#ifndef BANDSCAPE_EXPLORE_UNCERTAINTY_H
#define BANDSCAPE_EXPLORE_UNCERTAINTY_H

#include "explore/space/spread.h"
#include "explore/search/model_error.h"
#include "explore/search/trials.h"

enum { UNCERTAINTY_CANDIDATES_MOST = 1024, UNCERTAINTY_FRONT_MOST = 256 };

struct uncertainty_request {
    struct sweep *sweep; /* that has run, with a ranking of UNCERTAINTY_CANDIDATES_MOST at least */
    const struct spread *spreads;
    size_t n_spreads;
    /* By model of the space, NULL without any: its own error, drawn beside them. A factor a
     * workload that all designs share, and one a design: those of the same answer have the same. */
    const struct model_errors *const *errors;
    uint64_t draws, seed;
    size_t top; /* K */
};

/* The 5th percentile, the median and the 95th, over the draws in which the design is kept. */
struct uncertainty_band {
    double stated; /* without errors */
    double low, median, high;
};

struct uncertainty_design {
    uint64_t id;
    size_t rank;                    /* from 1; 0: of the front alone */
    bool front;                     /* without errors */
    double best, in_top;            /* probabilities; those who are equal share being the best */
    double on_front;                /* among the candidates */
    double kept;                    /* share of the draws in which it meets all conditions */
    struct uncertainty_band *bands; /* of what ranks, then by objective */
};

struct uncertainty {
    struct arena *arena;
    struct uncertainty_design *designs; /* candidates, by rank, then those of the front alone */
    size_t count, ranked;
    uint64_t draws;        /* fewer than asked for after Ctrl-C */
    bool interrupted;      /* by Ctrl-C: draws or candidates are missing */
    uint64_t left_out;     /* designs that are kept and were no candidates */
    size_t front_left_out; /* of the front: beyond UNCERTAINTY_FRONT_MOST */
    bool erring;  /* what designs are compared by depends on an answer with an error of its own */
    bool settled; /* none of the last half was ever among the best K, or all were looked at */
};

/* To be finished even when it fails. After Ctrl-C with some draws made it is 0, and the flag is
 * left to the caller. An error where a spread has no effect. */
int uncertainty_find(const struct uncertainty_request *request, struct uncertainty *out,
                     struct error *error);
void uncertainty_fini(struct uncertainty *uncertainty);

#endif
