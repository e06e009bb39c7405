/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beginnings of a launch, as hardware that decides early sees it: what was counted until it had
 * made so many requests (WINDOW_PREFIXES of profiler.h). */
#ifndef BANDSCAPE_PROFILE_WINDOW_H
#define BANDSCAPE_PROFILE_WINDOW_H

#include "profile/run/launches.h"
#include "profile/run/profiler.h"
#include "profile/run/requests.h"
#include "profile/run/tally.h"
#include "profile/samplers/observers.h"

struct window_prefix {
    struct tally tally;
    double fields[FIELD_COUNT]; /* of samplers */
    struct distance_counts *counts[KINDS_MAX];
};

struct window {
    uint64_t seen; /* requests of this launch */
    uint32_t ended;
    struct window_prefix prefixes[WINDOW_PREFIXES];
    uint32_t n_kinds;
};

void window_init(struct window *window, const struct system *system,
                 const struct requests *requests);
void window_fini(struct window *window);

void window_begin_launch(struct window *window);

/* True when the state has to be looked at after so many more requests. */
static inline bool window_adds(struct window *window, uint64_t n)
{
    window->seen += n;
    return window->ended < WINDOW_PREFIXES && window->seen >= window_requests(window->ended);
}

/* Looks at it: all requests so far have been counted. */
void window_look(struct window *window, const struct tally *tally, const struct requests *requests,
                 const struct observers *observers);

/* Prefixes that are not full hold what there is so far. */
void window_end(struct window *window, const struct tally *tally, const struct requests *requests,
                const struct observers *observers);

/* The launch ended. Prefixes that it ended in hold what there is of it. Fields that the tally and
 * samplers know, and the distances. */
void window_finish(struct window *window, const struct tally *tally,
                   const struct requests *requests, const struct observers *observers,
                   struct launch_part out[WINDOW_PREFIXES]);

#endif
