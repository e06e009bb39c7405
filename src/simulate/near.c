/* SPDX-License-Identifier: GPL-3.0-or-later */
/* L1 and caches beside it: lookups, and the way through the latter. */
#include "simulate/near.h"

#include "simulate/packets.h"
#include "simulate/setup.h"

static uint32_t count_awaited(const void *context, uint32_t node, const uint64_t *places,
                              uint32_t n)
{
    const struct gpu *gpu = context;
    uint32_t count = 0;
    while (count < n && places[count] && pending_find(&gpu->pending, node, places[count] - 1))
        count++;
    return count;
}

void near_arrived(struct gpu *gpu, uint32_t sm, uint64_t line)
{
    l1_arrived(&gpu->l1, sm, line, &(struct l1_awaited){gpu, count_awaited});
}

static uint32_t l1_missing(struct gpu *gpu, const struct warp_access *access, uint32_t sm,
                           uint64_t line, uint32_t wanted, bool remote, bool *past)
{
    bool bypass = remote && system_l1(&gpu->system)->bypassed_remote, looked_up = true;
    uint32_t missing;
    if (gpu->forced_l1.rate < 0 || access->kind != ACCESS_READ)
        missing = l1_take(&gpu->l1, access, sm, line, wanted, bypass,
                          &(struct l1_awaited){gpu, count_awaited}, &looked_up);
    else
        missing = simulate_forced_hit(&gpu->forced_l1) ? 0 : wanted;
    *past = !looked_up && access->kind == ACCESS_READ && gpu->l1.contents != L1_NONE;
    gpu->l1_reads += looked_up;
    gpu->l1_remote_reads += looked_up && remote;
    gpu->l1_hits += looked_up && missing == 0;
    return missing;
}

static uint32_t beside_missing(struct gpu *gpu, int beside, uint32_t sm, uint64_t line,
                               uint32_t wanted)
{
    uint32_t missing = beside_read(&gpu->beside, beside, sm, line, wanted);
    gpu->beside_lookups[beside]++;
    gpu->beside_hits[beside] += missing == 0;
    return missing;
}

/* Numbered behind TLBs (translate.c). */
static uint32_t unit_of_beside(const struct gpu *gpu, int beside, uint32_t sm)
{
    const struct system *s = &gpu->system;
    return gpu->l1.nodes + (MACHINE_LEVELS_MAX + MACHINE_TLBS_MAX + (uint32_t)beside) * s->sms +
           s->domains + beside_which(&gpu->beside, beside, sm);
}

struct near near_look_up(struct gpu *gpu, const struct warp_access *access, uint32_t sm,
                         uint64_t line, uint32_t wanted, bool remote)
{
    struct near near = {.beside = beside_serves(&gpu->beside, access)};
    gpu->looked_up_s = gpu->engine.now;
    if (near.beside >= 0) {
        near.missing = beside_missing(gpu, near.beside, sm, line, wanted);
        near.unit = unit_of_beside(gpu, near.beside, sm);
    } else {
        gpu->looked_up_s = simulate_look_up(gpu, sm);
        near.missing = l1_missing(gpu, access, sm, line, wanted, remote, &near.past);
        near.unit = l1_node(&gpu->l1, sm, line);
    }
    near.asked = near.missing;
    if (near.past && remote && gpu->system.packets.pieces)
        packets_look(gpu, access, line, &near);
    return near;
}

/* A lookup takes a line, or a sector of it. */
void near_way(const struct way *way, int beside, uint32_t sm, bool takes)
{
    const struct gpu *gpu = way->gpu;
    uint32_t domain = system_domain(&gpu->system, sm), inlet = gpu->inlets.beside[beside];
    if (inlet != INLET_NONE)
        way_act(way, takes ? STEP_ENTER : STEP_PASS,
                inlet + beside_which(&gpu->beside, beside, sm));
    uint32_t station = plant_find(&gpu->plant, station_of_beside(beside), domain);
    if (station != PLANT_NONE)
        way_visit(way, station,
                  beside_which(&gpu->beside, beside, sm) % gpu->plant.stations[station].units,
                  gpu->system.request_bytes);
    way_delay(way, gpu->system.beside.levels[beside].latency_s);
}

void near_filled(const struct way *way, int beside, uint32_t sm)
{
    uint32_t inlet = way->gpu->inlets.beside[beside];
    if (inlet != INLET_NONE)
        way_act(way, STEP_LEAVE, inlet + beside_which(&way->gpu->beside, beside, sm));
}
