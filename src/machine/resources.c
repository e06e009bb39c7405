/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stations of a machine. */
#include "machine/resources.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/latency.h"

const struct resource_row resource_table[RESOURCE_KIND_COUNT] = {
#define RESOURCE_ROW(symbol, name, help) {name, help},
    RESOURCE_KINDS(RESOURCE_ROW)
#undef RESOURCE_ROW
};

double resource_fifo_share(uint32_t ports)
{
    static const double table[] = {1, 1, 0.75, 0.6825, 0.6553, 0.6399, 0.6302, 0.6234, 0.6184};
    if (ports < sizeof table / sizeof *table)
        return table[ports];
    return 2 - sqrt(2) + 0.261 / ports;
}

double resource_message_bytes(const struct resource_messages *m, double bytes)
{
    double wire = m->overhead * bytes;
    return m->flit_bytes > 0 ? ceil(wire / m->flit_bytes) * m->flit_bytes : wire;
}

/* --- reading --------------------------------------------------------------------- */

struct reader {
    const struct machine *machine;
    struct resources *out;
    struct error *error;
    int status;
};

static double number(struct reader *r, const char *path)
{
    double value = 0;
    if (!r->status)
        r->status = machine_number(r->machine, path, &value, r->error);
    return r->status ? 0 : value;
}

/* A step, whatever the machine gives. */
static double latency(struct reader *r, const char *path)
{
    double value = 0;
    if (!r->status)
        r->status = latency_seconds(r->machine, path, &value, r->error);
    return r->status ? 0 : value;
}

static const char *name(struct reader *r, const char *path)
{
    const char *value = "";
    if (!r->status)
        r->status = machine_name(r->machine, path, &value, r->error);
    return value;
}

static double number_or(const struct reader *r, const char *path, double fallback)
{
    struct error ignored;
    double value;
    return machine_number(r->machine, path, &value, &ignored) ? fallback : value;
}

static double field(struct reader *r, const char *section, const char *what)
{
    char path[96];
    snprintf(path, sizeof path, "%s.%s", section, what);
    return number(r, path);
}

static struct resource_messages messages(struct reader *r, const char *section)
{
    char path[96];
    snprintf(path, sizeof path, "%s.flit", section);
    return (struct resource_messages){
        .flit_bytes = number_or(r, path, 0),
        .overhead = field(r, section, "overhead"),
        .read_request_bytes = field(r, section, "read_request"),
        .read_response_bytes = field(r, section, "read_response"),
        .write_request_bytes = field(r, section, "write_request"),
        .write_response_bytes = field(r, section, "write_response"),
    };
}

/* A station at each place, its rate `share` of a parameter. */
static void add(struct reader *r, struct resource station, uint32_t places)
{
    if (station.efficiency == 0)
        station.efficiency = 1;
    if (station.units == 0)
        station.units = 1;
    station.rate = station.share * station.efficiency * number(r, station.path);
    station.latency_s = station.latency ? latency(r, station.latency) : 0;
    for (uint32_t place = 0; place < places && !r->status; place++) {
        station.place = place;
        VECTOR_PUSH(&r->out->stations, station);
    }
}

/* Slices, channels: a domain's part of what a chip has. */
static uint32_t part(const struct reader *r, double per_chip)
{
    double units = per_chip / r->out->partitions;
    return units > 1 ? (uint32_t)units : 1;
}

/* Share that is left of a crossbar's bandwidth. */
static double crossbar_efficiency(struct reader *r)
{
    if (strcmp(name(r, "noc.switching"), "fifo") != 0)
        return 1;
    double inputs = number(r, "noc.inputs"), outputs = number(r, "noc.outputs");
    return resource_fifo_share((uint32_t)fmax(inputs, outputs));
}

/* L1 nodes outside the SMs (DC-L1, HPCA 2021): see models/dcl1/noc.h, which also says what can
 * be built. Full ports are the baseline's: nothing limits them. */
static void add_nodes(struct reader *r)
{
    uint32_t nodes = 0, clusters = 0;
    if (number_or(r, "l1.nodes", 0) == 0 || strcmp(name(r, "dcl1.ports"), "full") == 0)
        return;
    if (!r->status)
        r->status = machine_l1_nodes(r->machine, &nodes, &clusters, r->error);
    double share = (double)nodes / r->out->partitions;
    double boost1 = number(r, "dcl1.noc1_boost"), boost2 = number(r, "dcl1.noc2_boost");
    struct resource node = {.units = part(r, nodes)};
    node.kind = RESOURCE_NODES;
    node.path = "sm.clock";
    node.share = share;
    add(r, node, r->out->domains);
    node.kind = RESOURCE_NOC1;
    node.path = "dcl1.noc_clock";
    node.share = share * boost1;
    add(r, node, r->out->domains);
    node.kind = RESOURCE_NOC2;
    node.share = share * boost2;
    add(r, node, r->out->domains);
}

static void add_crossbars(struct reader *r)
{
    struct resources *out = r->out;
    if (machine_has(r->machine, "p2p"))
        add(r,
            (struct resource){.kind = RESOURCE_P2P,
                              .path = "p2p.bandwidth",
                              .latency = "p2p.latency",
                              .share = 1.0 / out->partitions},
            out->domains);
    if (!machine_has(r->machine, "noc"))
        return;
    struct resource noc = {.kind = RESOURCE_NOC,
                           .path = "noc.bandwidth",
                           .latency = "noc.latency",
                           .share = 1,
                           .efficiency = crossbar_efficiency(r),
                           .per_chip = true};
    out->noc = messages(r, "noc");
    add(r, noc, out->chips);
    noc.kind = RESOURCE_NOC_REPLY;
    if (strcmp(name(r, "noc.directions"), "separate") == 0)
        add(r, noc, out->chips);
}

static const char *level_path(struct reader *r, const char *level, const char *field)
{
    char path[128];
    snprintf(path, sizeof path, "%s.%s", level, field);
    return arena_strdup(r->out->texts, path);
}

/* Levels between L1 and the LLC that state a bandwidth. */
static void add_levels(struct reader *r)
{
    struct machine_levels *levels = &r->out->levels;
    if (!r->status)
        r->status = machine_levels(r->machine, false, levels, r->error);
    for (int i = 0; i < levels->n && !r->status; i++) {
        levels->names[i] = arena_strdup(r->out->texts, levels->names[i]);
        bool chip = strcmp(name(r, level_path(r, levels->names[i], "scope")), "chip") == 0;
        const char *bandwidth = level_path(r, levels->names[i], "bandwidth");
        if (number_or(r, bandwidth, 0) == 0)
            continue;
        add(r,
            (struct resource){.kind = resource_level(i),
                              .path = bandwidth,
                              .latency = level_path(r, levels->names[i], "latency"),
                              .share = chip ? 1 : 1.0 / r->out->partitions,
                              .per_chip = chip},
            chip ? r->out->chips : r->out->domains);
    }
}

/* Inputs of the node that an edge leaves: edges that end there and, in a chip, its own. */
static uint32_t edge_ports(const struct link_graph *links, uint32_t node)
{
    uint32_t ports = node < links->n_chips;
    for (size_t e = 0; e < links->edges.count; e++)
        ports += links->edges.items[e].to == node;
    return ports;
}

static void add_edges(struct reader *r)
{
    struct resources *out = r->out;
    if (!r->status)
        r->status = link_graph_build(r->machine, &out->links, r->error);
    if (r->status || out->links.edges.count == 0)
        return;
    bool fifo = strcmp(name(r, "inter.switching"), "fifo") == 0;
    double hop_s = latency(r, "inter.latency");
    out->inter = messages(r, "inter");
    for (uint32_t e = 0; e < out->links.edges.count && !r->status; e++) {
        const struct machine_edge *edge = &out->links.edges.items[e];
        bool own = edge->bandwidth_bytes_per_s > 0, leaves = edge->from < out->chips;
        struct resource station = {
            .kind = RESOURCE_EDGE,
            .place = e,
            .units = 1,
            .path = own ? NULL : "inter.link_bandwidth",
            .share = own ? edge->bandwidth_bytes_per_s : edge->share,
            .efficiency = fifo ? resource_fifo_share(edge_ports(&out->links, edge->from)) : 1,
            /* A hop is what leaves a chip; switches are within it. */
            .latency = leaves ? "inter.latency" : NULL,
            .latency_s = leaves ? hop_s : 0};
        station.rate = station.share * station.efficiency * (own ? 1 : number(r, station.path));
        VECTOR_PUSH(&out->stations, station);
    }
    size_t edges = out->links.edges.count;
    out->routes = memory_zero((size_t)out->chips * out->chips * edges, sizeof *out->routes);
    for (uint32_t from = 0; from < out->chips; from++)
        for (uint32_t to = 0; to < out->chips; to++)
            link_graph_route(&out->links, from, to,
                             out->routes + ((size_t)from * out->chips + to) * edges);
}

static void read_counts(struct reader *r)
{
    struct resources *out = r->out;
    out->chips = (uint32_t)number(r, "chips");
    out->partitions = (uint32_t)number(r, "partitions");
    out->domains = out->chips * out->partitions;
    out->warps = number(r, "sm.warps");
    out->outstanding = number(r, "sm.outstanding");
    out->mshrs = number(r, "l1.mshrs");
    out->write_buffer = number(r, "l1.write_buffer");
    out->line_bytes = number(r, "line") / fmax(1, number(r, "sectors"));
    if (!r->status)
        out->sms = part(r, number(r, "sm.per_chip"));
}

static void number_kinds(struct resources *out)
{
    size_t at = 0;
    for (int kind = 0; kind <= RESOURCE_KIND_COUNT; kind++) {
        while (at < out->stations.count && (int)out->stations.items[at].kind < kind)
            at++;
        out->first[kind] = at;
    }
}

int resources_read(const struct machine *machine, struct resources *out, struct error *error)
{
    struct reader r = {.machine = machine, .out = out, .error = error};
    *out = (struct resources){
        .inter = {.overhead = 1}, .noc = {.overhead = 1}, .texts = arena_create()};
    read_counts(&r);
    if (r.status)
        return r.status;
    double share = 1.0 / out->partitions;
    add(&r,
        (struct resource){
            .kind = RESOURCE_ISSUE, .path = "sm.issue", .share = out->sms, .units = out->sms},
        out->domains);
    add_nodes(&r);
    add_crossbars(&r);
    add_levels(&r);
    add(&r,
        (struct resource){.kind = RESOURCE_LLC,
                          .path = "llc.bandwidth",
                          .latency = "llc.latency",
                          .share = share,
                          .units = part(&r, number(&r, "llc.slices"))},
        out->domains);
    add_edges(&r);
    add(&r,
        (struct resource){.kind = RESOURCE_MEMORY,
                          .path = "memory.bandwidth",
                          .latency = "memory.latency",
                          .share = share,
                          .units = part(&r, number(&r, "memory.channels"))},
        out->domains);
    number_kinds(out);
    return r.status;
}

void resources_fini(struct resources *resources)
{
    VECTOR_FREE(&resources->stations);
    link_graph_fini(&resources->links);
    arena_destroy(resources->texts);
    resources->texts = NULL;
    free(resources->routes);
    resources->routes = NULL;
}

const char *resources_name(const struct resources *resources, enum resource_kind kind)
{
    return resource_is_level(kind) &&
                   kind - RESOURCE_LEVEL_0 < (enum resource_kind)resources->levels.n
               ? resources->levels.names[kind - RESOURCE_LEVEL_0]
               : resource_table[kind].name;
}

const struct resource *resources_find(const struct resources *resources, enum resource_kind kind,
                                      uint32_t place)
{
    size_t at = resources->first[kind] + place;
    return at < resources->first[kind + 1] ? &resources->stations.items[at] : NULL;
}

uint32_t resources_place(const struct resources *resources, enum resource_kind kind,
                         uint32_t domain)
{
    const struct resource *first = resources_find(resources, kind, 0);
    return first && first->per_chip ? resources_chip(resources, domain) : domain;
}
