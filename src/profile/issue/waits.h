/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which accesses are waited for, and how many of these waits stand one behind another.
 *
 * A warp waits when something needs what it has asked for, which its stream says
 * (warp_access.ahead), and at its end for all: loads that nothing needs in between are waited for
 * together. A clock of each warp counts its waits, as if all were equally long and nothing else
 * took time:
 *
 *     miss at clock t: the line arrives at t + 1; who needs it waits until then.
 *     hit, line under way, which arrives at a > t: it is there at t + 1, and so is it for others
 *         from now on, which would have come by then had this warp asked first.
 *     hit else: no wait but that for L1, once for all that are needed at a time and for none where
 * a miss is needed too.
 *
 *     write: nobody waits; or, where warps end when their writes are acknowledged (cta.writes), the
 *         warp at its end, until t + 1 for the last one. Where nobody waits a launch still ends
 *         with its way: the clock says whether that is to a remote line (ends_remote).
 *
 * So at t + 1 all is there that a warp asked for at t. How many requests a machine lets a warp have
 * under way (sm.outstanding) is no part of it: a profile is of a workload and a stream.
 *
 * So who shares a line waits for it together, whatever the order in which the profiler took them:
 * rounds let a warp run ahead of those that follow it, time does not. The latest clock, with the L1
 * hits and the instructions of its warp, is the chain that a launch is as long as, however wide the
 * machine: start and end of launches, blocks that wait for a place and SMs without work included.
 * Requests over chain is what a machine of latencies alone has under way. Resident warps would be
 * no measure of it: they share lines, wait for hits on lines under way, make bursts, and are
 * unequal.
 *
 * The same rule for the requests behind L1 says which of them follow another one for their line
 * into the LLC, and find it under way where that one misses. */
#ifndef BANDSCAPE_PROFILE_WAITS_H
#define BANDSCAPE_PROFILE_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/hash.h"
#include "core/prefetch.h"
#include "machine/beside.h"
#include "machine/translation.h"

/* What stood one behind another until now. */
struct wait_clock {
    uint64_t waits, remote; /* the latter among the former */
    uint64_t writes;        /* the same: for acknowledgements of writes, at the end of a warp */
    uint64_t awaited;       /* accesses that were waited for: several at a time */
    uint64_t hits, instructions;
    uint64_t think;                  /* cycles of work of its own (warp_access.think) */
    uint64_t steps;                  /* instructions behind another one, up to an access */
    uint64_t last, last_think;       /* instructions, cycles since the last wait */
    uint64_t ends_write;             /* 1: behind its last wait a posted write, */
    uint64_t ends_remote;            /* 1: to a remote line */
    uint64_t late[MACHINE_TLBS_MAX]; /* waits, hits among them, for what is behind that TLB */
    struct wait_beside {
        uint64_t waits, waits_both; /* of the waits, those for what is behind that cache beside L1;
                                     * behind L1 too */
        uint64_t hits, hits_both;   /* of the hits, those in it; in L1 too */
    } beside[MACHINE_BESIDE_MAX];
};

/* Caches through which a warp waits, a bit each: those beside L1, and L1. */
enum { THROUGH_L1 = 1 << MACHINE_BESIDE_MAX };
static inline unsigned waits_through(int beside)
{
    return beside < 0 ? THROUGH_L1 : 1u << beside;
}

/* About how many cycles these take. */
static inline uint64_t wait_clock_length(const struct wait_clock *clock)
{
    return 256 * clock->waits + 128 * (clock->remote + clock->ends_remote) + 32 * clock->hits +
           clock->instructions + clock->think;
}

/* The later one. */
static inline struct wait_clock wait_clock_later(struct wait_clock a, struct wait_clock b)
{
    return wait_clock_length(&b) > wait_clock_length(&a) ? b : a;
}

/* to += now - from; what is behind the last wait is not told. */
void wait_clock_add(struct wait_clock *to, const struct wait_clock *now,
                    const struct wait_clock *from);
/* The clock goes on as it does in the mean over `sum` of so many accesses, by `accesses`. */
void wait_clock_go_on(struct wait_clock *clock, const struct wait_clock *sum, uint64_t of,
                      uint64_t accesses);

#define WAITS_NONE UINT64_MAX

/* A warp: what it has asked for and not needed yet, and its clock. Accesses are numbered. */
struct warp_waits {
    /* These first, of which every access asks: */
    uint64_t issued; /* accesses so far */
    uint64_t loaded; /* the first of the loads that nothing has needed; WAITS_NONE */
    bool asking;     /* behind L1, since the first load that nothing has needed, or its begin */
    uint32_t n_awaited;
    uint64_t hit, awaited; /* the same of those that L1 has, of those that are under way */
    bool remote;           /* one of the last for a remote line */
    bool shared;           /* the same for a line that another warp has asked for */
    unsigned late;         /* TLBs behind which one of them waits, a bit each; */
    unsigned late_hit;     /* one of those that L1 has */
    unsigned through;      /* caches through which those under way were asked for; */
    unsigned through_hit;  /* that have the others */
    uint64_t written;      /* the clock at which its last write is acknowledged; 0: nobody waits */
    bool written_remote;   /* that one is of a remote line */
    uint64_t posted;       /* the same, of a write for which nobody waits */
    bool posted_remote;
    struct wait_clock clock; /* last: of most machines its end is never looked at */
};

static inline struct warp_waits warp_waits_begin(struct wait_clock clock)
{
    clock.ends_write = clock.ends_remote = 0;
    return (struct warp_waits){
        .clock = clock, .loaded = WAITS_NONE, .hit = WAITS_NONE, .awaited = WAITS_NONE};
}

/* The same of one whose clock nobody looks at: that stays what it is. */
static inline void warp_waits_clear(struct warp_waits *warp)
{
    memset(warp, 0, offsetof(struct warp_waits, clock));
    warp->loaded = warp->hit = warp->awaited = WAITS_NONE;
}

/* An access, before which its warp issued that many, that needs none of so many just before it;
 * those before are needed. */
static inline uint64_t warp_waits_needed(uint64_t issued, uint32_t ahead)
{
    return issued > ahead ? issued - ahead : 0;
}

/* What was asked for together waits for its pages together, as it does for its lines. */
static inline void wait_clock_add_late(struct wait_clock *clock, unsigned tlbs)
{
    for (unsigned i = 0; tlbs >> i; i++)
        clock->late[i] += tlbs >> i & 1;
}

/* Of several caches beside L1 the first stands for all. */
static inline void wait_clock_add_through(struct wait_clock *clock, unsigned through, bool hits)
{
    bool both = through & THROUGH_L1;
    if (through == 0 || through == THROUGH_L1)
        return;
    struct wait_beside *beside = &clock->beside[__builtin_ctz(through)];
    ++*(hits ? (both ? &beside->hits_both : &beside->hits)
             : (both ? &beside->waits_both : &beside->waits));
}

/* Accesses with a number below that are needed now. */
static inline void warp_waits_for(struct warp_waits *warp, uint64_t below)
{
    struct wait_clock *clock = &warp->clock;
    if (warp->loaded < below)
        warp->loaded = WAITS_NONE;
    if (warp->awaited < below) {
        clock->waits++;
        clock->remote += warp->remote;
        clock->awaited += warp->n_awaited;
        clock->last = clock->last_think = 0;
        wait_clock_add_late(clock, warp->late | warp->late_hit);
        warp->awaited = warp->hit = WAITS_NONE;
        wait_clock_add_through(clock, warp->through, false);
        warp->late = warp->late_hit = 0;
        warp->through = warp->through_hit = 0;
        warp->n_awaited = 0;
        warp->remote = warp->shared = false;
    } else if (warp->hit < below) {
        clock->hits++;
        wait_clock_add_late(clock, warp->late_hit);
        wait_clock_add_through(clock, warp->through_hit, true);
        warp->hit = WAITS_NONE;
        warp->late_hit = warp->through_hit = 0;
    }
}

/* A write goes out, for whose acknowledgement the warp waits at its end. */
static inline void warp_waits_write(struct warp_waits *warp, bool remote)
{
    warp->written = warp->clock.waits + 1;
    warp->written_remote = remote;
}

/* The same where nobody waits. */
static inline void warp_waits_post(struct warp_waits *warp, bool remote)
{
    warp->posted = warp->clock.waits + 1;
    warp->posted_remote = remote;
}

/* Its last values come, too, and acknowledgements. */
static inline struct wait_clock warp_waits_end(struct warp_waits *warp)
{
    struct wait_clock *clock = &warp->clock;
    warp_waits_for(warp, warp->issued);
    clock->ends_write = warp->posted > clock->waits;
    clock->ends_remote = clock->ends_write && warp->posted_remote;
    if (warp->written <= clock->waits)
        return *clock;
    clock->waits++;
    clock->writes++;
    clock->awaited++;
    clock->remote += warp->written_remote;
    clock->last = 0;
    return *clock;
}

/* Some caches, and the last lines to arrive at each, by a hash of their number; one that another
 * has taken the place of is taken to be there. Several of them know the same lines: the hash is
 * worked out once a line, and goes with it. */
struct waits {
    struct waits_line {
        uint64_t line, arrives; /* line + 1; 0: none */
    } * lines;
    size_t each; /* of a cache; a power of two, at most WAITS_MOST */
};
enum { WAITS_MOST = 1 << 16 };

/* The same of L1s, which know who asked for a line. */
struct waits_asked {
    struct waits_asked_line {
        struct waits_line at;
        const struct warp_waits *by;
    } * lines;
    size_t each;
};

void waits_init(struct waits *waits, uint32_t caches, size_t each);
void waits_fini(struct waits *waits);
void waits_asked_init(struct waits_asked *waits, uint32_t caches, size_t each);
void waits_asked_fini(struct waits_asked *waits);

/* Where all of them look for a line, or a page, by its number. */
static inline uint16_t waits_slot(uint64_t line)
{
    return (uint16_t)hash_fmix64(line);
}

/* Where a cache's line is kept, if it is. */
static inline struct waits_line *waits_place(const struct waits *waits, uint32_t cache,
                                             uint16_t slot)
{
    return &waits->lines[cache * waits->each + (slot & (waits->each - 1))];
}
static inline struct waits_asked_line *waits_asked_place(const struct waits_asked *waits,
                                                         uint32_t cache, uint16_t slot)
{
    return &waits->lines[cache * waits->each + (slot & (waits->each - 1))];
}

/* Fetches what a read of the line is about to need. */
static inline void waits_prefetch(const struct waits *waits, uint32_t cache, uint16_t slot)
{
    prefetch_write(waits_place(waits, cache, slot));
}
static inline void waits_asked_prefetch(const struct waits_asked *waits, uint32_t cache,
                                        uint16_t slot)
{
    prefetch_write(waits_asked_place(waits, cache, slot));
}

static inline bool waits_under_way(const struct waits_line *at, uint64_t line, uint64_t clock)
{
    return at->line == line + 1 && at->arrives > clock;
}

/* A read, by a warp at that clock, of the line that belongs there: whether it is under way.
 * `missing`: it sets out now. */
static inline bool waits_read(struct waits_line *at, uint64_t line, uint64_t clock, bool missing)
{
    if (!missing && !waits_under_way(at, line, clock))
        return false;
    *at = (struct waits_line){line + 1, clock + 1};
    return true;
}

/* The same of an L1, whose warps go together where they share lines: `others` is set where another
 * warp has asked for the line that is under way. */
static inline bool waits_read_by(struct waits_asked_line *at, uint64_t line, uint64_t clock,
                                 bool missing, const struct warp_waits *by, bool *others)
{
    bool waiting = waits_read(&at->at, line, clock, missing);
    *others = waiting && !missing && at->by != by;
    if (missing)
        at->by = by;
    return waiting;
}

/* The same where nobody knows what misses: every request that follows none sets out. True for
 * one that follows. */
static inline bool waits_follow(struct waits_line *at, uint64_t line, uint64_t clock)
{
    bool follows = waits_under_way(at, line, clock);
    *at = (struct waits_line){line + 1, clock + 1};
    return follows;
}

/* By rounds (profile/issue/issue.h), of the same lines: one sets out and is there from that round
 * on; when it is, 0 of one that is there for all that is known. */
static inline void waits_send(struct waits_line *at, uint64_t line, uint64_t there)
{
    *at = (struct waits_line){line + 1, there};
}

static inline uint64_t waits_there(const struct waits_line *at, uint64_t line)
{
    return at->line == line + 1 ? at->arrives : 0;
}

#endif
