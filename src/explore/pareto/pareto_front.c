/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The streaming front: sieve, buffer, settled front. */
#include "explore/pareto/pareto_front.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "explore/pareto/pareto_order.h"
#include "explore/pareto/pareto_sieve.h"

enum {
    FRONT_WAITING = 256,    /* points buffered at least before they are sorted in */
    FRONT_SAMPLE = 256,     /* recent points by which the sieve's members are chosen */
    FRONT_CANDIDATES = 512, /* members of the front considered for the sieve */
    FRONT_MISSES = 128,     /* points past the sieve per candidate before it is chosen anew */
};

/* Points, all minimised, -0.0 made 0.0. */
struct front_points {
    double *keys[PARETO_OBJECTIVES_MAX];
    uint64_t *ids;
    size_t count, capacity;
};

struct pareto_front {
    int objectives;
    enum pareto_ties ties;
    struct front_points settled; /* the front of all but the waiting, in order */
    struct front_points waiting;
    struct pareto_sieve sieve;
    pareto_sieve_function *sieve_function;
    double sample[PARETO_OBJECTIVES_MAX][FRONT_SAMPLE];
    uint64_t sampled;          /* points put into the sample, as into a ring */
    uint64_t misses, patience; /* dominated points past the sieve; how many lead to a new one */
};

pareto_sieve_function *pareto_sieve_pick(void)
{
    return SIMD_BEST(pareto_sieve_base, pareto_sieve_v3, pareto_sieve_v4);
}

static void points_reserve(struct front_points *points, int objectives, size_t more)
{
    if (points->count + more <= points->capacity)
        return;
    size_t capacity = points->count + more + points->capacity / 2;
    for (int j = 0; j < objectives; j++)
        points->keys[j] = memory_resize(points->keys[j], capacity, sizeof *points->keys[j]);
    points->ids = memory_resize(points->ids, capacity, sizeof *points->ids);
    points->capacity = capacity;
}

static void points_append(struct front_points *points, int objectives,
                          const struct front_points *from, size_t index)
{
    points_reserve(points, objectives, 1);
    for (int j = 0; j < objectives; j++)
        points->keys[j][points->count] = from->keys[j][index];
    points->ids[points->count++] = from->ids[index];
}

static void points_free(struct front_points *points)
{
    for (int j = 0; j < PARETO_OBJECTIVES_MAX; j++)
        free(points->keys[j]);
    free(points->ids);
    *points = (struct front_points){0};
}

struct pareto_front *pareto_front_create(int objectives, const enum pareto_sense *senses,
                                         enum pareto_ties ties)
{
    struct pareto_front *front = memory_zero(1, sizeof *front);
    front->objectives = objectives;
    front->ties = ties;
    front->sieve.objectives = objectives;
    front->sieve_function = pareto_sieve_pick();
    for (int j = 0; j < objectives; j++)
        front->sieve.sign[j] = senses[j] == PARETO_MAXIMISE ? -1.0 : 1.0;
    return front;
}

void pareto_front_destroy(struct pareto_front *front)
{
    if (!front)
        return;
    points_free(&front->settled);
    points_free(&front->waiting);
    free(front);
}

/* Bit s of mask: whether the candidate dominates sample point s. */
static void sample_dominated(const struct pareto_front *front, size_t candidate, size_t samples,
                             uint64_t mask[FRONT_SAMPLE / 64])
{
    memset(mask, 0, FRONT_SAMPLE / 8);
    for (size_t s = 0; s < samples; s++) {
        bool no_worse = true, better = false;
        for (int j = 0; j < front->objectives; j++) {
            double key = front->settled.keys[j][candidate];
            no_worse &= key <= front->sample[j][s];
            better |= key < front->sample[j][s];
        }
        mask[s / 64] |= (uint64_t)(no_worse && better) << s % 64;
    }
}

static int sample_gain(const uint64_t *mask, const uint64_t *covered)
{
    int gain = 0;
    for (int w = 0; w < FRONT_SAMPLE / 64; w++)
        gain += __builtin_popcountll(mask[w] & ~covered[w]);
    return gain;
}

/* Members for the sieve: again and again the one that dominates most of the
 * recent points that the others do not. The choice affects speed alone. */
static void front_choose_sieve(struct pareto_front *front)
{
    size_t count = front->settled.count;
    size_t candidates = count < FRONT_CANDIDATES ? count : FRONT_CANDIDATES;
    size_t samples = front->sampled < FRONT_SAMPLE ? (size_t)front->sampled : FRONT_SAMPLE;
    uint64_t(*masks)[FRONT_SAMPLE / 64] = memory_alloc((candidates + 1) * sizeof *masks);
    bool *chosen = memory_zero(candidates, sizeof *chosen);
    uint64_t covered[FRONT_SAMPLE / 64] = {0};
    for (size_t c = 0; c < candidates; c++)
        sample_dominated(front, c * count / candidates, samples, masks[c]);
    for (int round = 0; round < SIEVE_MEMBERS; round++) {
        size_t best = 0;
        int most = 0;
        for (size_t c = 0; c < candidates; c++) {
            int gain = sample_gain(masks[c], covered);
            if (gain > most) {
                most = gain;
                best = c;
            }
        }
        if (most == 0)
            break;
        chosen[best] = true;
        for (int w = 0; w < FRONT_SAMPLE / 64; w++)
            covered[w] |= masks[best][w];
    }
    front->sieve.count = 0;
    for (size_t c = 0; c < candidates; c++) {
        if (!chosen[c])
            continue;
        for (int j = 0; j < front->objectives; j++)
            front->sieve.members[j][front->sieve.count] =
                front->settled.keys[j][c * count / candidates];
        front->sieve.count++;
    }
    front->misses = 0;
    front->patience = FRONT_MISSES * (candidates + 8);
    free(chosen);
    free(masks);
}

/* Sorts the waiting points into the front. */
static void front_settle(struct pareto_front *front)
{
    int objectives = front->objectives;
    struct front_points all = front->settled;
    if (front->waiting.count == 0)
        return;
    points_reserve(&all, objectives, front->waiting.count);
    for (size_t i = 0; i < front->waiting.count; i++)
        points_append(&all, objectives, &front->waiting, i);
    front->waiting.count = 0;
    front->settled = (struct front_points){0};

    struct pareto_order order;
    pareto_order_init(&order, (const double *const *)all.keys, objectives, all.ids, all.count);
    bool *on_front = memory_alloc(order.groups * sizeof *on_front);
    pareto_order_front(&order, (const double *const *)all.keys, objectives, on_front);
    for (size_t g = 0; g < order.groups; g++) {
        size_t from = order.first[g], to = order.first[g + 1];
        if (!on_front[g])
            continue;
        points_append(&front->settled, objectives, &all, order.order[from]);
        for (size_t i = from + 1; front->ties == PARETO_KEEP_TIES && i < to; i++)
            if (all.ids[order.order[i]] != all.ids[order.order[i - 1]])
                points_append(&front->settled, objectives, &all, order.order[i]);
    }
    free(on_front);
    pareto_order_fini(&order);
    points_free(&all);
    front_choose_sieve(front);
}

/* Whether the settled front makes a point superfluous: exact for two
 * objectives (binary search), "no" for others. */
static bool front_rejects(const struct pareto_front *front, double x, double y, uint64_t id)
{
    const double *xs = front->settled.keys[0], *ys = front->settled.keys[1];
    size_t below = 0; /* how many settled points are <= in x; no branch depends on them */
    for (size_t left = front->settled.count; left > 0;) {
        size_t half = (left + 1) / 2;
        below += xs[below + half - 1] <= x ? half : 0;
        left -= half;
    }
    if (below == 0)
        return false;
    double step_x = xs[below - 1], step_y = ys[below - 1];
    if (step_y != y || step_x != x)
        return step_y <= y;
    return front->ties == PARETO_KEEP_FIRST && front->settled.ids[below - 1] <= id;
}

static void front_take(struct pareto_front *front, const double *key, uint64_t id)
{
    if (front->objectives == 2 && front_rejects(front, key[0], key[1], id)) {
        if (++front->misses >= front->patience)
            front_choose_sieve(front);
        return;
    }
    struct front_points *waiting = &front->waiting;
    points_reserve(waiting, front->objectives, 1);
    for (int j = 0; j < front->objectives; j++)
        waiting->keys[j][waiting->count] = key[j];
    waiting->ids[waiting->count++] = id;
    size_t room = front->settled.count > FRONT_WAITING ? front->settled.count : FRONT_WAITING;
    if (waiting->count >= room)
        front_settle(front);
}

/* All points at first, then one of each block. */
static void front_sample(struct pareto_front *front, double (*keys)[SIEVE_BLOCK], size_t count)
{
    size_t from = 0, to = count;
    if (front->sampled >= FRONT_SAMPLE) {
        from = front->sampled % count;
        to = from + 1;
    }
    for (size_t i = from; i < to; i++, front->sampled++)
        for (int j = 0; j < front->objectives; j++)
            front->sample[j][front->sampled % FRONT_SAMPLE] = keys[j][i];
}

int pareto_front_offer(struct pareto_front *front, const double *const *columns,
                       const uint64_t *ids, uint64_t first_id, size_t count, struct error *error)
{
    double keys[PARETO_OBJECTIVES_MAX][SIEVE_BLOCK];
    unsigned char left[SIEVE_BLOCK];
    for (size_t from = 0; from < count; from += SIEVE_BLOCK) {
        if (interrupt_requested())
            return interrupt_check(error);
        size_t block = count - from < SIEVE_BLOCK ? count - from : SIEVE_BLOCK;
        size_t found = front->sieve_function(&front->sieve, columns, from, block, keys, left);
        front_sample(front, keys, block);
        for (size_t i = 0; i < found; i++) {
            size_t at = left[i];
            uint64_t id = ids ? ids[from + at] : first_id + from + at;
            double key[PARETO_OBJECTIVES_MAX];
            for (int j = 0; j < front->objectives; j++) {
                key[j] = keys[j][at] + 0.0; /* -0.0 becomes 0.0 */
                if (!isfinite(key[j]))
                    return pareto_refuse(key[j], j, id, error);
            }
            front_take(front, key, id);
        }
    }
    return 0;
}

void pareto_front_merge(struct pareto_front *front, struct pareto_front *other)
{
    size_t count = pareto_front_count(other);
    for (size_t i = 0; i < count; i++) {
        double key[PARETO_OBJECTIVES_MAX];
        for (int j = 0; j < front->objectives; j++)
            key[j] = other->settled.keys[j][i];
        front_take(front, key, other->settled.ids[i]);
    }
}

size_t pareto_front_count(struct pareto_front *front)
{
    front_settle(front);
    return front->settled.count;
}

uint64_t pareto_front_id(const struct pareto_front *front, size_t point)
{
    return front->settled.ids[point];
}

double pareto_front_value(const struct pareto_front *front, size_t point, int objective)
{
    return front->settled.keys[objective][point] * front->sieve.sign[objective] + 0.0;
}
