/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What inputs leave of the machines of a space, for its summary; rows say it point by point. */
#ifndef BANDSCAPE_EXPLORE_SWEEP_FILLING_H
#define BANDSCAPE_EXPLORE_SWEEP_FILLING_H

#include "explore/sweep/structure.h"

/* Of a structure's points an even sample is asked, all where there are few: its share stands for
 * all points, and the first that has a warning says what it is about: of the structure at which
 * sweep_reasons_at is. After the structure was
 * scanned, since its graph grows. */
enum { FILLING_SAMPLE = 64 };
void sweep_add_filling(struct sweep *sweep, struct structure *structure);

#endif
