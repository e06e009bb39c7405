/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launches of a run as records of a view: one each up to 64 of them, then
 * grouped by kernel name, grid and block. */
#ifndef BANDSCAPE_PROFILE_LAUNCHES_H
#define BANDSCAPE_PROFILE_LAUNCHES_H

#include "profile/record/profile.h"
#include "profile/run/launch_group.h"
#include "profile/run/requests.h"

enum { LAUNCHES_SINGLE = 64 };

struct launches;
/* The source, whose names are used, and the requests must outlive it. */
struct launches *launches_create(const struct source *source, const struct requests *requests);
void launches_destroy(struct launches *launches);

/* Adds a launch, which is copied; `again`: one that repeats it, and was not gone through. */
void launches_add(struct launches *launches, const struct launch_group *launch, bool again);

/* The records, in the order of first launch; everything is copied into the arena. */
void launches_finish(const struct launches *launches, struct arena *arena,
                     struct profile_view *view);

#endif
