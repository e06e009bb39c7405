/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Speed of sweeps, end to end: enumerate, evaluate EAB for both organisations,
 * constrain, rank, Pareto; beside the same points evaluated one at a time, and how near the time
 * said before is to the one taken. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "explore/sweep/sweep.h"

static const char profile_text[] =
    "profile: hand\npoint: {r_local: 0.7, bytes: 1 MB, llc_hit: {memory-side: 0.8, sm-side: 0.5}, "
    "lsu: {memory-side: 0.9, sm-side: 1.0}}\n";
static const char space_text[] =
    "space: bench\nmachine: sac\nworkloads: [%s/hand.yaml]\naxes:\n"
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

static int run_sweep(const struct space *space, int threads, double *points_per_s,
                     double *one_by_one, double *estimated, struct error *error)
{
    enum { SINGLE = 20000 };
    struct sweep *sweep;
    int status = sweep_open(space, threads, &sweep, error);
    if (!status)
        status = sweep_prepare(sweep, NULL, NULL, error);
    if (!status)
        status = sweep_estimate(sweep, estimated, error);
    double start = clock_seconds();
    if (!status)
        status = sweep_run(sweep, error);
    double taken_s = clock_seconds() - start;
    *points_per_s = (double)space_count(space) / taken_s;
    *estimated /= taken_s;
    uint64_t *ids = malloc(SINGLE * sizeof *ids);
    struct arena *arena = arena_create();
    struct sweep_row *rows;
    for (uint64_t i = 0; i < SINGLE; i++)
        ids[i] = i * 4999;
    start = clock_seconds();
    if (!status)
        status = sweep_rows(sweep, ids, SINGLE, arena, &rows, error);
    *one_by_one = SINGLE / (clock_seconds() - start);
    arena_destroy(arena);
    free(ids);
    sweep_destroy(sweep);
    return status;
}

int main(void)
{
    char folder[] = "/tmp/bandscape-bench-XXXXXX", path[512], text[2048], command[600];
    struct space *space = NULL;
    struct error error;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/hand.yaml", folder);
    int status = file_write(path, profile_text, strlen(profile_text), &error);
    snprintf(text, sizeof text, space_text, folder);
    snprintf(path, sizeof path, "%s/space.yaml", folder);
    if (!status)
        status = file_write(path, text, strlen(text), &error);
    if (!status)
        status = space_load(path, &space, &error);
    printf("sweep (EAB, one workload, 2*10^8 points)\n");
    printf("  %-10s %16s %22s %8s %16s\n", "threads", "points/s", "one at a time (1), /s", "ratio",
           "estimated/taken");
    for (int threads = 1; !status && threads <= parallel_cores(); threads *= 2) {
        double batch, single, estimated = 0;
        status = run_sweep(space, threads, &batch, &single, &estimated, &error);
        if (!status)
            printf("  %-10d %16.4g %22.4g %8.0f %16.2f\n", threads, batch, single, batch / single,
                   estimated);
    }
    space_destroy(space);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command))
        return 1;
    return status ? fail(&error) : 0;
}
