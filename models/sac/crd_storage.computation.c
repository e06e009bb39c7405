/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Storage of SAC's hardware as published (ISCA 2023, section 3.6), by the formula that the
 * profiler's directory has: tags, bits and counters of a chip, in bytes. */
#include "model/computation.h"
#include "sac/crd.h"

static int crd_storage_compute(const struct machine *machine, const double *arguments,
                               double *results, struct error *error)
{
    (void)machine;
    if (!(arguments[0] >= 1 && arguments[0] <= 32))
        return error_set(error, STATUS_INPUT, "a line has 1 to 32 sectors, not %g", arguments[0]);
    struct crd_shape shape = {
        .homes = 4,
        .chips = 4,
        .sets_per_home = 2048,
        .ways = CRD_WAYS,
        .sampled_sets = CRD_SAMPLED_SETS,
        .tag_bits = CRD_TAG_BITS,
        .sectors = (uint32_t)arguments[0],
        .slices = 16,
        .counter_bits = CRD_COUNTER_BITS,
        .slice_counter_bits = CRD_SLICE_COUNTER_BITS,
    };
    struct crd_storage storage = crd_storage(&shape);
    results[0] = storage.directory;
    results[1] = storage.slice_counters;
    results[2] = storage.counters;
    results[3] = storage.total;
    return 0;
}

static const char *const storage_arguments[] = {"sectors", NULL};
static const char *const storage_results[] = {"directory", "slice_counters", "counters", "total",
                                              NULL};

const struct computation computation_crd_storage = {
    .plugin = {"computation", "crd_storage", "bytes a chip of SAC's request directory and counters",
               "SAC, ISCA 2023, section 3.6", NULL},
    .arguments = storage_arguments,
    .results = storage_results,
    .compute = crd_storage_compute,
};
