/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies and misses elsewhere, integrated over a launch. */
#include "dcl1/replication.h"

#include <math.h>

enum { STEPS = 1024 }; /* of a cache's capacity */

struct state {
    double time; /* lookups of all caches */
    double unit; /* u, lines */
    double any;  /* D, lines */
    double misses, misses_anywhere, held, distinct;
};

/* Sums over dt lookups at u and D lines. */
static void account(struct state *s, const struct curve *unit, const struct curve *all, double n,
                    double dt, double u, double d)
{
    double misses = curve_miss_ratio_full(unit, u) * dt;
    s->misses += misses;
    s->misses_anywhere += fmin(curve_miss_ratio_full(all, d) * dt, misses);
    s->held += misses * n * u;
    s->distinct += misses * d;
}

struct dcl1_replication dcl1_replication(const struct curve *unit, const struct curve *all,
                                         double n, double lines)
{
    struct state s = {0};
    double total = (double)unit->requests, step = lines / STEPS;
    if (total == 0 || !(n > 0) || !(lines > 0))
        return (struct dcl1_replication){(double)NAN, (double)NAN, (double)NAN};
    while (s.unit < lines && s.time < total) {
        /* Midpoint rule: the miss ratio half a step on. */
        double growth = curve_miss_ratio_full(unit, s.unit + step / 2) / n;
        if (growth <= 0) /* all there is to touch is held */
            break;
        double dt = fmin(step / growth, total - s.time);
        double half = s.any + curve_miss_ratio_full(all, s.any) * dt / 2;
        double any = s.any + curve_miss_ratio_full(all, half) * dt;
        double next = s.unit + growth * dt;
        account(&s, unit, all, n, dt, (s.unit + next) / 2, (s.any + any) / 2);
        s.unit = next;
        /* One cache's lines are among them, and no more than all hold. */
        s.any = fmin(fmax(any, next), n * next);
        s.time += dt;
    }
    if (s.time < total)
        account(&s, unit, all, n, total - s.time, s.unit, s.any);
    return (struct dcl1_replication){
        .elsewhere = s.misses > 0 ? 1 - s.misses_anywhere / s.misses : 0,
        .copies = s.distinct > 0 ? fmin(fmax(s.held / s.distinct, 1), n) : 1,
        .misses = s.misses / total,
    };
}
