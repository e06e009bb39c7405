/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests: table, homes, slices, distances. */
#include "profile/requests.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static void scope_init(struct scope *scope, uint32_t domains, uint32_t first_slot, bool at_home)
{
    *scope = (struct scope){.first_slot = first_slot, .at_home = at_home};
    scope->engines = memory_zero(domains, sizeof *scope->engines);
    for (uint32_t d = 0; d < domains; d++)
        stack_distance_init(&scope->engines[d]);
}

static void scope_fini(struct scope *scope, uint32_t domains)
{
    for (uint32_t d = 0; scope->engines && d < domains; d++)
        stack_distance_fini(&scope->engines[d]);
    free(scope->engines);
}

int requests_init(struct requests *requests, const struct shape *shape, const struct source *source,
                  bool cta_sharing, struct error *error)
{
    *requests = (struct requests){.shape = shape};
    line_table_init(&requests->lines, 1 + shape->chips);
    scope_init(&requests->scopes[SCOPE_HOME], shape->chips, 0, true);
    scope_init(&requests->scopes[SCOPE_REQUESTER], shape->chips, 1, false);
    if (cta_sharing) {
        requests->pairs = memory_zero(1, sizeof *requests->pairs);
        cta_pairs_init(requests->pairs);
    }
    return homes_init(&requests->homes, shape, source, error);
}

void requests_fini(struct requests *requests)
{
    line_table_fini(&requests->lines);
    for (int i = 0; i < SCOPE_COUNT; i++)
        scope_fini(&requests->scopes[i], requests->shape->chips);
    homes_fini(&requests->homes);
    if (requests->pairs)
        cta_pairs_fini(requests->pairs);
    free(requests->pairs);
}

void requests_begin_launch(struct requests *requests)
{
    requests->launch++;
    if (requests->pairs)
        cta_pairs_begin_launch(requests->pairs);
    for (uint32_t d = 0; requests->shape->flush_at_kernels && d < requests->shape->chips; d++)
        stack_distance_flush(&requests->scopes[SCOPE_REQUESTER].engines[d]);
}

static uint32_t *scope_slot(const struct scope *scope, struct line *line, uint32_t domain)
{
    return &line->slots[scope->first_slot + (scope->at_home ? 0 : domain)];
}

static void scope_renumber(const struct requests *requests, const struct scope *scope,
                           uint32_t domain)
{
    const struct line_table *lines = &requests->lines;
    struct stack_renumbering renumbering;
    stack_distance_renumber_begin(&renumbering, &scope->engines[domain], lines->count);
    for (uint32_t id = 0; id < lines->count; id++) {
        struct line *line = line_table_at(lines, id);
        uint32_t *slot = scope_slot(scope, line, domain);
        if (!scope->at_home || line->home == domain)
            *slot = stack_distance_renumber(&renumbering, *slot);
    }
    stack_distance_renumber_end(&renumbering);
}

static inline void scope_access(const struct requests *requests, enum scope_index index,
                                struct line *line, uint32_t domain, struct tally *tally)
{
    const struct scope *scope = &requests->scopes[index];
    struct scope_tally *counts = &tally->scopes[index];
    struct stack_distance *engine = &scope->engines[domain];
    if (stack_distance_full(engine))
        scope_renumber(requests, scope, domain);
    uint64_t distance = stack_distance_access(engine, scope_slot(scope, line, domain));
    distance_histogram_add(&counts->histogram, distance);
    counts->requests[domain]++;
    counts->cold[domain] += distance == DISTANCE_COLD;
}

/* A line that nobody touched before gets its home now. */
static int requests_add_line(struct requests *requests, struct request *request,
                             struct error *error)
{
    uint32_t home;
    int status = homes_find(&requests->homes, request->line * requests->shape->line_bytes,
                            request->chip, &home, error);
    if (status)
        return status;
    request->id = line_table_add(&requests->lines, request->line, request->hash);
    if (request->id == LINE_NONE)
        return error_set(error, STATUS_FAILED, "the input touches more than %d lines", LINE_NONE);
    line_table_at(&requests->lines, request->id)->home = (uint16_t)home;
    return 0;
}

static inline void requests_count(struct requests *requests, const struct request *request,
                                  struct tally *tally)
{
    const struct shape *shape = requests->shape;
    struct line *line = line_table_at(&requests->lines, request->id);
    if (line->launch != requests->launch) {
        line->launch = requests->launch;
        tally->lines++;
    }
    line->chips |= 1ULL << request->chip;
    line->written |= request->kind != ACCESS_READ;
    uint32_t slice = hash_reduce(request->hash, shape->slices);
    tally->requests[request->kind]++;
    tally->traffic[request->chip * shape->chips + line->home]++;
    tally->home_slices[line->home * shape->slices + slice]++;
    tally->own_slices[request->chip * shape->slices + slice]++;
    scope_access(requests, SCOPE_HOME, line, line->home, tally);
    scope_access(requests, SCOPE_REQUESTER, line, request->chip, tally);
}

static void requests_prefetch(const struct requests *requests, const struct request *request)
{
    struct line *line = line_table_at(&requests->lines, request->id);
    for (int s = 0; s < SCOPE_COUNT; s++) {
        const struct scope *scope = &requests->scopes[s];
        uint32_t domain = scope->at_home ? line->home : request->chip;
        stack_distance_prefetch(&scope->engines[domain], *scope_slot(scope, line, domain));
    }
}

/* Three sweeps over the batch, each of which fetches what the next one reads. */
static void requests_look_up(const struct requests *requests, struct request *batch, size_t n)
{
    const struct line_table *lines = &requests->lines;
    for (size_t i = 0; i < n; i++) {
        batch[i].hash = line_table_hash(batch[i].line);
        line_table_prefetch(lines, batch[i].hash);
    }
    for (size_t i = 0; i < n; i++)
        batch[i].id = line_table_guess(lines, batch[i].hash);
    for (size_t i = 0; i < n; i++) {
        struct request *request = &batch[i];
        if (request->id != LINE_NONE && line_table_at(lines, request->id)->number != request->line)
            request->id = LINE_NONE;
        if (request->id != LINE_NONE)
            requests_prefetch(requests, request);
        else
            homes_prefetch(&requests->homes, request->line * requests->shape->line_bytes);
    }
}

int requests_take(struct requests *requests, struct request *batch, size_t n, struct tally *tally,
                  struct error *error)
{
    requests_look_up(requests, batch, n);
    for (size_t i = 0; i < n; i++) {
        struct request *request = &batch[i];
        if (request->id == LINE_NONE) /* new, or added by this batch */
            request->id = line_table_find(&requests->lines, request->line, request->hash);
        int status = 0;
        if (request->id == LINE_NONE)
            status = requests_add_line(requests, request, error);
        if (status)
            return status;
        if (requests->pairs)
            cta_pairs_touch(requests->pairs, request->id, request->cta);
        if (!request->l1_hit)
            requests_count(requests, request, tally);
    }
    return 0;
}

size_t requests_bytes(const struct requests *requests)
{
    size_t bytes = line_table_bytes(&requests->lines);
    bytes += sizeof *requests->homes.table << requests->homes.bits;
    for (int i = 0; i < SCOPE_COUNT; i++)
        for (uint32_t d = 0; d < requests->shape->chips; d++)
            bytes += requests->scopes[i].engines[d].capacity / 8;
    return bytes;
}
