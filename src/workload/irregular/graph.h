/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs for the irregular kernels, in compressed rows: read from METIS
 * (.graph) or Matrix Market (.mtx) files, or generated from a seed. */
#ifndef BANDSCAPE_WORKLOAD_GRAPH_H
#define BANDSCAPE_WORKLOAD_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Vertices and edges are counted by 32-bit signed integers on the GPU. */
#define GRAPH_MAX 2147483647

/* The neighbours of v are targets[offsets[v]] .. targets[offsets[v + 1] - 1],
 * in the order of the file or of generation. */
struct graph {
    uint32_t n_vertices;
    uint64_t n_edges;  /* directed: an undirected edge counts twice */
    uint64_t *offsets; /* n_vertices + 1 */
    uint32_t *targets; /* n_edges */
};

static inline uint32_t graph_degree(const struct graph *graph, uint32_t v)
{
    return (uint32_t)(graph->offsets[v + 1] - graph->offsets[v]);
}

/* What is made after Ctrl-C is a part of a graph: whoever asks for one looks at the flag. */

void graph_destroy(struct graph *graph); /* NULL is legal */

/* The vertex with most neighbours, the first of equals. */
uint32_t graph_widest(const struct graph *graph);

/* Builds rows from edges (from[i], to[i]); each row keeps the order of i. With
 * `both`, the edge to -> from follows from -> to at once. */
struct graph *graph_from_edges(uint32_t n_vertices, const uint32_t *from, const uint32_t *to,
                               uint64_t n, bool both);

/* Puts the neighbours of every vertex into ascending order. */
void graph_sort_rows(struct graph *graph);

/* Reads a file, by the end of its name. Errors name the line. */
int graph_read(const char *path, struct graph **out, struct error *error);

/* The same from memory; `name` is for messages.
 * METIS: header "vertices edges [fmt [weights]]", then one line of neighbours,
 * counted from 1, a vertex; % begins a comment line; weights are passed over.
 * Matrix Market: coordinate format, real, integer or pattern values (passed
 * over), general, symmetric or skew-symmetric; a square matrix; row -> column. */
int graph_read_metis(const char *name, const char *text, size_t size, struct graph **out,
                     struct error *error);
int graph_read_matrix_market(const char *name, const char *text, size_t size, struct graph **out,
                             struct error *error);

/* Rodinia's generator (graphgen): every vertex draws degree/2 - 1 to
 * degree/2 + 1 partners, uniformly, and each edge is entered at both ends;
 * loops and repeated edges stay. `degree` is the average, at least 2. */
struct graph *graph_generate_uniform(uint32_t n_vertices, uint32_t degree, uint64_t seed);

/* R-MAT (Chakrabarti, Zhan and Faloutsos, SDM 2004): n_vertices * degree / 2
 * edges, each falling through the quadrants of the adjacency matrix with the
 * probabilities a, b, c and 1-a-b-c, entered at both ends; loops and repeated
 * edges stay. Edges outside n_vertices, which need not be a power of two, are
 * drawn again. Vertices are renumbered at random, so that a high degree says
 * nothing about where a vertex lies. */
struct graph *graph_generate_rmat(uint32_t n_vertices, uint32_t degree, const double abc[3],
                                  uint64_t seed);

/* Like a road map: vertices in rows of floor(sqrt(n_vertices)), the last one shorter, each
 * joined to those to its right and below with the probability degree / 4 (degree 2 to 4; a
 * square grid with 4), in both directions. */
struct graph *graph_generate_grid(uint32_t n_vertices, uint32_t degree, uint64_t seed);

/* Of an edge, the same in both directions: 1 to 100. */
uint32_t graph_weight(uint32_t from, uint32_t to, uint64_t seed);

#endif
