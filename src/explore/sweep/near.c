/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/sweep/near.h"

#include <math.h>

void structure_keep_near(struct structure *s, const struct sweep *sweep, size_t i)
{
    const struct space_formula *where = &sweep->space->wheres[i];
    int term = s->wheres[i], less = space_where_sense(sweep->space, i) == PARETO_MINIMISE;
    s->wheres[i] = term_constant(s->graph, NULL, 1, DIM_NONE);
    if (sweep->best_of == i + 1)
        s->rank = term;
    if (!sweep->bests || isnan(sweep->bests[i]))
        return;
    double limit = sweep->bests[i] * (less ? 1 + where->within : 1 - where->within);
    int both[] = {term, term_constant(s->graph, NULL, limit, term_get(s->graph, term)->dim)};
    s->wheres[i] = term_operation(s->graph, less ? EXPRESSION_LESS_EQUAL : EXPRESSION_GREATER_EQUAL,
                                  NULL, 2, both);
}

static double box_of(double value, double tolerance)
{
    const double zero = -1e9; /* below all boxes, whose numbers are below 1e9: tolerance >= 1e-6 */
    double box = floor(log(fabs(value)) / log1p(tolerance));
    return value > 0 ? box : value < 0 ? 2 * zero - box : zero;
}

void near_boxes(const struct space *space, const double **values, double *const *buffers, int n)
{
    for (size_t i = 0; i < space->n_objectives; i++) {
        double tolerance = space->objectives[i].tolerance;
        for (int k = 0; k < n && tolerance > 0; k++)
            buffers[i][k] = box_of(values[i][k], tolerance);
        values[i] = tolerance > 0 ? buffers[i] : values[i];
    }
}
