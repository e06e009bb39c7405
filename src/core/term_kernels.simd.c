/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One set of column kernels; the Makefile compiles this file once for each
 * instruction set, with SIMD_LEVEL naming it. Loops are written so that the
 * compiler vectorises them. */
#include <float.h>
#include <math.h>
#include <stdint.h>

#include "core/term_kernels.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

/* Four loops, so that a scalar operand stays in a register. */
#define LOOP(expression)                                                                           \
    do {                                                                                           \
        const double *restrict pa = a.data, *restrict pb = b.data;                                 \
        if (a.step && b.step)                                                                      \
            for (int i = 0; i < n; i++) {                                                          \
                double x = pa[i], y = pb[i];                                                       \
                out[i] = (expression);                                                             \
            }                                                                                      \
        else if (a.step) {                                                                         \
            const double y = pb[0];                                                                \
            for (int i = 0; i < n; i++) {                                                          \
                double x = pa[i];                                                                  \
                out[i] = (expression);                                                             \
            }                                                                                      \
        } else {                                                                                   \
            const double x = pa[0];                                                                \
            for (int i = 0; i < n; i++) {                                                          \
                double y = pb[b.step ? i : 0];                                                     \
                out[i] = (expression);                                                             \
            }                                                                                      \
        }                                                                                          \
    } while (0)

static void kernel_binary(enum expression_op op, double *restrict out, struct term_operand a,
                          struct term_operand b, int n)
{
    switch (op) {
    case EXPRESSION_ADD:
        LOOP(x + y);
        return;
    case EXPRESSION_SUBTRACT:
        LOOP(x - y);
        return;
    case EXPRESSION_MULTIPLY:
        LOOP(x * y);
        return;
    case EXPRESSION_DIVIDE:
        LOOP(x / y);
        return;
    case EXPRESSION_MIN:
        LOOP(y < x ? y : x);
        return;
    case EXPRESSION_MAX:
        LOOP(y > x ? y : x);
        return;
    case EXPRESSION_LESS:
        LOOP(x < y ? 1.0 : 0.0);
        return;
    case EXPRESSION_LESS_EQUAL:
        LOOP(x <= y ? 1.0 : 0.0);
        return;
    case EXPRESSION_GREATER:
        LOOP(x > y ? 1.0 : 0.0);
        return;
    case EXPRESSION_GREATER_EQUAL:
        LOOP(x >= y ? 1.0 : 0.0);
        return;
    case EXPRESSION_EQUAL:
        LOOP(x == y ? 1.0 : 0.0);
        return;
    case EXPRESSION_NOT_EQUAL:
        LOOP(x != y ? 1.0 : 0.0);
        return;
    case EXPRESSION_AND:
        LOOP(x != 0.0 && y != 0.0 ? 1.0 : 0.0);
        return;
    case EXPRESSION_OR:
        LOOP(x != 0.0 || y != 0.0 ? 1.0 : 0.0);
        return;
    default: /* rare in inner loops: the scalar rule of the expression language */
        for (int i = 0; i < n; i++) {
            double args[2] = {a.data[a.step ? i : 0], b.data[b.step ? i : 0]};
            out[i] = expression_apply(op, args, 2);
        }
    }
}

static void kernel_choose(double *restrict out, struct term_operand c, struct term_operand a,
                          struct term_operand b, int n)
{
    for (int i = 0; i < n; i++) {
        double x = a.data[a.step ? i : 0], y = b.data[b.step ? i : 0];
        out[i] = c.data[c.step ? i : 0] != 0.0 ? x : y;
    }
}

/* Whole numbers as wide as what they are about, so that no lane is moved. */
static bool kernel_not_finite(const double *values, int n)
{
    int64_t any = 0;
    for (int i = 0; i < n; i++)
        any |= !(fabs(values[i]) <= DBL_MAX);
    return any;
}

static bool kernel_within(const double *values, double limit, bool least, int n)
{
    int64_t any = 0;
    if (least)
        for (int i = 0; i < n; i++)
            any |= values[i] >= limit;
    else
        for (int i = 0; i < n; i++)
            any |= values[i] <= limit;
    return any;
}

static int kernel_reject(unsigned char *restrict mask, const double *restrict condition, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        unsigned char holds = condition[i] != 0.0;
        count += mask[i] & !holds;
        mask[i] &= holds;
    }
    return count;
}

term_chain_kernel JOIN(term_chain_, SIMD_LEVEL); /* term_chain.simd.c */
extern const struct term_kernels JOIN(term_kernels_, SIMD_LEVEL);
const struct term_kernels JOIN(term_kernels_, SIMD_LEVEL) = {
    .name = TEXT(SIMD_LEVEL),
    .binary = kernel_binary,
    .chain = JOIN(term_chain_, SIMD_LEVEL),
    .choose = kernel_choose,
    .not_finite = kernel_not_finite,
    .within = kernel_within,
    .reject = kernel_reject,
};
