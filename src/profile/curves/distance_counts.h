/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a kind of cache is asked for in one launch, by stack distance; of a sample of the lines,
 * what becomes of it: counts of all requests, and what these may be off by. */
#ifndef BANDSCAPE_PROFILE_DISTANCE_COUNTS_H
#define BANDSCAPE_PROFILE_DISTANCE_COUNTS_H

#include "profile/curves/shards.h"
#include "profile/curves/spread.h"
#include "profile/record/curve.h"

/* What is counted in one launch. Of reads, writes and what fetches among these the requests are
 * all there were, and bins and cold ones are of the sample, when there is one, until they are
 * scaled; of the others all are of the sample until then. */
enum distance_part {
    DISTANCE_READS,
    DISTANCE_WRITES,     /* atomics and write-backs too */
    DISTANCE_FETCHING,   /* of the writes, those that want the line's data: atomics, and partial
                          * writes where the machine says so */
    DISTANCE_OLD,        /* of all, those whose line was last asked for in an earlier launch */
    DISTANCE_OLD_WANTED, /* of these, reads and what fetches */
    DISTANCE_REMOTE,     /* of reads and what fetches, those for lines of other domains; of a cache
                          * of all requests */
    DISTANCE_EVICTED,    /* dirty data that left (curves/writebacks.h) */
    DISTANCE_BEFORE,
    DISTANCE_DIRTY, /* what the launch leaves dirty; where it is flushed, what that writes home */
    DISTANCE_PARTS
};
struct distance_counts {
    struct distance_histogram parts[DISTANCE_PARTS];
    uint64_t *requests, *cold; /* one a unit */
    /* Of a sample: half of what misses and write-backs of the launch may be off by, in caches of
     * spread_lines(bin) lines (curves/spread.h). */
    bool is_estimated;
    double misses_half[SPREAD_BINS], written_half[SPREAD_BINS];
    /* Of a launch that was skimmed: likewise, squared, by what was not counted (run/measures.h). */
    bool is_skimmed;
    double misses_skimmed[SPREAD_BINS], written_skimmed[SPREAD_BINS];
};

/* From counts of a sample to those of all requests, whose number is known, a unit and in all; cold
 * ones go to units as the sample's do. */
void distance_counts_scale(struct distance_counts *counts, uint32_t units,
                           const struct shards *shards);

/* Sets the halves, of scaled counts. `asked`, `written`: the spread of misses and of write-backs,
 * those of a flush at the launch's end too (`flushed`). */
void distance_counts_estimate(struct distance_counts *counts, const struct spread *asked,
                              const struct spread *written, bool flushed,
                              const struct spread_sample *sample);

#endif
