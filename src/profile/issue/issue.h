/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which a machine issues a kernel's warp accesses.
 *
 * SMs run in lockstep rounds: in each, every SM issues one warp memory
 * instruction. The i-th SMs of all chips stand together and begin with chip
 * i mod chips: SM i of chip c has the place i * chips + (c - i) mod chips. Round
 * r begins with the place r mod SMs and goes round. So neither chip nor SM is
 * always first; were the i-th SMs always to begin with chip 0, it would be the
 * first to touch all that they share, and its home. Rounds are counted through
 * the run. Pages that several touch first in one round go to the first of them, or, with
 * page.ties: waits, to who waited less (order.h).
 *
 * An SM holds as many CTAs as its warps, threads and CTA limits allow. At the
 * start of a kernel the SMs, the i-th ones in the order of chips, take the CTAs
 * of their scheduling unit in turn, one each, until all are full; later an SM
 * takes the next one when one of its own has ended. Warps are listed by age
 * (CTA start, then warp number).
 *   lrr: the warp behind the last one issued, in the list.
 *   gto: the last one again; once it has to wait or has ended, the oldest that
 *        may issue.
 *   grr: the last one again; once it has to wait or has ended, the next one
 *        behind it in the list that may issue, going round.
 * With gto and grr a warp that needs what it had to ask for, behind L1, sits out sm.stall rounds
 * since then: at once, or where its next access needs it (warp_access.ahead). It ends with all that
 * it has asked for, in a turn of its own if it had to wait, and so does its CTA. Who finds in L1 a
 * line that another warp has asked for waits until that one has it, as MSHRs merge the two; were it
 * to go on, the first warp of each block would wait for the others, which run ahead of it. A kernel
 * with recorded order is replayed as it stands.
 *
 * What an SM issues next depends on what itself issued before, as long as it has its L1 for
 * itself, and on others only through the queue of CTAs. So an SM is run alone for many rounds,
 * while what it needs is in the host's caches; its user keeps what it issued, and puts it into
 * order with that of the others (profile/issue/order.h) when all have come as far. Where a CTA ends
 * and others wait, its SM stops: the next one is its own only once all SMs of the unit have come
 * that far, the earliest of those that stopped first. */
#ifndef BANDSCAPE_PROFILE_ISSUE_H
#define BANDSCAPE_PROFILE_ISSUE_H

#include "profile/issue/residents.h"
#include "machine/system.h"
#include "trace/stream.h"

/* Who issues, and when. */
struct issue_turn {
    uint64_t round; /* in which it is taken, of those of the run */
    uint64_t clock; /* the same with kernels in recorded order: a round of them is as many accesses
                     * as there are SMs */
    uint64_t cta;
    uint32_t sm;
    uint32_t warp; /* slot of the SM (resident_warp.slot); where order is recorded, of the CTA */
    int worker;    /* who tells, below issue_user.threads */
};

/* What is issued next. */
struct issue_next {
    uint32_t sm, at;                  /* the warp, in the SM's list */
    const struct warp_access *access; /* round(): NULL where the warp only ends */
};

/* Of an SM in its own order; of all SMs in the order of turns if `together`. */
struct issue_user {
    void *context;
    /* What one SM issues may depend on what others did: SMs are not run alone. */
    bool together;
    int threads; /* that may run SMs, if not together; what is told of an SM comes from one at a
                    time */
    /* Takes each access as it is issued; those of kind ACCESS_NONE carry instructions only. Returns
     * how many rounds later it has what it asked for, 0 when it need not wait, or a negative
     * status. */
    int (*access)(void *context, const struct issue_turn *turn, const struct warp_access *access,
                  struct error *error);
    /* A warp begins, or has ended. NULL: nobody is told. Where order is recorded there are none. */
    void (*begin)(void *context, const struct issue_turn *turn);
    void (*end)(void *context, const struct issue_turn *turn);
    /* Not together: takes an access that is skimmed (issue_skim). NULL: none are. */
    void (*skim)(void *context, const struct issue_turn *turn, const struct warp_access *access);
    int skim_threads; /* that may run SMs then */
    /* Tells of an access that will, or may, be issued soon, of that warp, so that
     * memory can be fetched for it. May be NULL. */
    void (*ahead)(void *context, uint32_t sm, const struct resident_warp *warp,
                  const struct warp_access *access);
    /* together: all turns of a round, before the first of them is taken. May be NULL. */
    int (*round)(void *context, uint64_t round, const struct issue_next *turns, uint32_t n,
                 struct error *error);
    /* Not together: all SMs have issued what they do before some round, and nobody anything of that
     * or later ones. How many rounds are to be issued before the next time (at least 1), or a
     * negative status. */
    int (*commit)(void *context, struct error *error);
};

struct issue;
struct issue *issue_create(const struct system *system, const struct issue_user *user);
void issue_destroy(struct issue *issue);

/* Issues the whole kernel that the stream stands at. Looks at interrupt_requested(). */
int issue_kernel(struct issue *issue, struct stream *stream, const struct stream_kernel *kernel,
                 struct error *error);

/* To be said in commit(): from here on SMs skim until the round that is returned, when they have
 * had so many accesses in the mean. No warp waits. The fastest SMs issue an access a round; others
 * are slower by as much as those with as many warps were since issue_forget_turns(). How often a
 * warp has its turn is what those at its place in the list, by age, issued since then; where that
 * is about as usual, as often as the others. Turns go round in laps: warps that go together have as
 * many at the end of each, and a lap that would not be over by then does not begin. A turn has up
 * to `run` accesses. */
uint64_t issue_skim(struct issue *issue, uint64_t accesses, uint64_t run);
/* All is as it was before, and every warp has what it asked for. */
void issue_skim_end(struct issue *issue);
/* What SMs and places issued before does not tell what they will. */
void issue_forget_turns(struct issue *issue);

/* The place of the SM that the next kernel's first CTA goes to (cta.start). */
uint32_t issue_start(const struct issue *issue);

/* The first round of this kernel; the next one, while none is issued. */
uint64_t issue_origin(const struct issue *issue);
uint64_t issue_round_next(const struct issue *issue);

/* Warps of this kernel that an SM holds at a time. */
uint64_t issue_warps(const struct issue *issue);

/* Warps of this kernel that are on SMs, while none is issued; whether CTAs are still to come. */
uint64_t issue_resident(const struct issue *issue);
bool issue_waits(const struct issue *issue);

/* The clock of the next access, while none is taken. */
uint64_t issue_clock(const struct issue *issue);

/* "lrr", "gto", "grr". */
static inline const char *warp_order_name(enum warp_order order)
{
    static const char *const names[] = {
        [WARPS_LRR] = "lrr", [WARPS_GTO] = "gto", [WARPS_GRR] = "grr"};
    return names[order];
}

#endif
