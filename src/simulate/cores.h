/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SMs: which of their warps may issue, and which one does. */
#ifndef BANDSCAPE_SIMULATE_CORES_H
#define BANDSCAPE_SIMULATE_CORES_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/issue/residents.h"

#define CORE_NONE UINT32_MAX

/* Accesses of a warp are numbered, modulo this: of those before the next one no more than
 * WARP_AHEAD_MOST are unfinished. */
enum { CORE_ACCESSES = WARP_AHEAD_MOST + 1 };

struct core_warp {
    struct resident_warp *warp;  /* NULL: the slot is free */
    uint32_t in_flight;          /* requests whose values somebody will need */
    uint32_t issued, oldest;     /* accesses; the first that is not finished, */
    uint32_t unfinished;         /* of how many */
    uint8_t ahead;               /* of its next access (struct warp_access) */
    bool ending;                 /* it has no more to issue */
    bool works, worked;          /* at what comes before that access; it is done */
    double before_s;             /* how long that takes beside the issue */
    uint32_t writes;             /* under way, for which it waits at its end */
    uint32_t behind;             /* instructions that it issues there */
    uint8_t open[CORE_ACCESSES]; /* requests in flight of an access */
};

struct core {
    struct core_warp *slots;
    uint32_t *list;   /* slots by age */
    uint32_t count;   /* of the list */
    uint32_t cursor;  /* in the list; as in profile/issue/issue.c */
    uint32_t chosen;  /* slot that is issuing, or CORE_NONE */
    uint32_t blocked; /* requests without MSHR or place in the write buffer */
    uint32_t carried; /* instructions of warps without accesses */
};

struct cores {
    const struct system *system;
    uint32_t outstanding;
    double step_s;  /* an instruction behind another of its warp, beside its issue */
    double cycle_s; /* of warp_access.think */
    struct core *cores;
    struct core_warp *slots;
    uint32_t *lists;
};

void cores_init(struct cores *cores, const struct system *system, uint32_t outstanding);
void cores_fini(struct cores *cores);

/* A warp begins on an SM; it is the youngest. Its slot. */
uint32_t cores_begin(struct cores *cores, uint32_t sm, struct resident_warp *warp);
/* It has ended: its slot is free. */
void cores_end(struct cores *cores, uint32_t sm, uint32_t slot);

/* The access that the warp issues now asks for data; some of that access have come; it has been
 * issued, and `next` is behind it (NULL: nothing). */
static inline uint32_t core_warp_ask(struct core_warp *warp)
{
    uint32_t access = warp->issued % CORE_ACCESSES;
    warp->in_flight++;
    warp->unfinished += warp->open[access]++ == 0;
    return access;
}
void core_warp_get(struct core_warp *warp, uint32_t access);
void core_warp_go_on(const struct cores *cores, struct core_warp *warp,
                     const struct warp_access *next);
/* Nothing is left to issue, or to wait for. */
static inline bool core_warp_ends(const struct core_warp *warp)
{
    return warp->ending && warp->in_flight == 0 && warp->writes == 0;
}

/* A warp that has the data works for its next access, while others issue theirs: seconds until it
 * is ready, when core_warp.worked is to be set; 0: it does not, or has begun before. */
double cores_work(struct cores *cores, uint32_t sm, uint32_t slot);

/* It has the data that its next access needs. How many may be under way is another matter. */
static inline bool core_warp_has_values(const struct core_warp *warp)
{
    return !warp->ending && warp->issued - warp->oldest <= warp->ahead;
}

/* The slot of the warp that issues next, by the SM's order; CORE_NONE: none may. */
uint32_t cores_choose(struct cores *cores, uint32_t sm);

#endif
