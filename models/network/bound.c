/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a network's solution could be at best, without solving it: a sweep asks for the solution
 * where that is still of interest (src/explore/sweep/adaptive.h). */
#include <math.h>

#include "network/solution.h"

/* Of sums that were rounded on different ways. */
#define ROUNDED (1 + 1e-9)

/* At least so long a launch takes, whatever its phases are. In each of them, of length t, a class
 * does at most X t of its work w, and in all together w; with what cut_point() makes sure of,
 *
 *     sum over c of X D_kc <= copies_k    so    time >= sum over c of w D_kc / copies_k
 *     X <= N / (Z + sum over k of D_kc)   so    time >= w (Z + sum D) / N
 *
 * Where it stands before its places (crowd_point) these are its N, and Z is its way; classes that
 * are stopped before a level (stops.c) think longer. Who waits longer than others (lag.c) takes at
 * least w / N of what its own cycle takes alone. */
static double least_time(const struct work *w, int p)
{
    const struct network *network = w->network;
    double least = 0;
    for (int k = 0; k < network->stations; k++) {
        double load = 0;
        for (int c = 0; c < network->classes; c++)
            load += network->class[c].work * w->demand[(k * network->classes + c) * CHUNK + p];
        least = fmax(least, load / network->station[k].copies);
    }
    for (int c = 0; c < network->classes; c++) {
        double all = w->population[c * CHUNK + p], places = w->places[c * CHUNK + p];
        double most = work_alone(w, c, p, all, w->think[c * CHUNK + p] + w->late[c * CHUNK + p]);
        if (places < all)
            most = fmax(most, work_alone(w, c, p, places, w->way[c * CHUNK + p]));
        least = fmax(least, network->class[c].work / (WORK_ALONE * most));
    }
    return fmax(least, work_unequal_least(w, p)) / ROUNDED;
}

void network_bound(const void *context, int n, const struct term_operand *args, double *const *out)
{
    struct work work;
    for (int r = 0; r < NETWORK_RESULTS; r++)
        for (int p = 0; out[r] && p < n; p++)
            out[r][p] = (double)NAN;
    work_init(&work, context);
    for (int from = 0; from < n; from += CHUNK) {
        int chunk = n - from < CHUNK ? n - from : CHUNK;
        work_prepare(&work, args, from, chunk);
        for (int p = 0; p < chunk; p++) {
            work.time[p] = least_time(&work, p);
            work_put_alone(&work, args, out, from, p);
            work_put_launch(&work, out, from, p);
        }
    }
    work_fini(&work);
}
