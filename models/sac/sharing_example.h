/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC's example of sharing (ISCA 2023, section 3): two chips, pages A and B of two lines,
 * A first touched by chip C0 and B by C1.
 *
 *     case 0   C0: A1 A2   C1: B1 B2   nothing is shared
 *     case 1   C0: A1 B1   C1: A2 B2   all lines are falsely shared
 *     case 2   C0: A1 B1   C1: A1 B1   A1 and B1 are truly shared */
#ifndef BANDSCAPE_MODELS_SAC_SHARING_EXAMPLE_H
#define BANDSCAPE_MODELS_SAC_SHARING_EXAMPLE_H

#include "core/error.h"

struct sharing_example {
    double non_shared, falsely_shared, truly_shared; /* lines */
    double memory_side, sm_side;                     /* lines held in the LLCs of both chips */
    double own; /* reads, of the four, of a page whose home is the reader's chip */
};

/* What the profiler says of it on the machine sac-2chip. */
int sharing_example(int number, struct sharing_example *out, struct error *error);

#endif
