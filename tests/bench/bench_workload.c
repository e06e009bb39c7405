/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warp accesses a second that the shipped workloads produce on one core, read
 * warp by warp with nothing behind them. */
#include <stdio.h>
#include <stdlib.h>

#include "bench_stream.h"
#include "core/progress.h"
#include "workload/workload.h"

static int measure(const char *spec, struct error *error)
{
    struct source *source;
    uint64_t count;
    int status = source_open(spec, &source, error);
    if (status)
        return status;
    double start = clock_seconds();
    status = bench_read_source(source, &count, error);
    double seconds = clock_seconds() - start;
    printf("%-14s %12llu warp accesses  %7.1f M/s\n", source->name, (unsigned long long)count,
           (double)count / seconds / 1e6);
    source_destroy(source);
    return status;
}

int main(void)
{
    struct arena *arena = arena_create();
    struct workload_info *list;
    struct error error;
    char text[4096];
    size_t count;
    int status = workload_list(arena, &list, &count, &error);
    for (size_t i = 0; i < count && !status; i++)
        status = measure(list[i].name, &error);
    arena_destroy(arena);
    if (!status)
        return 0;
    error_format(&error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}
