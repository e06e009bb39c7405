/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pool of flights, in chunks that stay where they are. */
#include "simulate/flight.h"

#include <stdlib.h>

#include "core/memory.h"

void flights_init(struct flights *flights, uint16_t steps)
{
    size_t size = sizeof(struct flight) + steps * sizeof(struct step);
    *flights = (struct flights){.size = (size + 7) / 8 * 8, .steps = steps, .free = FLIGHT_NONE};
}

void flights_fini(struct flights *flights)
{
    for (size_t i = 0; i < flights->n_chunks; i++)
        free(flights->chunks[i]);
    free(flights->chunks);
}

uint32_t flights_take(struct flights *flights)
{
    uint32_t id = flights->free;
    if (id != FLIGHT_NONE) {
        flights->free = flight_at(flights, id)->next;
    } else {
        id = (uint32_t)flights->used++;
        if (id >> FLIGHT_CHUNK_BITS == flights->n_chunks) {
            flights->chunks =
                memory_resize(flights->chunks, flights->n_chunks + 1, sizeof *flights->chunks);
            flights->chunks[flights->n_chunks++] = memory_alloc(flights->size << FLIGHT_CHUNK_BITS);
        }
    }
    struct flight *flight = flight_at(flights, id);
    *flight = (struct flight){.next = FLIGHT_NONE};
    flights->in_flight++;
    return id;
}

void flights_give(struct flights *flights, uint32_t id)
{
    flight_at(flights, id)->next = flights->free;
    flights->free = id;
    flights->in_flight--;
}

void flight_add(const struct flights *flights, struct flight *flight, struct step step)
{
    if (flight->n_steps < flights->steps)
        flight->steps[flight->n_steps++] = step;
    else
        abort(); /* the longest way is known when the pool is made */
}

void flight_delay(const struct flights *flights, struct flight *flight, double latency_s)
{
    if (latency_s == 0)
        return;
    struct step *last = flight->n_steps ? &flight->steps[flight->n_steps - 1] : NULL;
    if (last && (last->server <= STEP_DELAY))
        last->latency_s += latency_s;
    else
        flight_add(flights, flight, (struct step){.server = STEP_DELAY, .latency_s = latency_s});
}
