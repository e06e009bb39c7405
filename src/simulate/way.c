/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a request to the stations that it visits. */
#include <math.h>

#include "core/hash.h"
#include "profile/request.h"
#include "simulate/gpu_internal.h"
#include "simulate/near.h"
#include "simulate/setup.h"
#include "simulate/translate.h"
#include "simulate/way.h"
#include "trace/stream.h"

static struct way way_begin(struct gpu *gpu, struct flight *flight, uint64_t line, uint8_t kind,
                            uint32_t sectors)
{
    return (struct way){gpu, flight, line, kind,
                        sectors_count(sectors) * gpu->system.request_bytes};
}

/* Point-to-point links take the place of the crossbar within a partition. */
static bool has_links(const struct gpu *gpu)
{
    return gpu->plant.of_domain[STATION_P2P] != NULL;
}

static bool other_chip(const struct gpu *gpu, uint32_t a, uint32_t b)
{
    return system_chip(&gpu->system, a) != system_chip(&gpu->system, b);
}

/* The crossing's latency has the lookup behind it. */
static void way_slice(const struct way *way, const struct llc_request *r)
{
    const struct gpu *gpu = way->gpu;
    uint32_t station = plant_find(&gpu->plant, STATION_LLC, r->domain);
    uint32_t slice = llc_slice(&gpu->llc, way->line);
    uint32_t written = plant_find(&gpu->plant, STATION_LLC_WRITE, r->domain);
    bool crossed = r->again && gpu->side == SIDE_REQUESTER && gpu->system.asks_home;
    if (written != PLANT_NONE && way->kind != ACCESS_READ)
        way_serve(way, written, slice, way->data);
    way_serve(way, station, slice, way->data);
    way_delay(way, crossed ? 0 : gpu->plant.stations[station].latency_s);
}

/* --- what waits for what ------------------------------------------------------------ */

static uint32_t unit_of_front(const struct gpu *gpu, uint32_t level, uint32_t sm)
{
    return gpu->l1.nodes + level * gpu->system.sms + sm / gpu->fronts.levels[level].sms;
}

static uint32_t unit_of_llc(const struct gpu *gpu, uint32_t domain)
{
    return gpu->l1.nodes + MACHINE_LEVELS_MAX * gpu->system.sms + domain;
}

/* --- L1 nodes ------------------------------------------------------------------------- */

bool gpu_has_nodes(const struct gpu *gpu)
{
    return gpu->plant.of_domain[STATION_NODES] != NULL;
}

/* The number of a node among those of its domain, and the flits of a message. */
static void way_node_port(const struct way *way, enum station_kind kind, uint32_t domain,
                          enum direction direction, double flits)
{
    const struct plant *plant = &way->gpu->plant;
    uint32_t station = plant_find(plant, kind, domain);
    uint32_t units = station == PLANT_NONE ? 1 : plant->stations[station].units;
    uint32_t server = way->flight->node % units;
    bool two = kind != STATION_NODES;
    way_visit(way, station, server + (two && direction == BACK ? units : 0), flits);
}

static double flits(const struct way *way, double bytes)
{
    return bytes > 0 ? ceil(bytes / way->gpu->system.node_flit_bytes) : 1;
}

/* Between SM and node. Replies carry what was asked for; a message takes a flit at least. */
static void way_to_node(const struct way *way, uint32_t domain, double asked)
{
    bool carries = way->kind != ACCESS_READ;
    way_delay(way, way->gpu->system.node_latency_s / 2);
    way_node_port(way, STATION_NOC1, domain, THERE, flits(way, carries ? asked : 0));
    way_node_port(way, STATION_NODES, domain, THERE, 1);
}

static void way_from_node(const struct way *way, uint32_t domain, double asked)
{
    bool carries = way->kind != ACCESS_WRITE;
    way_node_port(way, STATION_NOC1, domain, BACK, flits(way, carries ? asked : 0));
    way_delay(way, way->gpu->system.node_latency_s / 2);
}

static void way_behind_node(const struct way *way, uint32_t domain, enum direction direction)
{
    bool carries = direction == THERE ? way->kind != ACCESS_READ : way->kind != ACCESS_WRITE;
    way_node_port(way, STATION_NOC2, domain, direction, flits(way, carries ? way->data : 0));
}

/* --- the LLC and what is behind it --------------------------------------------------------- */

/* Looks a cache up: the sectors to fetch. Sends off what it drives out. */
static uint32_t look_up(struct gpu *gpu, const struct llc_request *request)
{
    struct llc_dirty dirty;
    bool out;
    if (gpu->forced_llc.rate >= 0) {
        uint32_t n = sectors_count(request->sectors);
        if (request->again)
            return request->sectors;
        bool hit = simulate_forced_hit(&gpu->forced_llc);
        gpu->llc.lookups += n;
        gpu->llc.hits += hit ? n : 0;
        return hit ? 0 : request->sectors;
    }
    uint32_t missing = llc_take(&gpu->llc, request, &dirty, &out);
    if (out)
        gpu_write_back(gpu, &dirty);
    return missing;
}

/* What a miss leaves to do when its line has come. */
struct fill {
    bool arrives;   /* others wait for it, at `unit` */
    uint32_t unit;  /* the cache */
    uint32_t inlet; /* gives its place back; INLET_NONE: it has none */
};

static void way_filled(const struct way *way, const struct fill *fill)
{
    if (fill->arrives)
        way_act(way, STEP_ARRIVED, fill->unit);
    if (fill->inlet != INLET_NONE)
        way_act(way, STEP_LEAVE, fill->inlet);
}

/* Into a level whose MSHRs may be taken: `inlet` of its first cache, or slice, the which-th. */
static void way_inlet(const struct way *way, uint32_t inlet, uint32_t which, bool takes,
                      struct fill *fill)
{
    fill->inlet = takes && inlet != INLET_NONE ? inlet + which : INLET_NONE;
    if (inlet != INLET_NONE)
        way_act(way, takes ? STEP_ENTER : STEP_PASS, inlet + which);
}

/* A slice: a hit on a line that is under way waits for it; a miss makes others wait, as the
 * caller ends it with way_filled(). */
static uint32_t way_llc(const struct way *way, const struct llc_request *request, struct fill *fill)
{
    struct gpu *gpu = way->gpu;
    uint32_t unit = unit_of_llc(gpu, request->domain);
    uint32_t missing = look_up(gpu, request);
    uint32_t slice = request->domain * gpu->llc.slices + llc_slice(&gpu->llc, request->line);
    bool follows = gpu->forced_llc.rate < 0 && way->kind != ACCESS_WRITE, waits = false;
    *fill = (struct fill){.unit = unit};
    if (follows && missing)
        fill->arrives = pending_add(&gpu->pending, unit, request->line);
    else if (follows)
        waits = pending_find(&gpu->pending, unit, request->line) != NULL;
    way_inlet(way, gpu->inlets.llc, slice, missing && (fill->arrives || !follows), fill);
    way_slice(way, request);
    if (waits)
        way_act(way, STEP_WAIT, unit);
    return missing;
}

/* Copies in other domains that a write makes stale. Behind a part of the ways the home's slices are
 * no copy: what is written comes home to them. */
static void invalidate(struct gpu *gpu, const struct gpu_request *r)
{
    for (uint32_t d = 0; d < gpu->system.domains; d++) {
        bool there = false;
        if (gpu->llc.remote_ways && d == r->home)
            continue;
        uint32_t dirty = d == r->domain ? 0 : llc_remove(&gpu->llc, d, r->line, &there), id;
        if (!there)
            continue;
        struct flight *flight = gpu_other(gpu, r->line, &id);
        struct way way = way_begin(gpu, flight, r->line, ACCESS_WRITE, 0);
        way_edges(&way, r->domain, d,
                  message_bytes(&gpu->system.inter, gpu->system.invalidation_bytes));
        way_act(&way, STEP_DONE, 0);
        gpu_send(gpu, id);
        if (dirty)
            gpu_write_back(gpu, &(struct llc_dirty){r->line, dirty, d, r->home});
    }
}

/* The home's slices, and its memory behind them. */
static void way_home_slices(const struct way *way, const struct gpu_request *r, bool again)
{
    struct gpu *gpu = way->gpu;
    struct fill fill;
    bool remote = r->home != r->domain;
    struct llc_request look = {r->line, r->sectors, r->home, r->home,
                               r->kind, LLC_HOMED,  again,   r->partial};
    uint32_t missing = way_llc(way, &look, &fill);
    way->flight->origin = remote ? ORIGIN_REMOTE_LLC : ORIGIN_LOCAL_LLC;
    if (missing) {
        struct way fetch = way_begin(gpu, way->flight, r->line, ACCESS_READ, missing);
        way->flight->origin = remote ? ORIGIN_REMOTE_MEMORY : ORIGIN_LOCAL_MEMORY;
        way_memory(&fetch, r->home);
    }
    way_filled(way, &fill);
}

/* What slices of the requester miss: from an LLC that stands there the home's memory is asked, past
 * its slices; from a part of the ways, and from replicas, the home's slices are. */
static void way_behind_requester(const struct way *fetch, const struct gpu_request *r,
                                 enum llc_part part)
{
    const struct system *system = &fetch->gpu->system;
    bool remote = r->home != r->domain;
    if (part == LLC_REMOTE || (system->asks_home && system_crosses(system, r->domain, r->home))) {
        way_home_slices(fetch, r, true);
        return;
    }
    fetch->flight->origin = remote ? ORIGIN_REMOTE_MEMORY : ORIGIN_LOCAL_MEMORY;
    way_memory(fetch, r->home);
}

/* A write that a part of the ways takes goes home later: it counts as a hit where the home's slices
 * have what is written. */
static void count_write(struct gpu *gpu, const struct gpu_request *r)
{
    if (gpu->forced_llc.rate < 0)
        gpu->llc.hits += sectors_count(llc_has(&gpu->llc, r->home, r->line) & r->sectors &
                                       ~llc_has(&gpu->llc, r->domain, r->line));
}

/* Cached where the requester is. */
static void way_requester_side(const struct way *way, const struct gpu_request *r,
                               enum llc_part part)
{
    struct gpu *gpu = way->gpu;
    struct fill fill;
    bool remote = r->home != r->domain, links = other_chip(gpu, r->domain, r->home);
    bool crossbars = remote && (gpu->system.shared_misses || has_links(gpu));
    struct llc_request look = {r->line, r->sectors, r->domain, r->home,
                               r->kind, part,       false,     r->partial};
    struct gpu_request behind = *r;
    if (part == LLC_REMOTE && r->kind == ACCESS_WRITE)
        count_write(gpu, r);
    behind.sectors = way_llc(way, &look, &fill);
    behind.kind = ACCESS_READ;
    way->flight->origin = ORIGIN_LOCAL_LLC;
    if (!behind.sectors)
        return;
    struct way fetch = way_begin(gpu, way->flight, r->line, ACCESS_READ, behind.sectors);
    if (crossbars)
        way_crossbar(&fetch, r->domain, THERE);
    if (links) {
        gpu->crossing += sectors_count(behind.sectors);
        way_cross(&fetch, r->domain, r->home, THERE);
        if (crossbars)
            way_crossbar(&fetch, r->home, THERE);
    }
    way_partitions(&fetch, r->domain, r->home, THERE);
    way_behind_requester(&fetch, &behind, part);
    way_partitions(&fetch, r->domain, r->home, BACK);
    if (links) {
        if (crossbars)
            way_crossbar(&fetch, r->home, BACK);
        way_cross(&fetch, r->domain, r->home, BACK);
    }
    if (crossbars)
        way_crossbar(&fetch, r->domain, BACK);
    way_filled(way, &fill);
}

/* Looked up at home only. */
static void way_home_side(const struct way *way, const struct gpu_request *r)
{
    struct gpu *gpu = way->gpu;
    bool remote = r->home != r->domain, links = other_chip(gpu, r->domain, r->home);
    if (remote && has_links(gpu))
        way_crossbar(way, r->domain, THERE);
    if (links) {
        gpu->crossing += sectors_count(r->sectors);
        way_cross(way, r->domain, r->home, THERE);
        way_crossbar(way, r->home, THERE);
    }
    way_partitions(way, r->domain, r->home, THERE);
    way_home_slices(way, r, false);
    way_partitions(way, r->domain, r->home, BACK);
    if (links) {
        way_crossbar(way, r->home, BACK);
        if (r->pieces)
            way_packet(way, r->domain, r->home, r->pieces);
        else
            way_cross(way, r->domain, r->home, BACK);
    }
    if (remote && has_links(gpu))
        way_crossbar(way, r->domain, BACK);
}

static bool asks_part(const struct gpu *gpu, const struct gpu_request *r)
{
    return (gpu->replicates && r->replicable) ||
           (gpu->llc.remote_ways && gpu->llc.remote_ways[r->domain] > 0 && r->home != r->domain);
}

static void way_to_llc(const struct way *way, const struct gpu_request *r)
{
    struct gpu *gpu = way->gpu;
    bool copies = gpu->side == SIDE_REQUESTER || gpu->llc.remote_ways;
    if (copies && !gpu->system.flush_at_kernels && r->kind != ACCESS_READ &&
        gpu->forced_llc.rate < 0)
        invalidate(gpu, r);
    if (asks_part(gpu, r))
        way_requester_side(way, r, LLC_REMOTE);
    else if (gpu->side == SIDE_REQUESTER)
        way_requester_side(way, r, LLC_HOMED);
    else
        way_home_side(way, r);
}

/* --- levels before the LLC ------------------------------------------------------------- */

static void way_front(const struct way *way, uint32_t level, uint32_t sm)
{
    const struct gpu *gpu = way->gpu;
    uint32_t domain = system_domain(&gpu->system, sm);
    uint32_t station = plant_find(&gpu->plant, station_of_level((int)level), domain);
    uint32_t cache = sm / gpu->fronts.levels[level].sms;
    if (station == PLANT_NONE)
        way_delay(way, system_level(&way->gpu->system, level)->latency_s);
    else
        way_visit(way, station, cache % gpu->plant.stations[station].units, way->data);
}

/* The sectors that are left behind the levels. Which level a request met and which one kept it
 * shows in their counts. */
static uint32_t way_fronts(const struct way *way, const struct gpu_request *r,
                           struct fill fills[MACHINE_LEVELS_MAX])
{
    struct gpu *gpu = way->gpu;
    struct front_request out[FRONT_OUT_MAX],
        in = {r->line, r->sectors, r->sm, (uint16_t)r->domain, (uint16_t)r->home, r->kind, false};
    uint64_t lookups[MACHINE_LEVELS_MAX], hits[MACHINE_LEVELS_MAX];
    uint32_t left = 0;
    for (uint32_t i = 0; i < gpu->fronts.n; i++) {
        lookups[i] = gpu->fronts.levels[i].lookups;
        hits[i] = gpu->fronts.levels[i].hits;
    }
    int n = front_take(&gpu->fronts, &in, out);
    for (int i = 0; i < n; i++) {
        if (out[i].writeback)
            gpu_write_home(gpu, &out[i]);
        else
            left = out[i].sectors;
    }
    for (uint32_t i = 0; i < gpu->fronts.n; i++) {
        uint32_t unit = unit_of_front(gpu, i, r->sm);
        uint64_t met = gpu->fronts.levels[i].lookups - lookups[i];
        uint64_t kept = gpu->fronts.levels[i].hits - hits[i];
        bool reads = r->kind == ACCESS_READ;
        fills[i] = (struct fill){.unit = unit, .inlet = INLET_NONE};
        if (met == 0)
            continue;
        gpu->front_lookups += met;
        gpu->front_hits += kept;
        fills[i].arrives = reads && kept < met && pending_add(&gpu->pending, unit, r->line);
        way_inlet(way, gpu->inlets.front[i], r->sm / gpu->fronts.levels[i].sms, fills[i].arrives,
                  &fills[i]);
        way_front(way, i, r->sm);
        if (reads && kept == met && pending_find(&gpu->pending, unit, r->line))
            way_act(way, STEP_WAIT, unit);
    }
    return left;
}

/* --- all of it -------------------------------------------------------------------------- */

static void way_near(const struct way *way, uint32_t domain, enum direction direction)
{
    if (has_links(way->gpu))
        way_link(way, domain, direction);
    else
        way_crossbar(way, domain, direction);
}

void gpu_way(struct gpu *gpu, struct flight *flight, const struct gpu_request *request)
{
    struct way way = way_begin(gpu, flight, request->line, request->kind, request->sectors);
    struct gpu_request behind = *request;
    struct fill fills[MACHINE_LEVELS_MAX];
    bool nodes = gpu_has_nodes(gpu) && request->beside<0, translates = gpu->tlbs.n> 0;
    bool before = translates && !gpu->system.translation.behind_l1;
    flight->line = request->line;
    way_delay(&way, gpu->looked_up_s - gpu->engine.now);
    if (before) {
        translate_way(&way, request->sm);
        way_act(&way, STEP_PLACE, 0);
    }
    bool beside = request->beside >= 0, arrives = false;
    if (request->kind == ACCESS_READ)
        arrives = pending_add(&gpu->pending, flight->node, request->line);
    if (arrives && request->pieces)
        pending_find(&gpu->pending, flight->node, request->line)->pieces = request->pieces;
    if (beside)
        near_way(&way, request->beside, request->sm, arrives);
    else if (request->kind != ACCESS_WRITE)
        way_delay(&way, gpu->system.l1_latency_s);
    if (translates && !before)
        translate_way(&way, request->sm);
    if (nodes) {
        way_to_node(&way, request->domain, request->asked_bytes);
        way_behind_node(&way, request->domain, THERE);
    }
    way_near(&way, request->domain, THERE);
    if (gpu->fronts.n)
        behind.sectors = way_fronts(&way, request, fills);
    flight->origin = ORIGIN_FRONT;
    if (behind.sectors) {
        struct way rest = way_begin(gpu, flight, request->line, request->kind, behind.sectors);
        way_to_llc(&rest, &behind);
    }
    for (uint32_t i = 0; i < gpu->fronts.n; i++)
        way_filled(&way, &fills[i]);
    way_near(&way, request->domain, BACK);
    if (nodes)
        way_behind_node(&way, request->domain, BACK);
    if (arrives)
        way_act(&way, STEP_ARRIVED, flight->node);
    if (arrives && beside)
        near_filled(&way, request->beside, request->sm);
    if (nodes)
        way_from_node(&way, request->domain, request->asked_bytes);
    if (request->kind == ACCESS_WRITE)
        flight->origin = ORIGIN_WRITE;
    way_act(&way, STEP_DONE, 0);
}

void gpu_way_hit(struct gpu *gpu, struct flight *flight, double asked_bytes, int beside)
{
    bool nodes = gpu_has_nodes(gpu) && beside < 0;
    uint32_t domain = system_domain(&gpu->system, flight->sm);
    struct way way = way_begin(gpu, flight, flight->line, ACCESS_READ, 0);
    flight->origin = beside < 0 ? ORIGIN_L1 : ORIGIN_BESIDE;
    way_delay(&way, gpu->looked_up_s - gpu->engine.now);
    if (gpu->tlbs.n && !gpu->system.translation.behind_l1)
        translate_way(&way, flight->sm);
    if (beside >= 0)
        near_way(&way, beside, flight->sm, false);
    else
        way_delay(&way, gpu->system.l1_latency_s);
    if (nodes)
        way_to_node(&way, domain, asked_bytes);
    way_act(&way, STEP_WAIT, flight->node);
    if (nodes)
        way_from_node(&way, domain, asked_bytes);
    way_act(&way, STEP_DONE, 0);
}

/* --- what nobody waits for -------------------------------------------------------------- */

void gpu_write_back(struct gpu *gpu, const struct llc_dirty *dirty)
{
    uint32_t id;
    bool remote = dirty->domain != dirty->home;
    struct flight *flight = gpu_other(gpu, dirty->line, &id);
    struct way way = way_begin(gpu, flight, dirty->line, ACCESS_WRITE, dirty->sectors);
    if (other_chip(gpu, dirty->domain, dirty->home))
        way_cross(&way, dirty->domain, dirty->home, THERE);
    way_partitions(&way, dirty->domain, dirty->home, THERE);
    if (remote && gpu->llc.remote_ways) { /* the home's slices stand behind that part of the ways */
        struct gpu_request at_home = {.line = dirty->line,
                                      .domain = dirty->domain,
                                      .home = dirty->home,
                                      .sectors = dirty->sectors,
                                      .kind = ACCESS_WRITE};
        way_home_slices(&way, &at_home, true);
    } else {
        way_memory(&way, dirty->home);
    }
    way_act(&way, STEP_DONE, 0);
    gpu_send(gpu, id);
}

void gpu_write_home(struct gpu *gpu, const struct front_request *dirty)
{
    uint32_t id;
    struct flight *flight = gpu_other(gpu, dirty->line, &id);
    struct way way = way_begin(gpu, flight, dirty->line, ACCESS_WRITE, dirty->sectors);
    struct gpu_request request = {.line = dirty->line,
                                  .sm = dirty->domain * gpu->system.sms_per_domain,
                                  .domain = dirty->domain,
                                  .home = dirty->home,
                                  .sectors = dirty->sectors,
                                  .kind = ACCESS_WRITE};
    way_to_llc(&way, &request);
    way_act(&way, STEP_DONE, 0);
    gpu_send(gpu, id);
}

void gpu_move_pages(struct gpu *gpu, uint32_t from, uint32_t to, uint64_t line, uint64_t pages)
{
    uint32_t id;
    struct flight *flight = gpu_other(gpu, line, &id);
    struct way way = way_begin(gpu, flight, line, ACCESS_WRITE, 0);
    way.data = (double)(pages * gpu->system.page_bytes);
    way.kind = ACCESS_READ;
    way_memory(&way, from);
    way.kind = ACCESS_WRITE;
    if (other_chip(gpu, from, to))
        way_edges(&way, from, to, message_bytes(&gpu->system.inter, way.data));
    way_memory(&way, to);
    way_act(&way, STEP_DONE, 0);
    gpu_send(gpu, id);
}

uint16_t gpu_longest_way(const struct gpu *gpu)
{
    enum { WITHOUT_HOPS = 49 };
    const struct plant *plant = &gpu->plant;
    size_t routes = (size_t)plant->system->chips * plant->system->chips * PLANT_ROUTES;
    uint32_t most = 0;
    for (size_t i = 0; i < routes; i++)
        most = plant->routes[i].hops > most ? plant->routes[i].hops : most;
    uint32_t steps = WITHOUT_HOPS + 4 * most + 2 * (gpu->fronts.n + 1);
    uint32_t walk = translate_longest(&gpu->system, most);
    return (uint16_t)(steps > walk ? steps : walk);
}
