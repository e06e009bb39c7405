/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Link graphs: construction and shortest-path loads. */
#include "machine/links.h"

#include <stdlib.h>
#include <string.h>

#include "machine/topology.h"

void link_graph_add(struct link_graph *graph, uint32_t from, uint32_t to)
{
    VECTOR_PUSH(&graph->edges, (struct machine_edge){.from = from, .to = to, .share = 1});
}

void link_graph_fini(struct link_graph *graph)
{
    VECTOR_FREE(&graph->edges);
}

/* Breadth-first search from one chip: distances, numbers of shortest paths and
 * the order of discovery. */
struct search {
    uint32_t *distance, *order;
    double *paths, *flow;
    size_t n_found;
};

static void search_run(const struct link_graph *graph, uint32_t from, struct search *s)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        s->distance[i] = UINT32_MAX;
        s->paths[i] = 0;
        s->flow[i] = 0;
    }
    s->distance[from] = 0;
    s->paths[from] = 1;
    s->order[0] = from;
    s->n_found = 1;
    for (size_t at = 0; at < s->n_found; at++) {
        uint32_t node = s->order[at];
        for (size_t e = 0; e < graph->edges.count; e++) {
            const struct machine_edge *edge = &graph->edges.items[e];
            if (edge->from != node)
                continue;
            if (s->distance[edge->to] == UINT32_MAX) {
                s->distance[edge->to] = s->distance[node] + 1;
                s->order[s->n_found++] = edge->to;
            }
            if (s->distance[edge->to] == s->distance[node] + 1)
                s->paths[edge->to] += s->paths[node];
        }
    }
}

static void search_init(struct search *s, uint32_t n)
{
    s->distance = memory_zero(n, sizeof *s->distance);
    s->order = memory_zero(n, sizeof *s->order);
    s->paths = memory_zero(n, sizeof *s->paths);
    s->flow = memory_zero(n, sizeof *s->flow);
}

static void search_fini(struct search *s)
{
    free(s->distance);
    free(s->order);
    free(s->paths);
    free(s->flow);
}

/* Flow that ends at or passes a node is split over its shortest paths, from the farthest node
 * back. */
static void search_spread(const struct link_graph *graph, struct search *s, double *loads)
{
    for (size_t at = s->n_found; at-- > 1;) {
        uint32_t node = s->order[at];
        if (s->flow[node] == 0)
            continue;
        for (size_t e = 0; e < graph->edges.count; e++) {
            const struct machine_edge *edge = &graph->edges.items[e];
            if (edge->to != node || s->distance[edge->from] + 1 != s->distance[node] ||
                s->distance[edge->from] == UINT32_MAX)
                continue;
            double part = s->flow[node] * s->paths[edge->from] / s->paths[node];
            loads[e] += part;
            s->flow[edge->from] += part;
        }
    }
}

void link_graph_loads(const struct link_graph *graph, const double *weight, double *loads)
{
    struct search s;
    search_init(&s, graph->n_nodes);
    for (size_t e = 0; e < graph->edges.count; e++)
        loads[e] = 0;
    for (uint32_t from = 0; from < graph->n_chips; from++) {
        search_run(graph, from, &s);
        for (uint32_t to = 0; to < graph->n_chips; to++)
            if (to != from)
                s.flow[to] = weight ? weight[(size_t)from * graph->n_chips + to] : 1;
        search_spread(graph, &s, loads);
    }
    search_fini(&s);
}

void link_graph_route(const struct link_graph *graph, uint32_t from, uint32_t to, double *share)
{
    struct search s;
    for (size_t e = 0; e < graph->edges.count; e++)
        share[e] = 0;
    if (from == to)
        return;
    search_init(&s, graph->n_nodes);
    search_run(graph, from, &s);
    s.flow[to] = 1;
    search_spread(graph, &s, share);
    search_fini(&s);
}

double link_graph_mean_hops(const struct link_graph *graph)
{
    double crossings = 0, pairs = (double)graph->n_chips * (graph->n_chips - 1.0);
    if (graph->n_chips < 2)
        return 0;
    double *loads = memory_zero(graph->edges.count, sizeof *loads);
    link_graph_loads(graph, NULL, loads);
    for (size_t e = 0; e < graph->edges.count; e++)
        if (graph->edges.items[e].from < graph->n_chips)
            crossings += loads[e];
    free(loads);
    return crossings / pairs;
}

struct link_way link_graph_way(const struct link_graph *graph)
{
    struct link_way way = {0};
    double pairs = (double)graph->n_chips * (graph->n_chips - 1.0);
    double *loads = memory_zero(graph->edges.count, sizeof *loads);
    if (graph->n_chips > 1)
        link_graph_loads(graph, NULL, loads);
    for (size_t e = 0; e < graph->edges.count; e++) {
        const struct machine_edge *edge = &graph->edges.items[e];
        if (edge->own_latency)
            way.own_s += loads[e] / pairs * edge->latency;
        else
            *(edge->from < graph->n_chips ? &way.hops : &way.switches) += loads[e];
    }
    if (graph->n_chips > 1) {
        way.hops /= pairs;
        way.switches /= pairs;
    }
    free(loads);
    return way;
}

/* Latencies that were given in cycles. */
static int edges_in_seconds(const struct machine *machine, struct link_graph *graph,
                            struct error *error)
{
    double clock;
    for (size_t e = 0; e < graph->edges.count; e++) {
        struct machine_edge *edge = &graph->edges.items[e];
        if (!edge->own_latency || !edge->latency_in_cycles)
            continue;
        int status = machine_number(machine, "sm.clock", &clock, error);
        if (status)
            return status;
        edge->latency /= clock;
        edge->latency_in_cycles = false;
    }
    return 0;
}

void link_graph_supply(const struct link_graph *graph, double *shares, double *own_bytes_per_s)
{
    *shares = *own_bytes_per_s = 0;
    for (size_t e = 0; e < graph->edges.count; e++)
        if (graph->edges.items[e].from < graph->n_chips) {
            *shares += graph->edges.items[e].share;
            *own_bytes_per_s += graph->edges.items[e].bandwidth_bytes_per_s;
        }
}

static int check_connected(const struct link_graph *graph, struct error *error)
{
    struct search s;
    int status = 0;
    search_init(&s, graph->n_nodes);
    for (uint32_t from = 0; from < graph->n_chips && !status; from++) {
        search_run(graph, from, &s);
        for (uint32_t to = 0; to < graph->n_chips && !status; to++)
            if (s.distance[to] == UINT32_MAX)
                status =
                    error_set(error, STATUS_INPUT, "inter: chip %u cannot reach chip %u", from, to);
    }
    search_fini(&s);
    return status;
}

int link_graph_build(const struct machine *machine, struct link_graph *out, struct error *error)
{
    const char *name;
    const struct plugin *plugin;
    uint32_t chips;
    *out = (struct link_graph){0};
    int status = machine_count(machine, "chips", &chips, error);
    if (!status && chips == 1 && !machine_has(machine, "inter")) {
        out->n_chips = out->n_nodes = 1;
        return 0;
    }
    if (!status)
        status = machine_name(machine, "inter.topology", &name, error);
    if (!status)
        status = plugin_require("topology", name, &plugin, error);
    if (status)
        return status;
    out->n_chips = out->n_nodes = chips;
    status = ((const struct topology *)plugin)->generate(machine, out, error);
    if (!status)
        status = edges_in_seconds(machine, out, error);
    if (!status)
        status = check_connected(out, error);
    if (status)
        link_graph_fini(out);
    return status;
}
