/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What launches take beside their work, of a bound that knows no other time. */
#ifndef BANDSCAPE_MODELS_RESOURCES_LAUNCHES_H
#define BANDSCAPE_MODELS_RESOURCES_LAUNCHES_H

#include "model/model.h"

/* Bytes over the time at that bandwidth (a term) and what launches take beside their work:
 *     B / ( 1 + B launches launch.time / bytes )
 * The bandwidth itself where bytes are unknown. A term. */
int launches_beside(struct model_builder *builder, int bandwidth);

#endif
