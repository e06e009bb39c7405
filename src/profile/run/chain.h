/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waited in a launch, as fields of its record. */
#ifndef BANDSCAPE_PROFILE_CHAIN_H
#define BANDSCAPE_PROFILE_CHAIN_H

#include "profile/run/asides.h"

/* The chain's clock at the launch's beginning and at its end, and what was counted meanwhile. */
void chain_fields(const struct system *system, const struct tally_counts *counts,
                  const struct asides *asides, struct wait_clock start, struct wait_clock end,
                  double fields[FIELD_COUNT]);

#endif
