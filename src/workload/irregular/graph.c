/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed rows, and graphs made from a seed. */
#include "workload/irregular/graph.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/prefetch.h"
#include "workload/integer.h"
#include "workload/irregular/random.h"

/* Whether to go on with the i-th of many: the flag of Ctrl-C is looked at now and then. */
static bool graph_goes_on(uint64_t i)
{
    return i % (1 << 18) != 0 || !interrupt_requested();
}

void graph_destroy(struct graph *graph)
{
    if (!graph)
        return;
    free(graph->offsets);
    free(graph->targets);
    free(graph);
}

uint32_t graph_widest(const struct graph *graph)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < graph->n_vertices; v++)
        if (graph_degree(graph, v) > graph_degree(graph, best))
            best = v;
    return best;
}

/* A counting sort by row: stable, so the order inside rows is that of i. Rows come in any order:
 * what a later edge needs is fetched ahead. */
struct graph *graph_from_edges(uint32_t n_vertices, const uint32_t *from, const uint32_t *to,
                               uint64_t n, bool both)
{
    enum { AHEAD = 16 }; /* edges */
    struct graph *graph = memory_zero(1, sizeof *graph);
    graph->n_vertices = n_vertices;
    graph->n_edges = both ? 2 * n : n;
    graph->offsets = memory_zero((size_t)n_vertices + 2, sizeof *graph->offsets);
    graph->targets = memory_alloc(graph->n_edges * sizeof *graph->targets);
    uint64_t *next = graph->offsets + 1; /* next[v] runs from the start of row v to its end */
    for (uint64_t i = 0; i < n && graph_goes_on(i); i++) {
        if (both && i + AHEAD < n)
            prefetch_write(&next[to[i + AHEAD] + 1]);
        next[from[i] + 1]++;
        if (both)
            next[to[i] + 1]++;
    }
    for (uint32_t v = 0; v < n_vertices; v++)
        next[v + 1] += next[v];
    for (uint64_t i = 0; i < n && graph_goes_on(i); i++) {
        if (both && i + 2 * AHEAD < n) {
            prefetch_write(&next[to[i + 2 * AHEAD]]);
            prefetch_write(&graph->targets[next[to[i + AHEAD]]]);
        }
        graph->targets[next[from[i]]++] = to[i];
        if (both)
            graph->targets[next[to[i]]++] = from[i];
    }
    return graph;
}

static int compare_vertices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void graph_sort_rows(struct graph *graph)
{
    for (uint32_t v = 0; v < graph->n_vertices && graph_goes_on(v); v++)
        if (graph_degree(graph, v) > 1)
            qsort(graph->targets + graph->offsets[v], graph_degree(graph, v),
                  sizeof *graph->targets, compare_vertices);
}

struct graph *graph_generate_uniform(uint32_t n_vertices, uint32_t degree, uint64_t seed)
{
    struct random random = random_begin(seed);
    uint32_t least = degree / 2 - 1, most = degree / 2 + 1;
    struct {
        uint32_t *items;
        size_t count, capacity;
    } from = {0}, to = {0};
    for (uint32_t v = 0; v < n_vertices && graph_goes_on(v); v++)
        for (uint32_t k = least + random_below(&random, most - least + 1); k > 0; k--) {
            VECTOR_PUSH(&from, v);
            VECTOR_PUSH(&to, random_below(&random, n_vertices));
        }
    struct graph *graph = graph_from_edges(n_vertices, from.items, to.items, from.count, true);
    VECTOR_FREE(&from);
    VECTOR_FREE(&to);
    return graph;
}

/* One edge of the 2^levels square matrix. */
static void rmat_edge(struct random *random, int levels, const double abc[3], uint32_t *row,
                      uint32_t *column)
{
    *row = *column = 0;
    for (int level = 0; level < levels; level++) {
        double u = random_unit(random);
        bool right = (u >= abc[0] && u < abc[0] + abc[1]) || u >= abc[0] + abc[1] + abc[2];
        bool below = u >= abc[0] + abc[1];
        *row = *row << 1 | below;
        *column = *column << 1 | right;
    }
}

struct graph *graph_generate_rmat(uint32_t n_vertices, uint32_t degree, const double abc[3],
                                  uint64_t seed)
{
    struct random random = random_begin(seed);
    uint64_t n = (uint64_t)n_vertices * degree / 2;
    uint32_t *from = memory_alloc(n * sizeof *from), *to = memory_alloc(n * sizeof *to);
    uint32_t *number = memory_alloc(n_vertices * sizeof *number);
    int levels = 0;
    while (levels < 31 && ((uint32_t)1 << levels) < n_vertices)
        levels++;
    for (uint32_t v = 0; v < n_vertices; v++)
        number[v] = v;
    for (uint32_t v = n_vertices - 1; v > 0 && graph_goes_on(v);
         v--) { /* Fisher and Yates' shuffle */
        uint32_t other = random_below(&random, v + 1), kept = number[v];
        number[v] = number[other];
        number[other] = kept;
    }
    for (uint64_t i = 0; i < n; i++) {
        if (!graph_goes_on(i)) {
            n = i;
            break;
        }
        do
            rmat_edge(&random, levels, abc, &from[i], &to[i]);
        while (from[i] >= n_vertices || to[i] >= n_vertices);
        from[i] = number[from[i]];
        to[i] = number[to[i]];
    }
    struct graph *graph = graph_from_edges(n_vertices, from, to, n, true);
    free(from);
    free(to);
    free(number);
    return graph;
}

struct graph *graph_generate_grid(uint32_t n_vertices, uint32_t degree, uint64_t seed)
{
    struct random random = random_begin(seed);
    uint32_t width = (uint32_t)integer_sqrt(n_vertices);
    uint32_t *from = memory_alloc(2ULL * n_vertices * sizeof *from);
    uint32_t *to = memory_alloc(2ULL * n_vertices * sizeof *to);
    uint64_t n = 0;
    for (uint32_t v = 0; v < n_vertices && graph_goes_on(v); v++) {
        const uint64_t ends[] = {v + 1ULL, (uint64_t)v + width};
        const bool exists[] = {ends[0] % width != 0, true};
        for (int i = 0; i < 2; i++) {
            bool kept = random_below(&random, 4) < degree;
            if (kept && exists[i] && ends[i] < n_vertices) {
                from[n] = v;
                to[n++] = (uint32_t)ends[i];
            }
        }
    }
    struct graph *graph = graph_from_edges(n_vertices, from, to, n, true);
    free(from);
    free(to);
    return graph;
}

uint32_t graph_weight(uint32_t from, uint32_t to, uint64_t seed)
{
    uint64_t low = from < to ? from : to, high = from < to ? to : from;
    return 1 + hash_reduce(hash_fmix64((high << 32 | low) + seed * 0x9e3779b97f4a7c15ULL), 100);
}
