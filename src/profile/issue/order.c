/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of turns. */
#include "profile/issue/order.h"

#include <stdlib.h>
#include <string.h>

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

/* --- ranks -------------------------------------------------------------------------- */

static int compare_ranks(const void *left, const void *right)
{
    const struct order_rank *a = left, *b = right;
    if (a->waits != b->waits)
        return a->waits < b->waits ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

void order_ranks_take(struct order_ranks *ranks, uint64_t round, bool all)
{
    ranks->period = (round - ranks->origin) / ranks->every;
    for (uint32_t place = 0; place < ranks->sms; place++) {
        uint32_t sm = ranks->sm_at[place];
        uint64_t more = all ? ranks->since[sm] + ranks->ahead[sm] : 0;
        ranks->ranked[place] =
            (struct order_rank){(ranks->waits[sm] + more) / ranks->warps, sm, place};
    }
    qsort(ranks->ranked, ranks->sms, sizeof *ranks->ranked, compare_ranks);
}

void order_ranks_part(struct order_ranks *ranks, uint64_t round)
{
    uint64_t start = round - (round - ranks->origin) % ranks->every;
    if (start == ranks->parted)
        return;
    for (uint32_t sm = 0; sm < ranks->sms; sm++) {
        ranks->waits[sm] += ranks->since[sm];
        ranks->since[sm] = 0;
    }
    ranks->parted = start;
}

void order_ranks_begin(struct order_ranks *ranks, uint64_t origin, uint64_t warps)
{
    ranks->warps = warps;
    ranks->origin = origin;
    memset(ranks->waits, 0, ranks->sms * sizeof *ranks->waits);
    memset(ranks->since, 0, ranks->sms * sizeof *ranks->since);
    memset(ranks->ahead, 0, ranks->sms * sizeof *ranks->ahead);
    ranks->parted = UINT64_MAX;
    order_ranks_take(ranks, origin, false);
}

void order_ranks_init(struct order_ranks *ranks, const struct system *system, bool shuffles)
{
    *ranks = (struct order_ranks){.sms = system->sms, .shuffles = shuffles};
    ranks->drawn = memory_zero(system->sms, sizeof *ranks->drawn);
    ranks->sm_at = order_places(system);
    ranks->every = system->stall ? system->stall : 1;
    ranks->waits = memory_zero(system->sms, sizeof *ranks->waits);
    ranks->since = memory_zero(system->sms, sizeof *ranks->since);
    ranks->ahead = memory_zero(system->sms, sizeof *ranks->ahead);
    ranks->ranked = memory_zero(system->sms, sizeof *ranks->ranked);
    order_ranks_begin(ranks, 0, 1);
}

void order_ranks_fini(struct order_ranks *ranks)
{
    free(ranks->sm_at);
    free(ranks->waits);
    free(ranks->since);
    free(ranks->ahead);
    free(ranks->ranked);
    free(ranks->drawn);
    *ranks = (struct order_ranks){0};
}

static int compare_drawn(const void *left, const void *right)
{
    const struct order_drawn *a = left, *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->sm < b->sm ? -1 : a->sm > b->sm;
}

/* So many equal SMs. */
static void shuffle(const struct order_ranks *ranks, uint64_t round, uint32_t *sms, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        ranks->drawn[i] = (struct order_drawn){order_hash(round, sms[i]), sms[i]};
    qsort(ranks->drawn, n, sizeof *ranks->drawn, compare_drawn);
    for (uint32_t i = 0; i < n; i++)
        sms[i] = ranks->drawn[i].sm;
}

void order_ranks_round(const struct order_ranks *ranks, uint64_t round, uint32_t *sms)
{
    uint32_t first = (uint32_t)(round % ranks->sms);
    for (uint32_t from = 0, to; from < ranks->sms; from = to) {
        const struct order_rank *equal = ranks->ranked + from;
        uint32_t n = 0, before = 0; /* of them, those whose places are before the first one */
        for (; from + n < ranks->sms && equal[n].waits == equal->waits; n++)
            before += equal[n].place < first;
        for (uint32_t i = 0; i < n; i++)
            sms[from + i] = equal[i + before < n ? i + before : i + before - n].sm;
        if (ranks->shuffles)
            shuffle(ranks, round, sms + from, n);
        to = from + n;
    }
}

/* --- turns -------------------------------------------------------------------------- */

void order_init(struct order *order, const struct system *system, const struct order_ranks *ranks)
{
    *order = (struct order){.sms = system->sms, .sm_at = order_places(system), .ranks = ranks};
    if (ranks)
        order->line = memory_alloc(system->sms * sizeof *order->line);
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
    free(order->line);
    *order = (struct order){0};
}

uint64_t order_earliest(const struct order *order)
{
    uint64_t earliest = ORDER_END;
    for (uint32_t place = 0; place < order->sms; place++)
        earliest = order->next[place] < earliest ? order->next[place] : earliest;
    return earliest;
}
