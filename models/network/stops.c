/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes that are stopped before levels whose MSHRs are taken (places.c). */
#include <math.h>

#include "network/solution.h"

/* Of the MSHRs: as many as that more or less are all of them. */
#define NEAR 1e-3

double work_stretch(const struct work *w, int station, int c, int p)
{
    int at = (station * w->network->classes + c) * CHUNK + p;
    return w->demand[at] > 0 ? w->residence[at] / w->demand[at] : 1;
}

double work_places_taken(const struct work *w, const struct term_operand *args, int c, int from,
                         int p)
{
    if (w->network->levels == 0)
        return 0;
    for (int k = 0; k < w->network->stations; k++)
        w->stretch[k] = work_stretch(w, k, c, p);
    return network_places_taken(w->network, c, args, from + p, w->stretch,
                                w->throughput[c * CHUNK + p]);
}

void work_unstop(struct work *w)
{
    for (int at = 0; at < w->network->classes * CHUNK; at++) {
        w->think[at] -= w->blocked[at];
        w->blocked[at] = 0;
    }
}

/* Of a class at a point. */
struct stopped {
    struct work *w;
    const struct term_operand *args;
    int c, p, from;
};

static double taken_when_blocked(void *context, double blocked_s)
{
    struct stopped *s = context;
    struct work *w = s->w;
    int at = s->c * CHUNK + s->p;
    w->think[at] += blocked_s - w->blocked[at];
    w->blocked[at] = blocked_s;
    work_solve_point(w, s->p);
    return work_places_taken(w, s->args, s->c, s->from, s->p);
}

static void stop_class(struct work *w, const struct term_operand *args, int from, int p)
{
    struct stopped stopped = {w, args, 0, p, from};
    double taken = w->population[p] > 0 ? work_places_taken(w, args, 0, from, p) : 0;
    /* A delay alone that lets no more through than now fit. */
    if (taken > 1 + NEAR)
        network_blocked(taken_when_blocked, &stopped, taken * w->population[p] / w->throughput[p]);
}

/* Several classes wait for each other: all delays at once, each by what its class is over in its
 * cycle, and by half of it so that they settle. Queues behind the levels are shorter then. */
static void stop_classes(struct work *w, const struct term_operand *args, int from, int p)
{
    enum { ROUNDS = 40 };
    bool over = true;
    for (int round = 0; round < ROUNDS && over; round++) {
        over = false;
        for (int c = 0; c < w->network->classes; c++) {
            int at = c * CHUNK + p;
            double taken = w->population[at] > 0 ? work_places_taken(w, args, c, from, p) : 0;
            if (taken <= 1 + NEAR && (w->blocked[at] == 0 || taken >= 1 - NEAR))
                continue;
            double more = 0.5 * (taken - 1) * w->population[at] / w->throughput[at];
            more = fmax(more, -w->blocked[at]);
            w->think[at] += more;
            w->blocked[at] += more;
            over = true;
        }
        if (over)
            work_solve_point(w, p);
    }
}

void work_stop(struct work *w, const struct term_operand *args, int from, int p)
{
    if (w->network->classes == 1)
        stop_class(w, args, from, p);
    else
        stop_classes(w, args, from, p);
}
