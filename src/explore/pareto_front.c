/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The streaming front: guards, buffer, settled front. */
#include "explore/pareto_front.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "explore/pareto_order.h"

enum {
    FRONT_WAITING = 256, /* points buffered at least before they are sorted in */
    FRONT_GUARDS = 64,   /* members of the front that points are compared with first, */
    FRONT_GUARDS_2D = 4, /* and where the search that follows is exact */
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
    double sign[PARETO_OBJECTIVES_MAX];                 /* -1 where the objective is maximised */
    double guards[FRONT_GUARDS][PARETO_OBJECTIVES_MAX]; /* what dominated the latest points first */
    size_t n_guards;
};

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
    for (int j = 0; j < objectives; j++)
        front->sign[j] = senses[j] == PARETO_MAXIMISE ? -1.0 : 1.0;
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

/* Guards: at first members of the front, spread evenly over it. The choice affects speed alone. */
static void front_choose_guards(struct pareto_front *front)
{
    size_t count = front->settled.count;
    size_t most = front->objectives == 2 ? FRONT_GUARDS_2D : FRONT_GUARDS;
    front->n_guards = count < most ? count : most;
    for (size_t k = 0; k < front->n_guards; k++)
        for (int j = 0; j < front->objectives; j++)
            front->guards[k][j] = front->settled.keys[j][k * count / front->n_guards];
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
    front_choose_guards(front);
}

/* Brings what dominated a point half-way to where it is asked first. */
static void guard_promote(struct pareto_front *front, size_t at)
{
    double guard[PARETO_OBJECTIVES_MAX];
    size_t size = sizeof *guard * (size_t)front->objectives;
    memcpy(guard, front->guards[at], size);
    memcpy(front->guards[at], front->guards[at / 2], size);
    memcpy(front->guards[at / 2], guard, size);
}

static bool guard_rejects(struct pareto_front *front, const double *key)
{
    for (size_t k = 0; k < front->n_guards; k++) {
        const double *guard = front->guards[k];
        bool no_worse = true, better = false;
        for (int j = 0; j < front->objectives; j++) {
            no_worse &= guard[j] <= key[j];
            better |= guard[j] < key[j];
        }
        if (no_worse && better) {
            if (k > 0)
                guard_promote(front, k);
            return true;
        }
    }
    return false;
}

/* What waits dominates as well: its neighbours, perhaps. Such are the later half of the guards. */
static void guard_replace(struct pareto_front *front, const double *key)
{
    size_t half = front->n_guards / 2;
    size_t at = half + front->waiting.count % (front->n_guards - half);
    memcpy(front->guards[at], key, (size_t)front->objectives * sizeof *key);
}

/* Whether the settled front makes a point superfluous: exact for two
 * objectives (binary search), "no" for others. */
static bool front_rejects(struct pareto_front *front, const double *key, uint64_t id)
{
    const double *xs = front->settled.keys[0], *ys = front->settled.keys[1], x = key[0], y = key[1];
    size_t below = 0; /* how many settled points are <= in x; no branch depends on them */
    for (size_t left = front->settled.count; left > 0;) {
        size_t half = (left + 1) / 2;
        below += xs[below + half - 1] <= x ? half : 0;
        left -= half;
    }
    if (below == 0)
        return false;
    double step[] = {xs[below - 1], ys[below - 1]};
    if (step[1] != y || step[0] != x)
        return step[1] <= y;
    return front->ties == PARETO_KEEP_FIRST && front->settled.ids[below - 1] <= id;
}

static void front_take(struct pareto_front *front, const double *key, uint64_t id)
{
    if (front->objectives == 2 && front_rejects(front, key, id))
        return;
    struct front_points *waiting = &front->waiting;
    points_reserve(waiting, front->objectives, 1);
    for (int j = 0; j < front->objectives; j++)
        waiting->keys[j][waiting->count] = key[j];
    waiting->ids[waiting->count++] = id;
    if (front->objectives > 2 && front->n_guards > 0)
        guard_replace(front, key);
    size_t room = front->settled.count > FRONT_WAITING ? front->settled.count : FRONT_WAITING;
    if (waiting->count >= room)
        front_settle(front);
}

int pareto_front_offer(struct pareto_front *front, const double *const *columns,
                       const uint64_t *ids, uint64_t first_id, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        double key[PARETO_OBJECTIVES_MAX];
        for (int j = 0; j < front->objectives; j++) {
            key[j] = columns[j][i] * front->sign[j] + 0.0; /* -0.0 becomes 0.0 */
            if (!isfinite(key[j]))
                return pareto_refuse(key[j], j, ids ? ids[i] : first_id + i, error);
        }
        if (i % 64 == 0 && interrupt_requested())
            return interrupt_check(error);
        if (!guard_rejects(front, key))
            front_take(front, key, ids ? ids[i] : first_id + i);
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
