/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edges under the traffic matrix. */
#include "mcm/edges.h"

#include <stdlib.h>

#include "core/memory.h"

/* weight[from * n + to]: share of the requests for other modules. The profile does not tell reads
 * and writes of a pair apart. */
static void traffic_weights(const struct profile_record *record, uint32_t n, double *weight)
{
    bool known = record && record->traffic && record->n_domains == n;
    double sum = 0;
    for (uint32_t i = 0; i < n && known; i++)
        for (uint32_t j = 0; j < n; j++)
            sum += i != j ? record->traffic[i * n + j] : 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            weight[i * n + j] = i == j    ? 0
                                : sum > 0 ? record->traffic[i * n + j] / sum
                                          : 1.0 / ((double)n * (n - 1));
}

static void transpose(double *weight, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++) {
            double kept = weight[i * n + j];
            weight[i * n + j] = weight[j * n + i];
            weight[j * n + i] = kept;
        }
}

/* A share of all goes to one home, from those who ask it anyway. */
static void pull_weights(double *weight, uint32_t n, uint32_t home, double share)
{
    double asked = 0;
    for (uint32_t i = 0; i < n; i++)
        asked += weight[i * n + home];
    for (uint32_t i = 0; i < n && asked > 0; i++)
        for (uint32_t j = 0; j < n; j++) {
            double there = j == home ? weight[i * n + j] / asked : 0;
            weight[i * n + j] += share * (there - weight[i * n + j]);
        }
}

static void edges_load(const struct link_graph *graph, const struct machine *machine,
                       const struct profile_record *record, uint32_t home, double pull,
                       struct mcm_edges *out)
{
    uint32_t n = graph->n_chips;
    size_t count = graph->edges.count;
    double *weight = memory_zero((size_t)n * n, sizeof *weight);
    double *there = memory_zero(count, sizeof *there), *back = memory_zero(count, sizeof *back);
    double *even = memory_zero(count, sizeof *even), *share = memory_zero(count, sizeof *share);
    link_graph_loads(graph, NULL, even);
    link_graph_efficiency(graph, machine, share);
    traffic_weights(record, n, weight);
    if (pull > 0)
        pull_weights(weight, n, home, pull);
    link_graph_loads(graph, weight, there);
    transpose(weight, n);
    link_graph_loads(graph, weight, back);
    out->items = memory_zero(count, sizeof *out->items);
    out->count = count;
    for (size_t e = 0; e < count; e++) {
        const struct machine_edge *edge = &graph->edges.items[e];
        out->items[e] = (struct mcm_edge){.there = there[e],
                                          .back = back[e],
                                          .even = even[e] / ((double)n * (n - 1)),
                                          .efficiency = share[e],
                                          .share = edge->share,
                                          .own_bytes_per_s = edge->bandwidth_bytes_per_s,
                                          .ends = (edge->from < n) + (edge->to < n),
                                          .leaves = edge->from < n,
                                          .own_latency = edge->own_latency,
                                          .latency_s = edge->latency};
    }
    free(weight);
    free(there);
    free(back);
    free(even);
    free(share);
}

void mcm_edges_read(struct model_builder *b, struct mcm_edges *out)
{
    mcm_edges_read_pulled(b, 0, 0, out);
}

void mcm_edges_read_pulled(struct model_builder *b, uint32_t home, double share,
                           struct mcm_edges *out)
{
    struct link_graph graph;
    struct error error;
    *out = (struct mcm_edges){.chips = 1};
    if (link_graph_build(model_machine(b), &graph, &error)) {
        model_refuse(b, "%s", error.text);
        return;
    }
    out->chips = graph.n_chips;
    if (graph.n_chips > 1)
        edges_load(&graph, model_machine(b), model_profile_record(b), home, share, out);
    link_graph_fini(&graph);
}

void mcm_edges_fini(struct mcm_edges *edges)
{
    free(edges->items);
    *edges = (struct mcm_edges){0};
}
