/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step of Newton's method for one population of a closed network (closed_newton.simd.c, which
 * has the equations): throughputs and queues, at differences that stand. Only for that file. */
#ifndef BANDSCAPE_QUEUEING_CLOSED_NEWTON_STEP_H
#define BANDSCAPE_QUEUEING_CLOSED_NEWTON_STEP_H

#include <math.h>
#include <string.h>

#include "queueing/closed_lanes.h"

/* A step at most multiplies or divides a throughput by that; a queue that falls does so in its
 * reciprocal, in which a queue before a station that empties is a line. */
#define STEP_MOST 4.0

struct level {
    double *n, *inverse;  /* [class]: customers; 1 / n, or 0 */
    double *rate, *total; /* y [class], Q [station] */
    double *queue;        /* [station][class] */
};

struct newton {
    struct level level;
    double *levels;
    double *delta, *base;  /* [station][class][class]; [station][class]: offsets of all */
    double *lack;          /* like delta: what it missed in the sweep before */
    double *offset;        /* [station][class]: of the level */
    double *x, *time;      /* [class]: throughputs; Z + sum R */
    double *waits;         /* [station][class]: W */
    double *pull;          /* [station][class]: y_c dR_kc / dQ_k */
    double *gain;          /* [station][class]: dQ_k / dx_c x_c */
    double *own, *hold;    /* [station][class]: x_c dQ_kc / dx_c at Q_k as it is; dQ_kc / dQ_k */
    double *turn;          /* [station][class]: dQ_k / dy_c y_c by its cut */
    double *over;          /* [station]: by how much it was beyond its capacity, at least 1 */
    double *cuts;          /* [station], of all lanes: whether one of them was */
    double *miss;          /* [station]: g / (1 - own share in its queue) */
    double *back;          /* [station]: 1 / (1 - own share in its queue) */
    double *keep;          /* [class][class]: dx_c / dy_j y_j / x_c */
    double *bend;          /* [class][class]: of the matrix, by the cuts */
    double *matrix, *side; /* [class][class], [class] */
    double step;           /* of a whole one */
    double *share;         /* of what differences miss, that they go on by */
    double *part;          /* of a customer in all of the population */
    double *worst, *moving;
    double *nearest;       /* the least of worst in any sweep */
    double *went, *turned; /* by sweeps that are kept, like delta: what it went on by; what its
                            * miss changed by */
    int *asking;       /* [station][class]: classes that ask for it in some lane, */
    int *asking_count; /* [station]: so many */
};

/* The classes c of which somebody asks for station k; the others' queues there stay 0. */
#define EACH_ASKING(c, k)                                                                          \
    for (int c##_at = (k)*b->classes, c##_end = c##_at + s->asking_count[k], c;                    \
         c##_at < c##_end && (c = s->asking[c##_at], true); c##_at++)

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

/* To the capacity of a station where that is exceeded. */
INLINE void newton_cut_at(const struct closed_block *b, int lanes, struct newton *s, int k)
{
    const int classes = b->classes;
    const double *restrict demand = b->demand_s + (size_t)(k * classes * lanes);
    const double *restrict over = s->over + k * lanes;
    for (int j = 0; j < classes; j++) {
        double *restrict turn = s->turn + (k * classes + j) * lanes, sum[LANES];
        EACH_LANE sum[i] = 0.0;
        EACH_ASKING(c, k)
        {
            const double *restrict x = s->x + c * lanes, *restrict d = demand + c * lanes;
            const double *restrict keep = s->keep + (c * classes + j) * lanes;
            EACH_LANE sum[i] += x[i] * d[i] * keep[i];
        }
        EACH_LANE turn[i] = over[i] > 1.0 ? sum[i] * b->spread[k] : 0.0;
    }
    EACH_ASKING(c, k)
    {
        double *restrict x = s->x + c * lanes, follows[LANES];
        double *restrict waits = s->waits + (k * classes + c) * lanes;
        EACH_LANE
        {
            double part = demand[c * lanes + i] > 0.0 ? over[i] : 1.0, left = 1.0 / part;
            follows[i] = part > 1.0 ? -left : 0.0;
            waits[i] = part > 1.0 ? (part - 1.0) / x[i] : 0.0;
            x[i] *= left;
        }
        for (int j = 0; j < classes; j++)
            add_product(lanes, s->keep + (c * classes + j) * lanes,
                        s->turn + (k * classes + j) * lanes, follows);
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
        int any = 0;
        EACH_LANE over[i] = 0.0;
        EACH_ASKING(c, k)
        add_product(lanes, over, s->x + c * lanes, demand + c * lanes);
        EACH_LANE over[i] = larger(over[i] * b->spread[k], 1.0);
        EACH_LANE any |= over[i] > 1.0;
        s->cuts[k] = any ? 1.0 : 0.0;
        if (any)
            newton_cut_at(b, lanes, s, k);
        cut |= any;
    }
    return cut;
}

/* Customers who wait before a capacity: of a cut from x over, n x_end / x (over - 1). How many more
 * there are as it is beyond: of one cut n (1 - 1/over). */
INLINE void newton_waits(const struct closed_block *b, int lanes, struct newton *s, int k)
{
    double all[LANES];
    const double *restrict over = s->over + k * lanes;
    EACH_LANE all[i] = 0.0;
    EACH_ASKING(c, k)
    {
        const double *restrict demand = b->demand_s + (k * b->classes + c) * lanes;
        const double *restrict n = s->level.n + c * lanes, *restrict x = s->x + c * lanes;
        double *restrict waits = s->waits + (k * b->classes + c) * lanes;
        EACH_LANE
        {
            waits[i] = n[i] > 0.0 ? n[i] * x[i] * waits[i] : 0.0;
            all[i] += demand[i] > 0.0 ? n[i] : 0.0;
        }
    }
    EACH_LANE all[i] /= over[i] * over[i];
    for (int j = 0; j < b->classes; j++)
        EACH_LANE s->turn[(k * b->classes + j) * lanes + i] *= all[i];
}

/* What a station adds to the equations without its queue; `share`: of itself in that. */
INLINE void newton_join(struct closed_block *b, int lanes, struct newton *s, int k, bool cut,
                        const double *excess, const double *share, const double *have)
{
    const int classes = b->classes;
    const double *restrict total = s->level.total + k * lanes;
    double *restrict back = s->back + k * lanes, miss[LANES];
    EACH_LANE
    {
        double lack = have[i] - total[i];
        back[i] = 1.0 / larger(1.0 - share[i], lack * s->part[i]);
        miss[i] = lack * back[i];
        s->miss[k * lanes + i] = miss[i];
    }
    EACH_ASKING(j, k)
    {
        size_t at = (size_t)((k * classes + j) * lanes);
        const double *restrict demand = b->demand_s + at, *restrict x = s->x + j * lanes;
        const double *restrict own = s->own + at;
        double *restrict gain = s->gain + at, here[LANES];
        EACH_LANE
        {
            double served = excess[i] * demand[i] * x[i];
            gain[i] = (own[i] - share[i] * served) * back[i];
            here[i] = gain[i] - served;
        }
        EACH_ASKING(c, k)
        add_product(lanes, s->matrix + (c * classes + j) * lanes,
                    s->pull + (k * classes + c) * lanes, here);
    }
    for (int j = 0; j < classes && cut; j++) {
        double *restrict turn = s->turn + (k * classes + j) * lanes;
        EACH_LANE turn[i] *= back[i];
        EACH_ASKING(c, k)
        add_product(lanes, s->bend + (c * classes + j) * lanes, s->pull + (k * classes + c) * lanes,
                    turn);
    }
    EACH_LANE miss[i] = -miss[i];
    EACH_ASKING(c, k)
    add_product(lanes, s->side + c * lanes, s->pull + (k * classes + c) * lanes, miss);
}

/* Residence times at a station. */
INLINE void newton_station(struct closed_block *b, int lanes, bool residual, struct newton *s,
                           int k, bool cut)
{
    const int classes = b->classes;
    const double spread = b->spread[k];
    double load[LANES], share[LANES], have[LANES], excess[LANES];
    EACH_LANE load[i] = share[i] = have[i] = 0.0;
    EACH_LANE excess[i] = residual ? b->excess[k * lanes + i] : 0.0;
    if (residual)
        EACH_ASKING(c, k)
            EACH_LANE load[i] += s->x[c * lanes + i] * b->demand_s[(k * classes + c) * lanes + i];
    EACH_ASKING(c, k)
    {
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
                seen -= excess[i] * (load[i] - served * inverse[i]);
            double stay = demand[i] * (1.0 + spread * seen) * part;
            bool least = !(stay > demand[i]);
            double slope = least ? 0.0 : spread * demand[i] * part;
            double bend = least ? 0.0 : part * own * (excess[i] * demand[i] - stay);
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
            memcpy(row[j], s->bend + (c * classes + j) * lanes, (size_t)lanes * sizeof(double));
            for (int m = 0; m < classes; m++)
                add_product(lanes, row[j], s->matrix + (c * classes + m) * lanes,
                            s->keep + (m * classes + j) * lanes);
        }
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
    if (cut)
        memset(s->bend, 0, (size_t)(classes * classes * lanes) * sizeof(double));
    memcpy(s->time, b->think_s, (size_t)(classes * lanes) * sizeof(double));
    for (int k = 0; k < b->stations; k++) {
        bool here = cut && s->cuts[k] != 0.0;
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
    double seen[LANES];
    EACH_LANE seen[i] = 0.0;
    if (residual)
        EACH_ASKING(c, k)
        {
            const double *restrict x = s->x + c * lanes, *restrict by = change[c];
            const double *restrict demand = b->demand_s + (k * classes + c) * lanes;
            EACH_LANE seen[i] += x[i] * demand[i] * by[i];
        }
    EACH_LANE seen[i] = residual ? more[i] - b->excess[k * lanes + i] * seen[i] : more[i];
    EACH_ASKING(c, k)
    {
        size_t at = (size_t)((k * classes + c) * lanes);
        const double *restrict own = s->own + at, *restrict hold = s->hold + at;
        const double *restrict by = change[c];
        double *restrict queue = s->level.queue + at;
        EACH_LANE queue[i] += own[i] * by[i] + hold[i] * seen[i];
    }
    if (!cut)
        return;
    double all[LANES], waits[LANES];
    const double *restrict back = s->back + k * lanes;
    EACH_LANE all[i] = waits[i] = 0.0;
    for (int c = 0; c < classes; c++)
        add_product(lanes, waits, s->turn + (k * classes + c) * lanes, s->side + c * lanes);
    EACH_ASKING(c, k)
    {
        const double *restrict demand = b->demand_s + (k * classes + c) * lanes;
        const double *restrict n = s->level.n + c * lanes;
        EACH_LANE all[i] += demand[i] > 0.0 ? n[i] : 0.0;
    }
    EACH_LANE waits[i] = all[i] > 0.0 ? waits[i] / (back[i] * all[i]) : 0.0;
    EACH_ASKING(c, k)
    {
        const double *restrict demand = b->demand_s + (k * classes + c) * lanes;
        const double *restrict n = s->level.n + c * lanes;
        double *restrict queue = s->level.queue + (k * classes + c) * lanes;
        EACH_LANE queue[i] += demand[i] > 0.0 ? n[i] * waits[i] : 0.0;
    }
}

/* Goes the step in the lanes that move; worst grows to the largest part of it, of a throughput or
 * of all customers. */
INLINE void newton_step(const struct closed_block *b, int lanes, bool residual, struct newton *s,
                        bool cut)
{
    const int classes = b->classes;
    double change[CLOSED_NEWTON_CLASSES][LANES], all[LANES], *restrict worst = s->worst;
    EACH_LANE all[i] = 1.0 / s->part[i];
    solve_linear(lanes, classes, s->matrix, s->side);
    for (int c = 0; c < classes * lanes; c += lanes)
        EACH_LANE s->side[c + i] *= s->step;
    for (int c = 0; c < classes; c++) {
        EACH_LANE change[c][i] = s->side[c * lanes + i];
        if (!cut)
            continue;
        EACH_LANE change[c][i] = 0.0;
        for (int j = 0; j < classes; j++)
            add_product(lanes, change[c], s->keep + (c * classes + j) * lanes, s->side + j * lanes);
    }
    for (int k = 0; k < b->stations; k++) {
        double *restrict total = s->level.total + k * lanes, more[LANES];
        bool here = cut && s->cuts[k] != 0.0;
        EACH_LANE more[i] = s->miss[k * lanes + i] * s->step;
        EACH_ASKING(c, k)
        add_product(lanes, more, s->gain + (k * classes + c) * lanes, change[c]);
        for (int j = 0; j < classes && here; j++)
            add_product(lanes, more, s->turn + (k * classes + j) * lanes, s->side + j * lanes);
        EACH_LANE
        {
            double less = total[i] * total[i] / (total[i] - more[i]);
            double next = more[i] < 0.0 ? less : smaller(total[i] + more[i], all[i]);
            worst[i] = larger(worst[i], fabs(more[i]) * s->part[i]);
            total[i] = s->moving[i] != 0.0 ? next : total[i];
        }
        newton_queues(b, lanes, residual, s, k, here, change, more);
    }
    for (int c = 0; c < classes; c++) {
        double *restrict rate = s->level.rate + c * lanes;
        EACH_LANE
        {
            double part = s->side[c * lanes + i];
            double next = smaller(1.0 + fabs(part), STEP_MOST);
            next = part < 0.0 ? 1.0 / next : next;
            worst[i] = larger(worst[i], fabs(part));
            rate[i] = s->moving[i] != 0.0 ? rate[i] * next : rate[i];
        }
    }
}

#endif
