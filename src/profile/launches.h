/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The launches of a run as records of a view: one each up to 64 of them, then
 * grouped by kernel name, grid and block. */
#ifndef BANDSCAPE_PROFILE_LAUNCHES_H
#define BANDSCAPE_PROFILE_LAUNCHES_H

#include "profile/lanes.h"
#include "profile/profile.h"
#include "profile/tally.h"

enum { LAUNCHES_SINGLE = 64 };

struct launches;
/* `allocations` and their names live as long as the source. */
struct launches *launches_create(const struct source *source, double line_bytes);
void launches_destroy(struct launches *launches);

void launches_add(struct launches *launches, const struct stream_kernel *kernel,
                  const struct tally *tally, const struct lanes *lanes);

/* The records, in the order of first launch; everything is copied into the arena. */
void launches_finish(const struct launches *launches, struct arena *arena,
                     struct profile_view *view);

#endif
