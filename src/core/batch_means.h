/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confidence intervals of a long run by the method of batch means (Law and
 * Carson, Operations Research 27(5), 1979): the run, after its warm-up, is cut into
 * batches so long that their means hardly depend on each other, and the variance
 * over batches says how sure the mean of all is (Student's t).
 *
 * What is estimated are ratios of two sums, as of completions and time, of time in
 * the system and completions: with r = sum y / sum x over B batches,
 *     half width = t(B - 1) sqrt( sum (y_b - r x_b)^2 / (B (B - 1)) ) / mean x     */
#ifndef BANDSCAPE_CORE_BATCH_MEANS_H
#define BANDSCAPE_CORE_BATCH_MEANS_H

#include <stddef.h>

/* mean +- half_width at the confidence asked for; NaN: unknown. */
struct estimate {
    double mean, half_width;
};

struct batch_means {
    size_t n;                /* sums a batch */
    size_t capacity, closed; /* batches: room for; complete */
    size_t span;             /* of the caller's units that a batch now takes: 1, 2, 4, ... */
    size_t units;            /* of them in the open batch */
    double *open;            /* [n]: the open batch; the caller adds */
    double *sums;            /* [capacity * n]: the closed ones */
};

/* `capacity`: an even number of batches. */
void batch_means_init(struct batch_means *means, size_t n, size_t capacity);
void batch_means_fini(struct batch_means *means);

/* Forgets all so far: the warm-up is over. */
void batch_means_restart(struct batch_means *means);
/* A unit of the run has ended (so many requests): perhaps the open batch with it. When there
 * is no room, neighbours become one batch, so that a run of any length has capacity / 2 to
 * capacity batches of one size. */
void batch_means_unit(struct batch_means *means);

/* Ratio of two of the sums, times `scale`. confidence: 0.95 and so on. */
struct estimate batch_means_ratio(const struct batch_means *means, size_t numerator,
                                  size_t denominator, double scale, double confidence);

#endif
