/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which terms make two answers of a model differ: parts of the logarithm of the ratio of their
 * times, ln(T_1 / T_0), which add up to it exactly, whatever the sizes of the changes.
 *
 *     launches   T = sum of T_r, and every other sum of terms: term i has
 *                L(x_i0, x_i1) / L(S_0, S_1) ln(x_i1 / x_i0) = (x_i1 - x_i0) / L(S_0, S_1),
 *                L(a, b) = (b - a) / ln(b / a) the logarithmic mean (LMDI-I: Ang, Energy Policy
 *                33, 2005)
 *     quotients, products   logarithms add
 *     minima     on the way on which every argument goes from its value in one to that in the
 * other, evenly in the logarithm, the minimum follows the one that binds: an argument has its
 *                change times the share of the way on which it binds (Aumann and Shapley, 1974).
 * One that limits only one of the two is there at that end alone, and has the step networks   T_r
 * is divided as a request's time is among stations (model_set_station), service and waiting apart;
 * a sum as above
 *
 * Terms belong together by name or resource. A resource's limit is not taken apart further, nor
 * what has another form in the other answer. */
#ifndef BANDSCAPE_EXPLORE_DIFFERENCE_H
#define BANDSCAPE_EXPLORE_DIFFERENCE_H

#include "explore/answer/answer.h"

struct difference {
    char name[96];       /* "EAB_remote: inter" */
    struct dim dim;      /* of the values */
    double values[2];    /* in both: times of all launches, others of those where it counts most.
                          * HUGE_VAL: no limit */
    double contribution; /* part of ln(T_1 / T_0) */
    double weight;       /* of those launches */
};

struct differences {
    struct difference *items; /* largest first; nothing that contributes less than 1e-9 of it */
    size_t count, capacity;
    double log_ratio; /* ln(T_1 / T_0): the sum of all */
};

/* To be freed (VECTOR_FREE) even when it fails: STATUS_INPUT where the answers are of other
 * launches or do not know their times. */
int differences_find(const struct answer *const answers[2], struct differences *out,
                     struct error *error);

/* L(a, b) of positive numbers, or 0 where one of them is. */
double difference_mean(double a, double b);

/* Of a minimum over arguments with these logarithms at both ends (infinite: no limit there): what
 * each has of the change of the minimum. `share`: on which part of the way it binds, of those that
 * limit both ends; steps of the others come into `step`. */
void difference_of_minimum(const double *from, const double *to, int n, double *share,
                           double *step);

#endif
