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

void dualopt_limit_issue(struct model_builder *b, struct dualopt_limits *limits)
{
    struct term_graph *g = model_graph(b);
    struct error ignored;
    double rate;
    bool told = model_knows(b, FIELD_WARP_INSTRUCTIONS) && model_knows(b, FIELD_ISSUE_UNIFORMITY);
    if (!told || machine_number(model_machine(b), "sm.issue", &rate, &ignored))
        return;
    int slots =
        term_product(g, "issue slots", model_total(b, "total.sms"), model_parameter(b, "sm.issue"),
                     model_field(b, FIELD_ISSUE_UNIFORMITY));
    dualopt_limit_add(
        limits, "issue",
        term_quotient(g, "time of issue", model_field(b, FIELD_WARP_INSTRUCTIONS), slots));
}
