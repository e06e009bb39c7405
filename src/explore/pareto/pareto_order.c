/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lexicographic order, and fronts and ranks in it. */
#include "explore/pareto/pareto_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/prefetch.h"

enum {
    SORT_SHORT = 32,  /* items up to which insertion is faster */
    SORT_DIGIT = 12,  /* bits a pass, at most: as many places as stay in the first-level cache */
    SORT_MORE = 2,    /* bits looked at beyond those that would tell all items apart */
    SORT_PASSES = 3,  /* for 2^32 items */
    ORDER_AHEAD = 16, /* groups ahead of which a value is asked for */
};

int pareto_refuse(double value, int objective, uint64_t point, struct error *error)
{
    return error_set(error, STATUS_INPUT,
                     "objective %d of point %llu (counting from 0) is %s: only finite values can "
                     "be compared",
                     objective, (unsigned long long)point, isnan(value) ? "NaN" : "infinite");
}

uint64_t pareto_key(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static void sort_insertion(struct pareto_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct pareto_item item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Which bits of keys, less the least of them, are looked at: passes * width from `shift` on. */
struct sort_digits {
    uint64_t least;
    int shift, width, passes;
};

static int bits_of(uint64_t number)
{
    return number ? 64 - __builtin_clzll(number) : 0;
}

/* The leading ones of the range that occurs, so many that few keys agree in them. */
static struct sort_digits sort_plan(const struct pareto_item *items, size_t count)
{
    uint64_t least = items[0].key, most = items[0].key;
    for (size_t i = 1; i < count; i++) {
        least = items[i].key < least ? items[i].key : least;
        most = items[i].key > most ? items[i].key : most;
    }
    int bits = bits_of(most - least), wanted = bits_of(count) + SORT_MORE;
    struct sort_digits plan = {.least = least};
    wanted = bits < wanted ? bits : wanted;
    plan.passes = (wanted + SORT_DIGIT - 1) / SORT_DIGIT;
    if (plan.passes > 0)
        plan.width = (wanted + plan.passes - 1) / plan.passes;
    int all = plan.passes * plan.width;
    plan.shift = bits > all ? bits - all : 0;
    return plan;
}

/* By those bits, the last ones first; returns where they lie then. */
static struct pareto_item *sort_passes(const struct sort_digits *plan, struct pareto_item *items,
                                       size_t count, struct pareto_item *spare)
{
    uint32_t places[SORT_PASSES][1 << SORT_DIGIT];
    uint64_t mask = ((uint64_t)1 << plan->width) - 1;
    struct pareto_item *from = items, *to = spare;
    for (int p = 0; p < plan->passes; p++)
        memset(places[p], 0, sizeof **places << plan->width);
    for (size_t i = 0; i < count; i++) {
        uint64_t key = (items[i].key - plan->least) >> plan->shift;
        for (int p = 0; p < plan->passes; p++, key >>= plan->width)
            places[p][key & mask]++;
    }
    for (int p = 0; p < plan->passes; p++) {
        int shift = plan->shift + p * plan->width;
        uint32_t sum = 0;
        for (size_t digit = 0; digit <= mask; digit++) {
            uint32_t here = places[p][digit];
            places[p][digit] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++)
            to[places[p][(from[i].key - plan->least) >> shift & mask]++] = from[i];
        struct pareto_item *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

void pareto_sort_items(struct pareto_item *items, size_t count, struct pareto_item *spare)
{
    if (count <= SORT_SHORT) {
        sort_insertion(items, count);
        return;
    }
    struct sort_digits plan = sort_plan(items, count);
    if (plan.passes == 0)
        return; /* all are equal */
    if (sort_passes(&plan, items, count, spare) != items)
        memcpy(items, spare, count * sizeof *items);
    for (size_t i = 0; plan.shift > 0 && i < count;) { /* those that agree in these bits */
        uint64_t leading = (items[i].key - plan.least) >> plan.shift;
        size_t end = i + 1;
        while (end < count && (items[end].key - plan.least) >> plan.shift == leading)
            end++;
        pareto_sort_items(items + i, end - i, spare);
        i = end;
    }
}

struct order_state {
    const double *const *keys;
    int objectives;
    const uint64_t *ids;
    struct pareto_item *items, *spare;
    struct pareto_order *order;
};

/* Items from .. to-1 are equal in all objectives; the sort is stable: indices ascend already. */
static void order_group(struct order_state *state, size_t from, size_t to)
{
    struct pareto_item *items = state->items;
    for (size_t i = from; state->ids && i < to; i++)
        items[i].key = state->ids[items[i].index];
    if (state->ids)
        pareto_sort_items(items + from, to - from, state->spare);
    state->order->first[state->order->groups++] = (uint32_t)from;
}

/* Sorts items[from..to), equal in the objectives before `column`, by the rest. */
static void order_run(struct order_state *state, size_t from, size_t to, int column)
{
    struct pareto_item *items = state->items;
    if (column == state->objectives) {
        order_group(state, from, to);
        return;
    }
    for (size_t i = from; i < to; i++)
        items[i].key = pareto_key(state->keys[column][items[i].index]);
    pareto_sort_items(items + from, to - from, state->spare);
    for (size_t i = from; i < to;) {
        uint64_t key = items[i].key;
        size_t end = i + 1;
        while (end < to && items[end].key == key)
            end++;
        if (end - i == 1)
            state->order->first[state->order->groups++] = (uint32_t)i;
        else
            order_run(state, i, end, column + 1);
        i = end;
    }
}

void pareto_order_init(struct pareto_order *order, const double *const *keys, int objectives,
                       const uint64_t *ids, size_t count)
{
    struct order_state state = {keys, objectives, ids, NULL, NULL, order};
    state.items = memory_filled(2 * count, sizeof *state.items);
    state.spare = state.items + count;
    order->order = memory_filled(count, sizeof *order->order);
    order->first = memory_filled(count + 1, sizeof *order->first);
    order->groups = 0;
    for (size_t i = 0; i < count; i++)
        state.items[i].index = (uint32_t)i;
    order_run(&state, 0, count, 0);
    for (size_t i = 0; i < count; i++)
        order->order[i] = state.items[i].index;
    order->first[order->groups] = (uint32_t)count;
    free(state.items);
}

void pareto_order_fini(struct pareto_order *order)
{
    free(order->order);
    free(order->first);
    *order = (struct pareto_order){0};
}

/* The index of a group's first point. */
static uint32_t order_leader(const struct pareto_order *order, size_t group)
{
    return order->order[order->first[group]];
}

/* Replaces an objective's values by their places among the distinct ones. */
static uint32_t *order_places(const struct pareto_order *order, const double *key)
{
    size_t groups = order->groups;
    uint32_t *places = memory_filled(groups, sizeof *places);
    struct pareto_item *items = memory_filled(2 * groups, sizeof *items);
    for (size_t g = 0; g < groups; g++)
        items[g] = (struct pareto_item){pareto_key(key[order_leader(order, g)]), (uint32_t)g};
    pareto_sort_items(items, groups, items + groups);
    uint32_t place = 0;
    for (size_t i = 0; i < groups; i++) {
        place += i > 0 && items[i].key != items[i - 1].key;
        places[items[i].index] = place;
    }
    free(items);
    return places;
}

static void front_2d(const struct pareto_order *order, const double *y, bool *on_front)
{
    double best = 0.0;
    for (size_t g = 0; g < order->groups; g++) {
        double here = y[order_leader(order, g)];
        on_front[g] = g == 0 || here < best;
        if (on_front[g])
            best = here;
    }
}

/* Kung, Luccio and Preparata (J. ACM 22(4), 1975) for three objectives: groups come by the first
 * one; a Fenwick tree over the places of the second has the least third one so far. Dominated is
 * what finds one as low on its way down, and where a node is as low those above it are. */
static void front_3d(const struct pareto_order *order, const double *const *keys, bool *on_front)
{
    uint32_t groups = (uint32_t)order->groups, *y = order_places(order, keys[1]);
    double *tree = memory_filled((size_t)groups + 1, sizeof *tree);
    for (size_t i = 0; i <= groups; i++)
        tree[i] = HUGE_VAL;
    for (uint32_t g = 0; g < groups; g++) {
        if (g + ORDER_AHEAD < groups)
            prefetch_read(&keys[2][order_leader(order, g + ORDER_AHEAD)]);
        double z = keys[2][order_leader(order, g)];
        uint32_t i = y[g] + 1;
        while (i > 0 && tree[i] > z)
            i &= i - 1;
        on_front[g] = i == 0;
        for (i = y[g] + 1; on_front[g] && i <= groups && tree[i] > z; i += i & -i)
            tree[i] = z;
    }
    free(tree);
    free(y);
}

static void order_divide(const struct pareto_order *order, const double *const *keys,
                         int objectives, bool front_only, uint32_t *rank)
{
    uint32_t *values[PARETO_OBJECTIVES_MAX] = {NULL};
    for (int j = 1; j < objectives; j++)
        values[j] = order_places(order, keys[j]);
    pareto_divide((const uint32_t *const *)values, objectives, order->groups, front_only, rank);
    for (int j = 1; j < objectives; j++)
        free(values[j]);
}

void pareto_order_front(const struct pareto_order *order, const double *const *keys, int objectives,
                        bool *on_front)
{
    if (objectives == 1) {
        for (size_t g = 0; g < order->groups; g++)
            on_front[g] = g == 0;
    } else if (objectives == 2) {
        front_2d(order, keys[1], on_front);
    } else if (objectives == 3) {
        front_3d(order, keys, on_front);
    } else {
        uint32_t *rank = memory_alloc(order->groups * sizeof *rank);
        order_divide(order, keys, objectives, true, rank);
        for (size_t g = 0; g < order->groups; g++)
            on_front[g] = rank[g] == 0;
        free(rank);
    }
}

/* A group belongs to the first front whose lowest y so far does not dominate
 * it; these lowest values ascend with the rank, so that a binary search finds it. */
static void ranks_2d(const struct pareto_order *order, const double *y, uint32_t *rank)
{
    uint64_t *lowest = memory_alloc(order->groups * sizeof *lowest); /* as whole numbers */
    size_t fronts = 0;
    for (size_t g = 0; g < order->groups; g++) {
        if (g + ORDER_AHEAD < order->groups)
            prefetch_read(&y[order_leader(order, g + ORDER_AHEAD)]);
        uint64_t here = pareto_key(y[order_leader(order, g)]);
        size_t low = 0;
        for (size_t left = fronts; left > 0;) { /* no branch depends on the numbers */
            size_t half = (left + 1) / 2;
            low += lowest[low + half - 1] <= here ? half : 0;
            left -= half;
        }
        lowest[low] = here;
        fronts += low == fronts;
        rank[g] = (uint32_t)low;
    }
    free(lowest);
}

void pareto_order_ranks(const struct pareto_order *order, const double *const *keys, int objectives,
                        uint32_t *rank)
{
    if (objectives == 1)
        for (size_t g = 0; g < order->groups; g++)
            rank[g] = (uint32_t)g;
    else if (objectives == 2)
        ranks_2d(order, keys[1], rank);
    else
        order_divide(order, keys, objectives, false, rank);
}
