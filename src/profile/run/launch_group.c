/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of launches: copied, added, compared. */
#include "profile/run/launch_group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

static void *copy_items(const void *items, size_t n, size_t size)
{
    void *copy = memory_zero(n, size);
    if (n)
        memcpy(copy, items, n * size);
    return copy;
}

static uint64_t *copy_counts(const uint64_t *counts, size_t n)
{
    return copy_items(counts, n, sizeof *counts);
}

static double *copy_halves(const double *half)
{
    return half ? copy_items(half, SPREAD_BINS, sizeof *half) : NULL;
}

static double *roots_of(const double *squares)
{
    double *roots = copy_halves(squares);
    for (int bin = 0; bin < SPREAD_BINS; bin++)
        roots[bin] = sqrt(roots[bin]);
    return roots;
}

static struct launch_bins bins_of(const struct distance_histogram *histogram)
{
    size_t n = sizeof histogram->bins / sizeof *histogram->bins;
    while (n > 0 && histogram->bins[n - 1] == 0)
        n--;
    return (struct launch_bins){histogram->requests, histogram->cold,
                                copy_counts(histogram->bins, n), n};
}

static void counts_create(struct launch_counts *counts, const struct requests *requests,
                          const struct launch_part *from)
{
    memcpy(counts->fields, from->fields, sizeof counts->fields);
    for (int i = 0; i < FIELD_COUNT; i++)
        counts->weights[i] = isnan(from->fields[i]) ? 0 : from->fields[FIELD_REQUESTS];
    counts->n_kinds = from->n_kinds;
    for (uint32_t i = 0; i < from->n_kinds; i++) {
        const struct distance_counts *of = from->counts[i];
        uint32_t units = from->units[i];
        struct launch_kind *kind = &counts->kinds[i];
        for (int p = 0; p < DISTANCE_PARTS; p++)
            kind->parts[p] = bins_of(&of->parts[p]);
        kind->unit_requests = copy_counts(of->requests, units);
        kind->unit_cold = copy_counts(of->cold, units);
        kind->units = units;
        kind->misses_half = of->is_estimated ? copy_halves(of->misses_half) : NULL;
        kind->written_half = of->is_estimated ? copy_halves(of->written_half) : NULL;
        kind->misses_skimmed = of->is_skimmed ? roots_of(of->misses_skimmed) : NULL;
        kind->written_skimmed = of->is_skimmed ? roots_of(of->written_skimmed) : NULL;
        kind->flushed = distances_flush(requests->kinds[i]);
        kind->settled = distances_settled(requests->kinds[i]);
    }
}

static void counts_copy(struct launch_counts *to, const struct launch_counts *from)
{
    *to = *from;
    for (uint32_t i = 0; i < from->n_kinds; i++) {
        const struct launch_kind *of = &from->kinds[i];
        struct launch_kind *kind = &to->kinds[i];
        for (int p = 0; p < DISTANCE_PARTS; p++)
            kind->parts[p].counts = copy_counts(of->parts[p].counts, of->parts[p].n);
        kind->unit_requests = copy_counts(of->unit_requests, of->units);
        kind->unit_cold = copy_counts(of->unit_cold, of->units);
        kind->misses_half = copy_halves(of->misses_half);
        kind->written_half = copy_halves(of->written_half);
        kind->misses_skimmed = copy_halves(of->misses_skimmed);
        kind->written_skimmed = copy_halves(of->written_skimmed);
    }
}

static void counts_fini(struct launch_counts *counts)
{
    for (uint32_t i = 0; i < counts->n_kinds; i++) {
        for (int p = 0; p < DISTANCE_PARTS; p++)
            free(counts->kinds[i].parts[p].counts);
        free(counts->kinds[i].unit_requests);
        free(counts->kinds[i].unit_cold);
        free(counts->kinds[i].misses_half);
        free(counts->kinds[i].written_half);
        free(counts->kinds[i].misses_skimmed);
        free(counts->kinds[i].written_skimmed);
    }
}

/* Of what launch_group_agrees compares. */
static void counts_digest(const struct launch_counts *counts, struct hash_content *hash)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (profile_field_row(i)->kind != FIELD_KIND_RUN)
            hash_content_add(hash, &counts->fields[i], sizeof counts->fields[i]);
    for (uint32_t i = 0; i < counts->n_kinds; i++) {
        const struct launch_kind *kind = &counts->kinds[i];
        for (int p = 0; p < DISTANCE_PARTS; p++) {
            const struct launch_bins *part = &kind->parts[p];
            hash_content_add(hash, &part->requests, sizeof part->requests);
            hash_content_add(hash, &part->cold, sizeof part->cold);
            hash_content_add(hash, &part->n, sizeof part->n);
            hash_content_add(hash, part->counts, part->n * sizeof *part->counts);
        }
        hash_content_add(hash, kind->unit_requests, kind->units * sizeof *kind->unit_requests);
        hash_content_add(hash, kind->unit_cold, kind->units * sizeof *kind->unit_cold);
    }
}

static uint64_t group_digest(const struct launch_group *group)
{
    struct hash_content *hash = hash_content_begin();
    hash_content_add(hash, group->traffic,
                     (size_t)group->domains * group->domains * sizeof *group->traffic);
    counts_digest(&group->whole, hash);
    for (uint32_t p = 0; group->has_prefixes && p < WINDOW_PREFIXES; p++)
        counts_digest(&group->prefixes[p], hash);
    return hash_content_end_number(hash);
}

struct launch_group *launch_group_create(const struct requests *requests,
                                         const struct stream_kernel *kernel,
                                         const struct tally *tally, const struct lanes *lanes,
                                         const struct launch_part *whole,
                                         const struct launch_part *prefixes)
{
    struct launch_group *group = memory_zero(1, sizeof *group);
    uint32_t domains = tally->system->domains;
    group->kernel = *kernel;
    group->launches = 1;
    group->domains = domains;
    group->traffic = copy_counts(tally->traffic, (size_t)domains * domains);
    counts_create(&group->whole, requests, whole);
    for (uint32_t p = 0; prefixes && p < WINDOW_PREFIXES; p++)
        counts_create(&group->prefixes[p], requests, &prefixes[p]);
    group->has_prefixes = prefixes != NULL;
    group->n_lanes = lanes->n_allocations;
    group->lanes = copy_items(lanes->counts, group->n_lanes, sizeof *group->lanes);
    group->digest = group_digest(group);
    return group;
}

struct launch_group *launch_group_copy(const struct launch_group *from)
{
    struct launch_group *group = copy_items(from, 1, sizeof *group);
    group->traffic = copy_counts(from->traffic, (size_t)from->domains * from->domains);
    counts_copy(&group->whole, &from->whole);
    for (uint32_t p = 0; p < WINDOW_PREFIXES; p++)
        counts_copy(&group->prefixes[p], &from->prefixes[p]);
    group->lanes = copy_items(from->lanes, from->n_lanes, sizeof *group->lanes);
    return group;
}

void launch_group_destroy(struct launch_group *group)
{
    if (!group)
        return;
    free(group->traffic);
    free(group->lanes);
    counts_fini(&group->whole);
    for (uint32_t p = 0; p < WINDOW_PREFIXES; p++)
        counts_fini(&group->prefixes[p]);
    free(group);
}

/* --- sums ------------------------------------------------------------------------- */

bool launch_group_fits(const struct launch_group *group, const struct stream_kernel *kernel)
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

static void bins_merge(struct launch_bins *to, const struct launch_bins *from)
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

static void fields_merge(struct launch_counts *to, const struct launch_counts *from)
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
static void kind_merge_dirty(struct launch_bins *to, const struct launch_bins *from, bool flushed)
{
    if (!flushed) {
        free(to->counts);
        *to = (struct launch_bins){0};
    }
    bins_merge(to, from);
}

/* All launches have the same sample: where it is off in one, it is off in others that ask for the
 * same lines, and errors add up. So do those of launches that were skimmed, which may stand for
 * each other. */
static void halves_merge(double **to, const double *from)
{
    if (!*to)
        *to = copy_halves(from);
    else
        for (int i = 0; from && i < SPREAD_BINS; i++)
            (*to)[i] += from[i];
}

static void counts_merge(struct launch_counts *to, const struct launch_counts *from)
{
    fields_merge(to, from);
    for (uint32_t i = 0; i < to->n_kinds; i++) {
        struct launch_kind *kind = &to->kinds[i];
        const struct launch_kind *of = &from->kinds[i];
        for (int p = 0; p < DISTANCE_DIRTY; p++)
            bins_merge(&kind->parts[p], &of->parts[p]);
        kind_merge_dirty(&kind->parts[DISTANCE_DIRTY], &of->parts[DISTANCE_DIRTY], of->flushed);
        add_counts(kind->unit_requests, of->unit_requests, kind->units);
        add_counts(kind->unit_cold, of->unit_cold, kind->units);
        halves_merge(&kind->misses_half, of->misses_half);
        halves_merge(&kind->written_half, of->written_half);
        halves_merge(&kind->misses_skimmed, of->misses_skimmed);
        halves_merge(&kind->written_skimmed, of->written_skimmed);
    }
}

void launch_group_merge(struct launch_group *to, const struct launch_group *from)
{
    to->launches += from->launches;
    to->repeated += from->repeated;
    add_counts(to->traffic, from->traffic, (size_t)to->domains * to->domains);
    counts_merge(&to->whole, &from->whole);
    for (uint32_t p = 0; to->has_prefixes && p < WINDOW_PREFIXES; p++)
        counts_merge(&to->prefixes[p], &from->prefixes[p]);
    for (size_t i = 0; i < to->n_lanes; i++)
        add_counts(to->lanes[i].by_kind, from->lanes[i].by_kind, ACCESS_ATOMIC + 1);
}

/* --- agreement -------------------------------------------------------------------- */

static bool number_agrees(double a, double b, double tolerance)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static bool numbers_agree(const uint64_t *a, const uint64_t *b, size_t n, double tolerance)
{
    for (size_t i = 0; i < n; i++)
        if (!number_agrees((double)a[i], (double)b[i], tolerance))
            return false;
    return true;
}

/* Bins by what they are for: hits of caches of any size. A request that moves to the bin beside its
 * own changes nothing but there. */
static bool bins_agree(const struct launch_bins *a, const struct launch_bins *b, double tolerance)
{
    size_t n = a->n > b->n ? a->n : b->n;
    double most = tolerance * fmax((double)a->requests, (double)b->requests), ahead = 0;
    if (fabs((double)a->requests - (double)b->requests) > most ||
        fabs((double)a->cold - (double)b->cold) > most)
        return false;
    for (size_t i = 0; i < n; i++) {
        ahead += (double)(i < a->n ? a->counts[i] : 0) - (double)(i < b->n ? b->counts[i] : 0);
        if (fabs(ahead) > most)
            return false;
    }
    return true;
}

static bool kind_agrees(const struct launch_kind *a, const struct launch_kind *b, double tolerance)
{
    bool agrees = true;
    for (int p = 0; p < DISTANCE_PARTS && agrees; p++)
        agrees = bins_agree(&a->parts[p], &b->parts[p], tolerance);
    return agrees && numbers_agree(a->unit_requests, b->unit_requests, a->units, tolerance) &&
           numbers_agree(a->unit_cold, b->unit_cold, a->units, tolerance);
}

static bool counts_agree(const struct launch_counts *a, const struct launch_counts *b,
                         double tolerance)
{
    bool agrees = true;
    for (int i = 0; i < FIELD_COUNT && agrees; i++)
        agrees = profile_field_row(i)->kind == FIELD_KIND_RUN ||
                 number_agrees(a->fields[i], b->fields[i], tolerance);
    for (uint32_t i = 0; i < a->n_kinds && agrees; i++)
        agrees = kind_agrees(&a->kinds[i], &b->kinds[i], tolerance);
    return agrees;
}

bool launch_group_agrees(const struct launch_group *a, const struct launch_group *b,
                         double tolerance)
{
    size_t pairs = (size_t)a->domains * a->domains;
    for (uint32_t i = 0; i < a->whole.n_kinds; i++)
        if (!a->whole.kinds[i].settled || !b->whole.kinds[i].settled)
            return false;
    if (a->digest == b->digest)
        return true;
    bool agrees = numbers_agree(a->traffic, b->traffic, pairs, tolerance) &&
                  counts_agree(&a->whole, &b->whole, tolerance);
    for (uint32_t p = 0; a->has_prefixes && p < WINDOW_PREFIXES && agrees; p++)
        agrees = counts_agree(&a->prefixes[p], &b->prefixes[p], tolerance);
    return agrees;
}
