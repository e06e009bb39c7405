/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/issue/replay.h"

#include <stdlib.h>

#include "core/memory.h"
#include "profile/issue/residents.h"

#define NOBODY UINT64_MAX

struct replay {
    uint32_t places, warps; /* of an SM, of a place */
    uint32_t n_sms;
    uint64_t *ctas;    /* by SM and place, or NOBODY */
    uint32_t *next;    /* place that is taken next, by SM */
    uint32_t *present; /* place of the last access, by SM */
    struct warp_waits *waits;
    struct wait_clock start, end;
};

struct replay *replay_create(const struct system *system, const struct stream_kernel *kernel,
                             struct wait_clock start)
{
    struct replay *replay = memory_zero(1, sizeof *replay);
    uint32_t held = residents_per_sm(system, kernel);
    replay->places = held ? held : 1;
    replay->warps = kernel->warps_per_cta;
    replay->n_sms = system->sms;
    size_t places = (size_t)system->sms * replay->places;
    replay->ctas = memory_alloc(places * sizeof *replay->ctas);
    for (size_t i = 0; i < places; i++)
        replay->ctas[i] = NOBODY;
    replay->next = memory_zero(system->sms, sizeof *replay->next);
    replay->present = memory_zero(system->sms, sizeof *replay->present);
    replay->waits = memory_alloc(places * replay->warps * sizeof *replay->waits);
    replay->start = replay->end = start;
    return replay;
}

/* The latest of its warps; where nobody was, the start of the launch. */
static struct wait_clock place_end(struct replay *replay, size_t place)
{
    struct wait_clock clock = replay->start;
    for (uint32_t w = 0; replay->ctas[place] != NOBODY && w < replay->warps; w++)
        clock = wait_clock_later(clock, warp_waits_end(&replay->waits[place * replay->warps + w]));
    replay->end = wait_clock_later(replay->end, clock);
    return clock;
}

static size_t place_of(struct replay *replay, uint32_t sm, uint64_t cta)
{
    size_t first = (size_t)sm * replay->places;
    if (replay->ctas[first + replay->present[sm]] == cta)
        return first + replay->present[sm];
    for (uint32_t i = 0; i < replay->places; i++)
        if (replay->ctas[first + i] == cta) {
            replay->present[sm] = i;
            return first + i;
        }
    size_t place = first + replay->next[sm];
    struct wait_clock clock = place_end(replay, place);
    for (uint32_t w = 0; w < replay->warps; w++)
        replay->waits[place * replay->warps + w] = warp_waits_begin(clock);
    replay->ctas[place] = cta;
    replay->present[sm] = replay->next[sm];
    replay->next[sm] = (replay->next[sm] + 1) % replay->places;
    return place;
}

struct warp_waits *replay_warp(struct replay *replay, uint32_t sm, uint64_t cta, uint32_t warp)
{
    return &replay->waits[place_of(replay, sm, cta) * replay->warps + warp];
}

struct wait_clock replay_end(struct replay *replay)
{
    for (size_t place = 0; place < (size_t)replay->n_sms * replay->places; place++)
        place_end(replay, place);
    struct wait_clock end = replay->end;
    free(replay->ctas);
    free(replay->next);
    free(replay->present);
    free(replay->waits);
    free(replay);
    return end;
}
