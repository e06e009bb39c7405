/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NUBA's sampled sets (mdr_sampler.h), of the published size, beside the hit rate with replication
 * that the profiler counts. */
#include "machine/machine.h"
#include "nuba/mdr_sampler.h"
#include "profile/record/llc_hit.h"
#include "profile/sampler.h"

/* At least one; slices of a domain. */
static uint32_t sets_per_slice(const struct system_level *llc)
{
    uint32_t sets = (uint32_t)(llc->sets / llc->slices);
    return sets ? sets : 1;
}

static void sampler_init(void *state, const struct system *system)
{
    struct mdr_sampler_shape mdr = {
        .domains = MDR_SAMPLED_DOMAINS,
        .sets_per_domain = (uint32_t)system_llc(system)->sets,
        .sets_per_slice = sets_per_slice(system_llc(system)),
        .ways = system_llc(system)->ways,
        .sampled_sets = MDR_SAMPLED_SETS,
        .tag_bits = MDR_TAG_BITS,
    };
    mdr_sampler_init(state, &mdr);
}

static void sampler_begin_launch(void *state)
{
    mdr_sampler_begin_kernel(state);
}

static void sampler_take_home(void *state, const struct request *request)
{
    mdr_sampler_take(state, request->domain, request->home, request->line,
                     request->flags & REQUEST_REPLICABLE);
}

static void sampler_values(const void *state, double *values)
{
    struct mdr_estimate estimate;
    mdr_sampler_estimate(state, &estimate);
    values[0] = estimate.replica_hit_rate;
}

static void sampler_fini(void *state)
{
    mdr_sampler_fini(state);
}

static const struct profile_field_row fields[] = {
    {.path = "mdr.hit_replicated",
     .kind = FIELD_KIND_RATIO,
     .help = "LLC hit rate with replication as NUBA's sampled sets see it"},
    {.path = NULL},
};

static const struct sampler_column columns[] = {
    {"mdr_hit", "replicated hit", "MDR", .field = "mdr.hit_replicated"},
    {"llc_hit_replicated", "replicated hit", "exact", .value = profile_llc_hit_replicated,
     .beside = true},
    {.key = NULL},
};

const struct sampler sampler_mdr = {
    .plugin = {"sampler", "mdr", "sampled sets with and without replicas",
               "NUBA, ASPLOS 2023, section 5", NULL},
    .system = "NUBA",
    .part = PART_SAMPLERS,
    .needs = SAMPLER_NEEDS_LLC | SAMPLER_NEEDS_WRITTEN,
    .fields = fields,
    .columns = columns,
    .state_size = sizeof(struct mdr_sampler),
    .init = sampler_init,
    .begin_launch = sampler_begin_launch,
    .take_home = sampler_take_home,
    .values = sampler_values,
    .fini = sampler_fini,
};
