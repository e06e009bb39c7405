/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact LRU stack distances: a bitmap over time with three levels of counters. */
#include "profile/curves/stack_distance.h"

#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "core/bits.h"
#include "core/memory.h"
#include "core/simd.h"

enum {
    FANOUT = 32,     /* small counters per middle one, middle ones per large one */
    WORDS = 512 / 64 /* of the bitmap per small counter */
};

static void engine_allocate(struct stack_distance *engine, uint64_t capacity)
{
    size_t large = (size_t)(capacity >> SLOTS_LARGE_SHIFT);
    engine->capacity = (uint32_t)capacity;
    engine->bits = memory_table(capacity / 64, sizeof *engine->bits);
    engine->small = memory_table(large * FANOUT * FANOUT, sizeof *engine->small);
    engine->middle = memory_table(large * FANOUT, sizeof *engine->middle);
    engine->large = memory_table(large, sizeof *engine->large);
}

static void engine_release(struct stack_distance *engine)
{
    free(engine->holes);
    free(engine->bits);
    free(engine->small);
    free(engine->middle);
    free(engine->large);
}

void stack_distance_fini(struct stack_distance *engine)
{
    engine_release(engine);
    *engine = (struct stack_distance){0};
}

void stack_distance_flush(struct stack_distance *engine)
{
    engine->floor = engine->now;
    engine->live = engine->top_hole = 0;
}

/* Bits and counters above a slot are picked by a mask that slides over them:
 * fixed trip counts, so that compilers unroll and vectorise, and no branch
 * depends on where the slot lies. */
#define TIMES8(x) x, x, x, x, x, x, x, x
#define TIMES32(x) TIMES8(x), TIMES8(x), TIMES8(x), TIMES8(x)
static const uint64_t mask_words[2 * WORDS] = {TIMES8(0), TIMES8(UINT64_MAX)};
static const uint16_t mask_small[2 * FANOUT] = {TIMES32(0), TIMES32(UINT16_MAX)};
static const uint32_t mask_middle[2 * FANOUT] = {TIMES32(0), TIMES32(UINT32_MAX)};

/* A walk from where the slot stands would end at a branch that nobody can predict: it starts
 * with a whole group of counters. */
INLINE uint32_t large_above(const struct stack_distance *engine, uint32_t slot)
{
    enum { GROUP = 16 };
    uint32_t own = slot >> SLOTS_LARGE_SHIFT, last = (engine->now - 1) >> SLOTS_LARGE_SHIFT,
             total = 0;
    for (uint32_t i = own / GROUP * GROUP; i <= last; i++)
        total += engine->large[i] & (0U - (i > own));
    return total;
}

INLINE uint32_t count_above(const struct stack_distance *engine, uint32_t slot)
{
    const uint64_t *bits = &engine->bits[slot >> SLOTS_SMALL_SHIFT << (SLOTS_SMALL_SHIFT - 6)];
    const uint16_t *small =
        &engine->small[slot >> SLOTS_MIDDLE_SHIFT << (SLOTS_MIDDLE_SHIFT - SLOTS_SMALL_SHIFT)];
    const uint32_t *middle =
        &engine->middle[slot >> SLOTS_LARGE_SHIFT << (SLOTS_LARGE_SHIFT - SLOTS_MIDDLE_SHIFT)];
    const uint64_t *words = &mask_words[WORDS - 1 - (slot >> 6) % WORDS];
    const uint16_t *smalls = &mask_small[FANOUT - 1 - (slot >> SLOTS_SMALL_SHIFT) % FANOUT];
    const uint32_t *middles = &mask_middle[FANOUT - 1 - (slot >> SLOTS_MIDDLE_SHIFT) % FANOUT];
    uint64_t own = engine->bits[slot >> 6] >> (slot & 63) >> 1;
    uint32_t total = (uint32_t)__builtin_popcountll(own);
    for (int i = 0; i < WORDS; i++)
        total += (uint32_t)__builtin_popcountll(bits[i] & words[i]);
    uint16_t in_small = 0; /* at most 16 384 */
    for (int i = 0; i < FANOUT; i++)
        in_small = (uint16_t)(in_small + (small[i] & smalls[i]));
    uint32_t in_middle = 0;
    for (int i = 0; i < FANOUT; i++)
        in_middle += middle[i] & middles[i];
    total += in_small + in_middle;
    return total + large_above(engine, slot);
}

static uint32_t count_base(const struct stack_distance *engine, uint32_t slot)
{
    return count_above(engine, slot);
}

#ifdef __x86_64__
/* A population count is one instruction where the CPU has it, and vectors are longer. */
__attribute__((target("arch=x86-64-v3"))) static uint32_t count_v3(
    const struct stack_distance *engine, uint32_t slot)
{
    return count_above(engine, slot);
}

/* The same with one mask and one sum for all levels: a quarter faster. */
__attribute__((target("arch=x86-64-v4,avx512vpopcntdq"))) static uint32_t count_v4(
    const struct stack_distance *engine, uint32_t slot)
{
    const uint64_t *bits = &engine->bits[slot >> SLOTS_SMALL_SHIFT << (SLOTS_SMALL_SHIFT - 6)];
    const uint16_t *small =
        &engine->small[slot >> SLOTS_MIDDLE_SHIFT << (SLOTS_MIDDLE_SHIFT - SLOTS_SMALL_SHIFT)];
    const uint32_t *middle =
        &engine->middle[slot >> SLOTS_LARGE_SHIFT << (SLOTS_LARGE_SHIFT - SLOTS_MIDDLE_SHIFT)];
    const uint32_t above = UINT32_MAX - 1; /* of the lowest bit */
    uint32_t words = above << (slot >> 6) % WORDS;
    uint32_t smalls = above << (slot >> SLOTS_SMALL_SHIFT) % FANOUT;
    uint32_t middles = above << (slot >> SLOTS_MIDDLE_SHIFT) % FANOUT;
    __m512i sum = _mm512_popcnt_epi64(_mm512_maskz_loadu_epi64((__mmask8)words, bits));
    __m512i two = _mm512_maskz_loadu_epi16(smalls, small); /* at most 512 each */
    sum = _mm512_add_epi32(sum, _mm512_madd_epi16(two, _mm512_set1_epi16(1)));
    sum = _mm512_add_epi32(sum, _mm512_maskz_loadu_epi32((__mmask16)middles, middle));
    sum = _mm512_add_epi32(sum, _mm512_maskz_loadu_epi32((__mmask16)(middles >> 16), middle + 16));
    uint64_t own = engine->bits[slot >> 6] >> (slot & 63) >> 1;
    return (uint32_t)__builtin_popcountll(own) + (uint32_t)_mm512_reduce_add_epi32(sum) +
           large_above(engine, slot);
}
#endif

stack_distance_count_fn *stack_distance_counter(const char *set)
{
    if (!simd_runs(set))
        return NULL;
#ifdef __x86_64__
    if (strcmp(set, "v4+popcnt") == 0)
        return count_v4;
    if (strcmp(set, "v3") == 0)
        return count_v3;
#endif
    return count_base;
}

void stack_distance_init(struct stack_distance *engine)
{
    static const char *const sets[] = {"v4+popcnt", "v3", "base"};
    *engine = (struct stack_distance){.now = 1, .floor = 1};
    for (int i = 0; !engine->count; i++)
        engine->count = stack_distance_counter(sets[i]);
    engine_allocate(engine, 1 << SLOTS_LARGE_SHIFT);
}

/* Set bits of the slots first .. last. */
static uint32_t count_between(const struct stack_distance *engine, uint32_t first, uint32_t last)
{
    uint32_t from = first >> 6, to = last >> 6, count = 0;
    uint64_t low = UINT64_MAX << (first & 63), high = UINT64_MAX >> (63 - (last & 63));
    if (from == to)
        return bits_count(engine->bits[from] & low & high);
    for (uint32_t word = from + 1; word < to; word++)
        count += bits_count(engine->bits[word]);
    return count + bits_count(engine->bits[from] & low) + bits_count(engine->bits[to] & high);
}

uint64_t stack_distance_depth(const struct stack_distance *engine, uint32_t slot,
                              struct stack_depth *near)
{
    enum { FEW = 256 };
    uint64_t depth;
    if (near->slot && slot >= near->slot && slot - near->slot < FEW)
        depth = near->depth - (slot > near->slot ? count_between(engine, near->slot + 1, slot) : 0);
    else if (near->slot && slot < near->slot && near->slot - slot < FEW)
        depth = near->depth + count_between(engine, slot + 1, near->slot);
    else
        depth = engine->count(engine, slot);
    *near = (struct stack_depth){slot, depth};
    return depth;
}

/* --- holes ------------------------------------------------------------------------ */

static void hole_set(struct stack_distance *engine, uint32_t slot)
{
    engine->holes[slot >> 6] |= 1ULL << (slot & 63);
    if (slot > engine->top_hole)
        engine->top_hole = slot;
}

/* The highest hole at or below a slot, or 0. Holes only move down until the next line is
 * taken out, so that all searches together walk the bitmap once. */
static uint32_t hole_below(const struct stack_distance *engine, uint32_t slot)
{
    uint64_t word = engine->holes[slot >> 6] & UINT64_MAX >> (63 - (slot & 63));
    uint32_t at = slot >> 6;
    while (word == 0 && at > engine->floor >> 6)
        word = engine->holes[--at];
    if (word == 0)
        return 0;
    uint32_t hole = (at << 6) + 63 - (uint32_t)__builtin_clzll(word);
    return hole >= engine->floor ? hole : 0;
}

/* A line comes from below the topmost hole, or from outside, and fills it; where it was
 * is a hole now. */
void stack_distance_fill(struct stack_distance *engine, uint32_t last)
{
    uint32_t hole = engine->top_hole;
    engine->holes[hole >> 6] &= ~(1ULL << (hole & 63));
    stack_distance_clear(engine, hole);
    engine->top_hole = 0;
    if (last >= engine->floor)
        hole_set(engine, last);
    engine->top_hole = hole_below(engine, hole);
}

void stack_distance_remove(struct stack_distance *engine, uint32_t *slot)
{
    if (!engine->holes)
        engine->holes = memory_zero(engine->capacity / 64, sizeof *engine->holes);
    if (*slot >= engine->floor)
        hole_set(engine, *slot);
    *slot = 0;
}

/* --- more slots ------------------------------------------------------------------- */

#define SLOTS_MOST ((1ULL << 32) - (1ULL << SLOTS_LARGE_SHIFT))

/* With what another one has, which has no more slots. */
static void engine_fill(struct stack_distance *engine, const struct stack_distance *from)
{
    size_t large = from->capacity >> SLOTS_LARGE_SHIFT, words = from->capacity / 64;
    memcpy(engine->bits, from->bits, words * sizeof *engine->bits);
    memcpy(engine->small, from->small, large * FANOUT * FANOUT * sizeof *engine->small);
    memcpy(engine->middle, from->middle, large * FANOUT * sizeof *engine->middle);
    memcpy(engine->large, from->large, large * sizeof *engine->large);
    if (!from->holes)
        return;
    engine->holes = memory_zero(engine->capacity / 64, sizeof *engine->holes);
    memcpy(engine->holes, from->holes, words * sizeof *engine->holes);
}

bool stack_distance_grow(struct stack_distance *engine)
{
    struct stack_distance old = *engine;
    uint64_t capacity = 2 * (uint64_t)old.capacity;
    if (old.live < old.now / 2 || capacity > SLOTS_MOST)
        return false;
    engine_allocate(engine, capacity);
    engine_fill(engine, &old);
    engine_release(&old);
    return true;
}

void stack_distance_copy(struct stack_distance *engine, const struct stack_distance *from)
{
    engine_release(engine);
    *engine = *from;
    engine_allocate(engine, from->capacity);
    engine_fill(engine, from);
}

/* --- renumbering ------------------------------------------------------------------ */

void stack_distance_renumber_begin(struct stack_renumbering *renumbering,
                                   struct stack_distance *engine, uint32_t room)
{
    uint32_t n_words = engine->capacity / 64;
    *renumbering = (struct stack_renumbering){.engine = engine, .room = room};
    renumbering->below = memory_alloc(n_words * sizeof *renumbering->below);
    /* Lines below the floor are gone: their bits must not be counted. */
    memset(engine->bits, 0, (engine->floor >> 6) * sizeof *engine->bits);
    if (engine->floor & 63)
        engine->bits[engine->floor >> 6] &= UINT64_MAX << (engine->floor & 63);
    uint32_t total = 0;
    for (uint32_t w = 0; w < n_words; w++) {
        renumbering->below[w] = total;
        total += bits_count(engine->bits[w]);
    }
}

uint32_t stack_distance_renumber(const struct stack_renumbering *renumbering, uint32_t slot)
{
    const struct stack_distance *engine = renumbering->engine;
    if (slot < engine->floor)
        return 0;
    uint64_t under = engine->bits[slot >> 6] & ((1ULL << (slot & 63)) - 1);
    return 1 + renumbering->below[slot >> 6] + bits_count(under);
}

/* The holes, at their new numbers. */
static uint64_t *holes_renumbered(const struct stack_renumbering *renumbering, uint64_t capacity)
{
    const struct stack_distance *engine = renumbering->engine;
    uint64_t *holes = memory_zero(capacity / 64, sizeof *holes);
    for (uint32_t hole = engine->top_hole; hole; hole = hole_below(engine, hole - 1)) {
        uint32_t slot = stack_distance_renumber(renumbering, hole);
        holes[slot >> 6] |= 1ULL << (slot & 63);
    }
    return holes;
}

void stack_distance_renumber_end(struct stack_renumbering *renumbering)
{
    struct stack_distance *engine = renumbering->engine;
    uint64_t unit = 1ULL << SLOTS_LARGE_SHIFT;
    uint64_t wanted = (1 + (uint64_t)engine->live + renumbering->room + unit - 1) / unit * unit;
    uint64_t capacity = wanted > engine->capacity ? wanted : engine->capacity;
    uint32_t live = engine->live, top_hole = engine->top_hole;
    capacity = capacity < SLOTS_MOST ? capacity : SLOTS_MOST;
    uint64_t *holes = engine->holes ? holes_renumbered(renumbering, capacity) : NULL;
    if (top_hole)
        top_hole = stack_distance_renumber(renumbering, top_hole);
    free(renumbering->below);
    engine_release(engine);
    engine_allocate(engine, capacity);
    engine->holes = holes;
    engine->top_hole = top_hole;
    engine->floor = 1;
    engine->live = live;
    for (engine->now = 1; engine->now <= live; engine->now++)
        stack_distance_set(engine, engine->now);
}
