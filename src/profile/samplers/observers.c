/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feeds the observers. */
#include "profile/samplers/observers.h"

#include "core/hash.h"
#include "trace/coalesce.h"

static bool samples_llc(const struct observers *o)
{
    return o->parts & PART_SAMPLERS && system_llc(o->system)->sets > 0;
}

static void samplers_init(struct observers *o)
{
    const struct system *system = o->system;
    uint32_t sampled =
        system_llc(system)->sets < CRD_SAMPLED_SETS ? system_llc(system)->sets : CRD_SAMPLED_SETS;
    struct crd_shape crd = {
        .homes = system->domains,
        .chips = system->domains,
        .sets_per_home = system_llc(system)->sets,
        .ways = system_llc(system)->ways,
        .sampled_sets = sampled,
        .tag_bits = CRD_TAG_BITS,
        .sectors = system->sectors,
        .slices = system_llc(system)->slices,
        .counter_bits = CRD_COUNTER_BITS,
        .slice_counter_bits = CRD_SLICE_COUNTER_BITS,
    };
    struct mdr_sampler_shape mdr = {
        .domains = system->domains,
        .sets_per_domain = system_llc(system)->sets,
        .ways = system_llc(system)->ways,
        .sampled_sets = sampled,
        .tag_bits = MDR_TAG_BITS,
    };
    if (!samples_llc(o))
        return;
    crd_init(&o->crd, &crd);
    mdr_sampler_init(&o->mdr, &mdr);
    llc_contents_init(&o->contents, system->domains, system_llc(system)->sets,
                      system_llc(system)->ways);
}

void observers_init(struct observers *o, const struct system *system, unsigned parts)
{
    uint32_t pieces = system->line_bytes / 4 < 64 ? system->line_bytes / 4 : 64;
    struct access_window_settings full = access_window_unbounded();
    struct access_window_settings published = access_window_published();
    *o = (struct observers){.system = system, .parts = parts, .pieces_per_line = pieces};
    if (parts & PART_LOCALITY) {
        windows_init(&o->windows, system->line_bytes, system->page_bytes);
        /* A request is under way as long as its warp would sit out. */
        edge_init(&o->edge, system->domains, (uint64_t)system->stall + 1);
        merge_init(&o->merge, (uint64_t)system->stall + 1);
        access_window_init(&o->uses, &full);
    }
    if (parts & PART_SAMPLERS)
        access_window_init(&o->engine, &published);
    samplers_init(o);
}

void observers_fini(struct observers *o)
{
    if (o->parts & PART_LOCALITY) {
        windows_fini(&o->windows);
        edge_fini(&o->edge);
        merge_fini(&o->merge);
        access_window_fini(&o->uses);
    }
    if (o->parts & PART_SAMPLERS)
        access_window_fini(&o->engine);
    if (samples_llc(o)) {
        crd_fini(&o->crd);
        mdr_sampler_fini(&o->mdr);
        llc_contents_fini(&o->contents);
    }
}

void observers_begin_launch(struct observers *o)
{
    if (o->parts & PART_LOCALITY) {
        struct access_window_settings full = access_window_unbounded();
        /* Counts of one launch: the edge and the uses begin anew. */
        access_window_fini(&o->uses);
        access_window_init(&o->uses, &full);
        edge_fini(&o->edge);
        edge_init(&o->edge, o->system->domains, (uint64_t)o->system->stall + 1);
        merge_fini(&o->merge);
        merge_init(&o->merge, (uint64_t)o->system->stall + 1);
    }
    if (o->parts & PART_SAMPLERS)
        access_window_begin_launch(&o->engine);
    if (samples_llc(o)) {
        crd_clear(&o->crd);
        mdr_sampler_begin_kernel(&o->mdr);
        llc_contents_begin_launch(&o->contents, o->system->flush_at_kernels);
    }
}

static void take_samples(struct observers *o, const struct request *r)
{
    const struct system *system = o->system;
    uint32_t slice = system_llc(system)->slices_fixed
                         ? (uint32_t)(r->line % system_llc(system)->slices)
                         : hash_reduce(hash_fmix64(r->line), system_llc(system)->slices);
    crd_take(&o->crd, r->domain, r->home, r->line, r->home_sectors, slice, slice);
    mdr_sampler_take(&o->mdr, r->domain, r->home, r->line, r->flags & REQUEST_REPLICABLE);
    llc_contents_take(&o->contents, r->domain, r->home, r->line);
}

/* The pieces of those sectors. */
static uint64_t sector_pieces(const struct observers *o, uint32_t sectors)
{
    uint32_t n = o->pieces_per_line / o->system->sectors; /* at least 1: see coalesce_pieces */
    uint64_t pieces = 0;
    for (; sectors; sectors &= sectors - 1)
        pieces |= UINT64_MAX >> (64 - n) << ((uint32_t)__builtin_ctz(sectors) * n);
    return pieces;
}

void observers_take(struct observers *o, const struct warp_access *access,
                    const struct request *request, uint32_t node, uint64_t round)
{
    bool remote = request->home != request->domain, looked_up = request->flags & REQUEST_LOOKUP;
    uint64_t pieces = remote ? coalesce_pieces(access, o->system->line_bytes, request->line) : 0;
    uint64_t fetched = remote ? sector_pieces(o, request->sectors) : 0;
    if (o->parts & PART_LOCALITY) {
        windows_take(&o->windows, request->domain, request->line);
        if (looked_up)
            access_window_take(&o->uses, node, request->line, remote, fetched, pieces);
        if (remote && access->kind == ACCESS_READ && request->sectors) {
            edge_take(&o->edge, request->domain, request->line, round, pieces);
            merge_take(&o->merge, request->sm, request->line, round, pieces);
        }
    }
    if (o->parts & PART_SAMPLERS && looked_up)
        access_window_take(&o->engine, node, request->line, remote, fetched, pieces);
    if (samples_llc(o) && request->home_sectors)
        take_samples(o, request);
}

void observers_take_writeback(struct observers *o, const struct request *request)
{
    if (samples_llc(o))
        take_samples(o, request);
}

void observers_fields(const struct observers *o, double fields[FIELD_COUNT])
{
    if (o->parts & PART_LOCALITY) {
        struct edge_result edge = edge_result(&o->edge);
        fields[FIELD_LINE_USE] = access_window_result(&o->uses).used_frac;
        fields[FIELD_EDGE_REQUESTS] = (double)edge.requests;
        fields[FIELD_EDGE_OUTSTANDING] = (double)o->edge.unbounded;
        fields[FIELD_EDGE_BUFFERED] = (double)o->edge.bounded;
        fields[FIELD_SENT_LINES] = (double)o->merge.requests[MERGE_LINE];
        fields[FIELD_SENT_4] = (double)o->merge.requests[MERGE_4];
        fields[FIELD_SENT_8] = (double)o->merge.requests[MERGE_8];
        fields[FIELD_SENT_16] = (double)o->merge.requests[MERGE_16];
        fields[FIELD_SENT_PIECES_4] = (double)o->merge.asked[MERGE_4];
        fields[FIELD_SENT_PIECES_8] = (double)o->merge.asked[MERGE_8];
        fields[FIELD_SENT_PIECES_16] = (double)o->merge.asked[MERGE_16];
        fields[FIELD_REMOTE_PIECES] = 0;
        for (int n = 1; n <= EDGE_PIECES_MAX; n++)
            fields[FIELD_REMOTE_PIECES] += n * (double)o->edge.pieces[n];
    }
    if (o->parts & PART_SAMPLERS) {
        struct access_window_result engine = access_window_result(&o->engine);
        fields[FIELD_ENGINE_REMOTE] = engine.remote_frac;
        fields[FIELD_ENGINE_LINE_USE] = engine.used_frac;
        fields[FIELD_ENGINE_L1_HIT] = engine.hit_frac;
    }
    if (samples_llc(o)) {
        struct crd_estimate crd;
        struct mdr_estimate mdr;
        crd_estimate(&o->crd, &crd);
        mdr_sampler_estimate(&o->mdr, &mdr);
        fields[FIELD_CRD_HIT] = crd.hit_rate;
        fields[FIELD_CRD_HIT_CORRECTED] = crd.corrected_hit_rate;
        fields[FIELD_CRD_LSU_MEMORY_SIDE] = crd.lsu_memory_side;
        fields[FIELD_CRD_LSU_SM_SIDE] = crd.lsu_sm_side;
        fields[FIELD_MDR_HIT] = mdr.replica_hit_rate;
        struct llc_contents_result contents = llc_contents_result(&o->contents);
        fields[FIELD_CONTENTS_LOCAL] = contents.local_frac;
        fields[FIELD_CONTENTS_REMOTE] = contents.remote_frac;
    }
}

void observers_view(const struct observers *o, struct arena *arena, struct profile_view *view)
{
    if (!(o->parts & PART_LOCALITY))
        return;
    view->working_sets = arena_alloc(arena, WINDOWS_COUNT * sizeof *view->working_sets);
    for (int i = 0; i < WINDOWS_COUNT; i++) {
        struct windows_result result;
        windows_result(&o->windows, i, &result);
        if (result.count == 0)
            continue;
        view->working_sets[view->n_working_sets++] = (struct profile_working_set){
            .accesses = result.window,
            .windows = (double)result.count,
            .truly_shared_bytes = result.truly_bytes,
            .falsely_shared_bytes = result.falsely_bytes,
            .non_shared_bytes = result.non_bytes,
        };
    }
}
