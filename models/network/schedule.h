/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warps of one SM and its issue slots. Warps stay with their SM, and it gives its slots in some
 * order, so that a launch is not shorter than what the busiest SM's warps need:
 *
 * By chance, of bursts and waits that come at any time, it is one queue, the slots, of exponential
 * bursts of instructions between two waits, and a delay, the wait: exact mean value analysis
 * (Reiser and Lavenberg 1980) of k warps,
 *
 *     R(k) = S (1 + Q(k-1)),   X(k) = k / (R(k) + Z),   Q(k) = X(k) R(k)
 *
 *   oldest first (gto): the i oldest know nothing of the others, and go through X(i) bursts a
 *   second, so that the i-th has X(i) - X(i-1) of them;
 *   in turn (grr, lrr): each has X(k)/k.
 *
 * A program's bursts are alike. Where waits are alike as well, warps find each other in the same
 * places again and again:
 *
 *   oldest first: those n that have their bursts before the oldest one has its data go round, for
 *   as long as n S > Z lets no other one in: n = ceil(1 + Z/S), a round is max(n S, S + Z), and the
 *   younger ones get nothing until these have ended. So k that go round take
 *     T(k) = max(k S, S + Z);
 *   in turn, for as long as each may (grr): the same T(k) of all k;
 *   in turn by accesses (lrr), p of a burst: the first one ends its burst behind (p-1) of all k,
 * and T(k) = max(k S, S ((p-1) k + 1)/p + Z)
 *
 * The one becomes the other as waits differ. Of two warps that have been directly behind each other
 * the second one comes earlier or later than before by what their waits differ by, d in the mean:
 * if that is little beside a burst, it still finds its place. A share d/(d + S) of the time is
 * taken as by chance; oldest first only of waits for lines that no other warp has asked for, since
 * those that are shared come to all at once. Warps that are simulated, bursts alike and waits to
 * any degree, are met within 7 % in turn and 13 % oldest first (a test), but where n hangs on a
 * hair.
 *
 * In turn, where warps share the lines that they wait for they go on together and come to the next
 * place of their program together: T(k) with the wait's own Z there, so that nobody issues while a
 * long one lasts. Of waits a share g is of that sort. Oldest first those that find no slot go
 * through the program when others have, whose lines are nearer then: their Z is less (starved.c).
 *
 * Lines that are waited for hold MSHRs, of which an SM has so many: with b lines of a burst that
 * take R each and K MSHRs, bursts are no closer to each other than h = b R / K, however they are
 * dealt out; a line that finds none stops its SM, in order, so that bursts which are alike go round
 * as slots of h would have them: T(k) = max(k S, S + Z, k h), n = ceil(1 + Z / max(S, h)).
 *
 * A block's place is free when all of its warps have ended; the next block's are the youngest.
 * Waits know no queue but this one: a bound, beside the network of all SMs. */
#ifndef BANDSCAPE_MODELS_NETWORK_SCHEDULE_H
#define BANDSCAPE_MODELS_NETWORK_SCHEDULE_H

#include <stdint.h>

struct schedule_sm {
    uint32_t warps;  /* of a block */
    uint32_t places; /* blocks that it holds at a time */
    double blocks;   /* that it gets */
    enum schedule_order {
        SCHEDULE_OLDEST, /* gto: the last one as long as it may, then the oldest */
        SCHEDULE_NEXT,   /* grr: the same, then the next one */
        SCHEDULE_TURNS   /* lrr: the next one at each access */
    } order;
};

enum { SCHEDULE_KINDS = 3 };

struct schedule_warp {
    double bursts; /* it ends with the last one; as many waits: what stands before and between */
    double burst_s, wait_s; /* S, Z; mean */
    double differ_s;        /* waits of two warps, mean of the absolute difference */
    double accesses;        /* of a burst, mean; at least 1 */
    double together;        /* g */
    struct schedule_kind {
        double bursts, wait_s; /* of the bursts; Z of these */
    } kinds[SCHEDULE_KINDS];   /* all of them where g is not 0; the last one's wait behind L1 */
    double held_s;             /* h, mean over all bursts; 0: MSHRs stop nobody */
    double spared_s; /* as much less is Z of warps that had no slot while others went round */
};

/* Seconds until the last warp has ended; HUGE_VAL where a warp never does. More than SCHEDULE_WAVES
 * times the blocks that are held take as long each as those before them. */
enum { SCHEDULE_WAVES = 4 };
struct schedule_ends {
    double last_s;
    double apart_s; /* between the ends of the last block's first warp and its last one */
};
struct schedule_ends schedule_ends(const struct schedule_sm *sm, const struct schedule_warp *warp);
static inline double schedule_time(const struct schedule_sm *sm, const struct schedule_warp *warp)
{
    return schedule_ends(sm, warp).last_s;
}

#endif
