/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one launch gave, or several of one kernel, grid and block together. */
#ifndef BANDSCAPE_PROFILE_LAUNCH_GROUP_H
#define BANDSCAPE_PROFILE_LAUNCH_GROUP_H

#include "profile/issue/lanes.h"
#include "profile/record/profile.h"
#include "profile/run/profiler.h"
#include "profile/run/requests.h"
#include "profile/run/tally.h"

/* A histogram without its empty end. */
struct launch_bins {
    uint64_t requests, cold;
    uint64_t *counts;
    size_t n;
};

/* What a curve is made of. */
struct launch_kind {
    struct launch_bins parts[DISTANCE_PARTS];
    uint64_t *unit_requests, *unit_cold;
    uint32_t units;
    double *misses_half, *written_half;       /* [SPREAD_BINS]; NULL: all lines were taken */
    double *misses_skimmed, *written_skimmed; /* likewise; NULL: nothing was skimmed */
    bool flushed;                             /* the end of a launch writes home what is dirty */
    bool settled; /* nothing of the launch is left to be counted with a later one */
};

/* What a launch, or a part of it, gives. */
struct launch_counts {
    double fields[FIELD_COUNT];
    double weights[FIELD_COUNT]; /* requests of the launches that know a mean */
    struct launch_kind kinds[KINDS_MAX];
    uint32_t n_kinds;
};

struct launch_group {
    struct stream_kernel kernel;
    uint64_t launches,
        repeated; /* of these, those that were not gone through: they repeat others */
    uint32_t domains;
    uint64_t *traffic;
    struct launch_counts whole, prefixes[WINDOW_PREFIXES];
    bool has_prefixes;
    uint64_t digest; /* of one launch: equal ones, equal counts */
    struct lane_counts *lanes;
    size_t n_lanes; /* allocations of the source */
};

/* What a launch, or a part of it, gave: distance counts by kind of the requests. */
struct launch_part {
    double fields[FIELD_COUNT];
    const struct distance_counts *counts[KINDS_MAX];
    uint32_t units[KINDS_MAX];
    uint32_t n_kinds;
};

/* One launch; everything is copied. `prefixes`: beginnings of the launch (profiler.h),
 * WINDOW_PREFIXES of them, or NULL. */
struct launch_group *launch_group_create(const struct requests *requests,
                                         const struct stream_kernel *kernel,
                                         const struct tally *tally, const struct lanes *lanes,
                                         const struct launch_part *whole,
                                         const struct launch_part *prefixes);
struct launch_group *launch_group_copy(const struct launch_group *from);
void launch_group_destroy(struct launch_group *group); /* NULL is legal */

/* Whether launches of the kernel belong to the group; adds later ones. */
bool launch_group_fits(const struct launch_group *group, const struct stream_kernel *kernel);
void launch_group_merge(struct launch_group *to, const struct launch_group *from);

/* Whether two launches gave the same within a share of each count, of what cold misses and hits are
 * at any capacity in a share of the requests; and leave nothing to later ones. What a field counts
 * over the run so far (FIELD_KIND_RUN) is of no launch, and not asked for. */
bool launch_group_agrees(const struct launch_group *a, const struct launch_group *b,
                         double tolerance);

/* A launch of the kernel that lies at a share of the way from one launch to another of its kind,
 * and so do its counts. */
struct launch_group *launch_group_between(const struct launch_group *a,
                                          const struct launch_group *b, double share,
                                          const struct stream_kernel *kernel);

/* By how many of b's requests a has more: in all, remote ones, hits in L1 (as a share of its reads,
 * of the requests); and from out[LAUNCH_CAPACITIES] on, a row a kind of cache, hits of caches of
 * 16, 32, ... lines, then a row each of what they write home. How many rows there are, the first
 * one included. */
enum { LAUNCH_CAPACITIES = 24, LAUNCH_MEASURES = (2 * KINDS_MAX + 1) * LAUNCH_CAPACITIES };
uint32_t launch_group_off(const struct launch_group *a, const struct launch_group *b,
                          double out[LAUNCH_MEASURES]);

#endif
