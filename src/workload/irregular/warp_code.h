/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of a kernel, as a warp goes through it. It reads like the CUDA code
 * of which it stands for the memory accesses:
 *
 *     static bool spmv_code(const struct kernel_pass *pass, struct kernel_warp *warp,
 *                           struct warp_buffer *out)
 *     {
 *         const struct spmv *s = (const struct spmv *)pass->source;
 *         struct spmv_warp *w = (struct spmv_warp *)warp;
 *         WARP_BEGIN;
 *         w->live = warp_below(warp, s->rows);
 *         WARP_READ(ROWS, w->live, warp->thread + lane);
 *         for (;; w->j++) {
 *             WARP_SELECT(w->live, w->live, w->j < length(s, warp->thread + lane));
 *             if (!w->live)
 *                 break;
 *             WARP_READ(COLUMNS, w->live, slot(s, warp->thread + lane, w->j));
 *             WARP_READ_TOO(VALUES, w->live, slot(s, warp->thread + lane, w->j));
 *             WARP_READ(X, w->live, s->columns[slot(s, warp->thread + lane, w->j)]);
 *         }
 *         WARP_END;
 *     }
 *
 * An access may leave the function when the buffer is full (it holds a few, and a warp may make
 * millions) and comes back to the same place, a case of a switch: what is needed behind it is in
 * the warp's state, not in local variables (those set before WARP_BEGIN excepted). An access names
 * the lanes that make it and, with `lane` standing for each of them, an element of an array; no
 * lanes, no access.
 *
 * What a warp waits for (warp_access.ahead): WARP_READ and whatever writes need all that was read
 * before, an index as a rule comes from there. WARP_READ_TOO needs nothing of what has been read
 * since then, WARP_READ or write, or since WARP_NEED: they are under way together. It is for what a
 * compiler asks for together in straight-line code; a loop whose end is data is not taken to be
 * unrolled. */
#ifndef BANDSCAPE_WORKLOAD_WARP_CODE_H
#define BANDSCAPE_WORKLOAD_WARP_CODE_H

#include "workload/access.h"
#include "workload/irregular/kernel_source.h"

/* Values of kernel_warp.at that are no access. */
enum { WARP_AT_REST = 0x7ffffffe, WARP_AT_END = 0x7fffffff };

#define WARP_BEGIN                                                                                 \
    switch (warp->at) {                                                                            \
    case 0:
#define WARP_END                                                                                   \
    }                                                                                              \
    return true

/* This many instructions without an access. */
#define WARP_COMPUTE(instructions) (warp->pending += (instructions))

/* What comes next needs all that was read before. */
#define WARP_NEED (warp->together = 0)

#define WARP_READ(array, mask, index)                                                              \
    do {                                                                                           \
        WARP_NEED;                                                                                 \
        WARP_READ_TOO(array, mask, index);                                                         \
    } while (0)
#define WARP_READ_TOO(array, mask, index) WARP_ACCESS(ACCESS_READ, array, mask, index)
#define WARP_WRITE(array, mask, index)                                                             \
    do {                                                                                           \
        WARP_NEED;                                                                                 \
        WARP_ACCESS(ACCESS_WRITE, array, mask, index);                                             \
    } while (0)
#define WARP_ATOMIC(array, mask, index)                                                            \
    do {                                                                                           \
        WARP_NEED;                                                                                 \
        WARP_ACCESS(ACCESS_ATOMIC, array, mask, index);                                            \
    } while (0)
/* A read through a cache beside L1, if the machine has it: ACCESS_SCALAR, ACCESS_CONSTANT or
 * ACCESS_TEXTURE (machine/access_path.h). */
#define WARP_READ_THROUGH(through, array, mask, index)                                             \
    do {                                                                                           \
        WARP_NEED;                                                                                 \
        WARP_ACCESS_HERE(__COUNTER__ + 1, ACCESS_READ, through, array, mask, index, 0,             \
                         pass->source->arrays[array].element);                                     \
    } while (0)
#define WARP_ACCESS(kind, array, mask, index)                                                      \
    WARP_ACCESS_AT(kind, array, mask, index, 0, pass->source->arrays[array].element)

/* The same for `width` bytes at `offset` of the elements: a member of a struct. */
#define WARP_READ_AT(array, mask, index, offset, width)                                            \
    do {                                                                                           \
        WARP_NEED;                                                                                 \
        WARP_READ_TOO_AT(array, mask, index, offset, width);                                       \
    } while (0)
#define WARP_READ_TOO_AT(array, mask, index, offset, width)                                        \
    WARP_ACCESS_AT(ACCESS_READ, array, mask, index, offset, width)
#define WARP_WRITE_AT(array, mask, index, offset, width)                                           \
    do {                                                                                           \
        WARP_NEED;                                                                                 \
        WARP_ACCESS_AT(ACCESS_WRITE, array, mask, index, offset, width);                           \
    } while (0)

#define WARP_ACCESS_AT(kind, array, mask, index, offset, width)                                    \
    WARP_ACCESS_HERE(__COUNTER__ + 1, kind, ACCESS_ORDINARY, array, mask, index, offset, width)
#define WARP_ACCESS_HERE(here, access_kind, through, array, mask_, index, offset, width)           \
    do {                                                                                           \
        warp->at = here;                                                                           \
        __attribute__((fallthrough));                                                              \
    case here:;                                                                                    \
        const struct kernel_array *array_ = &pass->source->arrays[array];                          \
        const struct warp_access item_ = {                                                         \
            .mask = (mask_), .bytes = (width), .kind = access_kind, .path = through};              \
        uint64_t list_[WARP_LANES];                                                                \
        int n_ = 0;                                                                                \
        if (out->count == WARP_BUFFER_ITEMS)                                                       \
            return false;                                                                          \
        WARP_EACH(item_.mask)                                                                      \
        list_[n_++] = array_->base + (uint64_t)(index)*array_->element + (offset);                 \
        if (n_ > 0 && !warp_put(warp, out, item_, list_, n_))                                      \
            return false;                                                                          \
    } while (0)

/* A statement for each lane of a mask. */
#define WARP_EACH(mask)                                                                            \
    for (uint32_t left_ = (mask), lane;                                                            \
         left_ && (lane = (uint32_t)__builtin_ctz(left_), left_ &= left_ - 1, true); (void)lane)

/* target = the lanes of `from` for which the condition holds. */
#define WARP_SELECT(target, from, condition)                                                       \
    do {                                                                                           \
        uint32_t chosen_ = 0;                                                                      \
        WARP_EACH(from)                                                                            \
        chosen_ |= (uint32_t)((condition) ? 1 : 0) << lane;                                        \
        (target) = chosen_;                                                                        \
    } while (0)

/* The lanes whose thread is one of the first n. */
static inline uint32_t warp_below(const struct kernel_warp *warp, uint64_t n)
{
    if (warp->thread >= n)
        return 0;
    uint64_t left = n - warp->thread;
    return left >= WARP_LANES ? warp->lanes : warp->lanes & (((uint32_t)1 << left) - 1);
}

/* Appends an access of n >= 1 lanes with its instructions; false: no room for its addresses. */
bool warp_put(struct kernel_warp *warp, struct warp_buffer *out, struct warp_access item,
              const uint64_t *list, int n);

#endif
