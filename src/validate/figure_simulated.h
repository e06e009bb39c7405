/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a simulation says in a model's place: times, bandwidths, and what it counts of requests. */
#ifndef BANDSCAPE_VALIDATE_FIGURE_SIMULATED_H
#define BANDSCAPE_VALIDATE_FIGURE_SIMULATED_H

#include "validate/figure.h"

/* Whether simulations know what the figure's expression is of: those, and what no model says. */
bool figure_can_be_simulated(const struct published_figure *published,
                             const struct expression *expression);

/* A metric on that machine, for the subject at hand; NaN of what a simulation does not know. A run
 * of more than 16 million requests is cut after 2 million (figure->requests: of more than as many,
 * after as many), half of them before it counts: who is ahead then, and has pages near, need not be
 * as in all of it. Its time is that of all its bytes at the bandwidth that was counted, what it
 * sends over links that of all its requests. Where the model compares machines, the one that it
 * decided for is simulated, and what it compares that with (model->stand). */
int figure_simulated_metric(struct figure *figure, struct figure_site *site, const char *name,
                            struct quantity *out, struct error *error);

/* Whether a metric is a count of a profile, of which no model makes anything: told what was counted
 * (figure->counted), it says that, and the formula has no part in its error. */
bool figure_simulated_counts(const char *name);
/* That metric of that machine, which was simulated for the subject at hand; STATUS_INFEASIBLE where
 * it was not. */
int figure_simulated_count(const struct figure_site *site, const char *name, struct quantity *out,
                           struct error *error);

#endif
