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

#include "workload/nest_lower.h"

static const struct test *lower_condition(struct lowering *l, const struct condition *condition);

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

const struct sum *lower_form(struct lowering *l, const struct form *form)
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
        sum->spreads = tabulate_terms(l, by_thread, n_by_thread);
    return sum;
}

/* Does the loop leave the condition as it is, and is that worth keeping? */
static bool is_keepable(const struct lowering *l, const struct condition *condition)
{
    return l->counter >= 0 && !(condition->depends & VARIABLE_BIT(l->counter)) &&
           !is_scalar(l, condition->depends) && l->n_tests < KEPT_TESTS;
}

static const struct test *lower_condition(struct lowering *l, const struct condition *condition)
{
    struct test *test = arena_alloc(l->program->arena, sizeof *test);
    int counter = l->counter;
    test->kind = condition->kind;
    if (is_by_thread(l, condition->depends)) {
        test->masks = tabulate_condition(l, condition);
        return test;
    }
    if (is_keepable(l, condition)) {
        l->tests[l->n_tests] = condition->depends;
        test->place = KEPT_LANES + l->n_tests++;
        l->counter = -1; /* not its parts as well */
    }
    test->a = condition->a ? lower_condition(l, condition->a) : NULL;
    test->b = condition->b ? lower_condition(l, condition->b) : NULL;
    l->counter = -1; /* atoms keep theirs */
    test->sum = condition->form ? lower_form(l, condition->form) : NULL;
    l->counter = counter;
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

/* Places whose contents do not outlive a step of the counter. */
static uint64_t collect_stale(const struct lowering *l, int counter)
{
    uint64_t places = 0;
    for (size_t i = 0; i < l->mixed.count; i++)
        if (l->mixed.items[i]->depends & VARIABLE_BIT(counter))
            places |= (uint64_t)1 << i % KEPT_LANES;
    for (uint32_t i = 0; i < l->n_tests; i++)
        if (l->tests[i] & VARIABLE_BIT(counter))
            places |= (uint64_t)1 << (KEPT_LANES + i);
    return places;
}

static void lower_range(struct lowering *l, struct op *loop)
{
    if (!((loop->form->depends | loop->step->depends) & ~THREAD_BITS)) {
        loop->stretches = tabulate_range(l, loop->form, loop->step);
        return;
    }
    loop->sum = lower_form(l, loop->form);
    loop->step_sum = lower_form(l, loop->step);
}

/* `counter`: of the loop that began last. */
static void lower_op(struct lowering *l, struct op *op, int counter)
{
    if (op->code == OP_IF) {
        l->counter = counter;
        op->test = lower_condition(l, op->condition);
        l->counter = -1;
    }
    if (op->code == OP_ACCESS) {
        op->sum = lower_form(l, op->form);
        op->increment = term_factor(op->form, counter);
    }
    if (op->code == OP_FOR)
        lower_range(l, op);
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
    lower_sequences(l, ops, (uint32_t)count);
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
    l->counter = -1;
    l->n_places = VARIABLE_COUNTER + c->n_counters;
    l->lowered = memory_zero(c->forms.atoms.count, sizeof *l->lowered);
    l->known = memory_zero(c->forms.atoms.count, sizeof *l->known);
    lower_ops(l, ops, count);
    const struct operation **mixed = arena_alloc(p->arena, l->mixed.count * sizeof *mixed);
    for (size_t i = 0; i < l->mixed.count; i++)
        mixed[i] = l->mixed.items[i];
    p->mixed = mixed;
    p->n_values = l->n_places;
    p->n_tests = l->n_tests;
    p->n_kept = l->mixed.count < KEPT_LANES ? (uint32_t)l->mixed.count : KEPT_LANES;
    VECTOR_FREE(&l->scalars);
    VECTOR_FREE(&l->mixed);
    VECTOR_FREE(&l->spreads);
    free(l->lowered);
    free(l->known);
    free(l);
}
