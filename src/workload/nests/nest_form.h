/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Index expressions of a loop nest as affine forms.
 *
 *     form = constant + sum of factor * variable
 *
 * A variable is a block index, a thread index, the counter of a loop (0, 1, ...,
 * the same for all lanes: a loop index is from + step*counter), or an *atom*: an
 * operation that is not affine (quotient, product, maximum, ...) on forms.
 * Every variable has a range, so every form has one; a form whose parts could
 * leave INTEGER_LIMIT is refused when it is built, and evaluation needs no
 * overflow checks. All objects live in the builder's arena. */
#ifndef BANDSCAPE_WORKLOAD_NEST_FORM_H
#define BANDSCAPE_WORKLOAD_NEST_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/memory.h"

enum {
    VARIABLE_BX,
    VARIABLE_BY,
    VARIABLE_BZ,
    VARIABLE_TX,
    VARIABLE_TY,
    VARIABLE_TZ,
    VARIABLE_COUNTER, /* of the first loop */
    VARIABLE_COUNTERS = 32,
    VARIABLE_ATOM = VARIABLE_COUNTER + VARIABLE_COUNTERS
};

struct form_term {
    int variable;
    int64_t factor;
};

struct form {
    int64_t constant;
    const struct form_term *terms; /* ascending variables, no factor is 0 */
    int n_terms, n_direct;         /* the first n_direct are not atoms */
    int64_t low, high;             /* over all values of the variables */
    uint64_t depends;              /* bit per variable below VARIABLE_ATOM, through atoms too */
};

enum atom_op {
    ATOM_DIVIDE, /* floor */
    ATOM_MODULO, /* sign of the divisor */
    ATOM_PRODUCT,
    ATOM_MAX,
    ATOM_POWER,
    ATOM_SQRT,   /* floor */
    ATOM_LOG2,   /* floor */
    ATOM_SELECT, /* condition ? a : b */
    ATOM_TABLE   /* table[a] */
};

struct atom {
    enum atom_op op;
    const struct form *a, *b; /* b NULL: one operand */
    const struct condition *condition;
    const int64_t *table;
    int64_t n; /* values in the table */
    int64_t low, high;
    uint64_t depends;
};

enum condition_kind {
    CONDITION_NEVER,
    CONDITION_ALWAYS,
    CONDITION_NONPOSITIVE, /* form <= 0 */
    CONDITION_ZERO,
    CONDITION_NONZERO,
    CONDITION_AND,
    CONDITION_OR
};

struct condition {
    enum condition_kind kind;
    const struct form *form;
    const struct condition *a, *b;
    uint64_t depends;
};

struct form_builder {
    struct arena *arena;
    int64_t low[VARIABLE_ATOM], high[VARIABLE_ATOM]; /* ranges of the variables */
    bool overflow;                                   /* a form left the limit since it was reset */
    int remainders; /* that the present proof may still take apart */
    struct {
        struct atom *items;
        size_t count, capacity;
    } atoms; /* variable VARIABLE_ATOM + i; free with VECTOR_FREE */
    struct {
        const struct form **items;
        size_t count, capacity;
    } facts; /* forms known to be <= 0 at this place; free with VECTOR_FREE */
};

/* Sets the range of the sum; false when any partial sum, in any order, might leave the limit. */
bool form_measure(const struct form_builder *b, struct form *form);

const struct form *form_constant(struct form_builder *b, int64_t value);
const struct form *form_variable(struct form_builder *b, int variable);
/* x + factor*y */
const struct form *form_sum(struct form_builder *b, const struct form *x, const struct form *y,
                            int64_t factor);
const struct form *form_product(struct form_builder *b, const struct form *x, const struct form *y);
/* The range of y must not contain 0 (divide, modulo); of x: >= 0 (sqrt), >= 1
 * (log2); of y: >= 0 (power). */
const struct form *form_divide(struct form_builder *b, const struct form *x, const struct form *y);
const struct form *form_modulo(struct form_builder *b, const struct form *x, const struct form *y);
const struct form *form_max(struct form_builder *b, const struct form *x, const struct form *y);
const struct form *form_power(struct form_builder *b, const struct form *x, const struct form *y);
const struct form *form_root(struct form_builder *b, enum atom_op op, const struct form *x);
const struct form *form_select(struct form_builder *b, const struct condition *condition,
                               const struct form *x, const struct form *y);
/* The range of x must lie within 0..n-1; the table lives as long as the form. */
const struct form *form_table(struct form_builder *b, const int64_t *table, int64_t n,
                              const struct form *x);

/* The value of an atom that is no ATOM_SELECT. */
int64_t atom_value(enum atom_op op, const int64_t *table, int64_t a, int64_t b);

/* Iterations of a loop that goes over `span` > 0 values (or none) in steps of `step` > 0. */
static inline int64_t trip_count(int64_t span, int64_t step)
{
    return span <= 0 ? 0 : step == 1 ? span : (span - 1) / step + 1;
}

/* form <= 0, = 0 or != 0 of a form's value. */
static inline bool condition_holds(enum condition_kind kind, int64_t value)
{
    return kind == CONDITION_NONPOSITIVE ? value <= 0 : (value == 0) == (kind == CONDITION_ZERO);
}

static inline bool form_is_constant(const struct form *form)
{
    return form->n_terms == 0;
}

/* The same sum, term by term; NULL is equal to NULL. */
bool form_equal(const struct form *x, const struct form *y);

/* True when form <= 0 follows from the ranges and the facts; false: not known. */
bool form_is_nonpositive(struct form_builder *b, const struct form *form);

/* Conditions; decided ones become CONDITION_ALWAYS or CONDITION_NEVER. */
const struct condition *condition_nonpositive(struct form_builder *b, const struct form *form);
const struct condition *condition_zero(struct form_builder *b, const struct form *form, bool zero);
const struct condition *condition_both(struct form_builder *b, const struct condition *x,
                                       const struct condition *y);
const struct condition *condition_either(struct form_builder *b, const struct condition *x,
                                         const struct condition *y);
const struct condition *condition_not(struct form_builder *b, const struct condition *x);

/* Adds what the condition says to the facts. */
void condition_assume(struct form_builder *b, const struct condition *condition);

#endif
