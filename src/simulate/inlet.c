/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of levels, and who waits for them. */
#include "simulate/inlet.h"

#include <stdlib.h>

#include "core/memory.h"

/* Inlets of one level with so many places each; 0: it has none. */
static uint32_t number(struct inlets *inlets, uint32_t places, uint32_t count)
{
    uint32_t first = inlets->n;
    if (places == 0)
        return INLET_NONE;
    inlets->items = memory_resize(inlets->items, first + count, sizeof *inlets->items);
    for (uint32_t i = 0; i < count; i++)
        inlets->items[first + i] = (struct inlet){
            .room = places, .places = places, .first = FLIGHT_NONE, .last = FLIGHT_NONE};
    inlets->n += count;
    return first;
}

void inlets_init(struct inlets *inlets, const struct system *system)
{
    const struct system_translation *t = &system->translation;
    const struct system_level *llc = system_llc(system);
    *inlets = (struct inlets){0};
    for (uint32_t i = 0; i < system_between(system); i++)
        inlets->front[i] =
            number(inlets, system_level(system, i)->mshrs, system_level(system, i)->caches);
    inlets->llc = number(inlets, llc->mshrs, system->domains * llc->slices);
    for (uint32_t i = 0; i < t->n; i++)
        inlets->tlb[i] = number(inlets, t->tlbs[i].mshrs, t->tlbs[i].caches);
    for (uint32_t i = 0; i < system->beside.n; i++)
        inlets->beside[i] =
            number(inlets, system->beside.levels[i].mshrs, system->beside.levels[i].caches);
    inlets->walkers = number(inlets, t->n ? t->walkers : 0, t->shared ? 1 : system->chips);
}

void inlets_fini(struct inlets *inlets)
{
    free(inlets->items);
}

static void keep_time(struct inlet *inlet, double now_s)
{
    inlet->busy_s = inlet_busy(inlet, now_s);
    inlet->since_s = now_s;
}

double inlet_busy(const struct inlet *inlet, double now_s)
{
    double taken = (double)(inlet->places - inlet->room) / inlet->places;
    return inlet->busy_s + taken * (now_s - inlet->since_s);
}

/* Whether a flight at the head of the queue may go on; it then has its place. */
static bool admit(struct inlet *inlet, bool takes, double now_s)
{
    if (takes && inlet->room == 0)
        return false;
    if (takes) {
        keep_time(inlet, now_s);
        inlet->room--;
    }
    return true;
}

bool inlet_enter(struct inlets *inlets, const struct flights *flights, uint32_t number, uint32_t id,
                 bool takes, double now_s)
{
    struct inlet *inlet = &inlets->items[number];
    if (inlet->first == FLIGHT_NONE && admit(inlet, takes, now_s))
        return true;
    flight_at(flights, id)->next = FLIGHT_NONE;
    if (inlet->first == FLIGHT_NONE)
        inlet->first = id;
    else
        flight_at(flights, inlet->last)->next = id;
    inlet->last = id;
    return false;
}

void inlet_leave(struct inlets *inlets, uint32_t number, double now_s)
{
    struct inlet *inlet = &inlets->items[number];
    keep_time(inlet, now_s);
    inlet->room++;
}

uint32_t inlet_next(struct inlets *inlets, const struct flights *flights, uint32_t number,
                    double now_s)
{
    struct inlet *inlet = &inlets->items[number];
    uint32_t id = inlet->first;
    if (id == FLIGHT_NONE)
        return id;
    /* It stands behind the step at which it came. */
    struct flight *flight = flight_at(flights, id);
    if (!admit(inlet, flight->steps[flight->at - 1].server == STEP_ENTER, now_s))
        return FLIGHT_NONE;
    inlet->first = flight->next;
    flight->next = FLIGHT_NONE;
    return id;
}
