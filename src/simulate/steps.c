/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of a way: servers of stations, messages on crossbars, links and edges, latencies. */
#include "core/hash.h"
#include "simulate/way.h"
#include "trace/stream.h"

void way_act(const struct way *way, uint32_t action, uint32_t unit)
{
    flight_add(&way->gpu->flights, way->flight, (struct step){.server = action, .unit = unit});
}

void way_delay(const struct way *way, double latency_s)
{
    flight_delay(&way->gpu->flights, way->flight, latency_s);
}

void way_serve(const struct way *way, uint32_t station, uint32_t server, double amount)
{
    const struct plant_station *of = &way->gpu->plant.stations[station];
    struct step step = {.server = of->first + server, .service_s = amount * of->amount_s};
    if (amount > 0)
        flight_add(&way->gpu->flights, way->flight, step);
}

void way_visit(const struct way *way, uint32_t station, uint32_t server, double amount)
{
    if (station == PLANT_NONE)
        return;
    way_serve(way, station, server, amount);
    way_delay(way, way->gpu->plant.stations[station].latency_s);
}

static double message(const struct way *way, const struct message_sizes *m,
                      enum direction direction)
{
    double bytes = direction == THERE ? m->read_request_bytes : m->read_response_bytes + way->data;
    if (way->kind == ACCESS_WRITE || way->kind == ACCESS_ATOMIC)
        bytes = direction == THERE ? m->write_request_bytes + way->data : m->write_response_bytes;
    return message_bytes(m, bytes);
}

/* The port of the SM that asks; what leaves caches goes to any. */
static uint32_t port_of(const struct way *way, uint32_t ports)
{
    const struct system *system = &way->gpu->system;
    uint32_t sms = system->sms_per_chip;
    if (way->flight->kind == FLIGHT_OTHER)
        return hash_reduce(hash_fmix64(way->line), ports);
    return (uint32_t)((uint64_t)(way->flight->sm % sms) * ports / sms);
}

void way_crossbar(const struct way *way, uint32_t domain, enum direction direction)
{
    const struct plant *plant = &way->gpu->plant;
    uint32_t station = plant_find(plant, STATION_NOC, domain);
    uint32_t replies = plant_find(plant, STATION_NOC_REPLY, domain);
    if (direction == BACK && replies != PLANT_NONE)
        station = replies;
    uint32_t ports = station == PLANT_NONE ? 1 : plant->stations[station].units;
    way_visit(way, station, ports > 1 ? port_of(way, ports) : 0,
              message(way, &plant->system->noc, direction));
}

static const struct message_sizes raw = {.overhead = 1}; /* links and crossings carry bytes */

void way_link(const struct way *way, uint32_t domain, enum direction direction)
{
    way_visit(way, plant_find(&way->gpu->plant, STATION_P2P, domain), 0,
              message(way, &raw, direction));
}

/* Data come out of a port into a partition. */
void way_partitions(const struct way *way, uint32_t domain, uint32_t home, enum direction direction)
{
    const struct gpu *gpu = way->gpu;
    uint32_t to = direction == THERE ? home : domain;
    if (!system_crosses(&gpu->system, domain, home))
        return;
    way_visit(way, plant_find(&gpu->plant, STATION_CROSSING, to), 0, message(way, &raw, direction));
    way_delay(way, gpu->system.crossing_latency_s);
}

void way_edges(const struct way *way, uint32_t from, uint32_t to, double bytes)
{
    const struct plant *plant = &way->gpu->plant;
    const struct system *r = plant->system;
    uint32_t a = system_chip(r, from), b = system_chip(r, to);
    uint32_t k = (uint32_t)(hash_fmix64(way->line ^ 0x5bd1e995) % PLANT_ROUTES);
    const struct plant_route *route = &plant->routes[((size_t)a * r->chips + b) * PLANT_ROUTES + k];
    way->gpu->link_bytes += bytes;
    for (uint32_t hop = 0; hop < route->hops; hop++)
        way_visit(way, plant->of_edge[plant->hops.items[route->first + hop]], 0, bytes);
}

void way_cross(const struct way *way, uint32_t domain, uint32_t home, enum direction direction)
{
    double bytes = message(way, &way->gpu->system.inter, direction);
    if (direction == THERE)
        way_edges(way, domain, home, bytes);
    else
        way_edges(way, home, domain, bytes);
}

void way_memory(const struct way *way, uint32_t home)
{
    const struct plant *plant = &way->gpu->plant;
    uint32_t station = plant_find(plant, STATION_MEMORY, home);
    uint64_t hash = hash_fmix64(way->line ^ 0x9e3779b97f4a7c15ULL);
    const struct plant_station *of = &plant->stations[station];
    uint32_t channel = hash_reduce(hash, of->units);
    if (way->kind != ACCESS_WRITE || way->gpu->channels.n == 0) {
        way_visit(way, station, channel, way->data);
        return;
    }
    flight_add(&way->gpu->flights, way->flight,
               (struct step){.server = STEP_KEEP,
                             .unit = of->first + channel,
                             .service_s = way->data * of->amount_s});
}
