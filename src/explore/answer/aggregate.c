/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/answer/aggregate.h"

#include <stdlib.h>

int aggregate_term(struct term_graph *g, const char *name, enum space_mean mean,
                   enum metric_combine combine, const int *terms, int n)
{
    struct dim dim = term_get(g, terms[0])->dim;
    int count = term_constant(g, NULL, n, DIM_NONE);
    if (n == 1)
        return terms[0];
    if (combine == COMBINE_SUM)
        return term_operation(g, EXPRESSION_ADD, name, n, terms);
    int *parts = memory_zero((size_t)n, sizeof *parts), result;
    int one = term_constant(g, NULL, 1, DIM_NONE), unit = term_constant(g, NULL, 1, dim);
    if (combine == COMBINE_MEAN || combine == COMBINE_TIME || mean == MEAN_ARITHMETIC) {
        result = term_quotient(g, name, term_operation(g, EXPRESSION_ADD, NULL, n, terms), count);
    } else if (mean == MEAN_HARMONIC) {
        for (int i = 0; i < n; i++)
            parts[i] = term_quotient(g, NULL, one, terms[i]);
        result = term_quotient(g, name, count, term_operation(g, EXPRESSION_ADD, NULL, n, parts));
    } else {
        for (int i = 0; i < n; i++) {
            int plain = term_quotient(g, NULL, terms[i], unit);
            parts[i] = term_operation(g, EXPRESSION_LOG2, NULL, 1, &plain);
        }
        int sum = term_operation(g, EXPRESSION_ADD, NULL, n, parts);
        int power[] = {term_constant(g, NULL, 2, DIM_NONE), term_quotient(g, NULL, sum, count)};
        result = term_product(g, name, term_operation(g, EXPRESSION_POWER, NULL, 2, power), unit);
    }
    free(parts);
    return result;
}
