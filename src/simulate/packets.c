/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets that wait, are filled, and leave. */
#include "simulate/packets.h"

#include <stdlib.h>

#include "profile/request.h"
#include "simulate/near.h"
#include "simulate/way.h"
#include "trace/coalesce.h"

/* Above all caches that lines are on their way to (way.c). */
enum { FIRST_UNIT = 1 << 30 };

void packets_init(struct packets *packets, const struct system *system)
{
    size_t pairs = (size_t)system->chips * system->chips;
    *packets = (struct packets){0};
    if (system->packets.pieces)
        packets->open = memory_zero(pairs, sizeof *packets->open);
}

void packets_fini(struct packets *packets)
{
    free(packets->open);
}

/* Pieces of the machine's size, from those of 4 bytes. */
static uint64_t pieces_of(const struct system *system, uint64_t fours)
{
    uint32_t each = (uint32_t)(system->packets.piece_bytes / 4);
    uint64_t out = 0;
    if (each == 1)
        return fours;
    for (uint32_t i = 0; i < 64 / each; i++)
        if (fours >> (i * each) & ((1ULL << each) - 1))
            out |= 1ULL << i;
    return out;
}

void packets_look(struct gpu *gpu, const struct warp_access *access, uint64_t line,
                  struct near *near)
{
    const struct system *system = &gpu->system;
    const struct pending_line *coming = pending_find(&gpu->pending, near->unit, line);
    near->pieces = pieces_of(system, coalesce_pieces(access, system->line_bytes, line));
    if (!coming || near->pieces & ~coming->pieces)
        return;
    gpu->started += sectors_count(near->missing);
    near->missing = 0;
    near->past = false; /* it takes no place of its own */
}

void way_packet(const struct way *way, uint32_t domain, uint32_t home, uint64_t pieces)
{
    const struct system *system = &way->gpu->system;
    uint32_t pair = system_chip(system, home) * system->chips + system_chip(system, domain);
    flight_add(&way->gpu->flights, way->flight,
               (struct step){.server = STEP_PACKET,
                             .unit = pair,
                             .service_s = (double)__builtin_popcountll(pieces)});
}

/* As a message over the links, with which those go on that wait for it. */
static void leave(struct gpu *gpu, uint32_t pair)
{
    const struct system *system = &gpu->system;
    struct packet *packet = &gpu->packets.open[pair];
    double data = system->packets.header_bytes + packet->pieces * system->packets.each_bytes;
    uint32_t per_chip = system->domains / system->chips, id;
    struct way way = {.gpu = gpu, .flight = gpu_other(gpu, packet->serial, &id)};
    way.line = packet->serial;
    way_edges(&way, pair / system->chips * per_chip, pair % system->chips * per_chip,
              message_bytes(&system->inter, data));
    way_act(&way, STEP_ARRIVED, FIRST_UNIT + pair);
    way_act(&way, STEP_DONE, 0);
    packet->pieces = 0;
    gpu_send(gpu, id);
}

static void begin(struct gpu *gpu, uint32_t pair)
{
    struct packet *packet = &gpu->packets.open[pair];
    double timeout_s = gpu->system.packets.timeout_s;
    packet->serial = gpu->packets.serial++;
    packet->leaves_s = gpu->engine.now + timeout_s;
    pending_add(&gpu->pending, FIRST_UNIT + pair, packet->serial);
    if (gpu->system.packets.pieces > 1)
        engine_at(&gpu->engine, packet->leaves_s, EVENT_PACKET, pair);
}

void packets_put(struct gpu *gpu, uint32_t id, const struct step *step)
{
    struct packet *packet = &gpu->packets.open[step->unit];
    for (uint32_t left = (uint32_t)step->service_s; left > 0; left--) {
        if (packet->pieces == 0)
            begin(gpu, step->unit);
        packet->pieces++;
        if (left == 1) {
            struct pending_line *coming =
                pending_find(&gpu->pending, FIRST_UNIT + step->unit, packet->serial);
            flight_at(&gpu->flights, id)->next = coming->waiting;
            coming->waiting = id;
        }
        if (packet->pieces == gpu->system.packets.pieces)
            leave(gpu, step->unit);
    }
}

bool packets_due(struct gpu *gpu, uint32_t pair)
{
    const struct packet *packet = &gpu->packets.open[pair];
    if (packet->pieces == 0 || gpu->engine.now < packet->leaves_s)
        return false;
    leave(gpu, pair);
    return true;
}
