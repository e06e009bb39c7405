/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of resources, the longest of which is a design's. */
#ifndef BANDSCAPE_DUALOPT_LIMITS_H
#define BANDSCAPE_DUALOPT_LIMITS_H

#include "model/model.h"

enum { DUALOPT_LIMITS_MAX = 10 };

struct dualopt_limits {
    const char *resources[DUALOPT_LIMITS_MAX];
    int times[DUALOPT_LIMITS_MAX], count; /* terms, seconds */
};

void dualopt_limit_add(struct dualopt_limits *limits, const char *resource, int time);

/* The busiest SM's instructions, at sm.issue each: of a profile that counts them, on a machine that
 * says it. */
void dualopt_limit_issue(struct model_builder *builder, struct dualopt_limits *limits);

/* Bandwidth of so many bytes (a term) at the slowest resource, a term of that name; what carries
 * nothing sets no limit. */
int dualopt_limits_bandwidth(struct model_builder *builder, const struct dualopt_limits *limits,
                             const char *name, int bytes);

#endif
