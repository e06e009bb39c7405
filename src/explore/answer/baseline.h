/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What speed-ups are measured against: an organisation of the LLC, in the machine that is
 * looked at, or another machine as it stands. The speed-up is the baseline's kernel_time
 * over one's own, for the same model and workload; where a hand-made profile gives no bytes,
 * the ratio of bandwidths, which under organisations of one machine is the same. */
#ifndef BANDSCAPE_EXPLORE_BASELINE_H
#define BANDSCAPE_EXPLORE_BASELINE_H

#include "model/model.h"

struct baseline {
    const char *organisation; /* NULL: a machine */
    struct machine *machine;  /* NULL: an organisation */
};

/* The name of an organisation, or a machine's name or path. What is both is the organisation. */
int baseline_open(const char *name, struct baseline *out, struct error *error);
void baseline_close(struct baseline *baseline);

/* The machine to ask instead of `machine`. */
int baseline_machine(const struct baseline *baseline, const struct machine *machine,
                     struct machine **out, struct error *error);

/* From kernel_time and effective_bandwidth of both, NaN where they are unknown. */
double baseline_speedup(const struct baseline *baseline, double base_time_s,
                        double base_bytes_per_s, double time_s, double bytes_per_s);

/* The three means over workloads. NaN for none. */
struct baseline_means {
    double harmonic, geometric, arithmetic;
};
struct baseline_means baseline_means(const double *speedups, size_t count);

#endif
