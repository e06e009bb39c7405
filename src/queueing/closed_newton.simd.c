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
 * differences between them. Which stations are cut is taken to stay within a step. */
#include <math.h>
#include <string.h>

#include "core/parallel.h"
#include "queueing/closed_lanes.h"

/* A step at most multiplies a throughput by that; what falls does so in its reciprocal, in which a
 * queue before a station that empties is a line. */
#define STEP_MOST 4.0
/* Where stations are almost equally full, whole steps may circle: from the ninth on they are
 * shorter. Of sweeps the differences are, which count as often as there are customers. */
enum { ROUNDS = 60, STEPS_WHOLE = 8, SWEEPS_SHORT = 60 };
#define STEP_SHORT 0.7
#define PART_SHORT (sweeps < SWEEPS_SHORT ? 0.3 : 0.15)
/* The whole population alone is solved that far before the others are. */
#define NEAR 1e-3

struct level {
    double *n, *inverse;  /* [class]: customers; 1 / n, or 0 */
    double *rate, *total; /* y [class], Q [station] */
    double *queue;        /* [station][class] */
};

struct newton {
    struct level level;
    double *levels;
    double *delta, *base;  /* [station][class][class]; [station][class]: offsets of all */
    double *offset;        /* [station][class]: of the level */
    double *x, *time;      /* [class]: throughputs; Z + sum R */
    double *waits;         /* [station][class]: W */
    double *pull;          /* [station][class]: y_c dR_kc / dQ_k */
    double *gain;          /* [station][class]: dQ_k / dx_c x_c */
    double *own, *hold;    /* [station][class]: x_c dQ_kc / dx_c at Q_k as it is; dQ_kc / dQ_k */
    double *turn;          /* [station][class]: dQ_k / dy_c y_c by its cut */
    double *over;          /* [station]: by how much it was beyond its capacity, at least 1 */
    double *miss;          /* [station]: g / (1 - own share in its queue) */
    double *back;          /* [station]: 1 / (1 - own share in its queue) */
    double *keep;          /* [class][class]: dx_c / dy_j y_j / x_c */
    double *matrix, *side; /* [class][class], [class] */
    double step;           /* of a whole one */
    double share;          /* of the way that differences go */
    double *part;          /* of a customer in all of the population */
    double *worst, *moving;
};

INLINE size_t level_size(const struct closed_block *b, int lanes)
{
    return (size_t)((3 * b->classes + b->stations + b->stations * b->classes) * lanes);
}

INLINE void level_at(const struct closed_block *b, int lanes, struct newton *s, int level)
{
    size_t counts = (size_t)(b->classes * lanes);
    s->level.n = s->levels + (size_t)level * level_size(b, lanes);
    s->level.inverse = s->level.n + counts;
    s->level.rate = s->level.inverse + counts;
    s->level.total = s->level.rate + counts;
    s->level.queue = s->level.total + b->stations * lanes;
}

INLINE void newton_places(const struct closed_block *b, int lanes, struct newton *s)
{
    size_t counts = (size_t)(b->classes * lanes), classes = (size_t)b->classes;
    size_t pairs = counts * (size_t)b->stations, stations = (size_t)(b->stations * lanes);
    s->levels = b->work;
    s->delta = s->levels + (classes + 1) * level_size(b, lanes);
    s->base = s->delta + pairs * classes;
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
    s->miss = s->over + stations;
    s->back = s->miss + stations;
    s->keep = s->back + stations;
    s->matrix = s->keep + counts * classes;
    s->worst = s->matrix + counts * classes;
    s->moving = s->worst + lanes;
    s->part = s->moving + lanes;
    memset(s->delta, 0, pairs * classes * sizeof(double));
}

/* What class c sees more: sum_j (n_j - [j = c]) delta_kjc. */
INLINE void newton_base(const struct closed_block *b, int lanes, struct newton *s)
{
    const int classes = b->classes;
    level_at(b, lanes, s, 0);
    for (int k = 0; k < b->stations; k++)
        for (int c = 0; c < classes; c++) {
            double *restrict base = s->base + (k * classes + c) * lanes;
            EACH_LANE base[i] = 0.0;
            for (int j = 0; j < classes; j++) {
                const double *restrict n = s->level.n + j * lanes;
                const double *restrict d = s->delta + ((k * classes + j) * classes + c) * lanes;
                EACH_LANE base[i] += larger(n[i] - (j == c ? 1.0 : 0.0), 0.0) * d[i];
            }
        }
}

INLINE void newton_offset(const struct closed_block *b, int lanes, struct newton *s, int level)
{
    const int classes = b->classes;
    for (int k = 0; k < b->stations; k++)
        for (int c = 0; c < classes; c++) {
            size_t at = (size_t)((k * classes + c) * lanes);
            const double *restrict base = s->base + at;
            double *restrict offset = s->offset + at;
            if (level == 0) {
                EACH_LANE offset[i] = base[i];
                continue;
            }
            const double *restrict d = s->delta + ((k * classes + level - 1) * classes + c) * lanes;
            EACH_LANE offset[i] = base[i] - d[i];
        }
}

/* Throughputs within the capacities, station by station, and how they follow the ones that are
 * not. Whether there was a cut. */
INLINE bool newton_cut(const struct closed_block *b, int lanes, struct newton *s)
{
    const int classes = b->classes;
    bool cut = false;
    memcpy(s->x, s->level.rate, (size_t)(classes * lanes) * sizeof(double));
    for (int c = 0; c < classes; c++)
        for (int j = 0; j < classes; j++)
            EACH_LANE s->keep[(c * classes + j) * lanes + i] = c == j ? 1.0 : 0.0;
    for (int k = 0; k < b->stations; k++) {
        const double *restrict demand = b->demand_s + (size_t)(k * classes * lanes);
        double *restrict over = s->over + k * lanes;
        double any = 1.0;
        EACH_LANE over[i] = 0.0;
        for (int c = 0; c < classes; c++)
            EACH_LANE over[i] += s->x[c * lanes + i] * demand[c * lanes + i];
        EACH_LANE over[i] = larger(over[i] * b->spread[k], 1.0);
        EACH_LANE any = larger(any, over[i]);
        if (!(any > 1.0))
            continue;
        cut = true;
        for (int j = 0; j < classes; j++) {
            double turn[LANES];
            EACH_LANE turn[i] = 0.0;
            for (int c = 0; c < classes; c++)
                EACH_LANE turn[i] += s->x[c * lanes + i] * demand[c * lanes + i] *
                                     s->keep[(c * classes + j) * lanes + i];
            EACH_LANE s->turn[(k * classes + j) * lanes + i] =
                over[i] > 1.0 ? turn[i] * b->spread[k] : 0.0;
        }
        for (int c = 0; c < classes; c++) {
            double *restrict x = s->x + c * lanes, part[LANES];
            double *restrict waits = s->waits + (k * classes + c) * lanes;
            EACH_LANE part[i] = demand[c * lanes + i] > 0.0 ? over[i] : 1.0;
            EACH_LANE waits[i] = part[i] > 1.0 ? (part[i] - 1.0) / x[i] : 0.0;
            EACH_LANE x[i] /= part[i];
            for (int j = 0; j < classes; j++)
                EACH_LANE s->keep[(c * classes + j) * lanes + i] -=
                    part[i] > 1.0 ? s->turn[(k * classes + j) * lanes + i] / part[i] : 0.0;
        }
    }
    return cut;
}

INLINE bool is_cut(int lanes, const struct newton *s, int k)
{
    double any = 1.0;
    EACH_LANE any = larger(any, s->over[k * lanes + i]);
    return any > 1.0;
}

/* Customers who wait before a capacity: of a cut from x over, n x_end / x (over - 1). How many more
 * there are as it is beyond: of one cut n (1 - 1/over). */
INLINE void newton_waits(const struct closed_block *b, int lanes, struct newton *s, int k)
{
    const int classes = b->classes;
    double all[LANES];
    EACH_LANE all[i] = 0.0;
    for (int c = 0; c < classes; c++) {
        size_t at = (size_t)((k * classes + c) * lanes);
        const double *restrict n = s->level.n + c * lanes, *restrict x = s->x + c * lanes;
        EACH_LANE
        {
            s->waits[at + (size_t)i] = n[i] > 0.0 ? n[i] * x[i] * s->waits[at + (size_t)i] : 0.0;
            all[i] += b->demand_s[at + (size_t)i] > 0.0 ? n[i] : 0.0;
        }
    }
    EACH_LANE all[i] /= s->over[k * lanes + i] * s->over[k * lanes + i];
    for (int j = 0; j < classes; j++)
        EACH_LANE s->turn[(k * classes + j) * lanes + i] *= all[i];
}

/* What a station adds to the equations without its queue; `share`: of itself in that. */
INLINE void newton_join(struct closed_block *b, int lanes, struct newton *s, int k, bool cut,
                        double excess, const double *share, const double *have)
{
    const int classes = b->classes;
    double *restrict back = s->back + k * lanes;
    EACH_LANE
    {
        double miss = have[i] - s->level.total[k * lanes + i];
        back[i] = 1.0 / larger(1.0 - share[i], miss * s->part[i]);
        s->miss[k * lanes + i] = miss * back[i];
    }
    for (int j = 0; j < classes; j++) {
        size_t at = (size_t)((k * classes + j) * lanes);
        double here[LANES];
        EACH_LANE
        {
            double served = excess * b->demand_s[at + (size_t)i] * s->x[j * lanes + i];
            s->gain[at + (size_t)i] = (s->own[at + (size_t)i] - share[i] * served) * back[i];
            here[i] = s->gain[at + (size_t)i] - served;
        }
        if (cut)
            EACH_LANE s->turn[at + (size_t)i] *= back[i];
        for (int c = 0; c < classes; c++)
            EACH_LANE s->matrix[(c * classes + j) * lanes + i] +=
                s->pull[(k * classes + c) * lanes + i] * here[i];
    }
    for (int c = 0; c < classes; c++)
        EACH_LANE s->side[c * lanes + i] -=
            s->pull[(k * classes + c) * lanes + i] * s->miss[k * lanes + i];
}

/* Residence times at a station. */
INLINE void newton_station(struct closed_block *b, int lanes, bool residual, struct newton *s,
                           int k, bool cut)
{
    const int classes = b->classes;
    const double spread = b->spread[k], excess = residual ? b->excess[k] : 0.0;
    double load[LANES], share[LANES], have[LANES];
    EACH_LANE load[i] = share[i] = have[i] = 0.0;
    for (int c = 0; c < classes && residual; c++)
        EACH_LANE load[i] += s->x[c * lanes + i] * b->demand_s[(k * classes + c) * lanes + i];
    for (int c = 0; c < classes; c++) {
        size_t at = (size_t)((k * classes + c) * lanes);
        const double *restrict demand = b->demand_s + at, *restrict offset = s->offset + at;
        const double *restrict inverse = s->level.inverse + c * lanes;
        const double *restrict x = s->x + c * lanes, *restrict y = s->level.rate + c * lanes;
        const double *restrict total = s->level.total + k * lanes;
        double *restrict r = b->residence_s + at, *restrict queue = s->level.queue + at;
        double *restrict pull = s->pull + at, *restrict hold = s->hold + at;
        double *restrict own_share = s->own + at;
        double *restrict diagonal = s->matrix + (c * classes + c) * lanes;
        double *restrict time = s->time + c * lanes, *restrict waits = s->waits + at;
        EACH_LANE
        {
            double wait = cut ? waits[i] : 0.0, served = x[i] * demand[i];
            double own = spread * served * inverse[i], part = 1.0 / (1.0 + own);
            double seen = total[i] + offset[i] - wait * inverse[i];
            if (residual)
                seen -= excess * (load[i] - served * inverse[i]);
            double stay = demand[i] * (1.0 + spread * seen) * part;
            bool least = !(stay > demand[i]);
            double slope = least ? 0.0 : spread * demand[i] * part;
            double bend = least ? 0.0 : part * own * (excess * demand[i] - stay);
            stay = least ? demand[i] : stay;
            r[i] = stay;
            queue[i] = x[i] * stay + wait;
            time[i] += stay;
            have[i] += queue[i];
            share[i] += x[i] * slope;
            pull[i] = y[i] * slope;
            hold[i] = x[i] * slope;
            own_share[i] = x[i] * (stay + bend);
            diagonal[i] += y[i] * bend;
        }
    }
    newton_join(b, lanes, s, k, cut, excess, share, have);
}

/* The matrix over the throughputs that are cut becomes that over those that are not. */
INLINE void newton_keep(const struct closed_block *b, int lanes, struct newton *s)
{
    const int classes = b->classes;
    for (int c = 0; c < classes; c++) {
        double row[CLOSED_NEWTON_CLASSES][LANES];
        for (int j = 0; j < classes; j++) {
            EACH_LANE row[j][i] = 0.0;
            for (int m = 0; m < classes; m++)
                EACH_LANE row[j][i] += s->matrix[(c * classes + m) * lanes + i] *
                                       s->keep[(m * classes + j) * lanes + i];
        }
        for (int k = 0; k < b->stations; k++)
            for (int j = 0; j < classes && is_cut(lanes, s, k); j++)
                EACH_LANE row[j][i] +=
                    s->pull[(k * classes + c) * lanes + i] * s->turn[(k * classes + j) * lanes + i];
        for (int j = 0; j < classes; j++)
            EACH_LANE s->matrix[(c * classes + j) * lanes + i] = row[j][i];
    }
}

/* Of a population at its present queues and throughputs. Whether there was a cut. */
INLINE bool newton_equations(struct closed_block *b, int lanes, bool residual, struct newton *s)
{
    const int classes = b->classes;
    bool cut = false;
    EACH_LANE s->part[i] = 0.0;
    for (int c = 0; c < classes; c++)
        EACH_LANE s->part[i] += s->level.n[c * lanes + i];
    EACH_LANE s->part[i] = s->part[i] > 0.0 ? 1.0 / s->part[i] : 0.0;
    if (residual)
        cut = newton_cut(b, lanes, s);
    else
        memcpy(s->x, s->level.rate, (size_t)(classes * lanes) * sizeof(double));
    memset(s->matrix, 0, (size_t)(classes * classes * lanes) * sizeof(double));
    memset(s->side, 0, (size_t)(classes * lanes) * sizeof(double));
    memcpy(s->time, b->think_s, (size_t)(classes * lanes) * sizeof(double));
    for (int k = 0; k < b->stations; k++) {
        bool here = cut && is_cut(lanes, s, k);
        if (here)
            newton_waits(b, lanes, s, k);
        newton_station(b, lanes, residual, s, k, here);
    }
    if (cut)
        newton_keep(b, lanes, s);
    for (int c = 0; c < classes; c++)
        EACH_LANE
        {
            double n = s->level.n[c * lanes + i];
            double spent = s->level.rate[c * lanes + i] * s->time[c * lanes + i];
            s->side[c * lanes + i] += n - spent;
            s->matrix[(c * classes + c) * lanes + i] += n > 0.0 ? spent : 1.0;
        }
    return cut;
}

/* The queues of a station's classes after a step, as far as they follow it in a line. */
INLINE void newton_queues(const struct closed_block *b, int lanes, bool residual, struct newton *s,
                          int k, bool cut, double change[][LANES], const double *more)
{
    const int classes = b->classes;
    const double excess = residual ? b->excess[k] : 0.0;
    double seen[LANES];
    EACH_LANE seen[i] = 0.0;
    for (int c = 0; c < classes; c++)
        EACH_LANE seen[i] +=
            s->x[c * lanes + i] * b->demand_s[(k * classes + c) * lanes + i] * change[c][i];
    EACH_LANE seen[i] = more[i] - excess * seen[i];
    for (int c = 0; c < classes; c++) {
        size_t at = (size_t)((k * classes + c) * lanes);
        EACH_LANE s->level.queue[at + (size_t)i] +=
            s->own[at + (size_t)i] * change[c][i] + s->hold[at + (size_t)i] * seen[i];
    }
    if (!(cut && is_cut(lanes, s, k)))
        return;
    double all[LANES], waits[LANES];
    EACH_LANE all[i] = waits[i] = 0.0;
    for (int c = 0; c < classes; c++)
        EACH_LANE
        {
            size_t at = (size_t)((k * classes + c) * lanes + i);
            all[i] += b->demand_s[at] > 0.0 ? s->level.n[c * lanes + i] : 0.0;
            waits[i] += s->turn[at] * s->side[c * lanes + i];
        }
    EACH_LANE waits[i] = all[i] > 0.0 ? waits[i] / (s->back[k * lanes + i] * all[i]) : 0.0;
    for (int c = 0; c < classes; c++)
        EACH_LANE
        {
            size_t at = (size_t)((k * classes + c) * lanes + i);
            double n = b->demand_s[at] > 0.0 ? s->level.n[c * lanes + i] : 0.0;
            s->level.queue[at] += n * waits[i];
        }
}

/* Goes the step in the lanes that move; worst grows to the largest part of it, of a throughput or
 * of all customers. */
INLINE void newton_step(const struct closed_block *b, int lanes, bool residual, struct newton *s,
                        bool cut)
{
    const int classes = b->classes;
    double change[CLOSED_NEWTON_CLASSES][LANES];
    solve_linear(lanes, classes, s->matrix, s->side);
    for (int c = 0; c < classes * lanes; c += lanes)
        EACH_LANE s->side[c + i] *= s->step;
    for (int c = 0; c < classes; c++) {
        EACH_LANE change[c][i] = s->side[c * lanes + i];
        if (!cut)
            continue;
        EACH_LANE change[c][i] = 0.0;
        for (int j = 0; j < classes; j++)
            EACH_LANE change[c][i] +=
                s->keep[(c * classes + j) * lanes + i] * s->side[j * lanes + i];
    }
    for (int k = 0; k < b->stations; k++) {
        double *restrict total = s->level.total + k * lanes, more[LANES];
        EACH_LANE more[i] = s->miss[k * lanes + i] * s->step;
        for (int c = 0; c < classes; c++)
            EACH_LANE more[i] += s->gain[(k * classes + c) * lanes + i] * change[c][i];
        for (int j = 0; j < classes && cut && is_cut(lanes, s, k); j++)
            EACH_LANE more[i] += s->turn[(k * classes + j) * lanes + i] * s->side[j * lanes + i];
        EACH_LANE
        {
            double next =
                more[i] < 0.0 ? total[i] / (1.0 - more[i] / total[i]) : total[i] + more[i];
            s->worst[i] = larger(s->worst[i], fabs(more[i]) * s->part[i]);
            total[i] = s->moving[i] != 0.0 ? next : total[i];
        }
        newton_queues(b, lanes, residual, s, k, cut, change, more);
    }
    for (int c = 0; c < classes; c++) {
        double *restrict rate = s->level.rate + c * lanes;
        EACH_LANE
        {
            double part = s->side[c * lanes + i];
            double next = 1.0 + part > STEP_MOST ? STEP_MOST : 1.0 + part;
            next = part < 0.0 ? 1.0 / (1.0 - part) : next;
            s->worst[i] = larger(s->worst[i], fabs(part));
            rate[i] = s->moving[i] != 0.0 ? rate[i] * next : rate[i];
        }
    }
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
    newton_equations(b, lanes, residual, s);
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

INLINE void newton_delta(const struct closed_block *b, int lanes, struct newton *s)
{
    const int classes = b->classes;
    level_at(b, lanes, s, 0);
    const struct level all = s->level;
    for (int c = 0; c < classes; c++) {
        level_at(b, lanes, s, c + 1);
        for (int k = 0; k < b->stations; k++)
            for (int j = 0; j < classes; j++) {
                size_t at = (size_t)((k * classes + j) * lanes);
                const double *restrict n = all.inverse + j * lanes;
                const double *restrict m = s->level.inverse + j * lanes;
                const double *restrict q = all.queue + at, *restrict p = s->level.queue + at;
                double *restrict d = s->delta + ((k * classes + j) * classes + c) * lanes;
                EACH_LANE
                {
                    double share = m[i] > 0.0 ? p[i] * m[i] - q[i] * n[i] : 0.0;
                    double next = s->share == 1.0 ? share : d[i] + s->share * (share - d[i]);
                    s->worst[i] = larger(s->worst[i], fabs(share - d[i]));
                    d[i] = s->moving[i] != 0.0 ? next : d[i];
                }
            }
    }
}

/* Returns how many lanes move. */
INLINE int newton_sweep(struct closed_block *b, int lanes, bool residual, struct newton *s)
{
    int moves = 0;
    EACH_LANE s->worst[i] = 0.0;
    newton_base(b, lanes, s);
    for (int level = b->classes; level >= 0; level--) {
        level_at(b, lanes, s, level);
        newton_offset(b, lanes, s, level);
        bool cut = newton_equations(b, lanes, residual, s);
        newton_step(b, lanes, residual, s, cut);
    }
    newton_delta(b, lanes, s);
    EACH_LANE s->moving[i] = s->worst[i] > b->tolerance ? s->moving[i] : 0.0;
    EACH_LANE moves += s->moving[i] != 0.0;
    return moves;
}

INLINE void newton_answer(struct closed_block *b, int lanes, bool residual, struct newton *s)
{
    const int classes = b->classes;
    newton_base(b, lanes, s);
    level_at(b, lanes, s, 0);
    newton_offset(b, lanes, s, 0);
    bool cut = newton_equations(b, lanes, residual, s);
    memcpy(b->throughput_per_s, s->x, (size_t)(classes * lanes) * sizeof(double));
    for (int k = 0; k < b->stations; k++)
        for (int c = 0; c < classes && cut && is_cut(lanes, s, k); c++)
            EACH_LANE
            {
                double waits = s->waits[(k * classes + c) * lanes + i], x = s->x[c * lanes + i];
                b->residence_s[(k * classes + c) * lanes + i] += waits > 0.0 ? waits / x : 0.0;
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
        newton_step(b, lanes, residual, s, newton_equations(b, lanes, residual, s));
        EACH_LANE s->moving[i] = s->worst[i] > NEAR ? s->moving[i] : 0.0;
        EACH_LANE moves += s->moving[i] != 0.0;
    }
    newton_equations(b, lanes, residual, s); /* queues of lanes that stayed before others */
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
    for (; sweeps < most && moves > 0 && !interrupt_requested(); sweeps++) {
        s.share = sweeps < STEPS_WHOLE ? 1.0 : PART_SHORT;
        moves = newton_sweep(b, lanes, residual, &s);
    }
    EACH_LANE b->unsettled[i] = s.moving[i];
    newton_answer(b, lanes, residual, &s);
}

#define INSTANCES(suffix, lanes)                                                                   \
    closed_solver JOIN(closed_newton_##suffix##_, SIMD_LEVEL);                                     \
    void JOIN(closed_newton_##suffix##_, SIMD_LEVEL)(struct closed_block * b)                      \
    {                                                                                              \
        if (b->residual)                                                                           \
            newton(b, lanes, true);                                                                \
        else                                                                                       \
            newton(b, lanes, false);                                                               \
    }

INSTANCES(one, 1)
INSTANCES(many, LANES)
