/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traffic equations, by Gaussian elimination in the form of Grassmann, Taksar
 * and Heyman (1985): stations are taken out one by one, and only positive
 * numbers are added, so that nothing cancels. */
#include "queueing/traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static int check_routing(int n, const double *entry, const double *routing, double *leave,
                         struct error *error)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        if (!(entry[i] >= 0.0 && entry[i] < HUGE_VAL))
            return error_set(error, STATUS_INPUT, "station %d: %g enter", i + 1, entry[i]);
        for (int k = 0; k < n; k++) {
            double p = routing[i * n + k];
            if (!(p >= 0.0 && p <= 1.0))
                return error_set(error, STATUS_INPUT,
                                 "routing from station %d to %d: %g is not a probability", i + 1,
                                 k + 1, p);
            sum += p;
        }
        if (sum > 1.0 + 1e-12)
            return error_set(error, STATUS_INPUT,
                             "routing from station %d: probabilities add up to %.15g", i + 1, sum);
        leave[i] = sum > 1.0 - 1e-15 * n ? 0.0 : 1.0 - sum;
    }
    return 0;
}

int queueing_traffic(int stations, const double *entry, const double *routing, double *flow,
                     struct error *error)
{
    size_t n = (size_t)stations;
    double *p = memory_alloc(n * n * sizeof *p), *leave = memory_alloc(n * sizeof *leave);
    int status = check_routing(stations, entry, routing, leave, error);
    memcpy(p, routing, n * n * sizeof *p);
    memcpy(flow, entry, n * sizeof *flow);
    /* Without station `last` its customers go on from the station before it to
     * where they would have gone. */
    for (size_t last = n; last-- > 0 && !status;) {
        double out = leave[last];
        for (size_t k = 0; k < last; k++)
            out += p[last * n + k];
        double in = flow[last];
        for (size_t i = 0; i < last; i++)
            in += p[i * n + last];
        if (out == 0.0 && in > 0.0)
            status =
                error_set(error, STATUS_INPUT, "who reaches station %zu never leaves", last + 1);
        if (out == 0.0)
            out = 1.0;
        for (size_t i = 0; i < last; i++) {
            double share = p[i * n + last] / out;
            for (size_t k = 0; k < last; k++)
                p[i * n + k] += share * p[last * n + k];
            leave[i] += share * leave[last];
        }
        for (size_t k = 0; k < last; k++)
            flow[k] += flow[last] / out * p[last * n + k];
        p[last * n + last] = out; /* what leaves it for others, at each visit */
    }
    for (size_t k = 0; k < n && !status; k++) {
        for (size_t i = 0; i < k; i++)
            flow[k] += flow[i] * p[i * n + k];
        flow[k] /= p[k * n + k];
    }
    free(p);
    free(leave);
    return status;
}
