/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which views several questions need in all: those that two of them ask for count once. */
#ifndef BANDSCAPE_EXPLORE_VIEW_LIST_H
#define BANDSCAPE_EXPLORE_VIEW_LIST_H

#include "core/hash.h"
#include "explore/views/subject.h"

struct view_list {
    struct view_listed {
        char key[HASH_TEXT];
        bool cached;
    } * items;
    size_t count, capacity;
};

/* Tasks that are planned. A view is that of another task if source and structure of the machine are
 * the same; it is in the cache if it is there with what every task wants of it. Stored profiles do
 * not count. */
void view_list_add(struct view_list *list, const struct subject_task *tasks, size_t count);
size_t view_list_cached(const struct view_list *list);
/* Puts one task of each view in front, with all parts that others want of it, and says how many
 * these are: made first, the others' views are in the cache. For several subjects of one source. */
size_t view_list_sort(struct subject_task *tasks, size_t count);
void view_list_fini(struct view_list *list);

#endif
