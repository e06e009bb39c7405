/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points a second through the Pareto filters, on one core. Random points in
 * the unit cube have a small front; the other rows are what is hard: strongly
 * correlated objectives, and points all of which are on the front. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/progress.h"
#include "explore/pareto.h"

enum { POINTS = 1000000, BLOCK = 512, OBJECTIVES = 3 };

static double *columns[OBJECTIVES];
static const enum pareto_sense senses[OBJECTIVES];

static double uniform(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53;
}

static void fill_uniform(int objectives)
{
    uint64_t state = 88172645463325252ULL;
    for (size_t i = 0; i < POINTS; i++)
        for (int j = 0; j < objectives; j++)
            columns[j][i] = uniform(&state);
}

/* Close to x + y (+ z) = const: long fronts, and little is far behind them. */
static void fill_band(int objectives)
{
    uint64_t state = 88172645463325252ULL;
    for (size_t i = 0; i < POINTS; i++) {
        double rest = 1.0;
        for (int j = 0; j < objectives - 1; j++) {
            columns[j][i] = uniform(&state);
            rest -= columns[j][i];
        }
        columns[objectives - 1][i] = rest + 0.05 * uniform(&state);
    }
}

/* On a sphere: every point is on the front. */
static void fill_sphere(int objectives)
{
    fill_uniform(objectives);
    for (size_t i = 0; i < POINTS; i++) {
        double square = 0.0;
        for (int j = 0; j < objectives; j++)
            square += columns[j][i] * columns[j][i];
        for (int j = 0; j < objectives; j++)
            columns[j][i] /= -sqrt(square);
    }
}

/* A few values, as designs have: many equal points. */
static void fill_grid(int objectives)
{
    fill_uniform(objectives);
    for (size_t i = 0; i < POINTS; i++)
        for (int j = 0; j < objectives; j++)
            columns[j][i] = floor(columns[j][i] * 16.0);
}

static size_t run_stream(int objectives, int rounds)
{
    struct error error = {0};
    struct pareto_front *front = pareto_front_create(objectives, senses, PARETO_KEEP_FIRST);
    for (int round = 0; round < rounds; round++)
        for (size_t from = 0; from < POINTS; from += BLOCK) {
            const double *block[OBJECTIVES];
            for (int j = 0; j < objectives; j++)
                block[j] = columns[j] + from;
            size_t count = POINTS - from < BLOCK ? POINTS - from : BLOCK;
            pareto_front_offer(front, block, NULL, from, count, &error);
        }
    size_t count = pareto_front_count(front);
    pareto_front_destroy(front);
    return count;
}

static size_t run_batch(int objectives)
{
    struct error error = {0};
    struct pareto_points points = {POINTS, objectives, (const double *const *)columns, senses};
    size_t *front = memory_alloc(POINTS * sizeof *front), count = 0;
    pareto_filter(&points, PARETO_KEEP_FIRST, front, &count, &error);
    free(front);
    return count;
}

static void report(const char *name, int objectives, bool stream, int rounds)
{
    double best = INFINITY;
    size_t front = 0;
    for (int repeat = 0; repeat < 3; repeat++) {
        double started = clock_seconds();
        if (stream)
            front = run_stream(objectives, rounds);
        else
            for (int round = 0; round < rounds; round++)
                front = run_batch(objectives);
        best = fmin(best, clock_seconds() - started);
    }
    printf("%-10s %-10s %11d %9zu %12.2f\n", stream ? "streaming" : "batch", name, objectives,
           front, (double)rounds * POINTS / best * 1e-6);
}

int main(void)
{
    static const struct {
        const char *name;
        void (*fill)(int objectives);
        int rounds;
    } kinds[] = {{"uniform", fill_uniform, 20},
                 {"grid", fill_grid, 20},
                 {"band", fill_band, 4},
                 {"sphere", fill_sphere, 1}};
    for (int j = 0; j < OBJECTIVES; j++)
        columns[j] = memory_alloc(POINTS * sizeof *columns[j]);
    printf("Pareto filters, %d points, one core (moocore 0.1.8 on other hardware: 19 M/s in 2-d,\n"
           "15 M/s in 3-d on uniform points)\n\n",
           POINTS);
    printf("%-10s %-10s %11s %9s %12s\n", "filter", "points", "objectives", "front", "M points/s");
    for (int objectives = 2; objectives <= OBJECTIVES; objectives++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            kinds[k].fill(objectives);
            report(kinds[k].name, objectives, true, kinds[k].rounds);
            report(kinds[k].name, objectives, false, kinds[k].rounds < 4 ? 1 : 4);
        }
    for (int j = 0; j < OBJECTIVES; j++)
        free(columns[j]);
    return 0;
}
