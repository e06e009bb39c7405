/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/pareto/front_shape.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/memory.h"

/* Points up to which the volume in more than three objectives is computed. */
enum { FOUR_MOST = 500, MORE_MOST = 50, OBJECTIVES_MOST = 6 };

/* Beyond the line through the ends by more than rounding. */
static const double ROUNDING = 1e-12;

bool front_shape_has_volume(size_t points, int objectives)
{
    if (objectives <= 3)
        return objectives > 1;
    return objectives <= OBJECTIVES_MOST && points <= (objectives == 4 ? FOUR_MOST : MORE_MOST);
}

static void find_ends(const struct pareto_points *points, struct front_shape *out)
{
    for (int j = 0; j < points->objectives; j++) {
        bool most = points->senses[j] == PARETO_MAXIMISE;
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < points->count; i++) {
            low = fmin(low, points->columns[j][i]);
            high = fmax(high, points->columns[j][i]);
        }
        out->best[j] = most ? high : low;
        out->worst[j] = most ? low : high;
    }
}

static bool is_flat(const struct pareto_points *points, const struct front_shape *shape)
{
    for (int j = 0; j < points->objectives; j++)
        if (shape->best[j] == shape->worst[j])
            return true;
    return points->count < 2 || points->objectives < 2;
}

/* In place of each value its part of the way from the worst to the best. */
static double **make_gains(const struct pareto_points *points, const struct front_shape *shape)
{
    double **gains = memory_alloc((size_t)points->objectives * sizeof *gains);
    for (int j = 0; j < points->objectives; j++) {
        gains[j] = memory_alloc(points->count * sizeof *gains[j]);
        for (size_t i = 0; i < points->count; i++)
            gains[j][i] =
                (points->columns[j][i] - shape->worst[j]) / (shape->best[j] - shape->worst[j]);
    }
    return gains;
}

static size_t find_knee(const struct pareto_points *points, double *const *gains)
{
    size_t knee = SIZE_MAX;
    double most = 1 + ROUNDING; /* of the ends of two objectives */
    for (size_t i = 0; i < points->count; i++) {
        double sum = 0;
        for (int j = 0; j < points->objectives; j++)
            sum += gains[j][i];
        if (sum > most) {
            most = sum;
            knee = i;
        }
    }
    return knee;
}

int front_shape_find(const struct pareto_points *points, struct front_shape *out,
                     struct error *error)
{
    static const double nothing[PARETO_OBJECTIVES_MAX];
    enum pareto_sense senses[PARETO_OBJECTIVES_MAX];
    int status = 0;
    *out = (struct front_shape){.volume = (double)NAN, .knee = SIZE_MAX};
    find_ends(points, out);
    if (is_flat(points, out))
        return 0;
    double **gains = make_gains(points, out);
    for (int j = 0; j < points->objectives; j++)
        senses[j] = PARETO_MAXIMISE;
    if (points->count > 2)
        out->knee = find_knee(points, gains);
    if (front_shape_has_volume(points->count, points->objectives)) {
        struct pareto_points box = {points->count, points->objectives, (const double *const *)gains,
                                    senses};
        status = pareto_hypervolume(&box, nothing, &out->volume, error);
        if (status == STATUS_INPUT) { /* too small for a number */
            out->volume = (double)NAN;
            status = 0;
        }
    }
    for (int j = 0; j < points->objectives; j++)
        free(gains[j]);
    free(gains);
    return status;
}
