/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of a sweep whose bars are parts of a whole on each other: for each workload a bar for each
 * value of an axis, or for each value of it the bar of all workloads. */
#include <string.h>

#include "report/sweep_compare.h"

/* A part by itself is compared as bars are: over x, as those of all workloads under each value. */
static struct space_plot part_of(const struct space_plot *wanted, size_t part)
{
    struct space_plot one = *wanted;
    one.y = wanted->parts[part];
    one.y_mark = wanted->part_marks[part];
    one.by = wanted->by ? wanted->by : wanted->x;
    one.by_mark = wanted->by ? wanted->by_mark : wanted->x_mark;
    one.x = NULL;
    return one;
}

int sweep_stacked_check(const struct sweep *sweep, const struct space_plot *wanted,
                        struct error *error)
{
    size_t first = 0, column;
    int status = 0;
    for (size_t p = 0; p < wanted->n_parts && !status; p++) {
        struct space_plot one = part_of(wanted, p);
        status = sweep_plot_column_find(sweep, "parts", one.y, &one.y_mark, &column, error);
        if (!status)
            status = sweep_compare_check(sweep, &one, error);
        if (!status && p == 0)
            first = column;
        else if (!status && !dim_equal(sweep->columns[first].dim, sweep->columns[column].dim))
            status =
                error_at(error, STATUS_INPUT, &one.y_mark,
                         "parts: %.80s and %.80s have different units", wanted->parts[0], one.y);
    }
    return status;
}

static void frame_stacks(const struct sweep *sweep, const struct space_plot *wanted,
                         struct comparison *c, const char *mean, struct picture *picture)
{
    struct text order = {0};
    for (size_t v = 0; v < c->bars.series; v++)
        text_printf(&order, "%s%s", v ? ", " : "", c->bars.series_names[v]);
    comparison_frame(sweep, wanted, c, picture);
    picture->x.title =
        wanted->x ? wanted->x : arena_printf(c->arena, "bars from the left: %s", order.data);
    picture->legend = NULL;
    picture->y = (struct plot_axis){.title = "", .unit = c->y.unit};
    if (wanted->x && sweep->space->n_workloads > 1)
        picture->y.note = arena_printf(c->arena, "%s of workloads", mean);
    text_free(&order);
}

/* What stands together under a name has a bar for each value of `by`, in its order. */
int sweep_plot_stacked(const struct sweep *sweep, const struct space_plot *wanted,
                       struct picture *picture, struct error *error)
{
    struct comparison c = {.arena = picture->arena};
    size_t parts = wanted->n_parts, whole = 0, names = 0, values = 0, n = 0;
    const char **missing = NULL;
    double *heights = NULL;
    struct sweep_gaps gaps = {0};
    int status = sweep_column_find(sweep, wanted->parts[0], &whole, error);
    /* Only arithmetic means of parts are parts of the whole's mean. */
    bool all = !wanted->by || strncmp(sweep_aggregate_name(sweep, whole), "arithmetic", 10) == 0;
    for (size_t p = 0; p < parts && !status; p++) {
        struct space_plot one = part_of(wanted, p);
        if ((status = comparison_workloads(sweep, &one, all, &c, error)))
            break;
        if (p == 0) { /* what is not there is counted once */
            gaps = c.gaps;
            values = c.bars.series;
            names = c.bars.clusters;
            n = wanted->by ? values * names : values;
            heights = arena_alloc(c.arena, parts * n * sizeof *heights);
            missing = arena_alloc(c.arena, parts * n * sizeof *missing);
        }
        for (size_t i = 0; i < n; i++) {
            size_t name = wanted->by ? i / values : names - 1, value = i % values;
            heights[p * n + i] = c.values[value * names + name];
            missing[p * n + i] = p == 0 ? c.missing[value * names + name] : NULL;
        }
    }
    if (status)
        return status;
    const char **series = arena_alloc(c.arena, parts * sizeof *series);
    for (size_t p = 0; p < parts; p++)
        series[p] = look_words(wanted->parts[p], c.arena);
    c.gaps = gaps;
    picture_add_bars(picture, &(struct plot_bars){.clusters = n,
                                                  .series = parts,
                                                  .cluster_names = wanted->by ? c.bars.cluster_names
                                                                              : c.bars.series_names,
                                                  .series_names = series,
                                                  .values = heights,
                                                  .missing = missing,
                                                  .apart = wanted->by ? c.bars.apart : 0,
                                                  .stacked = true,
                                                  .within = wanted->by ? values : 1});
    frame_stacks(sweep, wanted, &c, sweep_aggregate_name(sweep, whole), picture);
    return 0;
}
