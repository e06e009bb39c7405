/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best of spaces that are too large to go through: found, not proved.
 *
 * One objective: simulated annealing (Kirkpatrick, Gelatt, Vecchi, Science 220, 1983), CHAINS of
 * them side by side, which is what threads and batches have to do; GSL's gsl_siman goes one point
 * at a time. Several: NSGA-II (Deb et al., IEEE Trans. Evol. Comput. 6(2), 2002): non-dominated
 * sorting, crowding, binary tournaments. Both end with steps along each axis alone from the best
 * point (of 1, 2, 4, ... values; of up to 16 values and of names all), until none is better.
 *
 * Random numbers are drawn by place, and every point is evaluated once: the same seed gives the
 * same result for any number of threads. Spaces are cross products; a condition that is not met is
 * worse than any value. */
#ifndef BANDSCAPE_EXPLORE_SEARCH_H
#define BANDSCAPE_EXPLORE_SEARCH_H

#include "explore/sweep/plan.h"

/* More structures than that are not looked up in the time that a search may take. */
enum { SEARCH_STRUCTURES_MOST = 100000 };

struct search_request {
    uint64_t evaluations; /* of different points, at most */
    uint64_t seed;
};

struct search_result {
    uint64_t evaluations;
    bool interrupted; /* by Ctrl-C: what there was by then */
    bool all;         /* every point of the space was evaluated */
    bool alone;       /* no such step from the best point is better */
};

/* STATUS_INPUT: a space that cannot be searched, with what to do. */
int search_check(const struct space *space, struct error *error);

/* Fills columns, counts, ranking, front and marginals of the sweep with what was evaluated, and
 * makes the profiles that this needs. */
int search_run(struct sweep *sweep, const struct search_request *request,
               struct search_result *result, struct error *error);

/* What was found beside what is there: after sweep_run of the same space. */
struct search_distance {
    double best, found;     /* of what ranks */
    uint64_t rank;          /* of the found one in the exhaustive ranking: 0: beyond its end */
    size_t front, of_front; /* points of the exhaustive front, of which so many were found */
    double volume;          /* dominated by the found front over that of the exhaustive one; NaN: no
                             * volume */
};
int search_compare(const struct sweep *found, const struct sweep *all, struct search_distance *out,
                   struct error *error);

#endif
