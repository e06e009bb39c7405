/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write-backs of write-back LRU caches of every size at once, from one pass.
 *
 * A line that is written is dirty until it is written home. A cache of C lines writes it home,
 * once, when a stack distance of the line reaches C before its next write does: so each write
 * opens an interval, which ends with the next write, and what counts of it is the largest
 * distance of its line in between. It is counted as it grows, a launch at a time:
 *
 *     write-backs of a launch at C = evicted with distances of C and more
 *                                  - before  with distances of C and more
 *
 * where `before` are the distances up to which intervals of earlier launches were counted
 * already. What is dirty in a cache of C lines are the open intervals below C.
 *
 * Distances are kept as bins of a histogram (distance_bin), which do not lose their order. A
 * sector has a state of its own: dirty sectors of a line leave together and are written apart. */
#ifndef BANDSCAPE_PROFILE_WRITEBACKS_H
#define BANDSCAPE_PROFILE_WRITEBACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/curves/spread.h"
#include "profile/record/curve.h"

/* Histograms of a launch, and of what is open, which goes on through launches. */
struct writebacks {
    struct distance_histogram *evicted, *before; /* cold: written home at any capacity */
    struct distance_histogram open;
    /* Of a sample: the spread of what is evicted without what was before, and of what is open; and
     * where the line counts that is looked at. NULL: all lines are. */
    struct spread *spread, *spread_open;
    struct spread_place place;
};

/* States are uint16_t, of a sector: 0: clean; else the bin of the largest distance since it was
 * written, + 1. */

static inline void writebacks_move(struct distance_histogram *histogram, uint32_t bin, int by)
{
    histogram->bins[bin] += (uint64_t)by;
    histogram->requests += (uint64_t)by;
}

static inline void writebacks_move_evicted(struct writebacks *w, uint32_t bin, int by)
{
    writebacks_move(w->evicted, bin, by);
    if (w->spread)
        spread_add(w->spread, w->place, spread_bin(bin), by);
}

static inline void writebacks_move_open(struct writebacks *w, uint32_t bin, int by)
{
    writebacks_move(&w->open, bin, by);
    if (w->spread)
        spread_add(w->spread_open, w->place, spread_bin(bin), by);
}

/* An interval that earlier launches counted up to a bin is counted so in this one, twice. */
static inline void writebacks_carry(struct writebacks *w, uint32_t bin)
{
    if (bin == 0)
        return;
    writebacks_move(w->before, bin, 1);
    writebacks_move(w->evicted, bin, 1);
}

/* The line of a dirty sector was found at a distance, or stands there. What is counted of it so
 * far is of this launch (writebacks_carry). */
static inline void writebacks_reach(struct writebacks *w, uint16_t *soil, uint32_t bin)
{
    uint32_t had = *soil - 1U;
    if (bin <= had)
        return;
    writebacks_move_open(w, had, -1);
    writebacks_move_open(w, bin, 1);
    writebacks_move_evicted(w, bin, 1);
    if (had)
        writebacks_move_evicted(w, had, -1);
    *soil = (uint16_t)(bin + 1);
}

/* A clean sector is clean, a dirty one forgotten: it was written home by a flush, which finds it
 * among those that are open. */
static inline void writebacks_clean(struct writebacks *w, uint16_t *soil)
{
    if (*soil)
        writebacks_move_open(w, *soil - 1U, -1);
    *soil = 0;
}

static inline void writebacks_write(struct writebacks *w, uint16_t *soil)
{
    writebacks_clean(w, soil);
    writebacks_move_open(w, 0, 1);
    *soil = 1;
}

/* A dirty sector is taken out of all caches: those that have it still write it home. */
static inline void writebacks_take_out(struct writebacks *w, uint16_t *soil)
{
    uint32_t had = *soil - 1U;
    w->evicted->cold++;
    w->evicted->requests++;
    if (w->spread)
        spread_add(w->spread, w->place, SPREAD_COLD, 1);
    if (had)
        writebacks_move_evicted(w, had, -1);
    writebacks_clean(w, soil);
}

#endif
