/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stack distances from launch to launch: slots, flushes, what is dirty. */
#include "profile/curves/distances_internal.h"

#include <string.h>

#include "core/simd.h"

void distances_renumber(struct distances *d, uint32_t unit)
{
    struct stack_renumbering r;
    if (stack_distance_grow(&d->engines[unit]))
        return;
    stack_distance_renumber_begin(&r, &d->engines[unit], places_lines(&d->places));
    places_renumber(&d->places, &r, unit);
    d->began[unit] = stack_distance_renumber(&r, d->began[unit]);
    stack_distance_renumber_end(&r);
}

static inline void take_out(struct distances *d, uint32_t id, uint32_t unit)
{
    size_t at;
    struct place *place = places_find(&d->places, id, unit, &at);
    if (place && place->slot)
        stack_distance_remove(&d->engines[unit], &place->slot);
}

/* --- kinds that see the same ---------------------------------------------------------- */

void distances_follow(struct distances *d, struct distances *lead)
{
    d->lead = lead;
}

static void held_copy(struct held_list *list, const struct held_list *from)
{
    for (size_t i = 0; i < from->count; i++)
        held_add(list, *held_at(from, i));
}

void distances_part(struct distances *d)
{
    const struct distances *lead = d->lead;
    if (!lead || d->flush == lead->flush || lead->written.count == 0)
        return;
    stack_distance_copy(&d->engines[0], &lead->engines[0]);
    d->began[0] = lead->began[0];
    places_copy_rows(&d->places, &lead->places);
    held_copy(&d->written, &lead->written);
    d->unsettled = lead->unsettled;
    d->writebacks.open = lead->writebacks.open;
    memcpy(d->counts.parts, lead->counts.parts, sizeof d->counts.parts);
    d->counts.requests[0] = lead->counts.requests[0];
    d->counts.cold[0] = lead->counts.cold[0];
    d->lead = NULL;
}

/* --- launches ------------------------------------------------------------------------- */

void distances_begin_launch(struct distances *d)
{
    if (d->lead)
        return;
    for (size_t i = 0; i < d->replicas.count; i++)
        take_out(d, held_at(&d->replicas, i)->id, held_at(&d->replicas, i)->unit);
    d->replicas.count = 0;
    for (uint32_t u = 0; u < d->units; u++) {
        if (stack_distance_full(&d->engines[u]))
            distances_renumber(d, u);
        d->began[u] = d->engines[u].now;
    }
    memset(d->counts.parts, 0, sizeof d->counts.parts);
    memset(d->counts.requests, 0, d->units * sizeof *d->counts.requests);
    memset(d->counts.cold, 0, d->units * sizeof *d->counts.cold);
    d->counts.is_skimmed = false;
    memset(d->counts.misses_skimmed, 0, sizeof d->counts.misses_skimmed);
    memset(d->counts.written_skimmed, 0, sizeof d->counts.written_skimmed);
    if (d->sampled) {
        *d->asked = (struct spread){0};
        *d->writebacks.spread = (struct spread){0};
    }
}

/* Fetches the place of the one so far ahead. */
static inline void prefetch_written(const struct distances *d, size_t at)
{
    const struct places *p = &d->places;
    if (at >= d->written.count || !p->width)
        return;
    const struct held *held = held_at(&d->written, at);
    prefetch_write(places_at(p, places_row(p, held->id, held->unit)));
}

/* Where dirty lines stand now: they have left caches that are smaller. `plain`: lines are of one
 * sector, in rows, and all are followed. */
INLINE void settle(struct distances *d, const bool plain)
{
    enum { AHEAD = 16 };
    uint64_t share = d->shards.share;
    uint32_t sample = share < UINT32_MAX ? (uint32_t)share : UINT32_MAX;
    memset(d->near, 0, d->units * sizeof *d->near);
    for (size_t i = 0; i < d->written.count; i++) {
        prefetch_written(d, i + AHEAD);
        const struct held *held = held_at(&d->written, i);
        size_t at = plain ? places_row(&d->places, held->id, held->unit)
                          : places_of(&d->places, held->id, held->unit);
        struct place *place = places_at(&d->places, at);
        uint32_t slot = place->slot;
        d->writebacks.place = held->place;
        const struct stack_distance *engine = &d->engines[held->unit];
        uint64_t depth = slot ? stack_distance_depth(engine, slot, &d->near[held->unit]) : 0;
        bool old = slot < d->began[held->unit];
        if (depth && plain)
            reach_sector(d, &place->soil, distance_bin(depth), old, false);
        else if (depth)
            reach_sectors(d, at, true_distance(d, sample, depth), old, false);
    }
    d->unsettled = 0;
}

/* Lines that were written go home; they leave, and so do others' copies that are stale now. */
INLINE void flush_written(struct distances *d, const bool plain)
{
    enum { AHEAD = 16 };
    bool all = d->flush == FLUSH_STALE && !d->places.unit_of, own = d->flush == FLUSH_DIRTY;
    own = own || (d->flush == FLUSH_STALE && d->places.unit_of);
    for (size_t i = 0; i < d->written.count; i++) {
        prefetch_written(d, i + AHEAD);
        const struct held *held = held_at(&d->written, i);
        size_t at = plain ? places_row(&d->places, held->id, held->unit)
                          : places_of(&d->places, held->id, held->unit);
        d->writebacks.place = held->place;
        if (plain)
            writebacks_clean(&d->writebacks, &places_at(&d->places, at)->soil);
        for (uint32_t s = 0; s < d->sectors && !plain; s++)
            writebacks_clean(&d->writebacks, soil_of(d, at, s));
        places_at(&d->places, at)->written = false;
        if (own)
            take_out(d, held->id, held->unit);
        for (uint32_t unit = 0; unit < d->units && all; unit++)
            take_out(d, held->id, unit);
    }
    d->written.count = 0;
    for (uint32_t u = 0; u < d->units && d->flush == FLUSH_ALL; u++)
        stack_distance_flush(&d->engines[u]);
}

void distances_scale(const struct distances *d, struct distance_counts *counts)
{
    if (d->sampled)
        distance_counts_scale(counts, d->units, &d->shards);
}

void distances_end_launch(struct distances *d, bool all)
{
    enum { LOOK_EVERY = 4 };
    if (d->lead)
        return;
    bool plain = d->sectors == 1 && d->places.width && !d->sampled;
    bool looks = all || d->flush != FLUSH_NONE || d->unsettled * LOOK_EVERY >= d->written.count;
    if (looks && plain)
        settle(d, true);
    else if (looks)
        settle(d, false);
    d->counts.parts[DISTANCE_DIRTY] = d->writebacks.open;
    if (d->flush != FLUSH_NONE && d->sampled)
        spread_flush(d->writebacks.spread, d->writebacks.spread_open);
    if (d->flush != FLUSH_NONE && plain)
        flush_written(d, true);
    else if (d->flush != FLUSH_NONE)
        flush_written(d, false);
    distances_scale(d, &d->counts);
}

void distances_estimate(struct distances *d, const struct spread_sample *sample)
{
    if (d->sampled)
        distance_counts_estimate(&d->counts, d->asked, d->writebacks.spread, d->flush != FLUSH_NONE,
                                 sample);
}
