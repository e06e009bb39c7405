/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The streaming front: sieve, buffer, settled front. */
#include "explore/pareto/pareto_front.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/prefetch.h"
#include "explore/pareto/pareto_order.h"
#include "explore/pareto/pareto_sieve.h"

enum {
    FRONT_WAITING = 256,    /* points buffered at least before they are sorted in */
    FRONT_TIMES = 3,        /* as many as its points, too: to sort some in goes over all of it */
    FRONT_AHEAD = 16,       /* points ahead of which one is asked for */
    FRONT_SAMPLE = 4,       /* blocks of recent points by which the sieve's members are chosen */
    FRONT_CANDIDATES = 512, /* members of the front considered for the sieve */
    FRONT_OPEN = 1,         /* blocks of a run that a look leaves, at most, if it was worth it */
    FRONT_PAUSE = 31,       /* runs that are not looked at as a whole, at most */
    FRONT_STEPS = 16,       /* of a staircase in the sieve: more cost more than they leave out */
};

/* Points, all minimised, -0.0 made 0.0. */
struct front_points {
    double *keys[PARETO_OBJECTIVES_MAX];
    uint64_t *ids;
    size_t count, capacity;
};

/* With two objectives a front is a staircase: what of it could dominate points of a block is a
 * range, found by bisection, and the sieve is made of that for every block. With others it is made
 * of members that dominate most of a sample, whenever the front has changed. */
struct pareto_front {
    int objectives;
    enum pareto_ties ties;
    double sign[PARETO_OBJECTIVES_MAX]; /* -1 where the objective is maximised */
    struct front_points points;         /* the settled, and the waiting behind them */
    size_t settled;                     /* the front of all but the waiting, in order */
    struct front_points spare;
    struct pareto_sieve sieve;
    const struct pareto_sieve_kernels *kernels;
    struct pareto_block block, sample[FRONT_SAMPLE];
    uint64_t sampled; /* points put into the sample, as into a ring */
    size_t step;      /* of the staircase: what dominated points last; neighbours often are too */
    unsigned pause;   /* runs that are not looked at as a whole after looks in vain, */
    unsigned paused;  /* of which so many are to come */
};

static void points_reserve(struct front_points *points, int objectives, size_t more)
{
    if (points->count + more <= points->capacity)
        return;
    size_t capacity = points->count + more + points->capacity / 2;
    for (int j = 0; j < objectives; j++) {
        points->keys[j] = memory_resize(points->keys[j], capacity, sizeof *points->keys[j]);
        memory_advise_large(points->keys[j], capacity * sizeof *points->keys[j]);
    }
    points->ids = memory_resize(points->ids, capacity, sizeof *points->ids);
    memory_advise_large(points->ids, capacity * sizeof *points->ids);
    points->capacity = capacity;
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
    front->kernels = pareto_sieve_kernels_get();
    front->block.objectives = objectives;
    for (int b = 0; b < FRONT_SAMPLE; b++)
        front->sample[b].objectives = objectives;
    for (int j = 0; j < objectives; j++)
        front->sign[j] = senses[j] == PARETO_MAXIMISE ? -1.0 : 1.0;
    return front;
}

void pareto_front_destroy(struct pareto_front *front)
{
    if (!front)
        return;
    points_free(&front->points);
    points_free(&front->spare);
    free(front);
}

/* --- the sieve ------------------------------------------------------------------ */

/* All points of a block at first, then one. */
static void front_sample(struct pareto_front *front)
{
    const struct pareto_block *block = &front->block;
    uint64_t all = FRONT_SAMPLE * SIEVE_BLOCK;
    size_t from = 0, to = block->count;
    if (front->sampled >= all) {
        from = front->sampled % block->count;
        to = from + 1;
    }
    for (size_t i = from; i < to; i++, front->sampled++) {
        struct pareto_block *sample = &front->sample[front->sampled % all / SIEVE_BLOCK];
        for (int j = 0; j < front->objectives; j++)
            sample->keys[j][front->sampled % SIEVE_BLOCK] = block->keys[j][i];
        sample->count += sample->count < SIEVE_BLOCK;
    }
}

/* Adds a member of the front to the sieve; in ascending order of objective 0. */
static void sieve_add(struct pareto_front *front, size_t member)
{
    struct pareto_sieve *sieve = &front->sieve;
    for (int j = 0; j < front->objectives; j++)
        sieve->members[j][sieve->count] = front->points.keys[j][member];
    sieve->count++;
}

/* Members for the sieve: again and again the one that dominates most of the recent points that the
 * others do not. What one adds becomes less and less, so that one that once added less than the
 * best so far need not be looked at. The choice affects speed alone. */
static void sieve_learn(struct pareto_front *front)
{
    const struct pareto_sieve_kernels *kernels = front->kernels;
    size_t count = front->settled;
    size_t candidates = count < FRONT_CANDIDATES ? count : FRONT_CANDIDATES;
    uint64_t masks[FRONT_CANDIDATES][FRONT_SAMPLE], covered[FRONT_SAMPLE] = {0};
    int gains[FRONT_CANDIDATES];
    for (size_t c = 0; c < candidates; c++) {
        double key[PARETO_OBJECTIVES_MAX];
        for (int j = 0; j < front->objectives; j++)
            key[j] = front->points.keys[j][c * count / candidates];
        for (int b = 0; b < FRONT_SAMPLE; b++)
            masks[c][b] = kernels->mark(&front->sample[b], key);
        gains[c] = FRONT_SAMPLE * SIEVE_BLOCK;
    }
    front->sieve.count = 0;
    while (front->sieve.count < SIEVE_MEMBERS) {
        size_t best = 0;
        int most = 0;
        for (size_t c = 0; c < candidates; c++) {
            if (gains[c] <= most)
                continue;
            gains[c] = kernels->gain(masks[c], covered, FRONT_SAMPLE);
            best = gains[c] > most ? c : best;
            most = gains[c] > most ? gains[c] : most;
        }
        if (most == 0)
            break;
        sieve_add(front, best * count / candidates);
        for (int b = 0; b < FRONT_SAMPLE; b++)
            covered[b] |= masks[best][b];
    }
}

/* How many of n descending numbers are above y; no branch depends on them. */
static size_t count_above(const double *numbers, size_t n, double y)
{
    size_t above = 0;
    for (size_t left = n; left > 0;) {
        size_t half = (left + 1) / 2;
        above += numbers[above + half - 1] > y ? half : 0;
        left -= half;
    }
    return above;
}

/* Of two objectives: whether a step of the staircase dominates the point. */
static bool step_covers(const struct pareto_front *front, size_t step, const double *best)
{
    double x = front->points.keys[0][step], y = front->points.keys[1][step];
    return x <= best[0] && (y < best[1] || (y == best[1] && x < best[0]));
}

static bool stairs_cover(struct pareto_front *front, const double *best)
{
    size_t n = front->settled;
    if (front->step < n && step_covers(front, front->step, best))
        return true;
    size_t from = n ? pareto_count_at_most(front->points.keys[0], n, best[0]) : 0;
    if (from == 0 || !step_covers(front, from - 1, best))
        return false;
    front->step = from - 1;
    return true;
}

/* Whether the front is known to dominate the best of each objective of some points. */
static bool front_covers(struct pareto_front *front, const double *best)
{
    return front->objectives == 2 ? stairs_cover(front, best)
                                  : front->kernels->covers(&front->sieve, best, front->objectives);
}

/* Of two objectives: the sieve becomes the staircase's steps from the last one that is no worse
 * than all points of the block in x, or the first that is no worse than the worst of them in y, up
 * to the last one that is no worse than any of them in x. */
static void stairs_sieve(struct pareto_front *front)
{
    const struct pareto_block *block = &front->block;
    const double *xs = front->points.keys[0], *ys = front->points.keys[1];
    size_t n = front->settled;
    front->sieve.count = 0;
    if (n == 0) /* nor have its columns memory */
        return;
    size_t from = pareto_count_at_most(xs, n, block->best[0]);
    from -= from > 0;
    size_t to = from + pareto_count_at_most(xs + from, n - from, block->worst[0]);
    from += count_above(ys + from, to - from, block->worst[1]);
    size_t members = to - from < FRONT_STEPS ? to - from : FRONT_STEPS;
    for (size_t k = 0; k < members; k++)
        sieve_add(front, from + k * (to - from) / members);
}

/* --- the settled front ------------------------------------------------------------ */

static bool points_before(const struct front_points *points, size_t i, size_t k, int objectives)
{
    for (int j = 0; j < objectives; j++)
        if (points->keys[j][i] != points->keys[j][k])
            return points->keys[j][i] < points->keys[j][k];
    return points->ids[i] <= points->ids[k];
}

static bool points_equal(const struct front_points *points, size_t i, size_t k, int objectives)
{
    for (int j = 0; j < objectives; j++)
        if (points->keys[j][i] != points->keys[j][k])
            return false;
    return true;
}

static void order_add(struct pareto_order *order, size_t *count, const struct pareto_front *front,
                      size_t at)
{
    if (*count == 0 ||
        !points_equal(&front->points, order->order[*count - 1], at, front->objectives))
        order->first[order->groups++] = (uint32_t)*count;
    order->order[(*count)++] = (uint32_t)at;
}

/* The settled and the waiting in one order. */
static void front_collate(const struct pareto_front *front, struct pareto_order *all)
{
    const struct front_points *points = &front->points;
    const double *keys[PARETO_OBJECTIVES_MAX];
    size_t next = 0, count = 0, settled = front->settled, waiting = points->count - settled;
    struct pareto_order order;
    for (int j = 0; j < front->objectives; j++)
        keys[j] = points->keys[j] + settled;
    pareto_order_init(&order, keys, front->objectives, points->ids + settled, waiting);
    *all = (struct pareto_order){memory_filled(points->count, sizeof *all->order),
                                 memory_filled(points->count + 1, sizeof *all->first), 0};
    for (size_t i = 0; i < waiting; i++) {
        size_t at = settled + order.order[i];
        if (i + FRONT_AHEAD < waiting)
            prefetch_read(&points->keys[0][settled + order.order[i + FRONT_AHEAD]]);
        while (next < settled && points_before(points, next, at, front->objectives))
            order_add(all, &count, front, next++);
        order_add(all, &count, front, at);
    }
    while (next < settled)
        order_add(all, &count, front, next++);
    all->first[all->groups] = (uint32_t)count;
    pareto_order_fini(&order);
}

/* Leaves in order->order those that stay of the groups on the front; returns how many. */
static size_t front_choose(const struct pareto_front *front, struct pareto_order *order,
                           const bool *on_front)
{
    const uint64_t *ids = front->points.ids;
    size_t kept = 0;
    for (size_t g = 0; g < order->groups; g++) {
        size_t from = order->first[g], to = order->first[g + 1];
        if (!on_front[g])
            continue;
        to = front->ties == PARETO_KEEP_TIES ? to : from + 1;
        for (size_t i = from; i < to; i++)
            if (i == from || ids[order->order[i]] != ids[order->order[kept - 1]])
                order->order[kept++] = order->order[i];
    }
    return kept;
}

/* Takes the waiting points into the front. */
static void front_settle(struct pareto_front *front)
{
    struct front_points *points = &front->points, *spare = &front->spare, to;
    struct pareto_order order;
    if (points->count == front->settled)
        return;
    front_collate(front, &order);
    bool *on_front = memory_alloc(order.groups * sizeof *on_front);
    pareto_order_front(&order, (const double *const *)points->keys, front->objectives, on_front);
    size_t kept = front_choose(front, &order, on_front);
    spare->count = 0;
    points_reserve(spare, front->objectives, points->count);
    for (int j = 0; j < front->objectives; j++)
        for (size_t i = 0; i < kept; i++)
            spare->keys[j][i] = points->keys[j][order.order[i]];
    for (size_t i = 0; i < kept; i++)
        spare->ids[i] = points->ids[order.order[i]];
    free(on_front);
    pareto_order_fini(&order);
    to = *spare;
    *spare = *points;
    *points = to;
    points->count = front->settled = kept;
    if (front->objectives != 2)
        sieve_learn(front);
}

/* Of two objectives: whether a point that `below` settled ones are not behind in x is superfluous,
 * as one of them dominates it or is the same; exact. */
static bool stairs_reject(const struct pareto_front *front, size_t below, double x, double y,
                          uint64_t id)
{
    if (below == 0)
        return false;
    double step_x = front->points.keys[0][below - 1], step_y = front->points.keys[1][below - 1];
    if (step_y != y || step_x != x)
        return step_y <= y;
    return front->ties == PARETO_KEEP_FIRST && front->points.ids[below - 1] <= id;
}

static void front_take(struct pareto_front *front, const double *key, uint64_t id)
{
    struct front_points *points = &front->points;
    points_reserve(points, front->objectives, 1);
    for (int j = 0; j < front->objectives; j++)
        points->keys[j][points->count] = key[j];
    points->ids[points->count++] = id;
    size_t waiting = points->count - front->settled;
    if (waiting >= FRONT_WAITING && waiting / FRONT_TIMES >= front->settled)
        front_settle(front);
}

/* How many of n ascending numbers are at most each of the m first xs, all of which are looked for
 * side by side: they wait for memory together. */
static void count_each_at_most(const double *numbers, size_t n, const double *xs, size_t m,
                               size_t *below)
{
    memset(below, 0, m * sizeof *below);
    for (size_t left = n; left > 0;) {
        size_t half = (left + 1) / 2;
        const double *middle = numbers + half - 1;
        for (size_t i = 0; i < m; i++)
            below[i] += half & -(size_t)(middle[below[i]] <= xs[i]); /* no branch */
        left -= half;
    }
}

/* Leaves out what is superfluous of points left of the block; returns how many stay. */
static size_t stairs_leave(const struct pareto_front *front, const uint64_t *ids, uint64_t first_id,
                           unsigned char *left, size_t found)
{
    const struct pareto_block *block = &front->block;
    double xs[SIEVE_BLOCK];
    size_t below[SIEVE_BLOCK], stay = 0;
    for (size_t i = 0; i < found; i++)
        xs[i] = block->keys[0][left[i]];
    count_each_at_most(front->points.keys[0], front->settled, xs, found, below);
    for (size_t i = 0; i < found; i++) {
        unsigned char at = left[i];
        uint64_t id = first_id + (ids ? ids[at] : at);
        left[stay] = at;
        stay += !stairs_reject(front, below[i], xs[i], block->keys[1][at], id);
    }
    return stay;
}

/* The first number of the block that is not finite. */
static int block_refuse(const struct pareto_block *block, const uint64_t *ids, uint64_t first_id,
                        struct error *error)
{
    size_t i = 0;
    int j = 0;
    while (isfinite(block->keys[j][i])) {
        j = (j + 1) % block->objectives;
        i += j == 0;
    }
    return pareto_refuse(block->keys[j][i], j, first_id + (ids ? ids[i] : i), error);
}

/* The points from .. from + count - 1 of the columns, one block. */
static int offer_block(struct pareto_front *front, const double *const *columns,
                       const uint64_t *ids, uint64_t first_id, size_t from, size_t count,
                       struct error *error)
{
    struct pareto_block *block = &front->block;
    unsigned char left[SIEVE_BLOCK];
    front->kernels->load(block, front->sign, columns, from, count);
    if (ids)
        ids += from;
    else
        first_id += from;
    if (!block->finite)
        return block_refuse(block, ids, first_id, error);
    if (front->objectives != 2)
        front_sample(front);
    if (front_covers(front, block->best))
        return 0;
    if (front->objectives == 2)
        stairs_sieve(front);
    size_t found = front->kernels->pass(&front->sieve, block, left);
    if (front->objectives == 2)
        found = stairs_leave(front, ids, first_id, left, found);
    for (size_t i = 0; i < found; i++) {
        size_t at = left[i];
        double key[PARETO_OBJECTIVES_MAX];
        for (int j = 0; j < front->objectives; j++)
            key[j] = block->keys[j][at] + 0.0; /* -0.0 becomes 0.0 */
        front_take(front, key, first_id + (ids ? ids[at] : at));
    }
    return 0;
}

/* After looks in vain 1, 3, 7, ... runs go without. */
static void run_pause(struct pareto_front *front, bool in_vain)
{
    front->pause = in_vain ? 2 * front->pause + 1 : 0;
    front->pause = front->pause < FRONT_PAUSE ? front->pause : FRONT_PAUSE;
    front->paused = front->pause;
}

/* Which blocks of a run the front may lack points of, bit by bit. Where neighbours are no more
 * alike than others no run is covered, and looking at it is dear: it is done less and less. */
static unsigned run_open(struct pareto_front *front, const double *const *columns, size_t from)
{
    const unsigned all = (1U << SIEVE_RUN) - 1;
    struct pareto_run run;
    unsigned open = 0;
    if (front->paused > 0) {
        front->paused--;
        return all;
    }
    if (!front->kernels->look(&run, front->sign, columns, front->objectives, from))
        return all; /* a block of it says which point it is */
    if (front_covers(front, run.best)) {
        run_pause(front, false);
        return 0;
    }
    for (unsigned b = 0; b < SIEVE_RUN; b++) {
        for (int j = 0; j < front->objectives; j++) {
            const double *lanes = run.lanes[j][b];
            run.best[j] = lanes[0];
            for (int k = 1; k < SIEVE_LANES; k++)
                run.best[j] = lanes[k] < run.best[j] ? lanes[k] : run.best[j];
        }
        open |= front_covers(front, run.best) ? 0 : 1U << b;
    }
    run_pause(front, __builtin_popcount(open) > FRONT_OPEN);
    return open;
}

int pareto_front_offer(struct pareto_front *front, const double *const *columns,
                       const uint64_t *ids, uint64_t first_id, size_t count, struct error *error)
{
    enum { RUN = SIEVE_RUN * SIEVE_BLOCK };
    for (size_t to = 0; to < count;) {
        size_t from = to;
        to = count - from < RUN ? count : from + RUN;
        from = count >= RUN ? to - RUN : from; /* a whole one, though some were offered before */
        if (interrupt_requested())
            return interrupt_check(error);
        unsigned open = to - from == RUN ? run_open(front, columns, from) : ~0U;
        for (size_t at = from; open && at < to; at += SIEVE_BLOCK, open >>= 1) {
            size_t here = to - at < SIEVE_BLOCK ? to - at : SIEVE_BLOCK;
            int status = open & 1 ? offer_block(front, columns, ids, first_id, at, here, error) : 0;
            if (status)
                return status;
        }
    }
    return 0;
}

void pareto_front_merge(struct pareto_front *front, struct pareto_front *other)
{
    size_t count = pareto_front_count(other);
    for (size_t i = 0; i < count; i++) {
        double key[PARETO_OBJECTIVES_MAX];
        uint64_t id = other->points.ids[i];
        for (int j = 0; j < front->objectives; j++)
            key[j] = other->points.keys[j][i];
        if (front->objectives == 2 && front->settled > 0 &&
            stairs_reject(front,
                          pareto_count_at_most(front->points.keys[0], front->settled, key[0]),
                          key[0], key[1], id))
            continue;
        front_take(front, key, id);
    }
}

size_t pareto_front_count(struct pareto_front *front)
{
    front_settle(front);
    return front->settled;
}

uint64_t pareto_front_id(const struct pareto_front *front, size_t point)
{
    return front->points.ids[point];
}

double pareto_front_value(const struct pareto_front *front, size_t point, int objective)
{
    return front->points.keys[objective][point] * front->sign[objective] + 0.0;
}
