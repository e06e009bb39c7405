/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep is held against: the loop that somebody writes by hand for this one formula (EAB of
 * models/sac/eab.model.c), this machine and these axes, and that does nothing with the answers but
 * keep the best. Compiled for several instruction sets, as kernels are. */
#ifndef BANDSCAPE_BENCH_EAB_LOOP_H
#define BANDSCAPE_BENCH_EAB_LOOP_H

#include <stddef.h>

enum { EAB_WORKLOADS_MAX = 8, EAB_POINTS_MAX = 256 };

/* [side]: 0 memory side, 1 SM side. */
struct eab_workload {
    double r_local, hit[2], uniformity[2];
};

struct eab_axis {
    const double *values;
    size_t n; /* EAB_POINTS_MAX at most of memory's */
};

struct eab_loop {
    const struct eab_workload *workloads;
    size_t n_workloads;
    double chips, links;                      /* by which a chip's or a link's is multiplied */
    struct eab_axis llc, link, intra, memory; /* bandwidths in bytes/s */
};

/* Of points whose NoC is at most twice the LLC: the best harmonic mean, how many they are, and the
 * sum of what they cost, so that it is not left out. */
struct eab_best {
    double bandwidth, points, cost;
};

struct eab_loops {
    const char *name;
    struct eab_best (*run)(const struct eab_loop *loop);
};

extern const struct eab_loops eab_loops_base, eab_loops_v3, eab_loops_v4;

#endif
