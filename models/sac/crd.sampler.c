/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC's chip request directory and slice counters (crd.h), of the published size, beside the hit
 * rate and the slice uniformity that the profiler counts. */
#include "core/hash.h"
#include "machine/machine.h"
#include "profile/record/llc_hit.h"
#include "profile/sampler.h"
#include "sac/crd.h"

struct state {
    const struct system *system;
    struct crd crd;
};

static void sampler_init(void *context, const struct system *system)
{
    struct state *state = context;
    struct crd_shape crd = {
        .homes = system->domains,
        .chips = system->domains,
        .sets_per_home = system_llc(system)->sets,
        .ways = system_llc(system)->ways,
        .sampled_sets = system_llc(system)->sets < CRD_SAMPLED_SETS ? system_llc(system)->sets
                                                                    : CRD_SAMPLED_SETS,
        .tag_bits = CRD_TAG_BITS,
        .sectors = system->sectors,
        .slices = system_llc(system)->slices,
        .counter_bits = CRD_COUNTER_BITS,
        .slice_counter_bits = CRD_SLICE_COUNTER_BITS,
    };
    state->system = system;
    crd_init(&state->crd, &crd);
}

static void sampler_begin_launch(void *context)
{
    crd_clear(&((struct state *)context)->crd);
}

static void sampler_take_home(void *context, const struct request *r)
{
    struct state *state = context;
    uint32_t slice = system_slice(system_llc(state->system), r->line, r->hash);
    crd_take(&state->crd, r->domain, r->home, r->line, r->home_sectors, slice, slice);
}

static void sampler_values(const void *context, double *values)
{
    struct crd_estimate estimate;
    crd_estimate(&((const struct state *)context)->crd, &estimate);
    values[0] = estimate.hit_rate;
    values[1] = estimate.corrected_hit_rate;
    values[2] = estimate.lsu_memory_side;
    values[3] = estimate.lsu_sm_side;
    values[4] = ((const struct state *)context)->crd.shape.sets_per_home;
    values[5] = ((const struct state *)context)->crd.shape.ways;
}

static void sampler_fini(void *context)
{
    crd_fini(&((struct state *)context)->crd);
}

/* A launch finds nothing on the SM side: SAC empties the LLC when it turns. */
static double sm_side_hit(const struct profile_record *record, const struct machine *machine)
{
    return profile_llc_hit_emptied(record, machine, SIDE_REQUESTER);
}

static const struct profile_field_row fields[] = {
    {.path = "crd.hit",
     .kind = FIELD_KIND_RATIO,
     .help = "SM-side hit rate as SAC's request directory estimates it"},
    {.path = "crd.hit_corrected",
     .kind = FIELD_KIND_RATIO,
     .help = "the same with the capacity that copies take (our own)"},
    {.path = "crd.lsu_memory-side",
     .kind = FIELD_KIND_UNIFORMITY,
     .help = "slice uniformity from SAC's saturating counters, slices of the home"},
    {.path = "crd.lsu_sm-side",
     .kind = FIELD_KIND_UNIFORMITY,
     .help = "slice uniformity from SAC's saturating counters, slices of the requester"},
    {.path = "crd.sets",
     .kind = FIELD_KIND_LAST,
     .help = "sets of the LLC that it was sampled for"},
    {.path = "crd.ways", .kind = FIELD_KIND_LAST, .help = "ways of that LLC"},
    {.path = NULL},
};

static const struct sampler_column columns[] = {
    {"crd_hit", "SM-side hit", "CRD", .field = "crd.hit"},
    {"crd_hit_corrected", "SM-side hit", "corrected", .field = "crd.hit_corrected"},
    {"llc_hit_sm_side", "SM-side hit", "exact", .value = sm_side_hit, .beside = true},
    {"crd_lsu_memory_side", "LSU mem.", "counters", .field = "crd.lsu_memory-side"},
    {"lsu_memory_side", "LSU mem.", "exact", .field = "lsu.memory-side", .beside = true},
    {"crd_lsu_sm_side", "LSU SM", "counters", .field = "crd.lsu_sm-side"},
    {"lsu_sm_side", "LSU SM", "exact", .field = "lsu.sm-side", .beside = true},
    {.key = NULL},
};

const struct sampler sampler_crd = {
    .plugin = {"sampler", "crd", "request directory and slice counters",
               "SAC, ISCA 2023, section 3", NULL},
    .system = "SAC",
    .part = PART_SAMPLERS,
    .needs = SAMPLER_NEEDS_LLC,
    .fields = fields,
    .table = "sac_samplers",
    .columns = columns,
    .state_size = sizeof(struct state),
    .init = sampler_init,
    .begin_launch = sampler_begin_launch,
    .take_home = sampler_take_home,
    .values = sampler_values,
    .fini = sampler_fini,
};
