/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes that are stopped before levels whose MSHRs are taken (places.c). */
#include <math.h>

#include "network/solution.h"

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

/* Classes wait for each other: some rounds over all of them. */
void work_stop(struct work *w, const struct term_operand *args, int from, int p)
{
    enum { ROUNDS = 4 };
    int classes = w->network->classes;
    for (int round = 0; round < (classes > 1 ? ROUNDS : 1); round++)
        for (int c = 0; c < classes; c++) {
            struct stopped stopped = {w, args, c, p, from};
            int at = c * CHUNK + p;
            double taken = w->population[at] > 0 ? work_places_taken(w, args, c, from, p) : 0;
            if (!(taken > 1 + 1e-4) && w->blocked[at] == 0)
                continue;
            /* A delay alone that lets no more through than now fit. */
            double most = w->blocked[at] + taken * w->population[at] / w->throughput[at];
            if (taken_when_blocked(&stopped, 0) > 1)
                network_blocked(taken_when_blocked, &stopped, most);
        }
}
