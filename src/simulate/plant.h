/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stations of a machine as servers: every slice, channel, L1 node and directed edge
 * by itself. What they are, their rates, latencies and messages comes from
 * machine/system.h, the same for models. */
#ifndef BANDSCAPE_SIMULATE_PLANT_H
#define BANDSCAPE_SIMULATE_PLANT_H

#include "machine/system.h"
#include "simulate/engine.h"

#define PLANT_NONE UINT32_MAX

/* The servers of one station. */
struct plant_station {
    uint32_t first, units; /* servers */
    double amount_s;       /* service of a byte, or what the kind counts, by one of them */
    double latency_s;
};

/* A way over the links: edges, by their numbers. */
struct plant_route {
    uint32_t first, hops; /* in plant->hops */
};
enum { PLANT_ROUTES = 8 }; /* between two chips, where shortest ways are not unique */

struct plant {
    const struct system *system;
    struct plant_station *stations; /* as system->stations */
    struct server *servers;
    uint32_t n_servers;
    uint32_t *of_domain[STATION_KIND_COUNT]; /* [domain]: station; NULL: no such kind */
    uint32_t *of_edge;                       /* [edge]: station */
    struct plant_route *routes;              /* [(from * chips + to) * PLANT_ROUTES + k] */
    struct {
        uint32_t *items;
        size_t count, capacity;
    } hops;
};

/* The system must outlive it. */
void plant_init(struct plant *plant, const struct system *system);
void plant_fini(struct plant *plant);

/* The station of a kind that serves a domain, or PLANT_NONE. */
static inline uint32_t plant_find(const struct plant *plant, enum station_kind kind,
                                  uint32_t domain)
{
    return plant->of_domain[kind] ? plant->of_domain[kind][domain] : PLANT_NONE;
}

/* Work done by all servers of a station until now: seconds. */
double plant_busy(const struct plant *plant, uint32_t station, double now_s);

#endif
