/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds that are skimmed: an access of each SM, and no warp waits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "profile/issue/issue_internal.h"

/* Nobody waits any more. */
static void sm_wake_all(struct sm *sm, uint32_t warps)
{
    memset(sm->awake, 0, (warps + 63) / 64 * sizeof *sm->awake);
    for (uint32_t at = 0; at < sm->count; at++) {
        sm->awake[at / 64] |= 1ULL << at % 64;
        sm->warps[at]->misses.first = UINT64_MAX;
        sm->warps[at]->misses.there = 0;
    }
    sm->n_asleep = 0;
    sm->asleep_until = 0;
    sm->cursor = 0;
}

/* Places that had turns, or have a warp, of the first ones. */
static uint32_t places_of(const struct sm *sm, uint32_t most)
{
    uint32_t places = sm->count < 1 ? 1 : sm->count < most ? sm->count : most;
    for (uint32_t at = places; at < most; at++)
        places = sm->issued_at[at] ? at + 1 : places;
    return places;
}

/* Places that issue all but a hundredth: the oldest warps of gto may leave nothing to others. */
static uint32_t places_busy(const struct issue *issue)
{
    enum { REST = 128 };
    uint32_t warps = issue->system->warps, busy = warps;
    uint64_t all = 0, rest = 0;
    for (size_t i = 0; i < (size_t)issue->system->sms * warps; i++)
        all += issue->issued_at[i];
    for (; busy > 1 && rest <= all / REST; busy--)
        for (uint32_t s = 0; s < issue->system->sms; s++)
            rest += issue->sms[s].issued_at[busy - 1];
    return rest > all / REST ? busy + 1 : warps;
}

/* Places by what they issued, most first. */
static void sort_places(const uint64_t *issued, uint32_t places, uint32_t *order)
{
    for (uint32_t at = 0; at < places; at++) {
        uint32_t to = at;
        for (; to > 0 && issued[order[to - 1]] < issued[at]; to--)
            order[to] = order[to - 1];
        order[to] = at;
    }
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Turns as often as places issued, PACES at most; where older warps leave none to younger ones,
 * these have none. Warps that go together must stay so: what is about as often is as often. Their
 * sum. `order`: room for all. */
static uint32_t set_turns(const uint64_t *issued, uint32_t places, uint32_t *order, uint32_t *turns)
{
    enum { ALIKE = 8 };
    uint32_t divisor = 0, n = 0;
    sort_places(issued, places, order);
    uint64_t most = issued[order[0]], first = most;
    for (uint32_t i = 0; i < places; i++) {
        uint64_t own = issued[order[i]];
        first = own + first / ALIKE < first ? own : first;
        turns[order[i]] = most ? (uint32_t)((first * PACES + most / 2) / most) : 1;
        divisor = common_divisor(turns[order[i]], divisor);
    }
    for (uint32_t at = 0; at < places; at++) {
        turns[at] /= divisor;
        n += turns[at];
    }
    return n;
}

/* Turns of each place, as evenly among the others as their number allows, in their order: how many.
 * `turns`: room for all places; `when`: for as many numbers as there are turns, + 1. */
static uint32_t set_paces(const uint64_t *issued, uint32_t places, uint16_t *paces, uint32_t *turns,
                          uint32_t *when)
{
    const double golden = 0.6180339887498949; /* places do not begin together */
    uint32_t n = set_turns(issued, places, when, turns);
    memset(when, 0, (n + 1) * sizeof *when);
    for (int placed = 0; placed < 2; placed++) {
        for (uint32_t at = 0; at < places; at++) {
            double phase = fmod((at + 1) * golden, 1), step = (double)n / turns[at];
            for (uint32_t k = 0; k < turns[at]; k++) {
                uint32_t bucket = (uint32_t)((k + phase) * step);
                bucket = bucket < n ? bucket : n - 1;
                if (placed)
                    paces[when[bucket]++] = (uint16_t)at;
                else
                    when[bucket + 1]++;
            }
        }
        for (uint32_t i = 0; i < n && !placed; i++)
            when[i + 1] += when[i];
    }
    return n;
}

/* Of SMs with as many places: how many they are, what each place of them issued, and how much
 * slower they go than the fastest do: rounds without an access behind each, in 1/65536. */
struct skim_class {
    uint32_t n_sms, n_paces;
    uint64_t *issued;
    double speed; /* accesses a round */
    uint32_t idle;
};
enum { IDLE_UNIT = 1 << 16 };

static double class_issued(const struct skim_class *class, uint32_t places)
{
    double all = 0;
    for (uint32_t at = 0; at < places; at++)
        all += (double)class->issued[at];
    return all / class->n_sms;
}

/* Where warps wait, SMs with fewer of them issue less, by as much; where SMs are busy, as much.
 * What is about one of the two is taken to be so: SMs that go together must stay so. */
static double speed_of(double issued, double most, double warps)
{
    const double alike = 0.125, least = 1.0 / PACES;
    double speed = most > 0 ? issued / most : 1;
    double off = fabs(speed - 1), off_warps = warps < 1 ? fabs(speed / warps - 1) : 1;
    if (off_warps <= off && off_warps < alike)
        return warps;
    return off < alike ? 1 : speed < least ? least : speed;
}

/* Classes are by their number of places, up to so many. */
static void set_speeds(struct skim_class *classes, uint32_t warps)
{
    uint32_t fastest = 0;
    double most = -1;
    for (uint32_t n = 0; n <= warps; n++) {
        double issued = classes[n].n_sms ? class_issued(&classes[n], n) : -1;
        fastest = issued > most ? n : fastest;
        most = issued > most ? issued : most;
    }
    for (uint32_t n = 0; n <= warps; n++) {
        if (!classes[n].n_sms)
            continue;
        classes[n].speed = speed_of(class_issued(&classes[n], n), most, (double)n / fastest);
        classes[n].idle = (uint32_t)lround((1 / classes[n].speed - 1) * IDLE_UNIT);
    }
}

/* SMs with as many places have the same paces, by what places of all of them issued: those that go
 * together stay so too. Accesses of all a round. */
static double issue_set_paces(struct issue *issue)
{
    uint32_t warps = issue->system->warps, sms = issue->system->sms, room = PACES * warps;
    uint64_t *issued = memory_zero((size_t)(warps + 1) * warps, sizeof *issued);
    struct skim_class *classes = memory_zero(warps + 1, sizeof *classes);
    uint32_t *when = memory_zero(room + 1, sizeof *when);
    uint32_t *turns = memory_zero(warps, sizeof *turns);
    uint32_t busy = places_busy(issue);
    double speed = 0;
    for (uint32_t n = 0; n <= warps; n++)
        classes[n].issued = issued + (size_t)n * warps;
    for (uint32_t s = 0; s < sms; s++) {
        struct skim_class *class = &classes[places_of(&issue->sms[s], busy)];
        class->n_sms += issue->sms[s].count > 0;
        for (uint32_t at = 0; at < warps && issue->sms[s].count; at++)
            class->issued[at] += issue->sms[s].issued_at[at];
    }
    set_speeds(classes, warps);
    for (uint32_t s = 0; s < sms; s++) {
        struct sm *sm = &issue->sms[s];
        uint32_t places = places_of(sm, busy);
        struct skim_class *class = &classes[places];
        sm->paces = issue->paces + (size_t)places * room;
        if (sm->count && class->n_paces == 0)
            class->n_paces = set_paces(class->issued, places, sm->paces, turns, when);
        sm->n_paces = class->n_paces;
        sm->pace = 0;
        sm->idle = class->idle;
        sm->idled = 0;
        speed += sm->count ? class->speed : 0;
    }
    free(issued);
    free(classes);
    free(when);
    free(turns);
    return speed;
}

uint64_t issue_skim(struct issue *issue, uint64_t accesses, uint64_t run)
{
    uint32_t warps = issue->system->warps;
    if (!issue->paces)
        issue->paces = memory_zero((size_t)(warps + 1) * PACES * warps, sizeof *issue->paces);
    for (uint32_t s = 0; s < issue->system->sms; s++)
        sm_wake_all(&issue->sms[s], warps);
    double speed = issue_set_paces(issue);
    double rounds = speed > 0 ? (double)accesses * issue->system->sms / speed : 1;
    issue->skim_until = issue->round + (rounds < 1 ? 1 : (uint64_t)llround(rounds));
    issue->skim_run = run;
    return issue->skim_until;
}

void issue_skim_end(struct issue *issue)
{
    issue->skim_until = 0;
}

void issue_forget_turns(struct issue *issue)
{
    memset(issue->issued_at, 0,
           (size_t)issue->system->sms * issue->system->warps * sizeof *issue->issued_at);
}

/* The warp at that place has its turn: 1 when a CTA ended, 0, or a negative status. */
static int skim_take(struct issue *issue, uint32_t s, uint32_t at, struct error *error)
{
    struct sm *sm = &issue->sms[s];
    struct resident_warp *warp = sm->warps[at];
    if (warp->misses.ended)
        return issue_end_warp(issue, s, at);
    struct issue_turn turn = issue_turn_of(issue, s, warp);
    issue->user.skim(issue->user.context, &turn, &warp->buffer.items[warp->next++]);
    warp->misses.issued++;
    int status = issue_advance(issue, s, warp, error);
    if (status <= 0)
        return status < 0 ? status : issue_end_warp(issue, s, at);
    sm->items[at] = &warp->buffer.items[warp->next];
    return 0;
}

/* Accesses of each turn until all have come again: few enough that at the end of the stretch warps
 * which go together have had as many. */
static uint64_t run_for(const struct issue *issue, const struct sm *sm)
{
    uint64_t rounds = issue->skim_until > sm->round ? issue->skim_until - sm->round : 0;
    uint64_t run = rounds * IDLE_UNIT / (IDLE_UNIT + sm->idle) / sm->n_paces;
    return run < 1 ? 1 : run < issue->skim_run ? run : issue->skim_run;
}

static void skim_turn(struct issue *issue, uint32_t s, uint32_t at, uint64_t until)
{
    struct sm *sm = &issue->sms[s];
    int status = 0;
    for (uint64_t n = 0; n < sm->run && !status && !sm->stopped && sm->round < until; n++) {
        uint32_t count = sm->count;
        status = skim_take(issue, s, at < count ? at : at % count, &issue->errors[s]);
        sm->status = status < 0 ? status : 0;
        sm->stopped = status > 0 && residents_wait(&issue->residents, s);
        sm->idled += sm->idle;
        sm->round += !sm->stopped + sm->idled / IDLE_UNIT;
        sm->idled %= IDLE_UNIT;
        if (sm->count < count) /* it ended */
            break;
    }
}

void issue_skim_sm(struct issue *issue, uint32_t s, uint64_t until)
{
    enum { AHEAD = 3 };
    struct sm *sm = &issue->sms[s];
    while (!sm->status && sm->count && sm->round < until && !sm->stopped) {
        if (sm->pace == 0)
            sm->run = run_for(issue, sm);
        uint32_t at = sm->paces[sm->pace];
        sm->pace = sm->pace + 1 < sm->n_paces ? sm->pace + 1 : 0;
        uint32_t soon = sm->pace + AHEAD < sm->n_paces ? sm->pace + AHEAD : 0;
        uint32_t next = sm->paces[soon];
        if (next < sm->count)
            prefetch_warp(sm->warps[next], sm->items[next]);
        skim_turn(issue, s, at, until);
    }
}
