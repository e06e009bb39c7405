/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an SM-side LLC holds (llc_contents.h): SAC's figure of local and remote lines. */
#include "profile/sampler.h"
#include "sac/llc_contents.h"

struct state {
    enum level_flush flush;
    struct llc_contents contents;
};

static void sampler_init(void *context, const struct system *system)
{
    struct state *state = context;
    state->flush = system_flush(system, system_llc(system), SIDE_REQUESTER);
    llc_contents_init(&state->contents, system->domains, system_llc(system)->sets,
                      system_llc(system)->ways);
}

static void sampler_begin_launch(void *context)
{
    struct state *state = context;
    llc_contents_begin_launch(&state->contents, state->flush);
}

static void sampler_take_home(void *context, const struct request *request)
{
    struct state *state = context;
    llc_contents_take(&state->contents, request->domain, request->home, request->line,
                      request->kind != ACCESS_READ);
}

static void sampler_values(const void *context, double *values)
{
    struct llc_contents_result result =
        llc_contents_result(&((const struct state *)context)->contents);
    values[0] = result.local_frac;
    values[1] = result.remote_frac;
}

static void sampler_fini(void *context)
{
    llc_contents_fini(&((struct state *)context)->contents);
}

static const struct profile_field_row fields[] = {
    {.path = "llc_contents.local",
     .kind = FIELD_KIND_RATIO,
     .help = "share of an SM-side LLC's ways with lines of the own domain, from sampled sets"},
    {.path = "llc_contents.remote",
     .kind = FIELD_KIND_RATIO,
     .help = "share of an SM-side LLC's ways with lines of other domains, from sampled sets"},
    {.path = NULL},
};

static const struct sampler_column columns[] = {
    {"llc_contents_local", "SM-side ways", "local", .field = "llc_contents.local"},
    {"llc_contents_remote", "SM-side ways", "remote", .field = "llc_contents.remote"},
    {.key = NULL},
};

const struct sampler sampler_llc_contents = {
    .plugin = {"sampler", "llc-contents", "local and remote lines in an SM-side LLC",
               "SAC, ISCA 2023", NULL},
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
