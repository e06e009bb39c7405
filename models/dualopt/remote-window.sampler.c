/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What DualOpt's decision engine sees: reads that look up L1, in its window near the beginning of
 * the run (access_class.h), beside those of the run. */
#include "dualopt/access_class.h"
#include "profile/sampler.h"

static void sampler_init(void *state, const struct system *system)
{
    struct access_window_settings published = access_window_published();
    (void)system;
    access_window_init(state, &published);
}

static void sampler_begin_launch(void *state)
{
    access_window_begin_launch(state);
}

static void sampler_take(void *state, const struct sampler_line *line)
{
    uint64_t fetched = line->remote ? line->fetched : line->request->sectors;
    if (line->request->flags & REQUEST_LOOKUP)
        access_window_take(state, line->node, line->request->line, line->remote, fetched,
                           line->pieces);
}

static void sampler_values(const void *state, double *values)
{
    struct access_window_result result = access_window_result(state);
    values[0] = result.remote_frac;
    values[1] = result.used_frac;
    values[2] = result.hit_frac;
}

static void sampler_fini(void *state)
{
    access_window_fini(state);
}

static const struct profile_field_row fields[] = {
    {.path = "engine.remote_ratio",
     .kind = FIELD_KIND_RUN,
     .help = "remote share of accesses in DualOpt's window"},
    {.path = "engine.line_use",
     .kind = FIELD_KIND_RUN,
     .help = "share of a fetched remote line that is used, in DualOpt's window"},
    {.path = "engine.remote_l1_hit",
     .kind = FIELD_KIND_RUN,
     .help = "L1 hit rate of remote reads in DualOpt's window"},
    {.path = NULL},
};

static const struct sampler_column columns[] = {
    {"engine_remote", "remote share", "DualOpt", .field = "engine.remote_ratio"},
    {"remote_share", "remote share", "exact", .field = "l1_remote_reads", .whole = "l1_reads",
     .beside = true},
    {"engine_line_use", "line use", "DualOpt", .field = "engine.line_use"},
    {"line_use", "line use", "exact", .field = "remote.line_use", .beside = true},
    {"engine_l1_hit", "remote L1 hit", "DualOpt", .field = "engine.remote_l1_hit"},
    {"remote_l1_hit", "remote L1 hit", "exact", .field = "l1_remote_read_hits",
     .whole = "l1_remote_reads", .beside = true},
    {.key = NULL},
};

const struct sampler sampler_remote_window = {
    .plugin = {"sampler", "remote-window", "the decision engine's window", "DualOpt, PACT 2022",
               NULL},
    .system = "DualOpt",
    .part = PART_SAMPLERS,
    .fields = fields,
    .columns = columns,
    .state_size = sizeof(struct access_window),
    .init = sampler_init,
    .begin_launch = sampler_begin_launch,
    .take = sampler_take,
    .values = sampler_values,
    .fini = sampler_fini,
};
