/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What serves the stream of requests: stations, routes, messages. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/internal.h"
#include "machine/latency.h"
#include "machine/system_internal.h"

const struct station_row station_table[STATION_KIND_COUNT] = {
#define STATION_ROW(symbol, name, help) {name, help},
    STATION_KINDS(STATION_ROW)
#undef STATION_ROW
};

double message_bytes(const struct message_sizes *sizes, double bytes)
{
    double wire = sizes->overhead * bytes;
    return sizes->flit_bytes > 0 ? ceil(wire / sizes->flit_bytes) * sizes->flit_bytes : wire;
}

/* A step, whatever the machine gives. */
static double latency(struct system_reader *r, const char *path)
{
    double value = 0;
    if (!r->status)
        r->status = latency_seconds(r->machine, path, &value, r->error);
    return r->status ? 0 : value;
}

static double field(struct system_reader *r, const char *section, const char *what)
{
    return system_number(r, system_path(section, what).text);
}

static const char *keep(struct system_reader *r, const char *section, const char *what)
{
    return arena_strdup(r->out->texts, system_path(section, what).text);
}

static struct message_sizes messages(struct system_reader *r, const char *section)
{
    return (struct message_sizes){
        .flit_bytes = system_number_or(r, system_path(section, "flit").text, 0),
        .overhead = field(r, section, "overhead"),
        .read_request_bytes = field(r, section, "read_request"),
        .read_response_bytes = field(r, section, "read_response"),
        .write_request_bytes = field(r, section, "write_request"),
        .write_response_bytes = field(r, section, "write_response"),
    };
}

/* A station at each place, its rate `share` of a parameter. */
static void add(struct system_reader *r, struct station station, uint32_t places)
{
    if (station.efficiency == 0)
        station.efficiency = 1;
    if (station.units == 0)
        station.units = 1;
    station.rate = station.share * station.efficiency * system_number(r, station.path);
    station.latency_s = station.latency ? latency(r, station.latency) : 0;
    for (uint32_t place = 0; place < places && !r->status; place++) {
        station.place = place;
        VECTOR_PUSH(&r->out->stations, station);
    }
}

/* Slices, channels: a domain's part of what a chip has. */
static uint32_t part(const struct system_reader *r, double per_chip)
{
    double units = per_chip / r->out->partitions;
    return units > 1 ? (uint32_t)units : 1;
}

/* The parameter of a role as a path; NULL: there is none, as where the model is not built in. */
static const char *role_path(struct system_reader *r, enum parameter_role role)
{
    struct parameter p;
    return machine_role(r->machine, role, &p) ? keep(r, p.section->name, p.row->field) : NULL;
}

static double role_number(struct system_reader *r, enum parameter_role role)
{
    const char *path = role_path(r, role);
    return path ? system_number(r, path) : 0;
}

/* L1 nodes outside the SMs (DC-L1, HPCA 2021): see models/dcl1/noc.h, which also says what can
 * be built. Full ports are the baseline's: nothing limits them. */
static void add_nodes(struct system_reader *r)
{
    struct system *s = r->out;
    uint32_t nodes = 0, clusters = 0;
    const char *ports = role_path(r, ROLE_NODE_PORTS);
    if (system_number_or(r, "l1.nodes", 0) == 0 || !ports || system_is(r, ports, "full"))
        return;
    if (!r->status)
        r->status = machine_l1_nodes(r->machine, &nodes, &clusters, r->error);
    double share = (double)nodes / s->partitions;
    struct station node = {
        .kind = STATION_NODES, .path = "sm.clock", .share = share, .units = part(r, nodes)};
    add(r, node, s->domains);
    node.kind = STATION_NOC1;
    node.path = role_path(r, ROLE_NODE_CLOCK);
    node.share = share * role_number(r, ROLE_NODE_BOOST_NEAR);
    add(r, node, s->domains);
    node.kind = STATION_NOC2;
    node.share = share * role_number(r, ROLE_NODE_BOOST_FAR);
    add(r, node, s->domains);
    s->node_flit_bytes = role_number(r, ROLE_NODE_FLIT);
    s->node_latency_s = role_number(r, ROLE_NODE_LATENCY);
    s->l1_latency_s += role_number(r, ROLE_NODE_GROWTH) * log2((double)s->sms_per_chip / nodes);
}

/* DualOpt's (PACT 2022), as models/dualopt/designs.c has them. */
static void read_packets(struct system_reader *r)
{
    struct system *s = r->out;
    struct error ignored;
    const char *design = role_path(r, ROLE_PACKET_DESIGN);
    const char *header = role_path(r, ROLE_PACKET_HEADER);
    bool shared = design && system_is(r, design, "coalescing");
    if (!design || !(shared || system_is(r, design, "fine-grained")) ||
        !system_l1(s)->bypassed_remote || s->chips == 1)
        return;
    s->packets.piece_bytes = role_number(r, ROLE_PACKET_PIECE);
    s->packets.each_bytes = s->packets.piece_bytes + role_number(r, ROLE_PACKET_ID);
    s->packets.timeout_s = role_number(r, ROLE_PACKET_TIMEOUT);
    if (machine_number(r->machine, header, &s->packets.header_bytes, &ignored)) /* a reply's */
        s->packets.header_bytes = system_number_or(r, "inter.read_response", 0);
    double most = floor(role_number(r, ROLE_PACKET_PAYLOAD) / s->packets.each_bytes);
    most = shared ? fmin(most, role_number(r, ROLE_PACKET_BUFFER)) : 1;
    s->packets.pieces = (uint32_t)fmax(most, 1);
}

/* L1s of their SMs that say how fast they look lines up. */
static void add_lookups(struct system_reader *r)
{
    uint32_t sms = r->out->sms_per_domain;
    struct station l1 = {.kind = STATION_L1, .path = "l1.lookups", .share = sms, .units = sms};
    if (system_number_or(r, "l1.nodes", 0) == 0 && system_number_or(r, l1.path, 0) != 0)
        add(r, l1, r->out->domains);
}

static void add_crossbars(struct system_reader *r)
{
    struct system *s = r->out;
    if (s->point_to_point)
        add(r,
            (struct station){.kind = STATION_P2P,
                             .path = "p2p.bandwidth",
                             .latency = "p2p.latency",
                             .share = 1.0 / s->partitions},
            s->domains);
    if (!machine_has(r->machine, "noc"))
        return;
    struct station noc = {.kind = STATION_NOC,
                          .path = "noc.bandwidth",
                          .latency = "noc.latency",
                          .share = 1,
                          .efficiency = crossbar_share(r->machine),
                          .units = system_count(r, "noc.ports"),
                          .per_chip = true};
    s->noc = messages(r, "noc");
    add(r, noc, s->chips);
    noc.kind = STATION_NOC_REPLY;
    if (system_is(r, "noc.directions", "separate"))
        add(r, noc, s->chips);
}

/* What is written comes into a slice by a way of its own where that is slower than the slice. */
static void add_slices(struct system_reader *r)
{
    struct system *s = r->out;
    struct station slices = {.kind = STATION_LLC,
                             .path = "llc.bandwidth",
                             .latency = "llc.latency",
                             .share = 1.0 / s->partitions,
                             .units = part(r, system_number(r, "llc.slices"))};
    add(r, slices, s->domains);
    slices.kind = STATION_LLC_WRITE;
    slices.path = "llc.write_bandwidth";
    slices.latency = NULL;
    if (system_number_or(r, slices.path, 0) != 0)
        add(r, slices, s->domains);
}

/* A port into each partition; without a bandwidth the way only takes its time. */
static void add_crossing(struct system_reader *r)
{
    struct system *s = r->out;
    if (!s->crossing)
        return;
    s->crossing_latency_s = latency(r, "crossing.latency");
    if (system_number_or(r, "crossing.bandwidth", 0) != 0)
        add(r, (struct station){.kind = STATION_CROSSING, .path = "crossing.bandwidth", .share = 1},
            s->domains);
}

/* Misses that a level behind L1 has in flight. */
static void read_mshrs(struct system_reader *r)
{
    struct system *s = r->out;
    for (uint32_t i = 1; i < s->n_levels; i++)
        s->levels[i].mshrs =
            (uint32_t)system_number_or(r, system_path(s->levels[i].name, "mshrs").text, 0);
}

/* Levels between L1 and the LLC. Those that state no bandwidth only take their time. */
static void add_between(struct system_reader *r)
{
    struct system *s = r->out;
    for (uint32_t i = 0; i < system_between(s) && !r->status; i++) {
        struct system_level *level = &s->levels[1 + i];
        bool chip = level->scope == PER_CHIP;
        level->name = arena_strdup(s->texts, level->name);
        struct station station = {.kind = station_of_level((int)i),
                                  .path = keep(r, level->name, "bandwidth"),
                                  .latency = keep(r, level->name, "latency"),
                                  .share = chip ? 1 : 1.0 / s->partitions,
                                  .units = chip ? 1 : level->caches / s->domains,
                                  .per_chip = chip};
        level->latency_s = latency(r, station.latency);
        if (system_number_or(r, station.path, 0) != 0)
            add(r, station, chip ? s->chips : s->domains);
    }
}

static void find_routes(struct system *s)
{
    size_t edges = s->links.edges.count;
    s->routes = memory_zero((size_t)s->chips * s->chips * edges, sizeof *s->routes);
    for (uint32_t from = 0; from < s->chips; from++)
        for (uint32_t to = 0; to < s->chips; to++)
            link_graph_route(&s->links, from, to,
                             s->routes + ((size_t)from * s->chips + to) * edges);
}

static void add_edges(struct system_reader *r)
{
    struct system *s = r->out;
    if (!r->status)
        r->status = link_graph_build(r->machine, &s->links, r->error);
    if (r->status || s->links.edges.count == 0)
        return;
    double hop_s = latency(r, "inter.latency"), switch_s = latency(r, "inter.switch_latency");
    double *share = memory_zero(s->links.edges.count, sizeof *share);
    link_graph_efficiency(&s->links, r->machine, share);
    s->inter = messages(r, "inter");
    for (uint32_t e = 0; e < s->links.edges.count && !r->status; e++) {
        const struct machine_edge *edge = &s->links.edges.items[e];
        bool own = edge->bandwidth_bytes_per_s > 0, leaves = edge->from < s->chips;
        struct station station = {.kind = STATION_EDGE,
                                  .place = e,
                                  .units = 1,
                                  .path = own ? NULL : "inter.link_bandwidth",
                                  .share = own ? edge->bandwidth_bytes_per_s : edge->share,
                                  .efficiency = share[e],
                                  .latency = leaves ? "inter.latency" : "inter.switch_latency",
                                  .latency_s = leaves ? hop_s : switch_s};
        if (edge->own_latency) {
            station.latency = NULL;
            station.latency_s = edge->latency;
        }
        station.rate =
            station.share * station.efficiency * (own ? 1 : system_number(r, station.path));
        VECTOR_PUSH(&s->stations, station);
    }
    free(share);
    find_routes(s);
}

static void number_kinds(struct system *s)
{
    size_t at = 0;
    for (int kind = 0; kind <= STATION_KIND_COUNT; kind++) {
        while (at < s->stations.count && (int)s->stations.items[at].kind < kind)
            at++;
        s->first[kind] = at;
    }
}

/* What begins warps one behind another, if the machine says how fast. */
static void add_dispatchers(struct system_reader *r)
{
    uint32_t sms = r->out->sms_per_domain, units = sms;
    if (system_number_or(r, "cta.warps", 0) == 0)
        return;
    double given = system_number(r, "cta.dispatchers");
    if (given > 0)
        units = part(r, given) < sms ? part(r, given) : sms;
    add(r,
        (struct station){
            .kind = STATION_DISPATCH, .path = "cta.warps", .share = units, .units = units},
        r->out->domains);
}

void system_add_stations(struct system_reader *r)
{
    struct system *s = r->out;
    double share = 1.0 / s->partitions;
    s->texts = arena_create();
    s->warps = system_count(r, "sm.warps");
    s->outstanding = system_number(r, "sm.outstanding");
    s->mshrs = system_number(r, "l1.mshrs");
    s->write_buffer = system_number(r, "l1.write_buffer");
    s->bypass_buffer = system_number(r, "l1.bypass_buffer");
    read_mshrs(r);
    s->l1_latency_s = system_number(r, "l1.latency");
    s->clock_hz = system_number(r, "sm.clock");
    s->launch_s = system_number(r, "launch.time");
    s->turnaround_s = system_number_or(r, "memory.turnaround", 0);
    s->write_batch_bytes = system_number_or(r, "memory.write_batch", 0);
    s->dependent_s = system_number(r, "sm.dependent");
    s->turnover_s = system_number(r, "cta.turnover");
    s->invalidation_bytes = role_number(r, ROLE_INVALIDATION);
    read_packets(r);
    add(r,
        (struct station){.kind = STATION_ISSUE,
                         .path = "sm.issue",
                         .share = s->sms_per_domain,
                         .units = s->sms_per_domain},
        s->domains);
    add_lookups(r);
    add_nodes(r);
    add_crossbars(r);
    add_between(r);
    add_slices(r);
    add_crossing(r);
    add_edges(r);
    add(r,
        (struct station){.kind = STATION_MEMORY,
                         .path = "memory.bandwidth",
                         .latency = "memory.latency",
                         .share = share,
                         .units = part(r, system_number(r, "memory.channels"))},
        s->domains);
    system_add_walkers(r);
    system_add_beside(r);
    add_dispatchers(r);
    number_kinds(s);
}

const struct station *system_station(const struct system *system, enum station_kind kind,
                                     uint32_t place)
{
    size_t at = system->first[kind] + place;
    return at < system->first[kind + 1] ? &system->stations.items[at] : NULL;
}

uint32_t system_place(const struct system *system, enum station_kind kind, uint32_t domain)
{
    const struct station *first = system_station(system, kind, 0);
    if (first && first->per_system)
        return 0;
    return first && first->per_chip ? system_chip(system, domain) : domain;
}

const char *system_station_name(const struct system *system, enum station_kind kind)
{
    if (station_is_beside(kind) && (uint32_t)kind - STATION_BESIDE_0 < system->beside.n)
        return system->beside.levels[kind - STATION_BESIDE_0].name;
    return station_is_level(kind) && (uint32_t)kind - STATION_LEVEL_0 < system_between(system)
               ? system_level(system, kind - STATION_LEVEL_0)->name
               : station_table[kind].name;
}
