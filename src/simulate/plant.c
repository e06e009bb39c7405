/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Servers and routes. */
#include "simulate/plant.h"

#include <stdlib.h>

#include "core/memory.h"

/* Kinds of a direction each: the second one's servers follow the first one's. */
static bool two_directions(enum station_kind kind)
{
    return kind == STATION_NOC1 || kind == STATION_NOC2;
}

static void place_stations(struct plant *plant)
{
    const struct system *r = plant->system;
    for (size_t i = 0; i < r->stations.count; i++) {
        const struct station *resource = &r->stations.items[i];
        struct plant_station *station = &plant->stations[i];
        *station = (struct plant_station){
            .first = plant->n_servers,
            .units = resource->units,
            .amount_s = resource->units / resource->rate,
            .latency_s = resource->latency_s,
        };
        plant->n_servers += resource->units * (two_directions(resource->kind) ? 2 : 1);
        if (resource->kind == STATION_EDGE) {
            plant->of_edge[resource->place] = (uint32_t)i;
            continue;
        }
        uint32_t **of = &plant->of_domain[resource->kind];
        if (!*of) {
            *of = memory_alloc(r->domains * sizeof **of);
            for (uint32_t d = 0; d < r->domains; d++)
                (*of)[d] = PLANT_NONE;
        }
        for (uint32_t d = 0; d < r->domains; d++)
            if ((resource->per_chip ? system_chip(r, d) : d) == resource->place)
                (*of)[d] = (uint32_t)i;
    }
}

/* One of the shortest ways: at each node the edge at which the shares of those that leave
 * it pass `part`, so that several ways split as system_route() says. */
static struct plant_route walk(struct plant *plant, uint32_t from, uint32_t to, double part)
{
    const struct link_graph *links = &plant->system->links;
    const double *share = system_route(plant->system, from, to);
    struct plant_route route = {(uint32_t)plant->hops.count, 0};
    for (uint32_t node = from; node != to;) {
        double all = 0, sum = 0;
        uint32_t next = PLANT_NONE;
        for (uint32_t e = 0; e < links->edges.count; e++)
            all += links->edges.items[e].from == node ? share[e] : 0;
        for (uint32_t e = 0; e < links->edges.count; e++) {
            if (links->edges.items[e].from != node || share[e] == 0)
                continue;
            next = e;
            if (part * all < sum + share[e]) {
                part = (part * all - sum) / share[e]; /* where it stands within that edge's */
                break;
            }
            sum += share[e];
        }
        VECTOR_PUSH(&plant->hops, next);
        node = links->edges.items[next].to;
        route.hops++;
    }
    return route;
}

static void find_routes(struct plant *plant)
{
    uint32_t chips = plant->system->chips;
    plant->routes = memory_zero((size_t)chips * chips * PLANT_ROUTES, sizeof *plant->routes);
    if (plant->system->links.edges.count == 0)
        return;
    for (uint32_t from = 0; from < chips; from++)
        for (uint32_t to = 0; to < chips; to++)
            for (uint32_t k = 0; k < PLANT_ROUTES; k++)
                plant->routes[((size_t)from * chips + to) * PLANT_ROUTES + k] =
                    walk(plant, from, to, (k + 0.5) / PLANT_ROUTES);
}

void plant_init(struct plant *plant, const struct system *system)
{
    *plant = (struct plant){.system = system};
    plant->stations = memory_zero(plant->system->stations.count, sizeof *plant->stations);
    plant->of_edge = memory_zero(plant->system->links.edges.count, sizeof *plant->of_edge);
    place_stations(plant);
    plant->servers = memory_zero(plant->n_servers, sizeof *plant->servers);
    find_routes(plant);
}

void plant_fini(struct plant *plant)
{
    for (int kind = 0; kind < STATION_KIND_COUNT; kind++)
        free(plant->of_domain[kind]);
    free(plant->of_edge);
    free(plant->stations);
    free(plant->servers);
    free(plant->routes);
    VECTOR_FREE(&plant->hops);
}

double plant_busy(const struct plant *plant, uint32_t station, double now_s)
{
    const struct plant_station *of = &plant->stations[station];
    double busy[2] = {0, 0};
    int directions = two_directions(plant->system->stations.items[station].kind) ? 2 : 1;
    for (int direction = 0; direction < directions; direction++)
        for (uint32_t unit = 0; unit < of->units; unit++)
            busy[direction] += server_busy(
                &plant->servers[of->first + (uint32_t)direction * of->units + unit], now_s);
    return busy[0] > busy[1] ? busy[0] : busy[1];
}
