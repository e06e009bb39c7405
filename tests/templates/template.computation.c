/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a computation: what a published figure needs and an expression cannot say. Copy it to
 * models/<system>/<name>.computation.c, replace "template" by <name> ("-" is "_" in C names), and a
 * figure of models/<system>/published.yaml takes it:
 *
 *     computed: template
 *     with: {items: 100, seats: 8}
 *     ours: rounds
 *
 * Source: the paper and where in it. */
#include <math.h>

#include "model/computation.h"

static int template_compute(const struct machine *machine, const double *arguments, double *results,
                            struct error *error)
{
    double items = arguments[0], seats = arguments[1];
    (void)machine;
    if (!(seats > 0))
        return error_set(error, STATUS_INPUT, "seats: must be positive, not %g", seats);
    results[0] = ceil(items / seats);
    results[1] = results[0] * seats - items;
    return 0;
}

static const char *const template_arguments[] = {"items", "seats", NULL};
static const char *const template_results[] = {"rounds", "empty", NULL};

const struct computation computation_template = {
    .plugin = {"computation", "template", "rounds that items take on so many seats", NULL, NULL},
    .arguments = template_arguments,
    .results = template_results,
    .compute = template_compute,
};
