/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What organisations of the LLC cost in the on-chip network (SAC, ISCA 2023). */
#ifndef BANDSCAPE_MODELS_SAC_NOC_COST_H
#define BANDSCAPE_MODELS_SAC_NOC_COST_H

#include "model/cost.h"

enum noc_cost { NOC_COST_POWER, NOC_COST_AREA };

/* Relative to a memory-side LLC, of the machine's organisation; one without a published
 * figure is refused. */
int noc_cost_term(struct model_builder *builder, enum noc_cost which);

#endif
