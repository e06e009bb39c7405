/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels that stop. A level has so many MSHRs; a request that misses takes one until its line has
 * come, and those for a line that is under way share its MSHR. Where a miss finds none it waits at
 * the level's inlet, and what comes behind it waits too, hits and all: requests go in in order.
 *
 * A level that states no number of MSHRs has no inlet. The walkers of page tables are one whose
 * places are walks. */
#ifndef BANDSCAPE_SIMULATE_INLET_H
#define BANDSCAPE_SIMULATE_INLET_H

#include "machine/system.h"
#include "simulate/flight.h"

struct inlet {
    uint32_t room, places;
    uint32_t first, last;   /* of those that wait */
    double since_s, busy_s; /* places that are taken, over time, until since_s */
};

struct inlets {
    struct inlet *items;
    uint32_t front[MACHINE_LEVELS_MAX];  /* number of a level's first one, one a cache; */
    uint32_t llc;                        /* one a slice of each domain; */
    uint32_t tlb[MACHINE_TLBS_MAX];      /* one a TLB; */
    uint32_t beside[MACHINE_BESIDE_MAX]; /* one a cache beside L1; */
    uint32_t walkers, n;                 /* one a chip, or of the system */
};
#define INLET_NONE UINT32_MAX /* the level never stops */

void inlets_init(struct inlets *inlets, const struct system *system);
void inlets_fini(struct inlets *inlets);

/* The flight comes to it at that time: whether it goes on. `takes`: a place. */
bool inlet_enter(struct inlets *inlets, const struct flights *flights, uint32_t inlet, uint32_t id,
                 bool takes, double now_s);
/* A place is given back. */
void inlet_leave(struct inlets *inlets, uint32_t inlet, double now_s);
/* The next of those that waited and may go on now, to be called until there is none:
 * FLIGHT_NONE. */
uint32_t inlet_next(struct inlets *inlets, const struct flights *flights, uint32_t inlet,
                    double now_s);

/* Mean share of its places that were taken until now, times that time. */
double inlet_busy(const struct inlet *inlet, double now_s);

#endif
