/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums and tests over the lanes of a warp. */
#include "workload/nests/nest_lanes.h"

#include <string.h>

#include "workload/integer.h"
#include "workload/access.h"

/* ---- scalars ------------------------------------------------------------ */

static bool scalar_test(const int64_t *values, const struct test *test)
{
    switch (test->kind) {
    case CONDITION_NEVER:
    case CONDITION_ALWAYS:
        return test->kind == CONDITION_ALWAYS;
    case CONDITION_AND:
        return scalar_test(values, test->a) && scalar_test(values, test->b);
    case CONDITION_OR:
        return scalar_test(values, test->a) || scalar_test(values, test->b);
    default:
        return condition_holds(test->kind, scalar_sum(values, test->sum));
    }
}

void update_scalars(struct warp *warp, const struct updates *updates)
{
    int64_t *values = warp->values;
    for (size_t i = 0; i < updates->count; i++) {
        const struct operation *o = updates->items[i];
        if (o->op == ATOM_TABLE) /* most of them */
            values[o->place] = o->table[scalar_sum(values, o->a)];
        else if (o->op == ATOM_SELECT)
            values[o->place] = scalar_sum(values, scalar_test(values, o->test) ? o->a : o->b);
        else
            values[o->place] = atom_value(o->op, NULL, scalar_sum(values, o->a),
                                          o->b ? scalar_sum(values, o->b) : 0);
    }
}

/* ---- sums --------------------------------------------------------------- */

static void set_even(struct lanes *out, int64_t base, int64_t stride)
{
    out->base = base;
    out->stride = stride;
    out->at = NULL;
}

/* out += factor * x. Plain loops over all lanes, which the compiler turns into vector
 * instructions. */
static void add_lanes(struct lanes *out, const struct lanes *x, int64_t factor,
                      int64_t list[WARP_LANES])
{
    uint64_t by = (uint64_t)factor, stride = (uint64_t)out->stride;
    uint64_t x_stride = (uint64_t)x->stride;
    out->base += factor * x->base;
    if (is_even(x) && is_even(out))
        out->stride += factor * x->stride;
    else if (is_even(out))
        for (uint32_t k = 0; k < WARP_LANES; k++)
            list[k] = (int64_t)(k * stride + by * (uint64_t)x->at[k]);
    else if (is_even(x))
        for (uint32_t k = 0; k < WARP_LANES; k++)
            list[k] = (int64_t)((uint64_t)out->at[k] + by * (k * x_stride));
    else
        for (uint32_t k = 0; k < WARP_LANES; k++)
            list[k] = (int64_t)((uint64_t)out->at[k] + by * (uint64_t)x->at[k]);
    if (!is_even(x) || !is_even(out))
        out->at = list;
}

/* Quotients or remainders of base + k*stride by one divisor b > 0, without a
 * division a lane: the remainder advances by the stride's own. */
static void divide_evenly(enum atom_op op, const struct lanes *a, int64_t b, struct lanes *out,
                          int64_t list[WARP_LANES])
{
    int64_t quotient = integer_floor_divide(a->base, b), rest = a->base - quotient * b;
    int64_t by_quotient = integer_floor_divide(a->stride, b);
    int64_t by_rest = a->stride - by_quotient * b;
    for (int k = 0; k < WARP_LANES; k++) {
        list[k] = op == ATOM_DIVIDE ? quotient : rest;
        int64_t carry = rest >= b - by_rest; /* the sum might leave 64 bits */
        rest += carry ? by_rest - b : by_rest;
        quotient += by_quotient + carry;
    }
    out->base = 0;
    out->at = list;
}

/* The cases in which an operation on evenly spread operands is so again; false:
 * it has to be done lane by lane. */
static bool operate_evenly(const struct operation *o, const struct lanes *a, const struct lanes *b,
                           uint32_t mask, struct lanes *out)
{
    enum atom_op op = o->op;
    uint32_t first = first_lane(mask), last = last_lane(mask);
    if (!is_even(a) || !is_even(b))
        return false;
    if (a->stride == 0 && b->stride == 0) {
        set_even(out, atom_value(op, o->table, a->base, b->base), 0);
        return true;
    }
    if (op == ATOM_PRODUCT && (a->stride == 0 || b->stride == 0)) {
        int64_t factor = a->stride == 0 ? a->base : b->base;
        const struct lanes *x = a->stride == 0 ? b : a;
        set_even(out, x->base * factor, x->stride * factor);
        return true;
    }
    if (op == ATOM_MAX) { /* the difference is linear: its sign at the ends decides */
        int64_t d0 = lane_value(a, first) - lane_value(b, first);
        int64_t d1 = lane_value(a, last) - lane_value(b, last);
        const struct lanes *x = d0 >= 0 && d1 >= 0 ? a : b;
        set_even(out, x->base, x->stride);
        return x == a || (d0 <= 0 && d1 <= 0);
    }
    if ((op == ATOM_DIVIDE || op == ATOM_MODULO) && b->stride == 0) {
        int64_t q = integer_floor_divide(lane_value(a, first), b->base);
        if (op == ATOM_DIVIDE)
            set_even(out, q, 0);
        else
            set_even(out, a->base - q * b->base, a->stride);
        return q == integer_floor_divide(lane_value(a, last), b->base);
    }
    return false;
}

/* Lane by lane; those not in the mask have 0. */
static void operate_apart(const struct operation *o, const struct lanes *a, const struct lanes *b,
                          uint32_t mask, uint32_t chosen, struct lanes *out,
                          int64_t list[WARP_LANES])
{
    out->base = 0;
    out->at = list;
    if (mask != UINT32_MAX)
        memset(list, 0, WARP_LANES * sizeof *list);
    while (mask) {
        uint32_t k = access_next_lane(&mask);
        int64_t x = lane_value(a, k), y = lane_value(b, k);
        if (o->op == ATOM_SELECT)
            list[k] = chosen >> k & 1 ? x : y;
        else
            list[k] = atom_value(o->op, o->table, x, y);
    }
}

static void operate(const struct run *r, const struct operation *o, uint32_t mask,
                    struct lanes *out, int64_t list[WARP_LANES])
{
    struct lanes a, b;
    int64_t list_a[WARP_LANES], list_b[WARP_LANES];
    uint32_t chosen = 0;
    if (o->op == ATOM_SELECT) {
        chosen = test_lanes(r, o->test, mask);
        if (chosen == mask || chosen == 0) {
            sum_lanes(r, chosen ? o->a : o->b, mask, out, list);
            return;
        }
    }
    sum_lanes(r, o->a, mask, &a, list_a);
    if (o->b)
        sum_lanes(r, o->b, mask, &b, list_b);
    else
        set_even(&b, 0, 0);
    if (o->op != ATOM_SELECT && operate_evenly(o, &a, &b, mask, out))
        return;
    if ((o->op == ATOM_DIVIDE || o->op == ATOM_MODULO) && is_even(&a) && is_uniform(&b) &&
        b.base > 0)
        divide_evenly(o->op, &a, b.base, out, list);
    else
        operate_apart(o, &a, &b, mask, chosen, out, list);
}

static const struct lanes *mixed_lanes(const struct run *r, int index, uint32_t mask)
{
    const struct operation *operation = r->program->mixed[index];
    uint32_t place = (uint32_t)index % KEPT_LANES, bit = (uint32_t)1 << place;
    struct warp *w = r->warp;
    struct kept *kept = &r->kept[place];
    if (!(w->kept & bit) || kept->operation != operation || mask & ~kept->mask) {
        struct lanes lanes;
        int64_t list[WARP_LANES];
        operate(r, operation, mask, &lanes, list); /* may keep others in the same place */
        *kept = (struct kept){operation, mask, lanes};
        w->kept |= bit;
        w->listed &= ~bit;
        if (lanes.at == list) {
            memcpy(r->lists[place], list, sizeof list);
            kept->lanes.at = r->lists[place];
            w->listed |= bit;
        }
    }
    return &kept->lanes;
}

void sum_lanes(const struct run *r, const struct sum *sum, uint32_t mask, struct lanes *out,
               int64_t list[WARP_LANES])
{
    set_even(out, scalar_sum(r->warp->values, sum), 0);
    if (sum->spreads) {
        const struct spread *spread = &sum->spreads[r->warp->index];
        out->base += spread->base;
        out->stride = spread->stride;
        out->at = spread->at;
    }
    for (int i = 0; i < sum->n_mixed; i++)
        add_lanes(out, mixed_lanes(r, sum->mixed[i].variable, mask), sum->mixed[i].factor, list);
}

bool sum_range(const struct run *r, const struct sum *sum, int64_t *low, int64_t *high)
{
    if (sum->n_mixed)
        return false;
    *low = *high = scalar_sum(r->warp->values, sum);
    if (sum->spreads) {
        *low += sum->spreads[r->warp->index].low;
        *high += sum->spreads[r->warp->index].high;
    }
    return true;
}

/* ---- tests -------------------------------------------------------------- */

/* Lanes 0 .. n-1. */
static uint32_t lanes_below(int64_t n)
{
    return n <= 0 ? 0 : n >= WARP_LANES ? UINT32_MAX : ((uint32_t)1 << n) - 1;
}

/* Where base + k*stride is zero or changes its sign. */
static uint32_t compare_even(enum condition_kind kind, const struct lanes *x, uint32_t mask)
{
    int64_t ends[] = {lane_value(x, first_lane(mask)), lane_value(x, last_lane(mask))};
    if (kind == CONDITION_NONPOSITIVE && (ends[0] <= 0) == (ends[1] <= 0))
        return ends[0] <= 0 ? mask : 0;
    int64_t k = integer_floor_divide(-x->base, x->stride); /* rounded down */
    bool exact = k * x->stride == -x->base;
    if (kind == CONDITION_NONPOSITIVE)
        return mask & (x->stride > 0 ? lanes_below(k + 1) : ~lanes_below(k + !exact));
    uint32_t zero = exact ? lanes_below(k + 1) & ~lanes_below(k) : 0;
    return mask & (kind == CONDITION_ZERO ? zero : ~zero);
}

static uint32_t compare_lanes(const struct run *r, const struct test *test, uint32_t mask)
{
    struct lanes x;
    int64_t low, high, list[WARP_LANES];
    if (sum_range(r, test->sum, &low, &high)) {
        if (low == high || low > 0 || high < 0)
            return condition_holds(test->kind, low) ? mask : 0;
        if (test->kind == CONDITION_NONPOSITIVE && high == 0)
            return mask;
    }
    sum_lanes(r, test->sum, mask, &x, list);
    if (is_uniform(&x))
        return condition_holds(test->kind, x.base) ? mask : 0;
    if (is_even(&x))
        return compare_even(test->kind, &x, mask);
    uint32_t result = 0;
    while (mask) {
        uint32_t k = access_next_lane(&mask);
        result |= (uint32_t)condition_holds(test->kind, lane_value(&x, k)) << k;
    }
    return result;
}

static uint32_t combine_lanes(const struct run *r, const struct test *test, uint32_t mask)
{
    switch (test->kind) {
    case CONDITION_NEVER:
        return 0;
    case CONDITION_ALWAYS:
        return mask;
    case CONDITION_AND:
        return test_lanes(r, test->b, test_lanes(r, test->a, mask));
    case CONDITION_OR:
        return test_lanes(r, test->a, mask) | test_lanes(r, test->b, mask);
    default:
        return compare_lanes(r, test, mask);
    }
}

uint32_t test_lanes(const struct run *r, const struct test *test, uint32_t mask)
{
    uint64_t bit = (uint64_t)1 << test->place;
    if (mask == 0)
        return 0;
    if (test->masks)
        return mask & test->masks[r->warp->index];
    if (test->place == 0)
        return combine_lanes(r, test, mask);
    struct kept_test *kept = &r->tests[test->place - KEPT_LANES];
    if (!(r->warp->kept & bit) || kept->mask != mask) {
        *kept = (struct kept_test){mask, combine_lanes(r, test, mask)};
        r->warp->kept |= bit;
    }
    return kept->active;
}

/* Of a form that has low..high in the lanes: is it above what the condition tells apart in all of
 * them, or below? */
static bool is_above(int64_t low)
{
    return low > 0;
}

static bool is_below(enum condition_kind kind, int64_t high)
{
    return kind == CONDITION_NONPOSITIVE ? high <= 0 : high < 0;
}

/* For how many values of a counter, the present one included, does a condition hold or not hold
 * in all lanes, which have low..high now and change by `factor`? 1 when they differ. */
static int64_t condition_lasts(enum condition_kind kind, int64_t low, int64_t high, int64_t factor)
{
    bool above = is_above(low), below = is_below(kind, high);
    if (factor == 0 || (above && factor > 0) || (below && factor < 0))
        return INT64_MAX;
    if (above)
        return (low - 1) / -factor + 1;
    if (below)
        return (kind == CONDITION_NONPOSITIVE ? -high : -high - 1) / factor + 1;
    return 1;
}

static int64_t sum_factor(const struct sum *sum, int counter)
{
    for (int i = 0; i < sum->n_scalars; i++)
        if (sum->scalars[i].variable == counter)
            return sum->scalars[i].factor;
    return 0;
}

/* The least and the greatest value in the lanes of the mask, or in more of them. */
static void active_range(const struct run *r, const struct sum *sum, uint32_t mask, int64_t *low,
                         int64_t *high)
{
    struct lanes x;
    int64_t list[WARP_LANES];
    if (sum_range(r, sum, low, high))
        return;
    sum_lanes(r, sum, mask, &x, list);
    *low = *high = lane_value(&x, last_lane(mask));
    if (is_even(&x))
        mask = mask & -mask; /* the first one decides */
    while (mask) {
        int64_t value = lane_value(&x, access_next_lane(&mask));
        *low = value < *low ? value : *low;
        *high = value > *high ? value : *high;
    }
}

uint32_t test_lanes_for(const struct run *r, const struct test *test, uint32_t mask, int counter,
                        int64_t *steps)
{
    int64_t low, high, lasts;
    uint32_t a;
    if (mask == 0 || test->masks || test->place)
        return test_lanes(r, test, mask);
    switch (test->kind) {
    case CONDITION_NEVER:
    case CONDITION_ALWAYS:
        return test_lanes(r, test, mask);
    case CONDITION_AND:
        a = test_lanes_for(r, test->a, mask, counter, steps);
        return test_lanes_for(r, test->b, a, counter, steps);
    case CONDITION_OR:
        a = test_lanes_for(r, test->a, mask, counter, steps);
        return a | test_lanes_for(r, test->b, mask, counter, steps);
    default:
        active_range(r, test->sum, mask, &low, &high);
        lasts = condition_lasts(test->kind, low, high, sum_factor(test->sum, counter));
        *steps = lasts < *steps ? lasts : *steps;
        if (is_above(low) || is_below(test->kind, high))
            return condition_holds(test->kind, low) ? mask : 0;
        return compare_lanes(r, test, mask);
    }
}
