/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches of which not all is counted. */
#include <stdlib.h>
#include <string.h>

#include "profile/curves/distances_internal.h"
#include "profile/curves/weigh.h"

static void counts_init(struct stretch_counts *counts, uint32_t units)
{
    counts->requests = memory_zero(units, sizeof *counts->requests);
    counts->cold = memory_zero(units, sizeof *counts->cold);
}

static void counts_clear(struct stretch_counts *counts, uint32_t units)
{
    memset(counts->parts, 0, sizeof counts->parts);
    memset(&counts->asked, 0, sizeof counts->asked);
    memset(&counts->evicted, 0, sizeof counts->evicted);
    memset(counts->requests, 0, units * sizeof *counts->requests);
    memset(counts->cold, 0, units * sizeof *counts->cold);
}

static void counts_take(struct stretch_counts *counts, const struct distances *d)
{
    memcpy(counts->parts, d->counts.parts, sizeof counts->parts);
    if (d->sampled) {
        counts->asked = *d->asked;
        counts->evicted = *d->writebacks.spread;
    }
    memcpy(counts->requests, d->counts.requests, d->units * sizeof *counts->requests);
    memcpy(counts->cold, d->counts.cold, d->units * sizeof *counts->cold);
}

static void counts_copy(struct stretch_counts *to, const struct stretch_counts *from,
                        uint32_t units)
{
    struct stretch_counts own = *to;
    *to = *from;
    to->requests = own.requests;
    to->cold = own.cold;
    memcpy(to->requests, from->requests, units * sizeof *to->requests);
    memcpy(to->cold, from->cold, units * sizeof *to->cold);
}

static void spread_leave(struct spread *left, const struct spread *now, const struct spread *mark,
                         double share)
{
    counts_leave((uint64_t *)left->counts, (const uint64_t *)now->counts,
                 (const uint64_t *)mark->counts, sizeof now->counts / sizeof(uint64_t), share);
}

static void stretch_leave(struct distance_stretches *s, const struct distances *d,
                          const struct stretch_counts *since, double share)
{
    counts_leave((uint64_t *)s->left.parts, (const uint64_t *)d->counts.parts,
                 (const uint64_t *)since->parts, sizeof s->left.parts / (sizeof(uint64_t)), share);
    counts_leave(s->left.requests, d->counts.requests, since->requests, d->units, share);
    counts_leave(s->left.cold, d->counts.cold, since->cold, d->units, share);
    if (!d->sampled)
        return;
    spread_leave(&s->left.asked, d->asked, &since->asked, share);
    spread_leave(&s->left.evicted, d->writebacks.spread, &since->evicted, share);
}

void distances_stretch_free(struct distances *d)
{
    if (!d->stretches)
        return;
    struct distance_stretches *s = d->stretches;
    struct stretch_counts *all[] = {&s->head, &s->mark, &s->begun, &s->left, &s->first};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]->requests);
        free(all[i]->cold);
    }
    free(d->stretches);
}

void distances_stretch(struct distances *d, enum distance_stretch stretch)
{
    struct distance_stretches *s = d->stretches;
    if (d->lead)
        return;
    if (!s) {
        s = d->stretches = memory_zero(1, sizeof *s);
        counts_init(&s->head, d->units);
        counts_init(&s->mark, d->units);
        counts_init(&s->begun, d->units);
        counts_init(&s->left, d->units);
        counts_init(&s->first, d->units);
    }
    if (stretch == DISTANCE_HEAD) {
        counts_take(&s->head, d);
        counts_clear(&s->left, d->units);
        counts_clear(&s->first, d->units);
    } else if (stretch == DISTANCE_LEAVE) {
        counts_take(&s->mark, d);
    } else if (stretch == DISTANCE_GO_ON) {
        stretch_leave(s, d, &s->mark, 1);
        counts_take(&s->begun, d);
    } else {
        counts_copy(&s->head, &s->mark, d->units);
    }
}

void distances_thin(struct distances *d, double share)
{
    if (!d->lead && d->stretches)
        stretch_leave(d->stretches, d, &d->stretches->begun, share);
}

static void spread_weigh(struct spread *now, const struct spread *head, const struct spread *left,
                         double weight)
{
    counts_weigh((uint64_t *)now->counts, (const uint64_t *)head->counts,
                 (const uint64_t *)left->counts, sizeof now->counts / (sizeof(uint64_t)), weight);
}

/* What was evicted from a smaller cache in a stretch that was left, and from a larger one since, is
 * taken out of the bin where it was not counted. A smaller cache writes home no less. */
static void bins_settle(struct distance_histogram *histogram)
{
    int64_t above = 0, most = 0;
    for (size_t bin = DISTANCE_BINS; bin-- > 0;) {
        above += (int64_t)histogram->bins[bin];
        histogram->bins[bin] = above > most ? (uint64_t)(above - most) : 0;
        most = above > most ? above : most;
    }
}

static void histogram_add(struct distance_histogram *to, const struct distance_histogram *first,
                          double scale)
{
    for (size_t bin = 0; bin < DISTANCE_BINS; bin++)
        to->bins[bin] += first->bins[bin];
    to->cold += first->cold;
    to->requests += (uint64_t)llround((double)first->requests * scale);
}

/* Of all lines bins and cold ones are the requests; of a sample some of them. */
static void part_weigh(struct distances *d, int part, double weight)
{
    struct distance_histogram *now = &d->counts.parts[part];
    const struct distance_stretches *s = d->stretches;
    counts_weigh((uint64_t *)now, (const uint64_t *)&s->head.parts[part],
                 (const uint64_t *)&s->left.parts[part], sizeof *now / sizeof(uint64_t), weight);
    if (part >= DISTANCE_EVICTED) {
        histogram_add(now, &s->first.parts[part], 1);
        bins_settle(now);
    }
    if (d->sampled && part < DISTANCE_EVICTED)
        return;
    now->requests = now->cold;
    for (size_t bin = 0; bin < DISTANCE_BINS; bin++)
        now->requests += now->bins[bin];
}

/* Units add up to all; running sums are what is rounded. */
static void units_settle(uint64_t *units, uint32_t n, uint64_t all)
{
    uint64_t sum = 0, seen = 0, given = 0;
    for (uint32_t u = 0; u < n; u++)
        sum += units[u];
    for (uint32_t u = 0; u < n && sum > 0; u++) {
        seen += units[u];
        uint64_t until = (uint64_t)llround((double)seen / (double)sum * (double)all);
        units[u] = until - given;
        given = until;
    }
}

void distances_may_be_off(struct distances *d, const double misses[SPREAD_BINS],
                          const double written[SPREAD_BINS])
{
    d->counts.is_skimmed = true;
    for (int bin = 0; bin < SPREAD_BINS; bin++) {
        d->counts.misses_skimmed[bin] += misses[bin];
        d->counts.written_skimmed[bin] += written[bin];
    }
}

static void first_spread_add(struct distances *d, const struct stretch_counts *first, int group,
                             int bin)
{
    d->asked->counts[group][bin] += first->asked.counts[group][bin];
    d->writebacks.spread->counts[group][bin] += first->evicted.counts[group][bin];
}

/* Bins and cold ones are of the sample, where there is one, as those of others are; requests not.
 */
static void first_add(struct distances *d, double scale)
{
    struct stretch_counts *first = &d->stretches->first;
    for (int part = 0; part < DISTANCE_EVICTED; part++)
        histogram_add(&d->counts.parts[part], &first->parts[part], scale);
    for (uint32_t u = 0; u < d->units; u++) {
        d->counts.requests[u] += (uint64_t)llround((double)first->requests[u] * scale);
        d->counts.cold[u] += first->cold[u];
    }
    for (int group = 0; d->sampled && group < SPREAD_GROUPS; group++)
        for (int bin = 0; bin <= SPREAD_BINS; bin++)
            first_spread_add(d, first, group, bin);
    counts_clear(first, d->units);
}

static void add_unseen(struct distance_histogram *writes, const struct weights *w)
{
    writes->bins[0] += (uint64_t)llround(fmax(w->unseen, 0) / w->first);
    writes->requests += (uint64_t)llround(w->unseen);
}

/* Of each part. What was evicted was written. */
static double part_weight(int part, const struct weights *w)
{
    if (part == DISTANCE_READS || part == DISTANCE_REMOTE)
        return w->reads;
    return part == DISTANCE_OLD || part == DISTANCE_OLD_WANTED ? w->requests : w->writes;
}

void distances_weigh(struct distances *d, const struct weights *w)
{
    const struct distance_stretches *s = d->stretches;
    if (d->lead || !s)
        return;
    for (int part = 0; part < STRETCH_PARTS; part++)
        part_weigh(d, part, part_weight(part, w));
    counts_weigh(d->counts.requests, s->head.requests, s->left.requests, d->units, w->requests);
    counts_weigh(d->counts.cold, s->head.cold, s->left.cold, d->units, w->requests);
    if (d->sampled) {
        spread_weigh(d->asked, &s->head.asked, &s->left.asked, w->requests);
        spread_weigh(d->writebacks.spread, &s->head.evicted, &s->left.evicted, w->writes);
    }
    first_add(d, w->first);
    add_unseen(&d->counts.parts[DISTANCE_WRITES], w);
    const struct distance_histogram *parts = d->counts.parts;
    units_settle(d->counts.requests, d->units,
                 parts[DISTANCE_READS].requests + parts[DISTANCE_WRITES].requests);
    if (!d->sampled)
        units_settle(d->counts.cold, d->units,
                     parts[DISTANCE_READS].cold + parts[DISTANCE_WRITES].cold);
}
