/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters by which graph workloads choose their graph: a file, or one
 * made from a seed. */
#ifndef BANDSCAPE_WORKLOAD_GRAPH_INPUT_H
#define BANDSCAPE_WORKLOAD_GRAPH_INPUT_H

#include "core/hash.h"
#include "workload/irregular/graph.h"
#include "workload/workload.h"

/* The first rows of a workload's parameters, in this order. */
enum graph_parameter {
    GRAPH_FILE,
    GRAPH_GENERATOR,
    GRAPH_NODES,
    GRAPH_DEGREE,
    GRAPH_SEED,
    GRAPH_RMAT_A,
    GRAPH_RMAT_B,
    GRAPH_RMAT_C,
    GRAPH_PARAMETERS
};

#define GRAPH_PARAMETER_ROWS(generator, nodes, degree)                                             \
    [GRAPH_FILE] = {"graph", "",                                                                   \
                    "METIS (.graph) or Matrix Market (.mtx) file; empty: a made-up graph"},        \
    [GRAPH_GENERATOR] = {"generator", generator,                                                   \
                         "uniform (Rodinia's), rmat or grid (like roads)"},                        \
    [GRAPH_NODES] = {"nodes", nodes, "vertices of a made-up graph"},                               \
    [GRAPH_DEGREE] = {"degree", degree, "average degree of a made-up graph"},                      \
    [GRAPH_SEED] = {"seed", "1", "of a made-up graph"},                                            \
    [GRAPH_RMAT_A] = {"a", "0.57",                                                                 \
                      "R-MAT: probability of the upper left quadrant, at least 0.05"},             \
    [GRAPH_RMAT_B] = {"b", "0.19", "R-MAT: of the upper right one"},                               \
    [GRAPH_RMAT_C] = {"c", "0.19", "R-MAT: of the lower left one"}

/* The graph that the values ask for. Settings that have no effect are errors. */
int graph_input_open(const struct workload *workload, const char *const *values, struct graph **out,
                     struct error *error);

/* The same, and the vertex that the workload's parameter number `start` names: by number, or
 * "max", the one of highest degree. */
int graph_input_open_at(const struct workload *workload, const char *const *values, int start,
                        struct graph **out, uint32_t *vertex, struct error *error);

/* The graph itself, however it was come by. */
void graph_hash(const struct graph *graph, struct hash_content *hash);

#endif
