/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that stand twice on an axis. Both would be points: the ranking has the same design twice,
 * and means over the values of other axes (marginals.csv) weigh it twice. Nobody means that, and it
 * is mended by taking one out; so it is an error, as a model or a workload that is named twice is
 * one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/space/space_internal.h"
#include "workload/scale.h"

/* What is the same but for the rounding of a unit: 0.3 GB/s and 300 MB/s. */
static const double same_share = 1e-12;

/* A value by what it assigns. */
struct entry {
    const struct space_axis *axis;
    size_t index;
    double number; /* of the first assignment, or the size */
    const char *name;
};

static const struct space_value *value_of(const struct entry *e)
{
    return &e->axis->values[e->index];
}

static bool same_number(double a, double b)
{
    return fabs(a - b) <= same_share * fmax(fabs(a), fabs(b));
}

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same(const struct entry *a, const struct entry *b)
{
    if (a->axis->machine || a->axis->size)
        return same_name(a->name, b->name) && same_number(a->number, b->number);
    const struct space_value *one = value_of(a), *other = value_of(b);
    for (size_t i = 0; i < one->n_assignments; i++) {
        const struct parameter_value *x = &one->assignments[i].value;
        const struct parameter_value *y = &other->assignments[i].value;
        if (!dim_equal(x->dim, y->dim) || !same_number(x->number, y->number) ||
            !same_name(x->name, y->name) || !same_number(x->argument, y->argument))
            return false;
    }
    return true;
}

static struct entry entry_of(const struct space_axis *axis, size_t index)
{
    const struct space_assignment *first = axis->values[index].assignments;
    struct entry e = {.axis = axis, .index = index};
    struct error ignored = {0};
    if (axis->size)
        scale_read_size(first->text, &first->mark, &e.number, &ignored);
    else if (axis->machine)
        e.name = first->text;
    else if (axis->values[index].n_assignments > 0)
        e.number = first->value.number, e.name = first->value.name;
    return e;
}

/* By what is compared first, then as they stand. */
static int by_value(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int by_name = x->name && y->name ? strcmp(x->name, y->name) : !!x->name - !!y->name;
    if (by_name)
        return by_name;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int refuse(const struct entry *first, const struct entry *again, struct error *error)
{
    const struct space_axis *axis = first->axis;
    const struct space_assignment *before = value_of(first)->assignments;
    const struct space_assignment *a = value_of(again)->assignments;
    if (!a->text) { /* a range */
        char text[64];
        quantity_format((struct quantity){a->value.number, a->value.dim}, 6, text, sizeof text);
        error_at(error, STATUS_INPUT, &a->mark, "axis %s: of %zu points several are %s", axis->name,
                 axis->n_values, text);
        return error_hint(error, "fewer points, or a list of values");
    }
    const char *word = axis->bundle ? value_of(first)->label : before->text;
    const char *other = axis->bundle ? value_of(again)->label : a->text;
    if (strcmp(word, other) == 0)
        error_at(error, STATUS_INPUT, &a->mark, "axis %s has %s twice", axis->name, word);
    else
        error_at(error, STATUS_INPUT, &a->mark, "axis %s: %s is the same as %s (%ld:%ld)",
                 axis->name, other, word, before->mark.line, before->mark.column);
    return error_hint(error, "each value is a design, and would count twice: take one out");
}

int space_check_repeats(const struct space_axis *axis, struct error *error)
{
    if (axis->values[0].n_assignments == 0) /* bundles of nothing */
        return 0;
    struct entry *entries = memory_zero(axis->n_values, sizeof *entries);
    size_t first = SIZE_MAX, again = SIZE_MAX;
    for (size_t v = 0; v < axis->n_values; v++)
        entries[v] = entry_of(axis, v);
    qsort(entries, axis->n_values, sizeof *entries, by_value);
    /* Those that agree in what is sorted by stand together; bundles may differ in the rest. The
     * first repetition is told. */
    for (size_t i = 0; i < axis->n_values; i++)
        for (size_t k = i + 1; k < axis->n_values && (k == i + 1 || axis->bundle); k++) {
            size_t late = entries[i].index > entries[k].index ? i : k, early = i + k - late;
            if (!same_name(entries[i].name, entries[k].name) ||
                !same_number(entries[i].number, entries[k].number))
                break;
            if (is_same(&entries[i], &entries[k]) &&
                (again == SIZE_MAX || entries[late].index < entries[again].index))
                first = early, again = late;
        }
    int status = again == SIZE_MAX ? 0 : refuse(&entries[first], &entries[again], error);
    free(entries);
    return status;
}
