/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Affine forms with ranges, their simplification, and small proofs. */
#include "workload/nests/nest_form.h"

#include <stdlib.h>
#include <string.h>

#include "workload/integer.h"

/* A proof may add up this many facts. Nests of the kind people write need one
 * or two (guard and loop bound). It may take this many remainders apart, which are one or two
 * as well: each makes quotients that stay. */
enum { PROOF_DEPTH = 3, PROOF_REMAINDERS = 32 };

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- ranges ------------------------------------------------------------- */

static void variable_range(const struct form_builder *b, int variable, int64_t *low, int64_t *high)
{
    if (variable < VARIABLE_ATOM) {
        *low = b->low[variable];
        *high = b->high[variable];
    } else {
        *low = b->atoms.items[variable - VARIABLE_ATOM].low;
        *high = b->atoms.items[variable - VARIABLE_ATOM].high;
    }
}

bool form_measure(const struct form_builder *b, struct form *f)
{
    if (f->constant > INTEGER_LIMIT || f->constant < -INTEGER_LIMIT)
        return false;
    int64_t magnitude = f->constant < 0 ? -f->constant : f->constant;
    f->low = f->high = f->constant;
    for (int i = 0; i < f->n_terms; i++) {
        int64_t low, high, from, to;
        variable_range(b, f->terms[i].variable, &low, &high);
        if (__builtin_mul_overflow(low, f->terms[i].factor, &from) ||
            __builtin_mul_overflow(high, f->terms[i].factor, &to) || from < -INTEGER_LIMIT ||
            from > INTEGER_LIMIT || to < -INTEGER_LIMIT || to > INTEGER_LIMIT)
            return false;
        int64_t part = larger(larger(from, -from), larger(to, -to));
        if (part > INTEGER_LIMIT - magnitude)
            return false;
        magnitude += part;
        f->low += smaller(from, to);
        f->high += larger(from, to);
    }
    return true;
}

/* On which variables the form depends. */
static void form_finish(const struct form_builder *b, struct form *f)
{
    for (f->n_direct = 0; f->n_direct < f->n_terms; f->n_direct++) {
        if (f->terms[f->n_direct].variable >= VARIABLE_ATOM)
            break;
        f->depends |= (uint64_t)1 << f->terms[f->n_direct].variable;
    }
    for (int i = f->n_direct; i < f->n_terms; i++)
        f->depends |= b->atoms.items[f->terms[i].variable - VARIABLE_ATOM].depends;
}

/* Keeps the terms (ascending; zero factors are dropped). */
static const struct form *form_make(struct form_builder *b, int64_t constant,
                                    const struct form_term *terms, int n_terms)
{
    struct form *f = arena_alloc(b->arena, sizeof *f);
    struct form_term *kept = arena_alloc(b->arena, (size_t)n_terms * sizeof *kept);
    f->constant = constant;
    f->terms = kept;
    for (int i = 0; i < n_terms; i++)
        if (terms[i].factor != 0)
            kept[f->n_terms++] = terms[i];
    if (!form_measure(b, f)) {
        b->overflow = true;
        *f = (struct form){.terms = kept};
    }
    form_finish(b, f);
    return f;
}

const struct form *form_constant(struct form_builder *b, int64_t value)
{
    return form_make(b, value, NULL, 0);
}

const struct form *form_variable(struct form_builder *b, int variable)
{
    int64_t low, high;
    variable_range(b, variable, &low, &high);
    if (low == high)
        return form_constant(b, low);
    return form_make(b, 0, &(struct form_term){variable, 1}, 1);
}

const struct form *form_sum(struct form_builder *b, const struct form *x, const struct form *y,
                            int64_t factor)
{
    struct form_term *terms = memory_alloc((size_t)(x->n_terms + y->n_terms) * sizeof *terms);
    int64_t constant;
    int n = 0, i = 0, j = 0;
    bool overflow = __builtin_mul_overflow(y->constant, factor, &constant) ||
                    __builtin_add_overflow(constant, x->constant, &constant);
    while (i < x->n_terms || j < y->n_terms) {
        int from_x = i < x->n_terms ? x->terms[i].variable : INT32_MAX;
        int from_y = j < y->n_terms ? y->terms[j].variable : INT32_MAX;
        struct form_term *t = &terms[n++];
        *t = (struct form_term){from_x < from_y ? from_x : from_y, 0};
        if (from_y == t->variable)
            overflow |= __builtin_mul_overflow(y->terms[j++].factor, factor, &t->factor);
        if (from_x == t->variable)
            overflow |= __builtin_add_overflow(x->terms[i++].factor, t->factor, &t->factor);
    }
    b->overflow |= overflow;
    const struct form *f = overflow ? form_constant(b, 0) : form_make(b, constant, terms, n);
    free(terms);
    return f;
}

/* ---- atoms -------------------------------------------------------------- */

bool form_equal(const struct form *x, const struct form *y)
{
    if (!x || !y)
        return x == y;
    if (x->constant != y->constant || x->n_terms != y->n_terms)
        return false;
    for (int i = 0; i < x->n_terms; i++)
        if (x->terms[i].variable != y->terms[i].variable ||
            x->terms[i].factor != y->terms[i].factor)
            return false;
    return true;
}

int64_t atom_value(enum atom_op op, const int64_t *table, int64_t a, int64_t b)
{
    int64_t power = 0;
    switch (op) {
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
        return table[a];
    default: /* ATOM_LOG2 */
        return integer_log2(a);
    }
}

/* The atom as a form; equal atoms are one variable. */
static const struct form *form_atom(struct form_builder *b, struct atom atom)
{
    if (atom.low < -INTEGER_LIMIT || atom.high > INTEGER_LIMIT) {
        b->overflow = true;
        return form_constant(b, 0);
    }
    if (atom.low == atom.high)
        return form_constant(b, atom.low);
    atom.depends = atom.a->depends | (atom.b ? atom.b->depends : 0) |
                   (atom.condition ? atom.condition->depends : 0);
    size_t i = 0;
    for (; i < b->atoms.count; i++) {
        const struct atom *old = &b->atoms.items[i];
        if (old->op == atom.op && old->condition == atom.condition && old->table == atom.table &&
            form_equal(old->a, atom.a) && form_equal(old->b, atom.b))
            break;
    }
    if (i == b->atoms.count)
        VECTOR_PUSH(&b->atoms, atom);
    return form_variable(b, VARIABLE_ATOM + (int)i);
}

const struct form *form_product(struct form_builder *b, const struct form *x, const struct form *y)
{
    if (form_is_constant(x))
        return form_sum(b, form_constant(b, 0), y, x->constant);
    if (form_is_constant(y))
        return form_sum(b, form_constant(b, 0), x, y->constant);
    const int64_t xs[] = {x->low, x->high}, ys[] = {y->low, y->high};
    struct atom atom = {.op = ATOM_PRODUCT, .a = x, .b = y, .low = INT64_MAX, .high = INT64_MIN};
    for (int i = 0; i < 4; i++) {
        int64_t corner;
        if (__builtin_mul_overflow(xs[i / 2], ys[i % 2], &corner))
            corner = INT64_MAX; /* beyond the limit, whatever its sign */
        atom.low = smaller(atom.low, corner);
        atom.high = larger(atom.high, corner);
    }
    return form_atom(b, atom);
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return larger(a, -a);
}

/* floor((d*q + r)/d) = q + floor(r/d), and the last term is 0 when 0 <= r < d:
 * so (32*bx + tx)/32 is bx. */
static void form_split(struct form_builder *b, const struct form *x, int64_t d,
                       const struct form **quotient, const struct form **rest)
{
    struct form_term *terms = memory_zero((size_t)x->n_terms, sizeof *terms);
    for (int i = 0; i < x->n_terms; i++)
        terms[i] = (struct form_term){x->terms[i].variable,
                                      x->terms[i].factor % d ? 0 : x->terms[i].factor / d};
    *quotient = form_make(b, integer_floor_divide(x->constant, d), terms, x->n_terms);
    *rest = form_sum(b, x, *quotient, -d);
    free(terms);
}

/* x = grain*coarse + fine with 0 <= fine < grain, a divisor of d that is less: then x/d is
 * coarse/(d/grain), and x%d is grain*(coarse%(d/grain)) + fine. So (256*bx + tx)%1024 depends on
 * bx in all lanes alike. 0: there is none. */
static int64_t form_grain(struct form_builder *b, const struct form *x, int64_t d,
                          const struct form **coarse, const struct form **fine)
{
    for (int i = 0; i < x->n_terms; i++) {
        int64_t grain = greatest_divisor(x->terms[i].factor, d);
        if (grain == 1 || grain == d)
            continue;
        form_split(b, x, grain, coarse, fine);
        if ((*fine)->low >= 0 && (*fine)->high < grain)
            return grain;
    }
    return 0;
}

const struct form *form_divide(struct form_builder *b, const struct form *x, const struct form *y)
{
    const struct form *quotient = form_constant(b, 0), *coarse, *fine;
    if (form_is_constant(y) && y->constant > 0) {
        form_split(b, x, y->constant, &quotient, &x);
        if (x->low >= 0 && x->high < y->constant)
            return quotient;
        int64_t grain = form_grain(b, x, y->constant, &coarse, &fine);
        if (grain)
            return form_sum(b, quotient,
                            form_divide(b, coarse, form_constant(b, y->constant / grain)), 1);
    }
    const int64_t xs[] = {x->low, x->high}, ys[] = {y->low, y->high};
    struct atom atom = {.op = ATOM_DIVIDE, .a = x, .b = y, .low = INT64_MAX, .high = INT64_MIN};
    for (int i = 0; i < 4; i++) {
        int64_t corner = integer_floor_divide(xs[i / 2], ys[i % 2]);
        atom.low = smaller(atom.low, corner);
        atom.high = larger(atom.high, corner);
    }
    return form_sum(b, quotient, form_atom(b, atom), 1);
}

const struct form *form_modulo(struct form_builder *b, const struct form *x, const struct form *y)
{
    struct atom atom = {.op = ATOM_MODULO, .b = y};
    const struct form *quotient, *coarse, *fine;
    if (form_is_constant(y) && y->constant > 0)
        form_split(b, x, y->constant, &quotient, &x);
    if (y->low > 0 && x->low >= 0 && x->high < y->low)
        return x;
    if (form_is_constant(y) && y->constant > 0) {
        int64_t grain = form_grain(b, x, y->constant, &coarse, &fine);
        if (grain)
            return form_sum(b, fine, form_modulo(b, coarse, form_constant(b, y->constant / grain)),
                            grain);
    }
    atom.a = x;
    atom.low = y->low > 0 ? 0 : y->low + 1;
    atom.high = y->low > 0 ? y->high - 1 : 0;
    if (y->low > 0 && x->low >= 0)
        atom.high = smaller(atom.high, x->high);
    return form_atom(b, atom);
}

/* max(x, y) >= (x + y)/2, which tells more than either range when the two move
 * against each other: abs(x) >= 0, min(i, n - i) <= n/2. */
static int64_t least_mean(struct form_builder *b, const struct form *x, const struct form *y)
{
    bool overflow = b->overflow;
    b->overflow = false;
    const struct form *sum = form_sum(b, x, y, 1);
    int64_t least = b->overflow ? INT64_MIN : -integer_floor_divide(-sum->low, 2);
    b->overflow = overflow;
    return least;
}

const struct form *form_max(struct form_builder *b, const struct form *x, const struct form *y)
{
    if (x->low >= y->high)
        return x;
    if (y->low >= x->high)
        return y;
    return form_atom(b, (struct atom){.op = ATOM_MAX,
                                      .a = x,
                                      .b = y,
                                      .low = larger(larger(x->low, y->low), least_mean(b, x, y)),
                                      .high = larger(x->high, y->high)});
}

const struct form *form_power(struct form_builder *b, const struct form *x, const struct form *y)
{
    struct atom atom = {.op = ATOM_POWER, .a = x, .b = y};
    int64_t widest = larger(x->high, -x->low);
    if (x->low < 0) { /* the sign alternates */
        b->overflow |= !integer_power(larger(widest, 1), y->high, &atom.high);
        atom.low = -atom.high;
    } else {
        b->overflow |= !integer_power(x->high, y->high, &atom.high);
        b->overflow |= !integer_power(x->low, x->low ? y->low : y->high, &atom.low);
        if (x->high == 0 || (x->low == 0 && y->low == 0))
            atom.high = larger(atom.high, 1); /* 0^0 */
    }
    if (b->overflow)
        return form_constant(b, 0);
    if (form_is_constant(x) && form_is_constant(y)) {
        integer_power(x->constant, y->constant, &atom.low);
        return form_constant(b, atom.low);
    }
    return form_atom(b, atom);
}

const struct form *form_root(struct form_builder *b, enum atom_op op, const struct form *x)
{
    int64_t (*root)(int64_t) = op == ATOM_SQRT ? integer_sqrt : integer_log2;
    return form_atom(b,
                     (struct atom){.op = op, .a = x, .low = root(x->low), .high = root(x->high)});
}

const struct form *form_select(struct form_builder *b, const struct condition *condition,
                               const struct form *x, const struct form *y)
{
    if (condition->kind == CONDITION_ALWAYS)
        return x;
    if (condition->kind == CONDITION_NEVER || form_equal(x, y))
        return y;
    return form_atom(b, (struct atom){.op = ATOM_SELECT,
                                      .a = x,
                                      .b = y,
                                      .condition = condition,
                                      .low = smaller(x->low, y->low),
                                      .high = larger(x->high, y->high)});
}

const struct form *form_table(struct form_builder *b, const int64_t *table, int64_t n,
                              const struct form *x)
{
    int64_t first = larger(x->low, 0), last = smaller(x->high, n - 1);
    struct atom atom = {.op = ATOM_TABLE, .a = x, .table = table, .n = n};
    atom.low = atom.high = table[first];
    for (int64_t i = first; i <= last; i++) {
        atom.low = smaller(atom.low, table[i]);
        atom.high = larger(atom.high, table[i]);
    }
    return form_atom(b, atom);
}

/* ---- proofs ------------------------------------------------------------- */

static bool form_prove(struct form_builder *b, const struct form *f, int depth);

/* f - m*max(x, y) <= 0 when f - m*x <= 0 or f - m*y <= 0, of m > 0. */
static bool form_prove_maximum(struct form_builder *b, const struct form *f, int depth)
{
    for (int i = f->n_direct; depth > 0 && i < f->n_terms; i++) {
        int variable = f->terms[i].variable;
        int64_t factor = f->terms[i].factor;
        const struct atom *atom = &b->atoms.items[variable - VARIABLE_ATOM];
        if (atom->op != ATOM_MAX || factor > 0)
            continue;
        const struct form *operands[] = {atom->a, atom->b};
        for (int k = 0; k < 2; k++) {
            const struct form *more = form_sum(b, operands[k], form_variable(b, variable), -1);
            const struct form *rest = form_sum(b, f, more, factor);
            if (!b->overflow && form_prove(b, rest, depth - 1))
                return true;
            b->overflow = false;
        }
    }
    return false;
}

/* f with x%d, d > 0, as x - d*(x/d): what is left of x may vanish. */
static bool form_prove_modulo(struct form_builder *b, const struct form *f, int depth)
{
    for (int i = f->n_direct; depth > 0 && i < f->n_terms; i++) {
        int variable = f->terms[i].variable;
        const struct atom *atom = &b->atoms.items[variable - VARIABLE_ATOM];
        const struct form *x = atom->a, *d = atom->b;
        if (atom->op != ATOM_MODULO || !form_is_constant(d) || d->constant < 0)
            continue;
        if (b->remainders == 0)
            return false;
        b->remainders--;
        const struct form *same = form_sum(b, x, form_divide(b, x, d), -d->constant);
        const struct form *change = form_sum(b, same, form_variable(b, variable), -1);
        const struct form *rest = form_sum(b, f, change, f->terms[i].factor);
        if (!b->overflow && form_prove(b, rest, depth - 1))
            return true;
        b->overflow = false;
    }
    return false;
}

/* f <= 0 when f - m*g <= 0 for a fact g <= 0 and m >= 0. The fact is taken as
 * often as makes one term vanish. */
static bool form_prove(struct form_builder *b, const struct form *f, int depth)
{
    if (f->high <= 0 || form_prove_maximum(b, f, depth) || form_prove_modulo(b, f, depth))
        return true;
    for (size_t i = 0; depth > 0 && i < b->facts.count; i++) {
        const struct form *fact = b->facts.items[i];
        for (int k = 0; k < fact->n_terms; k++)
            for (int j = 0; j < f->n_terms; j++) {
                int64_t a = f->terms[j].factor, c = fact->terms[k].factor;
                if (f->terms[j].variable != fact->terms[k].variable || (a < 0) != (c < 0) ||
                    a % c != 0)
                    continue;
                const struct form *rest = form_sum(b, f, fact, -(a / c));
                if (!b->overflow && form_prove(b, rest, depth - 1))
                    return true;
                b->overflow = false;
            }
    }
    return false;
}

bool form_is_nonpositive(struct form_builder *b, const struct form *form)
{
    bool overflow = b->overflow; /* what a proof tries must not count */
    b->overflow = false;
    b->remainders = PROOF_REMAINDERS;
    bool proved = form_prove(b, form, PROOF_DEPTH);
    b->overflow = overflow;
    return proved;
}

/* ---- conditions --------------------------------------------------------- */

static const struct condition *condition_make(struct form_builder *b, struct condition value)
{
    struct condition *condition = arena_alloc(b->arena, sizeof *condition);
    value.depends = (value.form ? value.form->depends : 0) | (value.a ? value.a->depends : 0) |
                    (value.b ? value.b->depends : 0);
    *condition = value;
    return condition;
}

static const struct condition *condition_constant(struct form_builder *b, bool value)
{
    return condition_make(b,
                          (struct condition){.kind = value ? CONDITION_ALWAYS : CONDITION_NEVER});
}

const struct condition *condition_nonpositive(struct form_builder *b, const struct form *form)
{
    if (form->low > 0 || form_is_nonpositive(b, form))
        return condition_constant(b, form->low <= 0);
    return condition_make(b, (struct condition){.kind = CONDITION_NONPOSITIVE, .form = form});
}

const struct condition *condition_zero(struct form_builder *b, const struct form *form, bool zero)
{
    if (form->low > 0 || form->high < 0 || form_is_constant(form))
        return condition_constant(b, (form->low == 0 && form->high == 0) == zero);
    return condition_make(
        b, (struct condition){.kind = zero ? CONDITION_ZERO : CONDITION_NONZERO, .form = form});
}

const struct condition *condition_both(struct form_builder *b, const struct condition *x,
                                       const struct condition *y)
{
    if (x->kind == CONDITION_ALWAYS || y->kind == CONDITION_NEVER)
        return y;
    if (y->kind == CONDITION_ALWAYS || x->kind == CONDITION_NEVER)
        return x;
    return condition_make(b, (struct condition){.kind = CONDITION_AND, .a = x, .b = y});
}

const struct condition *condition_either(struct form_builder *b, const struct condition *x,
                                         const struct condition *y)
{
    if (x->kind == CONDITION_NEVER || y->kind == CONDITION_ALWAYS)
        return y;
    if (y->kind == CONDITION_NEVER || x->kind == CONDITION_ALWAYS)
        return x;
    return condition_make(b, (struct condition){.kind = CONDITION_OR, .a = x, .b = y});
}

const struct condition *condition_not(struct form_builder *b, const struct condition *x)
{
    switch (x->kind) {
    case CONDITION_NEVER:
    case CONDITION_ALWAYS:
        return condition_constant(b, x->kind == CONDITION_NEVER);
    case CONDITION_NONPOSITIVE: /* f >= 1 */
        return condition_nonpositive(b, form_sum(b, form_constant(b, 1), x->form, -1));
    case CONDITION_ZERO:
    case CONDITION_NONZERO:
        return condition_zero(b, x->form, x->kind == CONDITION_NONZERO);
    case CONDITION_AND:
        return condition_either(b, condition_not(b, x->a), condition_not(b, x->b));
    default:
        return condition_both(b, condition_not(b, x->a), condition_not(b, x->b));
    }
}

void condition_assume(struct form_builder *b, const struct condition *condition)
{
    if (condition->kind == CONDITION_AND) {
        condition_assume(b, condition->a);
        condition_assume(b, condition->b);
    } else if (condition->kind == CONDITION_NONPOSITIVE || condition->kind == CONDITION_ZERO) {
        VECTOR_PUSH(&b->facts, condition->form);
        if (condition->kind == CONDITION_ZERO)
            VECTOR_PUSH(&b->facts, form_sum(b, form_constant(b, 0), condition->form, -1));
    }
}
