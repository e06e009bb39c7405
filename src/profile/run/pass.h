/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass over a source: from warp accesses to the records of a view. */
#ifndef BANDSCAPE_PROFILE_PASS_H
#define BANDSCAPE_PROFILE_PASS_H

#include "profile/record/profile.h"
#include "machine/system.h"
#include "profile/run/profiler.h"

/* Fills records, sharing and line_bytes of the view from the arena.
 * *interleaving: "gto", "lrr" or, when a kernel's order was recorded, "recorded". */
int pass_run(const struct system *system, const struct source *source,
             const struct profile_options *options, struct arena *arena, struct profile_view *view,
             const char **interleaving, struct error *error);

#endif
