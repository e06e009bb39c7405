/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A front in a few numbers: how good it is in each objective alone, how much of the box between its
 * ends it dominates, and where it turns. */
#ifndef BANDSCAPE_EXPLORE_FRONT_SHAPE_H
#define BANDSCAPE_EXPLORE_FRONT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "explore/pareto/pareto.h"

struct front_shape {
    double best[PARETO_OBJECTIVES_MAX], worst[PARETO_OBJECTIVES_MAX]; /* on the front, in SI */
    /* The share of the box between them that is dominated, from 0 (only ends) to 1; NaN: one of
     * the objectives has one value on the front, or there are too many points for so many
     * objectives (see front_shape_volume). */
    double volume;
    size_t knee; /* SIZE_MAX: none */
};

/* `points`: a front, none of which dominates another. The knee is the point that has most of the
 * way from the worst to the best value of each objective on the front, in sum: with two objectives
 * it is the farthest one beyond the line through the ends, both stretched to the same length (Das,
 * On characterizing the "knee" of the Pareto curve, Structural Optimization 18, 1999). It is none
 * where no point is beyond it, and none with less than three points or two objectives; of equal
 * ones it is the first. STATUS_INTERRUPTED on Ctrl-C. */
int front_shape_find(const struct pareto_points *points, struct front_shape *out,
                     struct error *error);

/* Whether the volume is computed: what it costs grows with the power of the objectives. */
bool front_shape_has_volume(size_t points, int objectives);

#endif
