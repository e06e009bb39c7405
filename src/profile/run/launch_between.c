/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launch between two others, and how far off such a one is (run/trends.h). */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "profile/run/launch_group.h"

static double between(double a, double b, double share)
{
    return a + (b - a) * share;
}

static void counts_between(uint64_t *to, const uint64_t *b, size_t n, double share)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint64_t)llround(between((double)to[i], (double)b[i], share));
}

/* Bins and cold ones add up to the requests. */
static void bins_between(struct launch_bins *to, const struct launch_bins *b, double share)
{
    if (to->n < b->n) {
        to->counts = memory_resize(to->counts, b->n, sizeof *to->counts);
        memset(to->counts + to->n, 0, (b->n - to->n) * sizeof *to->counts);
        to->n = b->n;
    }
    counts_between(&to->cold, &b->cold, 1, share);
    to->requests = to->cold;
    for (size_t i = 0; i < to->n; i++) {
        uint64_t other = i < b->n ? b->counts[i] : 0;
        counts_between(&to->counts[i], &other, 1, share);
        to->requests += to->counts[i];
    }
}

static void halves_between(double *to, const double *b, double share)
{
    for (int i = 0; to && b && i < SPREAD_BINS; i++)
        to[i] = between(to[i], b[i], share);
}

static void part_between(struct launch_counts *to, const struct launch_counts *b, double share)
{
    for (int i = 0; i < FIELD_COUNT; i++) {
        bool sum = profile_field_row(i)->kind == FIELD_KIND_SUM;
        double own = between(to->fields[i], b->fields[i], share);
        to->fields[i] = sum ? round(own) : own;
        to->weights[i] = between(to->weights[i], b->weights[i], share);
    }
    for (uint32_t i = 0; i < to->n_kinds; i++) {
        struct launch_kind *kind = &to->kinds[i];
        const struct launch_kind *of = &b->kinds[i];
        for (int p = 0; p < DISTANCE_PARTS; p++)
            bins_between(&kind->parts[p], &of->parts[p], share);
        counts_between(kind->unit_requests, of->unit_requests, kind->units, share);
        counts_between(kind->unit_cold, of->unit_cold, kind->units, share);
        halves_between(kind->misses_half, of->misses_half, share);
        halves_between(kind->written_half, of->written_half, share);
        halves_between(kind->misses_skimmed, of->misses_skimmed, share);
        halves_between(kind->written_skimmed, of->written_skimmed, share);
    }
}

struct launch_group *launch_group_between(const struct launch_group *a,
                                          const struct launch_group *b, double share,
                                          const struct stream_kernel *kernel)
{
    struct launch_group *to = launch_group_copy(a);
    to->kernel = *kernel;
    to->digest = 0;
    counts_between(to->traffic, b->traffic, (size_t)to->domains * to->domains, share);
    part_between(&to->whole, &b->whole, share);
    for (uint32_t p = 0; to->has_prefixes && p < WINDOW_PREFIXES; p++)
        part_between(&to->prefixes[p], &b->prefixes[p], share);
    for (size_t i = 0; i < to->n_lanes; i++)
        counts_between(to->lanes[i].by_kind, b->lanes[i].by_kind, ACCESS_ATOMIC + 1, share);
    return to;
}

/* --- how far off ------------------------------------------------------------------- */

static double remote_of(const struct launch_group *group)
{
    double remote = 0;
    for (size_t from = 0; from < group->domains; from++)
        for (size_t to = 0; to < group->domains; to++)
            remote += from != to ? (double)group->traffic[from * group->domains + to] : 0;
    return remote;
}

/* Hits of caches of 16, 32, ... lines. */
static void add_hits(const struct launch_bins *bins, double factor, double *out)
{
    double hits = 0;
    size_t bin = 0;
    for (uint32_t i = 0; i < LAUNCH_CAPACITIES; i++) {
        for (; bin < bins->n && bin < distance_bin((uint64_t)16 << i); bin++)
            hits += (double)bins->counts[bin];
        out[i] += factor * hits;
    }
}

/* What caches of 16, 32, ... lines write home, and a flush not counted. */
static void add_written(const struct launch_kind *kind, double factor, double *out)
{
    const struct launch_bins *evicted = &kind->parts[DISTANCE_EVICTED],
                             *before = &kind->parts[DISTANCE_BEFORE];
    double all = (double)evicted->requests - (double)before->requests;
    for (uint32_t i = 0; i < LAUNCH_CAPACITIES; i++)
        out[i] += factor * all;
    add_hits(evicted, -factor, out);
    add_hits(before, factor, out);
}

uint32_t launch_group_off(const struct launch_group *a, const struct launch_group *b,
                          double out[LAUNCH_MEASURES])
{
    const double *of_a = a->whole.fields, *of_b = b->whole.fields;
    double requests = of_b[FIELD_REQUESTS], reads = of_b[FIELD_L1_READS];
    uint32_t n = LAUNCH_CAPACITIES;
    memset(out, 0, LAUNCH_MEASURES * sizeof *out);
    out[0] = of_a[FIELD_REQUESTS] - requests;
    out[1] = remote_of(a) - remote_of(b);
    if (reads > 0)
        out[2] = (of_a[FIELD_L1_READ_HITS] - of_b[FIELD_L1_READ_HITS]) / reads * requests;
    for (uint32_t i = 0; i < b->whole.n_kinds; i++, n += LAUNCH_CAPACITIES)
        for (int part = DISTANCE_READS; part <= DISTANCE_WRITES; part++) {
            add_hits(&a->whole.kinds[i].parts[part], 1, &out[n]);
            add_hits(&b->whole.kinds[i].parts[part], -1, &out[n]);
        }
    for (uint32_t i = 0; i < b->whole.n_kinds; i++, n += LAUNCH_CAPACITIES) {
        add_written(&a->whole.kinds[i], 1, &out[n]);
        add_written(&b->whole.kinds[i], -1, &out[n]);
    }
    return n / LAUNCH_CAPACITIES;
}
