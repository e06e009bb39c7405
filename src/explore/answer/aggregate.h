/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A metric over several workloads. */
#ifndef BANDSCAPE_EXPLORE_AGGREGATE_H
#define BANDSCAPE_EXPLORE_AGGREGATE_H

#include "core/term.h"
#include "explore/space/space.h"

/* The term `name` over those of `n` workloads, one or more: rates by the space's mean, times as a
 * sum, ratios by the arithmetic mean. */
int aggregate_term(struct term_graph *graph, const char *name, enum space_mean mean,
                   enum metric_combine combine, const int *terms, int n);

#endif
