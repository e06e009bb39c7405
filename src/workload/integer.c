/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole-number evaluation of expressions. */
#include "workload/integer.h"

#include <math.h>

enum { ARGS_MAX = 16 };

int64_t integer_log2(int64_t a)
{
    int64_t result = 0;
    while (a >>= 1)
        result++;
    return result;
}

int64_t integer_sqrt(int64_t a)
{
    int64_t root = (int64_t)sqrt((double)a);
    while (root > 0 && root > a / root)
        root--;
    while (root + 1 <= a / (root + 1))
        root++;
    return root;
}

bool integer_power(int64_t a, int64_t b, int64_t *out)
{
    int64_t result = 1;
    if (a == 0 || a == 1 || a == -1) {
        *out = b == 0 ? 1 : a == -1 && b % 2 == 0 ? 1 : a;
        return true;
    }
    for (; b > 0; b--)
        if (__builtin_mul_overflow(result, a, &result) || result > INTEGER_LIMIT ||
            result < -INTEGER_LIMIT)
            return false;
    *out = result;
    return true;
}

int integer_number(const struct expression *number, int64_t *out, struct error *error)
{
    if (!dim_equal(number->dim, DIM_NONE))
        return error_at(error, STATUS_INPUT, &number->mark, "a number with a unit in a loop nest");
    if (number->number != floor(number->number) || fabs(number->number) > 0x1p53)
        return error_at(error, STATUS_INPUT, &number->mark, "expected a whole number, got %g",
                        number->number);
    *out = (int64_t)number->number;
    return 0;
}

static bool integer_rounds(const struct expression *e)
{
    if (e->op == EXPRESSION_DIVIDE || e->op == EXPRESSION_LOG2 || e->op == EXPRESSION_SQRT)
        return true;
    for (int i = 0; i < e->n_args; i++)
        if (integer_rounds(e->args[i]))
            return true;
    return false;
}

int integer_check_ceil(const struct expression *ceil_node, bool *rounds, struct error *error)
{
    const struct expression *e = ceil_node->args[0];
    *rounds = e->op == EXPRESSION_DIVIDE || e->op == EXPRESSION_LOG2 || e->op == EXPRESSION_SQRT;
    if (*rounds || !integer_rounds(e))
        return 0;
    error_at(error, STATUS_INPUT, &ceil_node->mark,
             "ceil of an expression in which a quotient has been rounded down already");
    error_hint(error, "in a loop nest a/b rounds down; write ceil(a/b) around the quotient itself");
    return STATUS_INPUT;
}

static int integer_fail(const struct expression *e, struct error *error, const char *what)
{
    return error_at(error, STATUS_INPUT, &e->mark, "\"%s\": %s", expression_op_symbol(e->op), what);
}

static int integer_arithmetic(const struct expression *e, const int64_t *args, int64_t *out,
                              struct error *error)
{
    int64_t a = args[0], b = e->n_args > 1 ? args[1] : 0;
    bool overflow = false;
    switch (e->op) {
    case EXPRESSION_ADD:
        overflow = __builtin_add_overflow(a, b, out);
        break;
    case EXPRESSION_SUBTRACT:
        overflow = __builtin_sub_overflow(a, b, out);
        break;
    case EXPRESSION_MULTIPLY:
        overflow = __builtin_mul_overflow(a, b, out);
        break;
    case EXPRESSION_DIVIDE:
    case EXPRESSION_MODULO:
        if (b == 0)
            return integer_fail(e, error, "division by zero");
        *out = integer_floor_divide(a, b);
        if (e->op == EXPRESSION_MODULO)
            *out = a - *out * b;
        return 0;
    case EXPRESSION_POWER:
        if (b < 0)
            return integer_fail(e, error, "a negative exponent");
        overflow = !integer_power(a, b, out);
        break;
    case EXPRESSION_SQRT:
        if (a < 0)
            return integer_fail(e, error, "of a negative number");
        *out = integer_sqrt(a);
        return 0;
    default: /* EXPRESSION_LOG2 */
        if (a < 1)
            return integer_fail(e, error, "of a number below 1");
        *out = integer_log2(a);
        return 0;
    }
    if (overflow || *out > INTEGER_LIMIT || *out < -INTEGER_LIMIT)
        return integer_fail(e, error, "the value does not fit in 64 bits");
    return 0;
}

/* One operation other than number, name, index and ceil, on n_args values. */
static int integer_apply(const struct expression *e, const int64_t *args, int64_t *out,
                         struct error *error)
{
    int64_t a = args[0], b = e->n_args > 1 ? args[1] : 0;
    switch (e->op) {
    case EXPRESSION_MIN:
    case EXPRESSION_MAX:
        for (int i = 1; i < e->n_args; i++)
            if (e->op == EXPRESSION_MIN ? args[i] < a : args[i] > a)
                a = args[i];
        *out = a;
        return 0;
    case EXPRESSION_NEGATE:
        *out = -a;
        return 0;
    case EXPRESSION_FLOOR:
        *out = a;
        return 0;
    case EXPRESSION_ABS:
        *out = a < 0 ? -a : a;
        return 0;
    case EXPRESSION_LESS:
        *out = a < b;
        return 0;
    case EXPRESSION_LESS_EQUAL:
        *out = a <= b;
        return 0;
    case EXPRESSION_GREATER:
        *out = a > b;
        return 0;
    case EXPRESSION_GREATER_EQUAL:
        *out = a >= b;
        return 0;
    case EXPRESSION_EQUAL:
        *out = a == b;
        return 0;
    case EXPRESSION_NOT_EQUAL:
        *out = a != b;
        return 0;
    case EXPRESSION_AND:
        *out = a && b;
        return 0;
    case EXPRESSION_OR:
        *out = a || b;
        return 0;
    case EXPRESSION_NOT:
        *out = !a;
        return 0;
    case EXPRESSION_IF:
        *out = a ? args[1] : args[2];
        return 0;
    default:
        return integer_arithmetic(e, args, out, error);
    }
}

/* ceil(a/b) = -floor(-a/b); the other two have rounded down unless exact. */
static int integer_ceil(const struct expression *e, const int64_t *args, int64_t *out,
                        struct error *error)
{
    int64_t operand = e->op == EXPRESSION_DIVIDE ? -args[0] : args[0];
    int64_t values[2] = {operand, e->n_args > 1 ? args[1] : 0};
    int status = integer_apply(e, values, out, error);
    if (status)
        return status;
    if (e->op == EXPRESSION_DIVIDE)
        *out = -*out;
    else if (e->op == EXPRESSION_SQRT)
        *out += *out * *out < args[0];
    else
        *out += ((int64_t)1 << *out) < args[0];
    return 0;
}

int integer_evaluate(const struct expression *e, integer_resolve_fn *resolve, void *context,
                     int64_t *out, struct error *error)
{
    int status;
    bool up = false;
    if (e->op == EXPRESSION_NUMBER)
        return integer_number(e, out, error);
    if (e->op == EXPRESSION_NAME || e->op == EXPRESSION_INDEX) {
        if ((status = resolve(context, e, out, error)))
            error_place(error, &e->mark);
        return status;
    }
    if (e->op == EXPRESSION_CEIL) {
        if ((status = integer_check_ceil(e, &up, error)))
            return status;
        e = e->args[0];
        if (!up)
            return integer_evaluate(e, resolve, context, out, error);
    }
    int64_t values[ARGS_MAX] = {0};
    for (int i = 0; i < e->n_args; i++)
        if ((status = integer_evaluate(e->args[i], resolve, context, &values[i], error)))
            return status;
    return up ? integer_ceil(e, values, out, error) : integer_apply(e, values, out, error);
}
