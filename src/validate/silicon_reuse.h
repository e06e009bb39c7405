/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances of accesses that go round: how many lines a cache saw between two requests for one. */
#ifndef BANDSCAPE_VALIDATE_SILICON_REUSE_H
#define BANDSCAPE_VALIDATE_SILICON_REUSE_H

#include "core/memory.h"
#include "profile/record/curve.h"

enum { REUSE_PIECES = 64 }; /* of a distribution */

/* Requests by the lines between two for the same one; what is missing to 1 is cold. */
struct reuse {
    struct {
        double lines, share;
    } items[REUSE_PIECES + 1];
    int count;
};

void reuse_add(struct reuse *reuse, double lines, double share);

/* Sweeps over `lines`, of which each falls to one of so many caches, by chance. */
struct reuse reuse_of_sweeps(double lines, double caches);

/* The same where thread blocks fall to the caches in turn, and a sweep has so many blocks. A line
 * whose place in its block is f of it comes back to its cache after the least g with (f + g blocks)
 * mod caches in 0 .. 1. Of what lies y blocks further the cache saw, j sweeps before that, all with
 * (y + j blocks) mod caches in -f .. 1 - f: between them arcs of a circle, which begin at
 * -j blocks, j < g. Each line is as likely to have one y as another. */
struct reuse reuse_of_turns(double lines, double blocks, double caches);

/* Sets that k readers go round, anywhere in them; some have one reader more than others. */
struct reuse reuse_of_circles(double lines, double readers);

/* Where slices are filled by others' misses, too (profile/curves/distances.h): lines of the own
 * memory are asked for by all there are, others by the own SMs. Each of so many domains reads the
 * share `reads` of its requests. k sweeps later, S(k) lines: all of the own memory that are read,
 * and of the rest what fell to the own SMs. `everywhere`: the home is asked next, which had a line
 * that is read a sweep ago. */
struct reuse reuse_of_filled_sweeps(double lines, double domains, double reads, bool everywhere);

/* The same of k readers in circles: g as far as the next of k, or of the k/domains of the own
 * partition; between, what both have read. */
struct reuse reuse_of_filled_circles(double lines, double readers, double domains, bool everywhere);

/* Each distance d is a step between d and d + 1. Of a share of the requests. */
struct curve reuse_curve(const struct reuse *reuse, double share, struct arena *arena);

#endif
