/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs as users ask for them. */
#include "workload/irregular/graph_input.h"

#include <string.h>

#include "core/parallel.h"
#include "workload/settings.h"

/* Settings of the generator do nothing beside a file, nor R-MAT's beside the
 * uniform generator. */
static int graph_refuse(const struct workload *workload, const char *const *values, int from,
                        int to, const char *why, struct error *error)
{
    for (int i = from; i <= to; i++)
        if (strcmp(values[i], workload->parameters[i].fallback) != 0)
            return error_set(error, STATUS_INPUT, "%s=%s has no effect %s",
                             workload->parameters[i].name, values[i], why);
    return 0;
}

static int graph_make(const struct workload *workload, const char *const *values,
                      struct graph **out, struct error *error)
{
    const struct workload_parameter *names = workload->parameters;
    bool rmat = strcmp(values[GRAPH_GENERATOR], "rmat") == 0;
    bool grid = strcmp(values[GRAPH_GENERATOR], "grid") == 0;
    int64_t n, degree, seed;
    double abc[3];
    int status = 0;
    if (!rmat && !grid && strcmp(values[GRAPH_GENERATOR], "uniform") != 0)
        return error_set(error, STATUS_INPUT, "generator=%.80s: expected uniform, rmat or grid",
                         values[GRAPH_GENERATOR]);
    if (!rmat)
        status =
            graph_refuse(workload, values, GRAPH_RMAT_A, GRAPH_RMAT_C,
                         grid ? "with the grid generator" : "with the uniform generator", error);
    for (int i = 0; i < 3 && !status; i++)
        status = settings_number(names[GRAPH_RMAT_A + i].name, values[GRAPH_RMAT_A + i],
                                 i ? 0.0 : 0.05, 1.0, &abc[i], error);
    if (!status && abc[0] + abc[1] + abc[2] > 1.0)
        status = error_set(error, STATUS_INPUT, "a, b and c add up to more than 1");
    if (status ||
        (status = settings_integer("nodes", values[GRAPH_NODES], 1, GRAPH_MAX, &n, error)) ||
        (status = settings_integer("degree", values[GRAPH_DEGREE], 2, grid ? 4 : 4096, &degree,
                                   error)) ||
        (status = settings_integer("seed", values[GRAPH_SEED], 0, INT64_MAX, &seed, error)))
        return status;
    if (n > GRAPH_MAX / (degree + 2)) /* the uniform generator draws up to degree + 2 */
        return error_set(error, STATUS_INPUT, "nodes=%s: more than %d edges", values[GRAPH_NODES],
                         GRAPH_MAX);
    *out = rmat   ? graph_generate_rmat((uint32_t)n, (uint32_t)degree, abc, (uint64_t)seed)
           : grid ? graph_generate_grid((uint32_t)n, (uint32_t)degree, (uint64_t)seed)
                  : graph_generate_uniform((uint32_t)n, (uint32_t)degree, (uint64_t)seed);
    return 0;
}

int graph_input_open(const struct workload *workload, const char *const *values, struct graph **out,
                     struct error *error)
{
    int status = 0;
    *out = NULL;
    if (!values[GRAPH_FILE][0])
        status = graph_make(workload, values, out, error);
    else if (!(status = graph_refuse(workload, values, GRAPH_GENERATOR, GRAPH_RMAT_C,
                                     "beside graph=", error)))
        status = graph_read(values[GRAPH_FILE], out, error);
    if (!status && (status = interrupt_check(error))) {
        graph_destroy(*out);
        *out = NULL;
    }
    return status;
}

int graph_input_open_at(const struct workload *workload, const char *const *values, int start,
                        struct graph **out, uint32_t *vertex, struct error *error)
{
    struct graph *graph;
    int64_t number;
    int status = graph_input_open(workload, values, &graph, error);
    if (status)
        return status;
    if (strcmp(values[start], "max") == 0)
        number = graph_widest(graph);
    else
        status = settings_integer(workload->parameters[start].name, values[start], 0,
                                  (int64_t)graph->n_vertices - 1, &number, error);
    if (status) {
        graph_destroy(graph);
        return status;
    }
    *out = graph;
    *vertex = (uint32_t)number;
    return 0;
}

void graph_hash(const struct graph *graph, struct hash_content *hash)
{
    hash_content_add(hash, &graph->n_vertices, sizeof graph->n_vertices);
    hash_content_add(hash, graph->offsets, (graph->n_vertices + 1ULL) * sizeof *graph->offsets);
    hash_content_add(hash, graph->targets, graph->n_edges * sizeof *graph->targets);
}
