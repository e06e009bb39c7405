/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches that grow or shrink steadily: the steps of a factorisation, whose grids are a block less
 * wide from step to step. Where an error is granted (profile_effort.error), some steps are gone
 * through, and what lies between two of them is taken to lie between their counts as well.
 *
 * A step is a sequence of launches that came twice before with the same kernels and blocks, and
 * grids that change by the same from step to step. Nothing new may be touched any more: neither a
 * page nor a line in the step before, so that who is left out leaves no home open, and no line
 * that a later step would be the first to ask for. Of steps that are regular, by a look ahead, the
 * last one is always gone through.
 *
 * How far off that is follows from steps that were gone through: each is held against what its
 * neighbours say of it, over twice the distance; by what it asks for, how much of that is remote,
 * its hits in L1, and in caches of any size. Differences have signs. Those of steps that lie by
 * turns one way and another (grids that are even, and odd) are none of the run's: what counts is
 * their mean, with the interval that holds it with 95 %, by batch means (core/batch_means.h). Steps
 * are 2^k - 1 apart, so that the next one is of the other kind: one until so many differences are
 * known, and more as long as the mean over capacities is within half of what is granted. */
#ifndef BANDSCAPE_PROFILE_TRENDS_H
#define BANDSCAPE_PROFILE_TRENDS_H

#include "core/batch_means.h"
#include "profile/run/launch_group.h"
#include "profile/run/launches.h"
#include "trace/stream.h"

enum { TREND_LAUNCHES = 16 }; /* of a step at most */

struct trend_launch {
    uint64_t kind; /* of its kernel and block */
    uint32_t grid[3];
};

/* A step that was gone through. */
struct trend_step {
    uint64_t first; /* launch */
    struct launch_group *groups[TREND_LAUNCHES];
};

struct trends {
    const struct source *source;
    double granted; /* 0: all launches are gone through */
    struct stream *ahead;
    struct {
        struct trend_launch *items;
        size_t count, capacity;
    } seen; /* launches of the source, as far as `ahead` came */
    bool ended;
    uint64_t reached, skipped; /* launches of the run before this one; left out */
    bool again;                /* one of its kind was at most a step before it */
    uint64_t pages, lines;     /* that were known when it began */
    uint64_t fresh;            /* behind the last one that touched new ones */
    struct launch_group
        *newest[TREND_LAUNCHES]; /* by number, of those gone through without a trend */
    uint64_t since;              /* the first of them */
    uint32_t period;             /* launches of a step; 0: there is no trend */
    uint64_t next, last; /* first launches: of the next step to go through, of the trend's last */
    uint32_t distance;   /* of steps that are gone through */
    struct trend_step before, middle, now; /* the last one to be through is the middle one */
    struct {
        struct stream_kernel *items;
        size_t count, capacity;
    } left;                         /* launches behind it that were not gone through */
    struct batch_means lately, all; /* differences and requests, since the distance changed; */
    uint32_t rows;                  /* of a step's differences (launch_group_off) */
};

/* The source must outlive it. */
void trends_init(struct trends *trends, const struct source *source, double granted);
void trends_fini(struct trends *trends);

/* The run's next launch: 1 where it is left out, 0 where it is to be gone through, or a negative
 * status. Then `again` says whether it may be of a trend: nothing may be left for the next launch
 * to count. `pages`, `lines`: that are known. */
int trends_next(struct trends *trends, const struct stream_kernel *kernel, uint64_t pages,
                uint64_t lines, struct error *error);

/* The next launch repeats others, and is no step of a trend. */
void trends_repeated(struct trends *trends);

/* What a launch gave that was gone through, and what stands for those left out before it, to where
 * the records are made of. `pages`, `lines`: that are known now. */
void trends_note(struct trends *trends, const struct launch_group *launch, uint64_t pages,
                 uint64_t lines, struct launches *launches);

/* By how much the run may be off, as a share of its requests; 0: nothing was left out. */
double trends_off(const struct trends *trends);

#endif
