/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One set of the kernel of chains; the Makefile compiles this file once for each instruction set.
 * Vectors are written as such: that a tile stays in registers from one operation to the next is
 * what this is for, and compilers see it in no array. */
#include <stdint.h>
#include <string.h>

#include "core/simd.h"
#include "core/term_kernels.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

#if defined(__AVX512F__)
enum { LANES = 8 };
#elif defined(__AVX__)
enum { LANES = 4 };
#else
enum { LANES = 2 };
#endif
enum { TILE = 8 * LANES }; /* points that go through at once */

#define VECTOR double __attribute__((vector_size(LANES * sizeof(double))))
#define MASK int64_t __attribute__((vector_size(LANES * sizeof(int64_t))))
#define EACH(a) a(0) a(1) a(2) a(3) a(4) a(5) a(6) a(7)

INLINE VECTOR load(const double *from)
{
    VECTOR v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Less nothing, which changes no number: how a number becomes a vector. */
INLINE VECTOR spread(double value)
{
    return value - (VECTOR){0};
}

INLINE VECTOR choose(MASK mask, VECTOR yes, VECTOR no)
{
    return (VECTOR)(((MASK)yes & mask) | ((MASK)no & ~mask));
}

#define JOIN_COLUMN(k) x##k = STEP(x##k, load(data + (k)*LANES));
#define JOIN_SCALAR(k) x##k = STEP(x##k, y);
/* The two places of an operation: of a column, of one number. */
#define CASE(code)                                                                                 \
    case (code) + TERM_LINK_COLUMN:                                                                \
        data += at;                                                                                \
        EACH(JOIN_COLUMN)                                                                          \
        break;                                                                                     \
    case (code):                                                                                   \
        y = spread(*data);                                                                         \
        EACH(JOIN_SCALAR)                                                                          \
        break;

#define BEGIN(k) VECTOR x##k = start.step ? load(start.data + at + (k)*LANES) : spread(*start.data);
#define END(k) memcpy(out + at + (k)*LANES, &x##k, sizeof x##k);

static void tile(struct term_operand start, const struct term_link *links, int n_links, double *out,
                 int at)
{
    EACH(BEGIN)
    for (int l = 0; l < n_links; l++) {
        const double *data = links[l].data;
        VECTOR y;
        switch (links[l].code) {
#define STEP(a, b) ((a) + (b))
            CASE(TERM_LINK_OP * EXPRESSION_ADD)
            CASE(TERM_LINK_OP * EXPRESSION_ADD + TERM_LINK_REVERSED)
#undef STEP
#define STEP(a, b) ((a) * (b))
            CASE(TERM_LINK_OP * EXPRESSION_MULTIPLY)
            CASE(TERM_LINK_OP * EXPRESSION_MULTIPLY + TERM_LINK_REVERSED)
#undef STEP
#define STEP(a, b) ((a) - (b))
            CASE(TERM_LINK_OP * EXPRESSION_SUBTRACT)
#undef STEP
#define STEP(a, b) ((b) - (a))
            CASE(TERM_LINK_OP * EXPRESSION_SUBTRACT + TERM_LINK_REVERSED)
#undef STEP
#define STEP(a, b) ((a) / (b))
            CASE(TERM_LINK_OP * EXPRESSION_DIVIDE)
#undef STEP
#define STEP(a, b) ((b) / (a))
            CASE(TERM_LINK_OP * EXPRESSION_DIVIDE + TERM_LINK_REVERSED)
#undef STEP
#define STEP(a, b) choose((MASK)((b) < (a)), b, a)
            CASE(TERM_LINK_OP * EXPRESSION_MIN)
#undef STEP
#define STEP(a, b) choose((MASK)((a) < (b)), a, b)
            CASE(TERM_LINK_OP * EXPRESSION_MIN + TERM_LINK_REVERSED)
#undef STEP
#define STEP(a, b) choose((MASK)((b) > (a)), b, a)
            CASE(TERM_LINK_OP * EXPRESSION_MAX)
#undef STEP
#define STEP(a, b) choose((MASK)((a) > (b)), a, b)
            CASE(TERM_LINK_OP * EXPRESSION_MAX + TERM_LINK_REVERSED)
#undef STEP
        default:
            break;
        }
    }
    EACH(END)
}

/* The last tile ends with the column: points that the one before has too get the same bits again,
 * as nothing is written that is read. */
term_chain_kernel JOIN(term_chain_, SIMD_LEVEL);
bool JOIN(term_chain_, SIMD_LEVEL)(struct term_operand start, const struct term_link *links,
                                   int n_links, double *out, int n)
{
    for (int at = 0; at < n && n >= TILE; at += TILE)
        tile(start, links, n_links, out, at + TILE <= n ? at : n - TILE);
    return n >= TILE;
}
