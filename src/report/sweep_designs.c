/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sweep_designs.h"

#include <math.h>
#include <string.h>

#include "report/sweep_internal.h"
#include "yaml/yaml.h"

/* What rounding makes of one number that is computed in two ways. */
static const double SAME = 1e-9;

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= SAME * fmax(fabs(a), fabs(b));
}

/* Nothing that the space looks at tells them apart: what it ranks by, and metrics. */
static bool same_effect(const struct sweep *sweep, const bool *looked_at, const struct sweep_row *a,
                        const struct sweep_row *b)
{
    for (size_t c = 0; c < sweep->n_columns; c++)
        if (looked_at[c] && !same_number(a->values[c], b->values[c]))
            return false;
    return true;
}

/* Whether a is better in the first objective in which they differ. */
static bool is_better(const struct sweep *sweep, const struct sweep_row *a,
                      const struct sweep_row *b)
{
    const struct space *space = sweep->space;
    struct error ignored;
    size_t c;
    for (size_t i = 0; i < space->n_objectives; i++) {
        if (sweep_column_find(sweep, space->objectives[i].name, &c, &ignored) ||
            sweep->columns[c].text || same_number(a->values[c], b->values[c]))
            continue;
        return (a->values[c] > b->values[c]) == (space->objectives[i].sense == PARETO_MAXIMISE);
    }
    return false;
}

static void join(const struct sweep *sweep, struct sweep_design *design,
                 const struct sweep_row *row, size_t rank)
{
    for (size_t c = 0; c < sweep->n_columns; c++) {
        const struct sweep_column *column = &sweep->columns[c];
        if (column->kind != COLUMN_AXIS)
            continue;
        bool same = column->text ? strcmp(row->labels[c], design->row->labels[c]) == 0
                                 : same_number(row->values[c], design->row->values[c]);
        design->differs[column->axis] = design->differs[column->axis] || !same;
    }
    const struct sweep_row *other = row;
    if (is_better(sweep, row, design->row)) {
        other = design->row;
        design->row = row;
        design->rank = rank;
    }
    if (design->points++ <= SWEEP_DESIGN_OTHERS)
        design->others[design->points - 2] = other;
}

static struct sweep_design *find(const struct sweep *sweep, const bool *looked_at,
                                 struct sweep_designs *designs, const struct sweep_row *row)
{
    for (size_t i = designs->count; i-- > 0;)
        if (same_effect(sweep, looked_at, designs->items[i].row, row))
            return &designs->items[i];
    return NULL;
}

int sweep_designs_find(const struct sweep *sweep, struct arena *arena, struct sweep_designs *out,
                       struct error *error)
{
    size_t looks = sweep->ranking.count, rank = SIZE_MAX, at = 0, own;
    struct sweep_row *rows = NULL;
    struct error ignored;
    int status = 0;
    *out = (struct sweep_designs){.count = 0};
    looks = looks < SWEEP_DESIGNS_LOOKS ? looks : SWEEP_DESIGNS_LOOKS;
    if (sweep_column_find(sweep, sweep->space->rank_by, &own, &ignored) == 0)
        rank = own;
    bool *looked_at = arena_alloc(arena, sweep->n_columns * sizeof *looked_at);
    for (size_t c = 0; c < sweep->n_columns; c++)
        looked_at[c] =
            !sweep->columns[c].text &&
            (c == rank || (sweep->columns[c].kind == COLUMN_METRIC && sweep_is_shown(sweep, c)));
    for (bool more = true; more && at < looks && !status;) {
        size_t n = looks - at < SWEEP_DESIGNS ? looks - at : SWEEP_DESIGNS;
        status = sweep_rows(sweep, sweep->ranking.items + at, n, arena, &rows, error);
        for (size_t i = 0; i < n && more && !status; i++, at += more) {
            struct sweep_design *design = find(sweep, looked_at, out, &rows[i]);
            if (design)
                join(sweep, design, &rows[i], at);
            else if (out->count < SWEEP_DESIGNS)
                out->items[out->count++] =
                    (struct sweep_design){.rank = at, .points = 1, .row = &rows[i]};
            else /* others of the last one may still come while the ranks are tied */
                more = rank < SIZE_MAX && same_number(rows[i].values[rank],
                                                      out->items[out->count - 1].row->values[rank]);
        }
    }
    out->looked = at;
    out->exhausted = at == sweep->ranking.count && at == sweep->space->top && sweep->kept > at;
    return status;
}

/* The values of the others along the one axis in which they differ. */
static void print_others(const struct sweep *sweep, const struct sweep_design *design, size_t axis,
                         struct text *out)
{
    char buffer[64];
    size_t c = 0;
    while (sweep->columns[c].kind != COLUMN_AXIS || sweep->columns[c].axis != axis)
        c++;
    for (size_t i = 0; i + 1 < design->points; i++) {
        const struct sweep_row *row = design->others[i];
        text_printf(out, "%s%s", i ? ", " : " ",
                    sweep->columns[c].text
                        ? row->labels[c]
                        : quantity_format((struct quantity){row->values[c], sweep->columns[c].dim},
                                          4, buffer, sizeof buffer));
    }
}

void sweep_design_words(const struct sweep *sweep, const struct sweep_design *design,
                        struct text *out)
{
    size_t axes = 0, last = 0;
    for (size_t a = 0; a < sweep->space->n_axes; a++) {
        if (!design->differs[a])
            continue;
        text_printf(out, "%s%s", axes++ ? ", " : "", sweep->space->axes[a].name);
        last = a;
    }
    if (axes == 1 && design->points - 1 <= SWEEP_DESIGN_OTHERS)
        print_others(sweep, design, last, out);
}

int sweep_print_designs(const struct sweep *sweep, struct text *out, struct error *error)
{
    struct arena *arena = arena_create();
    struct sweep_designs designs;
    int status = sweep_designs_find(sweep, arena, &designs, error);
    if (!status && designs.count)
        text_append(out, "designs:\n");
    for (size_t i = 0; i < designs.count && !status; i++) {
        const struct sweep_design *design = &designs.items[i];
        const char *before = "";
        text_printf(out, "  - {rank: %zu, points: %zu, differ_in: [", design->rank + 1,
                    design->points);
        for (size_t a = 0; a < sweep->space->n_axes; a++) {
            if (!design->differs[a])
                continue;
            text_append(out, before);
            yaml_append_scalar(out, sweep->space->axes[a].name);
            before = ", ";
        }
        text_append(out, "]}\n");
    }
    arena_destroy(arena);
    return status;
}
