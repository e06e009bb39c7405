/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Domains and stations that are alike.
 *
 * Colours are refined until they stay: two classes keep one colour while, for each colour of
 * stations, they have the same visits there, and two stations while the classes of each colour
 * visit them alike. Then every class of a colour has the same throughput and every station of a
 * colour the same queue, so one stands for all: a class with the customers of all, a station of
 * as many copies. Only what a customer sees of its own class differs: it is spread over the
 * copies alike, while a domain's own customers may prefer some. That is at most one customer of
 * a domain's N: the collapsed network agrees with the other one within 1/N. */
#include "network/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return hash_fmix64(hash ^ (value + 0x9e3779b97f4a7c15ULL));
}

/* Rounded to 30 bits, so that sums in another order do not tell classes apart; the factor takes
 * round numbers away from where roundings meet. */
static uint64_t mix_double(uint64_t hash, double value)
{
    int exponent;
    double fraction = frexp(value * 1.0471975511965976, &exponent);
    return mix(mix(hash, (uint64_t)(int64_t)llround(fraction * 0x1p30)),
               (uint64_t)(int64_t)exponent);
}

static uint64_t visit_hash(const struct network_visit *v)
{
    uint64_t hash = mix((uint64_t)v->path, (uint64_t)v->flow);
    hash = mix(mix(hash, (uint64_t)v->miss), (uint64_t)v->amount);
    hash = mix(mix(hash, (uint64_t)v->slowness), (uint64_t)v->rest);
    return mix(hash, (uint64_t)(2 * v->writes + v->waits));
}

struct colours {
    uint64_t *class, *station;
};

static size_t count_colours(const uint64_t *colours, int n)
{
    size_t count = 0;
    for (int i = 0; i < n; i++) {
        bool known = false;
        for (int j = 0; j < i && !known; j++)
            known = colours[j] == colours[i];
        count += !known;
    }
    return count;
}

static void first_colours(const struct network *network, struct colours *c)
{
    for (int i = 0; i < network->classes; i++) {
        const struct network_class *class = &network->class[i];
        c->class[i] = mix_double(mix_double(mix_double(1, class->work), class->sms), class->writes);
        c->class[i] = mix_double(c->class[i], class -> past);
        for (int f = 0; f < class->fars; f++)
            c->class[i] =
                mix_double(mix_double(c->class[i], class -> far[f].hops), class->far[f].within);
    }
    for (int k = 0; k < network->stations; k++)
        c->station[k] =
            mix((uint64_t)network->station[k].kind + 2, (uint64_t)network->station[k].copies);
    for (size_t f = 0; f < network->flows.count; f++) {
        const struct network_flow *flow = &network->flows.items[f];
        c->class[flow->class] +=
            mix_double(mix((uint64_t)flow->path + 3, (uint64_t)flow->flow), flow->share);
    }
}

/* Visits of a class at a station with the same factors are one; they stand next to each other. */
static void refine(const struct network *network, const struct colours *old, struct colours *new)
{
    memcpy(new->class, old->class, (size_t)network->classes * sizeof *new->class);
    memcpy(new->station, old->station, (size_t)network->stations * sizeof *new->station);
    for (int i = 0; i < network->classes; i++)
        new->class[i] = mix(17, new->class[i]);
    for (int k = 0; k < network->stations; k++)
        new->station[k] = mix(19, new->station[k]);
    for (size_t v = 0; v < network->visits.count; v++) {
        const struct network_visit *visit = &network->visits.items[v];
        uint64_t hash = mix_double(visit_hash(visit), visit->weight);
        uint64_t there = visit->station < 0 ? 23 : old->station[visit->station];
        new->class[visit->class] += mix(hash, there);
        if (visit->station >= 0)
            new->station[visit->station] += mix(hash, old->class[visit->class]);
    }
}

static bool same_place(const struct network_visit *a, const struct network_visit *b)
{
    return a->station == b->station && a->class == b->class && a->path == b->path &&
           a->flow == b->flow && a->miss == b->miss && a->amount == b->amount &&
           a->slowness == b->slowness && a->rest == b->rest && a->writes == b->writes &&
           a->waits == b->waits;
}

static int visit_order(const void *left, const void *right)
{
    const struct network_visit *a = left, *b = right;
    int keys[][2] = {{a->station, b->station},   {a->class, b->class}, {(int)a->path, (int)b->path},
                     {a->flow, b->flow},         {a->miss, b->miss},   {a->amount, b->amount},
                     {a->slowness, b->slowness}, {a->rest, b->rest},   {a->writes, b->writes},
                     {a->waits, b->waits}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return a->weight < b->weight ? -1 : a->weight > b->weight;
}

/* Sorts visits, adds up those that differ in weight only, and drops those that are none. */
static void merge_visits(struct network *network)
{
    size_t kept = 0;
    struct network_visit *items = network->visits.items;
    if (network->visits.count)
        qsort(items, network->visits.count, sizeof *items, visit_order);
    for (size_t v = 0; v < network->visits.count; v++) {
        if (items[v].weight == 0)
            continue;
        if (kept && same_place(&items[kept - 1], &items[v]))
            items[kept - 1].weight += items[v].weight;
        else
            items[kept++] = items[v];
    }
    network->visits.count = kept;
}

/* group[i]: number of the colour of i, by first appearance; returns how many. */
static int number_colours(const uint64_t *colours, int n, int *group)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (colours[j] != colours[i])
            j++;
        group[i] = j < i ? group[j] : count++;
    }
    return count;
}

static void collapse_stations(struct network *network, const int *group, int count)
{
    struct network_station *merged = memory_zero((size_t)count, sizeof *merged);
    for (int k = 0; k < network->stations; k++) {
        struct network_station *station = &merged[group[k]];
        int copies = station->copies + network->station[k].copies;
        if (station->copies == 0)
            *station = network->station[k];
        station->copies = copies;
    }
    memcpy(network->station, merged, (size_t)count * sizeof *merged);
    network->stations = count;
    free(merged);
}

/* A merged class asks for the mean of what its members do. */
static void collapse_classes(struct network *network, const int *group, int count)
{
    struct network_class *merged = memory_zero((size_t)count, sizeof *merged);
    for (int i = 0; i < network->classes; i++) {
        struct network_class *class = &merged[group[i]];
        double work = class->work + network->class[i].work;
        int domains = class->domains + network->class[i].domains;
        if (class->domains == 0)
            *class = network->class[i];
        class->work = work;
        class->domains = domains;
    }
    for (size_t v = 0; v < network->visits.count; v++) {
        struct network_visit *visit = &network->visits.items[v];
        visit->class = group[visit->class];
        visit->weight /= merged[visit->class].domains;
    }
    for (size_t h = 0; h < network->holds.count; h++) {
        struct network_visit *visit = &network->holds.items[h].visit;
        visit->class = group[visit->class];
        visit->weight /= merged[visit->class].domains;
    }
    for (size_t f = 0; f < network->flows.count; f++) {
        struct network_flow *flow = &network->flows.items[f];
        flow->class = group[flow->class];
        flow->share /= merged[flow->class].domains;
    }
    memcpy(network->class, merged, (size_t)count * sizeof *merged);
    network->classes = count;
    free(merged);
}

void network_collapse(struct network *network, struct arena *arena)
{
    size_t classes = (size_t)network->classes, stations = (size_t)network->stations;
    struct colours a, b;
    merge_visits(network);
    a.class = arena_alloc(arena, classes * sizeof *a.class);
    b.class = arena_alloc(arena, classes * sizeof *b.class);
    a.station = arena_alloc(arena, stations * sizeof *a.station);
    b.station = arena_alloc(arena, stations * sizeof *b.station);
    int *group = arena_alloc(arena, (classes + stations) * sizeof *group);
    first_colours(network, &a);
    for (size_t before = 0, now = 1; now != before;) {
        refine(network, &a, &b);
        struct colours swap = a;
        a = b;
        b = swap;
        before = now;
        now =
            count_colours(a.class, network->classes) + count_colours(a.station, network->stations);
    }
    int n = number_colours(a.station, network->stations, group);
    for (size_t v = 0; v < network->visits.count; v++)
        if (network->visits.items[v].station >= 0)
            network->visits.items[v].station = group[network->visits.items[v].station];
    for (size_t h = 0; h < network->holds.count; h++) {
        int *station = &network->holds.items[h].visit.station;
        *station = *station >= 0 ? group[*station] : -1;
    }
    collapse_stations(network, group, n);
    n = number_colours(a.class, network->classes, group);
    collapse_classes(network, group, n);
    merge_visits(network);
}
