/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which views several questions need in all: those that two of them ask for count once, and are
 * made once, those of all questions that can be by one pass together. */
#ifndef BANDSCAPE_EXPLORE_VIEW_LIST_H
#define BANDSCAPE_EXPLORE_VIEW_LIST_H

#include "core/hash.h"
#include "explore/views/subject.h"

struct view_list {
    struct view_listed {
        char key[HASH_TEXT];
        struct subject_task task; /* of the list's own subject */
        struct machine *machine;  /* its machine */
    } * items;
    size_t count, capacity;
    struct { /* one a source: questions may have closed theirs */
        struct subject **items;
        size_t count, capacity;
    } subjects;
};

/* Tasks that are planned; they, their machines and their subjects may go. A view is that of another
 * task if source and structure of the machine are the same, and is wanted with the parts that all
 * tasks want of it; it is in the cache if it is there with them. Stored profiles do not count. */
int view_list_add(struct view_list *list, const struct subject_task *tasks, size_t count,
                  struct error *error);
size_t view_list_cached(const struct view_list *list);
/* How many passes make those that the cache lacks (explore/views/view_groups.h). */
size_t view_list_passes(const struct view_list *list);
/* Makes them, into the cache, where the questions find them; nothing where there is no cache. */
int view_list_make(struct view_list *list, int threads, struct error *error);
/* Puts one task of each view in front, with all parts that others want of it, and says how many
 * these are: made first, the others' views are in the cache. For several subjects of one source. */
size_t view_list_sort(struct subject_task *tasks, size_t count);
void view_list_fini(struct view_list *list);

#endif
