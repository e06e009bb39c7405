/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests: slices, lines, and who takes which stack distances. */
#include "profile/run/requests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/parallel.h"

/* --- kinds of caches ---------------------------------------------------------------- */

static void kind_add(struct requests *requests, enum cache_scope scope, enum level_side side,
                     enum cache_filter filter)
{
    struct cache_kind kind = {scope, side, filter};
    for (uint32_t i = 0; i < requests->n_kinds; i++) {
        struct cache_kind have = distances_kind(requests->kinds[i]);
        if (have.scope == scope && have.side == side && have.filter == filter)
            return;
    }
    requests->kinds[requests->n_kinds++] = distances_create(requests->system, kind);
}

static void kinds_before_l1(struct requests *requests)
{
    const struct system *system = requests->system;
    kind_add(requests, SCOPE_SM, SIDE_REQUESTER, CACHE_LOOKUPS);
    if (system->l1_nodes < system->sms)
        kind_add(requests, SCOPE_GROUP, SIDE_REQUESTER, CACHE_LOOKUPS);
    if (system->l1_clusters < system->l1_nodes)
        kind_add(requests, SCOPE_CLUSTER, SIDE_REQUESTER, CACHE_LOOKUPS);
    kind_add(requests, SCOPE_CHIP, SIDE_REQUESTER, CACHE_LOOKUPS);
}

/* On one domain, without a level before the LLC, its caches see the same wherever they stand. */
static void kinds_follow(struct requests *requests)
{
    const struct system *system = requests->system;
    struct distances *lead = NULL;
    if (system->domains > 1 || system_between(system) || requests->sample)
        return;
    for (uint32_t i = 0; i < requests->n_kinds; i++) {
        struct distances *kind = requests->kinds[i];
        if (distances_kind(kind).filter != CACHE_ALL)
            continue;
        if (lead)
            distances_follow(kind, lead);
        else
            lead = kind;
    }
}

static void kinds_create(struct requests *requests, unsigned parts)
{
    bool partitions = requests->system->partitions > 1;
    enum cache_scope domain = partitions ? SCOPE_PARTITION : SCOPE_CHIP;
    kind_add(requests, domain, SIDE_HOME, CACHE_ALL);
    kind_add(requests, domain, SIDE_REQUESTER, CACHE_ALL);
    if (requests->system->asks_home) {
        kind_add(requests, domain, SIDE_REQUESTER, CACHE_FILLED);
        kind_add(requests, domain, SIDE_REQUESTER, CACHE_OR_HOME);
    }
    if (parts & PART_REMOTE) {
        kind_add(requests, domain, SIDE_HOME, CACHE_LOCAL);
        kind_add(requests, domain, SIDE_HOME, CACHE_REMOTE);
        kind_add(requests, domain, SIDE_HOME, CACHE_REMOTE_OF_ALL);
        kind_add(requests, domain, SIDE_REQUESTER, CACHE_LOCAL);
        kind_add(requests, domain, SIDE_REQUESTER, CACHE_REMOTE);
        if (partitions)
            kind_add(requests, SCOPE_CHIP, SIDE_REQUESTER, CACHE_REMOTE);
    }
    if (parts & PART_REPLICATION) {
        kind_add(requests, domain, SIDE_REQUESTER, CACHE_READ_ONLY_SHARED);
        kind_add(requests, domain, SIDE_HOME, CACHE_REPLICATED);
        kind_add(requests, domain, SIDE_HOME, CACHE_REPLICAS);
        kind_add(requests, domain, SIDE_HOME, CACHE_REPLICABLE_OF_ALL);
    }
    if (parts & PART_L1)
        kinds_before_l1(requests);
    if (parts & PART_SYSTEM) {
        kind_add(requests, SCOPE_SYSTEM, SIDE_HOME, CACHE_ALL);
        if (partitions) {
            kind_add(requests, SCOPE_CHIP, SIDE_HOME, CACHE_ALL);
            kind_add(requests, SCOPE_CHIP, SIDE_REQUESTER, CACHE_ALL);
        }
    }
}

/* Consumer c takes the kinds c, c + consumers, ...: which one never matters. */
static void take_distances(void *context, int consumer, void *item)
{
    struct requests *requests = context;
    const struct request_batch *batch = item;
    uint32_t step = requests->known ? (uint32_t)pipeline_consumers(requests->known) : 1;
    for (uint32_t i = (uint32_t)consumer; i < requests->n_kinds; i += step) {
        if (requests->sample)
            distances_sample(requests->kinds[i], &batch->shards);
        distances_take(requests->kinds[i], batch->requests, batch->count);
    }
}

/* --- counts ------------------------------------------------------------------------- */

/* Sectors that a request asks for, of the requester and at home; its slice there, of a domain. */
struct asked {
    uint32_t n, n_home, slice;
    bool remote;
};

static inline struct asked asked_of(const struct system_level *llc, const struct request *request)
{
    return (struct asked){.n = sectors_count(request->sectors),
                          .n_home = sectors_count(request->home_sectors),
                          .slice = system_slice(llc, request->line, request->hash),
                          .remote = request->domain != request->home};
}

/* What needs no memory of the line. */
static inline void count_request(const struct system *system, const struct request *request,
                                 const struct asked *asked, struct tally *tally)
{
    const struct system_level *llc = system_llc(system);
    struct tally_behind_l1 *counts = &tally->counts.behind;
    uint32_t n = asked->n, n_home = asked->n_home, slice = asked->slice;
    uint32_t reads = request->kind == ACCESS_READ ? n_home : 0;
    bool remote = asked->remote;
    counts->home_requests += n_home;
    counts->home_reads += reads;
    counts->home_remote_requests += remote ? n_home : 0;
    counts->home_remote_reads += remote ? reads : 0;
    tally->home_slices[request->home * llc->slices + slice] += n_home;
    if (request->flags & REQUEST_WRITEBACK)
        return;
    counts->requests[request->kind] += n;
    counts->replicable += request->flags & REQUEST_REPLICABLE ? n : 0;
    tally->traffic[request->domain * system->domains + request->home] += n;
    tally->own_slices[request->domain * llc->slices + slice] += n;
}

/* Whether it is the line's first request in the launch, or its domain's first. */
struct touched {
    bool first, own;
};

/* Who touches the line, hits in L1 included. */
static inline struct touched touch_line(const struct requests *requests,
                                        const struct request *request, struct line *line,
                                        struct tally_lines *change)
{
    uint64_t domain = 1ULL << request->domain;
    *change = (struct tally_lines){0, 0, 0};
    if (request->flags & REQUEST_WRITEBACK)
        return (struct touched){false, false};
    if (line->launch != requests->launch) {
        line->launch = requests->launch;
        line->launch_domains = 0;
        line->launch_written = false;
        change->all = 1;
    }
    bool was_shared = (line->launch_domains & (line->launch_domains - 1)) != 0;
    bool was_written = line->launch_written;
    struct touched touched = {line->launch_domains == 0, !(line->launch_domains & domain)};
    line->domains |= domain;
    line->launch_domains |= domain;
    if (request->kind != ACCESS_READ)
        line->written = line->launch_written = true;
    bool is_shared = (line->launch_domains & (line->launch_domains - 1)) != 0;
    change->written = line->launch_written && !was_written;
    change->read_only =
        (uint64_t)(is_shared && !line->launch_written) - (uint64_t)(was_shared && !was_written);
    return touched;
}

static inline void lines_add(struct tally_lines *to, const struct tally_lines *change)
{
    to->all += change->all;
    to->written += change->written;
    to->read_only += change->read_only;
}

/* Whom requests ask that are under way together. */
static inline void count_moment(struct requests *requests, const struct request *request,
                                const struct asked *asked, uint16_t *mark)
{
    const struct system *system = requests->system;
    struct momentary *momentary = &requests->momentary;
    uint32_t n = asked->n, n_home = asked->n_home, slice = asked->slice;
    uint32_t slices = system_llc(system)->slices;
    bool remote = asked->remote, partitions = system->partitions > 1;
    if (request->flags & REQUEST_BEGINS)
        momentary_begin_group(momentary);
    if (n)
        momentary_add(momentary, MOMENTARY_OWN_SLICES, request->domain * slices + slice, n);
    if (n_home == 0)
        return;
    momentary_add(momentary, MOMENTARY_HOME_SLICES, request->home * slices + slice, n_home);
    uint32_t to = partitions ? system_chip(system, request->home) : request->home;
    if (remote && (!partitions || system_chip(system, request->domain) != to))
        momentary_add(momentary, MOMENTARY_LINKS, to, n_home);
    if (momentary_knows(momentary, mark))
        return;
    momentary_add(momentary, MOMENTARY_MEMORY, request->home, n_home);
    if (partitions)
        momentary_add(momentary, MOMENTARY_FETCHES, to, n_home);
}

/* A directory of caches that evict nothing: a write invalidates the copies of others, and
 * leaves one at the writer. L1 hits do not get there. */
static inline void count_invalidations(struct requests *requests, const struct request *request,
                                       struct tally_behind_l1 *counts)
{
    uint64_t domain = 1ULL << request->domain;
    while (requests->sharers.count <= request->id)
        VECTOR_PUSH(&requests->sharers, 0);
    uint64_t *sharers = &requests->sharers.items[request->id];
    if (request->kind == ACCESS_READ) {
        *sharers |= domain;
        return;
    }
    counts->invalidations += (uint64_t)__builtin_popcountll(*sharers & ~domain);
    *sharers = domain;
}

/* A first request, that is counted apart. Of a sample of the lines, those of the sample. */
static inline void count_first(struct requests *requests, const struct request *request,
                               const struct asked *asked)
{
    if (requests->sample && line_sample_number(requests->sample, request->id) == LINE_NONE)
        return;
    count_request(requests->system, request, asked, requests->first);
    struct tally_behind_l1 *counts = &requests->tally->counts.behind;
    counts->first_reads += request->kind == ACCESS_READ;
    counts->first_writes += request->kind != ACCESS_READ;
}

/* Whether a request is to count as a domain's first one for a line. */
static inline bool is_first(struct requests *requests, const struct request *request,
                            const struct touched *touched)
{
    const struct line_sample *sample = requests->sample;
    bool first = requests->first && touched->own, writes = request->kind != ACCESS_READ;
    if (!sample || !sample->nominal || request->flags & REQUEST_SKIMMED)
        return first;
    uint32_t number = line_sample_number(sample, request->id);
    if (number == LINE_NONE)
        return first && firsts_guess(&requests->firsts, writes);
    if (firsts_look(&requests->firsts, number, request->domain) && requests->first)
        firsts_learn(&requests->firsts, writes, first);
    return first;
}

/* A request that goes on; hits in L1 do not, where anybody looks at them. */
static inline void count_asked(struct requests *requests, const struct request *request,
                               struct line *line)
{
    struct tally_behind_l1 *counts = &requests->tally->counts.behind;
    struct asked asked = asked_of(system_llc(requests->system), request);
    if (request->flags & REQUEST_FIRST) {
        count_first(requests, request, &asked);
        counts->told_reads += request->kind == ACCESS_READ;
        counts->told_writes += request->kind != ACCESS_READ;
    } else {
        count_request(requests->system, request, &asked, requests->tally);
    }
    count_moment(requests, request, &asked, &line->moment);
    if (!requests->system->flush_at_kernels && request->sectors)
        count_invalidations(requests, request, counts);
}

/* Hits in L1 too, where anybody looks at them. */
static inline void count_taken(struct requests *requests, const struct request *request,
                               struct line *line, struct tally_behind_l1 *counts)
{
    if (requests->waits && request->sectors && !(request->flags & REQUEST_WRITEBACK))
        groups_take(&requests->groups, request, &counts->groups);
    if (request->sectors | request->home_sectors)
        count_asked(requests, request, line);
}

/* What is known of all stretches. */
static inline void count_skimmed(struct requests *requests, const struct request *request,
                                 struct tally_behind_l1 *counts)
{
    if (!requests->system->flush_at_kernels)
        count_invalidations(requests, request, counts);
    if (!(request->flags & REQUEST_FIRST))
        return;
    struct asked asked = asked_of(system_llc(requests->system), request);
    count_first(requests, request, &asked);
}

/* What was found of a batch: where the search for each line ended, in an index of that shift. */
struct found {
    uint32_t shift;
    size_t ends[REQUEST_BATCH];
};

/* Three sweeps over the batch, each of which fetches what the next one reads. */
static void look_up(const struct requests *requests, struct request *batch, size_t n,
                    struct found *found)
{
    const struct line_table *lines = &requests->lines;
    found->shift = lines->index_shift;
    for (size_t i = 0; i < n; i++) {
        batch[i].hash = line_table_hash(batch[i].line);
        line_table_prefetch(lines, batch[i].hash);
    }
    for (size_t i = 0; i < n; i++)
        batch[i].id = line_table_guess(lines, batch[i].hash, &found->ends[i]);
    for (size_t i = 0; i < n; i++)
        if (batch[i].id != LINE_NONE && line_table_at(lines, batch[i].id)->number != batch[i].line)
            batch[i].id = LINE_NONE;
}

/* A line that the table did not have when the batch was looked up. */
static int identify(struct requests *requests, struct request *request, const struct found *found,
                    size_t end, struct error *error)
{
    struct line_table *lines = &requests->lines;
    bool fresh = true;
    if (line_table_lacks(lines, found->shift, end))
        request->id = line_table_add(lines, request->line, request->hash, end);
    else
        request->id = line_table_put(lines, request->line, request->hash, &fresh);
    if (request->id == LINE_NONE)
        return error_set(error, STATUS_FAILED, "the input touches more than %d lines", LINE_NONE);
    if (fresh && requests->sample)
        line_sample_add(requests->sample, request->line);
    return 0;
}

/* What goes on to the distances: lines of the sample under their numbers there. The share
 * is that of the moment, not of the batch: what else is in a batch depends on the parts. */
static inline void take_sample(struct requests *requests, struct request *request,
                               struct touched touched, const struct tally_lines *change)
{
    const struct line_sample *sample = requests->sample;
    uint64_t share = sample->shards.share;
    request->id = line_sample_number(sample, request->id);
    bool taken = request->id != LINE_NONE;
    if (taken)
        lines_add(&requests->tally->counts.behind.sampled, change);
    if (touched.first && !requests->skimmed)
        evenness_add(&requests->evenness[SIDE_HOME], request->home, taken, (double)share * 0x1p-32);
    if (touched.own && !requests->skimmed)
        evenness_add(&requests->evenness[SIDE_REQUESTER], request->domain, taken,
                     (double)share * 0x1p-32);
    request->share = share < UINT32_MAX ? (uint32_t)share : UINT32_MAX;
}

static int take_lines(struct requests *requests, struct request_batch *slot, struct error *error)
{
    struct request *batch = slot->requests;
    size_t n = slot->count;
    struct found found;
    look_up(requests, batch, n, &found);
    for (size_t i = 0; i < n; i++) {
        int status = batch[i].id == LINE_NONE
                         ? identify(requests, &batch[i], &found, found.ends[i], error)
                         : 0;
        if (status)
            return status;
        struct line *line = line_table_at(&requests->lines, batch[i].id);
        struct tally_behind_l1 *counts = &requests->tally->counts.behind;
        struct tally_lines change;
        struct touched touched = touch_line(requests, &batch[i], line, &change);
        lines_add(&counts->lines, &change);
        if (is_first(requests, &batch[i], &touched))
            batch[i].flags |= REQUEST_FIRST;
        if (batch[i].flags & REQUEST_SKIMMED)
            count_skimmed(requests, &batch[i], counts);
        else
            count_taken(requests, &batch[i], line, counts);
        if (requests->pairs && !(batch[i].flags & REQUEST_WRITEBACK))
            cta_pairs_touch(requests->pairs, batch[i].id, batch[i].cta);
        if (requests->sample)
            take_sample(requests, &batch[i], touched, &change);
    }
    if (requests->sample)
        slot->shards = requests->sample->shards;
    return 0;
}

/* The one consumer of what arrives. After an error nothing is taken any more. */
static void take_arriving(void *context, int consumer, void *item)
{
    struct requests *requests = context;
    struct request_batch *batch = item;
    (void)consumer;
    if (!requests->status)
        requests->status = take_lines(requests, batch, &requests->error);
    if (requests->status)
        return;
    if (!requests->known) {
        take_distances(requests, 0, batch);
        return;
    }
    struct request_batch *copy = pipeline_slot(requests->known);
    copy->count = batch->count;
    copy->shards = batch->shards;
    memcpy(copy->requests, batch->requests, batch->count * sizeof *batch->requests);
    pipeline_push(requests->known);
}

/* --- life --------------------------------------------------------------------------- */

void requests_init(struct requests *requests, const struct system *system, struct tally *tally,
                   unsigned parts, int threads, double rate, bool skims)
{
    enum { DEPTH = 8 }; /* batches under way stay in the host's caches */
    *requests = (struct requests){
        .system = system, .tally = tally, .threads = threads, .waits = parts & PART_WAITS};
    line_table_init(&requests->lines);
    momentary_init(&requests->momentary, system);
    kinds_create(requests, parts);
    if (rate < 1) {
        requests->sample = memory_zero(1, sizeof *requests->sample);
        line_sample_init(requests->sample, rate, skims);
        for (int side = 0; side < 2; side++)
            evenness_init(&requests->evenness[side], system->domains);
    }
    kinds_follow(requests);
    if (parts & PART_CTA_SHARING) {
        requests->pairs = memory_zero(1, sizeof *requests->pairs);
        cta_pairs_init(requests->pairs);
    }
    int kinds = (int)requests->n_kinds, consumers = threads - 2 < kinds ? threads - 2 : kinds;
    if (consumers > 0)
        requests->known = pipeline_create(sizeof(struct request_batch), DEPTH, consumers,
                                          take_distances, requests);
    requests->arriving = pipeline_create(sizeof(struct request_batch), threads > 1 ? DEPTH : 1,
                                         threads > 1, take_arriving, requests);
}

void requests_fini(struct requests *requests)
{
    pipeline_destroy(requests->arriving); /* it may still push */
    pipeline_destroy(requests->known);
    line_table_fini(&requests->lines);
    momentary_fini(&requests->momentary);
    groups_fini(&requests->groups);
    firsts_fini(&requests->firsts);
    VECTOR_FREE(&requests->sharers);
    for (uint32_t i = 0; i < requests->n_kinds; i++)
        distances_destroy(requests->kinds[i]);
    if (requests->pairs)
        cta_pairs_fini(requests->pairs);
    free(requests->pairs);
    if (requests->sample)
        line_sample_fini(requests->sample);
    for (int side = 0; side < 2; side++)
        evenness_fini(&requests->evenness[side]);
    free(requests->sample);
    *requests = (struct requests){0};
}

int requests_wait(struct requests *requests, struct error *error)
{
    pipeline_drain(requests->arriving);
    if (requests->known)
        pipeline_drain(requests->known);
    if (requests->status)
        *error = requests->error;
    return requests->status;
}

void requests_take(struct requests *requests)
{
    pipeline_push(requests->arriving);
}

/* For requests_end_launch: of one kind, which nobody else has. */
struct ending {
    struct requests *requests;
    bool all;
};

static void end_kind(void *context, uint64_t i, int worker)
{
    const struct ending *ending = context;
    const struct requests *requests = ending->requests;
    const struct line_sample *sample = requests->sample;
    struct distances *kind = requests->kinds[i];
    (void)worker;
    distances_end_launch(kind, ending->all);
    if (sample)
        distances_estimate(kind,
                           &(struct spread_sample){ldexp((double)sample->shards.share, -32),
                                                   sample->sampled, sample->balance,
                                                   &requests->evenness[distances_kind(kind).side]});
}

void requests_end_launch(struct requests *requests, bool all)
{
    enum { MANY = 1 << 14 }; /* requests that are worth starting threads for */
    struct ending ending = {requests, all};
    bool many = requests->tally->counts.behind.home_requests >= MANY;
    for (uint32_t i = 0; i < requests->n_kinds; i++)
        distances_part(requests->kinds[i]);
    parallel_for(many ? requests->threads : 1, requests->n_kinds, end_kind, &ending);
}

struct request_batch *requests_slot(struct requests *requests)
{
    return pipeline_slot(requests->arriving);
}

void requests_begin_launch(struct requests *requests, const struct stream_kernel *kernel)
{
    requests->launch++;
    firsts_begin_launch(&requests->firsts);
    momentary_begin_launch(&requests->momentary, requests->system, kernel);
    if (requests->waits)
        groups_begin_launch(&requests->groups, kernel);
    if (requests->pairs)
        cta_pairs_begin_launch(requests->pairs);
    for (uint32_t i = 0; i < requests->n_kinds; i++)
        distances_begin_launch(requests->kinds[i]);
}
