/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places for what is in flight. */
#include "simulate/gpu_internal.h"

struct gate *gate_of(struct gpu *gpu, const struct flight *flight)
{
    if (flight->beside_l1)
        return NULL;
    if (flight->past_l1)
        return &gpu->passing[flight->sm];
    if (flight->kind == FLIGHT_READ || flight->kind == FLIGHT_ATOMIC)
        return &gpu->mshrs[flight->node];
    return flight->kind == FLIGHT_WRITE ? &gpu->buffers[flight->sm] : NULL;
}

bool gate_enter(struct gpu *gpu, uint32_t id)
{
    struct flight *flight = flight_at(&gpu->flights, id);
    struct gate *gate = gate_of(gpu, flight);
    if (!gate || gate->room > 0) {
        if (gate)
            gate->room--;
        return true;
    }
    gpu->cores.cores[flight->sm].blocked++;
    flight->next = FLIGHT_NONE;
    if (gate->first == FLIGHT_NONE)
        gate->first = id;
    else
        flight_at(&gpu->flights, gate->last)->next = id;
    gate->last = id;
    return false;
}

uint32_t gate_leave(struct gpu *gpu, struct gate *gate)
{
    uint32_t id = gate->first;
    if (id == FLIGHT_NONE) {
        gate->room++;
        return CORE_NONE;
    }
    struct flight *flight = flight_at(&gpu->flights, id);
    gate->first = flight->next;
    flight->next = FLIGHT_NONE;
    gpu_send(gpu, id);
    return --gpu->cores.cores[flight->sm].blocked == 0 ? flight->sm : CORE_NONE;
}
