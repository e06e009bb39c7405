/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feeds the observers. */
#include "profile/samplers/observers.h"

#include <math.h>
#include <stdlib.h>

#include "profile/sampler.h"
#include "trace/coalesce.h"

unsigned observers_needs(unsigned parts)
{
    const struct sampler *sampler;
    unsigned needs = 0;
    int first;
    for (size_t i = 0; (sampler = profile_sampler(i, &first)); i++)
        needs |= sampler->part & parts ? sampler->needs : 0;
    return needs;
}

static bool sampler_looks(const struct sampler *sampler, const struct system *system,
                          unsigned parts)
{
    return sampler->part & parts &&
           !(sampler->needs & SAMPLER_NEEDS_LLC && system_llc(system)->sets == 0);
}

bool observers_look(const struct system *system, unsigned parts)
{
    const struct sampler *sampler;
    bool looks = parts & PART_LOCALITY;
    int first;
    for (size_t i = 0; (sampler = profile_sampler(i, &first)); i++)
        looks = looks || sampler_looks(sampler, system, parts);
    return looks;
}

static void samplers_init(struct observers *o)
{
    const struct sampler *sampler;
    size_t n = 0;
    int first;
    while (profile_sampler(n, &first))
        n++;
    o->samplers = memory_zero(n, sizeof *o->samplers);
    o->of_lines = memory_zero(n, sizeof *o->of_lines);
    o->of_homes = memory_zero(n, sizeof *o->of_homes);
    for (size_t i = 0; (sampler = profile_sampler(i, &first)); i++) {
        if (!sampler_looks(sampler, o->system, o->parts))
            continue;
        struct observer observer = {sampler, memory_zero(1, sampler->state_size), first};
        sampler->init(observer.state, o->system);
        o->samplers[o->n_samplers++] = observer;
        if (sampler->take)
            o->of_lines[o->n_of_lines++] = observer;
        if (sampler->take_home)
            o->of_homes[o->n_of_homes++] = observer;
    }
}

void observers_init(struct observers *o, const struct system *system, unsigned parts)
{
    uint32_t pieces = system->line_bytes / 4 < 64 ? system->line_bytes / 4 : 64;
    struct access_window_settings full = access_window_unbounded();
    *o = (struct observers){.system = system, .parts = parts, .pieces_per_line = pieces};
    if (parts & PART_LOCALITY) {
        windows_init(&o->windows, system->line_bytes, system->page_bytes);
        access_window_init(&o->uses, &full);
    }
    samplers_init(o);
    o->look = observers_look(system, parts);
}

void observers_fini(struct observers *o)
{
    if (o->parts & PART_LOCALITY) {
        windows_fini(&o->windows);
        access_window_fini(&o->uses);
    }
    for (size_t i = 0; i < o->n_samplers; i++) {
        o->samplers[i].sampler->fini(o->samplers[i].state);
        free(o->samplers[i].state);
    }
    free(o->samplers);
    free(o->of_lines);
    free(o->of_homes);
}

void observers_begin_launch(struct observers *o)
{
    if (o->parts & PART_LOCALITY) {
        struct access_window_settings full = access_window_unbounded();
        /* Counts of one launch: the uses begin anew. */
        access_window_fini(&o->uses);
        access_window_init(&o->uses, &full);
    }
    for (size_t i = 0; i < o->n_samplers; i++)
        o->samplers[i].sampler->begin_launch(o->samplers[i].state);
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

void observers_take_home(struct observers *o, const struct request *request)
{
    for (size_t i = 0; i < o->n_of_homes; i++)
        o->of_homes[i].sampler->take_home(o->of_homes[i].state, request);
}

void observers_take(struct observers *o, const struct warp_access *access,
                    const struct request *request, uint32_t node, uint64_t round)
{
    bool remote = request->home != request->domain;
    struct sampler_line line = {
        .access = access,
        .request = request,
        .node = node,
        .round = round,
        .remote = remote,
        .fetched = remote ? sector_pieces(o, request->sectors) : 0,
        .pieces = remote ? coalesce_pieces(access, o->system->line_bytes, request->line) : 0,
    };
    if (o->parts & PART_LOCALITY) {
        windows_take(&o->windows, request->domain, request->line);
        if (request->flags & REQUEST_LOOKUP)
            access_window_take(&o->uses, node, request->line, remote, line.fetched, line.pieces);
    }
    for (size_t i = 0; i < o->n_of_lines; i++)
        o->of_lines[i].sampler->take(o->of_lines[i].state, &line);
    if (request->home_sectors)
        observers_take_home(o, request);
}

void observers_sampled(const struct observers *o, double fields[FIELD_COUNT])
{
    for (int i = 0; i < FIELD_COUNT; i++)
        fields[i] = (double)NAN;
    for (size_t i = 0; i < o->n_samplers; i++) {
        const struct observer *observer = &o->samplers[i];
        observer->sampler->values(observer->state, &fields[observer->first_field]);
    }
}

void observers_fields(const struct observers *o, double fields[FIELD_COUNT])
{
    if (o->parts & PART_LOCALITY)
        fields[FIELD_LINE_USE] = access_window_result(&o->uses).used_frac;
    for (size_t i = 0; i < o->n_samplers; i++) {
        const struct observer *observer = &o->samplers[i];
        observer->sampler->values(observer->state, &fields[observer->first_field]);
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
