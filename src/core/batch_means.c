/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batches and their means. */
#include "core/batch_means.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void batch_means_init(struct batch_means *means, size_t n, size_t capacity)
{
    *means = (struct batch_means){.n = n, .capacity = capacity, .span = 1};
    means->open = memory_zero(n, sizeof *means->open);
    means->sums = memory_zero(n * capacity, sizeof *means->sums);
}

void batch_means_fini(struct batch_means *means)
{
    free(means->open);
    free(means->sums);
}

void batch_means_restart(struct batch_means *means)
{
    memset(means->open, 0, means->n * sizeof *means->open);
    means->closed = means->units = 0;
    means->span = 1;
}

static void join_neighbours(struct batch_means *means)
{
    size_t n = means->n;
    for (size_t b = 0; b < means->closed / 2; b++)
        for (size_t i = 0; i < n; i++)
            means->sums[b * n + i] = means->sums[2 * b * n + i] + means->sums[(2 * b + 1) * n + i];
    means->closed /= 2;
    means->span *= 2;
}

void batch_means_unit(struct batch_means *means)
{
    if (++means->units < means->span)
        return;
    memcpy(means->sums + means->closed++ * means->n, means->open, means->n * sizeof *means->open);
    memset(means->open, 0, means->n * sizeof *means->open);
    means->units = 0;
    if (means->closed == means->capacity)
        join_neighbours(means);
}

struct estimate batch_means_ratio(const struct batch_means *means, size_t numerator,
                                  size_t denominator, double scale, double confidence)
{
    const double *sums = means->sums;
    size_t n = means->n, batches = means->closed;
    double y = 0, x = 0, squares = 0;
    for (size_t b = 0; b < batches; b++) {
        y += sums[b * n + numerator];
        x += sums[b * n + denominator];
    }
    if (!(x > 0))
        return (struct estimate){(double)NAN, (double)NAN};
    double ratio = y / x;
    if (batches < 2)
        return (struct estimate){ratio * scale, (double)NAN};
    for (size_t b = 0; b < batches; b++) {
        double rest = sums[b * n + numerator] - ratio * sums[b * n + denominator];
        squares += rest * rest;
    }
    double count = (double)batches;
    double t = gsl_cdf_tdist_Pinv(0.5 + confidence / 2, count - 1);
    double half = t * sqrt(squares / (count * (count - 1))) / (x / count);
    return (struct estimate){ratio * scale, half * scale};
}
