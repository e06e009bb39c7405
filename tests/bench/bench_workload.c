/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warp accesses that the shipped workloads produce in a second of one core's time,
 * read warp by warp with nothing behind them; of large ones the beginning. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench_stream.h"
#include "workload/workload.h"

enum { ACCESSES_MOST = 20000000 };

static double core_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int measure(const char *spec, struct error *error)
{
    struct source *source;
    uint64_t count;
    int status = source_open(spec, &source, error);
    if (status)
        return status;
    double start = core_seconds();
    status = bench_read_source(source, ACCESSES_MOST, &count, error);
    double seconds = core_seconds() - start;
    printf("%-17s %12llu warp accesses  %7.1f M/s\n", source->name, (unsigned long long)count,
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
