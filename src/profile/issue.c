/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Occupancy, warp schedulers and rounds. */
#include "profile/issue.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"

/* A warp in flight; the stream's own state follows. */
struct warp {
    alignas(max_align_t) struct cta *cta;
    int next; /* item of the buffer */
    struct warp_buffer buffer;
};

/* A CTA in flight; its warps follow. Slots are reused. */
struct cta {
    alignas(max_align_t) struct cta *next_free;
    uint64_t number;
    uint32_t warps_left;
};

struct sm {
    struct warp **warps;              /* by age, not ended */
    uint64_t *ready;                  /* the first round in which warps[i] may issue */
    const struct warp_access **items; /* what it issues next */
    uint32_t count;                   /* of warps */
    uint32_t cursor;       /* lrr: the next one; gto, grr: the last one, or, when that has
                            * ended, NO_WARP (gto) or the one behind it (grr) */
    uint32_t unit;         /* of the schedule */
    uint32_t room;         /* CTAs that still fit */
    uint64_t asleep_until; /* no warp may issue before that round */
};
#define NO_WARP UINT32_MAX

struct issue {
    const struct shape *shape;
    issue_access_fn *access;
    issue_ahead_fn *ahead; /* or NULL */
    void *context;
    uint64_t round;
    uint64_t replayed_rounds; /* of kernels in recorded order */
    uint32_t replayed;        /* accesses since the last of them */
    struct sm *sms;
    struct warp **warps; /* storage of every SM's lists */
    uint64_t *ready;
    const struct warp_access **items;
    uint32_t *sm_at;  /* the SM of each place */
    uint32_t *places; /* of SMs that have warps, ascending */
    uint32_t n_places;
    /* Of the kernel: */
    struct stream *stream;
    const struct stream_kernel *kernel;
    struct schedule_context schedule;
    uint64_t *queue; /* next CTA of each unit of the schedule */
    unsigned char *slots;
    size_t slots_size, slot_size, warp_size, slots_used;
    struct cta *free_slots;
};

struct issue *issue_create(const struct shape *shape, issue_access_fn *access,
                           issue_ahead_fn *ahead, void *context)
{
    struct issue *issue = memory_zero(1, sizeof *issue);
    uint32_t sms = shape->sms;
    issue->shape = shape;
    issue->access = access;
    issue->ahead = ahead;
    issue->context = context;
    issue->sms = memory_zero(sms, sizeof *issue->sms);
    issue->warps = memory_zero((size_t)sms * shape->warps, sizeof *issue->warps);
    issue->ready = memory_zero((size_t)sms * shape->warps, sizeof *issue->ready);
    issue->items = memory_zero((size_t)sms * shape->warps, sizeof *issue->items);
    issue->sm_at = memory_zero(sms, sizeof *issue->sm_at);
    issue->places = memory_zero(sms, sizeof *issue->places);
    for (uint32_t s = 0; s < sms; s++) {
        issue->sms[s].warps = issue->warps + (size_t)s * shape->warps;
        issue->sms[s].ready = issue->ready + (size_t)s * shape->warps;
        issue->sms[s].items = issue->items + (size_t)s * shape->warps;
        issue->sm_at[s % shape->sms_per_chip * shape->chips + s / shape->sms_per_chip] = s;
    }
    return issue;
}

void issue_destroy(struct issue *issue)
{
    if (!issue)
        return;
    free(issue->sms);
    free(issue->warps);
    free(issue->ready);
    free(issue->items);
    free(issue->sm_at);
    free(issue->places);
    free(issue->queue);
    free(issue->slots);
    free(issue);
}

uint64_t issue_round_number(const struct issue *issue)
{
    return issue->round + issue->replayed_rounds;
}

static int interrupted(struct error *error)
{
    return error_set(error, STATUS_INTERRUPTED, "interrupted while profiling");
}

/* --- CTAs and warps ------------------------------------------------------------- */

/* Moves to the warp's next access, past records that only carry instructions:
 * 1, 0 at its end, or a negative status. */
static int warp_advance(struct issue *issue, uint32_t s, struct warp *warp, struct error *error)
{
    for (;;) {
        for (; warp->next < warp->buffer.count; warp->next++) {
            const struct warp_access *item = &warp->buffer.items[warp->next];
            if (item->kind != ACCESS_NONE)
                return 1;
            int status = issue->access(issue->context, s, warp->cta->number, item, error);
            if (status < 0)
                return status;
        }
        int count = stream_read(issue->stream, warp + 1, &warp->buffer, error);
        if (count <= 0)
            return count;
        warp->next = 0;
    }
}

static struct cta *slot_take(struct issue *issue)
{
    struct cta *cta = issue->free_slots;
    if (cta)
        issue->free_slots = cta->next_free;
    else
        cta = (struct cta *)(void *)(issue->slots + issue->slots_used++ * issue->slot_size);
    return cta;
}

static void slot_give(struct issue *issue, struct cta *cta)
{
    cta->next_free = issue->free_slots;
    issue->free_slots = cta;
}

/* Starts a CTA on an SM that has room. One without any access ends at once. */
static int cta_start(struct issue *issue, uint32_t s, uint64_t number, struct error *error)
{
    struct sm *sm = &issue->sms[s];
    struct cta *cta = slot_take(issue);
    cta->number = number;
    cta->warps_left = 0;
    for (uint32_t w = 0; w < issue->kernel->warps_per_cta; w++) {
        struct warp *warp =
            (struct warp *)(void *)((unsigned char *)(cta + 1) + w * issue->warp_size);
        warp->cta = cta;
        warp->next = warp->buffer.count = 0;
        int status = stream_warp_begin(issue->stream, number, w, warp + 1, error);
        if (!status)
            status = warp_advance(issue, s, warp, error);
        if (status < 0)
            return status;
        if (status == 0)
            continue;
        sm->warps[sm->count] = warp;
        sm->items[sm->count] = &warp->buffer.items[warp->next];
        sm->ready[sm->count++] = 0;
        sm->asleep_until = 0;
        cta->warps_left++;
    }
    if (cta->warps_left)
        sm->room--;
    else
        slot_give(issue, cta);
    return 0;
}

/* Starts the next CTA of the SM's unit: 1, 0 when there is none, or a negative status. */
static int sm_start_next(struct issue *issue, uint32_t s, struct error *error)
{
    uint32_t unit = issue->sms[s].unit;
    uint64_t cta = issue->shape->schedule->cta(&issue->schedule, unit, issue->queue[unit]);
    if (cta == UINT64_MAX)
        return 0;
    if (interrupt_requested())
        return interrupted(error);
    issue->queue[unit]++;
    int status = cta_start(issue, s, cta, error);
    return status ? status : 1;
}

/* Takes an ended warp from the list; the SM takes new CTAs in place of one that ended. */
static int sm_end_warp(struct issue *issue, uint32_t s, uint32_t at, struct error *error)
{
    struct sm *sm = &issue->sms[s];
    struct cta *cta = sm->warps[at]->cta;
    uint32_t behind = --sm->count - at;
    memmove(sm->warps + at, sm->warps + at + 1, behind * sizeof *sm->warps);
    memmove(sm->ready + at, sm->ready + at + 1, behind * sizeof *sm->ready);
    memmove(sm->items + at, sm->items + at + 1, behind * sizeof *sm->items);
    sm->cursor = issue->shape->order == WARPS_GTO ? NO_WARP : at;
    if (--cta->warps_left)
        return 0;
    slot_give(issue, cta);
    sm->room++;
    int status = 1;
    while (status > 0 && sm->room)
        status = sm_start_next(issue, s, error);
    return status < 0 ? status : 0;
}

/* --- rounds ----------------------------------------------------------------------- */

/* The warp to issue, or NO_WARP; then the SM sleeps until the first one may. */
static uint32_t sm_choose(struct sm *sm, enum warp_order order, uint64_t round)
{
    uint32_t next = sm->cursor < sm->count ? sm->cursor : 0; /* 0 for NO_WARP as well */
    if (order == WARPS_LRR || sm->ready[next] <= round)
        return next;
    uint64_t wake = UINT64_MAX;
    uint32_t first = order == WARPS_GRR ? next : 0;
    for (uint32_t k = 0, i = first; k < sm->count; k++, i++) {
        i = i < sm->count ? i : 0;
        if (sm->ready[i] <= round)
            return i;
        wake = sm->ready[i] < wake ? sm->ready[i] : wake;
    }
    sm->asleep_until = wake;
    return NO_WARP;
}

/* An SM's turn in a round. */
struct turn {
    uint32_t sm, at; /* the warp, in the SM's list */
};

static int turn_take(struct issue *issue, struct turn turn, struct error *error)
{
    uint32_t s = turn.sm, at = turn.at;
    struct sm *sm = &issue->sms[s];
    bool greedy = issue->shape->order != WARPS_LRR;
    struct warp *warp = sm->warps[at];
    const struct warp_access *item = &warp->buffer.items[warp->next++];
    int status = issue->access(issue->context, s, warp->cta->number, item, error);
    if (status < 0)
        return status;
    if (greedy && status > 0)
        sm->ready[at] = issue->round + 1 + issue->shape->stall;
    sm->cursor = greedy ? at : at + 1;
    status = warp_advance(issue, s, warp, error);
    if (status == 0)
        status = sm_end_warp(issue, s, at, error);
    else
        sm->items[at] = &warp->buffer.items[warp->next];
    return status < 0 ? status : 0;
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

/* SMs without warps have no more to come. */
static void places_drop_ended(struct issue *issue)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < issue->n_places; i++)
        if (issue->sms[issue->sm_at[issue->places[i]]].count)
            issue->places[kept++] = issue->places[i];
    issue->n_places = kept;
}

/* The turns of `n` SMs from *place on, and when the first of those that have none may be
 * asked again. What an SM's turn does changes no other SM's choice, so that choices can be
 * made ahead. */
static uint32_t turns_choose(struct issue *issue, uint32_t *place, uint32_t n, struct turn *turns,
                             uint64_t *wake)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t s = issue->sm_at[issue->places[*place]];
        struct sm *sm = &issue->sms[s];
        uint32_t at = sm->asleep_until > issue->round
                          ? NO_WARP
                          : sm_choose(sm, issue->shape->order, issue->round);
        *place = *place + 1 < issue->n_places ? *place + 1 : 0;
        if (at != NO_WARP) {
            const struct warp_access *item = sm->items[at];
            __builtin_prefetch(sm->warps[at], 1);
            __builtin_prefetch(item);
            __builtin_prefetch(item + 1); /* the next one is looked at too */
            turns[count++] = (struct turn){s, at};
        } else if (sm->asleep_until < *wake) {
            *wake = sm->asleep_until;
        }
    }
    return count;
}

static void turns_announce(const struct issue *issue, const struct turn *turns, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        issue->ahead(issue->context, turns[k].sm, issue->sms[turns[k].sm].items[turns[k].at]);
    }
}

/* Turns are taken a few at a time: what they need of memory is asked for before. */
static int issue_round(struct issue *issue, struct error *error)
{
    enum { TURNS = 16 };
    uint32_t place = places_from(issue, (uint32_t)(issue->round % issue->shape->sms));
    uint64_t wake = UINT64_MAX;
    bool issued = false, ended = false;
    for (uint32_t done = 0; done < issue->n_places; done += TURNS) {
        struct turn turns[TURNS];
        uint32_t left = issue->n_places - done;
        uint32_t count = turns_choose(issue, &place, left < TURNS ? left : TURNS, turns, &wake);
        issued = issued || count > 0;
        if (issue->ahead)
            turns_announce(issue, turns, count);
        for (uint32_t k = 0; k < count; k++) {
            int status = turn_take(issue, turns[k], error);
            if (status)
                return status;
            ended = ended || issue->sms[turns[k].sm].count == 0;
        }
    }
    if (ended)
        places_drop_ended(issue);
    issue->round = issued ? issue->round + 1 : wake;
    return 0;
}

/* --- kernels ------------------------------------------------------------------------ */

static int occupancy(const struct shape *shape, const struct stream_kernel *kernel, uint32_t *out,
                     struct error *error)
{
    uint32_t by_warps = shape->warps / kernel->warps_per_cta;
    uint32_t by_threads =
        kernel->threads_per_cta ? shape->threads / kernel->threads_per_cta : shape->ctas;
    uint32_t least = by_warps < by_threads ? by_warps : by_threads;
    *out = least < shape->ctas ? least : shape->ctas;
    if (*out)
        return 0;
    error_set(error, STATUS_INPUT,
              "kernel %.80s: a block of %u threads (%u warps) does not fit on an SM of %u threads, "
              "%u warps and %u blocks",
              kernel->name, kernel->threads_per_cta, kernel->warps_per_cta, shape->threads,
              shape->warps, shape->ctas);
    error_hint(error, "raise sm.threads or sm.warps");
    return STATUS_INPUT;
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* Storage for every CTA that can be in flight at once. */
static void slots_prepare(struct issue *issue, uint32_t ctas_per_sm)
{
    const struct stream_kernel *kernel = issue->kernel;
    uint64_t count = (uint64_t)ctas_per_sm * issue->shape->sms;
    count = count < kernel->n_ctas ? count : kernel->n_ctas;
    issue->warp_size =
        round_up(sizeof(struct warp) + kernel->warp_state_size, alignof(max_align_t));
    issue->slot_size = round_up(sizeof(struct cta) + kernel->warps_per_cta * issue->warp_size, 64);
    issue->slots_used = 0;
    issue->free_slots = NULL;
    if (issue->slots_size >= count * issue->slot_size)
        return;
    free(issue->slots);
    issue->slots_size = count * issue->slot_size;
    issue->slots = memory_aligned(64, issue->slots_size);
}

static int kernel_fill(struct issue *issue, struct error *error)
{
    for (int started = 1; started;) {
        started = 0;
        for (uint32_t place = 0; place < issue->shape->sms; place++) {
            uint32_t s = issue->sm_at[place];
            int status = issue->sms[s].room ? sm_start_next(issue, s, error) : 0;
            if (status < 0)
                return status;
            started |= status;
        }
    }
    issue->n_places = 0;
    for (uint32_t place = 0; place < issue->shape->sms; place++)
        if (issue->sms[issue->sm_at[place]].count)
            issue->places[issue->n_places++] = place;
    return 0;
}

static int kernel_by_rounds(struct issue *issue, struct error *error)
{
    uint32_t ctas_per_sm;
    int status = occupancy(issue->shape, issue->kernel, &ctas_per_sm, error);
    if (status)
        return status;
    slots_prepare(issue, ctas_per_sm);
    for (uint32_t s = 0; s < issue->shape->sms; s++) {
        struct sm *sm = &issue->sms[s];
        sm->count = 0;
        sm->cursor = 0;
        sm->unit = issue->shape->schedule->unit_of(&issue->schedule, s);
        sm->room = ctas_per_sm;
        sm->asleep_until = 0;
    }
    status = kernel_fill(issue, error);
    while (!status && issue->n_places)
        status = interrupt_requested() ? interrupted(error) : issue_round(issue, error);
    return status;
}

/* The SM of every CTA when nothing says when CTAs end: in a unit in turn. */
static uint32_t *replay_sms(const struct issue *issue, uint32_t n_units)
{
    const struct schedule *schedule = issue->shape->schedule;
    uint32_t sms = issue->shape->sms;
    uint32_t *result = memory_zero(issue->kernel->n_ctas, sizeof *result);
    uint32_t *of_unit = memory_alloc(sms * sizeof *of_unit);
    for (uint32_t unit = 0; unit < n_units; unit++) {
        uint32_t count = 0;
        for (uint32_t place = 0; place < sms; place++)
            if (schedule->unit_of(&issue->schedule, issue->sm_at[place]) == unit)
                of_unit[count++] = issue->sm_at[place];
        uint64_t cta;
        for (uint64_t n = 0; (cta = schedule->cta(&issue->schedule, unit, n)) != UINT64_MAX; n++)
            result[cta] = of_unit[n % count];
    }
    free(of_unit);
    return result;
}

/* One access a turn, and as many turns a round as there are SMs. */
static void replay_count(struct issue *issue, const struct warp_access *access)
{
    issue->replayed += access->kind != ACCESS_NONE;
    if (issue->replayed < issue->shape->sms)
        return;
    issue->replayed = 0;
    issue->replayed_rounds++;
}

static int kernel_by_record(struct issue *issue, uint32_t n_units, struct error *error)
{
    struct warp_buffer *buffer = memory_alloc(sizeof *buffer);
    struct ordered_access origin[WARP_BUFFER_ITEMS];
    uint32_t *sm_of = replay_sms(issue, n_units);
    int status;
    while ((status = stream_read_ordered(issue->stream, buffer, origin, error)) > 0) {
        int count = status;
        for (int i = 0; i < count && status >= 0; i++) {
            status = issue->access(issue->context, sm_of[origin[i].cta], origin[i].cta,
                                   &buffer->items[i], error);
            replay_count(issue, &buffer->items[i]);
        }
        if (status >= 0 && interrupt_requested())
            status = interrupted(error);
        if (status < 0)
            break;
    }
    free(sm_of);
    free(buffer);
    return status;
}

int issue_kernel(struct issue *issue, struct stream *stream, const struct stream_kernel *kernel,
                 struct error *error)
{
    const struct shape *shape = issue->shape;
    const struct schedule *schedule = shape->schedule;
    issue->stream = stream;
    issue->kernel = kernel;
    issue->schedule = (struct schedule_context){
        .n_chips = shape->chips,
        .sms_per_chip = shape->sms_per_chip,
        .n_domains = shape->domains,
        .scope = shape->cta_scope,
        .batch = shape->cta_batch,
        .n_ctas = kernel->n_ctas,
        .recorded_sm = kernel->recorded_sm,
        .stream = stream,
        .state = schedule->state_size ? memory_zero(1, schedule->state_size) : NULL,
    };
    int status = schedule->setup ? schedule->setup(&issue->schedule, error) : 0;
    if (!status) {
        uint32_t n_units = schedule->n_units(&issue->schedule);
        free(issue->queue);
        issue->queue = memory_zero(n_units, sizeof *issue->queue);
        status = kernel->recorded_order ? kernel_by_record(issue, n_units, error)
                                        : kernel_by_rounds(issue, error);
    }
    if (schedule->finish)
        schedule->finish(&issue->schedule);
    free(issue->schedule.state);
    return status;
}
