/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiled once per instruction set: plain loops over a block, without branches, that the compiler
 * vectorises. */
#include <float.h>
#include <math.h>

#include "core/simd.h"
#include "explore/pareto/pareto_sieve.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

enum { LANES = SIEVE_LANES };

/* The ends of a column of the block. What is not finite leaves a number that is not 0 in *off. */
static void find_ends(const double *restrict key, double *best, double *worst, double *off)
{
    double low[LANES], high[LANES], sums[LANES] = {0};
    for (int k = 0; k < LANES; k++)
        low[k] = high[k] = key[k];
    for (int i = 0; i < SIEVE_BLOCK; i += LANES)
        SIMD_EACH(k, LANES)
        {
            double here = key[i + k];
            low[k] = here < low[k] ? here : low[k];
            high[k] = here > high[k] ? here : high[k];
            sums[k] += here * 0.0; /* NaN from then on */
        }
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int k = 0; k < width; k++) {
            low[k] = low[k + width] < low[k] ? low[k + width] : low[k];
            high[k] = high[k + width] > high[k] ? high[k + width] : high[k];
            sums[k] += sums[k + width];
        }
    *best = low[0];
    *worst = high[0];
    *off += sums[0];
}

static void block_load(struct pareto_block *block, const double *signs,
                       const double *const *columns, size_t from, size_t count)
{
    double off = 0;
    block->count = count;
    for (int j = 0; j < block->objectives; j++) {
        const double *restrict column = columns[j] + from;
        double *restrict key = block->keys[j], sign = signs[j];
        if (count == SIEVE_BLOCK)
            for (int i = 0; i < SIEVE_BLOCK; i++)
                key[i] = column[i] * sign;
        else
            for (size_t i = 0; i < SIEVE_BLOCK; i++)
                key[i] = column[i < count ? i : 0] * sign;
        find_ends(key, &block->best[j], &block->worst[j], &off);
    }
    block->finite = off == 0;
}

/* One objective of a run; what is not finite leaves a number that is not 0 in off. */
INLINE void look_at(const double *restrict column, double sign, double (*restrict lanes)[LANES],
                    double *restrict off)
{
    double low[SIEVE_RUN][LANES], sums[SIEVE_RUN][LANES] = {{0}};
    for (int b = 0; b < SIEVE_RUN; b++)
        SIMD_EACH(k, LANES)
    low[b][k] = column[b * SIEVE_BLOCK + k] * sign;
    for (int i = 0; i < SIEVE_BLOCK; i += LANES)
        for (int b = 0; b < SIEVE_RUN; b++) /* side by side: none waits for another one */
            SIMD_EACH(k, LANES)
            {
                double here = column[b * SIEVE_BLOCK + i + k] * sign;
                low[b][k] = here < low[b][k] ? here : low[b][k];
                sums[b][k] += here * 0.0; /* NaN from then on */
            }
    for (int b = 0; b < SIEVE_RUN; b++)
        SIMD_EACH(k, LANES)
        {
            lanes[b][k] = low[b][k];
            off[k] += sums[b][k];
        }
}

static bool run_look(struct pareto_run *run, const double *signs, const double *const *columns,
                     int objectives, size_t from)
{
    double off[LANES] = {0}, any = 0;
    for (int j = 0; j < objectives; j++) {
        double(*restrict lanes)[LANES] = run->lanes[j], best[LANES];
        look_at(columns[j] + from, signs[j], lanes, off);
        SIMD_EACH(k, LANES)
        {
            double low = lanes[0][k];
            for (int b = 1; b < SIEVE_RUN; b++)
                low = lanes[b][k] < low ? lanes[b][k] : low;
            best[k] = low;
        }
        run->best[j] = best[0];
        for (int k = 1; k < LANES; k++)
            run->best[j] = best[k] < run->best[j] ? best[k] : run->best[j];
    }
    for (int k = 0; k < LANES; k++)
        any += off[k];
    return any == 0;
}

static bool sieve_covers(const struct pareto_sieve *sieve, const double *bests, int objectives)
{
    int64_t no_worse[SIEVE_MEMBERS], better[SIEVE_MEMBERS], any = 0;
    for (int k = 0; k < SIEVE_MEMBERS; k++) {
        no_worse[k] = k < (int)sieve->count;
        better[k] = 0;
    }
    for (int j = 0; j < objectives; j++) {
        const double *restrict member = sieve->members[j];
        double best = bests[j];
        for (int k = 0; k < SIEVE_MEMBERS; k++) {
            no_worse[k] &= member[k] <= best;
            better[k] |= member[k] < best;
        }
    }
    for (int k = 0; k < SIEVE_MEMBERS; k++)
        any |= no_worse[k] & better[k];
    return any;
}

/* Members that are no worse than the worst corner of the block; no other one dominates any of its
 * points. */
static int find_useful(const struct pareto_sieve *sieve, const struct pareto_block *block,
                       int *useful)
{
    int64_t no_worse[SIEVE_MEMBERS];
    int count = 0;
    for (int k = 0; k < SIEVE_MEMBERS; k++)
        no_worse[k] = k < (int)sieve->count;
    for (int j = 0; j < block->objectives; j++) {
        const double *restrict member = sieve->members[j];
        double worst = block->worst[j];
        for (int k = 0; k < SIEVE_MEMBERS; k++)
            no_worse[k] &= member[k] <= worst;
    }
    for (int k = 0; k < (int)sieve->count; k++) {
        useful[count] = k;
        count += no_worse[k] != 0;
    }
    return count;
}

/* Members ascend in objective 0 and descend in objective 1, so the last one that is <= in 0 says
 * whether the point is dominated: three operations a member. alive[i] becomes 0 for the
 * dominated. */
static void pass_2d(const struct pareto_sieve *sieve, const struct pareto_block *block,
                    int64_t *restrict alive)
{
    const double *restrict x = block->keys[0], *restrict y = block->keys[1];
    double step_x[SIEVE_BLOCK], step_y[SIEVE_BLOCK];
    for (int i = 0; i < SIEVE_BLOCK; i++)
        step_x[i] = step_y[i] = HUGE_VAL;
    for (size_t k = 0; k < sieve->count; k++) {
        double member_x = sieve->members[0][k], member_y = sieve->members[1][k];
        for (int i = 0; i < SIEVE_BLOCK; i++) {
            step_y[i] = x[i] >= member_x ? member_y : step_y[i];
            step_x[i] = x[i] >= member_x ? member_x : step_x[i];
        }
    }
    for (int i = 0; i < SIEVE_BLOCK; i++)
        alive[i] = !((y[i] > step_y[i]) | ((y[i] == step_y[i]) & (x[i] > step_x[i])));
}

static void pass_any(const struct pareto_sieve *sieve, const struct pareto_block *block,
                     int64_t *restrict alive)
{
    int64_t no_worse[SIEVE_BLOCK], better[SIEVE_BLOCK], any = 1;
    int useful[SIEVE_MEMBERS + 1], count = find_useful(sieve, block, useful);
    for (int i = 0; i < SIEVE_BLOCK; i++)
        alive[i] = 1;
    for (int u = 0; u < count && any; u++) {
        for (int i = 0; i < SIEVE_BLOCK; i++) {
            no_worse[i] = 1;
            better[i] = 0;
        }
        for (int j = 0; j < block->objectives; j++) {
            const double *restrict key = block->keys[j];
            double member = sieve->members[j][useful[u]];
            for (int i = 0; i < SIEVE_BLOCK; i++) {
                no_worse[i] &= member <= key[i];
                better[i] |= member < key[i];
            }
        }
        any = 0;
        for (int i = 0; i < SIEVE_BLOCK; i++) {
            alive[i] &= !(no_worse[i] & better[i]);
            any |= alive[i];
        }
    }
}

static size_t sieve_pass(const struct pareto_sieve *sieve, const struct pareto_block *block,
                         unsigned char *left)
{
    int64_t alive[SIEVE_BLOCK];
    size_t found = 0;
    if (block->objectives == 2)
        pass_2d(sieve, block, alive);
    else
        pass_any(sieve, block, alive);
    for (size_t group = 0; group < block->count; group += LANES) {
        int64_t any = 0;
        for (size_t i = group; i < group + LANES; i++)
            any |= alive[i];
        for (size_t i = group; any && i < group + LANES && i < block->count; i++) {
            left[found] = (unsigned char)i;
            found += alive[i] != 0;
        }
    }
    return found;
}

static uint64_t block_mark(const struct pareto_block *block, const double *key)
{
    int64_t no_worse[SIEVE_BLOCK], better[SIEVE_BLOCK];
    uint64_t mask = 0;
    for (int i = 0; i < SIEVE_BLOCK; i++) {
        no_worse[i] = i < (int)block->count;
        better[i] = 0;
    }
    for (int j = 0; j < block->objectives; j++) {
        const double *restrict keys = block->keys[j];
        double here = key[j];
        for (int i = 0; i < SIEVE_BLOCK; i++) {
            no_worse[i] &= here <= keys[i];
            better[i] |= here < keys[i];
        }
    }
    for (int i = 0; i < SIEVE_BLOCK; i++)
        mask |= (uint64_t)(no_worse[i] & better[i]) << i;
    return mask;
}

static int masks_gain(const uint64_t *masks, const uint64_t *covered, int n)
{
    int gain = 0;
    for (int w = 0; w < n; w++)
        gain += __builtin_popcountll(masks[w] & ~covered[w]);
    return gain;
}

extern const struct pareto_sieve_kernels JOIN(pareto_sieve_, SIMD_LEVEL);
const struct pareto_sieve_kernels JOIN(pareto_sieve_, SIMD_LEVEL) = {
    .name = TEXT(SIMD_LEVEL),
    .load = block_load,
    .look = run_look,
    .covers = sieve_covers,
    .pass = sieve_pass,
    .mark = block_mark,
    .gain = masks_gain,
};
