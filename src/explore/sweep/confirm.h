/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best points of a sweep, simulated: what models say of each workload there, beside
 * what the request-level simulation says. */
#ifndef BANDSCAPE_EXPLORE_CONFIRM_H
#define BANDSCAPE_EXPLORE_CONFIRM_H

#include "explore/answer/referee.h"
#include "explore/sweep/sweep.h"

/* One point with one workload. */
struct confirmed {
    struct simulate_gpu_result *result;
    struct referee_rival *models; /* [model of the space] */
};

struct confirmation {
    const struct sweep *sweep;
    size_t points; /* of the ranking, from the best on */
    struct machine **machines;
    size_t *sizes;           /* of the workloads, by point */
    struct confirmed *items; /* [point * n_workloads + workload] */
};

/* Simulates the first `points` of the ranking, so many requests each. The result is the same for
 * any number of threads. Workloads need their sources. */
int confirm_run(const struct sweep *sweep, size_t points, uint64_t requests,
                struct confirmation *out, struct error *error);
void confirm_fini(struct confirmation *confirmation); /* also after an error */

#endif
