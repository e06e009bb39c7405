/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solvers by iteration, and the sets of all solvers. */
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "queueing/closed_lanes.h"

#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

/* --- iterations ------------------------------------------------------------- */

/* One population that is iterated. What it keeps from round to round stands in its own
 * `level`; the rest is shared by all populations. */
struct core {
    double *n, *inverse; /* [class][lane]: customers; 1 / n, or 0 */
    double *rate;        /* [class][lane]: throughputs */
    double *queue;       /* [station][class][lane] */

    double *offset;       /* [station][class][lane]: added to what Schweitzer's rule sees */
    double *cycle;        /* [class][lane]: cycle times */
    double *total, *load; /* [station][lane] */
    double *live;         /* [lane]: 1 until it has converged */
};

/* Residence times of a class from the present queues. */
INLINE void core_class(const struct closed_block *b, int lanes, bool residual,
                       const struct core *core, int c)
{
    const double *restrict inverse = core->inverse + c * lanes, *restrict rate =
                                                                    core->rate + c * lanes;
    double sum[LANES];
    EACH_LANE sum[i] = b->think_s[c * lanes + i];
    for (int k = 0; k < b->stations; k++) {
        size_t at = (size_t)((k * b->classes + c) * lanes);
        const double *restrict demand = b->demand_s + at, *restrict queue = core->queue + at;
        const double *restrict offset = core->offset + at;
        const double *restrict total = core->total + k * lanes, *restrict load =
                                                                    core->load + k * lanes;
        double *restrict r = b->residence_s + at;
        EACH_LANE
        {
            double seen = total[i] - queue[i] * inverse[i] + offset[i];
            if (residual)
                seen -= b->excess[k * lanes + i] *
                        larger(load[i] - rate[i] * demand[i] * inverse[i], 0.0);
            r[i] = demand[i] * (1.0 + larger(seen, 0.0) * b->spread[k]);
        }
        for (int i = 0; i < lanes && b->varying[k]; i++)
            r[i] = demand[i] > 0.0 ? r[i] / queueing_rate(b->varying[k], r[i] / demand[i]) : 0.0;
        EACH_LANE sum[i] += r[i];
    }
    EACH_LANE core->cycle[c * lanes + i] = sum[i];
}

/* Queues and loads of the stations over all classes. */
INLINE void core_totals(const struct closed_block *b, int lanes, bool residual,
                        const struct core *core)
{
    for (int k = 0; k < b->stations; k++) {
        double total[LANES], load[LANES];
        EACH_LANE total[i] = load[i] = 0.0;
        for (int c = 0; c < b->classes; c++) {
            size_t at = (size_t)((k * b->classes + c) * lanes);
            EACH_LANE total[i] += core->queue[at + (size_t)i];
            if (residual)
                EACH_LANE load[i] += core->rate[c * lanes + i] * b->demand_s[at + (size_t)i];
        }
        EACH_LANE core->total[k * lanes + i] = total[i];
        EACH_LANE core->load[k * lanes + i] = load[i];
    }
}

INLINE double core_step(int round)
{
    return round < 512 ? 0.5 : 1.0 / 16.0;
}

/* All residence times and throughputs, then, where a lane is live, queues. Returns
 * how many lanes are still live. With residual lives or varying rates a round goes only a `step` of
 * the way: cuts and rates that fall make whole steps swing. */
INLINE int core_round(const struct closed_block *b, int lanes, bool residual,
                      const struct core *core, double step)
{
    const int classes = b->classes;
    double *restrict x = b->throughput_per_s;
    double worst[LANES];
    int live = 0;
    core_totals(b, lanes, residual, core);
    for (int c = 0; c < classes; c++)
        core_class(b, lanes, residual, core, c);
    for (int c = 0; c < classes * lanes; c += lanes)
        EACH_LANE x[c + i] = core->n[c + i] / core->cycle[c + i];
    if (residual)
        cut_to_capacity(b, lanes, x, core->cycle, b->residence_s);
    EACH_LANE worst[i] = 0.0;
    for (int k = 0; k < b->stations; k++)
        for (int c = 0; c < classes; c++) {
            size_t at = (size_t)((k * classes + c) * lanes);
            double *restrict queue = core->queue + at;
            const double *restrict r = b->residence_s + at;
            EACH_LANE
            {
                double next = x[c * lanes + i] * r[i];
                if (residual)
                    next = queue[i] + step * (next - queue[i]);
                double change = fabs(next - queue[i]) * core->inverse[c * lanes + i];
                worst[i] = larger(worst[i], change);
                queue[i] = core->live[i] != 0.0 ? next : queue[i];
            }
        }
    if (residual)
        for (int c = 0; c < classes * lanes; c += lanes)
            EACH_LANE
            {
                double next = core->rate[c + i] + step * (x[c + i] - core->rate[c + i]);
                core->rate[c + i] = core->live[i] != 0.0 ? next : core->rate[c + i];
            }
    EACH_LANE core->live[i] = worst[i] > b->tolerance ? core->live[i] : 0.0;
    EACH_LANE live += core->live[i] != 0.0;
    return live;
}

#define COPY(suffix, lanes, residual)                                                              \
    static NOINLINE int core_round_##suffix(const struct closed_block *b, const struct core *core, \
                                            double step)                                           \
    {                                                                                              \
        return core_round(b, lanes, residual, core, step);                                         \
    }
EACH_COPY(COPY)
#undef COPY

/* Far above saturation a round gets only a little nearer to the fixed point, and in much the same
 * direction as the one before. So after two rounds from x0 over x1 to x2
 *
 *     x = x0 + 2 a r + a^2 v,   r = x1 - x0,  v = x2 - 2 x1 + x0,  a = |r| / |v|  (at least 1)
 *
 * (Varadhan and Roland, Scandinavian Journal of Statistics 35(2), 2008, scheme S3), with norms
 * over the queue lengths at all customers, in parts of a class's population. a = 1 is x2. The
 * largest a grows while that does not take more than it gives. */
struct leap {
    double *state, *first, *second; /* x, x0, x1 */
    size_t size, positive;          /* doubles; the first so many are not negative */
    int turn;                       /* rounds since x0 */
    int rounds;                     /* of all */
    bool leapt;
    double most[LANES], change[LANES]; /* largest a; |x2 - x1|^2 before the leap */
};
/* Most networks have settled before the first leap; those that leap about the fixed point for
 * long come to it in plain rounds. */
enum { LEAP_AFTER = 32, LEAP_ROUNDS = 20000 };
#define LEAP_MOST 4096.0

INLINE void leap_init(struct leap *leap, int lanes, double *state, size_t size, size_t positive)
{
    *leap = (struct leap){.state = state,
                          .first = state + size,
                          .second = state + 2 * size,
                          .size = size,
                          .positive = positive,
                          .turn = -LEAP_AFTER};
    EACH_LANE leap->most[i] = 4.0;
}

/* |to - from|^2 over the queues of the first level; with `before`, of the difference of
 * (to - from) and (from - before). */
INLINE void leap_norm(const struct closed_block *b, int lanes, const double *restrict to,
                      const double *restrict from, const double *restrict before,
                      double *restrict out)
{
    const int counts = b->classes * lanes;
    const double *inverse = to + counts;
    EACH_LANE out[i] = 0.0;
    for (int k = 0; k < b->stations; k++)
        for (int c = 0; c < b->classes; c++) {
            int at = 3 * counts + (k * b->classes + c) * lanes;
            EACH_LANE
            {
                double step = to[at + i] - from[at + i];
                step -= before ? from[at + i] - before[at + i] : 0.0;
                step *= inverse[c * lanes + i];
                out[i] += step * step;
            }
        }
}

/* After each round; lanes that are not live stay. */
INLINE void leap_round(const struct closed_block *b, int lanes, struct leap *leap,
                       const double *restrict live)
{
    double r[LANES], v[LANES], a[LANES];
    size_t bytes = leap->size * sizeof(double);
    if (++leap->rounds > LEAP_ROUNDS || ++leap->turn < 0)
        return;
    if (leap->turn == 0) {
        memcpy(leap->first, leap->state, bytes);
        return;
    }
    if (leap->turn == 1) {
        memcpy(leap->second, leap->state, bytes);
        leap_norm(b, lanes, leap->second, leap->first, NULL, r);
        for (int i = 0; i < lanes && leap->leapt; i++) {
            bool worse = r[i] > 4.0 * leap->change[i];
            double most = leap->most[i] * (worse ? 0.25 : 2.0);
            leap->most[i] = most < 1.0 ? 1.0 : most > LEAP_MOST ? LEAP_MOST : most;
        }
        return;
    }
    leap_norm(b, lanes, leap->second, leap->first, NULL, r);
    leap_norm(b, lanes, leap->state, leap->second, leap->first, v);
    leap_norm(b, lanes, leap->state, leap->second, NULL, leap->change);
    EACH_LANE
    {
        double ratio = v[i] > 0.0 ? sqrt(r[i] / v[i]) : 1.0;
        a[i] = ratio < 1.0 ? 1.0 : ratio > leap->most[i] ? leap->most[i] : ratio;
    }
    for (size_t at = 0; at < leap->size; at += (size_t)lanes) {
        const double *restrict x0 = leap->first + at, *restrict x1 = leap->second + at;
        double *restrict x = leap->state + at, least = at < leap->positive ? 0.0 : -HUGE_VAL;
        EACH_LANE
        {
            double step = x1[i] - x0[i], bend = x[i] - x1[i] - step;
            double next = larger(x0[i] + 2.0 * a[i] * step + a[i] * a[i] * bend, least);
            x[i] = live[i] != 0.0 && a[i] > 1.0 ? next : x[i];
        }
    }
    memcpy(leap->first, leap->state, bytes);
    leap->leapt = true;
    leap->turn = 0;
}

INLINE bool has_varying(const struct closed_block *b)
{
    bool varying = false;
    for (int k = 0; k < b->stations; k++)
        varying |= b->varying[k] != NULL;
    return varying;
}

/* Iterates the lanes that are live to the fixed point; the others stay as they are. */
INLINE void core_solve(struct closed_block *b, int lanes, bool residual, const struct core *core)
{
    struct leap leap;
    size_t size = (size_t)((b->stations + 3) * b->classes * lanes);
    bool varying = has_varying(b);
    int left = b->rounds;
    leap_init(&leap, lanes, core->n, size, size);
    while (PICK(core_round, lanes, residual)(b, core, core_step(b->rounds - left)) && left > 0 &&
           !interrupt_requested()) {
        if (!varying)
            leap_round(b, lanes, &leap, core->live);
        left--;
    }
    EACH_LANE b->unsettled[i] += core->live[i];
}

/* Throughputs and residence times that belong to the queues: a round with no live lane. */
INLINE void core_answer(struct closed_block *b, int lanes, bool residual, const struct core *core)
{
    EACH_LANE core->live[i] = 0.0;
    PICK(core_round, lanes, residual)(b, core, 1.0);
}

/* Points to the level-th population. */
INLINE void core_level(const struct closed_block *b, int lanes, double *levels, int level,
                       struct core *core)
{
    size_t counts = (size_t)(b->classes * lanes);
    core->n = levels + (size_t)level * (3 + (size_t)b->stations) * counts;
    core->inverse = core->n + counts;
    core->rate = core->inverse + counts;
    core->queue = core->rate + counts;
}

/* Customers, of class `less` one less, spread by demand. */
INLINE void core_start(const struct closed_block *b, int lanes, const struct core *core, int less)
{
    for (int c = 0; c < b->classes; c++) {
        double sum[LANES];
        EACH_LANE
        {
            double n = larger(b->population[c * lanes + i] - (c == less ? 1.0 : 0.0), 0.0);
            core->n[c * lanes + i] = n;
            core->inverse[c * lanes + i] = n > 0.0 ? 1.0 / n : 0.0;
            core->rate[c * lanes + i] = 0.0;
            sum[i] = b->think_s[c * lanes + i];
        }
        for (int k = 0; k < b->stations; k++)
            EACH_LANE sum[i] += b->demand_s[(k * b->classes + c) * lanes + i];
        for (int k = 0; k < b->stations; k++)
            EACH_LANE
            {
                int at = (k * b->classes + c) * lanes + i;
                core->queue[at] = core->n[c * lanes + i] * b->demand_s[at] / sum[i];
            }
    }
}

/* Cuts the work space into what all populations share; returns the rest. */
INLINE double *core_places(const struct closed_block *b, int lanes, struct core *core)
{
    size_t pairs = (size_t)(b->classes * b->stations * lanes);
    core->offset = b->work;
    core->cycle = core->offset + pairs;
    core->total = core->cycle + b->classes * lanes;
    core->load = core->total + b->stations * lanes;
    core->live = core->load + b->stations * lanes;
    memset(core->offset, 0, pairs * sizeof(double));
    return core->live + lanes;
}

INLINE void schweitzer(struct closed_block *b, int lanes, bool residual)
{
    struct core core;
    core_level(b, lanes, core_places(b, lanes, &core), 0, &core);
    core_start(b, lanes, &core, -1);
    EACH_LANE b->unsettled[i] = 0.0;
    EACH_LANE core.live[i] = 1.0;
    core_solve(b, lanes, residual, &core);
    core_answer(b, lanes, residual, &core);
}

/* What class c sees beyond Schweitzer's rule, at the populations n of a core:
 * sum_j (n_j - [j = c]) delta_kjc. */
INLINE void linearizer_offset(const struct closed_block *b, int lanes, const struct core *core,
                              const double *restrict delta)
{
    const int classes = b->classes;
    for (int k = 0; k < b->stations; k++)
        for (int c = 0; c < classes; c++) {
            double *restrict offset = core->offset + (k * classes + c) * lanes;
            EACH_LANE offset[i] = 0.0;
            for (int j = 0; j < classes; j++) {
                const double *restrict n = core->n + j * lanes;
                const double *restrict d = delta + ((k * classes + j) * classes + c) * lanes;
                EACH_LANE offset[i] += larger(n[i] - (j == c ? 1.0 : 0.0), 0.0) * d[i];
            }
        }
}

/* delta_kjc = Q_kj(n - 1_c) / (n_j - [j = c]) - Q_kj(n) / n_j, in the lanes that move;
 * worst[i] grows to the largest change. */
INLINE void linearizer_delta(const struct closed_block *b, int lanes, double *levels,
                             double *restrict delta, const double *restrict moving,
                             double *restrict worst, double step)
{
    const int classes = b->classes;
    struct core all, less;
    core_level(b, lanes, levels, 0, &all);
    for (int c = 0; c < classes; c++) {
        core_level(b, lanes, levels, c + 1, &less);
        for (int k = 0; k < b->stations; k++)
            for (int j = 0; j < classes; j++) {
                size_t at = (size_t)((k * classes + j) * lanes);
                const double *restrict n = all.inverse + j * lanes;
                const double *restrict m = less.inverse + j * lanes;
                const double *restrict q = all.queue + at, *restrict p = less.queue + at;
                double *restrict d = delta + ((k * classes + j) * classes + c) * lanes;
                EACH_LANE
                {
                    double share = m[i] > 0.0 ? p[i] * m[i] - q[i] * n[i] : 0.0;
                    worst[i] = larger(worst[i], fabs(share - d[i]));
                    d[i] = moving[i] != 0.0 ? d[i] + step * (share - d[i]) : d[i];
                }
            }
    }
}

/* A round at each population, then the differences between them: the fixed point is
 * that of solving each population to its end before the differences are taken, reached
 * with a fraction of the work. Returns how many lanes still move. */
INLINE int linearizer_round(struct closed_block *b, int lanes, bool residual, struct core *core,
                            double *levels, double *delta, double *moving, double step)
{
    double worst[LANES], next[LANES];
    int moves = 0;
    EACH_LANE worst[i] = next[i] = 0.0;
    for (int level = b->classes; level >= 0 && !interrupt_requested(); level--) {
        core_level(b, lanes, levels, level, core);
        linearizer_offset(b, lanes, core, delta);
        EACH_LANE core->live[i] = moving[i];
        PICK(core_round, lanes, residual)(b, core, step);
        EACH_LANE next[i] = larger(next[i], core->live[i]);
    }
    linearizer_delta(b, lanes, levels, delta, moving, worst, residual ? step : 1.0);
    EACH_LANE next[i] = worst[i] > b->tolerance ? moving[i] : next[i];
    EACH_LANE moving[i] = next[i];
    EACH_LANE moves += moving[i] != 0.0;
    return moves;
}

INLINE void linearizer(struct closed_block *b, int lanes, bool residual)
{
    const int classes = b->classes;
    size_t pairs = (size_t)(classes * b->stations * lanes);
    struct core core;
    double moving[LANES], *levels = core_places(b, lanes, &core);
    double *delta = levels + (size_t)(classes + 1) * (pairs + (size_t)(3 * classes * lanes));
    memset(delta, 0, pairs * (size_t)classes * sizeof(double));
    for (int level = 0; level <= classes; level++) {
        core_level(b, lanes, levels, level, &core);
        core_start(b, lanes, &core, level - 1);
    }
    EACH_LANE moving[i] = 1.0;
    struct leap leap;
    size_t positive = (size_t)(delta - levels);
    bool varying = has_varying(b);
    int left = b->rounds;
    leap_init(&leap, lanes, levels, positive + pairs * (size_t)classes, positive);
    while (linearizer_round(b, lanes, residual, &core, levels, delta, moving,
                            core_step(b->rounds - left)) &&
           left > 0 && !interrupt_requested()) {
        if (!varying)
            leap_round(b, lanes, &leap, moving);
        left--;
    }
    EACH_LANE b->unsettled[i] = moving[i];
    if (interrupt_requested()) /* perhaps between the populations of a round */
        EACH_LANE b->unsettled[i] = 1.0;
    core_level(b, lanes, levels, 0, &core);
    linearizer_offset(b, lanes, &core, delta);
    core_answer(b, lanes, residual, &core);
}

/* --- the instances ---------------------------------------------------------- */

#define INSTANCES(suffix, lanes)                                                                   \
    static void schweitzer_##suffix(struct closed_block *b)                                        \
    {                                                                                              \
        schweitzer(b, lanes, b->residual);                                                         \
    }                                                                                              \
    static void linearizer_##suffix(struct closed_block *b)                                        \
    {                                                                                              \
        linearizer(b, lanes, b->residual);                                                         \
    }

INSTANCES(one, 1)
INSTANCES(many, LANES)

closed_solver JOIN(closed_mva_one_, SIMD_LEVEL), JOIN(closed_mva_many_, SIMD_LEVEL);
closed_solver JOIN(closed_newton_one_, SIMD_LEVEL), JOIN(closed_newton_many_, SIMD_LEVEL);
extern const struct closed_kernels JOIN(closed_kernels_, SIMD_LEVEL);
const struct closed_kernels JOIN(closed_kernels_, SIMD_LEVEL) = {
    .name = TEXT(SIMD_LEVEL),
    .one = {1, JOIN(closed_mva_one_, SIMD_LEVEL), schweitzer_one, linearizer_one,
            JOIN(closed_newton_one_, SIMD_LEVEL)},
    .many = {LANES, JOIN(closed_mva_many_, SIMD_LEVEL), schweitzer_many, linearizer_many,
             JOIN(closed_newton_many_, SIMD_LEVEL)},
};
