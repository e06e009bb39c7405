/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of launches, and their groups. */
#include "profile/launches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* A histogram without its empty end. */
struct bins {
    uint64_t requests, cold;
    uint64_t *counts;
    size_t n;
    uint64_t *domain_requests, *domain_cold; /* one a chip */
};

struct group {
    struct stream_kernel kernel;
    uint64_t launches;
    uint32_t chips;
    double fields[FIELD_COUNT];
    uint64_t *traffic;
    struct bins bins[SCOPE_COUNT];
    struct lane_counts *lanes;
};

struct launches {
    const struct source *source;
    double line_bytes;
    struct {
        struct group *items;
        size_t count, capacity;
    } groups;
    bool grouping; /* more launches than get a record each */
};

struct launches *launches_create(const struct source *source, double line_bytes)
{
    struct launches *launches = memory_zero(1, sizeof *launches);
    launches->source = source;
    launches->line_bytes = line_bytes;
    return launches;
}

static void group_fini(struct group *group)
{
    free(group->traffic);
    free(group->lanes);
    for (int s = 0; s < SCOPE_COUNT; s++) {
        free(group->bins[s].counts);
        free(group->bins[s].domain_requests);
        free(group->bins[s].domain_cold);
    }
}

void launches_destroy(struct launches *launches)
{
    if (!launches)
        return;
    for (size_t i = 0; i < launches->groups.count; i++)
        group_fini(&launches->groups.items[i]);
    VECTOR_FREE(&launches->groups);
    free(launches);
}

static uint64_t *copy_counts(const uint64_t *counts, size_t n)
{
    uint64_t *copy = memory_zero(n, sizeof *copy);
    if (n)
        memcpy(copy, counts, n * sizeof *copy);
    return copy;
}

static struct bins bins_of(const struct scope_tally *tally, uint32_t chips)
{
    const struct distance_histogram *histogram = &tally->histogram;
    size_t n = sizeof histogram->bins / sizeof *histogram->bins;
    while (n > 0 && histogram->bins[n - 1] == 0)
        n--;
    return (struct bins){histogram->requests,
                         histogram->cold,
                         copy_counts(histogram->bins, n),
                         n,
                         copy_counts(tally->requests, chips),
                         copy_counts(tally->cold, chips)};
}

static struct group group_of(const struct launches *launches, const struct stream_kernel *kernel,
                             const struct tally *tally, const struct lanes *lanes)
{
    size_t n_lanes = launches->source->allocations.count;
    struct group group = {.kernel = *kernel, .launches = 1, .chips = tally->chips};
    tally_fields(tally, launches->line_bytes, group.fields);
    group.traffic = copy_counts(tally->traffic, (size_t)tally->chips * tally->chips);
    for (int s = 0; s < SCOPE_COUNT; s++)
        group.bins[s] = bins_of(&tally->scopes[s], tally->chips);
    group.lanes = memory_zero(n_lanes, sizeof *group.lanes);
    if (n_lanes)
        memcpy(group.lanes, lanes->counts, n_lanes * sizeof *group.lanes);
    return group;
}

/* --- groups ----------------------------------------------------------------------- */

static bool group_fits(const struct group *group, const struct stream_kernel *kernel)
{
    return strcmp(group->kernel.name, kernel->name) == 0 &&
           memcmp(group->kernel.grid, kernel->grid, sizeof kernel->grid) == 0 &&
           memcmp(group->kernel.block, kernel->block, sizeof kernel->block) == 0;
}

static void add_counts(uint64_t *to, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

static void bins_merge(struct bins *to, const struct bins *from, uint32_t chips)
{
    if (to->n < from->n) {
        to->counts = memory_resize(to->counts, from->n, sizeof *to->counts);
        memset(to->counts + to->n, 0, (from->n - to->n) * sizeof *to->counts);
        to->n = from->n;
    }
    add_counts(to->counts, from->counts, from->n);
    add_counts(to->domain_requests, from->domain_requests, chips);
    add_counts(to->domain_cold, from->domain_cold, chips);
    to->requests += from->requests;
    to->cold += from->cold;
}

/* Means are weighted by requests; a launch without any says nothing. */
static void fields_merge(double *to, const double *from)
{
    double have = to[FIELD_REQUESTS], more = from[FIELD_REQUESTS];
    for (int i = 0; i < FIELD_COUNT; i++)
        switch (profile_field_table[i].kind) {
        case FIELD_KIND_SUM:
            to[i] += from[i];
            break;
        case FIELD_KIND_MEAN:
            if (have == 0)
                to[i] = from[i];
            else if (more > 0)
                to[i] = (to[i] * have + from[i] * more) / (have + more);
            break;
        case FIELD_KIND_LAST:
            to[i] = from[i];
            break;
        }
}

static void group_merge(struct group *to, const struct group *from, size_t n_lanes)
{
    to->launches += from->launches;
    fields_merge(to->fields, from->fields);
    add_counts(to->traffic, from->traffic, (size_t)to->chips * to->chips);
    for (int s = 0; s < SCOPE_COUNT; s++)
        bins_merge(&to->bins[s], &from->bins[s], to->chips);
    for (size_t i = 0; i < n_lanes; i++)
        add_counts(to->lanes[i].by_kind, from->lanes[i].by_kind, ACCESS_ATOMIC + 1);
}

/* Appends the group to the first `count`, or merges it into one of them. */
static void launches_group(struct launches *launches, size_t *count, struct group group)
{
    struct group *items = launches->groups.items;
    for (size_t i = 0; i < *count; i++)
        if (group_fits(&items[i], &group.kernel)) {
            group_merge(&items[i], &group, launches->source->allocations.count);
            group_fini(&group);
            return;
        }
    items[(*count)++] = group;
}

void launches_add(struct launches *launches, const struct stream_kernel *kernel,
                  const struct tally *tally, const struct lanes *lanes)
{
    VECTOR_PUSH(&launches->groups, group_of(launches, kernel, tally, lanes));
    size_t total = launches->groups.count, kept = total - 1;
    if (!launches->grouping && total <= LAUNCHES_SINGLE)
        return;
    if (!launches->grouping)
        kept = 0;
    launches->grouping = true;
    for (size_t i = kept; i < total; i++)
        launches_group(launches, &kept, launches->groups.items[i]);
    launches->groups.count = kept;
}

/* --- records ---------------------------------------------------------------------- */

static uint64_t *keep_counts(struct arena *arena, const uint64_t *counts, size_t n)
{
    uint64_t *copy = arena_alloc(arena, n * sizeof *copy);
    if (n)
        memcpy(copy, counts, n * sizeof *copy);
    return copy;
}

static void record_curves(const struct group *group, struct arena *arena,
                          struct profile_record *record)
{
    static const char *const sides[SCOPE_COUNT] = {
        [SCOPE_HOME] = "home", [SCOPE_REQUESTER] = "requester"};
    struct distance_histogram *histogram = memory_alloc(sizeof *histogram);
    record->n_curves = SCOPE_COUNT;
    record->curves = arena_alloc(arena, SCOPE_COUNT * sizeof *record->curves);
    for (int s = 0; s < SCOPE_COUNT; s++) {
        const struct bins *bins = &group->bins[s];
        struct profile_curve *curve = &record->curves[s];
        memset(histogram, 0, sizeof *histogram);
        histogram->requests = bins->requests;
        histogram->cold = bins->cold;
        if (bins->n)
            memcpy(histogram->bins, bins->counts, bins->n * sizeof *bins->counts);
        *curve = (struct profile_curve){.scope = "chip", .side = sides[s], .filter = "all"};
        curve_from_histogram(&curve->curve, histogram, arena);
        curve->n_domains = group->chips;
        curve->domain_requests = keep_counts(arena, bins->domain_requests, group->chips);
        curve->domain_cold = keep_counts(arena, bins->domain_cold, group->chips);
    }
    free(histogram);
}

/* Only allocations that the launch touched. */
static void record_allocations(const struct group *group, const struct source *source,
                               struct arena *arena, struct profile_record *record)
{
    size_t n = source->allocations.count;
    record->allocations = arena_alloc(arena, n * sizeof *record->allocations);
    for (size_t i = 0; i < n; i++) {
        const struct stream_allocation *from = &source->allocations.items[i];
        const uint64_t *by_kind = group->lanes[i].by_kind;
        if (by_kind[ACCESS_READ] + by_kind[ACCESS_WRITE] + by_kind[ACCESS_ATOMIC] == 0)
            continue;
        record->allocations[record->n_allocations++] = (struct profile_allocation){
            .name = arena_strdup(arena, from->name ? from->name : ""),
            .base = from->base,
            .bytes = from->bytes,
            .lane_reads = by_kind[ACCESS_READ],
            .lane_writes = by_kind[ACCESS_WRITE],
            .lane_atomics = by_kind[ACCESS_ATOMIC],
        };
    }
}

void launches_finish(const struct launches *launches, struct arena *arena,
                     struct profile_view *view)
{
    view->n_records = launches->groups.count;
    view->records = arena_alloc(arena, view->n_records * sizeof *view->records);
    for (size_t i = 0; i < view->n_records; i++) {
        const struct group *group = &launches->groups.items[i];
        struct profile_record *record = &view->records[i];
        size_t n_pairs = (size_t)group->chips * group->chips;
        record->name = arena_strdup(arena, group->kernel.name ? group->kernel.name : "");
        memcpy(record->grid, group->kernel.grid, sizeof record->grid);
        memcpy(record->block, group->kernel.block, sizeof record->block);
        record->launches = group->launches;
        memcpy(record->fields, group->fields, sizeof record->fields);
        record->n_domains = group->chips;
        record->traffic = arena_alloc(arena, n_pairs * sizeof *record->traffic);
        for (size_t k = 0; k < n_pairs; k++)
            record->traffic[k] = (double)group->traffic[k];
        record_curves(group, arena, record);
        record_allocations(group, launches->source, arena, record);
    }
}
