/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts, ids and names of a sweep. */
#include "explore/sweep/plan.h"

#include <stdio.h>
#include <string.h>

#include "core/parallel.h"
#include "core/suggest.h"

size_t sweep_parts(const struct space *space, struct arena *arena, struct sweep_part **out)
{
    size_t n = space->design == DESIGN_CROSS ? 1 : 1 + space->n_axes;
    uint64_t id = 0;
    *out = arena_alloc(arena, n * sizeof **out);
    for (size_t p = 0; p < n; p++) {
        struct sweep_part *part = &(*out)[p];
        part->first_id = id;
        part->count = 1;
        part->structures = 1;
        part->active = arena_alloc(arena, space->n_axes * sizeof *part->active);
        part->strides = arena_alloc(arena, space->n_axes * sizeof *part->strides);
        for (size_t a = space->n_axes; a-- > 0;) {
            part->active[a] = space->design == DESIGN_CROSS || a + 1 == p;
            if (!part->active[a])
                continue;
            part->strides[a] = part->count;
            part->count *= space->axes[a].n_values;
            if (space->axes[a].structural)
                part->structures *= space->axes[a].n_values;
        }
        id += part->count;
    }
    return n;
}

uint64_t sweep_structures(const struct space *space)
{
    struct arena *arena = arena_create();
    struct sweep_part *parts;
    size_t n = sweep_parts(space, arena, &parts);
    uint64_t all = 0;
    for (size_t p = 0; p < n; p++)
        all += parts[p].structures;
    arena_destroy(arena);
    return all;
}

const struct sweep_part *sweep_part_of(const struct sweep_part *parts, uint64_t *index)
{
    while (*index >= parts->structures)
        *index -= parts++->structures;
    return parts;
}

int sweep_for_each(const struct space *space, sweep_visit *visit, void *context,
                   struct error *error)
{
    struct arena *arena = arena_create();
    struct sweep_part *parts;
    size_t n = sweep_parts(space, arena, &parts);
    int status = 0;
    for (size_t p = 0; p < n && !status; p++)
        for (size_t i = 0; i < parts[p].structures && !status; i++)
            if (!(status = interrupt_check(error)))
                status = visit(context, &parts[p], i, error);
    arena_destroy(arena);
    return status > 0 ? 0 : status;
}

void sweep_digits(const struct space *space, const struct sweep_part *part, size_t index,
                  size_t *digits)
{
    for (size_t a = space->n_axes; a-- > 0;) {
        digits[a] = 0;
        if (part->active[a] && space->axes[a].structural) {
            digits[a] = index % space->axes[a].n_values;
            index /= space->axes[a].n_values;
        }
    }
}

size_t sweep_size(const struct sweep *sweep, const struct sweep_part *part, const size_t *digits)
{
    size_t axis = sweep_axis_find(sweep, "workload.size");
    if (axis == SIZE_MAX)
        return 0;
    return part->active[axis] ? digits[axis] : space_size_one(&sweep->space->axes[axis]);
}

struct subject *sweep_subject(const struct sweep *sweep, size_t size, size_t workload)
{
    return sweep->subjects.items[size * sweep->space->n_workloads + workload];
}

static bool column_called(const struct sweep *sweep, const char *name, size_t *out)
{
    for (size_t c = 0; c < sweep->n_columns; c++)
        if (strcmp(sweep->columns[c].name, name) == 0) {
            *out = c;
            return true;
        }
    return false;
}

/* Of several models, which are in the names of their columns, an unqualified metric is the ranking
 * one's, else another one's; of one, which is not, it may stand before the name. */
int sweep_column_find(const struct sweep *sweep, const char *name, size_t *out, struct error *error)
{
    const struct space *space = sweep->space;
    struct suggest suggest = suggest_begin(name);
    bool found = column_called(sweep, name, out);
    for (size_t k = 0; k < space->n_models && !found; k++) {
        const char *model = space->models[(space->rank_model + k) % space->n_models]->plugin.name;
        size_t prefix = strlen(model) + 1;
        char full[200];
        snprintf(full, sizeof full, "%s.%s", model, name);
        found = column_called(sweep, full, out) ||
                (space->n_models == 1 && strncmp(name, full, prefix) == 0 &&
                 column_called(sweep, name + prefix, out));
        for (size_t c = 0; c < sweep->n_columns; c++)
            if (strncmp(sweep->columns[c].name, full, prefix) == 0)
                suggest_offer(&suggest, sweep->columns[c].name + prefix);
    }
    if (found)
        return 0;
    for (size_t c = 0; c < sweep->n_columns; c++)
        suggest_offer(&suggest, sweep->columns[c].name);
    error_set(error, STATUS_INPUT, "there is no column \"%.80s\"", name);
    suggest_hint(&suggest, error);
    return STATUS_INPUT;
}

size_t sweep_axis_find(const struct sweep *sweep, const char *name)
{
    for (size_t a = 0; name && a < sweep->space->n_axes; a++)
        if (strcmp(sweep->space->axes[a].name, name) == 0)
            return a;
    return SIZE_MAX;
}

/* The value at which the machine itself stands, or the first. */
static size_t base_digit(const struct space *space, size_t a)
{
    const struct space_axis *axis = &space->axes[a];
    if (axis->size)
        return space_size_one(axis) < SIZE_MAX ? space_size_one(axis) : 0;
    for (size_t v = 0; v < axis->n_values && !axis->machine; v++) {
        bool same = true;
        for (size_t i = 0; i < axis->values[v].n_assignments && same; i++) {
            const struct space_assignment *as = &axis->values[v].assignments[i];
            struct parameter p;
            struct error ignored;
            if (machine_find(space->machine, as->path, &p, &ignored))
                return 0;
            const struct parameter_value *own = &p.section->values[p.index];
            same = own->known &&
                   (as->value.name
                        ? own->name && strcmp(own->name, as->value.name) == 0
                        : own->number == as->value.number && dim_equal(own->dim, as->value.dim));
        }
        if (same)
            return v;
    }
    return 0;
}

int sweep_curve_ids(const struct sweep *sweep, size_t axis, size_t by, struct sweep_ids *out,
                    struct error *error)
{
    const struct space *space = sweep->space;
    struct arena *arena = arena_create();
    struct sweep_part *parts;
    sweep_parts(space, arena, &parts);
    const struct sweep_part *part = &parts[0];
    int status = 0;
    if (space->design == DESIGN_ONE_AT_A_TIME) {
        part = &parts[1 + axis];
        if (by != SIZE_MAX)
            status = error_set(error, STATUS_INPUT,
                               "a one-at-a-time design varies one axis: a curve has no \"by\"");
    }
    uint64_t base = part->first_id;
    for (size_t a = 0; a < space->n_axes; a++)
        if (a != axis && a != by)
            base += base_digit(space, a) * part->strides[a];
    size_t n_by = by == SIZE_MAX ? 1 : space->axes[by].n_values;
    for (size_t b = 0; b < n_by && !status; b++)
        for (size_t v = 0; v < space->axes[axis].n_values; v++)
            VECTOR_PUSH(out, base + v * part->strides[axis] +
                                 (by == SIZE_MAX ? 0 : b * part->strides[by]));
    arena_destroy(arena);
    return status;
}
