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
#include "explore/pareto/pareto.h"

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

static size_t run_rank(int objectives)
{
    struct error error = {0};
    struct pareto_points points = {POINTS, objectives, (const double *const *)columns, senses};
    uint32_t *rank = memory_alloc(POINTS * sizeof *rank);
    size_t front = 0;
    pareto_rank(&points, rank, &error);
    for (size_t i = 0; i < POINTS; i++)
        front += rank[i] == 0;
    free(rank);
    return front;
}

/* The reference: the front so far as a list, every point compared with all of it. */
static size_t run_list(int objectives)
{
    size_t *list = memory_alloc(POINTS * sizeof *list), count = 0;
    for (size_t i = 0; i < POINTS; i++) {
        size_t kept = 0;
        bool dominated = false;
        for (size_t k = 0; k < count && !dominated; k++) {
            bool no_worse = true;
            for (int j = 0; j < objectives; j++)
                no_worse &= columns[j][list[k]] <= columns[j][i];
            dominated = no_worse; /* or equal: the first stays */
        }
        if (dominated)
            continue;
        for (size_t k = 0; k < count; k++) {
            bool no_worse = true;
            for (int j = 0; j < objectives; j++)
                no_worse &= columns[j][i] <= columns[j][list[k]];
            if (!no_worse)
                list[kept++] = list[k];
        }
        list[kept++] = i;
        count = kept;
    }
    free(list);
    return count;
}

enum way { STREAM, BATCH, RANK, LIST };

/* Million points a second, the best of three; *front gets its size. */
static double measure(enum way way, int objectives, int rounds, size_t *front)
{
    double best = HUGE_VAL;
    for (int repeat = 0; repeat < 3; repeat++) {
        double started = clock_work_seconds();
        if (way == STREAM)
            *front = run_stream(objectives, rounds);
        for (int round = 0; way != STREAM && round < rounds; round++)
            *front = way == BATCH  ? run_batch(objectives)
                     : way == RANK ? run_rank(objectives)
                                   : run_list(objectives);
        best = fmin(best, clock_work_seconds() - started);
    }
    return (double)rounds * POINTS / best * 1e-6;
}

static void report(const char *name, int objectives, int rounds, bool long_front)
{
    static const char *const ways[] = {"streaming", "batch", "ranking"};
    size_t front = 0;
    double list = long_front ? (double)NAN : measure(LIST, objectives, 1, &front);
    for (int way = STREAM; way <= RANK; way++) {
        double speed = measure((enum way)way, objectives, way == STREAM ? rounds : 1, &front);
        printf("%10d %-8s %-10s %8zu %12.2f", objectives, name, ways[way], front, speed);
        if (long_front || way == RANK) /* the list filters, and would take hours on long fronts */
            printf("  %12s %8s\n", "-", "-");
        else
            printf("  %12.2f %8.1f\n", list, speed / list);
    }
}

int main(void)
{
    static const struct {
        const char *name;
        void (*fill)(int objectives);
        int rounds;
        bool long_front;
    } kinds[] = {{"uniform", fill_uniform, 20, false},
                 {"grid", fill_grid, 20, false},
                 {"band", fill_band, 4, true},
                 {"sphere", fill_sphere, 1, true}};
    memory_keep_freed(); /* as the program does */
    for (int j = 0; j < OBJECTIVES; j++)
        columns[j] = memory_alloc(POINTS * sizeof *columns[j]);
    printf("Pareto filters: million points a second, %d points, one core, by processor time.\n"
           "Reference: the front so far as a list. (moocore is published at 19 in two and 15 in\n"
           "three objectives.)\n\n",
           POINTS);
    printf("%10s %-8s %-10s %8s %12s  %12s %8s\n", "objectives", "points", "way", "front",
           "M points/s", "reference", "ratio");
    for (int objectives = 2; objectives <= OBJECTIVES; objectives++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            kinds[k].fill(objectives);
            report(kinds[k].name, objectives, kinds[k].rounds, kinds[k].long_front);
        }
    printf("\n");
    for (int j = 0; j < OBJECTIVES; j++)
        free(columns[j]);
    return 0;
}
