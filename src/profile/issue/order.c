/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of turns. */
#include "profile/issue/order.h"

#include <stdlib.h>

#include "core/memory.h"

uint32_t *order_places(const struct system *system)
{
    uint32_t *sm_at = memory_alloc(system->sms * sizeof *sm_at), chips = system->chips;
    for (uint32_t place = 0; place < system->sms; place++) {
        uint32_t i = place / chips, chip = (place + i) % chips;
        sm_at[place] = chip * system->sms_per_chip + i;
    }
    return sm_at;
}

void order_init(struct order *order, const struct system *system)
{
    *order = (struct order){.sms = system->sms, .sm_at = order_places(system)};
    order->place_of = memory_alloc(system->sms * sizeof *order->place_of);
    order->next = memory_alloc(system->sms * sizeof *order->next);
    for (uint32_t place = 0; place < system->sms; place++) {
        order->place_of[order->sm_at[place]] = place;
        order->next[place] = ORDER_END;
    }
}

void order_fini(struct order *order)
{
    free(order->sm_at);
    free(order->place_of);
    free(order->next);
    *order = (struct order){0};
}

/* The turns of a round at some places. *any: there were any. */
static int order_part(struct order *order, uint64_t round, uint32_t from, uint32_t to, bool *any,
                      order_take_fn *take, void *context, struct error *error)
{
    uint64_t *next = order->next;
    for (uint32_t place = from; place < to; place++) {
        if (next[place] != round)
            continue;
        int status = take(context, order->sm_at[place], &next[place], error);
        if (status < 0)
            return status;
        *any = true;
    }
    return 0;
}

static uint64_t order_earliest(const struct order *order)
{
    uint64_t earliest = ORDER_END;
    for (uint32_t place = 0; place < order->sms; place++)
        earliest = order->next[place] < earliest ? order->next[place] : earliest;
    return earliest;
}

int order_take(struct order *order, order_take_fn *take, void *context, struct error *error)
{
    uint64_t round = order_earliest(order);
    while (round != ORDER_END) {
        uint32_t first = (uint32_t)(round % order->sms);
        bool any = false;
        int status = order_part(order, round, first, order->sms, &any, take, context, error);
        if (!status)
            status = order_part(order, round, 0, first, &any, take, context, error);
        if (status)
            return status;
        round = any ? round + 1 : order_earliest(order);
    }
    return 0;
}
