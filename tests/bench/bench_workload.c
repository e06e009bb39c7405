/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warp accesses that the shipped workloads produce in a second of one core's time,
 * read warp by warp with nothing behind them; of large ones the beginning. Other load on a
 * machine only slows down: of a few rounds, the best counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench_stream.h"
#include "workload/workload.h"

enum { ACCESSES_MOST = 20000000, ROUNDS = 3 };

static double core_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* M/s in *rate. */
static int measure(const char *spec, double *rate, struct error *error)
{
    struct source *source;
    uint64_t count = 0;
    double best = HUGE_VAL;
    int status = source_open(spec, &source, error);
    if (status)
        return status;
    for (int round = 0; round < ROUNDS && !status; round++) {
        double start = core_seconds();
        status = bench_read_source(source, ACCESSES_MOST, &count, error);
        best = fmin(best, core_seconds() - start);
    }
    *rate = (double)count / best / 1e6;
    printf("%-17s %12llu warp accesses  %7.1f M/s\n", source->name, (unsigned long long)count,
           *rate);
    source_destroy(source);
    return status;
}

static int by_rate(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    struct arena *arena = arena_create();
    struct workload_info *list;
    struct error error;
    char text[4096];
    size_t count, nests = 0, reach = 0;
    int status = workload_list(arena, &list, &count, &error);
    double *rates = arena_alloc(arena, count * sizeof *rates);
    for (size_t i = 0; i < count && !status; i++) {
        status = measure(list[i].name, &rates[nests], &error);
        reach += !list[i].in_c && rates[nests] >= 50.0;
        nests += !list[i].in_c;
    }
    if (nests) {
        qsort(rates, nests, sizeof *rates, by_rate);
        printf("loop nests: median %.1f M/s, least %.1f, %zu of %zu at 50 and more (reach: 50)\n",
               rates[nests / 2], rates[0], reach, nests);
    }
    arena_destroy(arena);
    if (!status)
        return 0;
    error_format(&error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}
