/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computations: what stands behind a published figure and is neither a parameter, a total or a cost
 * of a machine nor a metric of a model, because it takes an algorithm: an example that a paper goes
 * through, the storage of its hardware. A computation is one file `<name>.computation.c` ending in
 * its descriptor; figures in published.yaml (validate/published.h) name it under `computed`, and
 * its results by name in their expressions. */
#ifndef BANDSCAPE_MODEL_COMPUTATION_H
#define BANDSCAPE_MODEL_COMPUTATION_H

#include "core/plugin.h"
#include "machine/machine.h"

enum { COMPUTATION_MAX = 8 }; /* arguments, and results */

struct computation {
    struct plugin plugin; /* kind "computation" */
    /* Names, each list ends with NULL. */
    const char *const *arguments; /* plain numbers, all of which a figure gives; NULL: none */
    const char *const *results;   /* plain numbers, in the unit that the summary says */
    /* `machine`: the figure's; NULL: it has none, which a computation that reads it refuses. */
    int (*compute)(const struct machine *machine, const double *arguments, double *results,
                   struct error *error);
};

#endif
