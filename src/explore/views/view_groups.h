/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which views are made by one pass together. */
#ifndef BANDSCAPE_EXPLORE_VIEW_GROUPS_H
#define BANDSCAPE_EXPLORE_VIEW_GROUPS_H

#include "explore/views/subject.h"

struct view_group {
    size_t *tasks; /* their numbers */
    size_t count, capacity;
};
struct view_groups {
    struct view_group *items;
    size_t count, capacity;
};

/* Tasks that are planned. Views of one source for machines whose SMs see the same
 * (profile_near_key), as many as may be in memory at a time; those of stored profiles and of the
 * cache are each for themselves. In the order of the first of each. */
void view_groups_make(const struct subject_task *tasks, size_t count, struct view_groups *out);
void view_groups_fini(struct view_groups *groups);

/* How many passes it takes to make the tasks' views that are missing. */
size_t view_groups_passes(const struct subject_task *tasks, size_t count);
/* " in 12 passes", or nothing where each view has a pass of its own. */
void view_groups_note(size_t views, size_t passes, char *out, size_t size);

#endif
