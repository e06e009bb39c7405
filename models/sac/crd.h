/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC's chip request directory (ISCA 2023, section 3): what hardware, running its LLC
 * on the memory side, would predict for the SM side.
 *
 * Each home samples a few sets of its LLC. A block of the directory has a tag and, for
 * each chip, a bit a sector. A request from chip i hits when the tag matches and chip
 * i's bits of all sectors asked for are set; otherwise they are set, on a tag miss after
 * replacing the least recent block. Counters saturate as in hardware: ratios are read
 * from what they show.
 *
 * The directory is blind to the capacity that copies take: a block may stand for a copy
 * in every chip, yet takes one way. `corrected_hit_rate` is ours, not the paper's: the
 * same sets sampled at the requester, tags only, where they lose a way for each line
 * that the chip itself asks for. It needs less storage (480 against 544 bytes a chip),
 * but has to see requests where they leave the chip's SMs, as the SM-side slice counters do. */
#ifndef BANDSCAPE_MODELS_SAC_CRD_H
#define BANDSCAPE_MODELS_SAC_CRD_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/samplers/sampled_sets.h"

/* The published directory. */
enum {
    CRD_SAMPLED_SETS = 8,
    CRD_WAYS = 16,
    CRD_TAG_BITS = 30,
    CRD_COUNTERS = 4, /* a chip; two of them are the directory's, `requests` and `hits`; the
                       * other two count what the pass counts exactly */
    CRD_COUNTER_BITS = 24,
    CRD_SLICE_COUNTER_BITS = 16
};

struct crd_shape {
    uint32_t homes, chips;       /* that hold lines, that ask for them */
    uint32_t sets_per_home;      /* of the LLC, at least 1: capacity / (ways * line) */
    uint32_t ways;               /* of the directory and of the SM-side LLC */
    uint32_t sampled_sets;       /* per home, at least 1 */
    uint32_t tag_bits;           /* at most 32 */
    uint32_t sectors;            /* of a line, 1 to 32 */
    uint32_t slices;             /* of the LLC of one home or chip */
    uint32_t counter_bits;       /* at most 32 */
    uint32_t slice_counter_bits; /* at most 32 */
};

struct crd_rate {
    uint64_t requests, hits;
};

struct crd {
    struct crd_shape shape;
    struct sampled_sets directory;       /* one a home; a word a chip */
    struct sampled_sets shadow;          /* one a chip; one word */
    struct crd_rate *counters;           /* of each home's directory; saturate */
    struct crd_rate corrected;           /* of all shadow sets; exact */
    uint32_t *home_slices, *chip_slices; /* [home * slices + slice]; saturate */
};

/* Ratios are NaN when nothing was counted. */
struct crd_estimate {
    uint64_t requests;         /* looked up in the directories, as their counters show */
    double hit_rate;           /* on the SM side, as the directory predicts */
    double corrected_hit_rate; /* ours */
    double lsu_memory_side, lsu_sm_side;
    bool saturated; /* a counter has reached its end */
};

/* Bytes a chip, each part rounded up. */
struct crd_storage {
    uint32_t directory, slice_counters, counters, total;
    uint32_t corrected; /* of the shadow sets, which `total` leaves out */
};

void crd_init(struct crd *crd, const struct crd_shape *shape);
void crd_fini(struct crd *crd);

/* Empties directories and counters: a kernel begins. */
void crd_clear(struct crd *crd);

/* One request for sectors (bit mask, not empty; looked at only in sectored lines) of a
 * line; the slices are those that hold the line at its home and at the requester. */
void crd_take(struct crd *crd, uint32_t requester, uint32_t home, uint64_t line, uint32_t sectors,
              uint32_t home_slice, uint32_t requester_slice);

void crd_estimate(const struct crd *crd, struct crd_estimate *out);

struct crd_storage crd_storage(const struct crd_shape *shape);

#endif
