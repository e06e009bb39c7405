/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of launches, and their groups. */
#include "profile/run/launches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "profile/run/profiler.h"

/* A histogram without its empty end. */
struct bins {
    uint64_t requests, cold;
    uint64_t *counts;
    size_t n;
};

/* What a curve is made of. */
struct kind_counts {
    struct bins parts[DISTANCE_PARTS];
    uint64_t *unit_requests, *unit_cold;
    uint32_t units;
    double *misses_half, *written_half; /* [SPREAD_BINS]; NULL: all lines were taken */
};

/* What a launch, or a part of it, gives. */
struct part_counts {
    double fields[FIELD_COUNT];
    double weights[FIELD_COUNT]; /* requests of the launches that know a mean */
    struct kind_counts kinds[KINDS_MAX];
    uint32_t n_kinds;
};

struct group {
    struct stream_kernel kernel;
    uint64_t launches;
    uint32_t domains;
    uint64_t *traffic;
    struct part_counts whole, prefixes[WINDOW_PREFIXES];
    bool has_prefixes;
    struct lane_counts *lanes;
};

struct launches {
    const struct source *source;
    const struct system *system;
    struct cache_kind kinds[KINDS_MAX];
    bool flushed[KINDS_MAX]; /* the end of a launch writes home what is dirty */
    struct {
        struct group *items;
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
    for (uint32_t i = 0; i < requests->n_kinds; i++) {
        launches->kinds[i] = distances_kind(requests->kinds[i]);
        launches->flushed[i] = distances_flush(requests->kinds[i]);
    }
    return launches;
}

static void part_fini(struct part_counts *part)
{
    for (uint32_t i = 0; i < part->n_kinds; i++) {
        for (int p = 0; p < DISTANCE_PARTS; p++)
            free(part->kinds[i].parts[p].counts);
        free(part->kinds[i].unit_requests);
        free(part->kinds[i].unit_cold);
        free(part->kinds[i].misses_half);
        free(part->kinds[i].written_half);
    }
}

static void group_fini(struct group *group)
{
    free(group->traffic);
    free(group->lanes);
    part_fini(&group->whole);
    for (uint32_t p = 0; p < WINDOW_PREFIXES; p++)
        part_fini(&group->prefixes[p]);
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

static double *copy_halves(const double *half)
{
    double *copy = memory_alloc(SPREAD_BINS * sizeof *copy);
    memcpy(copy, half, SPREAD_BINS * sizeof *copy);
    return copy;
}

static struct bins bins_of(const struct distance_histogram *histogram)
{
    size_t n = sizeof histogram->bins / sizeof *histogram->bins;
    while (n > 0 && histogram->bins[n - 1] == 0)
        n--;
    return (struct bins){histogram->requests, histogram->cold, copy_counts(histogram->bins, n), n};
}

static void part_of(struct part_counts *part, const struct launch_part *from)
{
    memcpy(part->fields, from->fields, sizeof part->fields);
    for (int i = 0; i < FIELD_COUNT; i++)
        part->weights[i] = isnan(from->fields[i]) ? 0 : from->fields[FIELD_REQUESTS];
    part->n_kinds = from->n_kinds;
    for (uint32_t i = 0; i < from->n_kinds; i++) {
        const struct distance_counts *counts = from->counts[i];
        uint32_t units = from->units[i];
        struct kind_counts *kind = &part->kinds[i];
        for (int p = 0; p < DISTANCE_PARTS; p++)
            kind->parts[p] = bins_of(&counts->parts[p]);
        kind->unit_requests = copy_counts(counts->requests, units);
        kind->unit_cold = copy_counts(counts->cold, units);
        kind->units = units;
        kind->misses_half = counts->is_estimated ? copy_halves(counts->misses_half) : NULL;
        kind->written_half = counts->is_estimated ? copy_halves(counts->written_half) : NULL;
    }
}

static struct group group_of(const struct launches *launches, const struct stream_kernel *kernel,
                             const struct tally *tally, const struct lanes *lanes,
                             const struct launch_part *whole, const struct launch_part *prefixes)
{
    size_t n_lanes = launches->source->allocations.count;
    uint32_t domains = tally->system->domains;
    struct group group = {.kernel = *kernel, .launches = 1, .domains = domains};
    group.traffic = copy_counts(tally->traffic, (size_t)domains * domains);
    part_of(&group.whole, whole);
    for (uint32_t p = 0; prefixes && p < WINDOW_PREFIXES; p++)
        part_of(&group.prefixes[p], &prefixes[p]);
    group.has_prefixes = prefixes != NULL;
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

static void bins_merge(struct bins *to, const struct bins *from)
{
    if (to->n < from->n) {
        to->counts = memory_resize(to->counts, from->n, sizeof *to->counts);
        memset(to->counts + to->n, 0, (from->n - to->n) * sizeof *to->counts);
        to->n = from->n;
    }
    add_counts(to->counts, from->counts, from->n);
    to->requests += from->requests;
    to->cold += from->cold;
}

/* Means are weighted by requests; a launch that does not know the value, or has no
 * requests, says nothing. */
static void mean_merge(double *to, double *to_weight, double from, double weight)
{
    if (isnan(from))
        return;
    if (*to_weight > 0)
        *to = (*to * *to_weight + from * weight) / (*to_weight + weight);
    else
        *to = from;
    *to_weight += weight;
}

static void fields_merge(struct part_counts *to, const struct part_counts *from)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        switch (profile_field_row(i)->kind) {
        case FIELD_KIND_SUM:
            to->fields[i] += from->fields[i];
            break;
        case FIELD_KIND_MEAN:
        case FIELD_KIND_RATIO:
        case FIELD_KIND_UNIFORMITY:
            mean_merge(&to->fields[i], &to->weights[i], from->fields[i], from->weights[i]);
            break;
        case FIELD_KIND_LAST:
        case FIELD_KIND_RUN:
            to->fields[i] = from->fields[i];
            break;
        }
}

/* What a launch leaves dirty is the next one's too, unless it is flushed. */
static void kind_merge_dirty(struct bins *to, const struct bins *from, bool flushed)
{
    if (!flushed) {
        free(to->counts);
        *to = (struct bins){0};
    }
    bins_merge(to, from);
}

/* All launches have the same sample: where it is off in one, it is off in others that ask for the
 * same lines, and errors add up. */
static void halves_merge(double *to, const double *from)
{
    for (int i = 0; to && i < SPREAD_BINS; i++)
        to[i] += from[i];
}

static void part_merge(const struct launches *launches, struct part_counts *to,
                       const struct part_counts *from)
{
    fields_merge(to, from);
    for (uint32_t i = 0; i < to->n_kinds; i++) {
        struct kind_counts *kind = &to->kinds[i];
        for (int p = 0; p < DISTANCE_DIRTY; p++)
            bins_merge(&kind->parts[p], &from->kinds[i].parts[p]);
        kind_merge_dirty(&kind->parts[DISTANCE_DIRTY], &from->kinds[i].parts[DISTANCE_DIRTY],
                         launches->flushed[i]);
        add_counts(kind->unit_requests, from->kinds[i].unit_requests, kind->units);
        add_counts(kind->unit_cold, from->kinds[i].unit_cold, kind->units);
        halves_merge(kind->misses_half, from->kinds[i].misses_half);
        halves_merge(kind->written_half, from->kinds[i].written_half);
    }
}

static void group_merge(const struct launches *launches, struct group *to, const struct group *from)
{
    size_t n_lanes = launches->source->allocations.count;
    to->launches += from->launches;
    add_counts(to->traffic, from->traffic, (size_t)to->domains * to->domains);
    part_merge(launches, &to->whole, &from->whole);
    for (uint32_t p = 0; to->has_prefixes && p < WINDOW_PREFIXES; p++)
        part_merge(launches, &to->prefixes[p], &from->prefixes[p]);
    for (size_t i = 0; i < n_lanes; i++)
        add_counts(to->lanes[i].by_kind, from->lanes[i].by_kind, ACCESS_ATOMIC + 1);
}

/* Appends the group to the first `count`, or merges it into one of them. */
static void launches_group(struct launches *launches, size_t *count, struct group group)
{
    struct group *items = launches->groups.items;
    for (size_t i = 0; i < *count; i++)
        if (group_fits(&items[i], &group.kernel)) {
            group_merge(launches, &items[i], &group);
            group_fini(&group);
            return;
        }
    items[(*count)++] = group;
}

void launches_add(struct launches *launches, const struct stream_kernel *kernel,
                  const struct tally *tally, const struct lanes *lanes,
                  const struct launch_part *whole, const struct launch_part *prefixes)
{
    VECTOR_PUSH(&launches->groups, group_of(launches, kernel, tally, lanes, whole, prefixes));
    memcpy(launches->run, whole->fields, sizeof launches->run);
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

static void histogram_add(struct distance_histogram *histogram, const struct bins *bins)
{
    histogram->requests += bins->requests;
    histogram->cold += bins->cold;
    add_counts(histogram->bins, bins->counts, bins->n);
}

/* The curve of some parts together; DISTANCE_PARTS ends the list. */
static void curve_of(const struct bins *parts, const enum distance_part *which, struct curve *curve,
                     struct arena *arena)
{
    struct distance_histogram *histogram = memory_zero(1, sizeof *histogram);
    for (; *which != DISTANCE_PARTS; which++)
        histogram_add(histogram, &parts[*which]);
    curve_from_histogram(curve, histogram, arena);
    free(histogram);
}

static void record_curve_part(struct profile_curve *curve, enum profile_curve_part part,
                              const struct bins *parts, const enum distance_part *which,
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

static void record_curve(struct cache_kind kind, const struct kind_counts *counts,
                         struct arena *arena, struct profile_curve *curve)
{
    static const enum distance_part reads[] = {DISTANCE_READS, DISTANCE_PARTS},
                                    wanted[] = {DISTANCE_READS, DISTANCE_FETCHING, DISTANCE_PARTS};
    static const enum distance_part all[] = {DISTANCE_READS, DISTANCE_WRITES, DISTANCE_PARTS};
    const struct bins *parts = counts->parts;
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
    record_interval(counts->misses_half, (double)curve->curve.requests / CURVE_TOLERANCE, arena,
                    &curve->misses_interval);
    record_interval(counts->written_half, written / CURVE_TOLERANCE, arena,
                    &curve->written_interval);
}

static void record_part(const struct launches *launches, const struct part_counts *part,
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
static void record_prefixes(const struct launches *launches, const struct group *group,
                            struct arena *arena, struct profile_record *record)
{
    record->prefixes = arena_alloc(arena, WINDOW_PREFIXES * sizeof *record->prefixes);
    bool whole = false;
    for (uint32_t p = 0; p < WINDOW_PREFIXES && !whole; p++) {
        const struct part_counts *part = &group->prefixes[p];
        struct profile_record *prefix = &record->prefixes[record->n_prefixes++];
        *prefix = (struct profile_record){.name = record->name, .launches = record->launches};
        record_part(launches, part, arena, prefix);
        whole = part->fields[FIELD_REQUESTS] >= record->fields[FIELD_REQUESTS];
    }
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
        size_t n_pairs = (size_t)group->domains * group->domains;
        record->name = arena_strdup(arena, group->kernel.name ? group->kernel.name : "");
        memcpy(record->grid, group->kernel.grid, sizeof record->grid);
        memcpy(record->block, group->kernel.block, sizeof record->block);
        record->launches = group->launches;
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
