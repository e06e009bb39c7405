/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SMs alone: each for many rounds, as far as its CTAs reach; several threads may have some each. */
#include "core/parallel.h"
#include "profile/issue/issue_internal.h"

/* Fetches who is likely to be issued soon: of warps that are awake the first one beside that which
 * is now, or one that will wake, in that order; and what the one that comes before it is about to
 * need. `told`: the last one of which that was said. */
static inline void prefetch_next(const struct issue *issue, uint32_t s, uint32_t at,
                                 const struct warp_access **told)
{
    enum { AHEAD = 3 };
    const struct sm *sm = &issue->sms[s];
    uint32_t ring = issue->system->warps;
    uint64_t others = sm->awake[0] & ~(at < 64 ? 1ULL << at : 0);
    const struct warp_access *soon = NULL;
    uint32_t which = 0;
    if (others) {
        uint32_t other = (uint32_t)__builtin_ctzll(others);
        prefetch_warp(sm->warps[other], sm->items[other]);
        soon = sm->items[other];
        which = other;
    }
    if (sm->n_asleep > AHEAD) {
        uint32_t place = sm->first_asleep + AHEAD, next = sm->first_asleep + 1;
        uint32_t later = sm->asleep[place < ring ? place : place - ring].at;
        prefetch_warp(sm->warps[later], sm->items[later]);
        which = soon ? which : sm->asleep[next < ring ? next : next - ring].at;
        soon = sm->items[which];
    }
    if (soon && soon != *told && issue->user.ahead)
        issue->user.ahead(issue->user.context, s, sm->warps[which], soon);
    *told = soon;
}

/* Up to a round, or until a CTA ends and others wait. */
static void sm_run(struct issue *issue, uint32_t s)
{
    struct sm *sm = &issue->sms[s];
    uint64_t until = issue->round + issue->batch;
    const struct warp_access *told = NULL;
    if (issue->skim_until) {
        issue_skim_sm(issue, s, until);
        return;
    }
    while (!sm->status && sm->count && sm->round < until && !sm->stopped) {
        uint32_t at = issue_choose(sm, issue->system, sm->round);
        if (at == NO_WARP) {
            sm->round = sm->asleep_until;
            continue;
        }
        prefetch_next(issue, s, at, &told);
        int status = issue_take(issue, s, at, &issue->errors[s]);
        sm->status = status < 0 ? status : 0;
        sm->stopped = status > 0 && residents_wait(&issue->residents, s);
        sm->round += !sm->stopped;
    }
}

/* The SM of a unit whose CTA ended first, of those that stopped there; sms: there is none. */
static uint32_t unit_first_stopped(const struct issue *issue, uint32_t unit)
{
    uint32_t sms = issue->system->sms, first = sms;
    uint64_t when = 0;
    for (uint32_t place = 0; place < sms; place++) {
        uint32_t s = issue->sm_at[place];
        const struct sm *sm = &issue->sms[s];
        if (issue->residents.unit[s] != unit || !sm->stopped)
            continue;
        uint64_t turn = order_turn(sms, place, sm->round);
        if (first == sms || turn < when) {
            first = s;
            when = turn;
        }
    }
    return first;
}

/* Others begin on the SM, in the round in which it stopped; it goes on in the next one. */
static void sm_refill(struct issue *issue, uint32_t s)
{
    struct sm *sm = &issue->sms[s];
    sm->stopped = false;
    sm->status = residents_refill(&issue->residents, s, &issue->errors[s]);
    sm->round++;
}

/* Goes on where SMs of the unit stopped, the one that did first first: all others have come that
 * far. */
static void run_unit(void *context, uint64_t unit, int worker)
{
    struct issue *issue = context;
    uint32_t s;
    while ((s = unit_first_stopped(issue, (uint32_t)unit)) < issue->system->sms) {
        issue->sms[s].worker = worker;
        sm_refill(issue, s);
        sm_run(issue, s);
    }
}

static void run_sm(void *context, uint64_t place, int worker)
{
    struct issue *issue = context;
    uint32_t s = issue->sm_at[issue->places[place]];
    issue->sms[s].worker = worker;
    sm_run(issue, s);
}

/* The next rounds of all SMs: what failed is the first in the order of places. */
static int issue_batch(struct issue *issue, struct error *error)
{
    enum { MANY = 1 << 13 }; /* turns that are worth starting threads for */
    int threads = issue->skim_until ? issue->user.skim_threads : issue->user.threads, status = 0;
    threads = issue->batch * issue->n_places < MANY ? 1 : threads;
    uint64_t next = UINT64_MAX;
    parallel_for(threads, issue->n_places, run_sm, issue);
    parallel_for(threads, issue->residents.n_units, run_unit, issue);
    for (uint32_t i = 0; i < issue->n_places; i++) {
        uint32_t s = issue->sm_at[issue->places[i]];
        const struct sm *sm = &issue->sms[s];
        if (sm->status && !status) {
            status = sm->status;
            *error = issue->errors[s];
        }
        if (sm->count)
            next = sm->round < next ? sm->round : next;
        else
            issue->last = sm->round > issue->last ? sm->round : issue->last;
    }
    issue_drop_ended(issue);
    issue->round = issue->n_places ? next : issue->last;
    return status;
}

int issue_alone(struct issue *issue, struct error *error)
{
    int status =
        issue->user.commit(issue->user.context, error); /* instructions before any access */
    issue->last = issue->round;
    while (issue->n_places && status >= 0) {
        issue->batch = status > 0 ? (uint64_t)status : 1;
        status = interrupt_requested() ? issue_interrupted(error) : issue_batch(issue, error);
        if (status >= 0)
            status = issue->user.commit(issue->user.context, error);
    }
    return status < 0 ? status : 0;
}
