/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The size of an input: `NAME:size=x1/4` is the chosen input with a quarter of
 * its footprint. Which parameters that changes, and how, the workload says:
 *
 *     scale: {nk: nk*size}               a vector, one edge of a matrix
 *     scale: {n: n*sqrt(size)}           both edges of a matrix
 *     scale: {n: "16*ceil(n/16*size^(1/3))"}   a cube of blocks
 *
 * in expressions (core/expression.h, real numbers) of `size` and of the input's
 * parameters before scaling; results are rounded to the nearest whole number. The
 * input is the chosen one with its explicit settings. What no expression changes, as the
 * weights of a network, stays. A size leaves no trace but the parameters. */
#ifndef BANDSCAPE_WORKLOAD_SCALE_H
#define BANDSCAPE_WORKLOAD_SCALE_H

#include <stdint.h>

#include "core/expression.h"

/* The parameter of a C workload that scales, and its expression. */
struct workload_scale {
    const char *parameter, *expression; /* parameter NULL ends the list */
};

#define SCALE_SIZE_KEY "size"

/* "x4", "x1/32", "0.25": a factor from 1/1024 to 1024. Errors point at `mark`. */
int scale_read_size(const char *text, const struct mark *mark, double *size, struct error *error);

/* The value of a parameter before scaling; false: there is none of that name. */
typedef bool scale_value_fn(const void *context, const char *name, int64_t *out);

/* The scaled value of `parameter`, at least 1. */
int scale_evaluate(const char *parameter, const struct expression *expression, double size,
                   scale_value_fn *value, const void *context, int64_t *out, struct error *error);

#endif
