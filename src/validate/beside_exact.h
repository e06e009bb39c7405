/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An estimated profile beside the exact one of the same run: what its curves say of an LLC, by how
 * much that is off, and whether that is within what the estimate says of itself. */
#ifndef BANDSCAPE_VALIDATE_BESIDE_EXACT_H
#define BANDSCAPE_VALIDATE_BESIDE_EXACT_H

#include "machine/machine.h"
#include "profile/record/llc_hit.h"

/* Hits (requests) and bytes written home at a machine's LLC, exact less estimated, and half of the
 * intervals. Launches err to either side; what they may be off by adds up. */
struct beside_exact {
    double requests;
    double hits, hits_half;
    double written, written_half;
};

/* Both views have the same launches; those without an LLC's curve are left out. */
struct beside_exact beside_exact(const struct machine *machine, const struct profile_view *exact,
                                 const struct profile_view *estimated, enum level_side side);

/* At so many sizes of the LLC, from 1/64 of the machine's to twice that, hit rates and write-backs:
 * those of the cases that are within their intervals, and by how much the worst hit rate is beyond
 * its own, as a share of the requests (0: none is). */
enum { BESIDE_CAPACITIES = 8, BESIDE_CASES = 2 * BESIDE_CAPACITIES };
struct beside_cases {
    int within;
    double beyond;
};
struct beside_cases beside_cases(const struct machine *machine, const struct profile_view *exact,
                                 const struct profile_view *estimated, enum level_side side);

#endif
