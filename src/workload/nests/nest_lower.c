/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last step of the loop-nest compiler: forms, atoms and conditions of the operations as
 * they are run, and what each step of a loop changes. */
#include <stdlib.h>

#include "workload/nests/nest_lower.h"

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
    if (op->code == OP_IF)
        op->test = lower_condition(l, op->condition, counter);
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
