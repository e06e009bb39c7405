/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of a sample, scaled. */
#include "profile/curves/distance_counts.h"

#include <math.h>

/* `total` among the units, as the sample's cold ones are: running sums are what is
 * rounded. No unit takes more than it was asked for; the next ones with room do. */
static void scale_cold(struct distance_counts *counts, uint32_t units, uint64_t total)
{
    uint64_t sampled = 0, seen = 0, given = 0, rest = total;
    for (uint32_t u = 0; u < units; u++)
        sampled += counts->cold[u];
    for (uint32_t u = 0; u < units && sampled > 0; u++) {
        seen += counts->cold[u];
        uint64_t until = (uint64_t)round((double)seen / (double)sampled * (double)total);
        uint64_t n = until - given;
        counts->cold[u] = n < counts->requests[u] ? n : counts->requests[u];
        rest -= counts->cold[u];
        given = until;
    }
    for (uint32_t u = 0; u < units && rest > 0; u++) {
        uint64_t room = counts->requests[u] - counts->cold[u], n = room < rest ? room : rest;
        counts->cold[u] += n;
        rest -= n;
    }
}

void distance_counts_scale(struct distance_counts *counts, uint32_t units,
                           const struct shards *shards)
{
    struct distance_histogram *parts = counts->parts;
    uint64_t reads = parts[DISTANCE_READS].requests, writes = parts[DISTANCE_WRITES].requests;
    uint64_t fetching = parts[DISTANCE_FETCHING].requests;
    shards_scale_two(shards, &parts[DISTANCE_READS], reads, &parts[DISTANCE_WRITES], writes);
    shards_scale(shards, &parts[DISTANCE_FETCHING], fetching);
    shards_scale(shards, &parts[DISTANCE_REMOTE], parts[DISTANCE_REMOTE].requests);
    shards_scale_all(shards, &parts[DISTANCE_OLD], reads + writes);
    shards_scale_all(shards, &parts[DISTANCE_OLD_WANTED], reads + fetching);
    for (int p = DISTANCE_EVICTED; p < DISTANCE_PARTS; p++)
        shards_scale_all(shards, &parts[p], UINT64_MAX);
    scale_cold(counts, units, parts[DISTANCE_READS].cold + parts[DISTANCE_WRITES].cold);
}

void distance_counts_estimate(struct distance_counts *counts, const struct spread *asked,
                              const struct spread *written, bool flushed,
                              const struct spread_sample *sample)
{
    const struct distance_histogram *parts = counts->parts;
    struct spread_total total;
    spread_total_begin(&total);
    spread_total_add(&total, &parts[DISTANCE_READS]);
    spread_total_add(&total, &parts[DISTANCE_WRITES]);
    spread_interval(asked, sample, &total, counts->misses_half);
    spread_total_end(&total);
    spread_total_begin(&total);
    spread_total_add(&total, &parts[DISTANCE_EVICTED]);
    spread_total_take(&total, &parts[DISTANCE_BEFORE]);
    if (flushed)
        spread_total_flush(&total, &parts[DISTANCE_DIRTY]);
    spread_interval(written, sample, &total, counts->written_half);
    spread_total_end(&total);
    counts->is_estimated = true;
}
