/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a request of each domain asks of each station.
 *
 * Of the requests of domain i a share t_ij has its home in domain j (the profile's traffic
 * matrix; uniform where it says r_local only). A request
 *
 *     crosses      the point-to-point links of its partition, or the crossbar of its chip
 *     looks up     levels before the LLC, as often as the profiler counted
 *     goes on      p_l of local ones, p_r of remote ones, write-backs too (1 without such levels)
 *     looks up     an LLC slice: at home, or of its own domain; remote ones with split ways, and
 *                  those that replicas may serve, there, and then at home what misses
 *     misses       where it wants data, to the memory of its home, with the LLC's miss ratio of
 *                  such requests; and drives out dirty data, which nobody waits for (model_memory)
 *
 * and between requester and home, where they differ, before the LLC or behind it,
 *
 *     crosses      crossbars as the fixed-mix bound counts them (models/resources/README.md) and,
 * to another chip, edges of the link graph, requests out and responses back
 *
 * Reads and writes are told apart by their messages; atomics go as writes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dcl1/messages.h"
#include "network/demands.h"
#include "resources/moments.h"
#include "sac/llc.h"

/* --- arguments and visits ---------------------------------------------------------- */

int demands_argument(struct demands *d, int term)
{
    for (size_t i = 0; i < d->terms->args.count; i++)
        if (d->terms->args.items[i] == term)
            return (int)i;
    VECTOR_PUSH(&d->terms->args, term);
    return (int)d->terms->args.count - 1;
}

static int number(struct demands *d, double value)
{
    return model_constant(d->b, NULL, value, DIM_NONE);
}

/* Seconds a byte (or whatever the station counts) of that parameter. Each kind has an argument of
 * its own, which one that is faster divides: both directions of a crossbar have one bandwidth. */
static int slowness(struct demands *d, enum station_kind kind, const char *path)
{
    char name[96];
    snprintf(name, sizeof name, "1/%s%s", path, kind == STATION_NOC_REPLY ? " of replies" : "");
    return demands_argument(d,
                            term_quotient(d->g, name, number(d, 1), model_parameter(d->b, path)));
}

/* An MSHR of each level that the way is behind is held meanwhile, by those that read. */
static void hold(struct demands *d, const struct way *way, struct network_visit visit)
{
    visit.weight *= way->holding;
    double weight = visit.weight;
    for (int level = 0; way->held >> level; level++) {
        visit.weight = weight * d->held_share[level];
        if (way->held >> level & 1 && visit.weight > 0)
            VECTOR_PUSH(&d->net->holds, ((struct network_hold){level, visit}));
    }
}

static void visit(struct demands *d, const struct way *way, int station, int amount, int slow,
                  double weight)
{
    struct network_visit visit = {.station = station,
                                  .class = way->class,
                                  .path = way->path,
                                  .flow = way->flow,
                                  .miss = way->miss,
                                  .amount = amount,
                                  .slowness = slow,
                                  .weight = way->share * weight,
                                  .writes = way->writes,
                                  .waits = way->waits};
    if (station >= 0 && d->system->stations.items[station].kind == STATION_MEMORY)
        visit.rest = d->rests[way->writes];
    if (weight > 0)
        VECTOR_PUSH(&d->net->visits, visit);
    if (way->held)
        hold(d, way, visit);
}

/* What holds an MSHR and takes its time elsewhere: a level's own. */
static void only_hold(struct demands *d, struct way way, int level, int station, int amount,
                      int slow, double weight)
{
    way.held = 1u << level;
    hold(d, &way,
         (struct network_visit){station, way.class, way.path, way.flow, way.miss, amount, slow,
                                way.share * weight});
}

/* `times` passes of so many bytes through the station, if the machine has it. */
static void pass(struct demands *d, const struct way *way, enum station_kind kind, uint32_t place,
                 int amount, double times)
{
    const struct station *station = system_station(d->system, kind, place);
    if (!station || times == 0)
        return;
    int *slow = &d->terms->slow_arg[kind];
    int at = (int)(station - d->system->stations.items);
    if (!station->path) { /* a listed edge with a bandwidth of its own */
        if (d->terms->own_edges < 0)
            d->terms->own_edges =
                demands_argument(d, model_constant(d->b, "listed links", 1, DIM_NONE));
        visit(d, way, at, amount, d->terms->own_edges,
              times / (station->share * station->efficiency));
        return;
    }
    if (*slow < 0)
        *slow = slowness(d, kind, station->path);
    visit(d, way, at, amount, *slow,
          times * station->units / (station->share * station->efficiency));
}

/* The argument of a latency; there are few, and every way has some. */
int demands_latency(struct demands *d, const char *path)
{
    int i = 0;
    while (i < LATENCIES && d->latencies[i].path && strcmp(d->latencies[i].path, path) != 0)
        i++;
    if (i < LATENCIES && d->latencies[i].path)
        return d->latencies[i].argument;
    int term = demands_argument(d, model_latency(d->b, path));
    if (i < LATENCIES) {
        snprintf(d->latencies[i].name, sizeof d->latencies[i].name, "%s", path);
        d->latencies[i].path = d->latencies[i].name;
        d->latencies[i].argument = term;
    }
    return term;
}

/* Those that follow another one's miss wait as long, and hold nothing. */
static struct way who_waits(const struct way *way)
{
    struct way waits = *way;
    waits.miss = way->late ? way->late : way->miss;
    waits.held = 0;
    return waits;
}

static void wait_for(struct demands *d, const struct way *way, int latency, double times)
{
    struct way waits = who_waits(way), holds = *way;
    if (!way->alone)
        visit(d, &waits, -1, latency, 0, times * (1 + way->follow));
    for (int level = 0; holds.held >> level; level++)
        if (holds.held >> level & 1)
            only_hold(d, holds, level, -1, latency, 0, times);
}

static void wait(struct demands *d, const struct way *way, const char *path, double times)
{
    if (times > 0)
        wait_for(d, way, demands_latency(d, path), times);
}

/* --- messages ------------------------------------------------------------------------ */

/* Links are as slow as the hottest one in the mean of windows, `hot` times as slow as over the
 * launch; a term, -1: as fast. */
static void read_messages(struct demands *d, const char *network, int out[MESSAGES], int hot)
{
    static const char *const names[MESSAGES] = {"read_request", "read_response", "write_request",
                                                "write_response"};
    for (int m = 0; m < MESSAGES; m++) {
        int data = m == READ_RESPONSE || m == WRITE_REQUEST ? d->terms->line : -1;
        int bytes = model_message(d->b, network, names[m], data);
        bytes = hot < 0 ? bytes : term_product(d->g, "bytes, links for a while", bytes, hot);
        out[m] = demands_argument(d, bytes);
    }
}

/* --- ways ---------------------------------------------------------------------------- */

/* A chip's crossbar: requests in one direction, responses in the other. */
static void cross_noc(struct demands *d, const struct way *way, uint32_t chip, double reads,
                      double times)
{
    enum station_kind back =
        system_station(d->system, STATION_NOC_REPLY, 0) ? STATION_NOC_REPLY : STATION_NOC;
    if (times == 0 || !system_station(d->system, STATION_NOC, 0))
        return;
    pass(d, way, STATION_NOC, chip, d->noc[READ_REQUEST], times * reads);
    pass(d, way, STATION_NOC, chip, d->noc[WRITE_REQUEST], times * (1 - reads));
    pass(d, way, back, chip, d->noc[READ_RESPONSE], times * reads);
    pass(d, way, back, chip, d->noc[WRITE_RESPONSE], times * (1 - reads));
    wait(d, way, "noc.latency", 2 * times);
}

static void cross_edges(struct demands *d, const struct way *way, uint32_t from, uint32_t to,
                        double reads)
{
    const double *out = system_route(d->system, from, to);
    const double *back = system_route(d->system, to, from);
    double hops = 0, switches = 0, own_s = 0;
    for (uint32_t e = 0; e < d->system->links.edges.count; e++) {
        const struct machine_edge *edge = &d->system->links.edges.items[e];
        bool leaves = edge->from < d->system->chips;
        pass(d, way, STATION_EDGE, e, d->inter[READ_REQUEST], out[e] * reads);
        pass(d, way, STATION_EDGE, e, d->inter[WRITE_REQUEST], out[e] * (1 - reads));
        pass(d, way, STATION_EDGE, e, d->inter[READ_RESPONSE], back[e] * reads);
        pass(d, way, STATION_EDGE, e, d->inter[WRITE_RESPONSE], back[e] * (1 - reads));
        if (edge->own_latency)
            own_s += (out[e] + back[e]) * edge->latency;
        else
            *(leaves ? &hops : &switches) += out[e] + back[e];
    }
    wait(d, way, "inter.latency", hops);
    wait(d, way, "inter.switch_latency", switches);
    if (own_s > 0)
        wait_for(d, way, demands_argument(d, model_constant(d->b, NULL, own_s, DIM_SECONDS)), 1);
}

/* Between domains: before the LLC (the request has crossed its chip's crossbar already, unless
 * its partition has point-to-point links), or behind it. */
static void cross(struct demands *d, const struct way *way, uint32_t i, uint32_t j, bool before)
{
    uint32_t from = system_chip(d->system, i), to = system_chip(d->system, j);
    bool p2p = system_station(d->system, STATION_P2P, 0);
    bool fetches = !before && way->path != PATH_NONE && d->terms->memory.told_apart;
    double reads = fetches ? 1 : d->reads[way->path];
    bool own =
        !before && !p2p && machine_has(model_machine(d->b), "noc") && !d->system->shared_misses;
    bool again = p2p || !before; /* the requester's crossbar */
    if (i == j)
        return;
    demands_cross(d, way, i, j, before || way->path == PATH_NONE ? reads : 1);
    if (!own && again)
        cross_noc(d, way, from, reads, 1);
    if (!own && from != to)
        cross_noc(d, way, to, reads, 1);
    if (from != to)
        cross_edges(d, way, from, to, reads);
}

/* Dirty lines of domain j that the requests of domain i drive out of an LLC. */
static void write_home(struct demands *d, struct way way, uint32_t i, uint32_t j, bool at_home)
{
    way.miss = d->written[way.path];
    way.path = PATH_NONE; /* all are writes, and no part of a request */
    way.late = 0;
    way.held = 0;
    way.alone = way.writes = true;
    if (!at_home)
        cross(d, &way, i, j, false);
    pass(d, &way, STATION_MEMORY, j, d->memory_line, 1);
    way.miss = d->turned;
    if (d->turned)
        pass(d, &way, STATION_MEMORY, j, d->memory_line, 1);
}

/* Whether a level is looked up by requests for lines of other domains, or of the own one. */
static bool meets(const struct system_level *level, bool remote)
{
    return level->filter != (remote ? FILTER_LOCAL : FILTER_REMOTE);
}

/* Requests of domain i for lines of j: what they hold of levels before the LLC. */
static void enter_flow(struct demands *d, struct way *way, uint32_t i, uint32_t j)
{
    VECTOR_PUSH(&d->net->flows,
                ((struct network_flow){way->class, way->path, way->flow, way->share, -1}));
    way->holding = d->reads[way->path];
    for (uint32_t l = 0; l < system_between(d->system); l++)
        if (d->stops.between[l] >= 0 && meets(system_level(d->system, l), i != j))
            way->held |= 1u << d->stops.between[l];
    demands_hold_beside(d, way);
}

/* A slice, as hot as `even` says; what is written comes in by a way of its own, if there is one. */
static void slice(struct demands *d, const struct way *way, uint32_t at, double even, double writes)
{
    pass(d, way, STATION_LLC_WRITE, at, d->line, writes / even);
    pass(d, way, STATION_LLC, at, d->line, 1 / even);
}

static void slices(struct demands *d, const struct way *way, uint32_t at, bool at_home)
{
    slice(d, way, at, d->even[!at_home], 1 - d->reads[way->path]);
    wait(d, way, "llc.latency", 1);
}

/* Misses of the LLC hold one of its MSHRs. */
static void hold_llc(struct demands *d, struct way *way)
{
    if (d->stops.llc < 0)
        return;
    only_hold(d, *way, d->stops.llc, -1, demands_latency(d, "llc.latency"), 0, 1);
    way->held |= 1u << d->stops.llc;
}

static void fetch(struct demands *d, const struct way *way, uint32_t home)
{
    struct way waits = who_waits(way);
    pass(d, way, STATION_MEMORY, home, d->memory_line, 1);
    wait(d, way, "memory.latency", 1);
    waits.waits = true;
    if (d->rests[0] || d->rests[1])
        pass(d, &waits, STATION_MEMORY, home, d->memory_line, 1);
}

void demands_look_up(struct demands *d, struct way way, uint32_t i, uint32_t j, bool at_home)
{
    if (way.share == 0)
        return;
    enter_flow(d, &way, i, j);
    struct way hit = way;
    hit.miss = hit.late = 0;
    if (at_home)
        cross(d, &hit, i, j, true);
    slices(d, &hit, at_home ? j : i, at_home);
    if (d->written[way.path])
        write_home(d, way, i, j, at_home);
    if (way.miss == 0) /* a stream without misses */
        return;
    d->net->flows.items[d->net->flows.count - 1].late = way.late ? way.late : way.miss;
    hold_llc(d, &way);
    if (!at_home)
        cross(d, &way, i, j, false);
    fetch(d, &way, j);
}

void demands_look_up_twice(struct demands *d, struct way way, const struct way_twice *twice,
                           uint32_t i, uint32_t j)
{
    if (way.share == 0)
        return;
    enter_flow(d, &way, i, j);
    struct way near = way, on = way;
    near.miss = near.late = 0;
    near.flow = twice->asks ? twice->asks : way.flow;
    on.miss = twice->on;
    on.late = twice->late;
    slices(d, &near, i, false);
    if (twice->fetches)
        demands_cross(d, &on, i, j, 1);
    else
        cross(d, &on, i, j, true);
    if (d->system->shared_misses && !system_station(d->system, STATION_P2P, 0)) {
        near.miss = on.miss; /* from the slice once more over the requester's crossbar */
        near.late = on.late;
        cross_noc(d, &near, system_chip(d->system, i), d->reads[way.path], 1);
    }
    slice(d, &on, j, twice->even > 0 ? twice->even : d->even[0],
          twice->fetches ? 0 : 1 - d->reads[way.path]);
    if (!twice->fetches)
        wait(d, &on, "llc.latency", 1);
    if (d->written[way.path])
        write_home(d, way, i, j, !twice->fetches);
    hold_llc(d, &way);
    fetch(d, &way, j);
}

/* The part of every request that does not depend on its home. */
static void enter(struct demands *d, uint32_t i)
{
    struct way way = {.class = d->class[i], .path = PATH_ANY, .share = 1};
    demands_wait_near(d, &way);
    way.holding = d->reads[PATH_ANY];
    demands_hold_beside(d, &way);
    if (system_station(d->system, STATION_P2P, 0)) {
        pass(d, &way, STATION_P2P, i, d->line, 1);
        wait(d, &way, "p2p.latency", 2);
    } else {
        cross_noc(d, &way, system_chip(d->system, i), d->reads[PATH_ANY], 1);
    }
    for (uint32_t l = 0; l < system_between(d->system); l++) {
        const char *level = system_level(d->system, l)->name;
        enum station_kind kind = station_of_level((int)l);
        char path[128];
        int field = model_level_field(d->b, level, LEVEL_LOOKUPS);
        double lookups = term_get(d->g, field)->constant / demands_field(d, FIELD_REQUESTS);
        snprintf(path, sizeof path, "%s.latency", level);
        pass(d, &way, kind, system_place(d->system, kind, i), d->line, lookups);
        wait(d, &way, path, lookups);
        if (d->stops.between[l] < 0)
            continue;
        int hits = model_level_field(d->b, level, LEVEL_HITS);
        way.holding = d->reads[PATH_ANY];
        only_hold(d, way, d->stops.between[l], -1, demands_latency(d, path), 0,
                  lookups - term_get(d->g, hits)->constant / demands_field(d, FIELD_REQUESTS));
        way.held |= 1u << d->stops.between[l];
    }
}

/* So many of one SM's data stand before the last of them at its port. */
static void queue_at_port(struct demands *d, const struct way *way, uint32_t chip, double before)
{
    const struct station *port = system_station(d->system, STATION_NOC_REPLY, chip);
    port = port ? port : system_station(d->system, STATION_NOC, chip);
    if (!port || port->units == 1 || !(before > 0))
        return;
    int *slow = &d->terms->slow_arg[port->kind];
    *slow = *slow < 0 ? slowness(d, port->kind, port->path) : *slow;
    visit(d, way, -1, d->noc[READ_RESPONSE], *slow,
          before * port->units / (port->share * port->efficiency));
}

/* Issue slots, and hits in L1, which a warp waits for between requests. Warps stay with their SM,
 * so that all are loaded alike: a queue as fast as n SMs, and a delay of (n - 1)/n of what one
 * takes (Seidmann, Schweitzer, Shalev-Oren 1987), or what the chain's own take beyond that. */
static void compute(struct demands *d, uint32_t i)
{
    struct way way = {.class = d->class[i], .path = PATH_NONE, .share = 1};
    double requests = demands_field(d, FIELD_REQUESTS);
    double last = demands_last_share(d);
    double waits = demands_waits_behind(d);
    double instructions = demands_ratio(demands_field(d, FIELD_WARP_INSTRUCTIONS), requests, 0);
    double hits = demands_hits_between(d);
    const struct station *issue = system_station(d->system, STATION_ISSUE, i);
    int *slow = &d->terms->slow_arg[STATION_ISSUE];
    if (waits > 0) {
        hits = (1 - last) / waits;
        way.flow = demands_argument(d, demands_chain_hits(d));
    }
    demands_wait_hits(d, &way, hits);
    demands_add_beside(d, i);
    way.flow = 0;
    if (instructions > 0) {
        *slow = *slow < 0 ? slowness(d, STATION_ISSUE, issue->path) : *slow;
        double sms = d->net->class[way.class].sms, even = demands_issue_evenness(d, sms);
        double served = (1 - last) * instructions / (sms * even);
        visit(d, &way, (int)(issue - d->system->stations.items), 0, *slow, served);
        if (waits > 0) {
            double own = (1 - last) * demands_field(d, FIELD_CHAIN_INSTRUCTIONS) / waits;
            int issued = demands_argument(
                d, demands_own_left(d, "issue of the chain, behind its SM's", own, served));
            d->net->class[way.class].issued = issued;
            visit(d, &way, -1, issued, *slow, 1);
            way.flow = demands_argument(d, demands_fewer_a_wait(d));
            visit(d, &way, -1, demands_dependent(d), 0, demands_between(d) / waits);
        } else {
            visit(d, &way, -1, 0, *slow, instructions * (sms - 1) / sms);
        }
    }
    demands_set_last(d);
    if (waits > 0 && instructions > 0)
        demands_set_slots(d);
    way.flow = waits > 0 ? demands_argument(d, demands_fewer_a_wait(d)) : 0;
    if (waits > 0) {
        wait(d, &way, "cta.turnover", demands_turnovers(d) / waits);
        demands_think(d, &way);
        queue_at_port(d, &way, system_chip(d->system, i), demands_batch(d) / waits);
    }
    demands_look_up_near(d, i, waits);
    demands_dispatch(d, i, waits);
}

/* DC-L1's nodes: what a request takes of the ports of its domain's nodes. */
static void enter_nodes(struct demands *d)
{
    static const enum station_kind kinds[] = {STATION_NODES, STATION_NOC1, STATION_NOC2};
    struct dcl1_node_limits limits;
    if (!system_station(d->system, STATION_NODES, 0))
        return;
    if (!model_knows(d->b, FIELD_LINE_ACCESSES)) {
        model_warn(d->b, "optimistic: the profile does not say the accesses that the ports of L1 "
                         "nodes (l1.nodes) serve");
        return;
    }
    if (!dcl1_node_limits_read(d->b, &limits))
        return;
    int ports[] = {limits.data, limits.noc1, limits.noc2};
    double even = demands_node_evenness(d), uniformity = demands_field(d, FIELD_L1_UNIFORMITY);
    for (int k = 0; k < 3; k++) {
        d->terms->slow_arg[kinds[k]] = demands_argument(
            d, term_quotient(d->g, station_table[kinds[k]].name, number(d, 1), ports[k]));
        for (uint32_t i = 0; i < d->system->domains; i++) {
            const struct station *node = system_station(d->system, kinds[k], i);
            struct way way = {.class = d->class[i], .path = PATH_ANY, .share = 1};
            int at = (int)(node - d->system->stations.items);
            double used = fmax(1, round(node->units * even));
            /* The limits have all nodes at the hottest one's load: as fast as those that are used.
             */
            double each = d->system->domains * uniformity * used / even;
            d->net->station[at].copies = (int)used;
            if (way.class >= 0)
                visit(d, &way, at, d->line, d->terms->slow_arg[kinds[k]], each);
        }
    }
}

/* --- for other files ------------------------------------------------------------------- */

void demands_pass(struct demands *d, const struct way *way, enum station_kind kind, uint32_t place,
                  int amount, double times)
{
    pass(d, way, kind, place, amount, times);
}

void demands_serve(struct demands *d, const struct way *way, const struct station *station,
                   int amount, int slow, double times)
{
    visit(d, way, (int)(station - d->system->stations.items), amount, slow, times);
}

void demands_delay(struct demands *d, const struct way *way, int latency, double times)
{
    visit(d, way, -1, latency, 0, times);
}

void demands_wait(struct demands *d, const struct way *way, const char *path, double times)
{
    wait(d, way, path, times);
}

void demands_hold(struct demands *d, const struct way *way, const struct station *station,
                  int amount, int slow, double times)
{
    int at = station ? (int)(station - d->system->stations.items) : -1;
    hold(d, way,
         (struct network_visit){at, way->class, way->path, way->flow, way->miss, amount, slow,
                                way->share * times});
}

/* --- the whole ----------------------------------------------------------------------- */

static void build(struct demands *d)
{
    demands_read_form(d);
    demands_read_traffic(d);
    demands_set_working_sms(d);
    demands_set_stations(d);
    d->terms->line = term_quotient(d->g, "bytes a request", model_parameter(d->b, "line"),
                                   model_parameter(d->b, "sectors"));
    d->line = demands_argument(d, d->terms->line);
    demands_read_population(d);
    demands_read_passes(d);
    if (machine_has(model_machine(d->b), "noc"))
        read_messages(d, "noc", d->noc, -1);
    if (d->system->chips > 1)
        read_messages(d, "inter", d->inter, demands_hot_links(d));
    int hot = moments_memory(d->b), line = d->terms->line;
    d->memory_line =
        hot < 0 ? d->line
                : demands_argument(d, term_product(d->g, "bytes, homes for a while", line, hot));
    demands_read_rests(d);
    demands_read_stops(d);
    enter_nodes(d);
    for (uint32_t i = 0; i < d->system->domains; i++)
        if (d->class[i] >= 0) {
            compute(d, i);
            enter(d, i);
        }
    demands_add_ways(d);
    demands_add_other(d);
    demands_translate(d);
}

struct network *network_build(struct model_builder *b, struct network_terms *terms)
{
    struct demands d = {.b = b,
                        .g = model_graph(b),
                        .record = model_profile_record(b),
                        .system = model_system(b, SYSTEM_STATIONS),
                        .terms = terms,
                        .hit = -1,
                        .even = {1, 1}};
    *terms = (struct network_terms){
        .own_edges = -1, .behind = -1, .last = -1, .last_own = -1, .last_beside = -1};
    for (int kind = 0; kind < STATION_KIND_COUNT; kind++)
        terms->slow_arg[kind] = -1;
    demands_argument(&d, model_constant(b, NULL, 1, DIM_NONE)); /* argument 0 */
    d.net = arena_alloc(model_arena(b), sizeof *d.net);
    if (d.system->stations.count == 0) /* the builder knows why */
        return NULL;
    for (int kind = 0; kind < STATION_KIND_COUNT; kind++)
        d.net->names[kind] =
            arena_strdup(model_arena(b), system_station_name(d.system, (enum station_kind)kind));
    build(&d);
    network_collapse(d.net, model_arena(b));
    /* Vectors become the graph's. */
    struct network_visit *visits =
        arena_alloc(model_arena(b), d.net->visits.count * sizeof *visits);
    struct network_flow *flows = arena_alloc(model_arena(b), d.net->flows.count * sizeof *flows);
    if (d.net->visits.count)
        memcpy(visits, d.net->visits.items, d.net->visits.count * sizeof *visits);
    if (d.net->flows.count)
        memcpy(flows, d.net->flows.items, d.net->flows.count * sizeof *flows);
    struct network_hold *holds = arena_alloc(model_arena(b), d.net->holds.count * sizeof *holds);
    if (d.net->holds.count)
        memcpy(holds, d.net->holds.items, d.net->holds.count * sizeof *holds);
    free(d.net->visits.items);
    free(d.net->flows.items);
    free(d.net->holds.items);
    d.net->holds.items = holds;
    d.net->visits.items = visits;
    d.net->flows.items = flows;
    return d.net;
}
