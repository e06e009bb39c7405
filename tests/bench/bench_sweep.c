/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed of sweeps, end to end: enumerate, evaluate EAB for both organisations, constrain, rank,
 * marginals, Pareto; beside a loop written by hand for that formula alone (eab_loop.h), the same
 * points evaluated one at a time, and how near the time said before is to the one taken. With one
 * thread times are the processor's, which other programs do not lengthen. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/simd.h"
#include "explore/sweep/sweep.h"

#include "eab_loop.h"

enum { WORKLOADS = EAB_WORKLOADS_MAX };

static const struct eab_workload workloads[WORKLOADS] = {
    {0.7, {0.8, 0.5}, {0.9, 1.0}},    {0.25, {0.35, 0.3}, {0.8, 0.9}},
    {0.5, {0.9, 0.45}, {0.7, 0.9}},   {0.6, {0.1, 0.05}, {0.95, 1.0}},
    {0.3, {0.6, 0.55}, {0.9, 0.95}},  {0.8, {0.7, 0.65}, {0.85, 1.0}},
    {0.45, {0.2, 0.15}, {0.9, 0.85}}, {0.9, {0.5, 0.4}, {0.75, 1.0}}};
static const char profile_text[] =
    "profile: hand%d\npoint: {r_local: %g, bytes: 1 MB, llc_hit: {memory-side: %g, sm-side: %g}, "
    "lsu: {memory-side: %g, sm-side: %g}}\n";
static const char space_text[] =
    "space: bench\nmachine: sac\nworkloads: [%s]\naxes:\n"
    "  llc.organisation: [memory-side, sm-side]\n"
    "  llc.bandwidth: {from: 1 TB/s, to: 9 TB/s, points: 100}\n"
    "  inter.link_bandwidth: {from: 16 GB/s, to: 512 GB/s, points: 200}\n"
    "  noc.bandwidth: {from: 1 TB/s, to: 9 TB/s, points: 20}\n"
    "  memory.bandwidth: {from: 50 GB/s, to: 900 GB/s, points: 250}\n"
    "let: {cost: \"total.link_bandwidth + total.memory_bandwidth + noc.bandwidth\"}\n"
    "where: [\"noc.bandwidth <= llc.bandwidth * 2\"]\n"
    "objectives: [{maximise: effective_bandwidth}, {minimise: cost}]\n";

static int fail(const struct error *error)
{
    char text[2048];
    error_format(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}

/* An axis' numbers; the caller frees them. */
static struct eab_axis axis_of(const struct space *space, size_t axis)
{
    size_t n = space->axes[axis].n_values;
    double *values = malloc(n * sizeof *values);
    for (size_t v = 0; v < n; v++)
        values[v] = space->axes[axis].values[v].assignments[0].value.number;
    return (struct eab_axis){values, n};
}

/* The same points by hand, on one core, the best of three. */
static double run_loop(const struct space *space, size_t n_workloads, struct eab_best *best)
{
    struct eab_loop loop = {
        workloads,         n_workloads,      4, 8, axis_of(space, 1), axis_of(space, 2),
        axis_of(space, 3), axis_of(space, 4)};
    const struct eab_loops *loops = SIMD_BEST(&eab_loops_base, &eab_loops_v3, &eab_loops_v4);
    double least_s = HUGE_VAL;
    for (int repeat = 0; repeat < 3; repeat++) {
        double start = clock_work_seconds();
        *best = loops->run(&loop);
        least_s = fmin(least_s, clock_work_seconds() - start);
    }
    free((void *)(size_t)loop.llc.values);
    free((void *)(size_t)loop.link.values);
    free((void *)(size_t)loop.intra.values);
    free((void *)(size_t)loop.memory.values);
    return (double)space_count(space) / least_s;
}

/* Whether the sweep's best is the loop's: else the two are not of the same formula. */
static bool is_best(const struct sweep *sweep, const struct sweep_row *best,
                    const struct eab_best *loop)
{
    size_t column;
    struct error error;
    if (sweep_column_find(sweep, "effective_bandwidth", &column, &error))
        return false;
    return (double)sweep->kept == loop->points &&
           fabs(best->values[column] / loop->bandwidth - 1) < 1e-9;
}

static int run_sweep(const struct space *space, int threads, const struct eab_best *best,
                     double *points_per_s, double *one_by_one, double *estimated,
                     struct error *error)
{
    enum { SINGLE = 20000 };
    double (*clock)(void) = threads == 1 ? clock_work_seconds : clock_seconds;
    struct sweep *sweep;
    struct sweep_row *rows;
    int status = sweep_open(space, threads, &sweep, error);
    if (!status)
        status = sweep_prepare(sweep, NULL, NULL, error);
    if (!status)
        status = sweep_estimate(sweep, estimated, error);
    double start = clock();
    if (!status)
        status = sweep_run(sweep, error);
    double taken_s = clock() - start;
    *points_per_s = (double)space_count(space) / taken_s;
    *estimated /= taken_s;
    uint64_t *ids = malloc(SINGLE * sizeof *ids);
    struct arena *arena = arena_create();
    for (uint64_t i = 0; i < SINGLE; i++)
        ids[i] = i * 4999;
    start = clock();
    if (!status)
        status = sweep_rows(sweep, ids, SINGLE, arena, &rows, error);
    *one_by_one = SINGLE / (clock() - start);
    if (!status)
        status = sweep_rows(sweep, sweep->ranking.items, 1, arena, &rows, error);
    if (!status && !is_best(sweep, rows, best))
        status = error_set(error, STATUS_FAILED, "the loop by hand has another answer");
    arena_destroy(arena);
    free(ids);
    sweep_destroy(sweep);
    return status;
}

static int write_space(const char *folder, size_t n_workloads, struct space **space,
                       struct error *error)
{
    char path[512], text[4096], list[4096] = "";
    int status = 0;
    for (size_t w = 0; w < n_workloads && !status; w++) {
        const struct eab_workload *row = &workloads[w];
        snprintf(path, sizeof path, "%s/hand%d.yaml", folder, (int)w);
        snprintf(text, sizeof text, profile_text, (int)w, row->r_local, row->hit[0], row->hit[1],
                 row->uniformity[0], row->uniformity[1]);
        status = file_write(path, text, strlen(text), error);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", w ? ", " : "", path);
    }
    snprintf(text, sizeof text, space_text, list);
    snprintf(path, sizeof path, "%s/space.yaml", folder);
    if (!status)
        status = file_write(path, text, strlen(text), error);
    return status ? status : space_load(path, space, error);
}

static int report(const char *folder, size_t n_workloads, int most_threads, struct error *error)
{
    struct space *space = NULL;
    struct eab_best best;
    int status = write_space(folder, n_workloads, &space, error);
    if (status)
        return status;
    double loop = run_loop(space, n_workloads, &best);
    printf("sweep (EAB, workloads: %zu, 2*10^8 points)\n", n_workloads);
    printf("  %-8s %12s %16s %8s %22s %8s %16s\n", "threads", "points/s", "loop by hand (1)",
           "share", "one at a time (1), /s", "ratio", "estimated/taken");
    for (int threads = 1; !status && threads <= most_threads; threads *= 2) {
        double batch, single, estimated = 0;
        status = run_sweep(space, threads, &best, &batch, &single, &estimated, error);
        if (!status)
            printf("  %-8d %12.4g %16.4g %8.3f %22.4g %8.0f %16.2f\n", threads, batch, loop,
                   batch / loop, single, batch / single, estimated);
    }
    space_destroy(space);
    return status;
}

int main(void)
{
    char folder[] = "/tmp/bandscape-bench-XXXXXX", command[600];
    struct error error;
    memory_keep_freed(); /* as the program does */
    if (!mkdtemp(folder))
        return 1;
    int status = report(folder, 1, parallel_cores(), &error);
    if (!status)
        status = report(folder, WORKLOADS, 1, &error);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command))
        return 1;
    return status ? fail(&error) : 0;
}
