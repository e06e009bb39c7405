/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Occupancy; CTAs and their warps. */
#include "profile/issue/residents.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "trace/local.h"

void residents_init(struct residents *residents, const struct system *system,
                    const struct residents_user *user)
{
    uint32_t sms = system->sms;
    *residents = (struct residents){.system = system, .user = *user};
    residents->sm_at = memory_zero(sms, sizeof *residents->sm_at);
    residents->unit = memory_zero(sms, sizeof *residents->unit);
    residents->room = memory_zero(sms, sizeof *residents->room);
    residents->slots_of = memory_zero(sms, sizeof *residents->slots_of);
    for (uint32_t s = 0; s < sms; s++)
        residents->sm_at[s % system->sms_per_chip * system->chips + s / system->sms_per_chip] = s;
}

void residents_fini(struct residents *residents)
{
    free(residents->sm_at);
    free(residents->unit);
    free(residents->room);
    free(residents->queue);
    free(residents->slots);
    free(residents->slots_of);
}

/* --- CTAs and warps ------------------------------------------------------------- */

/* The machine's limit on what is under way, beside the workload's. */
static void limit_ahead(struct warp_buffer *buffer, uint32_t most)
{
    for (int i = 0; i < buffer->count; i++)
        if (buffer->items[i].ahead > most)
            buffer->items[i].ahead = (uint8_t)most;
}

/* From the frame of the warp in the grid into that of its place. */
static void place_local(const struct residents *residents, uint32_t sm, struct resident_warp *warp)
{
    const struct stream_kernel *kernel = residents->kernel;
    uint32_t of_cta = warp->slot - warp->cta->slot * kernel->warps_per_cta;
    uint64_t place =
        LOCAL_ADDRESS + sm * residents->local_bytes + (uint64_t)warp->slot * kernel->local_bytes;
    uint64_t frame = local_frame(kernel, warp->cta->number, of_cta);
    for (int i = 0; i < warp->buffer.count; i++)
        if (warp->buffer.items[i].flags & ACCESS_LOCAL)
            local_move(&warp->buffer.items[i], place - frame);
}

/* Takes accesses to local memory out. Who went ahead of one goes ahead of one less. */
static void leave_local_out(struct resident_warp *warp)
{
    for (int i = 0; i < warp->buffer.count; i++) {
        struct warp_access *item = &warp->buffer.items[i];
        bool local = item->flags & ACCESS_LOCAL;
        if (item->kind == ACCESS_NONE)
            continue;
        uint64_t before = warp->left_out & (((uint64_t)1 << item->ahead) - 1);
        item->ahead = (uint8_t)(item->ahead - __builtin_popcountll(before));
        warp->left_out = warp->left_out << 1 | local;
        if (local)
            residents_leave_out(item);
    }
}

int residents_advance(struct residents *residents, uint32_t sm, struct resident_warp *warp,
                      struct error *error)
{
    const struct residents_user *user = &residents->user;
    for (;;) {
        for (; warp->next < warp->buffer.count; warp->next++) {
            const struct warp_access *item = &warp->buffer.items[warp->next];
            if (item->kind != ACCESS_NONE)
                return 1;
            int status = user->carry(user->context, sm, warp->cta->number, item, error);
            if (status < 0)
                return status;
        }
        int count = stream_read(residents->stream, warp + 1, &warp->buffer, error);
        if (count <= 0)
            return count;
        if (residents->kernel->local_bytes && residents->system->no_local)
            leave_local_out(warp);
        else if (residents->kernel->local_bytes)
            place_local(residents, sm, warp);
        if (residents->system->ahead)
            limit_ahead(&warp->buffer, residents->system->ahead);
        warp->next = 0;
    }
}

static struct resident_cta *slot_take(struct residents *residents, uint32_t sm)
{
    struct resident_slots *slots = &residents->slots_of[sm];
    struct resident_cta *cta = slots->free;
    if (cta) {
        slots->free = cta->next_free;
        return cta;
    }
    size_t at = (size_t)sm * residents->ctas_per_sm + slots->used;
    cta = (struct resident_cta *)(void *)(residents->slots + at * residents->slot_size);
    cta->slot = slots->used++;
    return cta;
}

static void slot_give(struct residents *residents, uint32_t sm, struct resident_cta *cta)
{
    cta->next_free = residents->slots_of[sm].free;
    residents->slots_of[sm].free = cta;
}

/* Starts a CTA on an SM that has room. One without any access ends at once. */
static int cta_start(struct residents *residents, uint32_t sm, uint64_t number, struct error *error)
{
    struct resident_cta *cta = slot_take(residents, sm);
    cta->number = number;
    cta->warps_left = 0;
    for (uint32_t w = 0; w < residents->kernel->warps_per_cta; w++) {
        struct resident_warp *warp =
            (struct resident_warp *)(void *)((unsigned char *)(cta + 1) + w * residents->warp_size);
        warp->cta = cta;
        warp->slot = cta->slot * residents->kernel->warps_per_cta + w;
        warp->next = warp->buffer.count = 0;
        warp->left_out = 0;
        int status = stream_warp_begin(residents->stream, number, w, warp + 1, error);
        if (!status)
            status = residents_advance(residents, sm, warp, error);
        if (status < 0)
            return status;
        if (status == 0)
            continue;
        residents->user.begin(residents->user.context, sm, warp);
        cta->warps_left++;
    }
    if (cta->warps_left)
        residents->room[sm]--;
    else
        slot_give(residents, sm, cta);
    return 0;
}

void residents_took(struct residents *residents, uint32_t sm)
{
    const struct system *system = residents->system;
    if (!system->cta_start_next)
        return;
    uint32_t place = sm % system->sms_per_chip * system->chips + sm / system->sms_per_chip;
    residents->start = place + 1 < system->sms ? place + 1 : 0;
}

/* Starts the next CTA of the SM's unit: 1, 0 when there is none, or a negative status. */
static int sm_start_next(struct residents *residents, uint32_t sm, struct error *error)
{
    uint32_t unit = residents->unit[sm];
    if (unit == SCHEDULE_NONE)
        return 0;
    uint64_t cta =
        schedule_of(residents->system)->cta(&residents->schedule, unit, residents->queue[unit]);
    if (cta == UINT64_MAX)
        return 0;
    if (interrupt_requested())
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    residents->queue[unit]++;
    residents_took(residents, sm);
    int status = cta_start(residents, sm, cta, error);
    return status ? status : 1;
}

bool residents_end_warp(struct residents *residents, uint32_t sm, struct resident_warp *warp)
{
    struct resident_cta *cta = warp->cta;
    if (--cta->warps_left)
        return false;
    slot_give(residents, sm, cta);
    residents->room[sm]++;
    return true;
}

bool residents_wait(const struct residents *residents, uint32_t sm)
{
    uint32_t unit = residents->unit[sm];
    return unit != SCHEDULE_NONE &&
           schedule_of(residents->system)
                   ->cta(&residents->schedule, unit, residents->queue[unit]) != UINT64_MAX;
}

int residents_refill(struct residents *residents, uint32_t sm, struct error *error)
{
    int status = 1;
    while (status > 0 && residents->room[sm])
        status = sm_start_next(residents, sm, error);
    return status < 0 ? status : 0;
}

/* --- kernels ---------------------------------------------------------------------- */

uint32_t residents_per_sm(const struct system *system, const struct stream_kernel *kernel)
{
    uint32_t by_warps = system->warps / kernel->warps_per_cta;
    uint32_t by_threads =
        kernel->threads_per_cta ? system->threads / kernel->threads_per_cta : system->ctas;
    uint32_t least = by_warps < by_threads ? by_warps : by_threads;
    return least < system->ctas ? least : system->ctas;
}

static int occupancy(const struct system *system, const struct stream_kernel *kernel, uint32_t *out,
                     struct error *error)
{
    *out = residents_per_sm(system, kernel);
    if (*out)
        return 0;
    error_set(error, STATUS_INPUT,
              "kernel %.80s: a block of %u threads (%u warps) does not fit on an SM of %u threads, "
              "%u warps and %u blocks",
              kernel->name, kernel->threads_per_cta, kernel->warps_per_cta, system->threads,
              system->warps, system->ctas);
    error_hint(error, "raise sm.threads or sm.warps");
    return STATUS_INPUT;
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* Storage for every CTA that can be in flight at once, and no more on an SM than there are. */
static void slots_prepare(struct residents *residents, uint32_t ctas_per_sm)
{
    const struct stream_kernel *kernel = residents->kernel;
    residents->ctas_per_sm = ctas_per_sm < kernel->n_ctas ? ctas_per_sm : (uint32_t)kernel->n_ctas;
    uint64_t count = (uint64_t)residents->ctas_per_sm * residents->system->sms;
    residents->local_bytes = kernel->local_bytes
                                 ? round_up((uint64_t)residents->ctas_per_sm *
                                                kernel->warps_per_cta * kernel->local_bytes,
                                            residents->system->page_bytes)
                                 : 0;
    residents->warp_size =
        round_up(sizeof(struct resident_warp) + kernel->warp_state_size, alignof(max_align_t));
    residents->slot_size =
        round_up(sizeof(struct resident_cta) + kernel->warps_per_cta * residents->warp_size, 64);
    if (residents->slots_size < count * residents->slot_size) {
        free(residents->slots);
        residents->slots_size = count * residents->slot_size;
        residents->slots =
            memory_aligned(residents->slots_size < MEMORY_LARGE_PAGE ? 64 : MEMORY_LARGE_PAGE,
                           residents->slots_size);
        memory_advise_large(residents->slots, residents->slots_size);
    }
    for (uint32_t sm = 0; sm < residents->system->sms; sm++)
        residents->slots_of[sm] = (struct resident_slots){NULL, 0};
}

int residents_begin_kernel(struct residents *residents, struct stream *stream,
                           const struct stream_kernel *kernel, struct error *error)
{
    const struct system *system = residents->system;
    const struct schedule *schedule = schedule_of(system);
    residents->stream = stream;
    residents->kernel = kernel;
    int status = schedule_begin(system, stream, kernel, &residents->schedule, error);
    if (status)
        return status;
    residents->n_units = schedule->n_units(&residents->schedule);
    free(residents->queue);
    residents->queue = memory_zero(residents->n_units, sizeof *residents->queue);
    for (uint32_t s = 0; s < system->sms; s++)
        residents->unit[s] = schedule_unit(system, &residents->schedule, s);
    return 0;
}

uint64_t residents_warps(const struct residents *residents)
{
    const struct stream_kernel *kernel = residents->kernel;
    uint64_t sms = residents->system->sms, each = (kernel->n_ctas + sms - 1) / sms;
    uint64_t ctas = each < residents->ctas_per_sm ? each : residents->ctas_per_sm;
    uint64_t warps = ctas * kernel->warps_per_cta;
    return warps > 0 ? warps : 1;
}

void residents_end_kernel(struct residents *residents)
{
    schedule_end(residents->system, &residents->schedule);
}

int residents_fill(struct residents *residents, struct error *error)
{
    uint32_t ctas_per_sm, sms = residents->system->sms, start = residents->start;
    int status = occupancy(residents->system, residents->kernel, &ctas_per_sm, error);
    if (status)
        return status;
    slots_prepare(residents, ctas_per_sm);
    for (uint32_t s = 0; s < sms; s++)
        residents->room[s] = ctas_per_sm;
    for (int started = 1; started;) {
        started = 0;
        for (uint32_t place = 0; place < sms; place++) {
            uint32_t s =
                residents->sm_at[start + place < sms ? start + place : start + place - sms];
            status = residents->room[s] ? sm_start_next(residents, s, error) : 0;
            if (status < 0)
                return status;
            started |= status;
        }
    }
    return 0;
}
