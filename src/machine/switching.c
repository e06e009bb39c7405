/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What queues at the inputs of switches and crossbars leave of their throughput. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "machine/links.h"

double fifo_share(uint32_t ports)
{
    static const double table[] = {1, 1, 0.75, 0.6825, 0.6553, 0.6399, 0.6302, 0.6234, 0.6184};
    if (ports < sizeof table / sizeof *table)
        return table[ports];
    return 2 - sqrt(2) + 0.261 / ports;
}

static bool is_fifo(const struct machine *machine, const char *path)
{
    struct error ignored;
    const char *name;
    return machine_name(machine, path, &name, &ignored) == 0 && strcmp(name, "fifo") == 0;
}

double crossbar_share(const struct machine *machine)
{
    struct error ignored;
    double inputs, outputs;
    if (!is_fifo(machine, "noc.switching") ||
        machine_number(machine, "noc.inputs", &inputs, &ignored) ||
        machine_number(machine, "noc.outputs", &outputs, &ignored))
        return 1;
    return fifo_share((uint32_t)fmin(inputs, outputs));
}

/* Which input sends over which output: inputs are edges, then the chips' own requests; outputs
 * are edges, then where messages end. */
struct flows {
    const struct link_graph *graph;
    size_t edges, width; /* of a row */
    bool *feeds;         /* [input * width + output] */
};

static void flows_add(struct flows *f, size_t input, size_t output)
{
    f->feeds[input * f->width + output] = true;
}

/* Any two edges of a pair's shortest paths that meet in a node follow each other on one. */
static void flows_of_pair(struct flows *f, uint32_t from, uint32_t to, const double *share,
                          size_t *used)
{
    size_t n = 0;
    for (size_t e = 0; e < f->edges; e++)
        if (share[e] > 0)
            used[n++] = e;
    for (size_t i = 0; i < n; i++) {
        const struct machine_edge *out = &f->graph->edges.items[used[i]];
        if (out->from == from)
            flows_add(f, f->edges + from, used[i]);
        if (out->to == to)
            flows_add(f, used[i], f->edges + to);
        for (size_t k = 0; k < n; k++)
            if (f->graph->edges.items[used[k]].to == out->from)
                flows_add(f, used[k], used[i]);
    }
}

static uint32_t outputs_of(const struct flows *f, size_t input)
{
    uint32_t outputs = 0;
    for (size_t o = 0; o < f->width; o++)
        outputs += f->feeds[input * f->width + o];
    return outputs;
}

/* min(k, d) of links.h. */
static uint32_t contenders(const struct flows *f, size_t edge)
{
    uint32_t inputs = 0, most = 0;
    for (size_t i = 0; i < f->width; i++) {
        if (!f->feeds[i * f->width + edge])
            continue;
        uint32_t outputs = outputs_of(f, i);
        most = outputs > most ? outputs : most;
        inputs++;
    }
    return inputs < most ? inputs : most;
}

void link_graph_efficiency(const struct link_graph *graph, const struct machine *machine,
                           double *share)
{
    size_t edges = graph->edges.count;
    for (size_t e = 0; e < edges; e++)
        share[e] = 1;
    if (edges == 0 || !is_fifo(machine, "inter.switching"))
        return;
    struct flows flows = {.graph = graph, .edges = edges, .width = edges + graph->n_chips};
    flows.feeds = memory_zero(flows.width * flows.width, sizeof *flows.feeds);
    double *route = memory_zero(edges, sizeof *route);
    size_t *used = memory_zero(edges, sizeof *used);
    for (uint32_t from = 0; from < graph->n_chips; from++)
        for (uint32_t to = 0; to < graph->n_chips; to++)
            if (from != to) {
                link_graph_route(graph, from, to, route);
                flows_of_pair(&flows, from, to, route, used);
            }
    for (size_t e = 0; e < edges; e++)
        share[e] = fifo_share(contenders(&flows, e));
    free(flows.feeds);
    free(route);
    free(used);
}
