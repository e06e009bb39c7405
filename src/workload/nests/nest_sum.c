/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a form adds up, sorted by how it behaves in the lanes of a warp.
 *
 * What all lanes share is a scalar: an atom of that kind has a place among the warp's
 * values and is worked out when the innermost loop on which it depends goes on, or looked
 * up if it depends on counters of few values alone. What follows from the thread indices
 * alone is the same in every block: its lanes are tabulated for each warp of the block.
 * Only what is neither is left to be worked out lane by lane. */
#include "workload/nests/nest_lower.h"

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
        o->test = atom->condition ? lower_condition(l, atom->condition, -1) : NULL;
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
    size_t size = (size_t)form->n_terms * sizeof(struct form_term);
    struct sum *sum = arena_alloc(arena, sizeof *sum);
    struct form_term *scalars = arena_alloc(arena, size), *mixed = arena_alloc(arena, size),
                     *by_thread = arena_alloc(arena, size);
    int n_by_thread = 0;
    *sum = (struct sum){.constant = form->constant, .scalars = scalars, .mixed = mixed};
    for (int i = 0; i < form->n_terms; i++) {
        struct form_term term = form->terms[i];
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
static bool is_keepable(const struct lowering *l, const struct condition *condition, int counter)
{
    return counter >= 0 && !(condition->depends & VARIABLE_BIT(counter)) &&
           !is_scalar(l, condition->depends) && l->n_tests < KEPT_TESTS;
}

const struct test *lower_condition(struct lowering *l, const struct condition *condition,
                                   int counter)
{
    struct test *test = arena_alloc(l->program->arena, sizeof *test);
    test->kind = condition->kind;
    if (is_by_thread(l, condition->depends)) {
        test->masks = tabulate_condition(l, condition);
        return test;
    }
    if (is_keepable(l, condition, counter)) {
        l->tests[l->n_tests] = condition->depends;
        test->place = KEPT_LANES + l->n_tests++;
        counter = -1; /* not its parts as well */
    }
    test->sum = condition->form ? lower_form(l, condition->form) : NULL;
    test->a = condition->a ? lower_condition(l, condition->a, counter) : NULL;
    test->b = condition->b ? lower_condition(l, condition->b, counter) : NULL;
    return test;
}
