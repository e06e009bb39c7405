/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the last step of the loop-nest compiler knows while it works, from the top down: the
 * operations of a program (nest_lower.c), sequences of them (nest_sequence.c), sums and tests
 * (nest_sum.c), values at one point and tables (nest_tabulate.c). */
#ifndef BANDSCAPE_WORKLOAD_NEST_LOWER_H
#define BANDSCAPE_WORKLOAD_NEST_LOWER_H

#include "workload/nests/nest_compiler.h"

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
            const struct form_term *terms;
            int n_terms;
            const struct spread *spreads;
        } * items;
        size_t count, capacity;
    } spreads;
    uint64_t tests[KEPT_TESTS]; /* on what those depend that are kept */
    uint32_t n_tests;
    int64_t values[VARIABLE_ATOM]; /* where forms are evaluated now */
    struct known_value {
        uint64_t point;
        int64_t value;
    } * known;      /* of each atom */
    uint64_t point; /* number of the present values */
};

static inline bool is_scalar(const struct lowering *l, uint64_t depends)
{
    return !(depends & l->varying);
}

static inline bool is_by_thread(const struct lowering *l, uint64_t depends)
{
    return !is_scalar(l, depends) && !(depends & ~THREAD_BITS);
}

static inline uint64_t variable_depends(const struct lowering *l, int variable)
{
    return variable < VARIABLE_ATOM ? VARIABLE_BIT(variable)
                                    : l->forms->atoms.items[variable - VARIABLE_ATOM].depends;
}

/* What the form changes by for a step of a variable, but for its atoms. */
static inline int64_t term_factor(const struct form *form, int variable)
{
    for (int i = 0; i < form->n_terms; i++)
        if (form->terms[i].variable == variable)
            return form->terms[i].factor;
    return 0;
}

/* ---- sums and tests ------------------------------------------------------ */

/* What a form adds up, sorted. */
const struct sum *lower_form(struct lowering *l, const struct form *form);

/* A condition of such sums. What does not change with `counter`, that of the loop around, is
 * kept from step to step; -1: nothing is. */
const struct test *lower_condition(struct lowering *l, const struct condition *condition,
                                   int counter);

/* ---- values at one point: that of l->values, which whoever sets them says by l->point++ */

int64_t lower_value(struct lowering *l, const struct form *form);
int64_t lower_terms_value(struct lowering *l, const struct form_term *terms, int n);
bool lower_condition_value(struct lowering *l, const struct condition *condition);

/* Sets the thread indices to those of a thread of the block. */
void lower_go_to_thread(struct lowering *l, uint32_t thread);

/* ---- tables of what follows from the thread indices, or from counters, alone ------- */

/* One a warp of the block; the terms stay. */
const struct spread *tabulate_terms(struct lowering *l, const struct form_term *terms, int n_terms);
const uint32_t *tabulate_condition(struct lowering *l, const struct condition *condition);
const struct stretch *const *tabulate_range(struct lowering *l, const struct form *span,
                                            const struct form *step);

/* An operation on counters alone that takes few values, as a look-up; false: it is not. */
bool tabulate_counters(struct lowering *l, const struct atom *atom, size_t index,
                       struct operation *out);

bool same_terms(const struct form_term *a, const struct form_term *b, int n);

/* ---- sequences ----------------------------------------------------------- */

/* Finds what can be a sequence among the operations of the program. */
void lower_sequences(struct lowering *l, struct op *ops, uint32_t count);

#endif
