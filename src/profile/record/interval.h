/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far counts of a curve may be off that was made from a sample of the lines, by the size of the
 * cache: half the width of an interval that holds the count of all lines with 95 %. Where it is
 * from: profile/curves/spread.h. */
#ifndef BANDSCAPE_PROFILE_INTERVAL_H
#define BANDSCAPE_PROFILE_INTERVAL_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "core/memory.h"

enum { INTERVAL_POINTS_MAX = 256 };

/* In a cache of so many lines; between two points the larger one's, and before the first and behind
 * the last point theirs. lines ascend. */
struct interval_point {
    uint64_t lines, half;
};
struct interval {
    struct interval_point *points;
    size_t n_points; /* 0: nothing is known, or nothing is off: see profile_view.sample_rate */
};

/* From `n` values at ascending sizes, rounded up. What is left out lies between two that are as
 * large. Points live in the arena. */
void interval_make(struct interval *interval, const uint64_t *lines, const double *half, size_t n,
                   struct arena *arena);

/* NaN without points. */
double interval_at(const struct interval *interval, double lines);

/* In a set-associative cache, as curve_miss_ratio has it: of fully associative ones of G sets
 * lines, where G has the gamma distribution of so many ways, the mean. */
double interval_at_sets(const struct interval *interval, double sets, double ways);

/* Text form: "lines:half" pairs as of curves (record/curve.h), but halves are not differences. */
void interval_print(const struct interval *interval, struct text *out);
int interval_scan(struct interval *interval, const char *text, struct arena *arena,
                  struct error *error);

#endif
