/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the Pareto algorithms share: sorting, and the front and the ranks of
 * points in lexicographic order. Here all objectives are minimised and finite;
 * -0.0 has been made 0.0.
 *
 * After a lexicographic sort with equal points put together, an earlier point
 * dominates a later one exactly when it is no worse in the objectives 1 .. d-1,
 * and a later one never dominates an earlier one. All algorithms rest on that. */
#ifndef BANDSCAPE_EXPLORE_PARETO_ORDER_H
#define BANDSCAPE_EXPLORE_PARETO_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore/pareto/pareto_front.h"

struct pareto_item {
    uint64_t key;
    uint32_t index;
};

/* The error about a NaN or an infinity. */
int pareto_refuse(double value, int objective, uint64_t point, struct error *error);

/* A whole number with the same order as the double. */
uint64_t pareto_key(double value);

/* Sorts by key, stable; `spare` has room for count items. Radix sort, O(n): by leading bits, from
 * the last digit of them to the first, then what agrees in these by the next ones. */
void pareto_sort_items(struct pareto_item *items, size_t count, struct pareto_item *spare);

/* How many of n ascending numbers are at most x; no branch depends on them. */
static inline size_t pareto_count_at_most(const double *numbers, size_t n, double x)
{
    size_t below = 0;
    for (size_t left = n; left > 0;) {
        size_t half = (left + 1) / 2;
        below += numbers[below + half - 1] <= x ? half : 0;
        left -= half;
    }
    return below;
}

/* Points sorted by objective 0, then 1, ..., then by id (ids NULL: by index).
 * order[first[g]] .. order[first[g+1]-1] are the members of group g, equal in
 * all objectives. */
struct pareto_order {
    uint32_t *order; /* count */
    uint32_t *first; /* groups + 1 */
    size_t groups;
};
void pareto_order_init(struct pareto_order *order, const double *const *keys, int objectives,
                       const uint64_t *ids, size_t count);
void pareto_order_fini(struct pareto_order *order);

/* on_front[g]: whether group g is on the front. */
void pareto_order_front(const struct pareto_order *order, const double *const *keys, int objectives,
                        bool *on_front);

/* rank[g]: rank of group g by non-dominated sorting. */
void pareto_order_ranks(const struct pareto_order *order, const double *const *keys, int objectives,
                        uint32_t *rank);

/* Divide and conquer over objectives (pareto_divide.c), d >= 3: ranks, or with
 * `front_only` just 0 for the front and anything else for the rest. values[j][g]
 * is the place of group g among the distinct values of objective j. */
void pareto_divide(const uint32_t *const *values, int objectives, size_t groups, bool front_only,
                   uint32_t *rank);

/* A Fenwick tree of prefix maxima over 0 .. size-1, zero at first: */
/* the maximum of places 0 .. at, */
static inline uint32_t fenwick_maximum(const uint32_t *tree, uint32_t at)
{
    uint32_t best = 0;
    for (uint32_t i = at + 1; i > 0; i &= i - 1)
        best = tree[i] > best ? tree[i] : best;
    return best;
}
/* raising one place, */
static inline void fenwick_raise(uint32_t *tree, uint32_t size, uint32_t at, uint32_t value)
{
    for (uint32_t i = at + 1; i <= size; i += i & -i)
        tree[i] = value > tree[i] ? value : tree[i];
}
/* and back to zero wherever raising that place wrote. The tree has size + 1 cells. */
static inline void fenwick_clear(uint32_t *tree, uint32_t size, uint32_t at)
{
    for (uint32_t i = at + 1; i <= size; i += i & -i)
        tree[i] = 0;
}

#endif
