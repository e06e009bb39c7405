/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Differences of counts. */
#include "profile/run/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void window_init(struct window *window, const struct system *system,
                 const struct requests *requests, uint64_t warmup, uint64_t length)
{
    *window = (struct window){.warmup = warmup, .length = length, .n_kinds = requests->n_kinds};
    tally_init(&window->before, system);
    tally_init(&window->after, system);
    for (uint32_t i = 0; i < window->n_kinds; i++) {
        uint32_t units = distances_units(requests->kinds[i]);
        struct distance_counts *counts = memory_zero(1, sizeof *counts);
        counts->requests = memory_zero(units, sizeof *counts->requests);
        counts->cold = memory_zero(units, sizeof *counts->cold);
        window->counts[i] = counts;
    }
}

void window_fini(struct window *window)
{
    tally_fini(&window->before);
    tally_fini(&window->after);
    for (uint32_t i = 0; i < window->n_kinds; i++) {
        free(window->counts[i]->requests);
        free(window->counts[i]->cold);
        free(window->counts[i]);
    }
    *window = (struct window){0};
}

void window_begin_launch(struct window *window)
{
    window->seen = 0;
    window->begun = window->ended = false;
}

static void copy(struct distance_counts *to, const struct distance_counts *from, uint32_t units)
{
    memcpy(to->parts, from->parts, sizeof to->parts);
    memcpy(to->requests, from->requests, units * sizeof *to->requests);
    memcpy(to->cold, from->cold, units * sizeof *to->cold);
}

/* to = from - to */
static void difference(uint64_t *to, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i] - to[i];
}

static void histogram_difference(struct distance_histogram *to,
                                 const struct distance_histogram *from)
{
    to->requests = from->requests - to->requests;
    to->cold = from->cold - to->cold;
    difference(to->bins, from->bins, sizeof to->bins / sizeof *to->bins);
}

void window_look(struct window *window, const struct tally *tally, const struct requests *requests)
{
    if (!window->begun) {
        window->begun = true;
        tally_copy(&window->before, tally);
        for (uint32_t i = 0; i < window->n_kinds; i++)
            copy(window->counts[i], distances_counts(requests->kinds[i]),
                 distances_units(requests->kinds[i]));
    }
    if (window->ended || window->seen < window->warmup + window->length)
        return;
    window->ended = true;
    tally_copy(&window->after, tally);
    tally_subtract(&window->after, &window->before);
    for (uint32_t i = 0; i < window->n_kinds; i++) {
        const struct distance_counts *now = distances_counts(requests->kinds[i]);
        struct distance_counts *then = window->counts[i];
        uint32_t units = distances_units(requests->kinds[i]);
        for (int p = 0; p < DISTANCE_EVICTED; p++)
            histogram_difference(&then->parts[p], &now->parts[p]);
        /* Of what was written before the window, part is counted in it. */
        memset(&then->parts[DISTANCE_EVICTED], 0,
               (DISTANCE_PARTS - DISTANCE_EVICTED) * sizeof *then->parts);
        difference(then->requests, now->requests, units);
        difference(then->cold, now->cold, units);
    }
}

void window_finish(struct window *window, const struct tally *tally,
                   const struct requests *requests, struct launch_part *out)
{
    /* A launch that ends before its window does: what there is of it. */
    if (!window->ended) {
        if (window->seen < window->warmup + window->length)
            window->seen = window->warmup + window->length;
        window_look(window, tally, requests);
    }
    tally_fields(&window->after, out->fields);
    /* Counts of distinct lines are no differences of counts. */
    out->fields[FIELD_CTAS] = out->fields[FIELD_LINES] = (double)NAN;
    out->fields[FIELD_WRITTEN] = out->fields[FIELD_READ_ONLY_SHARED] = (double)NAN;
    out->n_kinds = window->n_kinds;
    for (uint32_t i = 0; i < window->n_kinds; i++) {
        distances_scale(requests->kinds[i], window->counts[i]);
        out->counts[i] = window->counts[i];
        out->units[i] = distances_units(requests->kinds[i]);
    }
}
