/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over a source: from warp accesses to the records of a view, or of several. */
#ifndef BANDSCAPE_PROFILE_PASS_H
#define BANDSCAPE_PROFILE_PASS_H

#include "profile/record/profile.h"
#include "machine/system.h"
#include "profile/run/profiler.h"

/* A view, for which a pass fills in records, sharing and line_bytes from the arena.
 * interleaving: "gto", "lrr" or, when a kernel's order was recorded, "recorded". */
struct pass_member {
    const struct system *system;
    const struct profile_options *options;
    struct arena *arena;
    struct profile_view *view;
    const char *interleaving;
    bool apart; /* it could not go with the first one, and nothing was made */
};

/* The first one issues, for all; the others have the same machine as far as issue, coalescing and
 * L1 see it (profile_near_key). Each gets what a pass of its own would give, to the last digit.
 * Some may be left `apart`: where launches that repeat are told from their counts, and these
 * differ; where a kernel's order was recorded; where something is wrong with them that a pass of
 * their own will name. */
int pass_run(struct pass_member *members, size_t n, const struct source *source,
             struct error *error);

/* Whether an SM's next access depends on more than its own past: L1s, caches beside them and TLBs
 * that SMs share, pages that move, L1s that remote lines bypass. Samplers see accesses as they
 * are, of which lists keep what others need. Such a machine is alone in its pass. */
bool pass_is_entangled(const struct system *system, unsigned parts);

#endif
