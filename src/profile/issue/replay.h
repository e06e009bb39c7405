/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warps of accesses in recorded order: who waits for whom, as far as the record says.
 *
 * It says whose each access is and in which order all of them came, not when a thread block began
 * or ended. So an SM has as many places for blocks as it has room for; a block takes the next one
 * in turn as its first access comes, and begins as late as the latest warp of the block that was
 * there. Who asks for more than is left of a block whose place is taken begins another time. */
#ifndef BANDSCAPE_PROFILE_REPLAY_H
#define BANDSCAPE_PROFILE_REPLAY_H

#include "machine/system.h"
#include "profile/issue/waits.h"
#include "trace/stream.h"

struct replay;
struct replay *replay_create(const struct system *system, const struct stream_kernel *kernel,
                             struct wait_clock start);

/* Valid until the next call. */
struct warp_waits *replay_warp(struct replay *replay, uint32_t sm, uint64_t cta, uint32_t warp);

/* Ends all of them, and it: the latest clock. */
struct wait_clock replay_end(struct replay *replay);

#endif
