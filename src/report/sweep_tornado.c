/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a one-at-a-time design: what each value of each axis makes of the base point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/sweep_internal.h"
#include "report/tornado.h"

int sweep_tornado_check(const struct sweep *sweep, const struct space_plot *wanted,
                        struct error *error)
{
    struct mark nowhere = {0};
    size_t column;
    return sweep_plot_column_find(sweep, "y", sweep_compare_metric(sweep->space, wanted),
                                  wanted->y ? &wanted->y_mark : &nowhere, &column, error);
}

/* Values of the axis, but for the one at which the base stands: that would be an empty bar. */
static int add_axis(const struct sweep *sweep, size_t axis, size_t column, int group,
                    const struct sweep_row *base, struct plot_change *changes, size_t *count,
                    struct sweep_gaps *gaps, struct arena *arena, struct error *error)
{
    struct sweep_ids ids = {0};
    struct sweep_row *rows = NULL;
    int status = sweep_curve_ids(sweep, axis, SIZE_MAX, &ids, error);
    if (!status)
        status = sweep_rows(sweep, ids.items, ids.count, arena, &rows, error);
    for (size_t i = 0; i < ids.count && !status; i++) {
        const char *missing = sweep_gap(&rows[i], column, gaps);
        double value = missing ? (double)NAN : rows[i].values[column];
        const char *label = sweep_value_label(sweep, axis, i, arena);
        bool same = rows[i].kept;
        for (size_t c = 0; c < sweep->n_columns && same; c++)
            if (sweep->columns[c].kind == COLUMN_AXIS && sweep->columns[c].axis == axis)
                same = sweep->columns[c].text ? strcmp(rows[i].labels[c], base->labels[c]) == 0
                                              : rows[i].values[c] == base->values[c];
        if (!same)
            changes[(*count)++] = (struct plot_change){
                arena_printf(arena, "%s %s", sweep->space->axes[axis].name, label), value, missing,
                group};
    }
    VECTOR_FREE(&ids);
    return status;
}

int sweep_plot_tornado(const struct sweep *sweep, const struct space_plot *wanted,
                       const struct plot_output *output, struct error *error)
{
    const struct space *space = sweep->space;
    struct arena *arena = arena_create();
    struct plot_change *changes = arena_alloc(arena, sweep->points * sizeof *changes);
    struct sweep_row *base;
    uint64_t first = 0; /* the base point's id */
    size_t column = 0, count = 0;
    struct sweep_gaps gaps = {0};
    int status = sweep_column_find(sweep, sweep_compare_metric(space, wanted), &column, error);
    if (!status)
        status = sweep_rows(sweep, &first, 1, arena, &base, error);
    for (size_t a = 0; a < space->n_axes && !status; a++)
        status = add_axis(sweep, a, column, (int)a, base, changes, &count, &gaps, arena, error);
    if (!status && base->kept && count > 0) {
        struct plot_tornado plot = {
            .title = sweep_plot_title(sweep, wanted),
            .subtitle = arena_printf(arena, "%s; dashed: %s as it is",
                                     sweep_plot_subtitle(sweep, NULL, SIZE_MAX, SIZE_MAX, arena),
                                     space->machine->name),
            .remark = sweep_gaps_remark(&gaps, NULL, arena),
            .x = sweep_plot_axis(sweep, column, PLOT_LINEAR, true, arena),
            .base = base->values[column],
            .count = count,
            .changes = changes,
        };
        status = plot_tornado(output, &plot, error);
    }
    arena_destroy(arena);
    return status;
}
