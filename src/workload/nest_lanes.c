/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms and conditions over the lanes of a warp. */
#include "workload/nest_lanes.h"

#include "workload/integer.h"
#include "workload/access.h"

static void set_uniform(struct lanes *out, int64_t value)
{
    out->regular = true;
    out->base = value;
    out->stride = 0;
}

/* ---- forms -------------------------------------------------------------- */

/* Lane by lane through the rows of the block. Lanes behind the last thread
 * wander off, so the sums wrap as unsigned numbers. */
static void spread_rows(const struct run *r, const struct form *form, struct lanes *out)
{
    const uint32_t *block = r->program->block;
    const int64_t *values = r->warp->values;
    uint64_t y = (uint64_t)values[VARIABLE_TY], value = (uint64_t)out->base;
    uint64_t by_x = (uint64_t)form->lane[0];
    uint64_t by_row = (uint64_t)form->lane[1] - block[0] * by_x;
    uint64_t by_plane = (uint64_t)form->lane[2] - block[1] * (uint64_t)form->lane[1];
    uint32_t k = 0, row_end = block[0] - (uint32_t)values[VARIABLE_TX];
    out->regular = false;
    for (; k < WARP_LANES; row_end += block[0]) {
        uint32_t end = row_end < WARP_LANES ? row_end : WARP_LANES;
        for (; k + 4 <= end; k += 4, value += 4 * by_x) { /* sums that do not wait */
            out->at[k] = (int64_t)value;
            out->at[k + 1] = (int64_t)(value + by_x);
            out->at[k + 2] = (int64_t)(value + 2 * by_x);
            out->at[k + 3] = (int64_t)(value + 3 * by_x);
        }
        for (; k < end; k++, value += by_x)
            out->at[k] = (int64_t)value;
        value += by_row;
        if (++y == block[1]) {
            y = 0;
            value += by_plane;
        }
    }
}

/* out += factor * x. Full warps take plain loops, which the compiler turns into
 * vector instructions. */
static void add_lanes(struct lanes *out, const struct lanes *x, int64_t factor, uint32_t mask)
{
    if (out->regular && x->regular) {
        out->base += factor * x->base;
        out->stride += factor * x->stride;
        return;
    }
    if (mask == UINT32_MAX && out->regular)
        for (int k = 0; k < WARP_LANES; k++)
            out->at[k] = out->base + out->stride * k + factor * x->at[k];
    else if (mask == UINT32_MAX && x->regular)
        for (int k = 0; k < WARP_LANES; k++)
            out->at[k] += factor * (x->base + x->stride * k);
    else
        for (uint32_t left = mask; left;) {
            uint32_t k = access_next_lane(&left);
            out->at[k] = lane_value(out, k) + factor * lane_value(x, k);
        }
    out->regular = false;
}

static int64_t atom_value(const struct atom *atom, int64_t a, int64_t b)
{
    int64_t power = 0;
    switch (atom->op) {
    case ATOM_DIVIDE:
        return integer_floor_divide(a, b);
    case ATOM_MODULO:
        return a - integer_floor_divide(a, b) * b;
    case ATOM_PRODUCT:
        return a * b;
    case ATOM_MAX:
        return a > b ? a : b;
    case ATOM_POWER:
        integer_power(a, b, &power);
        return power;
    case ATOM_SQRT:
        return integer_sqrt(a);
    case ATOM_TABLE:
        return atom->table[a];
    default: /* ATOM_LOG2; ATOM_SELECT has its own way */
        return integer_log2(a);
    }
}

/* Quotients or remainders of base + k*stride by one divisor b > 0, without a
 * division a lane: the remainder advances by the stride's own. */
static void divide_evenly(enum atom_op op, const struct lanes *a, int64_t b, struct lanes *out)
{
    int64_t quotient = integer_floor_divide(a->base, b), rest = a->base - quotient * b;
    int64_t by_quotient = integer_floor_divide(a->stride, b);
    int64_t by_rest = a->stride - by_quotient * b;
    out->regular = false;
    for (int k = 0; k < WARP_LANES; k++) {
        out->at[k] = op == ATOM_DIVIDE ? quotient : rest;
        int64_t carry = rest >= b - by_rest; /* the sum might leave 64 bits */
        rest += carry ? by_rest - b : by_rest;
        quotient += by_quotient + carry;
    }
}

/* The cases in which an operation on regular operands is regular again; false:
 * it has to be done lane by lane. */
static bool atom_regular(const struct atom *atom, const struct lanes *a, const struct lanes *b,
                         uint32_t mask, struct lanes *out)
{
    enum atom_op op = atom->op;
    uint32_t first = first_lane(mask), last = last_lane(mask);
    if (!a->regular || !b->regular)
        return false;
    if (a->stride == 0 && b->stride == 0) {
        set_uniform(out, atom_value(atom, a->base, b->base));
        return true;
    }
    out->regular = true;
    if (op == ATOM_PRODUCT && (a->stride == 0 || b->stride == 0)) {
        int64_t factor = a->stride == 0 ? a->base : b->base;
        const struct lanes *x = a->stride == 0 ? b : a;
        out->base = x->base * factor;
        out->stride = x->stride * factor;
        return true;
    }
    if (op == ATOM_MAX) { /* the difference is linear: its sign at the ends decides */
        int64_t d0 = lane_value(a, first) - lane_value(b, first);
        int64_t d1 = lane_value(a, last) - lane_value(b, last);
        const struct lanes *x = d0 >= 0 && d1 >= 0 ? a : b;
        out->base = x->base;
        out->stride = x->stride;
        return x == a || (d0 <= 0 && d1 <= 0);
    }
    if ((op == ATOM_DIVIDE || op == ATOM_MODULO) && b->stride == 0) {
        int64_t q = integer_floor_divide(lane_value(a, first), b->base);
        out->base = op == ATOM_DIVIDE ? q : a->base - q * b->base;
        out->stride = op == ATOM_DIVIDE ? 0 : a->stride;
        return q == integer_floor_divide(lane_value(a, last), b->base);
    }
    return false;
}

static void work_out_atom(const struct run *r, const struct atom *atom, uint32_t mask,
                          struct lanes *out)
{
    struct lanes a, b;
    uint32_t chosen = 0;
    if (atom->op == ATOM_SELECT) {
        chosen = condition_lanes(r, atom->condition, mask);
        if (chosen == mask || chosen == 0) {
            form_lanes(r, chosen ? atom->a : atom->b, mask, out);
            return;
        }
    }
    form_lanes(r, atom->a, mask, &a);
    if (atom->b)
        form_lanes(r, atom->b, mask, &b);
    else
        set_uniform(&b, 0);
    if (atom->op != ATOM_SELECT && atom_regular(atom, &a, &b, mask, out))
        return;
    if ((atom->op == ATOM_DIVIDE || atom->op == ATOM_MODULO) && a.regular && is_uniform(&b) &&
        b.base > 0) {
        divide_evenly(atom->op, &a, b.base, out);
        return;
    }
    out->regular = false;
    while (mask) {
        uint32_t k = access_next_lane(&mask);
        int64_t x = lane_value(&a, k), y = lane_value(&b, k);
        if (atom->op == ATOM_SELECT)
            out->at[k] = chosen >> k & 1 ? x : y;
        else
            out->at[k] = atom_value(atom, x, y);
    }
}

static void copy_lanes(struct lanes *to, const struct lanes *from)
{
    if (!from->regular) {
        *to = *from;
        return;
    }
    to->regular = true;
    to->base = from->base;
    to->stride = from->stride;
}

/* Has no counter changed on which the atom depends? */
static bool still_holds(const struct kept_atoms *all, const struct kept_atom *kept)
{
    for (uint64_t left = kept->atom->depends >> VARIABLE_COUNTER; left; left &= left - 1)
        if (all->changed[__builtin_ctzll(left)] > kept->step)
            return false;
    return true;
}

/* Worked out once an iteration of the loops it depends on, or once a read. */
static const struct lanes *atom_lanes(const struct run *r, int index, uint32_t mask,
                                      struct lanes *scratch)
{
    const struct atom *atom = &r->program->atoms[index];
    struct kept_atom *kept = &r->kept->atoms[index % KEPT_ATOMS];
    if (kept->atom != atom || mask & ~kept->mask || !still_holds(r->kept, kept)) {
        work_out_atom(r, atom, mask, scratch); /* may keep others in the same place */
        kept->atom = atom;
        kept->mask = mask;
        kept->step = r->kept->steps;
        copy_lanes(&kept->lanes, scratch);
    }
    return &kept->lanes;
}

/* The sum of constant and direct variables at the warp's first lane. */
static int64_t form_base(const struct run *r, const struct form *form)
{
    const int64_t *values = r->warp->values;
    int64_t base = form->constant;
    for (int i = 0; i < form->n_direct; i++)
        base += form->terms[i].factor * values[form->terms[i].variable];
    return base;
}

void form_lanes(const struct run *r, const struct form *form, uint32_t mask, struct lanes *out)
{
    out->regular = true;
    out->base = form_base(r, form);
    out->stride = form->lane[0];
    if (!form->linear && !r->warp->one_row)
        spread_rows(r, form, out);
    for (int i = form->n_direct; i < form->n_terms; i++) {
        struct lanes scratch;
        const struct lanes *x =
            atom_lanes(r, form->terms[i].variable - VARIABLE_ATOM, mask, &scratch);
        add_lanes(out, x, form->terms[i].factor, mask);
    }
}

/* ---- conditions --------------------------------------------------------- */

/* Decides "form <= 0" for all threads of the block at once: 1, 0, or -1 when
 * they differ. */
static int decide_block(const struct run *r, const struct form *form)
{
    int64_t low = form_base(r, form), high;
    for (int axis = 0; axis < 3; axis++)
        low -= form->lane[axis] * r->warp->values[VARIABLE_TX + axis];
    high = low;
    for (int axis = 0; axis < 3; axis++) {
        int64_t width = form->lane[axis] * (int64_t)(r->program->block[axis] - 1);
        *(width < 0 ? &low : &high) += width;
    }
    return high <= 0 ? 1 : low > 0 ? 0 : -1;
}

static bool holds(enum condition_kind kind, int64_t value)
{
    return kind == CONDITION_NONPOSITIVE ? value <= 0 : (value == 0) == (kind == CONDITION_ZERO);
}

/* Lanes 0 .. n-1. */
static uint32_t lanes_below(int64_t n)
{
    return n <= 0 ? 0 : n >= WARP_LANES ? UINT32_MAX : ((uint32_t)1 << n) - 1;
}

/* Where base + k*stride is zero or changes its sign. */
static uint32_t compare_regular(enum condition_kind kind, const struct lanes *x, uint32_t mask)
{
    int64_t k = integer_floor_divide(-x->base, x->stride); /* rounded down */
    bool exact = k * x->stride == -x->base;
    if (kind == CONDITION_NONPOSITIVE)
        return mask & (x->stride > 0 ? lanes_below(k + 1) : ~lanes_below(k + !exact));
    uint32_t zero = exact ? lanes_below(k + 1) & ~lanes_below(k) : 0;
    return mask & (kind == CONDITION_ZERO ? zero : ~zero);
}

static uint32_t compare_lanes(const struct run *r, const struct condition *c, uint32_t mask)
{
    struct lanes x;
    if (c->kind == CONDITION_NONPOSITIVE && c->form->n_direct == c->form->n_terms &&
        !r->warp->one_row && !c->form->linear) {
        int decided = decide_block(r, c->form);
        if (decided >= 0)
            return decided ? mask : 0;
    }
    form_lanes(r, c->form, mask, &x);
    if (is_uniform(&x))
        return holds(c->kind, x.base) ? mask : 0;
    if (x.regular)
        return compare_regular(c->kind, &x, mask);
    uint32_t result = 0;
    while (mask) {
        uint32_t k = access_next_lane(&mask);
        result |= (uint32_t)holds(c->kind, x.at[k]) << k;
    }
    return result;
}

uint32_t condition_lanes(const struct run *r, const struct condition *c, uint32_t mask)
{
    if (mask == 0)
        return 0;
    switch (c->kind) {
    case CONDITION_NEVER:
        return 0;
    case CONDITION_ALWAYS:
        return mask;
    case CONDITION_AND:
        return condition_lanes(r, c->b, condition_lanes(r, c->a, mask));
    case CONDITION_OR:
        return condition_lanes(r, c->a, mask) | condition_lanes(r, c->b, mask);
    default:
        return compare_lanes(r, c, mask);
    }
}
