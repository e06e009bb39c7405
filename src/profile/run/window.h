/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first requests of a launch after a warm-up, as hardware that decides early sees it: what
 * was counted between two moments of the launch. They are numbers of requests (profile.h), not
 * SAC's 2 000 cycles. */
#ifndef BANDSCAPE_PROFILE_WINDOW_H
#define BANDSCAPE_PROFILE_WINDOW_H

#include "profile/run/launches.h"
#include "profile/run/requests.h"
#include "profile/run/tally.h"

struct window {
    uint64_t warmup, length, seen; /* requests of this launch */
    bool begun, ended;
    struct tally before, after;
    struct distance_counts *counts[KINDS_MAX]; /* at the beginning; then the window's own */
    uint32_t n_kinds;
};

void window_init(struct window *window, const struct system *system,
                 const struct requests *requests, uint64_t warmup, uint64_t length);
void window_fini(struct window *window);

void window_begin_launch(struct window *window);

/* True when the state has to be looked at after so many more requests. */
static inline bool window_adds(struct window *window, uint64_t n)
{
    window->seen += n;
    return (!window->begun && window->seen >= window->warmup) ||
           (!window->ended && window->seen >= window->warmup + window->length);
}

/* Looks at it: all requests so far have been counted. */
void window_look(struct window *window, const struct tally *tally, const struct requests *requests);

/* The launch ended. Fields that the tally knows, and the distances. */
void window_finish(struct window *window, const struct tally *tally,
                   const struct requests *requests, struct launch_part *out);

#endif
