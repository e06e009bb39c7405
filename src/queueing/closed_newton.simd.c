/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Linearizer by Newton's method: the fixed point of closed_kernels.simd.c in few rounds.
 *
 * Of a population, unknown are the queues Q_k of the stations and, a class, the throughput y_c that
 * it would have if no capacity cut it; x_c is what the cuts leave of it (cut_to_capacity). The
 * residence times follow, those of a class at a station from its own customers there without
 * iteration, with s = 1 / copies, e the excess and o what the Linearizer adds:
 *
 *     R_kc = D_kc (1 + s (Q_k + o_kc - e (U_k - x_c D_kc / n_c) - W_kc / n_c))
 *            / (1 + s x_c D_kc / n_c)                                at least D_kc
 *     U_k  = sum_c x_c D_kc,    W_kc: customers who wait before a capacity
 *
 * and so what is missing from both kinds of equation
 *
 *     f_c = n_c - y_c (Z_c + sum_k R_kc)          g_k = sum_c (x_c R_kc + W_kc) - Q_k
 *
 * A station's queue is in its own g_k and, through R_kc, in all f_c: eliminated first it leaves as
 * many linear equations as there are classes. A sweep takes a step of each population, then the
 * differences between them. Which stations are cut is taken to stay within a step.
 *
 * Where that does not settle, the differences wander because each population is still on its way to
 * the last ones: a thorough sweep takes STEPS_THOROUGH steps of each, so that what the differences
 * miss is theirs alone, and they go on by what the last sweeps say together. */
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "queueing/closed_newton_past.h"

/* Where stations are almost equally full, whole steps may circle: from the ninth on they are
 * shorter. */
enum { ROUNDS = 60, STEPS_WHOLE = 8 };
/* Newton's steps from the last sweep's solution, of which each squares what is missing. */
enum { STEPS_THOROUGH = 4 };
#define STEP_SHORT 0.7
/* Differences go on by all that they miss in the first sweeps, then by a share (newton_miss). */
enum { SWEEPS_WHOLE = 2 };
#define SHARE_LEAST 0.1
#define SHARE_MOST 2.0
/* So long differences grow from none: that little changes says little. */
enum { SWEEPS_FIRST = 8 };
/* The whole population alone is solved that far before the others are. */
#define NEAR 1e-3

/* Of class j at station k as c sees it. */
INLINE double *delta_at(const struct closed_block *b, int lanes, double *delta, int k, int j, int c)
{
    return delta + ((k * b->classes + j) * b->classes + c) * lanes;
}

/* A class that asks in one lane alone has zeros in the others: no bit of their sums changes. */
INLINE void newton_ask(const struct closed_block *b, int lanes, struct newton *s)
{
    for (int k = 0; k < b->stations; k++) {
        s->asking_count[k] = 0;
        for (int c = 0; c < b->classes; c++) {
            const double *restrict demand = b->demand_s + (k * b->classes + c) * lanes;
            int asks = 0;
            EACH_LANE asks |= demand[i] > 0.0;
            if (asks)
                s->asking[k * b->classes + s->asking_count[k]++] = c;
        }
    }
}

INLINE void newton_places(const struct closed_block *b, int lanes, struct newton *s)
{
    size_t counts = (size_t)(b->classes * lanes), classes = (size_t)b->classes;
    size_t pairs = counts * (size_t)b->stations, stations = (size_t)(b->stations * lanes);
    s->levels = b->work;
    s->delta = s->levels + (classes + 1) * level_size(b, lanes);
    s->lack = s->delta + pairs * classes;
    s->base = s->lack + pairs * classes;
    s->offset = s->base + pairs;
    s->waits = s->offset + pairs;
    s->pull = s->waits + pairs;
    s->gain = s->pull + pairs;
    s->own = s->gain + pairs;
    s->hold = s->own + pairs;
    s->turn = s->hold + pairs;
    s->x = s->turn + pairs;
    s->time = s->x + counts;
    s->side = s->time + counts;
    s->over = s->side + counts;
    s->cuts = s->over + stations;
    s->miss = s->cuts + stations;
    s->back = s->miss + stations;
    s->keep = s->back + stations;
    s->bend = s->keep + counts * classes;
    s->matrix = s->bend + counts * classes;
    s->worst = s->matrix + counts * classes;
    s->moving = s->worst + lanes;
    s->part = s->moving + lanes;
    s->share = s->part + lanes;
    s->nearest = s->share + lanes;
    s->went = s->nearest + lanes;
    s->turned = s->went + (b->thorough ? CLOSED_PAST * past_size(b, lanes) : 0);
    s->asking = (int *)(s->turned + (b->thorough ? CLOSED_PAST * past_size(b, lanes) : 0));
    s->asking_count = s->asking + b->stations * b->classes;
    memset(s->levels, 0, (classes + 1) * level_size(b, lanes) * sizeof(double));
    memset(s->delta, 0, 2 * pairs * classes * sizeof(double));
    memset(b->residence_s, 0, pairs * sizeof(double));
    newton_ask(b, lanes, s);
}

/* What class c sees more: sum_j (n_j - [j = c]) delta_kjc. */
INLINE void newton_base(const struct closed_block *b, int lanes, struct newton *s)
{
    level_at(b, lanes, s, 0);
    for (int k = 0; k < b->stations; k++)
        EACH_ASKING(c, k)
        {
            double *restrict base = s->base + (k * b->classes + c) * lanes;
            EACH_LANE base[i] = 0.0;
            EACH_ASKING(j, k)
            {
                const double *restrict n = s->level.n + j * lanes;
                const double *restrict d = delta_at(b, lanes, s->delta, k, j, c);
                EACH_LANE base[i] += larger(n[i] - (j == c ? 1.0 : 0.0), 0.0) * d[i];
            }
        }
}

INLINE void newton_offset(const struct closed_block *b, int lanes, struct newton *s, int level)
{
    for (int k = 0; k < b->stations; k++)
        EACH_ASKING(c, k)
        {
            size_t at = (size_t)((k * b->classes + c) * lanes);
            const double *restrict base = s->base + at;
            double *restrict offset = s->offset + at;
            if (level == 0) {
                EACH_LANE offset[i] = base[i];
                continue;
            }
            const double *restrict d = delta_at(b, lanes, s->delta, k, level - 1, c);
            EACH_LANE offset[i] = base[i] - d[i];
        }
}

#define COPY(suffix, lanes, residual)                                                              \
    static NOINLINE bool newton_equations_##suffix(struct closed_block *b, struct newton *s)       \
    {                                                                                              \
        return newton_equations(b, lanes, residual, s);                                            \
    }                                                                                              \
    static NOINLINE void newton_step_##suffix(const struct closed_block *b, struct newton *s,      \
                                              bool cut)                                            \
    {                                                                                              \
        newton_step(b, lanes, residual, s, cut);                                                   \
    }
EACH_COPY(COPY)
#undef COPY

INLINE void newton_go(struct closed_block *b, int lanes, bool residual, struct newton *s)
{
    bool cut = PICK(newton_equations, lanes, residual)(b, s);
    PICK(newton_step, lanes, residual)(b, s, cut);
}

/* Throughputs as without queues, but a little less than the stations let through, and the queues
 * that go with them: there, and not beyond the capacities, a step leads towards the solution. */
INLINE void newton_start(struct closed_block *b, int lanes, bool residual, struct newton *s)
{
    const int classes = b->classes;
    double all[LANES];
    level_at(b, lanes, s, 0);
    EACH_LANE all[i] = 0.0;
    for (int c = 0; c < classes; c++) {
        double sum[LANES];
        EACH_LANE sum[i] = b->think_s[c * lanes + i];
        for (int k = 0; k < b->stations; k++)
            EACH_LANE sum[i] += b->demand_s[(k * classes + c) * lanes + i];
        EACH_LANE
        {
            double n = b->population[c * lanes + i];
            s->level.n[c * lanes + i] = n;
            s->level.inverse[c * lanes + i] = n > 0.0 ? 1.0 / n : 0.0;
            s->level.rate[c * lanes + i] = n / sum[i];
            all[i] += n;
        }
    }
    newton_cut(b, lanes, s);
    for (int c = 0; c < classes; c++)
        EACH_LANE s->level.rate[c * lanes + i] = s->x[c * lanes + i] * all[i] / (1.0 + all[i]);
    memset(s->level.total, 0, (size_t)(b->stations * lanes) * sizeof(double));
    memset(s->offset, 0, (size_t)(b->stations * classes * lanes) * sizeof(double));
    PICK(newton_equations, lanes, residual)(b, s);
    for (int k = 0; k < b->stations * lanes; k += lanes)
        EACH_LANE s->level.total[k + i] = larger(s->miss[k + i], 0.0);
}

/* A population with one customer less of a class, from that of all. */
INLINE void newton_less(const struct closed_block *b, int lanes, struct newton *s, int less)
{
    const int classes = b->classes;
    level_at(b, lanes, s, 0);
    const struct level all = s->level;
    level_at(b, lanes, s, less + 1);
    memcpy(s->level.n, all.n, level_size(b, lanes) * sizeof(double));
    EACH_LANE
    {
        size_t at = (size_t)(less * lanes + i);
        double n = larger(all.n[at] - 1.0, 0.0);
        s->level.n[at] = n;
        s->level.inverse[at] = n > 0.0 ? 1.0 / n : 0.0;
        s->level.rate[at] *= n * all.inverse[at];
    }
    for (int k = 0; k < b->stations; k++)
        EACH_LANE s->level.total[k * lanes + i] =
            larger(all.total[k * lanes + i] -
                       all.queue[(k * classes + less) * lanes + i] * all.inverse[less * lanes + i],
                   0.0);
}

/* What the differences miss now, and what share of it they go on by: that which, had it been taken
 * in the sweep before, would have left least, as what they miss follows them about in a line
 * (Irons and Tuck, "A version of the Aitken accelerator for computer iteration", 1969). Whole
 * misses would circle where stations are almost equally full. */
INLINE void newton_miss(const struct closed_block *b, int lanes, struct newton *s, bool whole)
{
    const int classes = b->classes;
    double along[LANES], square[LANES];
    level_at(b, lanes, s, 0);
    const struct level all = s->level;
    EACH_LANE along[i] = square[i] = 0.0;
    for (int k = 0; k < b->stations; k++)
        EACH_ASKING(c, k)
        {
            const double *restrict demand = b->demand_s + (k * classes + c) * lanes;
            level_at(b, lanes, s, c + 1);
            EACH_ASKING(j, k)
            {
                size_t at = (size_t)((k * classes + j) * lanes);
                const double *restrict n = all.inverse + j * lanes;
                const double *restrict m = s->level.inverse + j * lanes;
                const double *restrict q = all.queue + at, *restrict p = s->level.queue + at;
                const double *restrict d = delta_at(b, lanes, s->delta, k, j, c);
                double *restrict lack = delta_at(b, lanes, s->lack, k, j, c);
                EACH_LANE
                {
                    double share = p[i] * m[i] - q[i] * n[i];
                    share = m[i] > 0.0 && demand[i] > 0.0 ? share : 0.0;
                    double miss = share - d[i], turn = miss - lack[i];
                    s->worst[i] = larger(s->worst[i], fabs(miss));
                    along[i] -= lack[i] * turn;
                    square[i] += turn * turn;
                    lack[i] = miss;
                }
            }
        }
    EACH_LANE
    {
        double share = s->share[i] * along[i] / square[i];
        share = share > SHARE_LEAST ? share : SHARE_LEAST;
        share = share < SHARE_MOST ? share : SHARE_MOST;
        s->share[i] = whole || !(square[i] > 0.0) ? 1.0 : share;
    }
}

INLINE void newton_delta(const struct closed_block *b, int lanes, struct newton *s, bool whole)
{
    double part[LANES];
    newton_miss(b, lanes, s, whole);
    EACH_LANE part[i] = s->moving[i] != 0.0 ? s->share[i] : 0.0;
    for (int k = 0; k < b->stations; k++)
        EACH_ASKING(j, k)
            EACH_ASKING(c, k)
            {
                double *restrict d = delta_at(b, lanes, s->delta, k, j, c);
                const double *restrict lack = delta_at(b, lanes, s->lack, k, j, c);
                EACH_LANE d[i] += part[i] * lack[i];
            }
}

/* Lanes of which little enough was missing move no more. */
INLINE void newton_settle(const struct closed_block *b, int lanes, struct newton *s, int sweeps)
{
    bool counts = sweeps >= SWEEPS_FIRST;
    EACH_LANE
    {
        double least = s->worst[i] < b->reached[i] ? s->worst[i] : b->reached[i];
        double enough = counts ? b->enough[i] : b->tolerance;
        b->reached[i] = counts && s->moving[i] != 0.0 ? least : b->reached[i];
        s->moving[i] = s->worst[i] > enough ? s->moving[i] : 0.0;
    }
}

INLINE void newton_advance(const struct closed_block *b, int lanes, struct newton *s, int sweeps)
{
    if (!b->thorough) {
        newton_delta(b, lanes, s, sweeps < SWEEPS_WHOLE);
        newton_settle(b, lanes, s, sweeps);
        return;
    }
    past_keep(b, lanes, s, sweeps);
    newton_miss(b, lanes, s, true);
    newton_settle(b, lanes, s, sweeps); /* what rounding says of the way leads anywhere */
    past_delta(b, lanes, s, sweeps, sweeps < SWEEPS_WHOLE);
}

/* Returns how many lanes move. */
INLINE int newton_sweep(struct closed_block *b, int lanes, bool residual, struct newton *s,
                        int sweeps)
{
    int moves = 0;
    double worst[LANES];
    EACH_LANE s->worst[i] = 0.0;
    newton_base(b, lanes, s);
    for (int level = b->classes; level >= 0; level--) {
        level_at(b, lanes, s, level);
        newton_offset(b, lanes, s, level);
        for (int step = b->thorough ? STEPS_THOROUGH : 1; step > 0; step--) {
            EACH_LANE worst[i] = s->worst[i];
            newton_go(b, lanes, residual, s);
            EACH_LANE s->worst[i] = step > 1 ? worst[i] : s->worst[i];
        }
    }
    newton_advance(b, lanes, s, sweeps);
    EACH_LANE moves += s->moving[i] != 0.0;
    return moves;
}

INLINE void newton_answer(struct closed_block *b, int lanes, bool residual, struct newton *s)
{
    const int classes = b->classes;
    newton_base(b, lanes, s);
    level_at(b, lanes, s, 0);
    newton_offset(b, lanes, s, 0);
    bool cut = PICK(newton_equations, lanes, residual)(b, s);
    memcpy(b->throughput_per_s, s->x, (size_t)(classes * lanes) * sizeof(double));
    for (int k = 0; k < b->stations && cut; k++) {
        if (s->cuts[k] == 0.0)
            continue;
        EACH_ASKING(c, k)
            EACH_LANE
            {
                double waits = s->waits[(k * classes + c) * lanes + i], x = s->x[c * lanes + i];
                b->residence_s[(k * classes + c) * lanes + i] += waits > 0.0 ? waits / x : 0.0;
            }
    }
    for (int c = 0; c < classes * lanes; c += lanes)
        EACH_LANE b->unsettled[i] += isfinite(s->x[c + i]) ? 0.0 : 1.0;
}

/* The whole population, as if there were no differences. */
INLINE void newton_alone(struct closed_block *b, int lanes, bool residual, struct newton *s,
                         int rounds)
{
    int moves = 1;
    newton_start(b, lanes, residual, s);
    EACH_LANE s->moving[i] = 1.0;
    for (int round = 0; round < rounds && moves > 0 && !interrupt_requested(); round++) {
        moves = 0;
        s->step = round < STEPS_WHOLE ? 1.0 : STEP_SHORT;
        EACH_LANE s->worst[i] = 0.0;
        newton_go(b, lanes, residual, s);
        EACH_LANE s->moving[i] = s->worst[i] > NEAR ? s->moving[i] : 0.0;
        EACH_LANE moves += s->moving[i] != 0.0;
    }
    PICK(newton_equations, lanes, residual)(b, s); /* queues of lanes that stayed before others */
}

INLINE void newton(struct closed_block *b, int lanes, bool residual)
{
    struct newton s;
    newton_places(b, lanes, &s);
    int most = b->rounds < b->sweeps ? b->rounds : b->sweeps, sweeps = 0, moves = 1;
    newton_alone(b, lanes, residual, &s, b->rounds < ROUNDS ? b->rounds : ROUNDS);
    for (int c = 0; c < b->classes; c++)
        newton_less(b, lanes, &s, c);
    EACH_LANE s.moving[i] = 1.0;
    s.step = 1.0;
    EACH_LANE s.share[i] = 1.0;
    EACH_LANE b->reached[i] = s.nearest[i] = HUGE_VAL;
    for (; sweeps < most && moves > 0 && !interrupt_requested(); sweeps++)
        moves = newton_sweep(b, lanes, residual, &s, sweeps);
    EACH_LANE b->unsettled[i] = s.moving[i];
    newton_answer(b, lanes, residual, &s);
}

#define INSTANCES(suffix, lanes)                                                                   \
    closed_solver JOIN(closed_newton_##suffix##_, SIMD_LEVEL);                                     \
    void JOIN(closed_newton_##suffix##_, SIMD_LEVEL)(struct closed_block * b)                      \
    {                                                                                              \
        newton(b, lanes, b->residual);                                                             \
    }

INSTANCES(one, 1)
INSTANCES(many, LANES)
