/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slowest resource. */
#include "dualopt/limits.h"

#include <math.h>

void dualopt_limit_add(struct dualopt_limits *limits, const char *resource, int time)
{
    limits->resources[limits->count] = resource;
    limits->times[limits->count++] = time;
}

int dualopt_limits_bandwidth(struct model_builder *b, const struct dualopt_limits *limits,
                             const char *name, int bytes)
{
    struct term_graph *g = model_graph(b);
    int terms[DUALOPT_LIMITS_MAX];
    int none = model_constant(b, NULL, 0, DIM_SECONDS);
    int unbounded = model_constant(b, "no limit", HUGE_VAL, DIM_BYTES_PER_S);
    for (int i = 0; i < limits->count; i++) {
        int some = term_operation(g, EXPRESSION_GREATER, NULL, 2, (int[]){limits->times[i], none});
        int rate = term_operation(
            g, EXPRESSION_IF, limits->resources[i], 3,
            (int[]){some, term_quotient(g, NULL, bytes, limits->times[i]), unbounded});
        terms[i] = term_resource(g, rate, limits->resources[i]);
    }
    return term_operation(g, EXPRESSION_MIN, name, limits->count, terms);
}
