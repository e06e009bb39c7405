/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and atomics behind L1 that a warp makes together, for which it waits together: whether any
 * of them is for a line of another domain. */
#ifndef BANDSCAPE_PROFILE_GROUPS_H
#define BANDSCAPE_PROFILE_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "profile/request.h"
#include "trace/stream.h"

/* Of a launch. */
struct group_counts {
    uint64_t all, remote;
};

struct groups {
    uint8_t *warps; /* what is known of the last group of each (groups.c) */
    size_t mask;
    uint32_t per_cta;
};

void groups_fini(struct groups *groups);
void groups_begin_launch(struct groups *groups, const struct stream_kernel *kernel);
/* A request with its warp's number (request.warp). */
void groups_take(struct groups *groups, const struct request *request, struct group_counts *counts);

#endif
