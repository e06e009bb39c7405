/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queue of events. */
#include "simulate/engine.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

enum { CHILDREN = 4 };

/* Of the order among events of one time: behind all serial numbers. */
#define CHANCE (1ULL << 63)

void engine_init(struct engine *engine)
{
    *engine = (struct engine){0};
}

void engine_fini(struct engine *engine)
{
    VECTOR_FREE(engine);
}

static inline bool event_before(const struct event *a, const struct event *b)
{
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void enter(struct engine *engine, struct event event)
{
    VECTOR_PUSH(engine, event);
    struct event *items = engine->items;
    size_t at = engine->count - 1;
    while (at > 0) {
        size_t parent = (at - 1) / CHILDREN;
        if (!event_before(&event, &items[parent]))
            break;
        items[at] = items[parent];
        at = parent;
    }
    items[at] = event;
}

uint64_t engine_at(struct engine *engine, double time, uint32_t kind, uint32_t id)
{
    uint64_t serial = engine->serial++;
    enter(engine, (struct event){time, serial, serial, kind, id});
    return serial;
}

void engine_at_chance(struct engine *engine, double time, uint32_t kind, uint32_t id)
{
    uint64_t serial = engine->serial++;
    enter(engine,
          (struct event){time, CHANCE | hash_fmix64(serial ^ engine->chance), serial, kind, id});
}

bool engine_next(struct engine *engine, struct event *out)
{
    struct event *items = engine->items;
    if (engine->count == 0)
        return false;
    *out = items[0];
    engine->now = out->time;
    struct event last = items[--engine->count];
    size_t count = engine->count, at = 0, child;
    while ((child = CHILDREN * at + 1) < count) {
        size_t end = child + CHILDREN < count ? child + CHILDREN : count, first = child;
        for (size_t i = child + 1; i < end; i++)
            if (event_before(&items[i], &items[first]))
                first = i;
        if (!event_before(&items[first], &last))
            break;
        items[at] = items[first];
        at = first;
    }
    items[at] = last;
    return true;
}
