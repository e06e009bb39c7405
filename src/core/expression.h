/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The expression language of spaces (`let`, `where`, `set`) and of kernels
 * (grids, guards, indices): one parser, one tree.
 *
 *     or  and  not   < <= > >= == !=   + -   * / %   ^   unary -
 *     48 MiB   768 GB/s   1e9   llc.capacity   A[i,k]   name@workload
 *     min(a,b,...) max(...) ceil floor abs sqrt log2 if(c,a,b)
 *
 * A unit follows its number with or without one blank, and has none inside. */
#ifndef BANDSCAPE_CORE_EXPRESSION_H
#define BANDSCAPE_CORE_EXPRESSION_H

#include "core/error.h"
#include "core/memory.h"
#include "core/unit.h"

enum expression_op {
    EXPRESSION_NUMBER, /* number, dim */
    EXPRESSION_NAME,   /* name */
    EXPRESSION_INDEX,  /* name[args] */
    EXPRESSION_MIN,    /* n arguments */
    EXPRESSION_MAX,    /* n arguments */
    EXPRESSION_ADD,
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,
    EXPRESSION_MODULO, /* sign of the divisor, like floor division */
    EXPRESSION_POWER,
    EXPRESSION_NEGATE,
    EXPRESSION_CEIL,
    EXPRESSION_FLOOR,
    EXPRESSION_ABS,
    EXPRESSION_SQRT,
    EXPRESSION_LOG2,
    EXPRESSION_LESS,
    EXPRESSION_LESS_EQUAL,
    EXPRESSION_GREATER,
    EXPRESSION_GREATER_EQUAL,
    EXPRESSION_EQUAL,
    EXPRESSION_NOT_EQUAL,
    EXPRESSION_AND,
    EXPRESSION_OR,
    EXPRESSION_NOT,
    EXPRESSION_IF /* if(condition, then, else) */
};

struct expression {
    enum expression_op op;
    double number;
    struct dim dim; /* of a number */
    const char *name;
    struct expression **args;
    int n_args;
    struct mark mark; /* where it begins */
};

/* Parses the whole text. The tree lives in the arena; `mark` is where the text
 * begins in its file (errors point into it). */
int expression_parse(struct arena *arena, const char *text, const struct mark *mark,
                     struct expression **out, struct error *error);

/* Parses a prefix of the text and says where it stopped, for callers whose
 * syntax goes on after an expression (`0..nk`). */
int expression_parse_prefix(struct arena *arena, const char *text, const struct mark *mark,
                            struct expression **out, size_t *used, struct error *error);

/* The value of a name. Returns 0 or fills error (its place is added). */
typedef int expression_resolve_fn(void *context, const struct expression *name,
                                  struct quantity *out, struct error *error);

/* Evaluates with units checked; truth is 1 and 0. Division by zero, unknown
 * names and indexing are errors that point at the place. */
int expression_evaluate(const struct expression *expression, expression_resolve_fn *resolve,
                        void *context, struct quantity *out, struct error *error);

/* The dimension of an operation on operands of the given dimensions, or an
 * error at its mark: shared with the term graph, so that units are checked by
 * one rule. */
int expression_dim(const struct expression *expression, const struct dim *args, struct dim *out,
                   struct error *error);

/* The value of one operation other than number, name and index. */
double expression_apply(enum expression_op op, const double *args, int n_args);

/* "+", "min", "<=": as it is written. */
const char *expression_op_symbol(enum expression_op op);

#endif
