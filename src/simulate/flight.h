/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests in flight: the steps that each has before it, and the pool they live in. */
#ifndef BANDSCAPE_SIMULATE_FLIGHT_H
#define BANDSCAPE_SIMULATE_FLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLIGHT_NONE UINT32_MAX

/* What a step does; any other number is a server. */
#define STEP_DELAY 0xfffffff0u   /* latency_s alone */
#define STEP_WAIT 0xfffffff1u    /* until the line, if it is on its way there, has come to `unit` */
#define STEP_ARRIVED 0xfffffff2u /* it has: those that wait go on */
#define STEP_DONE 0xfffffff3u
#define STEP_WAIT_PAGE 0xfffffff4u    /* as STEP_WAIT, for the translation of its page */
#define STEP_ARRIVED_PAGE 0xfffffff5u /* as STEP_ARRIVED */
#define STEP_PLACE 0xfffffff6u        /* until there is an MSHR or a place of the write buffer */
#define STEP_ENTER 0xfffffff7u        /* through an inlet (inlet.h), where it takes a place, */
#define STEP_PASS 0xfffffff8u         /* or none */
#define STEP_LEAVE 0xfffffff9u        /* gives the place back */
#define STEP_KEEP 0xfffffffau         /* a write that its memory channel keeps back (channels.h) */
#define STEP_PACKET 0xfffffffbu       /* until all its pieces have come in packets (packets.h) */

struct step {
    uint32_t server; /* or one of the above */
    uint32_t unit; /* of STEP_WAIT and its like; the inlet; the channel's server; a pair of chips */
    double service_s; /* of STEP_PACKET: its pieces */
    double latency_s; /* behind the service */
};

enum flight_kind {
    FLIGHT_READ,   /* a warp waits; holds an MSHR */
    FLIGHT_ATOMIC, /* the same */
    FLIGHT_HIT,    /* a warp waits for a line that L1 has, or will have */
    FLIGHT_WRITE,  /* holds a place of the write buffer */
    FLIGHT_OTHER   /* lines written back, invalidations, pages: nobody waits */
};

struct flight {
    double issued_s;
    uint64_t line, page;
    uint32_t next;     /* of the list it is in */
    uint32_t sm, slot; /* whose */
    uint32_t node;     /* whose MSHR or buffer */
    uint32_t requests; /* sectors */
    uint16_t n_steps, at;
    uint8_t kind, origin;
    uint8_t access; /* of the warp (simulate/cores.h) */
    bool past_l1;   /* a read that did not look it up: it needs no MSHR there */
    bool beside_l1; /* a read of a cache beside it: the same, and no place for those past it */
    struct step steps[];
};

struct flights {
    unsigned char **chunks;
    size_t n_chunks, used, in_flight;
    size_t size;    /* of a flight with its steps */
    uint16_t steps; /* room */
    uint32_t free;
};

void flights_init(struct flights *flights, uint16_t steps);
void flights_fini(struct flights *flights);

enum { FLIGHT_CHUNK_BITS = 12 };
static inline struct flight *flight_at(const struct flights *flights, uint32_t id)
{
    size_t in = id & ((1u << FLIGHT_CHUNK_BITS) - 1);
    return (struct flight *)(void *)(flights->chunks[id >> FLIGHT_CHUNK_BITS] + in * flights->size);
}

/* Without steps; the rest is the caller's to set. */
uint32_t flights_take(struct flights *flights);
void flights_give(struct flights *flights, uint32_t id);

/* Adds a step. Latencies join the step before them. */
void flight_add(const struct flights *flights, struct flight *flight, struct step step);
void flight_delay(const struct flights *flights, struct flight *flight, double latency_s);

#endif
