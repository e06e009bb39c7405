/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a name in a space's formulas, objectives or ranking might have meant. */
#ifndef BANDSCAPE_EXPLORE_UNKNOWN_NAME_H
#define BANDSCAPE_EXPLORE_UNKNOWN_NAME_H

#include "explore/sweep/plan.h"

/* Sets the error of a name that is no parameter of the machine, total, cost, metric or `let`
 * name: which part of "model.metric@workload" is wrong, and the nearest that there is. `tie`: in
 * a `set`, which has parameters only. Returns STATUS_INPUT. */
int unknown_name(const struct sweep *sweep, const struct machine *machine, bool tie,
                 const char *name, struct error *error);

#endif
