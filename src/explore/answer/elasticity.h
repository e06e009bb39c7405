/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a metric at a point answers to each of a machine's numbers. */
#ifndef BANDSCAPE_EXPLORE_ELASTICITY_H
#define BANDSCAPE_EXPLORE_ELASTICITY_H

#include "explore/answer/point.h"

struct elasticity {
    char path[128];
    double value; /* SI */
    struct dim dim;
    double elasticity; /* relative change of the metric over that of the parameter, for 1 % */
    double less, more; /* metric over its value here - 1, with the parameter less and more; NaN:
                        * the machine or model does not allow it */
};

struct elasticities {
    struct elasticity *items; /* largest change first; those without any are left out */
    size_t count, capacity;
    size_t structural;      /* numbers that would need other profiles: left out */
    struct quantity metric; /* at the point */
};

/* `answer`: the point's own, of all metrics; NULL: it is made. `step`: how far parameters move, 0.2
 * for 20 %; counts by a whole number, one at least. `structural`: numbers that change the stream or
 * its homes as well, each with profiles of its own. To be freed (VECTOR_FREE) even when it fails.
 */
int elasticities_find(struct point *point, const struct answer *answer, const char *metric,
                      double step, bool structural, struct elasticities *out, struct error *error);

#endif
