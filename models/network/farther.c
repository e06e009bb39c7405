/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far away the lines are that a domain asks others for, in hops of links that have the latency
 * of all, so that a wait for several of them can be for the farthest (ends.c). */
#include <math.h>
#include <stdlib.h>

#include "network/demands.h"

static double hops_of(const struct demands *d, uint32_t i, uint32_t j)
{
    uint32_t from = system_chip(d->system, i), to = system_chip(d->system, j);
    double sum = 0;
    for (uint32_t e = 0; from != to && e < d->system->links.edges.count; e++) {
        const struct machine_edge *edge = &d->system->links.edges.items[e];
        if (edge->from < d->system->chips && !edge->own_latency)
            sum += system_route(d->system, from, to)[e] + system_route(d->system, to, from)[e];
    }
    return sum;
}

static int nearer_first(const void *left, const void *right)
{
    const struct network_distance *a = left, *b = right;
    return a->hops < b->hops ? -1 : a->hops > b->hops;
}

static void set_class(struct demands *d, uint32_t i, struct network_class *class)
{
    uint32_t n = d->system->domains;
    double all = 1 - d->share[i * n + i], sum = 0;
    class->far = arena_alloc(model_arena(d->b), n * sizeof *class->far);
    for (uint32_t j = 0; j < n; j++)
        if (j != i && d->share[i * n + j] > 0)
            class->far[class->fars++] =
                (struct network_distance){hops_of(d, i, j), d->share[i * n + j]};
    qsort(class->far, (size_t) class->fars, sizeof *class->far, nearer_first);
    for (int f = 0; f < class->fars; f++) {
        sum += class->far[f].within;
        class->far[f].within = f == class->fars - 1 ? 1 : fmin(1, sum / all);
    }
    double waits = d->net->chain_remote * class->asks;
    class->remote = waits > 0 ? all / waits : 0;
}

void demands_set_farther(struct demands *d, int lines)
{
    if (d->system->chips < 2 || !d->net->chained)
        return;
    d->net->hop = demands_latency(d, "inter.latency");
    d->net->lines = demands_argument(d, lines);
    for (uint32_t i = 0; i < d->system->domains; i++)
        if (d->class[i] >= 0)
            set_class(d, i, &d->net->class[d->class[i]]);
}
