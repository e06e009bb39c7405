/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks of warps, from CTA to CTA and from launch to launch. */
#include "profile/issue/clocks.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void clocks_init(struct clocks *clocks, const struct system *system, bool told)
{
    size_t warps = (size_t)system->sms * system->warps;
    *clocks = (struct clocks){.told = told, .n_sms = system->sms, .warps = system->warps};
    clocks->of_warp = memory_filled(warps, sizeof *clocks->of_warp);
    clocks->of_cta = memory_zero(warps, sizeof *clocks->of_cta);
    clocks->next = memory_zero(system->sms, sizeof *clocks->next);
    clocks->last = memory_zero(system->sms, sizeof *clocks->last);
    clocks->behind_write = memory_zero(system->sms, sizeof *clocks->behind_write);
}

void clocks_fini(struct clocks *clocks)
{
    free(clocks->of_warp);
    free(clocks->of_cta);
    free(clocks->next);
    free(clocks->last);
    free(clocks->behind_write);
    if (clocks->sums) {
        free(clocks->sums->from);
        free(clocks->sums->issued);
        free(clocks->sums->of_sm);
        free(clocks->sums->accesses);
    }
    free(clocks->sums);
    *clocks = (struct clocks){0};
}

/* --- sums --------------------------------------------------------------------------- */

static void sum_from(const struct clocks *clocks, size_t at)
{
    clocks->sums->from[at] = clocks->of_warp[at].clock;
    clocks->sums->issued[at] = clocks->of_warp[at].issued;
}

static void sum_to(const struct clocks *clocks, uint32_t sm, size_t at)
{
    const struct warp_waits *warp = &clocks->of_warp[at];
    wait_clock_add(&clocks->sums->of_sm[sm], &warp->clock, &clocks->sums->from[at]);
    clocks->sums->accesses[sm] += warp->issued - clocks->sums->issued[at];
}

static bool warp_runs(const struct clocks *clocks, size_t at)
{
    uint32_t sm = (uint32_t)(at / clocks->warps), slot = (uint32_t)(at % clocks->warps);
    return clocks->of_cta[(size_t)sm * clocks->warps + slot / clocks->warps_per_cta].warps > 0;
}

void clocks_begin_sums(struct clocks *clocks)
{
    size_t warps = (size_t)clocks->n_sms * clocks->warps;
    struct clocks_sums *sums = clocks->sums;
    if (!clocks->told)
        return;
    if (!sums) {
        sums = clocks->sums = memory_zero(1, sizeof *sums);
        sums->from = memory_zero(warps, sizeof *sums->from);
        sums->issued = memory_zero(warps, sizeof *sums->issued);
        sums->of_sm = memory_zero(clocks->n_sms, sizeof *sums->of_sm);
        sums->accesses = memory_zero(clocks->n_sms, sizeof *sums->accesses);
    }
    memset(sums->of_sm, 0, clocks->n_sms * sizeof *sums->of_sm);
    memset(sums->accesses, 0, clocks->n_sms * sizeof *sums->accesses);
    clocks->summed = true;
    clocks_go_on(clocks);
}

void clocks_hold(struct clocks *clocks)
{
    clocks->held = true;
}

void clocks_go_on(struct clocks *clocks)
{
    clocks->held = false;
    for (size_t at = 0; clocks->summed && at < (size_t)clocks->n_sms * clocks->warps; at++)
        if (warp_runs(clocks, at))
            sum_from(clocks, at);
}

void clocks_sum(struct clocks *clocks)
{
    if (!clocks->summed)
        return;
    for (size_t at = 0; at < (size_t)clocks->n_sms * clocks->warps; at++)
        if (warp_runs(clocks, at)) {
            sum_to(clocks, (uint32_t)(at / clocks->warps), at);
            sum_from(clocks, at);
        }
}

void clocks_skip(struct clocks *clocks, uint32_t sm, uint32_t slot, uint64_t accesses)
{
    size_t at = (size_t)sm * clocks->warps + slot;
    if (!clocks->summed)
        return;
    wait_clock_go_on(&clocks->of_warp[at].clock, &clocks->sums->of_sm[sm],
                     clocks->sums->accesses[sm], accesses);
    sum_from(clocks, at);
}

void clocks_tail(struct clocks *clocks, const struct system *system, uint32_t sm, uint32_t slot,
                 uint32_t instructions, uint32_t think, bool wrote, bool remote)
{
    struct warp_waits *warp = clocks_warp(clocks, sm, slot);
    if (!clocks->told)
        return;
    warp_waits_for(warp, warp->issued);
    warp->clock.last = instructions;
    warp->clock.last_think = think;
    warp->written = warp->posted = 0;
    if (wrote && system->awaits_writes)
        warp_waits_write(warp, remote);
    else if (wrote)
        warp_waits_post(warp, remote);
}

/* --- warps -------------------------------------------------------------------------- */

void clocks_begin_kernel(struct clocks *clocks, const struct stream_kernel *kernel)
{
    clocks->warps_per_cta = kernel->warps_per_cta;
    clocks->summed = clocks->held = false;
    clocks->end.ends_write = clocks->end.ends_remote = 0;
    clocks->start = clocks->end;
    clocks->start.last = clocks->start.last_think = 0;
    for (uint32_t sm = 0; sm < clocks->n_sms; sm++) {
        clocks->next[sm] = clocks->start;
        clocks->behind_write[sm] = 0;
        clocks->last[sm] = (struct clocks_end){clocks->end, 0};
    }
}

void clocks_begin_warp(struct clocks *clocks, uint32_t sm, uint32_t slot)
{
    if (!clocks->told) {
        warp_waits_clear(clocks_warp(clocks, sm, slot));
        return;
    }
    struct clocks_cta *cta =
        &clocks->of_cta[(size_t)sm * clocks->warps + slot / clocks->warps_per_cta];
    if (cta->warps++ == 0) {
        cta->clock = (struct wait_clock){0};
        cta->writer = 0;
    }
    *clocks_warp(clocks, sm, slot) = warp_waits_begin(clocks->next[sm]);
    if (clocks->summed)
        sum_from(clocks, (size_t)sm * clocks->warps + slot);
}

void clocks_end_warp(struct clocks *clocks, uint32_t sm, uint32_t slot, uint64_t when)
{
    if (!clocks->told)
        return;
    struct clocks_cta *cta =
        &clocks->of_cta[(size_t)sm * clocks->warps + slot / clocks->warps_per_cta];
    struct warp_waits *warp = clocks_warp(clocks, sm, slot);
    uint32_t number = slot % clocks->warps_per_cta + 1;
    cta->clock = wait_clock_later(cta->clock, warp_waits_end(warp));
    if (clocks->summed && !clocks->held)
        sum_to(clocks, sm, (size_t)sm * clocks->warps + slot);
    if (warp->clock.ends_write && number > cta->writer)
        cta->writer = number;
    if (--cta->warps == 0)
        clocks->behind_write[sm] += clocks->warps_per_cta - cta->writer;
    clocks->next[sm] = cta->clock; /* when that was its last warp, another CTA begins now */
    if (wait_clock_length(&cta->clock) > wait_clock_length(&clocks->last[sm].clock))
        clocks->last[sm] = (struct clocks_end){cta->clock, when};
}

void clocks_end_kernel(struct clocks *clocks)
{
    struct clocks_end end = {clocks->end, 0};
    for (uint32_t sm = 0; sm < clocks->n_sms; sm++) {
        const struct clocks_end *last = &clocks->last[sm];
        uint64_t length = wait_clock_length(&last->clock), so_far = wait_clock_length(&end.clock);
        if (length > so_far || (length == so_far && last->when < end.when))
            end = *last, clocks->end_sm = sm;
    }
    clocks->end = end.clock;
}

uint64_t clocks_behind_write(const struct clocks *clocks)
{
    uint64_t sum = 0;
    for (uint32_t sm = 0; sm < clocks->n_sms; sm++)
        sum += clocks->behind_write[sm];
    return sum;
}
