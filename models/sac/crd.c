/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chip request directory: sampled sets at the homes, counters that saturate. */
#include "sac/crd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

static size_t slice_count(uint32_t domains, const struct crd_shape *shape)
{
    return (size_t)domains * shape->slices;
}

static uint32_t counter_end(uint32_t bits)
{
    return UINT32_MAX >> (32 - bits);
}

void crd_init(struct crd *crd, const struct crd_shape *shape)
{
    *crd = (struct crd){.shape = *shape};
    struct sampled_sets_shape sets = {
        .caches = shape->homes,
        .sets = shape->sets_per_home,
        .sampled = shape->sampled_sets,
        .ways = shape->ways,
        .tag_bits = shape->tag_bits,
        .words = shape->chips,
    };
    sampled_sets_init(&crd->directory, &sets);
    sets.caches = shape->chips;
    sets.words = 1;
    sampled_sets_init(&crd->shadow, &sets);
    crd->counters = memory_zero(shape->homes, sizeof *crd->counters);
    crd->home_slices = memory_zero(slice_count(shape->homes, shape), sizeof *crd->home_slices);
    crd->chip_slices = memory_zero(slice_count(shape->chips, shape), sizeof *crd->chip_slices);
}

void crd_fini(struct crd *crd)
{
    sampled_sets_fini(&crd->directory);
    sampled_sets_fini(&crd->shadow);
    free(crd->counters);
    free(crd->home_slices);
    free(crd->chip_slices);
    *crd = (struct crd){0};
}

void crd_clear(struct crd *crd)
{
    const struct crd_shape *shape = &crd->shape;
    sampled_sets_clear(&crd->directory);
    sampled_sets_clear(&crd->shadow);
    memset(crd->counters, 0, shape->homes * sizeof *crd->counters);
    memset(crd->home_slices, 0, slice_count(shape->homes, shape) * sizeof *crd->home_slices);
    memset(crd->chip_slices, 0, slice_count(shape->chips, shape) * sizeof *crd->chip_slices);
    crd->corrected = (struct crd_rate){0};
}

/* True when all these sectors were there; they are now. */
static bool sectors_take(uint32_t *present, uint32_t sectors)
{
    bool hit = (*present & sectors) == sectors;
    *present |= sectors;
    return hit;
}

void crd_take(struct crd *crd, uint32_t requester, uint32_t home, uint64_t line, uint32_t sectors,
              uint32_t home_slice, uint32_t requester_slice)
{
    const struct crd_shape *shape = &crd->shape;
    uint32_t slice_end = counter_end(shape->slice_counter_bits);
    uint32_t *at_home = &crd->home_slices[home * shape->slices + home_slice];
    uint32_t *at_chip = &crd->chip_slices[requester * shape->slices + requester_slice];
    *at_home += *at_home < slice_end;
    *at_chip += *at_chip < slice_end;

    uint64_t hash = hash_fmix64(line);
    uint32_t *bits = sampled_sets_touch(&crd->directory, home, hash);
    if (!bits)
        return;
    if (shape->sectors == 1)
        sectors = 1;
    uint32_t end = counter_end(shape->counter_bits);
    struct crd_rate *counter = &crd->counters[home];
    bool hit = sectors_take(&bits[requester], sectors);
    counter->requests += counter->requests < end;
    counter->hits += hit && counter->hits < end;

    bits = sampled_sets_touch(&crd->shadow, requester, hash);
    crd->corrected.requests++;
    crd->corrected.hits += sectors_take(bits, sectors);
}

static double crd_ratio(const struct crd_rate *rate)
{
    return rate->requests ? (double)rate->hits / (double)rate->requests : (double)NAN;
}

/* LSU = (sum R_i / max R_j) / N over the N slices of the system (SAC, section 3). */
static double crd_uniformity(const uint32_t *counters, size_t n, uint32_t end, bool *saturated)
{
    uint64_t sum = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++) {
        sum += counters[i];
        most = counters[i] > most ? counters[i] : most;
    }
    *saturated |= most == end;
    return most ? (double)sum / (double)most / (double)n : (double)NAN;
}

void crd_estimate(const struct crd *crd, struct crd_estimate *out)
{
    const struct crd_shape *shape = &crd->shape;
    uint32_t end = counter_end(shape->counter_bits);
    uint32_t slice_end = counter_end(shape->slice_counter_bits);
    struct crd_rate all = {0};
    *out = (struct crd_estimate){0};
    for (uint32_t home = 0; home < shape->homes; home++) {
        all.requests += crd->counters[home].requests;
        all.hits += crd->counters[home].hits;
        out->saturated |= crd->counters[home].requests == end;
    }
    out->requests = all.requests;
    out->hit_rate = crd_ratio(&all);
    out->corrected_hit_rate = crd_ratio(&crd->corrected);
    out->lsu_memory_side = crd_uniformity(crd->home_slices, slice_count(shape->homes, shape),
                                          slice_end, &out->saturated);
    out->lsu_sm_side = crd_uniformity(crd->chip_slices, slice_count(shape->chips, shape), slice_end,
                                      &out->saturated);
}

static uint32_t whole_bytes(uint32_t bits)
{
    return (bits + 7) / 8;
}

struct crd_storage crd_storage(const struct crd_shape *shape)
{
    uint32_t blocks = shape->sampled_sets * shape->ways;
    struct crd_storage storage = {
        .directory = whole_bytes(blocks * (shape->tag_bits + shape->chips * shape->sectors)),
        .slice_counters = whole_bytes(2 * shape->slices * shape->slice_counter_bits),
        .counters = whole_bytes(CRD_COUNTERS * shape->counter_bits),
        .corrected =
            whole_bytes(blocks * (shape->tag_bits + (shape->sectors > 1 ? shape->sectors : 0))),
    };
    storage.total = storage.directory + storage.slice_counters + storage.counters;
    return storage;
}
