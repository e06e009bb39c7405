/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launches of a run as records of a view: one each up to 64 of them, then
 * grouped by kernel name, grid and block. */
#ifndef BANDSCAPE_PROFILE_LAUNCHES_H
#define BANDSCAPE_PROFILE_LAUNCHES_H

#include "profile/issue/lanes.h"
#include "profile/record/profile.h"
#include "profile/run/requests.h"
#include "profile/run/tally.h"

enum { LAUNCHES_SINGLE = 64 };

struct launches;
/* The source, whose names are used, and the requests must outlive it. */
struct launches *launches_create(const struct source *source, const struct requests *requests);
void launches_destroy(struct launches *launches);

/* What a launch, or a part of it, gave: distance counts by kind of the requests. */
struct launch_part {
    double fields[FIELD_COUNT];
    const struct distance_counts *counts[KINDS_MAX];
    uint32_t units[KINDS_MAX];
    uint32_t n_kinds;
};

/* Everything is copied. `prefixes`: beginnings of the launch (profiler.h), WINDOW_PREFIXES of them,
 * or NULL in all launches. */
void launches_add(struct launches *launches, const struct stream_kernel *kernel,
                  const struct tally *tally, const struct lanes *lanes,
                  const struct launch_part *whole, const struct launch_part *prefixes);

/* The records, in the order of first launch; everything is copied into the arena. */
void launches_finish(const struct launches *launches, struct arena *arena,
                     struct profile_view *view);

#endif
