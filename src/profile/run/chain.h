/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waited in a launch, as fields of its record. */
#ifndef BANDSCAPE_PROFILE_CHAIN_H
#define BANDSCAPE_PROFILE_CHAIN_H

#include "profile/issue/clocks.h"
#include "profile/run/asides.h"

/* Of the launch that the clocks have ended, and what was counted meanwhile. */
void chain_fields(const struct system *system, const struct tally *tally,
                  const struct asides *asides, const struct clocks *clocks,
                  double fields[FIELD_COUNT]);

#endif
