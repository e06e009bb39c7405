/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stack distances of one kind of cache: a (scope, side, filter) of the machine,
 * with one engine for each unit of the scope. It owns all it needs, so that
 * several kinds can be fed by several threads.
 *
 * A sectored cache holds tags for lines and fetches sectors. A sector that was
 * fetched is still there when its line never left, so its distance is the
 * largest distance of its line since the sector was last asked for.
 *
 * Under hardware coherence a write takes the line out of all other requester-side
 * caches; whoever asks for it again misses at any capacity, as one that never did.
 *
 * A flush of dirty lines takes out what was written since the last one: a line that was written,
 * left a small cache and was read again is clean there, and would stay. */
#ifndef BANDSCAPE_PROFILE_DISTANCES_H
#define BANDSCAPE_PROFILE_DISTANCES_H

#include "profile/record/curve.h"
#include "profile/request.h"
#include "machine/system.h"
#include "profile/curves/distance_counts.h"
#include "profile/curves/stack_distance.h"
#include "profile/curves/weigh.h"

enum cache_scope {
    SCOPE_SM,
    SCOPE_GROUP,   /* SMs of one L1 node */
    SCOPE_CLUSTER, /* SMs of one cluster of L1 nodes */
    SCOPE_PARTITION,
    SCOPE_CHIP,
    SCOPE_SYSTEM,
    SCOPE_COUNT
};

enum cache_filter {
    /* Reads that look up L1, hits and misses; all others are of the stream behind L1. */
    CACHE_LOOKUPS,
    CACHE_ALL,
    CACHE_LOCAL,  /* the home is in the requester's unit of the scope */
    CACHE_REMOTE, /* it is not */
    /* Reads of lines whose home is another domain and that nobody writes in the launch. */
    CACHE_READ_ONLY_SHARED,
    /* NUBA's full replication: read-only shared requests at the requester's domain, all
     * others at the home; replicas leave at the end of a launch. A domain's stream is its homed
     * lines but for others' replicable reads, and its own replicable reads. What replicas miss goes
     * on to the slices of the home, which depends on their capacity and is not in this stream. */
    CACHE_REPLICATED,
    /* Some requests of a stream in which all compete: those of CACHE_ALL whose requester is another
     * domain, or that replicas could serve; those of CACHE_REPLICATED that are for replicas. */
    CACHE_REMOTE_OF_ALL,
    CACHE_REPLICABLE_OF_ALL,
    CACHE_REPLICAS,
    /* CACHE_ALL at the requester, in slices that others of the chip ask for lines of their memory
     * (system->asks_home), and that keep these too. Which requests come by depends on what misses
     * elsewhere, and so on the capacity: here all do that want data. */
    CACHE_FILLED,
    /* The same, where lines of another partition are also there that its slices have: the rest is
     * for memory. */
    CACHE_OR_HOME,
    CACHE_FILTERS
};

struct cache_kind {
    enum cache_scope scope;
    enum level_side side;
    enum cache_filter filter;
};

extern const char *const cache_scope_names[SCOPE_COUNT];
extern const char *const cache_filter_names[CACHE_FILTERS];

struct distances;

/* `id` of a request: of its line, from 0 on, as they come. */
struct distances *distances_create(const struct system *system, struct cache_kind kind);
void distances_destroy(struct distances *distances); /* NULL is legal */

/* A kind that was asked for nothing yet sees what another one does: requests of all lines, without
 * a sample, in one unit. All that may differ is what of the written lines a launch's end takes out;
 * until it does, `lead` counts for both, whatever both of them are told. */
void distances_follow(struct distances *distances, struct distances *lead);
/* To be called before the launch ends for either: from here on the kind goes on by itself if other
 * lines are taken out of it. */
void distances_part(struct distances *distances);

/* Clears the counts. */
void distances_begin_launch(struct distances *distances);
/* From the next request on, only lines of a sample are followed: `id` is their number in
 * it, and `share` what distances are scaled by. Requests for other lines have the id
 * LINE_NONE and are but counted. Counts are scaled by what was given last. */
void distances_sample(struct distances *distances, const struct shards *shards);
/* Requests in order; those that do not pass the filter are left out. */
void distances_take(struct distances *distances, const struct request *batch, size_t n);

/* Counts of this launch or of a part of it, from those of the sample to all requests,
 * whose number is known, a unit and in all; cold ones go to units as the sample's do.
 * Without a sample nothing changes. */
void distances_scale(const struct distances *distances, struct distance_counts *counts);
/* What was taken since the launch began is all there is: counts what is dirty now, flushes what
 * the end of a launch flushes (system_flush) and scales the counts. Where nothing is flushed, and
 * far more is dirty than the launch asked for, what is dirty is looked through at a later launch's
 * end, unless `all` is to be counted now: what left is counted with that one. */
void distances_end_launch(struct distances *distances, bool all);
/* After that: how far the counts may be off. */
void distances_estimate(struct distances *distances, const struct spread_sample *sample);

/* Where not all of a launch is counted (run/stretches.h): what was counted of it so far is its
 * head; what comes from here on is not to count, write-backs neither; what does again, and what
 * came in between did not; the head is longer, all that was counted before it was left last. */
enum distance_stretch { DISTANCE_HEAD, DISTANCE_LEAVE, DISTANCE_GO_ON, DISTANCE_LONGER };
void distances_stretch(struct distances *distances, enum distance_stretch stretch);
/* Of what was counted since it went on last, that share is not to count. */
void distances_thin(struct distances *distances, double share);
/* Before the launch ends, counts of it all: what was counted behind the head, so often. */
void distances_weigh(struct distances *distances, const struct weights *weights);
/* By how much misses and write-backs may be off for it, squared, in caches of spread_lines(bin)
 * lines: beside what they may be already. */
void distances_may_be_off(struct distances *distances, const double misses[SPREAD_BINS],
                          const double written[SPREAD_BINS]);

struct cache_kind distances_kind(const struct distances *distances);
uint32_t distances_units(const struct distances *distances);
/* Whether the end of a launch writes home what is dirty. */
bool distances_flush(const struct distances *distances);
/* After the end of a launch: whether all that left until then was counted with it. */
bool distances_settled(const struct distances *distances);
const struct distance_counts *distances_counts(const struct distances *distances);
size_t distances_bytes(const struct distances *distances);

#endif
