/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "explore/views/view_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A view keeps about 256 bytes for each line of 128 bytes that it meets: its table, its places in
 * stack distances, marks. */
enum { VIEWS_MOST = 8, BYTES_A_BYTE = 2 };
static const double bytes_most = 1024.0 * 1024 * 1024;

static size_t group_room(const struct source *source)
{
    double bytes = 0;
    for (size_t i = 0; i < source->allocations.count; i++)
        bytes += (double)source->allocations.items[i].bytes;
    double views = bytes > 0 ? bytes_most / (BYTES_A_BYTE * bytes) : VIEWS_MOST / 2;
    return views < 1 ? 1 : views < VIEWS_MOST ? (size_t)views : VIEWS_MOST;
}

static bool same_source(const struct source *a, const struct source *b)
{
    return a == b || (strcmp(a->hash, b->hash) == 0 && strcmp(a->spec, b->spec) == 0);
}

static bool same_effort(const struct subject_task *a, const struct subject_task *b)
{
    return a->effort.sample_rate == b->effort.sample_rate && a->effort.error == b->effort.error &&
           a->effort.exact == b->effort.exact && a->keep == b->keep;
}

void view_groups_make(const struct subject_task *tasks, size_t count, struct view_groups *out)
{
    char(*keys)[HASH_TEXT] = memory_zero(count, sizeof *keys);
    *out = (struct view_groups){0};
    for (size_t i = 0; i < count; i++) {
        const struct source *source = tasks[i].subject->source;
        bool alone = !source || tasks[i].cached ||
                     !profile_near_key(tasks[i].machine, tasks[i].parts, keys[i]);
        size_t g = alone ? out->count : 0;
        if (alone)
            keys[i][0] = '\0';
        for (; g < out->count; g++) {
            const struct view_group *group = &out->items[g];
            const struct subject_task *first = &tasks[group->tasks[0]];
            if (strcmp(keys[group->tasks[0]], keys[i]) == 0 && same_effort(first, &tasks[i]) &&
                same_source(first->subject->source, source) && group->count < group_room(source))
                break;
        }
        if (g == out->count)
            VECTOR_PUSH(out, (struct view_group){0});
        struct view_group *group = &out->items[g];
        if (group->count == group->capacity)
            group->tasks =
                vector_grow(group->tasks, group->count, &group->capacity, sizeof *group->tasks);
        group->tasks[group->count++] = i;
    }
    free(keys);
}

void view_groups_fini(struct view_groups *groups)
{
    for (size_t g = 0; g < groups->count; g++)
        free(groups->items[g].tasks);
    VECTOR_FREE(groups);
}

size_t view_groups_passes(const struct subject_task *tasks, size_t count)
{
    struct view_groups groups;
    size_t passes = 0;
    view_groups_make(tasks, count, &groups);
    for (size_t g = 0; g < groups.count; g++) {
        const struct subject_task *first = &tasks[groups.items[g].tasks[0]];
        passes += !first->cached && first->subject->source;
    }
    view_groups_fini(&groups);
    return passes;
}

void view_groups_note(size_t views, size_t passes, char *out, size_t size)
{
    out[0] = '\0';
    if (passes < views)
        snprintf(out, size, " in %zu pass%s", passes, passes == 1 ? "" : "es");
}
