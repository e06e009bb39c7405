/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One set of the loop; see eab_loop.h. What does not hang on the inner axis is worked out outside,
 * and all loops run over columns in the first-level cache. */
#include "core/simd.h"
#include "eab_loop.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

enum { LANES = 8 };

/* Bandwidths of one place of the outer axes. */
struct place {
    double llc, inter, intra, noc;
};

INLINE double lesser(double a, double b)
{
    return b < a ? b : a;
}

/* Over the inner axis: the bandwidth, or, to `sum`, one over it. */
INLINE void one_workload(const struct eab_loop *loop, const struct eab_workload *w, int side,
                         const struct place *p, int only, double *restrict sum)
{
    double far = 1 - w->r_local, llc = p->llc * w->uniformity[side], miss = 1 - w->hit[side];
    double hit_local = llc * w->hit[side] * w->r_local, hit_far = llc * w->hit[side] * far;
    double miss_local = llc * miss * w->r_local, miss_far = llc * miss * far;
    double near_bound = side ? p->intra * w->r_local : p->intra;
    double far_bound = side ? p->intra * far : p->inter;
    if (side)
        miss_far = lesser(miss_far, p->inter);
    for (size_t i = 0; i < loop->memory.n; i++) {
        double memory = loop->memory.values[i] * loop->chips;
        double local = lesser(near_bound, hit_local + lesser(miss_local, memory * w->r_local));
        double remote = lesser(far_bound, hit_far + lesser(miss_far, memory * far));
        if (only)
            sum[i] = local + remote;
        else
            sum[i] += 1 / (local + remote);
    }
}

INLINE void one_place(const struct eab_loop *loop, int side, const struct place *p,
                      struct eab_best *best)
{
    double bandwidth[EAB_POINTS_MAX], most[LANES] = {0}, cost[LANES] = {0};
    size_t n = loop->memory.n, i = 0;
    if (!(p->noc <= p->llc / loop->chips * 2))
        return;
    for (size_t k = 0; k < n && loop->n_workloads > 1; k++)
        bandwidth[k] = 0;
    for (size_t w = 0; w < loop->n_workloads; w++)
        if (loop->n_workloads == 1)
            one_workload(loop, &loop->workloads[w], side, p, 1, bandwidth);
        else
            one_workload(loop, &loop->workloads[w], side, p, 0, bandwidth);
    for (size_t k = 0; k < n && loop->n_workloads > 1; k++)
        bandwidth[k] = (double)loop->n_workloads / bandwidth[k];
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            most[k] = bandwidth[i + k] > most[k] ? bandwidth[i + k] : most[k];
            cost[k] += p->inter + loop->memory.values[i + k] * loop->chips + p->noc;
        }
    for (; i < n; i++) {
        most[0] = bandwidth[i] > most[0] ? bandwidth[i] : most[0];
        cost[0] += p->inter + loop->memory.values[i] * loop->chips + p->noc;
    }
    for (size_t k = 0; k < LANES; k++) {
        best->bandwidth = most[k] > best->bandwidth ? most[k] : best->bandwidth;
        best->cost += cost[k];
    }
    best->points += (double)n;
}

static struct eab_best run(const struct eab_loop *loop)
{
    struct eab_best best = {0, 0, 0};
    for (size_t a = 0; a < loop->llc.n; a++)
        for (size_t b = 0; b < loop->link.n; b++)
            for (size_t c = 0; c < loop->intra.n; c++) {
                struct place p = {loop->llc.values[a] * loop->chips,
                                  loop->link.values[b] * loop->links,
                                  loop->intra.values[c] * loop->chips, loop->intra.values[c]};
                one_place(loop, 0, &p, &best);
                one_place(loop, 1, &p, &best);
            }
    return best;
}

const struct eab_loops JOIN(eab_loops_, SIMD_LEVEL) = {TEXT(SIMD_LEVEL), run};
