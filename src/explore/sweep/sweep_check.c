/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a sweep is checked before anything is profiled: names and units. */
#include "explore/sweep/structure.h"
#include "explore/sweep/sweep.h"

/* The first structure of which all is well: where machines differ, others may lack what a name
 * stands for, and be refused by the models. */
struct sketching {
    struct sweep *sweep;
    bool differ;
    bool good;
    struct error error; /* the first one */
};

static int sketch_columns(void *context, const struct sweep_part *part, size_t index,
                          struct error *error)
{
    struct sketching *c = context;
    struct structure *structure;
    int status = structure_sketch(c->sweep, part, index, &structure, error);
    if (!status) {
        structure_columns(c->sweep, structure, &c->sweep->columns, &c->sweep->n_columns);
        structure_destroy(structure);
        c->good = true;
    } else if (!c->error.status || c->error.status == STATUS_INFEASIBLE) {
        c->error = *error; /* a name that is wrong, rather than what cannot be built */
    }
    return c->good || (status && status != STATUS_INFEASIBLE && !c->differ);
}

int sweep_check(struct sweep *sweep, struct error *error)
{
    struct sketching c = {.sweep = sweep};
    c.differ = sweep->space->design == DESIGN_ONE_AT_A_TIME;
    for (size_t a = 0; a < sweep->space->n_axes; a++)
        c.differ = c.differ || sweep->space->axes[a].machine;
    int status = sweep_for_each(sweep->space, sketch_columns, &c, error);
    sweep->columns_sketched = true;
    if (status || c.good)
        return status;
    if (c.error.status == STATUS_INFEASIBLE)
        return error_set(error, STATUS_INFEASIBLE, "no point of the space can be built: %s",
                         c.error.text);
    *error = c.error;
    return c.error.status;
}
