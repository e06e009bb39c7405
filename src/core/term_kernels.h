/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Column kernels, compiled for several instruction sets (term_kernels.simd.c)
 * and chosen once. All sets give the same bits: every operation is IEEE exact
 * and nothing is contracted or reordered. */
#ifndef BANDSCAPE_CORE_TERM_KERNELS_H
#define BANDSCAPE_CORE_TERM_KERNELS_H

#include <stdbool.h>

#include "core/term.h"

/* One operation of a chain, between what it is at and an operand. */
struct term_link {
    int code; /* TERM_LINK_OP * enum expression_op + what holds of the following */
    const double *data;
};
enum {
    TERM_LINK_COLUMN = 1,   /* the operand is a column, else one number */
    TERM_LINK_REVERSED = 2, /* the operand is the left one */
    TERM_LINK_OP = 4
};

/* out = start, then one link after another: of +, -, *, /, min and max. No link reads `out`. False:
 * there are fewer points than go through at once, and nothing is done. */
typedef bool term_chain_kernel(struct term_operand start, const struct term_link *links,
                               int n_links, double *out, int n);

struct term_kernels {
    const char *name;
    /* out[i] = a[i] op b[i]; b is ignored by operations of one operand. */
    void (*binary)(enum expression_op op, double *out, struct term_operand a, struct term_operand b,
                   int n);
    term_chain_kernel *chain;
    /* out[i] = c[i] != 0 ? a[i] : b[i] */
    void (*choose)(double *out, struct term_operand c, struct term_operand a, struct term_operand b,
                   int n);
    /* Whether one of n values is NaN or infinite. */
    bool (*not_finite)(const double *values, int n);
    /* Whether one of n values is at most (least false) or at least `limit`. */
    bool (*within)(const double *values, double limit, bool least, int n);
    /* Makes mask[i] 0 where the condition is; returns how many of the n were 1 before. */
    int (*reject)(unsigned char *mask, const double *condition, int n);
};

/* The best set this processor runs. */
const struct term_kernels *term_kernels_get(void);
/* A set by name ("base", "v3", "v4") or NULL when it cannot run here: for tests. */
const struct term_kernels *term_kernels_find(const char *name);

#endif
