/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Discrete events: a queue of what happens when, and stations that serve first
 * come, first served.
 *
 * Events are taken in the order of their times; those of one time in the order in
 * which they were entered, or by chance, which is the same on every machine.
 *
 * A station of first come, first served needs no event of its own: as customers
 * arrive in the order of time, an arrival knows at once when its service ends
 * (Lindley, 1952): the later of now and the time at which the server is free. */
#ifndef BANDSCAPE_SIMULATE_ENGINE_H
#define BANDSCAPE_SIMULATE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
    double time;
    uint64_t order;  /* among those of one time */
    uint64_t serial; /* unique; the order of entry */
    uint32_t kind, id;
};

/* A heap with four children a node (Johnson, 1975): half as deep as a binary one, and the
 * children of a node are neighbours in memory. */
struct engine {
    double now; /* time of the last event taken */
    uint64_t serial;
    uint64_t chance; /* other ones order what falls on the same time in other ways */
    struct event *items;
    size_t count, capacity;
};

void engine_init(struct engine *engine);
void engine_fini(struct engine *engine);

/* Enters an event, not before now; its serial number. */
uint64_t engine_at(struct engine *engine, double time, uint32_t kind, uint32_t id);

/* One of many that fall on the same time again and again, of which none may always be the first
 * (SMs that go in step, and touch pages): behind the others of its time, in an order of chance. */
void engine_at_chance(struct engine *engine, double time, uint32_t kind, uint32_t id);

/* Takes the next one; false when there is none. */
bool engine_next(struct engine *engine, struct event *out);

/* One server. */
struct server {
    double free_s; /* when it has nothing left to do */
    double work_s; /* service of all that arrived */
};

/* When an arrival's service ends. */
static inline double server_take(struct server *server, double now_s, double service_s)
{
    double start = server->free_s > now_s ? server->free_s : now_s;
    server->free_s = start + service_s;
    server->work_s += service_s;
    return server->free_s;
}

/* Time it has been busy until now: what arrived but for what is still to be done. */
static inline double server_busy(const struct server *server, double now_s)
{
    return server->work_s - (server->free_s > now_s ? server->free_s - now_s : 0.0);
}

/* `n` equal servers with one queue: the one that is free first. */
static inline struct server *server_first(struct server *servers, int n)
{
    struct server *first = servers;
    for (int i = 1; i < n; i++)
        if (servers[i].free_s < first->free_s)
            first = &servers[i];
    return first;
}

#endif
