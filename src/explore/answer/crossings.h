/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a function changes its sign over an interval: sampled evenly first (in the logarithm where
 * the interval spans more than a factor of four), then by Brent's method between samples of unlike
 * signs (GSL). Two changes between neighbours among the samples are not seen. */
#ifndef BANDSCAPE_EXPLORE_CROSSINGS_H
#define BANDSCAPE_EXPLORE_CROSSINGS_H

#include <stdbool.h>

#include "core/error.h"
#include "core/memory.h"

/* NaN: there is no value at x, which no change is next to. */
typedef int crossings_fn(void *context, double x, double *out, struct error *error);

struct crossings {
    double *items; /* ascending; to the relative accuracy, or the first whole number behind it */
    size_t count, capacity;
    double first, last; /* at the ends of the interval */
    size_t unknown;     /* samples without a value */
};

struct crossings_request {
    crossings_fn *function;
    void *context;
    double low, high;
    int samples;     /* at least 2 */
    double accuracy; /* relative */
    bool whole;      /* only whole numbers may be asked for */
};

/* To be freed (VECTOR_FREE) even when it fails. Looks at interrupt_requested(). */
int crossings_find(const struct crossings_request *request, struct crossings *out,
                   struct error *error);

/* Sample i of the request. */
double crossings_sample(const struct crossings_request *request, int i);

#endif
