/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds that are skimmed: an access of each SM, and no warp waits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
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

/* What SMs issued at a place in the mean, of those that have it: some may have no warp there. */
static double place_issued(const struct issue *issue, uint32_t at)
{
    uint64_t issued = 0, sms = 0;
    for (uint32_t s = 0; s < issue->system->sms; s++) {
        issued += issue->sms[s].issued_at[at];
        sms += issue->sms[s].issued_at[at] > 0 || issue->sms[s].count > at;
    }
    return sms ? (double)issued / (double)sms : 0;
}

/* Places that issue all but a part below `least`: the oldest warps of gto may leave nothing to
 * others. */
static uint32_t places_busy(const struct issue *issue)
{
    const double least = 1.0 / 128;
    uint32_t warps = issue->system->warps, busy = warps;
    double all = 0, rest = 0;
    for (uint32_t at = 0; at < warps; at++)
        all += place_issued(issue, at);
    for (; busy > 1 && rest <= all * least; busy--)
        rest += place_issued(issue, busy - 1);
    return rest > all * least ? busy + 1 : warps;
}

/* Places by what they issued, most first. */
static void sort_places(const uint64_t *issued, uint32_t places, uint16_t *order)
{
    for (uint32_t at = 0; at < places; at++) {
        uint32_t to = at;
        for (; to > 0 && issued[order[to - 1]] < issued[at]; to--)
            order[to] = order[to - 1];
        order[to] = (uint16_t)at;
    }
}

/* Turns as often as places issued, of so many laps; where older warps leave none to younger ones,
 * these have none. Warps that go together must stay so: what is about as often is as often, as a
 * stretch that is counted tells, which is few accesses of a warp. `order`: room for all. */
static void set_turns(const uint64_t *issued, uint32_t places, uint16_t *order, uint16_t *turns)
{
    enum { ALIKE = 4 };
    sort_places(issued, places, order);
    uint64_t most = issued[order[0]], first = most;
    for (uint32_t i = 0; i < places; i++) {
        uint64_t own = issued[order[i]];
        first = own + first / ALIKE < first ? own : first;
        turns[order[i]] = most ? (uint16_t)((first * SKIM_LAPS + most / 2) / most) : SKIM_LAPS;
    }
}

/* In which order places have their turns of a lap: neighbours apart. */
static void set_order(uint32_t places, uint16_t *order)
{
    const double golden = 0.6180339887498949;
    for (uint32_t at = 0; at < places; at++) {
        double phase = fmod((at + 1) * golden, 1);
        uint32_t to = at;
        for (; to > 0 && fmod((order[to - 1] + 1) * golden, 1) > phase; to--)
            order[to] = order[to - 1];
        order[to] = (uint16_t)at;
    }
}

/* Of SMs with as many places: how many they are, what each place of them issued, and how much
 * slower they go than the fastest do: rounds without an access behind each, in 1/65536. */
struct skim_class {
    uint32_t n_sms;
    bool known; /* its turns */
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
    const double alike = 0.125, least = 1.0 / SKIM_LAPS;
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

/* SMs with as many places have the same turns, by what places of all of them issued: those that go
 * together stay so too. Accesses of all a round. */
static double issue_set_turns(struct issue *issue)
{
    uint32_t warps = issue->system->warps, sms = issue->system->sms, busy = places_busy(issue);
    uint64_t *issued = memory_zero((size_t)(warps + 1) * warps, sizeof *issued);
    struct skim_class *classes = memory_zero(warps + 1, sizeof *classes);
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
        sm->turns = issue->skim_turns + (size_t)places * 2 * warps;
        sm->order = sm->turns + warps;
        if (sm->count && !class->known) {
            set_turns(class->issued, places, sm->order, sm->turns);
            set_order(places, sm->order);
            class->known = true;
        }
        sm->places = places;
        sm->pace = sm->lap = 0;
        sm->taken = 0;
        sm->idle = class->idle;
        sm->idled = 0;
        speed += sm->count ? class->speed : 0;
    }
    free(issued);
    free(classes);
    return speed;
}

uint64_t issue_skim(struct issue *issue, uint64_t accesses, uint64_t run)
{
    uint32_t warps = issue->system->warps;
    if (!issue->skim_turns)
        issue->skim_turns = memory_zero((size_t)(warps + 1) * 2 * warps, sizeof *issue->skim_turns);
    for (uint32_t s = 0; s < issue->system->sms; s++)
        sm_wake_all(&issue->sms[s], warps);
    double speed = issue_set_turns(issue);
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

/* A lap begins: a turn of each of the warps that are there. Accesses of each: few enough that at
 * the end of the stretch warps which go together have had as many; and where not all have a turn
 * before it, none has. */
static void begin_lap(const struct issue *issue, struct sm *sm)
{
    uint64_t rounds = issue->skim_until > sm->round ? issue->skim_until - sm->round : 0;
    uint64_t turns = rounds * IDLE_UNIT / (IDLE_UNIT + sm->idle), run = turns / sm->places;
    sm->run = run < 1 ? 1 : run < issue->skim_run ? run : issue->skim_run;
    sm->listed = sm->count;
    sm->had = false;
    memset(sm->gone, 0, (issue->system->warps + 63) / 64 * sizeof *sm->gone);
    if (run < 1)
        sm->round = issue->skim_until;
}

/* Whether a place has a turn in this lap: as evenly as its number allows. */
static bool has_turn(const struct sm *sm, uint32_t place)
{
    uint32_t turns = sm->turns[place];
    return (sm->lap + 1) * turns / SKIM_LAPS > sm->lap * turns / SKIM_LAPS;
}

/* Where a warp stands that stood there when the lap began; NO_WARP: it has ended, or there was
 * none. Others move up when one ends, and whoever missed a turn by that, or had another's, would
 * come apart from those that go with it. */
static uint32_t place_now(const struct sm *sm, uint32_t place)
{
    uint32_t word = place / 64, before = 0;
    if (place >= sm->listed || sm->gone[word] >> place % 64 & 1)
        return NO_WARP;
    for (uint32_t i = 0; i < word; i++)
        before += bits_count(sm->gone[i]);
    return place - before - bits_count(sm->gone[word] & ((1ULL << place % 64) - 1));
}

/* The turn of the warp that stood at `place`, or what batches have left of it: whether it is over.
 */
static bool skim_turn(struct issue *issue, uint32_t s, uint32_t place, uint32_t at, uint64_t until)
{
    struct sm *sm = &issue->sms[s];
    sm->had = true;
    while (sm->taken < sm->run && sm->round < until) {
        uint32_t count = sm->count;
        int status = skim_take(issue, s, at, &issue->errors[s]);
        sm->status = status < 0 ? status : 0;
        sm->stopped = status > 0 && residents_wait(&issue->residents, s);
        sm->idled += sm->idle;
        sm->round += !sm->stopped + sm->idled / IDLE_UNIT;
        sm->idled %= IDLE_UNIT;
        sm->taken++;
        if (sm->count < count) { /* it ended */
            sm->gone[place / 64] |= 1ULL << place % 64;
            return true;
        }
        if (sm->status)
            return true;
    }
    return sm->taken == sm->run;
}

/* To the next place. */
static void end_turn(struct sm *sm)
{
    sm->taken = 0;
    if (++sm->pace < sm->places)
        return;
    sm->pace = 0;
    sm->lap = sm->lap + 1 < SKIM_LAPS ? sm->lap + 1 : 0;
}

void issue_skim_sm(struct issue *issue, uint32_t s, uint64_t until)
{
    enum { AHEAD = 3 };
    struct sm *sm = &issue->sms[s];
    while (!sm->status && sm->count && sm->round < until && !sm->stopped) {
        if (sm->pace == 0 && sm->taken == 0)
            begin_lap(issue, sm);
        if (sm->round >= until)
            break;
        uint32_t place = sm->order[sm->pace];
        uint32_t at = has_turn(sm, place) ? place_now(sm, place) : NO_WARP;
        uint32_t next = sm->order[sm->pace + AHEAD < sm->places ? sm->pace + AHEAD : 0];
        if (next < sm->count)
            prefetch_warp(sm->warps[next], sm->items[next]);
        if (at == NO_WARP && sm->pace + 1 == sm->places && !sm->had)
            place = at = 0; /* none that is there has a turn */
        if (at == NO_WARP || skim_turn(issue, s, place, at, until))
            end_turn(sm);
    }
}
