/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole-number arithmetic of loop nests, over the trees of
 * core/expression.h: parameters, shapes, grids, bounds, guards and indices are
 * 64-bit integers.
 *
 *     a/b        rounds down (towards minus infinity), a%b has the sign of b
 *     ceil(a/b)  rounds up; ceil of anything else that rounds is an error,
 *                because its operand has been rounded down already
 *     log2, sqrt round down, or up directly under ceil
 *     truth      is 1 and 0; both sides of and, or, if(...) are evaluated */
#ifndef BANDSCAPE_WORKLOAD_INTEGER_H
#define BANDSCAPE_WORKLOAD_INTEGER_H

#include <stdint.h>

#include "core/error.h"
#include "core/expression.h"

/* Values stay far enough below 2^63 that a sum of two cannot overflow. */
#define INTEGER_LIMIT ((int64_t)1 << 62)

static inline int64_t integer_floor_divide(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - ((a % b != 0) & ((a < 0) != (b < 0)));
}

/* floor(log2(a)) of a >= 1; floor(sqrt(a)) of a >= 0. */
int64_t integer_log2(int64_t a);
int64_t integer_sqrt(int64_t a);

/* a^b of b >= 0; false when it leaves the limit. */
bool integer_power(int64_t a, int64_t b, int64_t *out);

/* The number of a EXPRESSION_NUMBER node: whole and without a unit. */
int integer_number(const struct expression *number, int64_t *out, struct error *error);

/* Refuses ceil of an operand that was rounded down already. *rounds: the
 * operand is a quotient, log2 or sqrt, and must be rounded up instead. */
int integer_check_ceil(const struct expression *ceil, bool *rounds, struct error *error);

/* The value of a name. Returns 0 or fills error (its place is added). */
typedef int integer_resolve_fn(void *context, const struct expression *name, int64_t *out,
                               struct error *error);

/* Evaluates; division by zero and overflow are errors that point at the place. */
int integer_evaluate(const struct expression *expression, integer_resolve_fn *resolve,
                     void *context, int64_t *out, struct error *error);

#endif
