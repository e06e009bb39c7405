/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Non-dominated sorting of points in lexicographic order, by divide and
 * conquer: Jensen, "Reducing the run-time complexity of multiobjective EAs",
 * IEEE Trans. Evol. Comput. 7(5), 2003, in the form that is free of trouble
 * with equal values: since equal points are grouped and the order is
 * lexicographic, an earlier point dominates a later one exactly when it is <=
 * in the objectives 1 .. d-1.
 *
 *   sort(S):  split S by order into an earlier half L and a later half H;
 *             sort(L);  raise(L, H, d-1);  sort(H)
 *   raise(L, H, c):  rank[h] = max(rank[h], rank[l] + 1) for l <= h in the
 *             objectives 1 .. c, by halving the range of objective c:
 *             raise(L low, H low, c); raise(L low, H high, c-1);
 *             raise(L high, H high, c); at c = 2 one sweep over objective 1
 *             with a tree of prefix maxima over objective 2.
 *
 * Every list is kept in the order of objective 1, so that nothing is sorted on
 * the way. O(n log^(d-1) n). */
#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "explore/pareto/pareto_order.h"

enum { DIVIDE_SMALL = 16 }; /* below this, comparing all pairs is faster */

struct divide {
    const uint32_t *const *values;
    int objectives;
    uint32_t groups;
    bool front_only;
    uint32_t *rank, *tree;
};

struct divide_list {
    uint32_t *items; /* groups in the order of objective 1 */
    size_t count;
};

static void raise_pairs(struct divide *divide, struct divide_list low, struct divide_list high,
                        int top)
{
    for (size_t i = 0; i < high.count; i++) {
        uint32_t h = high.items[i], best = divide->rank[h];
        for (size_t k = 0; k < low.count; k++) {
            uint32_t l = low.items[k];
            if (divide->rank[l] < best)
                continue;
            int j = 1;
            while (j <= top && divide->values[j][l] <= divide->values[j][h])
                j++;
            if (j > top)
                best = divide->rank[l] + 1;
        }
        divide->rank[h] = best;
    }
}

static void raise_sweep(struct divide *divide, struct divide_list low, struct divide_list high)
{
    const uint32_t *y = divide->values[1], *z = divide->values[2];
    size_t entered = 0;
    for (size_t i = 0; i < high.count; i++) {
        uint32_t h = high.items[i];
        for (; entered < low.count && y[low.items[entered]] <= y[h]; entered++) {
            uint32_t l = low.items[entered];
            fenwick_raise(divide->tree, divide->groups, z[l], divide->rank[l] + 1);
        }
        uint32_t best = fenwick_maximum(divide->tree, z[h]);
        if (best > divide->rank[h])
            divide->rank[h] = best;
    }
    while (entered > 0)
        fenwick_clear(divide->tree, divide->groups, z[low.items[--entered]]);
}

static void list_range(const uint32_t *values, struct divide_list list, uint32_t *least,
                       uint32_t *most)
{
    *least = UINT32_MAX;
    *most = 0;
    for (size_t i = 0; i < list.count; i++) {
        uint32_t value = values[list.items[i]];
        *least = value < *least ? value : *least;
        *most = value > *most ? value : *most;
    }
}

/* Splits by value <= pivot into two lists that lie one after the other in `room`. */
static void list_split(const uint32_t *values, struct divide_list list, uint32_t pivot,
                       uint32_t *room, struct divide_list *low, struct divide_list *high)
{
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++)
        count += values[list.items[i]] <= pivot;
    *low = (struct divide_list){room, 0};
    *high = (struct divide_list){room + count, 0};
    for (size_t i = 0; i < list.count; i++) {
        struct divide_list *side = values[list.items[i]] <= pivot ? low : high;
        side->items[side->count++] = list.items[i];
    }
}

static void divide_raise(struct divide *divide, struct divide_list low, struct divide_list high,
                         int top)
{
    if (interrupt_requested()) /* whoever asked looks again */
        return;
    if (low.count <= DIVIDE_SMALL || high.count <= DIVIDE_SMALL) {
        raise_pairs(divide, low, high, top);
        return;
    }
    if (top == 2) {
        raise_sweep(divide, low, high);
        return;
    }
    const uint32_t *values = divide->values[top];
    uint32_t low_least, low_most, high_least, high_most;
    list_range(values, low, &low_least, &low_most);
    list_range(values, high, &high_least, &high_most);
    if (low_least > high_most)
        return;
    if (low_most <= high_least) {
        divide_raise(divide, low, high, top - 1);
        return;
    }
    /* Halving the range rather than the lists needs no median: the values are
     * places 0 .. n-1, so that the depth is at most log2 n all the same. */
    uint32_t least = low_least < high_least ? low_least : high_least;
    uint32_t most = low_most > high_most ? low_most : high_most;
    uint32_t pivot = least + (most - least) / 2;
    uint32_t *room = memory_alloc((low.count + high.count) * sizeof *room);
    struct divide_list low_low, low_high, high_low, high_high;
    list_split(values, low, pivot, room, &low_low, &low_high);
    list_split(values, high, pivot, room + low.count, &high_low, &high_high);
    divide_raise(divide, low_low, high_low, top);
    divide_raise(divide, low_low, high_high, top - 1);
    divide_raise(divide, low_high, high_high, top);
    free(room);
}

static struct divide_list list_undominated(const struct divide *divide, struct divide_list list,
                                           uint32_t *room)
{
    struct divide_list result = {room, 0};
    for (size_t i = 0; i < list.count; i++)
        if (divide->rank[list.items[i]] == 0)
            result.items[result.count++] = list.items[i];
    return result;
}

/* The list holds the groups from .. to-1. */
static void divide_sort(struct divide *divide, struct divide_list list, uint32_t from, uint32_t to)
{
    if (list.count < 2)
        return;
    uint32_t middle = from + (to - from) / 2;
    uint32_t *room = memory_alloc(2 * list.count * sizeof *room);
    struct divide_list low = {room, 0}, high = {room + (middle - from), 0};
    for (size_t i = 0; i < list.count; i++) {
        struct divide_list *side = list.items[i] < middle ? &low : &high;
        side->items[side->count++] = list.items[i];
    }
    divide_sort(divide, low, from, middle);
    if (divide->front_only) { /* dominated points neither dominate nor matter */
        uint32_t *more = room + list.count;
        divide_raise(divide, list_undominated(divide, low, more),
                     list_undominated(divide, high, more + low.count), divide->objectives - 1);
    } else {
        divide_raise(divide, low, high, divide->objectives - 1);
    }
    divide_sort(divide, high, middle, to);
    free(room);
}

void pareto_divide(const uint32_t *const *values, int objectives, size_t groups, bool front_only,
                   uint32_t *rank)
{
    struct divide divide = {values, objectives, (uint32_t)groups, front_only, rank, NULL};
    divide.tree = memory_zero(groups + 1, sizeof *divide.tree);
    struct pareto_item *items = memory_alloc(2 * groups * sizeof *items);
    for (size_t g = 0; g < groups; g++) {
        rank[g] = 0;
        items[g] = (struct pareto_item){values[1][g], (uint32_t)g};
    }
    pareto_sort_items(items, groups, items + groups);
    struct divide_list list = {memory_alloc(groups * sizeof *list.items), groups};
    for (size_t g = 0; g < groups; g++)
        list.items[g] = items[g].index;
    free(items);
    divide_sort(&divide, list, 0, (uint32_t)groups);
    free(list.items);
    free(divide.tree);
}
