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
    double uneven[2]; /* of how slices differ, by enum level_side: what is no chance of counting */
};

/* left += now - mark: what was counted since then, and is not to count. */
static inline void counts_leave(uint64_t *left, const uint64_t *now, const uint64_t *mark, size_t n)
{
    for (size_t i = 0; i < n; i++)
        left[i] += now[i] - mark[i];
}

/* What was counted behind the head, and not left, so often. Counts may be differences below 0. */
static inline void counts_weigh(uint64_t *now, const uint64_t *head, const uint64_t *left, size_t n,
                                double weight)
{
    for (size_t i = 0; i < n; i++) {
        int64_t behind = (int64_t)(now[i] - left[i] - head[i]);
        now[i] = head[i] + (uint64_t)llround((double)behind * weight);
    }
}

#endif
