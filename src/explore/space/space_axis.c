/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axes: lists, lists with a common unit, ranges, names, bundles, machines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "explore/space/space_internal.h"
#include "workload/scale.h"
#include "yaml/yaml.h"

enum { RANGE_POINTS_MAX = 1000000 };

static void value_single(struct space *space, struct space_value *value, const char *path,
                         const char *text, struct mark mark)
{
    value->label = text;
    value->n_assignments = 1;
    value->assignments = arena_alloc(space->arena, sizeof *value->assignments);
    value->assignments[0] = (struct space_assignment){.path = path, .text = text, .mark = mark};
}

static int axis_list(struct space *space, struct space_axis *axis, const struct yaml_node *list,
                     const char *unit, struct error *error)
{
    int status = yaml_expect(list, YAML_LIST, axis->name, error);
    if (status)
        return status;
    if (list->count == 0)
        return yaml_error(list, error, "axis %s has no values", axis->name);
    axis->n_values = list->count;
    axis->values = arena_alloc(space->arena, list->count * sizeof *axis->values);
    for (size_t i = 0; i < list->count; i++) {
        const char *text;
        if ((status = yaml_string(list->items[i], axis->name, &text, error)))
            return status;
        if (unit) {
            double number;
            if ((status = yaml_number(list->items[i], axis->name, &number, error)))
                return status;
            text = arena_printf(space->arena, "%s %s", text, unit);
        }
        value_single(space, &axis->values[i], axis->name, text, list->items[i]->mark);
    }
    return 0;
}

/* from/to/points on a linear, log2 or log10 scale. The ends are met exactly. */
static int axis_range(struct space *space, struct space_axis *axis, const struct yaml_node *map,
                      struct error *error)
{
    struct yaml_node *from, *to, *points;
    struct quantity a, b;
    long long count;
    int status;
    if ((status = yaml_check_form(map, axis->name, space_axis_range_keys, error)) ||
        (status = yaml_require(map, axis->name, "from", &from, error)) ||
        (status = yaml_require(map, axis->name, "to", &to, error)) ||
        (status = yaml_require(map, axis->name, "points", &points, error)) ||
        (status = yaml_quantity(from, "from", &a, error)) ||
        (status = yaml_quantity(to, "to", &b, error)) ||
        (status = yaml_integer(points, "points", 1, RANGE_POINTS_MAX, &count, error)))
        return status;
    const struct yaml_node *scale = yaml_get(map, "scale");
    const char *name = "linear";
    if (scale && (status = yaml_string(scale, "scale", &name, error)))
        return status;
    bool log = strcmp(name, "log2") == 0 || strcmp(name, "log10") == 0 || strcmp(name, "log") == 0;
    if (!log && strcmp(name, "linear") != 0) {
        yaml_error(scale, error, "scale: unknown scale \"%.40s\"", name);
        return error_hint(error, "known: linear, log2, log10");
    }
    if (count == 1 && a.value != b.value)
        return yaml_error(points, error, "points: a range with two ends has at least 2");
    if (!dim_equal(a.dim, b.dim))
        return yaml_error(to, error, "from and to have different units");
    if (log && (a.value <= 0 || b.value <= 0))
        return yaml_error(from, error, "a %s scale needs positive ends", name);
    struct parameter p;
    bool whole =
        machine_find(space->machine, axis->name, &p, error) == 0 && p.row->kind == PARAMETER_COUNT;
    axis->n_values = (size_t)count;
    axis->values = arena_alloc(space->arena, (size_t)count * sizeof *axis->values);
    for (long long i = 0; i < count; i++) {
        double t = count == 1 ? 0 : (double)i / (double)(count - 1);
        double value = i == 0           ? a.value
                       : i == count - 1 ? b.value
                       : log            ? a.value * pow(b.value / a.value, t)
                                        : a.value + (b.value - a.value) * t;
        if (whole || (dim_equal(a.dim, DIM_BYTES) && fabs(value - round(value)) < 1e-6 * value))
            value = round(value);
        struct space_value *v = &axis->values[i];
        value_single(space, v, axis->name, NULL, map->mark);
        v->assignments[0].value =
            (struct parameter_value){.known = true, .given = true, .number = value, .dim = a.dim};
    }
    return 0;
}

static int bundle_value(struct space *space, struct space_value *value,
                        const struct yaml_node *label, const struct yaml_node *map,
                        struct error *error)
{
    int status = yaml_expect(map, YAML_MAP, label->text, error);
    if (status)
        return status;
    value->label = label->text;
    value->n_assignments = map->count;
    value->assignments = arena_alloc(space->arena, map->count * sizeof *value->assignments);
    for (size_t i = 0; i < map->count && !status; i++) {
        const char *text;
        status = yaml_string(map->items[i], map->keys[i]->text, &text, error);
        if (!status)
            value->assignments[i] = (struct space_assignment){
                .path = map->keys[i]->text, .text = text, .mark = map->items[i]->mark};
    }
    return status;
}

static int axis_bundles(struct space *space, struct space_axis *axis, const struct yaml_node *map,
                        struct error *error)
{
    int status = 0;
    axis->bundle = true;
    if (map->count == 0)
        return yaml_error(map, error, "axis %s has no values", axis->name);
    axis->n_values = map->count;
    axis->values = arena_alloc(space->arena, map->count * sizeof *axis->values);
    for (size_t i = 0; i < map->count && !status; i++)
        status = bundle_value(space, &axis->values[i], map->keys[i], map->items[i], error);
    return status;
}

/* A value of a range has the unit of its ends, which must be the parameter's,
 * or cycles in place of seconds. */
static int range_check(const struct space_axis *axis, const struct space_assignment *a,
                       const struct parameter *p, struct error *error)
{
    struct dim dim = p->row->dim, cycles = {dim.byte, 0, dim.second, dim.joule};
    if (p->row->kind == PARAMETER_NAME)
        return error_at(error, STATUS_INPUT, &a->mark,
                        "axis %s takes names: list them, e.g. [a, b]", axis->name);
    if (dim_equal(a->value.dim, dim) || dim_equal(a->value.dim, cycles))
        return 0;
    error_at(error, STATUS_INPUT, &a->mark, "axis %s: the range has another unit", axis->name);
    return error_hint(error, "expected quantities such as %s", dim_example(dim));
}

/* Parses the assignments against the machine; decides what kind of axis it is. */
static int axis_check(struct space *space, struct space_axis *axis, struct error *error)
{
    axis->numeric = !axis->bundle;
    for (size_t v = 0; v < axis->n_values; v++)
        for (size_t i = 0; i < axis->values[v].n_assignments; i++) {
            struct space_assignment *a = &axis->values[v].assignments[i];
            struct parameter p;
            int status = machine_find(space->machine, a->path, &p, error);
            if (status) {
                error_context(error, "axis %s", axis->name);
                error_place(error, axis->bundle ? &a->mark : &axis->mark);
                return status;
            }
            if (a->text)
                status = parameter_parse(&p, a->text, &a->mark, &a->value, error);
            else
                status = range_check(axis, a, &p, error);
            double si;
            if (!status && p.row->kind != PARAMETER_NAME &&
                !(status = parameter_si(space->machine, &p, &a->value, &si, error)))
                status = parameter_check(&p, si, &a->mark, error);
            if (status)
                return status;
            if (p.row->kind == PARAMETER_NAME)
                axis->numeric = false;
            if (p.row->kind == PARAMETER_NAME || p.row->structure != STRUCTURE_NONE)
                axis->structural = true;
            if (v > 0 && i < axis->values[0].n_assignments &&
                !dim_equal(a->value.dim, axis->values[0].assignments[i].value.dim))
                return error_at(error, STATUS_INPUT, &a->mark, "axis %s mixes cycles and seconds",
                                axis->name);
        }
    return 0;
}

/* Bundles must all set the same parameters, or a value would leave behind what
 * the one before it had set. */
static int bundle_check(const struct space_axis *axis, struct error *error)
{
    const struct space_value *first = &axis->values[0];
    for (size_t v = 1; v < axis->n_values; v++) {
        const struct space_value *value = &axis->values[v];
        bool same = value->n_assignments == first->n_assignments;
        for (size_t i = 0; same && i < first->n_assignments; i++)
            same = strcmp(first->assignments[i].path, value->assignments[i].path) == 0;
        if (!same)
            return error_at(error, STATUS_INPUT,
                            value->n_assignments ? &value->assignments[0].mark : &axis->mark,
                            "bundle %s must set the same parameters as %s, in the same order",
                            value->label, first->label);
    }
    return 0;
}

/* Values are names or paths; paths are relative to the space's file. */
static int axis_machines(struct space *space, struct space_axis *axis, const struct yaml_node *node,
                         struct error *error)
{
    if (node->kind != YAML_LIST)
        return yaml_error(node, error, "axis machine: expected a list of machines");
    for (size_t v = 0; v < axis->n_values; v++) {
        struct space_assignment *a = &axis->values[v].assignments[0];
        char *path = file_named_in(space->path, a->text);
        a->text = arena_strdup(space->arena, path);
        free(path);
    }
    return 0;
}

size_t space_size_one(const struct space_axis *axis)
{
    for (size_t v = 0; v < axis->n_values; v++)
        if (strcmp(axis->values[v].label, "x1") == 0)
            return v;
    return SIZE_MAX;
}

/* The label of a value says its size. */
static int size_check(const struct space_value *value, struct error *error)
{
    const char *label = value->label;
    const struct mark *mark = &value->assignments[0].mark;
    double size;
    int status = scale_read_size(label, mark, &size, error);
    if (!status && label[0] != 'x')
        status = error_at(error, STATUS_INPUT, mark, "write x%.40s for a size", label);
    if (status)
        error_context(error, "axis workload.size");
    return status;
}

static int axis_sizes(const struct space *space, struct space_axis *axis,
                      const struct yaml_node *node, struct error *error)
{
    int status = 0;
    axis->structural = true;
    if (node->kind != YAML_LIST)
        return yaml_error(node, error,
                          "axis workload.size: expected a list such as [x1/4, x1, x4]");
    for (size_t v = 0; v < axis->n_values && !status; v++)
        status = size_check(&axis->values[v], error);
    if (!status && space->design == DESIGN_ONE_AT_A_TIME && space_size_one(axis) == SIZE_MAX)
        status = yaml_error(node, error,
                            "axis workload.size: a one-at-a-time design needs x1 among its values");
    return status;
}

/* What it is of, by the form of its values. */
static int axis_check_kind(struct space *space, struct space_axis *axis,
                           const struct yaml_node *node, struct error *error)
{
    if (axis->machine) {
        axis->structural = true;
        return axis_machines(space, axis, node, error);
    }
    if (axis->size)
        return axis_sizes(space, axis, node, error);
    int status = axis->bundle ? bundle_check(axis, error) : 0;
    return status ? status : axis_check(space, axis, error);
}

int space_read_axis(struct space *space, struct space_axis *axis, const struct yaml_node *key,
                    const struct yaml_node *node, struct error *error)
{
    int status;
    axis->name = key->text;
    axis->mark = key->mark;
    axis->machine = strcmp(key->text, "machine") == 0;
    axis->size = strcmp(key->text, "workload.size") == 0;
    const struct yaml_node *values = yaml_get(node, "values");
    if (node->kind == YAML_LIST) {
        status = axis_list(space, axis, node, NULL, error);
    } else if (node->kind == YAML_SCALAR) {
        status = yaml_error(node, error, "axis %s: expected a list of values, a range or bundles",
                            axis->name);
        error_hint(error, "for example [1, 2, 4], {values: [48, 96], unit: GB/s} or "
                          "{from: 1 MiB, to: 16 MiB, scale: log2, points: 5}");
    } else if (values) {
        const struct yaml_node *unit = yaml_get(node, "unit");
        const char *text = NULL;
        if (!(status = yaml_check_form(node, axis->name, space_axis_values_keys, error)) && unit)
            status = yaml_string(unit, "unit", &text, error);
        if (!status)
            status = axis_list(space, axis, values, text, error);
    } else if (yaml_get(node, "from") || yaml_get(node, "to") || yaml_get(node, "points")) {
        status = axis_range(space, axis, node, error);
    } else {
        status = axis_bundles(space, axis, node, error);
    }
    if (!status)
        status = axis_check_kind(space, axis, node, error);
    return status ? status : space_check_repeats(axis, error);
}

int space_apply(const struct space_axis *axis, size_t value, struct machine **machine,
                struct error *error)
{
    const struct space_value *v = &axis->values[value];
    if (axis->size)
        return 0;
    if (axis->machine) {
        struct machine *fresh;
        int status = machine_load(v->assignments[0].text, &fresh, error);
        if (status) {
            error_place(error, &v->assignments[0].mark);
            return status;
        }
        machine_destroy(*machine);
        *machine = fresh;
        return 0;
    }
    for (size_t i = 0; i < v->n_assignments; i++) {
        int status =
            machine_set_value(*machine, v->assignments[i].path, &v->assignments[i].value, error);
        if (status) {
            error_place(error, &v->assignments[i].mark);
            return status;
        }
    }
    return 0;
}
