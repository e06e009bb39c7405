/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What model-driven replication takes in hardware (NUBA, ASPLOS 2023, section 5), by the formulas
 * of the profiler's sampler: bytes of its sampled sets, cycles of an evaluation. */
#include "model/computation.h"
#include "nuba/mdr_sampler.h"

static int mdr_hardware_compute(const struct machine *machine, const double *arguments,
                                double *results, struct error *error)
{
    struct mdr_sampler_shape shape = {.domains = MDR_SAMPLED_DOMAINS,
                                      .sets_per_domain = 96,
                                      .sets_per_slice = 48,
                                      .ways = MDR_WAYS,
                                      .sampled_sets = MDR_SAMPLED_SETS,
                                      .tag_bits = MDR_TAG_BITS};
    (void)machine;
    (void)arguments;
    (void)error;
    results[0] = mdr_sampler_storage(&shape);
    results[1] = mdr_evaluation_cycles();
    return 0;
}

static const char *const hardware_results[] = {"storage", "evaluation", NULL};

const struct computation computation_mdr_hardware = {
    .plugin = {"computation", "mdr_hardware", "bytes of sampled sets, cycles of an evaluation",
               "NUBA, ASPLOS 2023, section 5", NULL},
    .results = hardware_results,
    .compute = mdr_hardware_compute,
};
