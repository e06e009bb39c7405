/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a run is NUMA-friendly, in words. */
#ifndef BANDSCAPE_CLI_PROFILE_NUMA_H
#define BANDSCAPE_CLI_PROFILE_NUMA_H

#include "core/memory.h"
#include "profile/record/profile.h"

/* Two lines: how much stays on the chip that asks, and what of the rest moves it: pages where
 * nobody looked who uses them, pages that are larger than what a chip uses, data that several chips
 * use. Nothing where there is one chip or partitions of chips, or where the profile does not say.
 */
void profile_numa_append(const struct profile_view *view, struct text *text);

#endif
