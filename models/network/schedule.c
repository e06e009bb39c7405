/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps of one SM, as fluids: between two ends of warps each has a rate. */
#include "network/schedule.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/memory.h"

enum { LANES = 8 }; /* warps that go on beside each other */

/* Warps by age, those before `first` have ended: of two that run the older one has no more bursts
 * left, as blocks begin one behind another with as many and an older warp never goes slower. So the
 * oldest one ends first, and whoever ends with it stands behind it. */
struct running {
    const struct schedule_sm *sm;
    const struct schedule_warp *warp;
    double chance,
        round;        /* share of the time by chance; warps that go round where they are alike */
    double *left;     /* [begun warp]: bursts; room for whole lanes at the end */
    double *together; /* [k]: X(k), of k warps */
    double *alone;    /* [i]: X(i + 1) - X(i), what the i-th has beside all older ones */
    double *rate;     /* [running warp]: bursts a second, of a step; whole lanes */
    double wait_s;    /* Z of those that go round; */
    uint32_t starved, seen; /* oldest first: of those that were there when they began, before
                             * `seen`, others from `starved` on had no slot */
    double rated;           /* warps that went round when they were worked out, */
    uint32_t going;         /* of which so many have any: the oldest */
    uint32_t first, count;  /* of those that run */
    double *began_s;        /* [block] */
    uint32_t begun, blocks;
    double bursts, now_s;
};

/* Until k warps, one of which begins after the other, have had a burst and that wait. */
static double round_of(enum schedule_order order, double k, const struct schedule_warp *warp,
                       double wait_s, double held_s)
{
    double first_s = warp->burst_s;
    if (order == SCHEDULE_TURNS)
        first_s *= ((warp->accesses - 1) * k + 1) / warp->accesses;
    return fmax(k * fmax(warp->burst_s, held_s), first_s + wait_s);
}

/* Oldest first, who waits for a line that another one has asked for has it when that one has. */
static double by_chance(enum schedule_order order, const struct schedule_warp *warp)
{
    double differ_s = warp->differ_s * (order == SCHEDULE_OLDEST ? 1 - warp->together : 1);
    double all_s = differ_s + warp->burst_s;
    return isfinite(differ_s) && all_s > 0 ? differ_s / all_s : 1;
}

/* X(k) by chance. */
static void solve_chance(double *together, uint32_t most, const struct schedule_warp *warp)
{
    double queue = 0;
    together[0] = 0;
    for (uint32_t k = 1; k <= most; k++) {
        double residence = warp->burst_s * (1 + queue);
        together[k] = k / (residence + warp->wait_s);
        queue = together[k] * residence;
    }
    for (uint32_t k = 1; k <= most && warp->held_s > 0; k++)
        together[k] = fmin(together[k], 1 / warp->held_s);
}

/* In turn, a share of waits together. */
static void solve_in_turn(double *together, uint32_t most, enum schedule_order order,
                          const struct schedule_warp *warp)
{
    double bursts = 0, share = warp->together, chance = by_chance(order, warp),
           held[SCHEDULE_KINDS];
    for (uint32_t k = 1; k <= most; k++)
        together[k] = chance * together[k] +
                      (1 - chance) * k / round_of(order, k, warp, warp->wait_s, warp->held_s);
    for (int i = 0; i < SCHEDULE_KINDS; i++) {
        bursts += warp->kinds[i].bursts;
        held[i] = 0;
    }
    if (warp->kinds[SCHEDULE_KINDS - 1].bursts > 0) /* lines are those of waits behind L1 */
        held[SCHEDULE_KINDS - 1] = warp->held_s * bursts / warp->kinds[SCHEDULE_KINDS - 1].bursts;
    for (uint32_t k = 1; k <= most && share > 0; k++) {
        double takes_s = (1 - share) * bursts * k / together[k];
        for (int i = 0; i < SCHEDULE_KINDS; i++)
            takes_s += share * warp->kinds[i].bursts *
                       round_of(order, k, warp, warp->kinds[i].wait_s, held[i]);
        together[k] = k * bursts / takes_s;
    }
}

static void begin_block(struct running *r)
{
    r->began_s[r->begun] = r->now_s;
    for (uint32_t w = 0; w < r->sm->warps; w++, r->count++)
        r->left[r->first + r->count] = r->bursts;
    r->begun++;
}

/* Warps that are alike and go round before the first one has its data: others find no slot. */
static double going_round(const struct schedule_warp *warp, double wait_s)
{
    static const double rounded = 1e-9;
    return ceil(1 + wait_s / fmax(warp->burst_s, warp->held_s) * (1 - rounded));
}

/* Who goes round now, by the oldest one: of those that began to, or of those that they left behind.
 */
static void go_round(struct running *r)
{
    bool begins = r->first >= r->seen, starved = !begins && r->first >= r->starved;
    double wait_s = starved && r->sm->order == SCHEDULE_OLDEST ? r->warp->wait_s - r->warp->spared_s
                                                               : r->warp->wait_s;
    if (!begins && wait_s == r->wait_s)
        return;
    r->wait_s = wait_s;
    r->round = going_round(r->warp, wait_s);
    r->rated = 0;
    if (!begins)
        return;
    r->seen = r->first + r->count;
    r->starved = r->first + (uint32_t)fmin(r->count, r->round);
}

/* Bursts a second of each; in turn as many as all share. Oldest first they hang on how many there
 * are only where not all that may go round are there. */
static void set_rates(struct running *r, uint32_t most)
{
    double round = fmin(r->count, r->round);
    bool oldest = r->sm->order == SCHEDULE_OLDEST;
    if (oldest && round == r->rated)
        return;
    double shared = r->together[r->count] / r->count;
    double alike =
        (1 - r->chance) / round_of(r->sm->order, round, r->warp, r->wait_s, r->warp->held_s);
    for (uint32_t i = 0; i < most; i++)
        r->rate[i] = oldest ? r->chance * r->alone[i] : shared;
    for (uint32_t i = 0; i < (uint32_t)round && oldest; i++)
        r->rate[i] += alike;
    r->rated = round;
    for (r->going = most; r->going > 0 && r->rate[r->going - 1] == 0;)
        r->going--;
}

static void go_on(double *restrict left, const double *restrict rate, double step_s)
{
    for (int i = 0; i < LANES; i++)
        left[i] -= step_s * rate[i];
}

/* Until the next warps end; blocks whose last ones these are make room. */
static void step(struct running *r, uint32_t most)
{
    const double near = 1e-9; /* of a warp's bursts: those that end with the first one */
    go_round(r);
    set_rates(r, most);
    double *left = r->left + r->first, step_s = left[0] / r->rate[0];
    uint32_t going = r->going < r->count ? r->going : r->count;
    for (uint32_t at = 0; at < going; at += LANES)
        go_on(left + at, r->rate + at, step_s);
    uint32_t ended = r->first / r->sm->warps;
    for (; r->count > 0 && r->left[r->first] <= near * r->bursts; r->count--)
        r->first++;
    r->now_s += step_s;
    for (; ended < r->first / r->sm->warps && r->begun < r->blocks; ended++)
        begin_block(r);
}

/* Warps of a block that are alike end one behind another: by a turn each in their last round. */
static double turns_of(const struct running *r)
{
    bool oldest = r->sm->order == SCHEDULE_OLDEST;
    double going = oldest ? fmin(r->round, r->sm->warps) : r->sm->warps;
    double turn_s = r->warp->burst_s;
    if (r->sm->order == SCHEDULE_TURNS)
        turn_s /= r->warp->accesses;
    return (going - 1) * turn_s;
}

struct schedule_ends schedule_ends(const struct schedule_sm *sm, const struct schedule_warp *warp)
{
    uint32_t places = (uint32_t)fmin(sm->places, ceil(sm->blocks)), most = places * sm->warps;
    uint32_t waved = SCHEDULE_WAVES * places;
    uint32_t blocks = (uint32_t)fmin(waved, ceil(sm->blocks));
    if (!(warp->burst_s + warp->wait_s > 0) || most == 0)
        return (struct schedule_ends){0, 0};
    uint32_t all = blocks * sm->warps + LANES;
    double *numbers = memory_zero(3 * most + 1 + LANES + all + blocks, sizeof *numbers);
    struct running r = {.sm = sm,
                        .warp = warp,
                        .chance = by_chance(sm->order, warp),
                        .together = numbers,
                        .alone = numbers + most + 1,
                        .rate = numbers + 2 * most + 1,
                        .left = numbers + 3 * most + 1 + LANES,
                        .began_s = numbers + 3 * most + 1 + LANES + all,
                        .blocks = blocks,
                        .bursts = warp->bursts};
    solve_chance(r.together, most, warp);
    if (sm->order != SCHEDULE_OLDEST)
        solve_in_turn(r.together, most, sm->order, warp);
    for (uint32_t i = 0; i < most; i++) { /* rounding: none of full slots, and never more */
        double more = fmax(0, r.together[i + 1] - r.together[i]);
        r.alone[i] = i > 0 ? fmin(r.alone[i - 1], more) : more;
    }
    while (r.begun < places)
        begin_block(&r);
    double first_s = 0; /* the last block's first warp has ended */
    while (r.count > 0) {
        step(&r, most);
        first_s = first_s > 0 || r.first <= (blocks - 1) * sm->warps ? first_s : r.now_s;
    }
    double more = sm->blocks - blocks, time_s = r.now_s;
    if (more > 0)
        time_s += more / places * (r.began_s[blocks - 1] - r.began_s[blocks - 1 - places]);
    free(numbers);
    return (struct schedule_ends){time_s, r.now_s - first_s + (1 - r.chance) * turns_of(&r)};
}
