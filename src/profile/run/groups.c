/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups of requests: each counts once, as what is known of it. */
#include "profile/run/groups.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { ASKS = 1, REMOTE = 2 };

/* Warps that are told apart: more are never resident, and those of one launch come in order. */
enum { WARPS_MOST = 1 << 22 };

void groups_fini(struct groups *groups)
{
    free(groups->warps);
    *groups = (struct groups){0};
}

void groups_begin_launch(struct groups *groups, const struct stream_kernel *kernel)
{
    size_t warps = 1, all = (size_t)kernel->n_ctas * kernel->warps_per_cta;
    while (warps < all && warps < WARPS_MOST)
        warps *= 2;
    if (!groups->warps || warps > groups->mask + 1)
        groups->warps = memory_resize(groups->warps, warps, sizeof *groups->warps);
    groups->mask = warps - 1;
    memset(groups->warps, 0, warps);
    groups->per_cta = kernel->warps_per_cta;
}

void groups_take(struct groups *groups, const struct request *request, struct group_counts *counts)
{
    size_t warp = (size_t)request->cta * groups->per_cta + request->warp;
    uint8_t *at = &groups->warps[warp & groups->mask];
    unsigned known = request->flags & REQUEST_BEGINS ? 0 : *at, asks = 0;
    if (request->kind != ACCESS_WRITE)
        asks = ASKS | (request->domain != request->home ? (unsigned)REMOTE : 0);
    counts->all += asks & ~known & ASKS ? 1 : 0;
    counts->remote += asks & ~known & REMOTE ? 1 : 0;
    *at = (uint8_t)(known | asks);
}
