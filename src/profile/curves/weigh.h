/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of a launch of which not all is counted (run/stretches.h). */
#ifndef BANDSCAPE_PROFILE_WEIGH_H
#define BANDSCAPE_PROFILE_WEIGH_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* How often each stands for what was counted behind the head, once of a kind: reads and writes by
 * how many of their accesses were counted, but for first requests (REQUEST_FIRST), which are known
 * of all; what is of both, by requests; and all else, by line accesses. Of first requests each
 * stands for `first`: more than one of a sample of the lines. */
struct weights {
    double all, reads, writes, requests, first;
    double unseen;     /* writes that are no first requests, where none of them was counted: each is
                        * taken to be a request for what the LLC was just asked for. Below 0: so
                        * many first ones of a sample of the lines are too many */
    double read_lines; /* that SMs read behind the head, and are no first requests */
    double uneven[2];  /* of how slices differ, by enum level_side: what is no chance of counting */
};

/* left += share * (now - mark): of what was counted since then, so much is not to count. Counts may
 * be differences below 0. */
static inline void counts_leave(uint64_t *left, const uint64_t *now, const uint64_t *mark, size_t n,
                                double share)
{
    for (size_t i = 0; i < n; i++) {
        int64_t since = (int64_t)(now[i] - mark[i]);
        left[i] += (uint64_t)llround((double)since * share);
    }
}

/* What was counted behind the head, and not left, so often. */
static inline void counts_weigh(uint64_t *now, const uint64_t *head, const uint64_t *left, size_t n,
                                double weight)
{
    for (size_t i = 0; i < n; i++) {
        int64_t behind = (int64_t)(now[i] - left[i] - head[i]);
        now[i] = head[i] + (uint64_t)llround((double)behind * weight);
    }
}

#endif
