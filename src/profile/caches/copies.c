/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of copies. */
#include "profile/caches/copies.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/prefetch.h"

/* At most two fifths of the buckets' room is used, so that few searches go on. */
enum { BUCKET_LINES = 5, BUCKET_LINES_MEAN = 2, BUCKET_BYTES = 64 };

struct copies_bucket {
    uint64_t tags[BUCKET_LINES]; /* line + 1; 0: free */
    uint32_t counts[BUCKET_LINES];
    uint32_t passed; /* keys in the table that found this bucket full */
};
_Static_assert(sizeof(struct copies_bucket) == BUCKET_BYTES, "one cache line");

void copies_init(struct copies *copies, uint64_t groups, uint32_t lines)
{
    *copies = (struct copies){
        .groups = groups,
        .per_group = lines / BUCKET_LINES_MEAN + (lines % BUCKET_LINES_MEAN != 0),
    };
    copies->buckets = memory_table(groups * copies->per_group, BUCKET_BYTES);
}

void copies_fini(struct copies *copies)
{
    free(copies->buckets);
    *copies = (struct copies){0};
}

/* Lines of a group differ by multiples of the sets: Fibonacci hashing scatters them. */
static inline uint32_t bucket_first(const struct copies *copies, uint64_t tag)
{
    return hash_reduce((tag ^ tag >> 32) * 0x9e3779b97f4a7c15ULL, copies->per_group);
}

static inline uint32_t bucket_next(const struct copies *copies, uint32_t at)
{
    return at + 1 == copies->per_group ? 0 : at + 1;
}

/* Where the tag stands in the bucket, BUCKET_LINES when it does not. No loop and no
 * branches: nothing could predict them. */
static inline int bucket_find(const struct copies_bucket *bucket, uint64_t tag)
{
    const uint64_t *tags = bucket->tags;
    uint32_t found = (uint32_t)(tags[0] == tag) | (uint32_t)(tags[1] == tag) << 1 |
                     (uint32_t)(tags[2] == tag) << 2 | (uint32_t)(tags[3] == tag) << 3 |
                     (uint32_t)(tags[4] == tag) << 4;
    return __builtin_ctz(found | 1U << BUCKET_LINES);
}

/* The count of a tag; NULL when it is not in the table. */
static inline uint32_t *group_find(const struct copies *copies, struct copies_bucket *group,
                                   uint32_t first, uint64_t tag)
{
    for (uint32_t at = first;;) {
        int i = bucket_find(&group[at], tag);
        if (i < BUCKET_LINES)
            return &group[at].counts[i];
        if (group[at].passed == 0)
            return NULL;
        at = bucket_next(copies, at);
        if (at == first)
            return NULL;
    }
}

/* Adds a tag that is not in the table; there is room in the group. */
static inline void group_insert(const struct copies *copies, struct copies_bucket *group,
                                uint32_t first, uint64_t tag)
{
    int i;
    while ((i = bucket_find(&group[first], 0)) == BUCKET_LINES) {
        group[first].passed++;
        first = bucket_next(copies, first);
    }
    group[first].tags[i] = tag;
    group[first].counts[i] = 1;
}

/* One holder less of a tag that is in the table: true when it was the last. */
static inline bool group_remove(const struct copies *copies, struct copies_bucket *group,
                                uint32_t first, uint64_t tag)
{
    uint32_t at = first;
    int i;
    while ((i = bucket_find(&group[at], tag)) == BUCKET_LINES)
        at = bucket_next(copies, at);
    if (--group[at].counts[i])
        return false;
    group[at].tags[i] = 0;
    for (; first != at; first = bucket_next(copies, first))
        group[first].passed--;
    return true;
}

static void copies_apply(struct copies *copies, const struct copies_event *event)
{
    if (event->missed && !event->quiet)
        copies->lines_sum += copies->lines;
    if (event->victim)
        copies->lines -= group_remove(copies, event->group, event->victim_bucket, event->victim);
    if (!event->missed)
        return;
    uint32_t *count = group_find(copies, event->group, event->missed_bucket, event->missed);
    uint32_t own = !event->taken;
    copies->elsewhere += count && *count > own && !event->quiet;
    if (count) {
        *count += event->taken;
    } else {
        group_insert(copies, event->group, event->missed_bucket, event->missed);
        copies->lines++;
    }
}

static void copies_push(struct copies *copies, uint64_t group, uint64_t missed, uint64_t victim,
                        bool taken, bool quiet)
{
    struct copies_event *event = &copies->queue[copies->next];
    if (copies->waiting == COPIES_QUEUE)
        copies_apply(copies, event);
    else
        copies->waiting++;
    copies->next = (copies->next + 1) % COPIES_QUEUE;
    *event = (struct copies_event){
        .group = copies->buckets + group * copies->per_group,
        .missed = missed,
        .victim = victim,
        .missed_bucket = bucket_first(copies, missed),
        .victim_bucket = bucket_first(copies, victim),
        .taken = taken,
        .quiet = quiet,
    };
    prefetch_write(&event->group[event->missed_bucket]);
    prefetch_write(&event->group[event->victim_bucket]);
}

void copies_miss(struct copies *copies, uint64_t group, uint64_t line, uint64_t victim)
{
    copies_push(copies, group, line + 1, victim, true, false);
}

void copies_miss_sector(struct copies *copies, uint64_t group, uint64_t line)
{
    copies_push(copies, group, line + 1, 0, false, false);
}

void copies_change(struct copies *copies, uint64_t group, uint64_t taken, uint64_t victim)
{
    copies_push(copies, group, taken, victim, true, true);
}

void copies_remove(struct copies *copies, uint64_t group, uint64_t line)
{
    copies_change(copies, group, 0, line + 1);
}

void copies_settle(struct copies *copies)
{
    for (; copies->waiting; copies->waiting--)
        copies_apply(
            copies, &copies->queue[(copies->next + COPIES_QUEUE - copies->waiting) % COPIES_QUEUE]);
}

void copies_clear(struct copies *copies)
{
    copies_settle(copies);
    memset(copies->buckets, 0, copies->groups * copies->per_group * BUCKET_BYTES);
    copies->lines = 0;
}
