/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two ways of issuing have in common: SMs together (issue.c), each alone (alone.c). */
#ifndef BANDSCAPE_PROFILE_ISSUE_INTERNAL_H
#define BANDSCAPE_PROFILE_ISSUE_INTERNAL_H

#include "core/prefetch.h"
#include "profile/issue/issue.h"
#include "profile/issue/order.h"
#include "profile/issue/residents.h"

/* A warp that may not issue before a round. */
struct sleeper {
    uint64_t until;
    uint32_t at; /* in the SM's list */
};

/* A warp goes on until it falls asleep. Under lrr none sleeps. */
struct sm {
    struct resident_warp **warps;     /* by age, not ended */
    const struct warp_access **items; /* what it issues next */
    uint64_t *awake;                  /* a bit a warp */
    struct sleeper *asleep;           /* a ring of system->warps: who wakes first stands first */
    uint32_t first_asleep, n_asleep;
    uint32_t count;        /* of warps */
    uint32_t cursor;       /* lrr: the next one; gto, grr: the last one, or, when that has
                            * ended, NO_WARP (gto) or the one behind it (grr) */
    uint64_t asleep_until; /* no warp may issue before that round */
    uint64_t round;        /* of its next turn, at least; of the present one while it takes it */
    bool stopped;          /* run alone: a CTA ended in this round, and others wait */
    uint32_t *issued_at;   /* accesses of this kernel, by place in the list */
    int worker;            /* run alone: who runs it */
    int status;            /* run alone: of what it did */
    /* While it skims, in laps, in which each place has a turn at most: */
    uint16_t *turns, *order; /* of places: turns in SKIM_LAPS laps; in which order; */
    uint32_t places, pace;   /* so many; the next one; */
    uint32_t lap;            /* of SKIM_LAPS; */
    uint32_t listed;         /* warps when it began, */
    uint64_t *gone;          /* of which these have ended since, a bit each; */
    bool had;                /* somebody had a turn since; */
    uint64_t run, taken;     /* accesses of a turn; of the present one; */
    uint64_t idle, idled;    /* rounds without one behind each access; what of them has to come */
};
#define NO_WARP UINT32_MAX

struct issue {
    const struct system *system;
    struct residents residents;
    struct issue_user user;
    uint64_t round, origin;   /* the next; this kernel's first */
    uint64_t replayed_rounds; /* of kernels in recorded order */
    uint32_t replayed;        /* accesses since the last of them */
    uint64_t batch;           /* rounds until the next commit */
    uint64_t skim_until;      /* issue_skim; 0: it does not */
    uint64_t skim_run;        /* accesses of a turn then, at most */
    uint64_t last;            /* behind all turns of this kernel, of SMs that ended */
    struct sm *sms;
    struct resident_warp **warps; /* storage of every SM's lists */
    const struct warp_access **items;
    uint64_t *awake;
    struct sleeper *asleep;
    uint64_t *gone;
    uint32_t *issued_at;
    uint16_t *skim_turns;
    uint32_t *sm_at;          /* the SM at each place of a round */
    struct issue_next *turns; /* of a round, as far as they are chosen */
    uint32_t *places;         /* of SMs that have warps, ascending */
    uint32_t n_places;
    struct error *errors; /* by SM */
};

/* Fetches a warp that is about to issue `item`; the access behind that is looked at too. */
static inline void prefetch_warp(const struct resident_warp *warp, const struct warp_access *item)
{
    const char *at = (const char *)item;
    prefetch_write(warp);
    prefetch_write(&warp->misses.ended);
    prefetch_read(at);
    prefetch_read(at + sizeof *item);
    prefetch_read(at + 2 * sizeof *item - 1);
}

/* The warp to issue, or NO_WARP; then the SM sleeps until the first one may. */
uint32_t issue_choose(struct sm *sm, const struct system *system, uint64_t round);
/* The warp at that place of the SM's list issues: 1 when a CTA ended, 0, or a negative status. */
int issue_take(struct issue *issue, uint32_t s, uint32_t at, struct error *error);
/* Behind an access: reads the warp's next one: 1, 0 where there is none, or a negative status. */
int issue_advance(struct issue *issue, uint32_t s, struct resident_warp *warp, struct error *error);
/* Takes an ended warp from the list; it is awake. True when its CTA ended with it. */
bool issue_end_warp(struct issue *issue, uint32_t s, uint32_t at);
struct issue_turn issue_turn_of(const struct issue *issue, uint32_t s,
                                const struct resident_warp *warp);
/* SMs without warps have no more to come. */
void issue_drop_ended(struct issue *issue);
int issue_interrupted(struct error *error);

/* skim.c: up to a round, or until a CTA ends and others wait. */
enum { SKIM_LAPS = 64 }; /* before turns come again */
void issue_skim_sm(struct issue *issue, uint32_t s, uint64_t until);

/* A kernel whose first CTAs are on the SMs, each alone. */
int issue_alone(struct issue *issue, struct error *error);

#endif
