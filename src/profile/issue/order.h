/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of turns (profile/issue/issue.h): who stands where in a round, and what SMs did each
 * for itself put into that order. */
#ifndef BANDSCAPE_PROFILE_ORDER_H
#define BANDSCAPE_PROFILE_ORDER_H

#include "core/error.h"
#include "core/simd.h"
#include "machine/system.h"

/* The SM at each place of a round: the i-th SMs together, beginning with chip i mod chips.
 * free() it. */
uint32_t *order_places(const struct system *system);

/* A number that rises from turn to turn: of the place in a round. */
static inline uint64_t order_turn(uint32_t sms, uint32_t place, uint64_t round)
{
    uint32_t first = (uint32_t)(round % sms);
    return round * sms + (place >= first ? place - first : place + sms - first);
}

#define ORDER_END UINT64_MAX

struct order {
    uint32_t sms;
    uint32_t *sm_at, *place_of;
    uint64_t *next; /* by place: the round of the next turn that the SM has; ORDER_END: none */
};

void order_init(struct order *order, const struct system *system);
void order_fini(struct order *order);

static inline void order_set(struct order *order, uint32_t sm, uint64_t round)
{
    order->next[order->place_of[sm]] = round;
}

/* The turns of a round at some places. *any: there were any. */
typedef int order_take_fn(void *context, uint32_t sm, uint64_t *next, struct error *error);
INLINE int order_part(struct order *order, uint64_t round, uint32_t from, uint32_t to, bool *any,
                      order_take_fn *take, void *context, struct error *error)
{
    uint64_t *next = order->next;
    const uint32_t *sm_at = order->sm_at;
    for (uint32_t place = from; place < to; place++) {
        if (next[place] != round)
            continue;
        int status = take(context, sm_at[place], &next[place], error);
        if (status < 0)
            return status;
        *any = true;
    }
    return 0;
}

uint64_t order_earliest(const struct order *order);

/* Takes what there is in order: order_set() has been called for each SM. `take` takes the SM's next
 * turn and sets the round of the one behind it, a later one; 0 or a negative status. A function
 * that the compiler knows becomes part of the loop. */
INLINE int order_take(struct order *order, order_take_fn *take, void *context, struct error *error)
{
    uint64_t round = order_earliest(order);
    while (round != ORDER_END) {
        uint32_t first = (uint32_t)(round % order->sms), from = first, to = order->sms;
        bool any = false;
        for (int part = 0; part < 2; part++, from = 0, to = first) {
            int status = order_part(order, round, from, to, &any, take, context, error);
            if (status)
                return status;
        }
        round = any ? round + 1 : order_earliest(order);
    }
    return 0;
}

#endif
