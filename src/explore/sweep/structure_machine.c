/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine of a structure. */
#include "explore/sweep/structure.h"

#include <string.h>

struct set_context {
    const struct space *space;
    const struct sweep_part *part;
    const struct machine *machine;
};

/* Names in a `set` of a structural parameter: the machine's values, which must
 * be fixed in the structure. */
static int set_resolve(void *context, const struct expression *name, struct quantity *out,
                       struct error *error)
{
    const struct set_context *c = context;
    struct parameter p;
    int status = machine_find(c->machine, name->name, &p, error);
    for (size_t i = 0; i < c->space->n_sets && !status; i++)
        if (p.row->structure == STRUCTURE_NONE && strcmp(c->space->sets[i].name, name->name) == 0)
            status = error_set(error, STATUS_INPUT,
                               "a structural parameter cannot be set from %s, which is set itself",
                               name->name);
    for (size_t a = 0; a < c->space->n_axes && !status; a++) {
        const struct space_axis *axis = &c->space->axes[a];
        for (size_t i = 0; i < axis->values[0].n_assignments && !axis->structural; i++)
            if (c->part->active[a] && strcmp(axis->values[0].assignments[i].path, name->name) == 0)
                return error_set(error, STATUS_INPUT,
                                 "a structural parameter cannot be set from %s, which varies "
                                 "inside a structure",
                                 name->name);
    }
    if (!status)
        status = machine_number(c->machine, name->name, &out->value, error);
    out->dim = p.row ? p.row->dim : DIM_NONE;
    return status;
}

/* Structural sets change the machine; for the others it only learns the unit. */
static int apply_sets(const struct space *space, const struct sweep_part *part,
                      struct machine *machine, struct error *error)
{
    for (size_t i = 0; i < space->n_sets; i++) {
        const struct space_formula *set = &space->sets[i];
        struct parameter p;
        struct quantity value = {0};
        struct set_context context = {space, part, machine};
        int status = machine_find(machine, set->name, &p, error);
        if (!status && p.row->kind == PARAMETER_NAME)
            status = error_set(error, STATUS_INPUT, "%s is a name: vary it as an axis", set->name);
        if (!status && p.row->structure != STRUCTURE_NONE) {
            status = expression_evaluate(set->expression, set_resolve, &context, &value, error);
            if (!status && !dim_equal(value.dim, p.row->dim))
                status = error_set(error, STATUS_INPUT, "%s: the expression has another unit",
                                   set->name);
            if (!status && parameter_check(&p, value.value, NULL, error))
                return STATUS_INFEASIBLE; /* this structure; others may be built */
        } else if (!status) { /* computed point by point: here it only learns the unit */
            struct error ignored;
            if (machine_number(machine, set->name, &value.value, &ignored))
                value.value = 1;
        }
        if (status) {
            error_context(error, "set");
            error_place(error, &set->mark);
            return status;
        }
        struct parameter_value slot = {
            .known = true, .given = true, .number = value.value, .dim = p.row->dim};
        if ((status = machine_set_value(machine, set->name, &slot, error)))
            return status;
    }
    return 0;
}

enum axis_class { AXIS_MACHINE, AXIS_STRUCTURAL, AXIS_FREE };

static int apply_axes(const struct space *space, const struct sweep_part *part,
                      const size_t *digits, enum axis_class class, struct machine **machine,
                      struct error *error)
{
    for (size_t a = 0; a < space->n_axes; a++) {
        const struct space_axis *axis = &space->axes[a];
        enum axis_class own = axis->machine      ? AXIS_MACHINE
                              : axis->structural ? AXIS_STRUCTURAL
                                                 : AXIS_FREE;
        int status =
            part->active[a] && own == class ? space_apply(axis, digits[a], machine, error) : 0;
        if (status)
            return status;
    }
    return 0;
}

static int check_links(const struct machine *machine, struct error *error)
{
    struct link_graph links;
    int status = link_graph_build(machine, &links, error);
    if (!status)
        link_graph_fini(&links);
    return status;
}

int structure_machine(const struct space *space, const struct sweep_part *part, size_t index,
                      size_t *digits, struct machine **out, struct error *error)
{
    struct machine *machine = machine_clone(space->machine);
    int status = 0;
    sweep_digits(space, part, index, digits);
    /* Machines first: they replace everything. What can be built is decided by
     * the structure; free axes come last and leave their unit. */
    status = apply_axes(space, part, digits, AXIS_MACHINE, &machine, error);
    if (!status)
        status = apply_axes(space, part, digits, AXIS_STRUCTURAL, &machine, error);
    if (!status)
        status = apply_sets(space, part, machine, error);
    if (!status && (machine_check(machine, error) || check_links(machine, error)))
        status = STATUS_INFEASIBLE;
    if (!status)
        status = apply_axes(space, part, digits, AXIS_FREE, &machine, error);
    if (status) {
        machine_destroy(machine);
        machine = NULL;
    }
    *out = machine;
    return status;
}
