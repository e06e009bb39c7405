/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queueing networks a second, on one core: 3 queues, 2 classes, 32 + 32 customers, demands
 * that differ a little from network to network, as designs do. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/memory.h"
#include "queueing/batch.h"

enum { COUNT = 8192, STATIONS = 3, CLASSES = 2, PAIRS = STATIONS * CLASSES, ONE = 512 };

static double *demand[PAIRS], *think[CLASSES], *population[CLASSES];
static double *throughput[CLASSES], *residence[PAIRS];

static const struct queueing_class classes[CLASSES] = {{.name = "a"}, {.name = "b"}};
static const struct queueing_station stations[STATIONS] = {
    {.name = "x", .scv = 1.0}, {.name = "y", .scv = 1.0}, {.name = "z", .scv = 1.0}};
static const struct queueing_network shape = {CLASSES, STATIONS, classes, stations, NULL};

static double uniform(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53;
}

static void fill(void)
{
    static const double base[PAIRS] = {.5, .2, .3, .6, .2, .4};
    uint64_t state = 88172645463325252ULL;
    for (int j = 0; j < PAIRS; j++) {
        demand[j] = memory_alloc(COUNT * sizeof(double));
        residence[j] = memory_alloc(COUNT * sizeof(double));
        for (int i = 0; i < COUNT; i++)
            demand[j][i] = base[j] * (0.8 + 0.4 * uniform(&state));
    }
    for (int c = 0; c < CLASSES; c++) {
        think[c] = memory_zero(COUNT, sizeof(double));
        population[c] = memory_alloc(COUNT * sizeof(double));
        throughput[c] = memory_alloc(COUNT * sizeof(double));
        for (int i = 0; i < COUNT; i++)
            population[c][i] = 32.0;
    }
}

/* Points from .. from + count - 1. */
static void solve(enum queueing_method method, int from, int count)
{
    struct error error = {0};
    const double *in[PAIRS + 2 * CLASSES];
    double *out[PAIRS + CLASSES];
    const struct queueing_options options = {.tolerance = 1e-9};
    for (int j = 0; j < PAIRS; j++) {
        in[j] = demand[j] + from;
        out[j] = residence[j] + from;
    }
    for (int c = 0; c < CLASSES; c++) {
        in[PAIRS + c] = think[c] + from;
        in[PAIRS + CLASSES + c] = population[c] + from;
        out[PAIRS + c] = throughput[c] + from;
    }
    struct queueing_batch batch = {.network = &shape,
                                   .count = (size_t)count,
                                   .demand_s = in,
                                   .think_s = in + PAIRS,
                                   .population = in + PAIRS + CLASSES,
                                   .throughput_per_s = out + PAIRS,
                                   .residence_s = out};
    if (queueing_solve_batch(&batch, method, &options, &error))
        fprintf(stderr, "%s\n", error.text);
}

/* Time of this one thread: what others take of the machine does not count. */
static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Thousand networks a second, the best of five. */
static double measure(enum queueing_method method, bool batched)
{
    double best = HUGE_VAL;
    int count = batched ? COUNT : ONE;
    for (int repeat = 0; repeat < 5; repeat++) {
        double started = cpu_seconds();
        if (batched)
            solve(method, 0, count);
        for (int i = 0; i < count && !batched; i++)
            solve(method, i, 1);
        best = fmin(best, cpu_seconds() - started);
    }
    return count / best * 1e-3;
}

int main(void)
{
    static const struct {
        const char *name;
        enum queueing_method method;
        const char *peers;
    } rows[] = {{"exact MVA", QUEUEING_MVA, "PDQ 14, LQNS 0.96"},
                {"Schweitzer", QUEUEING_SCHWEITZER, "LQNS 51 (to 1e-3)"},
                {"Linearizer", QUEUEING_LINEARIZER, "LQNS 10.7 (to 2e-4)"}};
    fill();
    printf(
        "Queueing networks: thousand a second, one core; 3 queues, 2 classes, 32 + 32 customers,\n"
        "iterations to 1e-9. The peers' figures are for the same network.\n\n");
    printf("%-12s %14s %10s  %s\n", "algorithm", "one at a time", "batched", "peers");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double one = measure(rows[i].method, false), many = measure(rows[i].method, true);
        printf("%-12s %14.1f %10.1f  %s\n", rows[i].name, one, many, rows[i].peers);
    }
    printf("\n");
    for (int j = 0; j < PAIRS; j++) {
        free(demand[j]);
        free(residence[j]);
    }
    for (int c = 0; c < CLASSES; c++) {
        free(think[c]);
        free(population[c]);
        free(throughput[c]);
    }
    return 0;
}
