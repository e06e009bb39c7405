/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies of counts: all of them begin with the launch. */
#include "profile/run/window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void window_init(struct window *window, const struct system *system,
                 const struct requests *requests)
{
    *window = (struct window){.n_kinds = requests->n_kinds};
    for (uint32_t p = 0; p < WINDOW_PREFIXES; p++) {
        struct window_prefix *prefix = &window->prefixes[p];
        tally_init(&prefix->tally, system);
        for (uint32_t i = 0; i < window->n_kinds; i++) {
            uint32_t units = distances_units(requests->kinds[i]);
            struct distance_counts *counts = memory_zero(1, sizeof *counts);
            counts->requests = memory_zero(units, sizeof *counts->requests);
            counts->cold = memory_zero(units, sizeof *counts->cold);
            prefix->counts[i] = counts;
        }
    }
}

void window_fini(struct window *window)
{
    for (uint32_t p = 0; p < WINDOW_PREFIXES; p++) {
        struct window_prefix *prefix = &window->prefixes[p];
        tally_fini(&prefix->tally);
        for (uint32_t i = 0; i < window->n_kinds; i++) {
            free(prefix->counts[i]->requests);
            free(prefix->counts[i]->cold);
            free(prefix->counts[i]);
        }
    }
    *window = (struct window){0};
}

void window_begin_launch(struct window *window)
{
    window->seen = 0;
    window->ended = 0;
}

static void prefix_take(struct window_prefix *prefix, uint32_t n_kinds, const struct tally *tally,
                        const struct requests *requests, const struct observers *observers)
{
    tally_copy(&prefix->tally, tally);
    observers_sampled(observers, prefix->fields);
    for (uint32_t i = 0; i < n_kinds; i++) {
        const struct distance_counts *now = distances_counts(requests->kinds[i]);
        struct distance_counts *to = prefix->counts[i];
        uint32_t units = distances_units(requests->kinds[i]);
        memcpy(to->parts, now->parts, sizeof to->parts);
        /* What became of written lines is not known yet. */
        memset(&to->parts[DISTANCE_EVICTED], 0,
               (DISTANCE_PARTS - DISTANCE_EVICTED) * sizeof *to->parts);
        memcpy(to->requests, now->requests, units * sizeof *to->requests);
        memcpy(to->cold, now->cold, units * sizeof *to->cold);
        distances_scale(requests->kinds[i], to);
    }
}

void window_look(struct window *window, const struct tally *tally, const struct requests *requests,
                 const struct observers *observers)
{
    for (; window->ended < WINDOW_PREFIXES && window->seen >= window_requests(window->ended);
         window->ended++)
        prefix_take(&window->prefixes[window->ended], window->n_kinds, tally, requests, observers);
}

void window_end(struct window *window, const struct tally *tally, const struct requests *requests,
                const struct observers *observers)
{
    for (; window->ended < WINDOW_PREFIXES; window->ended++)
        prefix_take(&window->prefixes[window->ended], window->n_kinds, tally, requests, observers);
}

void window_finish(struct window *window, const struct tally *tally,
                   const struct requests *requests, const struct observers *observers,
                   struct launch_part out[WINDOW_PREFIXES])
{
    window_end(window, tally, requests, observers);
    for (uint32_t p = 0; p < WINDOW_PREFIXES; p++) {
        const struct window_prefix *prefix = &window->prefixes[p];
        struct launch_part *part = &out[p];
        tally_fields(&prefix->tally, part->fields);
        for (int i = 0; i < FIELD_COUNT; i++)
            if (isnan(part->fields[i]))
                part->fields[i] = prefix->fields[i];
        /* Distinct lines are counted at the end. */
        part->fields[FIELD_CTAS] = part->fields[FIELD_LINES] = (double)NAN;
        part->fields[FIELD_WRITTEN] = part->fields[FIELD_READ_ONLY_SHARED] = (double)NAN;
        part->n_kinds = window->n_kinds;
        for (uint32_t i = 0; i < window->n_kinds; i++) {
            part->counts[i] = prefix->counts[i];
            part->units[i] = distances_units(requests->kinds[i]);
        }
    }
}
