/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lanes out of consecutive executions of one load or store. */
#include "thread.h"

#include <stdatomic.h>

#include "output.h"

static atomic_uint_fast64_t thread_remaining; /* accesses that no thread has taken yet */
static uint32_t thread_share;                 /* of them, taken at once */
static bool thread_merges;

void thread_configure(uint64_t limit, bool merge)
{
    atomic_store(&thread_remaining, limit);
    thread_share = limit / 256 < THREAD_LOOK ? (uint32_t)(limit / 256) + 1 : THREAD_LOOK;
    thread_merges = merge;
}

/* --- the block -------------------------------------------------------------- */

static void thread_begin_block(struct thread *thread)
{
    binary_block_begin(&thread->block, BINARY_ACCESSES);
    thread->named = false;
}

static void thread_write_block(struct thread *thread)
{
    if (thread->block.size > BINARY_BLOCK_HEADER)
        output_block(&thread->block);
    thread_begin_block(thread);
}

void thread_init(struct thread *thread, uint32_t number)
{
    thread->number = number;
    thread->cta = number;
    thread->block.data = thread->data;
    thread_begin_block(thread);
}

/* A warp access like those of a group. */
static void thread_put(struct thread *thread, const struct group *like, uint64_t base,
                       int64_t stride, unsigned lanes)
{
    struct warp_access access = {
        .base = base,
        .stride = lanes > 1 ? stride : 0,
        .mask = UINT32_MAX >> (WARP_LANES - lanes),
        .bytes = like->bytes,
        .kind = like->kind,
        .flags = like->flags,
    };
    if (thread->block.size + 2 * BINARY_RECORD_MAX > BINARY_BLOCK_BYTES)
        thread_write_block(thread);
    if (!thread->named)
        binary_put_warp(&thread->block, thread->cta, 0);
    thread->named = true;
    binary_put_access(&thread->block, &access);
}

/* --- groups ----------------------------------------------------------------- */

static void group_close(struct thread *thread, struct group *group)
{
    unsigned lanes = group->lanes;
    group->lanes = 0;
    if (lanes)
        thread_put(thread, group, group->base, group->stride, lanes);
}

/* Closes what was opened before `time`, the oldest first. */
static void thread_close_groups(struct thread *thread, uint64_t time)
{
    for (;;) {
        struct group *oldest = NULL;
        for (int i = 0; i < THREAD_GROUPS; i++) {
            struct group *group = &thread->groups[i];
            if (group->lanes && group->opened < time && (!oldest || group->opened < oldest->opened))
                oldest = group;
        }
        if (!oldest)
            return;
        group_close(thread, oldest);
    }
}

/* The group of a key. If there is none, a free one or else the oldest of the set
 * becomes it. */
static inline struct group *thread_find_group(struct thread *thread, uint64_t key)
{
    unsigned first = (unsigned)(key * 0x9e3779b97f4a7c15u >> (64 - THREAD_SET_BITS)) * THREAD_WAYS;
    unsigned found = first;
    for (unsigned at = first; at < first + THREAD_WAYS; at++)
        if (thread->keys[at] == key)
            return &thread->groups[at];
    for (unsigned at = first; at < first + THREAD_WAYS; at++) {
        if (thread->groups[at].lanes == 0) {
            found = at;
            break;
        }
        if (thread->groups[at].opened < thread->groups[found].opened)
            found = at;
    }
    group_close(thread, &thread->groups[found]);
    thread->keys[found] = key;
    return &thread->groups[found];
}

/* An address that is not the next of its group. One or two lanes have any
 * stride: when a third has another one, the first goes alone and the second
 * begins anew. False when the group must be closed. */
static bool group_turn(struct thread *thread, struct group *group, uint64_t address)
{
    uint64_t last = group->next - (uint64_t)group->stride;
    int64_t stride = (int64_t)(address - last);
    if (group->lanes == 0 || group->lanes > 2 || stride < INT32_MIN || stride > INT32_MAX)
        return false;
    if (group->lanes == 2) {
        thread_put(thread, group, group->base, 0, 1);
        group->base = last;
        group->opened = thread_count(thread);
    }
    group->stride = stride;
    group->next = address + (uint64_t)stride;
    group->lanes = 2;
    return true;
}

/* --- counting --------------------------------------------------------------- */

/* Closes old groups, and takes a share of what may still be recorded. */
static bool thread_look(struct thread *thread, unsigned count)
{
    uint64_t now = thread_count(thread);
    if (!thread->spent && now > THREAD_LOOK)
        thread_close_groups(thread, now - THREAD_LOOK);
    while (thread->until < count && !thread->spent) {
        uint64_t left = atomic_load(&thread_remaining), taken;
        do
            taken = left < thread_share ? left : thread_share;
        while (!atomic_compare_exchange_weak(&thread_remaining, &left, left - taken));
        thread->until += (uint32_t)taken;
        thread->clock += taken;
        thread->spent = taken == 0;
    }
    if (thread->spent)
        thread->left_out += count;
    else
        thread->until -= count;
    return !thread->spent;
}

/* May so many more accesses be recorded? Counts them. */
static inline bool thread_take(struct thread *thread, unsigned count)
{
    if (thread->until < count)
        return thread_look(thread, count);
    thread->until -= count;
    return true;
}

/* --- accesses --------------------------------------------------------------- */

void thread_access(struct thread *thread, uint64_t address, unsigned bytes, unsigned kind,
                   unsigned flags, const void *place)
{
    if (!thread_take(thread, 1))
        return;
    uint64_t key = (uint64_t)(uintptr_t)place << 8 | kind << 6 | bytes;
    struct group *group = thread_find_group(thread, key);
    if (group->lanes > 1 && group->next == address) {
        group->next += (uint64_t)group->stride;
        if (++group->lanes == WARP_LANES)
            group_close(thread, group);
        return;
    }
    if (group_turn(thread, group, address))
        return;
    group_close(thread, group);
    *group = (struct group){
        .base = address,
        .next = address,
        .opened = thread_count(thread),
        .lanes = 1,
        .bytes = (uint8_t)bytes,
        .kind = (uint8_t)kind,
        .flags = (uint8_t)flags,
    };
    if (!thread_merges)
        group_close(thread, group);
}

void thread_range(struct thread *thread, uint64_t address, size_t bytes, unsigned kind)
{
    while (bytes > 0) {
        unsigned piece = 16, lanes = 1;
        while (address % piece || bytes < piece)
            piece /= 2;
        if (piece == 16 && thread_merges)
            lanes = bytes / 16 < WARP_LANES ? (unsigned)(bytes / 16) : WARP_LANES;
        const struct group like = {.bytes = (uint8_t)piece, .kind = (uint8_t)kind};
        if (thread_take(thread, lanes))
            thread_put(thread, &like, address, 16, lanes);
        address += piece * lanes;
        bytes -= piece * lanes;
    }
}

void thread_set_cta(struct thread *thread, uint64_t cta)
{
    if (thread->cta == cta)
        return;
    thread_close_groups(thread, UINT64_MAX);
    thread->cta = cta;
    thread->named = false;
}

void thread_flush(struct thread *thread)
{
    thread_close_groups(thread, UINT64_MAX);
    thread_write_block(thread);
}
