/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of launches, and their groups. */
#include "profile/run/launches.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "profile/run/profiler.h"

struct launches {
    const struct source *source;
    const struct system *system;
    struct cache_kind kinds[KINDS_MAX];
    struct {
        struct launch_group **items;
        size_t count, capacity;
    } groups;
    bool grouping;           /* more launches than get a record each */
    double run[FIELD_COUNT]; /* fields of the last launch */
};

struct launches *launches_create(const struct source *source, const struct requests *requests)
{
    struct launches *launches = memory_zero(1, sizeof *launches);
    launches->source = source;
    launches->system = requests->system;
    for (uint32_t i = 0; i < requests->n_kinds; i++)
        launches->kinds[i] = distances_kind(requests->kinds[i]);
    return launches;
}

void launches_destroy(struct launches *launches)
{
    if (!launches)
        return;
    for (size_t i = 0; i < launches->groups.count; i++)
        launch_group_destroy(launches->groups.items[i]);
    VECTOR_FREE(&launches->groups);
    free(launches);
}

/* The first of the groups to which launches of the kernel belong, or NULL. */
static struct launch_group *launches_find(const struct launches *launches,
                                          const struct stream_kernel *kernel)
{
    for (size_t i = 0; i < launches->groups.count; i++)
        if (launch_group_fits(launches->groups.items[i], kernel))
            return launches->groups.items[i];
    return NULL;
}

/* From now on launches of one kernel, grid and block have a record together. */
static void launches_begin_grouping(struct launches *launches)
{
    size_t total = launches->groups.count;
    launches->grouping = true;
    launches->groups.count = 0;
    for (size_t i = 0; i < total; i++) {
        struct launch_group *group = launches->groups.items[i];
        struct launch_group *found = launches_find(launches, &group->kernel);
        if (found) {
            launch_group_merge(found, group);
            launch_group_destroy(group);
        } else {
            launches->groups.items[launches->groups.count++] = group;
        }
    }
}

void launches_add(struct launches *launches, const struct launch_group *launch, bool again)
{
    if (!launches->grouping && launches->groups.count == LAUNCHES_SINGLE)
        launches_begin_grouping(launches);
    struct launch_group *found =
        launches->grouping ? launches_find(launches, &launch->kernel) : NULL;
    memcpy(launches->run, launch->whole.fields, sizeof launches->run);
    if (found) {
        launch_group_merge(found, launch);
    } else {
        found = launch_group_copy(launch);
        VECTOR_PUSH(&launches->groups, found);
    }
    found->repeated += again;
}

/* --- records ---------------------------------------------------------------------- */

static uint64_t *keep_counts(struct arena *arena, const uint64_t *counts, size_t n)
{
    uint64_t *copy = arena_alloc(arena, n * sizeof *copy);
    if (n)
        memcpy(copy, counts, n * sizeof *copy);
    return copy;
}

static void add_counts(uint64_t *to, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

static void histogram_add(struct distance_histogram *histogram, const struct launch_bins *bins)
{
    histogram->requests += bins->requests;
    histogram->cold += bins->cold;
    add_counts(histogram->bins, bins->counts, bins->n);
}

/* The curve of some parts together; DISTANCE_PARTS ends the list. */
static void curve_of(const struct launch_bins *parts, const enum distance_part *which,
                     struct curve *curve, struct arena *arena)
{
    struct distance_histogram *histogram = memory_zero(1, sizeof *histogram);
    for (; *which != DISTANCE_PARTS; which++)
        histogram_add(histogram, &parts[*which]);
    curve_from_histogram(curve, histogram, arena);
    free(histogram);
}

static void record_curve_part(struct profile_curve *curve, enum profile_curve_part part,
                              const struct launch_bins *parts, const enum distance_part *which,
                              struct arena *arena)
{
    curve->has |= 1U << part;
    curve_of(parts, which, &curve->parts[part], arena);
}

/* `kept`: what curves may be off by that have few points (record/curve.h). */
static void record_interval(const double *half, double kept, struct arena *arena,
                            struct interval *interval)
{
    uint64_t lines[SPREAD_BINS];
    double sums[SPREAD_BINS];
    if (!half)
        return;
    for (uint32_t bin = 0; bin < SPREAD_BINS; bin++) {
        lines[bin] = spread_lines(bin);
        sums[bin] = half[bin] + kept;
    }
    interval_make(interval, lines, sums, SPREAD_BINS, arena);
}

/* The last parts of both are the same, in the same order. */
_Static_assert(CURVE_PARTS - CURVE_OLD == DISTANCE_PARTS - DISTANCE_OLD, "one for each");

static void record_curve(struct cache_kind kind, const struct launch_kind *counts,
                         struct arena *arena, struct profile_curve *curve)
{
    static const enum distance_part reads[] = {DISTANCE_READS, DISTANCE_PARTS},
                                    wanted[] = {DISTANCE_READS, DISTANCE_FETCHING, DISTANCE_PARTS};
    static const enum distance_part all[] = {DISTANCE_READS, DISTANCE_WRITES, DISTANCE_PARTS};
    const struct launch_bins *parts = counts->parts;
    *curve = (struct profile_curve){
        .scope = cache_scope_names[kind.scope],
        .side = level_side_names[kind.side],
        .filter = cache_filter_names[kind.filter],
        .n_domains = counts->units,
        .domain_requests = keep_counts(arena, counts->unit_requests, counts->units),
        .domain_cold = keep_counts(arena, counts->unit_cold, counts->units),
    };
    curve_of(parts, all, &curve->curve, arena);
    if (parts[DISTANCE_WRITES].requests)
        record_curve_part(curve, CURVE_READS, parts, reads, arena);
    if (parts[DISTANCE_FETCHING].requests)
        record_curve_part(curve, CURVE_FETCHES, parts, wanted, arena);
    for (int p = DISTANCE_OLD; p < DISTANCE_PARTS; p++) {
        const enum distance_part own[] = {(enum distance_part)p, DISTANCE_PARTS};
        if (parts[p].requests)
            record_curve_part(curve, (enum profile_curve_part)(CURVE_OLD + p - DISTANCE_OLD), parts,
                              own, arena);
    }
    double written = 0;
    for (int p = DISTANCE_EVICTED; p < DISTANCE_PARTS; p++)
        written += (double)parts[p].requests;
    double kept = (double)curve->curve.requests / CURVE_TOLERANCE;
    double written_kept = written / CURVE_TOLERANCE;
    record_interval(counts->misses_half, kept, arena, &curve->misses_interval);
    record_interval(counts->written_half, written_kept, arena, &curve->written_interval);
    record_interval(counts->misses_skimmed, counts->misses_half ? 0 : kept, arena,
                    &curve->misses_skimmed);
    record_interval(counts->written_skimmed, counts->written_half ? 0 : written_kept, arena,
                    &curve->written_skimmed);
}

static void record_part(const struct launches *launches, const struct launch_counts *part,
                        struct arena *arena, struct profile_record *record)
{
    memcpy(record->fields, part->fields, sizeof record->fields);
    for (uint32_t i = 0; i < system_between(launches->system); i++)
        record->levels[i] = arena_strdup(arena, system_level(launches->system, i)->name);
    for (uint32_t i = 0; i < launches->system->translation.n; i++)
        record->levels[system_between(launches->system) + i] =
            arena_strdup(arena, launches->system->translation.tlbs[i].name);
    for (uint32_t i = 0; i < launches->system->beside.n; i++)
        record->levels[system_between(launches->system) + launches->system->translation.n + i] =
            arena_strdup(arena, launches->system->beside.levels[i].name);
    record->n_curves = part->n_kinds;
    record->curves = arena_alloc(arena, part->n_kinds * sizeof *record->curves);
    for (uint32_t i = 0; i < part->n_kinds; i++)
        record_curve(launches->kinds[i], &part->kinds[i], arena, &record->curves[i]);
}

/* A group has no moment of its own: its last launch may be long before the end of the run. */
static void record_run(const struct launches *launches, struct profile_record *record)
{
    for (int i = 0; launches->grouping && i < FIELD_COUNT; i++)
        if (profile_field_row(i)->kind == FIELD_KIND_RUN)
            record->fields[i] = launches->run[i];
}

/* Up to the first one that is all of the launches. */
static void record_prefixes(const struct launches *launches, const struct launch_group *group,
                            struct arena *arena, struct profile_record *record)
{
    record->prefixes = arena_alloc(arena, WINDOW_PREFIXES * sizeof *record->prefixes);
    bool whole = false;
    for (uint32_t p = 0; p < WINDOW_PREFIXES && !whole; p++) {
        const struct launch_counts *part = &group->prefixes[p];
        struct profile_record *prefix = &record->prefixes[record->n_prefixes++];
        *prefix = (struct profile_record){.name = record->name, .launches = record->launches};
        record_part(launches, part, arena, prefix);
        whole = part->fields[FIELD_REQUESTS] >= record->fields[FIELD_REQUESTS];
    }
}

/* Only allocations that the launch touched. */
static void record_allocations(const struct launch_group *group, const struct source *source,
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
        const struct launch_group *group = launches->groups.items[i];
        struct profile_record *record = &view->records[i];
        size_t n_pairs = (size_t)group->domains * group->domains;
        record->name = arena_strdup(arena, group->kernel.name ? group->kernel.name : "");
        memcpy(record->grid, group->kernel.grid, sizeof record->grid);
        memcpy(record->block, group->kernel.block, sizeof record->block);
        record->launches = group->launches;
        record->launches_repeated = group->repeated;
        if (group->repeated)
            view->settled_within = PROFILE_SETTLED_WITHIN;
        record->n_domains = group->domains;
        record->traffic = arena_alloc(arena, n_pairs * sizeof *record->traffic);
        for (size_t k = 0; k < n_pairs; k++)
            record->traffic[k] = (double)group->traffic[k];
        record_part(launches, &group->whole, arena, record);
        record_run(launches, record);
        if (group->has_prefixes)
            record_prefixes(launches, group, arena, record);
        record_allocations(group, launches->source, arena, record);
    }
}
