/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which a machine issues a kernel's warp accesses.
 *
 * SMs run in lockstep rounds: in each, every SM issues one warp memory
 * instruction. The i-th SMs of all chips stand together and begin with chip
 * i mod chips: SM i of chip c has the place i * chips + (c - i) mod chips. Round
 * r begins with the place r mod SMs and goes round. So neither chip nor SM is
 * always first; were the i-th SMs always to begin with chip 0, it would be the
 * first to touch all that they share, and its home. Rounds are counted through
 * the run.
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
 * With gto and grr a warp that needs what it had to ask for, behind L1, sits out `stall` rounds
 * since then: at once, or where its next access needs it (warp_access.ahead). A kernel with
 * recorded order is replayed as it stands. */
#ifndef BANDSCAPE_PROFILE_ISSUE_H
#define BANDSCAPE_PROFILE_ISSUE_H

#include "profile/issue/residents.h"
#include "machine/system.h"
#include "trace/stream.h"

/* Takes each access as it is issued, in order; those of kind ACCESS_NONE carry
 * instructions only. Returns 1 when the warp has to wait for it, 0 when not, or
 * a negative status. */
typedef int issue_access_fn(void *context, uint32_t sm, uint64_t cta,
                            const struct warp_access *access, struct error *error);

/* Tells of an access that will be issued soon, so that memory can be fetched for it. */
typedef void issue_ahead_fn(void *context, uint32_t sm, const struct warp_access *access);

/* Waits are counted by clocks of the warps' own (profile/issue/waits.h): a warp begins where the
 * CTA ended whose place its own took, and a launch where the one before it ended. Where order is
 * recorded nothing says when a CTA ends: CTAs take the places of their SM in turn, each as its
 * first access comes, and begin as late as the one that was there (profile/issue/replay.h). */
struct issue;
/* `ahead` may be NULL. */
struct issue *issue_create(const struct system *system, issue_access_fn *access,
                           issue_ahead_fn *ahead, void *context);
void issue_destroy(struct issue *issue);

/* Issues the whole kernel that the stream stands at. Looks at interrupt_requested(). */
int issue_kernel(struct issue *issue, struct stream *stream, const struct stream_kernel *kernel,
                 struct error *error);

/* A clock: the rounds of the run so far; while an access is taken, the number of its round.
 * Where order is recorded, a round is as many accesses as there are SMs. */
uint64_t issue_round_number(const struct issue *issue);

/* While an access is taken or told of ahead: its warp; NULL where order is recorded. */
struct resident_warp *issue_warp(const struct issue *issue);
/* While an access is taken: the waits of its warp. */
struct warp_waits *issue_waits(const struct issue *issue);
/* Where the clocks of the launch began, and the latest of warps that ended. */
struct wait_clock issue_clock_start(const struct issue *issue);
struct wait_clock issue_clock_end(const struct issue *issue);

/* "lrr", "gto", "grr". */
static inline const char *warp_order_name(enum warp_order order)
{
    static const char *const names[] = {
        [WARPS_LRR] = "lrr", [WARPS_GTO] = "gto", [WARPS_GRR] = "grr"};
    return names[order];
}

#endif
