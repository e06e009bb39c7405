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

uint64_t order_earliest(const struct order *order)
{
    uint64_t earliest = ORDER_END;
    for (uint32_t place = 0; place < order->sms; place++)
        earliest = order->next[place] < earliest ? order->next[place] : earliest;
    return earliest;
}
