/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A simulated machine is put together, and what it adjusts as it runs. */
#ifndef BANDSCAPE_SIMULATE_SETUP_H
#define BANDSCAPE_SIMULATE_SETUP_H

#include "simulate/gpu_internal.h"

/* To be torn down even when it fails. */
int simulate_setup(struct gpu *gpu, const struct machine *machine, const struct source *source,
                   const struct residents_user *user, struct error *error);
void simulate_teardown(struct gpu *gpu);

/* A dynamic split (Milic et al., MICRO 2017): in each domain a way goes to remote lines where
 * its incoming links were busier than its memory since the last look, else to local ones. */
void simulate_balance(struct gpu *gpu);

/* An SM's issue slots take so many instructions, behind those that they have: when it has issued
 * them. And all that is left to it. */
double simulate_issue(struct gpu *gpu, uint32_t sm, uint64_t instructions);
double simulate_issue_end(struct gpu *gpu, uint32_t sm);

/* L1 of that SM looks up a line that is asked for now: when it begins to, from where its latency
 * counts; at once where it states no rate (l1.lookups). */
double simulate_look_up(struct gpu *gpu, uint32_t sm);
/* When a warp begins that could at that time, behind others of its dispatcher (cta.warps). */
double simulate_dispatch(struct gpu *gpu, uint32_t sm, double at_s);

/* The next one of hits at a forced rate. */
bool simulate_forced_hit(struct forced *forced);

#endif
