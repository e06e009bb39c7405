/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of turns (profile/issue/issue.h): who stands where in a round, and what SMs did each
 * for itself put into that order. */
#ifndef BANDSCAPE_PROFILE_ORDER_H
#define BANDSCAPE_PROFILE_ORDER_H

#include "core/error.h"
#include "core/hash.h"
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

/* Who is first by what SMs have waited (page.ties: waits). In time an SM that waits less is ahead,
 * touches first what all touch next, finds it near itself and waits less again; rounds are as long
 * for all. So of the SMs of a round those come first that made fewer accesses in this launch which
 * wait for remote lines, asked for by them or on their way for others of the SM, in whole accesses
 * a warp that they hold: less is no lead that lasts. Equals come in turn, or as if by chance
 * (`shuffles`), by a hash of round and SM. Waits count when they are over: SMs are ranked anew
 * every sm.stall rounds since the launch began, by all before. */
struct order_ranks {
    uint32_t sms, every;     /* every: rounds */
    uint64_t warps;          /* of an SM, at a time */
    uint64_t origin, period; /* the launch's first round; which of its periods these are of */
    uint32_t *sm_at;         /* at places */
    bool shuffles;
    /* By SM: such accesses before that round (UINT64_MAX: all), and since then, as far as they are
     * told; and of what follows, up to the period that ranks are taken for. */
    uint64_t parted, *waits, *since, *ahead;
    struct order_rank {
        uint64_t waits; /* a warp */
        uint32_t sm, place;
    } * ranked;
    struct order_drawn {
        uint64_t hash;
        uint32_t sm;
    } * drawn; /* room for all */
};

void order_ranks_init(struct order_ranks *ranks, const struct system *system, bool shuffles);
void order_ranks_fini(struct order_ranks *ranks);
/* A launch whose first round that is, and of which an SM holds so many warps (at least 1): all are
 * equal. */
void order_ranks_begin(struct order_ranks *ranks, uint64_t origin, uint64_t warps);
/* Whether a round is of another period; then they are to be ranked, all before being counted. */
static inline bool order_ranks_end(const struct order_ranks *ranks, uint64_t round)
{
    return (round - ranks->origin) / ranks->every != ranks->period;
}
/* By waits before `parted`; `all`: by those since then and ahead, too. */
void order_ranks_take(struct order_ranks *ranks, uint64_t round, bool all);
/* Waits are told from now on: those before the period of a round, and those since it began. */
void order_ranks_part(struct order_ranks *ranks, uint64_t round);
static inline void order_ranks_count(struct order_ranks *ranks, uint32_t sm, uint64_t round)
{
    (round < ranks->parted ? ranks->waits : ranks->since)[sm]++;
}
/* All SMs in the order of a round. */
void order_ranks_round(const struct order_ranks *ranks, uint64_t round, uint32_t *sms);
/* By which equals come where ranks shuffle, the least first. */
static inline uint64_t order_hash(uint64_t round, uint32_t sm)
{
    return hash_fmix64(round * 0x9e3779b97f4a7c15ULL + sm);
}

#define ORDER_END UINT64_MAX

struct order {
    uint32_t sms;
    uint32_t *sm_at, *place_of;
    uint64_t *next; /* by place: the round of the next turn that the SM has; ORDER_END: none */
    const struct order_ranks *ranks; /* NULL: in turn */
    uint32_t *line;                  /* SMs of a round, by ranks */
};

/* `ranks` must outlive it, or NULL. */
void order_init(struct order *order, const struct system *system, const struct order_ranks *ranks);
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

/* The same of a round by ranks. */
INLINE int order_line(struct order *order, uint64_t round, bool *any, order_take_fn *take,
                      void *context, struct error *error)
{
    order_ranks_round(order->ranks, round, order->line);
    for (uint32_t i = 0; i < order->sms; i++) {
        uint32_t sm = order->line[i];
        uint64_t *next = &order->next[order->place_of[sm]];
        if (*next != round)
            continue;
        int status = take(context, sm, next, error);
        if (status < 0)
            return status;
        *any = true;
    }
    return 0;
}

uint64_t order_earliest(const struct order *order);

/* Takes what there is before a round (ORDER_END: all) in order: order_set() has been called for
 * each SM. `take` takes the SM's next turn and sets the round of the one behind it, a later one; 0
 * or a negative status. A function that the compiler knows becomes part of the loop. */
INLINE int order_take(struct order *order, uint64_t until, order_take_fn *take, void *context,
                      struct error *error)
{
    uint64_t round = order_earliest(order);
    while (round < until) {
        uint32_t first = (uint32_t)(round % order->sms), from = first, to = order->sms;
        bool any = false;
        if (order->ranks) {
            int status = order_line(order, round, &any, take, context, error);
            if (status)
                return status;
        }
        for (int part = 0; part < 2 && !order->ranks; part++, from = 0, to = first) {
            int status = order_part(order, round, from, to, &any, take, context, error);
            if (status)
                return status;
        }
        round = any ? round + 1 : order_earliest(order);
    }
    return 0;
}

#endif
