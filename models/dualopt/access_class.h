/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DualOpt's decision engine (PACT 2022): what kind of remote accesses a workload makes,
 * from a window near its beginning (profile/samplers/access_window.h).
 *
 * The window opens after a warm-up and closes with its last remote access, or after a
 * bounded number of accesses when remote ones are rare. Then
 *   remote accesses < 2 % of the L1 accesses            -> local-dominated;
 *   else used fraction of a fetched remote line < 0.2
 *        and L1 hit rate of remote accesses < 0.4       -> cache-insensitive (coalescing);
 *   else                                                -> cache-friendly (RDMA cache). */
#ifndef BANDSCAPE_MODELS_DUALOPT_ACCESS_CLASS_H
#define BANDSCAPE_MODELS_DUALOPT_ACCESS_CLASS_H

#include "profile/samplers/access_window.h"

enum access_class {
    ACCESS_UNDECIDED, /* the window never opened */
    ACCESS_LOCAL_DOMINATED,
    ACCESS_CACHE_INSENSITIVE,
    ACCESS_CACHE_FRIENDLY
};

/* "undecided", "local-dominated", ... */
const char *access_class_name(enum access_class class);

/* By the published thresholds; fractions are those of an access_window_result. */
enum access_class access_class_of(double remote_frac, double used_frac, double hit_frac);

/* The published window of 20 000 remote accesses, of those that leave a CU: the engine stands where
 * they pass and does not see what L1 serves, whose counters give the hit rate. What the paper
 * leaves open: as many of warm-up, and at most 1 000 000 that leave, after which remote ones are
 * rare. */
struct access_window_settings access_window_published(void);

#endif
