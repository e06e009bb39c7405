/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of a machine: area, provisioned power and the like. A cost is one file
 * `<name>.cost.c` ending in its descriptor; it depends on the machine and its
 * organisation alone, not on a workload. Spaces and expressions ask for it as
 * "cost.<name>", as an objective, in `let` and in `where`. */
#ifndef BANDSCAPE_MODEL_COST_H
#define BANDSCAPE_MODEL_COST_H

#include "model/model.h"

struct cost {
    struct plugin plugin; /* kind "cost"; its name is one of C: "noc_area" */
    struct dim dim;
    const char *relative; /* what 1 stands for, of a cost without a unit: "the 80 x 32 crossbar";
                           * NULL: the cost has a unit */
    const char *page;     /* law, symbols, data behind a fit, where it holds */
    /* Returns its term. Readers of model.h are at its disposal, but for those of profiles;
     * errors stay in the builder. */
    int (*build)(struct model_builder *builder);
};

/* The term of "cost.<name>"; STATUS_INPUT when there is none of that name. */
int cost_term(struct term_graph *graph, const struct machine *machine, const char *name, int *out,
              struct error *error);

#endif
