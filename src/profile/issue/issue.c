/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warp schedulers and rounds. */

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "profile/issue/issue_internal.h"
#include "profile/issue/waits.h"

struct issue_turn issue_turn_of(const struct issue *issue, uint32_t s,
                                const struct resident_warp *warp)
{
    return (struct issue_turn){.round = issue->sms[s].round,
                               .clock = issue->sms[s].round + issue->replayed_rounds,
                               .cta = warp->cta->number,
                               .worker = issue->sms[s].worker,
                               .sm = s,
                               .warp = warp->slot};
}

static int issue_carry(void *context, uint32_t s, uint64_t cta, const struct warp_access *access,
                       struct error *error)
{
    const struct issue *issue = context;
    uint64_t round = issue->sms[s].round;
    struct issue_turn turn = {
        round, round + issue->replayed_rounds, cta, s, 0, issue->sms[s].worker};
    return issue->user.access(issue->user.context, &turn, access, error);
}

static inline void sm_wake(struct sm *sm, uint32_t at)
{
    sm->awake[at / 64] |= 1ULL << at % 64;
}

static inline bool sm_is_awake(const struct sm *sm, uint32_t at)
{
    return sm->awake[at / 64] >> at % 64 & 1;
}

#define NO_MISS UINT64_MAX

static void issue_begin(void *context, uint32_t s, struct resident_warp *warp)
{
    const struct issue *issue = context;
    struct sm *sm = &issue->sms[s];
    struct issue_turn turn = issue_turn_of(issue, s, warp);
    if (issue->user.begin)
        issue->user.begin(issue->user.context, &turn);
    warp->misses = (struct resident_misses){.first = NO_MISS};
    sm->warps[sm->count] = warp;
    sm->items[sm->count] = &warp->buffer.items[warp->next];
    sm_wake(sm, sm->count++);
    sm->asleep_until = 0;
}

struct issue *issue_create(const struct system *system, const struct issue_user *user)
{
    struct issue *issue = memory_zero(1, sizeof *issue);
    uint32_t sms = system->sms, words = (system->warps + 63) / 64;
    issue->system = system;
    issue->user = *user;
    issue->batch = 1;
    issue->sms = memory_zero(sms, sizeof *issue->sms);
    issue->warps = memory_zero((size_t)sms * system->warps, sizeof *issue->warps);
    issue->items = memory_zero((size_t)sms * system->warps, sizeof *issue->items);
    issue->awake = memory_zero((size_t)sms * words, sizeof *issue->awake);
    issue->gone = memory_zero((size_t)sms * words, sizeof *issue->gone);
    issue->asleep = memory_zero((size_t)sms * system->warps, sizeof *issue->asleep);
    issue->issued_at = memory_zero((size_t)sms * system->warps, sizeof *issue->issued_at);
    issue->turns = memory_zero(sms, sizeof *issue->turns);
    issue->places = memory_zero(sms, sizeof *issue->places);
    issue->sm_at = order_places(system);
    issue->errors = memory_alloc(sms * sizeof *issue->errors);
    residents_init(&issue->residents, system,
                   &(struct residents_user){issue, issue_carry, issue_begin});
    for (uint32_t s = 0; s < sms; s++) {
        issue->sms[s].warps = issue->warps + (size_t)s * system->warps;
        issue->sms[s].items = issue->items + (size_t)s * system->warps;
        issue->sms[s].awake = issue->awake + (size_t)s * words;
        issue->sms[s].gone = issue->gone + (size_t)s * words;
        issue->sms[s].asleep = issue->asleep + (size_t)s * system->warps;
        issue->sms[s].issued_at = issue->issued_at + (size_t)s * system->warps;
    }
    return issue;
}

void issue_destroy(struct issue *issue)
{
    if (!issue)
        return;
    residents_fini(&issue->residents);
    free(issue->sms);
    free(issue->warps);
    free(issue->items);
    free(issue->awake);
    free(issue->gone);
    free(issue->asleep);
    free(issue->issued_at);
    free(issue->skim_turns);
    free(issue->turns);
    free(issue->places);
    free(issue->sm_at);
    free(issue->errors);
    free(issue);
}

uint64_t issue_origin(const struct issue *issue)
{
    return issue->origin;
}

uint64_t issue_warps(const struct issue *issue)
{
    return residents_warps(&issue->residents);
}

uint64_t issue_resident(const struct issue *issue)
{
    uint64_t warps = 0;
    for (uint32_t s = 0; s < issue->system->sms; s++)
        warps += issue->sms[s].count;
    return warps;
}

bool issue_waits(const struct issue *issue)
{
    for (uint32_t s = 0; s < issue->system->sms; s++)
        if (residents_wait(&issue->residents, s))
            return true;
    return false;
}

uint64_t issue_round_next(const struct issue *issue)
{
    return issue->round;
}

uint64_t issue_clock(const struct issue *issue)
{
    return issue->round + issue->replayed_rounds;
}

int issue_interrupted(struct error *error)
{
    return error_set(error, STATUS_INTERRUPTED, "interrupted while profiling");
}

/* Warps behind `at` move up by one. */
static void sm_close_gap(struct sm *sm, uint32_t at, uint32_t ring)
{
    uint64_t below = (1ULL << at % 64) - 1, *awake = &sm->awake[at / 64];
    uint32_t last = sm->count / 64; /* the warp behind the last one of before is not awake */
    *awake = (*awake & below) | (*awake >> 1 & ~below);
    for (uint32_t word = at / 64; word < last; word++, awake++) {
        awake[0] |= awake[1] << 63;
        awake[1] >>= 1;
    }
    for (uint32_t k = 0, i = sm->first_asleep; k < sm->n_asleep; k++, i++) {
        i = i < ring ? i : 0;
        sm->asleep[i].at -= sm->asleep[i].at > at;
    }
}

bool issue_end_warp(struct issue *issue, uint32_t s, uint32_t at)
{
    struct sm *sm = &issue->sms[s];
    struct resident_warp *warp = sm->warps[at];
    struct issue_turn turn = issue_turn_of(issue, s, warp);
    uint32_t behind = --sm->count - at;
    memmove(sm->warps + at, sm->warps + at + 1, behind * sizeof *sm->warps);
    memmove(sm->items + at, sm->items + at + 1, behind * sizeof *sm->items);
    sm_close_gap(sm, at, issue->system->warps);
    sm->cursor = issue->system->order == WARPS_GTO ? NO_WARP : at;
    if (issue->user.end)
        issue->user.end(issue->user.context, &turn);
    return residents_end_warp(&issue->residents, s, warp);
}

/* --- turns ------------------------------------------------------------------------ */

/* Behind those that wake as early: mostly the last one. */
static void sm_sleep(struct sm *sm, uint32_t at, uint64_t until, uint32_t ring)
{
    uint32_t place = sm->first_asleep + sm->n_asleep;
    place = place < ring ? place : place - ring;
    for (uint32_t n = sm->n_asleep++; n > 0; n--) {
        uint32_t before = place ? place - 1 : ring - 1;
        if (sm->asleep[before].until <= until)
            break;
        sm->asleep[place] = sm->asleep[before];
        place = before;
    }
    sm->asleep[place] = (struct sleeper){until, at};
    sm->awake[at / 64] &= ~(1ULL << at % 64);
}

/* The first warp from `at` on that is awake, or NO_WARP. */
static uint32_t sm_first_awake(const struct sm *sm, uint32_t at)
{
    uint64_t found = sm->awake[at / 64] & UINT64_MAX << at % 64;
    for (uint32_t word = at / 64;; found = sm->awake[word]) {
        if (found)
            return word * 64 + (uint32_t)__builtin_ctzll(found);
        if (++word * 64 >= sm->count)
            return NO_WARP;
    }
}

/* The warp to issue, or NO_WARP; then the SM sleeps until the first one may. */
uint32_t issue_choose(struct sm *sm, const struct system *system, uint64_t round)
{
    uint32_t next = sm->cursor < sm->count ? sm->cursor : 0; /* 0 for NO_WARP as well */
    if (system->order == WARPS_LRR)
        return next;
    while (sm->n_asleep && sm->asleep[sm->first_asleep].until <= round) {
        sm_wake(sm, sm->asleep[sm->first_asleep].at);
        sm->first_asleep = sm->first_asleep + 1 < system->warps ? sm->first_asleep + 1 : 0;
        sm->n_asleep--;
    }
    if (sm_is_awake(sm, next))
        return next;
    uint32_t at = sm_first_awake(sm, system->order == WARPS_GRR ? next : 0);
    if (at == NO_WARP && system->order == WARPS_GRR)
        at = sm_first_awake(sm, 0);
    if (at == NO_WARP)
        sm->asleep_until = sm->asleep[sm->first_asleep].until;
    return at;
}

/* Until which round a warp that goes on to this access has to sit; 0: it need not. */
static uint64_t stalls_until(struct resident_misses *misses, const struct warp_access *next)
{
    if (misses->first >= warp_waits_needed(misses->issued, next->ahead))
        return 0;
    misses->first = NO_MISS;
    return misses->there;
}

static void warp_misses(struct resident_misses *misses, uint64_t there)
{
    bool first = misses->first == NO_MISS;
    misses->there = first || there > misses->there ? there : misses->there;
    misses->first = first ? misses->issued : misses->first;
}

/* Behind its last access: it ends at once, or in the first turn in which it has all. */
static int warp_leaves(struct issue *issue, uint32_t s, uint32_t at)
{
    struct sm *sm = &issue->sms[s];
    struct resident_misses *misses = &sm->warps[at]->misses;
    if (misses->first == NO_MISS || misses->there <= sm->round)
        return issue_end_warp(issue, s, at);
    misses->ended = true;
    sm_sleep(sm, at, misses->there, issue->system->warps);
    return 0;
}

/* Mostly the next access has been read. */
int issue_advance(struct issue *issue, uint32_t s, struct resident_warp *warp, struct error *error)
{
    const struct warp_buffer *buffer = &warp->buffer;
    if (warp->next < buffer->count && buffer->items[warp->next].kind != ACCESS_NONE)
        return 1;
    return residents_advance(&issue->residents, s, warp, error);
}

/* The warp at that place of the list issues: 1 when a CTA ended, 0, or a negative status. */
int issue_take(struct issue *issue, uint32_t s, uint32_t at, struct error *error)
{
    struct sm *sm = &issue->sms[s];
    bool greedy = issue->system->order != WARPS_LRR;
    struct resident_warp *warp = sm->warps[at];
    struct resident_misses *misses = &warp->misses;
    struct issue_turn turn = issue_turn_of(issue, s, warp);
    if (misses->ended)
        return issue_end_warp(issue, s, at);
    const struct warp_access *item = &warp->buffer.items[warp->next++];
    int status = issue->user.access(issue->user.context, &turn, item, error);
    if (status < 0)
        return status;
    if (greedy && status > 0)
        warp_misses(misses, sm->round + (uint64_t)status);
    misses->issued++;
    sm->issued_at[at]++;
    sm->cursor = greedy ? at : at + 1;
    status = issue_advance(issue, s, warp, error);
    if (status <= 0)
        return status < 0 ? status : warp_leaves(issue, s, at);
    sm->items[at] = &warp->buffer.items[warp->next];
    uint64_t until = stalls_until(misses, sm->items[at]);
    if (until > sm->round)
        sm_sleep(sm, at, until, issue->system->warps);
    return 0;
}

/* --- rounds of all SMs ----------------------------------------------------------------- */

/* SMs without warps have no more to come. */
void issue_drop_ended(struct issue *issue)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < issue->n_places; i++)
        if (issue->sms[issue->sm_at[issue->places[i]]].count)
            issue->places[kept++] = issue->places[i];
    issue->n_places = kept;
}

/* The first SM with warps at or behind a place. */
static uint32_t places_from(const struct issue *issue, uint32_t place)
{
    uint32_t low = 0, high = issue->n_places;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (issue->places[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < issue->n_places ? low : 0;
}

/* A round on its way: SMs are asked in their order, and those that have a turn take it in the same
 * one. What an SM's turn does changes no other SM's choice, so that choices are made ahead. */
struct round {
    uint32_t place, asked; /* of the next SM; how many were */
    uint32_t chosen, told; /* turns */
    uint64_t wake;         /* when the first of those that have none may be asked again */
};

/* Asks so many SMs more, as far as there are: several together, so that they do not wait for each
 * other's memory. */
static void round_ask(struct issue *issue, struct round *round, uint32_t n)
{
    for (; n && round->asked < issue->n_places; n--, round->asked++) {
        uint32_t s = issue->sm_at[issue->places[round->place]];
        struct sm *sm = &issue->sms[s];
        sm->round = issue->round;
        uint32_t at = sm->asleep_until > issue->round
                          ? NO_WARP
                          : issue_choose(sm, issue->system, issue->round);
        round->place = round->place + 1 < issue->n_places ? round->place + 1 : 0;
        if (at != NO_WARP) {
            prefetch_warp(sm->warps[at], sm->items[at]);
            issue->turns[round->chosen++] = (struct issue_next){s, at, sm->items[at]};
        } else if (sm->asleep_until < round->wake) {
            round->wake = sm->asleep_until;
        }
    }
}

/* Tells of so many turns more. Their warps are there by now, and so is what stands in them. */
static void round_tell(struct issue *issue, struct round *round, uint32_t n)
{
    for (; n && round->told < round->chosen; n--, round->told++) {
        const struct issue_next *next = &issue->turns[round->told];
        const struct resident_warp *warp = issue->sms[next->sm].warps[next->at];
        prefetch_read(warp->cta);
        residents_prefetch(warp);
        if (issue->user.ahead && next->access)
            issue->user.ahead(issue->user.context, next->sm, warp, next->access);
    }
}

/* Of warps that only end there is no access. */
static int round_show(struct issue *issue, const struct round *round, struct error *error)
{
    for (uint32_t k = 0; k < round->chosen; k++) {
        struct issue_next *next = &issue->turns[k];
        if (issue->sms[next->sm].warps[next->at]->misses.ended)
            next->access = NULL;
    }
    return issue->user.round(issue->user.context, issue->round, issue->turns, round->chosen, error);
}

static int round_take(struct issue *issue, const struct issue_next *next, struct error *error)
{
    int status = issue_take(issue, next->sm, next->at, error);
    return status > 0 ? residents_refill(&issue->residents, next->sm, error) : status;
}

/* Turns are chosen before they are taken, and told of a little before, so that what they need of
 * memory is fetched meanwhile; all of them are, if somebody has to see a round before it is taken.
 */
static int issue_round(struct issue *issue, struct error *error)
{
    enum { CHOSEN = 16, TOLD = 8 }; /* at least; twice as many at most */
    struct round round = {.wake = UINT64_MAX};
    round.place = places_from(issue, (uint32_t)(issue->round % issue->system->sms));
    bool ended = false;
    int status = 0;
    if (issue->user.round) {
        round_ask(issue, &round, issue->n_places);
        status = round_show(issue, &round, error);
    }
    for (uint32_t k = 0; !status; k++) {
        while (round.asked < issue->n_places && round.chosen < k + CHOSEN)
            round_ask(issue, &round, CHOSEN);
        if (round.told < k + TOLD)
            round_tell(issue, &round, TOLD);
        if (k == round.chosen)
            break;
        status = round_take(issue, &issue->turns[k], error);
        ended = ended || issue->sms[issue->turns[k].sm].count == 0;
    }
    if (status)
        return status;
    if (ended)
        issue_drop_ended(issue);
    issue->round = round.chosen ? issue->round + 1 : round.wake;
    return 0;
}

static int kernel_together(struct issue *issue, struct error *error)
{
    int status = 0;
    while (!status && issue->n_places) {
        if (interrupt_requested())
            return issue_interrupted(error);
        status = issue_round(issue, error);
    }
    return status;
}

/* --- kernels ------------------------------------------------------------------------ */

static int kernel_by_rounds(struct issue *issue, struct error *error)
{
    uint64_t sms = issue->system->sms;
    /* Each round begins with another SM: here with the first one, so that what a launch does
     * follows from the launch and from what it finds, not from how many rounds were before it. All
     * that the one before asked for is there. */
    if (issue->round)
        issue->round = (issue->round + issue->system->stall + sms - 1) / sms * sms;
    issue->origin = issue->round;
    issue->skim_until = 0;
    for (uint32_t s = 0; s < issue->system->sms; s++) {
        struct sm *sm = &issue->sms[s];
        sm->count = sm->n_asleep = 0;
        memset(sm->awake, 0, (issue->system->warps + 63) / 64 * sizeof *sm->awake);
        memset(sm->issued_at, 0, issue->system->warps * sizeof *sm->issued_at);
        sm->cursor = 0;
        sm->asleep_until = 0;
        sm->round = issue->round;
        sm->stopped = false;
        sm->status = sm->worker = 0;
    }
    int status = residents_fill(&issue->residents, error);
    issue->n_places = 0;
    for (uint32_t place = 0; place < issue->system->sms; place++)
        if (issue->sms[issue->sm_at[place]].count)
            issue->places[issue->n_places++] = place;
    if (status)
        return status;
    return issue->user.together ? kernel_together(issue, error) : issue_alone(issue, error);
}

/* The SM of every CTA when nothing says when CTAs end: in a unit in turn. */
static uint32_t *replay_sms(struct issue *issue)
{
    struct residents *residents = &issue->residents;
    const struct schedule *schedule = schedule_of(issue->system);
    uint32_t sms = issue->system->sms;
    uint32_t *result = memory_zero(residents->kernel->n_ctas, sizeof *result);
    uint32_t *of_unit = memory_alloc(sms * sizeof *of_unit);
    uint32_t start = residents->start;
    for (uint32_t unit = 0; unit < residents->n_units; unit++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < sms; i++) {
            uint32_t s = residents->sm_at[(start + i) % sms];
            if (residents->unit[s] == unit)
                of_unit[count++] = s;
        }
        uint64_t cta;
        for (uint64_t n = 0; (cta = schedule->cta(&residents->schedule, unit, n)) != UINT64_MAX;
             n++) {
            result[cta] = of_unit[n % count];
            residents_took(residents, result[cta]);
        }
    }
    free(of_unit);
    return result;
}

/* One access a turn, and as many turns a round as there are SMs. */
static void replay_count(struct issue *issue, const struct warp_access *access)
{
    issue->replayed += access->kind != ACCESS_NONE;
    if (issue->replayed < issue->system->sms)
        return;
    issue->replayed = 0;
    issue->replayed_rounds++;
}

static int kernel_by_record(struct issue *issue, struct error *error)
{
    struct warp_buffer *buffer = memory_alloc(sizeof *buffer);
    struct ordered_access origin[WARP_BUFFER_ITEMS];
    uint32_t *sm_of = replay_sms(issue);
    int status;
    while ((status = stream_read_ordered(issue->residents.stream, buffer, origin, error)) > 0) {
        int count = status;
        for (int i = 0; i < count && status >= 0; i++) {
            uint32_t sm = sm_of[origin[i].cta];
            struct issue_turn turn = {issue->round, issue_clock(issue), origin[i].cta,
                                      sm,           origin[i].warp,     0};
            if (buffer->items[i].flags & ACCESS_LOCAL && issue->system->no_local)
                residents_leave_out(&buffer->items[i]);
            status = issue->user.access(issue->user.context, &turn, &buffer->items[i], error);
            replay_count(issue, &buffer->items[i]);
        }
        if (status >= 0 && interrupt_requested())
            status = issue_interrupted(error);
        if (status < 0)
            break;
    }
    free(sm_of);
    free(buffer);
    return status;
}

uint32_t issue_start(const struct issue *issue)
{
    return issue->residents.start;
}

int issue_kernel(struct issue *issue, struct stream *stream, const struct stream_kernel *kernel,
                 struct error *error)
{
    int status = residents_begin_kernel(&issue->residents, stream, kernel, error);
    if (!status)
        status = kernel->recorded_order ? kernel_by_record(issue, error)
                                        : kernel_by_rounds(issue, error);
    residents_end_kernel(&issue->residents);
    return status;
}
