/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rooflines of effective bandwidth: workloads under what memory and the LLC allow them.
 *
 *     reuse    bytes that are asked for, a byte that memories read or write
 *     memory   effective bandwidth <= reuse * bandwidth of all memories
 *     LLC      effective bandwidth <= bandwidth of all slices
 *
 * Roofs are of the machine of the best point; points, for each value of an axis, as in plots of
 * bars. */
#include <math.h>
#include <string.h>

#include "report/sweep_compare.h"

enum { TIME, READ, WRITTEN, PARTS };
static const char *const part_names[PARTS] = {"kernel_time", "memory_read", "memory_written"};

static struct space_plot metric_of(const struct space_plot *wanted, const char *name)
{
    struct space_plot one = *wanted;
    one.y = name;
    return one;
}

int sweep_roofline_check(const struct sweep *sweep, const struct space_plot *wanted,
                         struct error *error)
{
    struct space_plot one = metric_of(wanted, "effective_bandwidth");
    int status = sweep_compare_check(sweep, &one, error);
    for (int p = 0; p < PARTS && !status; p++) {
        one = metric_of(wanted, part_names[p]);
        status = sweep_compare_check(sweep, &one, error);
    }
    return status;
}

/* [value of by * workloads + workload] */
struct points {
    struct comparison c;
    const double *bandwidth;
    double *reuse;
    double least, most; /* of reuse; least HUGE_VAL: no point */
};

static int find_points(const struct sweep *sweep, const struct space_plot *wanted,
                       struct points *points, struct error *error)
{
    const double *parts[PARTS] = {NULL};
    struct space_plot one;
    struct comparison *c = &points->c;
    int status = 0;
    for (int p = 0; p < PARTS && !status; p++) {
        one = metric_of(wanted, part_names[p]);
        status = comparison_workloads(sweep, &one, false, c, error);
        parts[p] = c->values;
    }
    one = metric_of(wanted, "effective_bandwidth");
    c->gaps = (struct sweep_gaps){0}; /* what is not there is counted once */
    if (!status)
        status = comparison_workloads(sweep, &one, false, c, error);
    size_t n = status ? 0 : c->bars.series * c->bars.clusters;
    points->bandwidth = c->values;
    points->reuse = arena_alloc(c->arena, n * sizeof *points->reuse);
    points->least = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        double moved = parts[READ][i] + parts[WRITTEN][i];
        double reuse = moved > 0 ? c->values[i] * parts[TIME][i] / moved : (double)NAN;
        points->reuse[i] = reuse;
        if (isfinite(reuse)) {
            points->least = fmin(points->least, reuse);
            points->most = fmax(points->most, reuse);
        }
    }
    return status;
}

static int add_roofs(const struct sweep *sweep, const struct points *points,
                     struct picture *picture, struct error *error)
{
    static const char *const paths[] = {"memory.bandwidth", "llc.bandwidth"};
    struct machine *machine = NULL;
    size_t size;
    double chips, one, roofs[2];
    int status = sweep_machines(sweep, sweep->ranking.items, 1, &machine, &size, error);
    if (!status && machine)
        status = machine_number(machine, "chips", &chips, error);
    for (int r = 0; r < 2 && !status && machine; r++) {
        status = machine_number(machine, paths[r], &one, error);
        roofs[r] = chips * one;
    }
    if (!status && machine) {
        double *xs = arena_alloc(picture->arena, 4 * sizeof *xs), *ys = xs + 2;
        double *level = arena_alloc(picture->arena, 2 * sizeof *level);
        xs[0] = points->least / 1.5;
        xs[1] = points->most * 1.5;
        for (int i = 0; i < 2; i++) {
            ys[i] = roofs[0] * xs[i];
            level[i] = roofs[1];
        }
        picture_add_curve(picture, "memory", 2, xs, ys);
        picture_add_curve(picture, "LLC", 2, xs, level);
        for (size_t i = picture->series.count - 2; i < picture->series.count; i++)
            picture->series.items[i].style = PICTURE_LINES;
    }
    machine_destroy(machine);
    return status;
}

/* The name of a workload stands at its highest point. */
static void label_highest(const struct points *points, struct picture *picture)
{
    size_t n = points->c.bars.clusters;
    for (size_t w = 0; w < n; w++) {
        size_t best = SIZE_MAX;
        for (size_t i = w; i < n * points->c.bars.series; i += n)
            if (isfinite(points->reuse[i]) && isfinite(points->bandwidth[i]) &&
                (best == SIZE_MAX || points->bandwidth[i] > points->bandwidth[best]))
                best = i;
        if (best < SIZE_MAX)
            VECTOR_PUSH(&picture->notes,
                        (struct picture_note){points->c.bars.cluster_names[w], points->reuse[best],
                                              points->bandwidth[best], PICTURE_LABEL});
    }
}

int sweep_plot_roofline(const struct sweep *sweep, const struct space_plot *wanted,
                        struct picture *picture, struct error *error)
{
    struct points points = {.c = {.arena = picture->arena}};
    int status = find_points(sweep, wanted, &points, error);
    size_t n = points.c.bars.clusters;
    for (size_t s = 0; s < points.c.bars.series && !status; s++) {
        picture_add_curve(picture, points.c.bars.series_names[s], n, points.reuse + s * n,
                          points.bandwidth + s * n);
        picture->series.items[picture->series.count - 1].style = PICTURE_POINTS;
    }
    if (status)
        return status;
    if (isfinite(points.least) && sweep->ranking.count)
        status = add_roofs(sweep, &points, picture, error);
    label_highest(&points, picture);
    comparison_frame(sweep, wanted, &points.c, picture);
    picture->x = (struct plot_axis){.title = "reuse: bytes asked for, a byte of memory traffic",
                                    .scale = PLOT_LOG10};
    picture->y.scale = PLOT_LOG10;
    return status;
}
