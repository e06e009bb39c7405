/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that L1s look up, one behind another (l1.lookups). For bounds at a fixed mix. */
#ifndef BANDSCAPE_MODELS_RESOURCES_LOOKUPS_H
#define BANDSCAPE_MODELS_RESOURCES_LOOKUPS_H

#include "model/model.h"

/* Lines that all L1s look up, as bytes a second, by the mean over the busiest one; `lines`: how
 * many a line of requests takes. Terms. False where the machine states no rate, or has L1s outside
 * its SMs, or the profile does not say them, which the answer warns of. */
bool lookups_read(struct model_builder *builder, int *bandwidth, int *lines);

#endif
