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

/* Places that had turns, or have a warp. */
static uint32_t places_of(const struct sm *sm, uint32_t warps)
{
    uint32_t places = sm->count > 0 ? sm->count : 1;
    for (uint32_t at = places; at < warps; at++)
        places = sm->issued_at[at] ? at + 1 : places;
    return places;
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

/* SMs with as many places have the same paces, by what places of all of them issued: those that go
 * together stay so too. */
static void issue_set_paces(struct issue *issue)
{
    uint32_t warps = issue->system->warps, sms = issue->system->sms, room = PACES * warps;
    uint64_t *issued = memory_zero((size_t)(warps + 1) * warps, sizeof *issued);
    uint32_t *n = memory_zero(warps + 1, sizeof *n);
    uint32_t *when = memory_zero(room + 1, sizeof *when);
    uint32_t *turns = memory_zero(warps, sizeof *turns);
    for (uint32_t s = 0; s < sms; s++) {
        uint32_t places = places_of(&issue->sms[s], warps);
        for (uint32_t at = 0; at < places; at++)
            issued[(size_t)places * warps + at] += issue->sms[s].issued_at[at];
    }
    for (uint32_t s = 0; s < sms; s++) {
        struct sm *sm = &issue->sms[s];
        uint32_t places = places_of(sm, warps);
        sm->paces = issue->paces + (size_t)places * room;
        if (n[places] == 0)
            n[places] = set_paces(issued + (size_t)places * warps, places, sm->paces, turns, when);
        sm->n_paces = n[places];
        sm->pace = 0;
    }
    free(issued);
    free(n);
    free(when);
    free(turns);
}

void issue_skim(struct issue *issue, uint64_t until, uint64_t run)
{
    uint32_t warps = issue->system->warps;
    if (!issue->paces)
        issue->paces = memory_zero((size_t)(warps + 1) * PACES * warps, sizeof *issue->paces);
    for (uint32_t s = 0; s < issue->system->sms && until; s++)
        sm_wake_all(&issue->sms[s], warps);
    if (until)
        issue_set_paces(issue);
    issue->skim_until = until;
    issue->skim_run = run;
}

/* Accesses of the warp that are read, up to so many. */
static uint32_t run_of(const struct resident_warp *warp, uint64_t most)
{
    const struct warp_buffer *buffer = &warp->buffer;
    uint32_t n = 0, left = (uint32_t)(buffer->count - warp->next);
    while (n < most && n < left && buffer->items[warp->next + (int)n].kind != ACCESS_NONE)
        n++;
    return n ? n : 1;
}

/* The warp at that place takes a round each for its next accesses: 1 when a CTA ended, 0, or a
 * negative status. The SM's round is that of the last one. */
static int skim_take(struct issue *issue, uint32_t s, uint32_t at, uint64_t most,
                     struct error *error)
{
    struct sm *sm = &issue->sms[s];
    struct resident_warp *warp = sm->warps[at];
    if (warp->misses.ended)
        return issue_end_warp(issue, s, at);
    for (uint64_t end = sm->round + most;;) {
        struct issue_turn turn = issue_turn_of(issue, s, warp);
        uint32_t n = run_of(warp, end - sm->round);
        const struct warp_access *items = &warp->buffer.items[warp->next];
        issue->user.skim(issue->user.context, &turn, items, n);
        warp->next += (int)n;
        warp->misses.issued += n;
        sm->round += n - 1;
        int status = issue_advance(issue, s, warp, error);
        if (status <= 0)
            return status < 0 ? status : issue_end_warp(issue, s, at);
        if (sm->round + 1 >= end)
            break;
        sm->round++;
    }
    sm->items[at] = &warp->buffer.items[warp->next];
    return 0;
}

/* Accesses of each turn until all have come again: few enough that at the end of the stretch warps
 * which go together have had as many. */
static uint64_t run_for(const struct sm *sm, const struct issue *issue)
{
    uint64_t until = issue->skim_until, most = issue->skim_run;
    uint64_t rounds = until > sm->round ? until - sm->round : 0, run = rounds / sm->n_paces;
    return run < 1 ? 1 : run < most ? run : most;
}

void issue_skim_sm(struct issue *issue, uint32_t s, uint64_t until)
{
    struct sm *sm = &issue->sms[s];
    while (!sm->status && sm->count && sm->round < until && !sm->stopped) {
        if (sm->pace == 0)
            sm->run = run_for(sm, issue);
        uint32_t at = sm->paces[sm->pace];
        uint64_t most = until - sm->round < sm->run ? until - sm->round : sm->run;
        sm->pace = sm->pace + 1 < sm->n_paces ? sm->pace + 1 : 0;
        uint32_t next = sm->paces[sm->pace];
        if (next < sm->count)
            prefetch_warp(sm->warps[next], sm->items[next]);
        int status =
            skim_take(issue, s, at < sm->count ? at : at % sm->count, most, &issue->errors[s]);
        sm->status = status < 0 ? status : 0;
        sm->stopped = status > 0 && residents_wait(&issue->residents, s);
        sm->round += !sm->stopped;
    }
}
