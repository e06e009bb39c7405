/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warps of one SM and its issue slots. Warps stay with their SM, and it gives its slots in some
 * order, so that a launch is not shorter than what the busiest SM's warps need:
 *
 *   one queue, the SM's issue slots, of exponential bursts of instructions between two waits, and a
 *   delay, the wait: exact mean value analysis (Reiser and Lavenberg 1980) of k warps,
 *
 *     R(k) = S (1 + Q(k-1)),   X(k) = k / (R(k) + Z),   Q(k) = X(k) R(k)
 *
 *   oldest first (gto): the i oldest know nothing of the others, and go through X(i) bursts a
 *   second, so that the i-th has X(i) - X(i-1) of them;
 *   in turn (lrr, grr): each has X(k)/k. Where warps share the lines that they wait for they go on
 *   together, come to the next place of their program together, and have the same burst and the
 * same kind of wait there: all have had it after max(k S, S + Z) with the wait's own Z, where
 * nobody issues while a long one lasts. Of waits a share g is of that sort: others let warps drift
 * apart, and so does gto, under which who is older is elsewhere in the program.
 *
 * A block's place is free when all of its warps have ended; the next block's are the youngest.
 * Waits know no queue but this one: a bound, beside the network of all SMs. */
#ifndef BANDSCAPE_MODELS_NETWORK_SCHEDULE_H
#define BANDSCAPE_MODELS_NETWORK_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct schedule_sm {
    uint32_t warps;    /* of a block */
    uint32_t places;   /* blocks that it holds at a time */
    double blocks;     /* that it gets */
    bool oldest_first; /* the oldest warp that may issue does */
};

enum { SCHEDULE_KINDS = 3 };

struct schedule_warp {
    double bursts; /* it ends with the last one; as many waits: what stands before and between */
    double burst_s, wait_s; /* S, Z; mean */
    double together;        /* g */
    struct schedule_kind {
        double bursts, wait_s; /* of the bursts; Z of these */
    } kinds[SCHEDULE_KINDS];   /* all of them where g is not 0 */
};

/* Seconds until the last warp has ended; HUGE_VAL where a warp never does. More than SCHEDULE_WAVES
 * times the blocks that are held take as long each as those before them. */
enum { SCHEDULE_WAVES = 4 };
double schedule_time(const struct schedule_sm *sm, const struct schedule_warp *warp);

#endif
