/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last step of the loop-nest compiler: what a form adds up is sorted by how it
 * behaves in the lanes of a warp.
 *
 * What all lanes share is a scalar: an atom of that kind has a place among the warp's
 * values and is worked out when the innermost loop on which it depends goes on, or looked
 * up if it depends on counters of few values alone. What follows from the thread indices
 * alone is the same in every block: its lanes are tabulated for each warp of the block.
 * Only what is neither is left to be worked out lane by lane. */
#include <stdlib.h>
#include <string.h>

#include "workload/nest_compiler.h"

enum { TABULATED_MOST = 2048 }; /* values of a scalar that is looked up */

#define VARIABLE_BIT(variable) ((uint64_t)1 << (variable))
#define THREAD_BITS                                                                                \
    (VARIABLE_BIT(VARIABLE_TX) | VARIABLE_BIT(VARIABLE_TY) | VARIABLE_BIT(VARIABLE_TZ))
#define BLOCK_BITS                                                                                 \
    (VARIABLE_BIT(VARIABLE_BX) | VARIABLE_BIT(VARIABLE_BY) | VARIABLE_BIT(VARIABLE_BZ))

struct lowering {
    const struct form_builder *forms;
    struct program *program;
    uint64_t varying;                 /* variables that differ within a warp */
    const struct operation **lowered; /* of each atom, or NULL */
    uint32_t n_places;                /* in the warp's values */
    struct {
        const struct operation **items;
        size_t count, capacity;
    } scalars, mixed; /* operands first */
    struct {
        struct known_spread {
            const struct term *terms;
            int n_terms;
            const struct spread *spreads;
        } * items;
        size_t count, capacity;
    } spreads;
    int64_t values[VARIABLE_ATOM]; /* where forms are evaluated now */
    struct known_value {
        uint64_t point;
        int64_t value;
    } * known;      /* of each atom */
    uint64_t point; /* number of the present values */
};

static const struct sum *lower_form(struct lowering *l, const struct form *form);
static const struct test *lower_condition(struct lowering *l, const struct condition *condition);

static bool is_scalar(const struct lowering *l, uint64_t depends)
{
    return !(depends & l->varying);
}

static bool is_by_thread(const struct lowering *l, uint64_t depends)
{
    return !is_scalar(l, depends) && !(depends & ~THREAD_BITS);
}

static uint64_t variable_depends(const struct lowering *l, int variable)
{
    return variable < VARIABLE_ATOM ? VARIABLE_BIT(variable)
                                    : l->forms->atoms.items[variable - VARIABLE_ATOM].depends;
}

/* ---- values at one point ------------------------------------------------ */

static int64_t evaluate_form(struct lowering *l, const struct form *form);

static bool evaluate_condition(struct lowering *l, const struct condition *c)
{
    switch (c->kind) {
    case CONDITION_NEVER:
    case CONDITION_ALWAYS:
        return c->kind == CONDITION_ALWAYS;
    case CONDITION_AND:
        return evaluate_condition(l, c->a) && evaluate_condition(l, c->b);
    case CONDITION_OR:
        return evaluate_condition(l, c->a) || evaluate_condition(l, c->b);
    default:
        return condition_holds(c->kind, evaluate_form(l, c->form));
    }
}

static int64_t evaluate_atom(struct lowering *l, size_t index)
{
    const struct atom *atom = &l->forms->atoms.items[index];
    struct known_value *known = &l->known[index];
    if (known->point == l->point)
        return known->value;
    if (atom->op == ATOM_SELECT)
        known->value = evaluate_form(l, evaluate_condition(l, atom->condition) ? atom->a : atom->b);
    else
        known->value = atom_value(atom->op, atom->table, evaluate_form(l, atom->a),
                                  atom->b ? evaluate_form(l, atom->b) : 0);
    known->point = l->point;
    return known->value;
}

static int64_t evaluate_terms(struct lowering *l, const struct term *terms, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        int variable = terms[i].variable;
        sum += terms[i].factor * (variable < VARIABLE_ATOM
                                      ? l->values[variable]
                                      : evaluate_atom(l, (size_t)(variable - VARIABLE_ATOM)));
    }
    return sum;
}

static int64_t evaluate_form(struct lowering *l, const struct form *form)
{
    return form->constant + evaluate_terms(l, form->terms, form->n_terms);
}

static void go_to_thread(struct lowering *l, uint32_t thread)
{
    const uint32_t *block = l->program->block;
    l->values[VARIABLE_TX] = thread % block[0];
    l->values[VARIABLE_TY] = thread / block[0] % block[1];
    l->values[VARIABLE_TZ] = thread / block[0] / block[1];
    l->point++;
}

/* ---- by thread ---------------------------------------------------------- */

static uint32_t warp_threads(const struct program *p, uint32_t warp)
{
    uint32_t left = p->threads - warp * WARP_LANES;
    return left < WARP_LANES ? left : WARP_LANES;
}

static void tabulate_warp(struct lowering *l, const struct term *terms, int n_terms, uint32_t warp,
                          struct spread *out)
{
    int64_t at[WARP_LANES] = {0};
    uint32_t n = warp_threads(l->program, warp);
    bool even = true;
    *out = (struct spread){.low = INT64_MAX, .high = INT64_MIN};
    for (uint32_t k = 0; k < n; k++) {
        go_to_thread(l, warp * WARP_LANES + k);
        at[k] = evaluate_terms(l, terms, n_terms);
        out->low = at[k] < out->low ? at[k] : out->low;
        out->high = at[k] > out->high ? at[k] : out->high;
        even = even && (k < 2 || at[k] - at[k - 1] == at[1] - at[0]);
    }
    if (even) {
        out->base = at[0];
        out->stride = n > 1 ? at[1] - at[0] : 0;
    } else {
        int64_t *kept = arena_alloc(l->program->arena, sizeof at);
        memcpy(kept, at, sizeof at);
        out->at = kept;
    }
}

static bool same_terms(const struct term *a, const struct term *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i].variable != b[i].variable || a[i].factor != b[i].factor)
            return false;
    return true;
}

/* The terms stay. */
static const struct spread *tabulate(struct lowering *l, const struct term *terms, int n_terms)
{
    for (size_t i = 0; i < l->spreads.count; i++) {
        const struct known_spread *known = &l->spreads.items[i];
        if (known->n_terms == n_terms && same_terms(known->terms, terms, n_terms))
            return known->spreads;
    }
    uint32_t warps = l->program->warps;
    struct spread *spreads = arena_alloc(l->program->arena, warps * sizeof *spreads);
    for (uint32_t warp = 0; warp < warps; warp++)
        tabulate_warp(l, terms, n_terms, warp, &spreads[warp]);
    VECTOR_PUSH(&l->spreads, (struct known_spread){terms, n_terms, spreads});
    return spreads;
}

static const uint32_t *tabulate_condition(struct lowering *l, const struct condition *condition)
{
    const struct program *p = l->program;
    uint32_t *masks = arena_alloc(p->arena, p->warps * sizeof *masks);
    for (uint32_t thread = 0; thread < p->threads; thread++) {
        go_to_thread(l, thread);
        if (evaluate_condition(l, condition))
            masks[thread / WARP_LANES] |= (uint32_t)1 << thread % WARP_LANES;
    }
    return masks;
}

/* ---- scalars ------------------------------------------------------------ */

/* An operation on counters alone that takes few values: a look-up. */
static bool tabulate_counters(struct lowering *l, const struct atom *atom, size_t index,
                              struct operation *out)
{
    int n_terms = 0;
    int64_t n = 1;
    if (atom->depends & (THREAD_BITS | BLOCK_BITS))
        return false;
    struct term *terms = arena_alloc(l->program->arena, VARIABLE_COUNTERS * sizeof *terms);
    for (uint64_t left = atom->depends; left; left &= left - 1) {
        int counter = __builtin_ctzll(left);
        terms[n_terms++] = (struct term){counter, n};
        if (l->forms->high[counter] >= TABULATED_MOST / n)
            return false;
        n *= l->forms->high[counter] + 1;
    }
    int64_t *table = arena_alloc(l->program->arena, (size_t)n * sizeof *table);
    for (int64_t i = 0; i < n; i++) {
        int64_t rest = i;
        for (int k = 0; k < n_terms; k++) {
            int64_t values = l->forms->high[terms[k].variable] + 1;
            l->values[terms[k].variable] = rest % values;
            rest /= values;
        }
        l->point++;
        table[i] = evaluate_atom(l, index);
    }
    struct sum *at = arena_alloc(l->program->arena, sizeof *at);
    *at = (struct sum){.scalars = terms, .n_scalars = n_terms};
    *out = (struct operation){.op = ATOM_TABLE, .a = at, .table = table, .depends = atom->depends};
    return true;
}

/* ---- forms, atoms, conditions ------------------------------------------- */

static const struct operation *lower_atom(struct lowering *l, size_t index)
{
    const struct atom *atom = &l->forms->atoms.items[index];
    if (l->lowered[index])
        return l->lowered[index];
    struct operation *o = arena_alloc(l->program->arena, sizeof *o);
    bool scalar = is_scalar(l, atom->depends);
    if (!scalar || !tabulate_counters(l, atom, index, o)) {
        *o = (struct operation){.op = atom->op, .table = atom->table, .depends = atom->depends};
        o->a = lower_form(l, atom->a);
        o->b = atom->b ? lower_form(l, atom->b) : NULL;
        o->test = atom->condition ? lower_condition(l, atom->condition) : NULL;
    }
    if (scalar) {
        o->place = l->n_places++;
        VECTOR_PUSH(&l->scalars, o);
    } else {
        o->place = (uint32_t)l->mixed.count;
        VECTOR_PUSH(&l->mixed, o);
    }
    l->lowered[index] = o;
    return o;
}

static const struct sum *lower_form(struct lowering *l, const struct form *form)
{
    struct arena *arena = l->program->arena;
    size_t size = (size_t)form->n_terms * sizeof(struct term);
    struct sum *sum = arena_alloc(arena, sizeof *sum);
    struct term *scalars = arena_alloc(arena, size), *mixed = arena_alloc(arena, size),
                *by_thread = arena_alloc(arena, size);
    int n_by_thread = 0;
    *sum = (struct sum){.constant = form->constant, .scalars = scalars, .mixed = mixed};
    for (int i = 0; i < form->n_terms; i++) {
        struct term term = form->terms[i];
        uint64_t depends = variable_depends(l, term.variable);
        if (is_by_thread(l, depends)) {
            by_thread[n_by_thread++] = term;
            continue;
        }
        if (term.variable >= VARIABLE_ATOM)
            term.variable = (int)lower_atom(l, (size_t)(term.variable - VARIABLE_ATOM))->place;
        if (is_scalar(l, depends))
            scalars[sum->n_scalars++] = term;
        else
            mixed[sum->n_mixed++] = term;
    }
    if (n_by_thread)
        sum->spreads = tabulate(l, by_thread, n_by_thread);
    return sum;
}

static const struct test *lower_condition(struct lowering *l, const struct condition *condition)
{
    struct test *test = arena_alloc(l->program->arena, sizeof *test);
    test->kind = condition->kind;
    if (is_by_thread(l, condition->depends)) {
        test->masks = tabulate_condition(l, condition);
        return test;
    }
    test->sum = condition->form ? lower_form(l, condition->form) : NULL;
    test->a = condition->a ? lower_condition(l, condition->a) : NULL;
    test->b = condition->b ? lower_condition(l, condition->b) : NULL;
    return test;
}

/* ---- programs ----------------------------------------------------------- */

/* The scalars whose innermost loop has that counter; -1: those outside of loops. */
static struct updates collect_updates(const struct lowering *l, int counter)
{
    const struct operation **items =
        arena_alloc(l->program->arena, l->scalars.count * sizeof *items);
    struct updates updates = {items, 0};
    for (size_t i = 0; i < l->scalars.count; i++) {
        uint64_t counters = l->scalars.items[i]->depends >> VARIABLE_COUNTER;
        int innermost = counters ? VARIABLE_COUNTER + 63 - __builtin_clzll(counters) : -1;
        if (innermost == counter)
            items[updates.count++] = l->scalars.items[i];
    }
    return updates;
}

/* Places of mixed operations that do not outlive a step of the counter. */
static uint32_t collect_stale(const struct lowering *l, int counter)
{
    uint32_t places = 0;
    for (size_t i = 0; i < l->mixed.count; i++)
        if (l->mixed.items[i]->depends & VARIABLE_BIT(counter))
            places |= (uint32_t)1 << i % KEPT_LANES;
    return places;
}

static int64_t form_factor(const struct form *form, int variable)
{
    for (int i = 0; i < form->n_direct; i++)
        if (form->terms[i].variable == variable)
            return form->terms[i].factor;
    return 0;
}

/* `counter`: of the loop that began last. */
static void lower_op(struct lowering *l, struct op *op, int counter)
{
    if (op->code == OP_IF)
        op->test = lower_condition(l, op->condition);
    if (op->code == OP_ACCESS || op->code == OP_FOR)
        op->sum = lower_form(l, op->form);
    if (op->code == OP_ACCESS)
        op->increment = form_factor(op->form, counter);
    if (op->code == OP_FOR)
        op->step_sum = lower_form(l, op->step);
    for (int i = 0; i < op->n_checks; i++)
        op->checks[i].sum = lower_form(l, op->checks[i].index);
}

static void lower_ops(struct lowering *l, struct op *ops, size_t count)
{
    int counter = -1;
    for (size_t i = 0; i < count; i++) {
        counter = ops[i].code == OP_FOR ? ops[i].counter : counter;
        lower_op(l, &ops[i], counter);
    }
    for (size_t i = 0; i < count; i++)
        if (ops[i].code == OP_FOR) {
            ops[i].updates = collect_updates(l, ops[i].counter);
            ops[i].stale = collect_stale(l, ops[i].counter);
        }
    l->program->updates = collect_updates(l, -1);
}

static uint64_t varying_variables(const uint32_t block[3])
{
    return VARIABLE_BIT(VARIABLE_TX) | (block[0] % WARP_LANES ? VARIABLE_BIT(VARIABLE_TY) : 0) |
           (block[0] * block[1] % WARP_LANES ? VARIABLE_BIT(VARIABLE_TZ) : 0);
}

void lower_program(struct compiler *c, struct op *ops, size_t count)
{
    struct program *p = c->program;
    struct lowering *l = memory_zero(1, sizeof *l);
    l->forms = &c->forms;
    l->program = p;
    l->varying = varying_variables(p->block);
    l->n_places = VARIABLE_COUNTER + c->n_counters;
    l->lowered = memory_zero(c->forms.atoms.count, sizeof *l->lowered);
    l->known = memory_zero(c->forms.atoms.count, sizeof *l->known);
    lower_ops(l, ops, count);
    const struct operation **mixed = arena_alloc(p->arena, l->mixed.count * sizeof *mixed);
    for (size_t i = 0; i < l->mixed.count; i++)
        mixed[i] = l->mixed.items[i];
    p->mixed = mixed;
    p->n_values = l->n_places;
    p->n_kept = l->mixed.count < KEPT_LANES ? (uint32_t)l->mixed.count : KEPT_LANES;
    VECTOR_FREE(&l->scalars);
    VECTOR_FREE(&l->mixed);
    VECTOR_FREE(&l->spreads);
    free(l->lowered);
    free(l->known);
    free(l);
}
