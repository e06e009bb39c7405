/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What DualOpt could coalesce: remote reads whose line is under way already, seen at the edge of a
 * GPU (edge.h) and by the MSHRs of an SM, for pieces of several sizes (merge.h); and what waits in
 * vain for others to share a packet with (vain.h). */
#include "dualopt/edge.h"
#include "dualopt/merge.h"
#include "dualopt/vain.h"
#include "profile/sampler.h"

struct state {
    uint32_t domains;
    uint64_t latency; /* a request is under way as long as its warp would sit out */
    struct edge edge;
    struct merge merge;
    struct vain vain;
};

static void state_begin(struct state *state)
{
    edge_init(&state->edge, state->domains, state->latency);
    merge_init(&state->merge, state->latency);
    vain_init(&state->vain, state->domains);
}

static void sampler_fini(void *context)
{
    struct state *state = context;
    edge_fini(&state->edge);
    merge_fini(&state->merge);
    vain_fini(&state->vain);
}

static void sampler_init(void *context, const struct system *system)
{
    struct state *state = context;
    state->domains = system->domains;
    state->latency = (uint64_t)system->stall + 1;
    state_begin(state);
}

/* Counts are of one launch. */
static void sampler_begin_launch(void *context)
{
    sampler_fini(context);
    state_begin(context);
}

static void sampler_take(void *context, const struct sampler_line *line)
{
    struct state *state = context;
    const struct request *request = line->request;
    if (!line->remote || line->access->kind != ACCESS_READ || !request->sectors)
        return;
    edge_take(&state->edge, request->domain, request->line, line->round, line->pieces);
    if (merge_take(&state->merge, request->sm, request->line, line->round, line->pieces))
        vain_take(&state->vain, request->domain, request->home, line->round,
                  (uint32_t)__builtin_popcountll(line->pieces));
}

static void sampler_values(const void *context, double *values)
{
    const struct state *state = context;
    const struct edge *edge = &state->edge;
    const struct merge *merge = &state->merge;
    values[0] = 0;
    for (int n = 1; n <= EDGE_PIECES_MAX; n++)
        values[0] += n * (double)edge->pieces[n];
    values[1] = (double)merge->requests[MERGE_LINE];
    values[2] = (double)merge->requests[MERGE_4];
    values[3] = (double)merge->requests[MERGE_8];
    values[4] = (double)merge->requests[MERGE_16];
    values[5] = (double)merge->asked[MERGE_4];
    values[6] = (double)merge->asked[MERGE_8];
    values[7] = (double)merge->asked[MERGE_16];
    values[8] = (double)edge->requests;
    values[9] = (double)edge->unbounded;
    values[10] = (double)edge->bounded;
    for (int t = 0; t < VAIN_TIMEOUTS; t++)
        values[11 + t] = (double)vain_waits(&state->vain, t);
}

/* All are sums. */
static const struct profile_field_row fields[] = {
    {.path = "remote.pieces", .help = "4-byte pieces that the lanes of remote requests touch"},
    {.path = "remote.sent_lines",
     .help = "remote read requests but for those whose SM has one for the line under way"},
    {.path = "remote.sent_4",
     .help = "the same, but the one under way must have asked for their 4-byte pieces"},
    {.path = "remote.sent_8", .help = "the same for 8-byte pieces"},
    {.path = "remote.sent_16", .help = "the same for 16-byte pieces"},
    {.path = "remote.sent_pieces_4",
     .help = "4-byte pieces that the requests of remote.sent_4 ask for"},
    {.path = "remote.sent_pieces_8",
     .help = "8-byte pieces that the requests of remote.sent_8 ask for"},
    {.path = "remote.sent_pieces_16",
     .help = "16-byte pieces that the requests of remote.sent_16 ask for"},
    {.path = "remote.edge_requests", .help = "remote read requests, in lines"},
    {.path = "remote.edge_outstanding",
     .help = "of these, the domain has one for that line under way"},
    {.path = "remote.edge_buffered", .help = "the same among the last 64 lines under way"},
    {.path = "remote.vain_10",
     .help = "of remote.sent_4, those for which no other comes in 10 rounds to share a packet"},
    {.path = "remote.vain_30", .help = "the same of 30 rounds"},
    {.path = "remote.vain_50", .help = "the same of 50 rounds"},
    {.path = NULL},
};

static const struct sampler_column columns[] = {
    {"edge_outstanding_share", "coalescing", "under way", .field = "remote.edge_outstanding",
     .whole = "remote.edge_requests"},
    {"edge_buffered_share", "coalescing", "64 lines", .field = "remote.edge_buffered",
     .whole = "remote.edge_requests"},
    {.key = NULL},
};

const struct sampler sampler_coalescing = {
    .plugin = {"sampler", "coalescing", "remote reads that one under way could serve",
               "DualOpt, PACT 2022", NULL},
    .system = "DualOpt",
    .part = PART_LOCALITY,
    .fields = fields,
    .table = "levels",
    .columns = columns,
    .state_size = sizeof(struct state),
    .init = sampler_init,
    .begin_launch = sampler_begin_launch,
    .take = sampler_take,
    .values = sampler_values,
    .fini = sampler_fini,
};
