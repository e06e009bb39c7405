/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How evenly places (slices, memories, homes behind links) are asked while requests are under way
 * together, where means over a launch hide that all ask one place for a while, then the next one.
 *
 * A window is what the resident warps of a launch can have under way at a time: a group of requests
 * each, those of loads that nothing needs before all are asked for, and of writes since then. Warps
 * that were served come back with the next window's while others still wait. If they go to the same
 * place, it alone is busy; if they go elsewhere, both are. So what counts is where requests meet
 * those of other windows,
 *
 *     c = mean over windows of  sum over i of  p_i(w) p_i(w - d)
 *
 * with p_i of a window's requests for place i, and d windows from one warp to another. That is one
 * at least. And nothing keeps warps in step that wait for queues: each group takes a time of its
 * own, about as uneven as exponential ones, so that when each has had g groups their number differs
 * between two warps by N(0, 2 g), |d| = sqrt(4 g / pi) in the mean. (So queues of a closed network
 * forget how they began.) d is taken to be spread geometrically about sqrt(1 + 4 g / pi), g the
 * windows of the launch so far: p(w - d) is a mean that fades, with which no window has to be kept.
 *
 * Where all ask one place for k groups of each warp and then another, c = (k - 1) / k soon after
 * the start, more where k is large, and next to nothing once d exceeds k: S places asked evenly
 * have 1/S. Chance does not count, by which the busiest of many places has more than its share in
 * any window: where requests choose for themselves, the mean is sum of p_i^2 however few they are.
 * And c is at most the mean share of the busiest place. 1 / (S c) is a uniformity as those of whole
 * launches are; at most 1. */
#ifndef BANDSCAPE_PROFILE_MOMENTARY_H
#define BANDSCAPE_PROFILE_MOMENTARY_H

#include "machine/system.h"
#include "profile/record/profile.h"
#include "trace/stream.h"

enum momentary_kind {
    MOMENTARY_HOME_SLICES, /* slices of the system: at the home, */
    MOMENTARY_OWN_SLICES,  /* at the requester */
    MOMENTARY_MEMORY,      /* homes of lines that were not asked for in this window or the last */
    MOMENTARY_LINKS,       /* chips that others ask, */
    MOMENTARY_FETCHES,     /* and chips of such lines, whoever asks: domains are, unless there are
                            * partitions */
    MOMENTARY_KINDS
};

struct momentary_place {
    uint32_t window, n; /* requests of that window, */
    double before;      /* and of those before it, faded; */
    double left;        /* what it leaves of these */
    double fades;       /* momentary.fades of the next window */
};

struct momentary_count {
    struct momentary_place *places;
    uint32_t n_places;
    uint64_t n;           /* requests of this window */
    double before, pairs; /* of those before it, faded; that meet them */
    double requests, met; /* of the launch: of windows behind others, and times c */
};

struct momentary {
    uint64_t warps, groups;     /* resident; of this window so far */
    uint32_t window, first;     /* counted through the run from 1; of this launch */
    double left;                /* what this window leaves of those before it, a share; */
    double fades, fades_behind; /* its logarithms, summed over the launch before this window and
                                 * before the next one */
    bool chips_are_domains;
    struct momentary_count kinds[MOMENTARY_KINDS];
};

void momentary_init(struct momentary *momentary, const struct system *system);
void momentary_fini(struct momentary *momentary);

void momentary_begin_launch(struct momentary *momentary, const struct system *system,
                            const struct stream_kernel *kernel);

/* A group of requests of a warp begins. */
void momentary_end_window(struct momentary *momentary);
static inline void momentary_begin_group(struct momentary *momentary)
{
    if (momentary->groups++ == momentary->warps)
        momentary_end_window(momentary);
}

/* A place is asked for the first time in a window. */
void momentary_fade(const struct momentary *momentary, struct momentary_place *place);

/* So many requests for a place. */
static inline void momentary_add(struct momentary *momentary, enum momentary_kind kind,
                                 uint32_t place, uint32_t n)
{
    struct momentary_count *count = &momentary->kinds[kind];
    struct momentary_place *at = &count->places[place];
    if (at->window != momentary->window)
        momentary_fade(momentary, at);
    at->n += n;
    count->n += n;
    count->pairs += n * at->before;
}

/* Whether a line with that mark (0: none) was asked for in this window or the last; its new mark.
 * One of 65535 windows ago has the same. */
static inline bool momentary_knows(const struct momentary *momentary, uint16_t *mark)
{
    uint16_t now = (uint16_t)(1 + momentary->window % UINT16_MAX);
    uint16_t last = (uint16_t)(1 + (momentary->window - 1) % UINT16_MAX);
    bool known = *mark == now || *mark == last;
    *mark = now;
    return known;
}

/* The launch's fields. Unknown where there is one window only. */
void momentary_fields(struct momentary *momentary, double fields[FIELD_COUNT]);

#endif
