/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of one launch, and the fields they make. */
#include "profile/tally.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

void tally_init(struct tally *tally, uint32_t chips, uint32_t slices)
{
    size_t n_slices = (size_t)chips * slices;
    *tally = (struct tally){.chips = chips, .slices = slices};
    tally->traffic = memory_zero((size_t)chips * chips, sizeof *tally->traffic);
    tally->home_slices = memory_zero(n_slices, sizeof *tally->home_slices);
    tally->own_slices = memory_zero(n_slices, sizeof *tally->own_slices);
    for (int i = 0; i < SCOPE_COUNT; i++) {
        tally->scopes[i].requests = memory_zero(chips, sizeof *tally->scopes[i].requests);
        tally->scopes[i].cold = memory_zero(chips, sizeof *tally->scopes[i].cold);
    }
}

void tally_fini(struct tally *tally)
{
    free(tally->traffic);
    free(tally->home_slices);
    free(tally->own_slices);
    for (int i = 0; i < SCOPE_COUNT; i++) {
        free(tally->scopes[i].requests);
        free(tally->scopes[i].cold);
    }
    *tally = (struct tally){0};
}

void tally_clear(struct tally *tally)
{
    uint32_t chips = tally->chips, slices = tally->slices;
    bool cta_sharing = tally->cta_sharing;
    tally_fini(tally);
    tally_init(tally, chips, slices);
    tally->cta_sharing = cta_sharing;
}

double tally_uniformity(const uint64_t *counts, size_t n)
{
    uint64_t sum = 0, most = 0;
    for (size_t i = 0; i < n; i++) {
        sum += counts[i];
        most = counts[i] > most ? counts[i] : most;
    }
    return most ? (double)sum / (double)most / (double)n : (double)NAN;
}

void tally_fields(const struct tally *t, double line_bytes, double fields[FIELD_COUNT])
{
    size_t n_slices = (size_t)t->chips * t->slices;
    uint64_t requests = 0, local = 0;
    for (int kind = ACCESS_READ; kind <= ACCESS_ATOMIC; kind++)
        requests += t->requests[kind];
    for (uint32_t c = 0; c < t->chips; c++)
        local += t->traffic[(size_t)c * t->chips + c];
    for (int i = 0; i < FIELD_COUNT; i++)
        fields[i] = (double)NAN;
    fields[FIELD_CTAS] = (double)t->ctas;
    if (!t->instructions_unknown)
        fields[FIELD_WARP_INSTRUCTIONS] = (double)t->warp_instructions;
    fields[FIELD_WARP_ACCESSES] = (double)t->warp_accesses;
    fields[FIELD_LANE_ACCESSES] = (double)t->lane_accesses;
    fields[FIELD_LANE_BYTES] = (double)t->lane_bytes;
    fields[FIELD_LINE_ACCESSES] = (double)t->line_accesses;
    fields[FIELD_SECTOR_ACCESSES] = (double)t->sector_accesses;
    fields[FIELD_L1_READS] = (double)t->l1_reads;
    fields[FIELD_L1_READ_HITS] = (double)t->l1_read_hits;
    fields[FIELD_REQUESTS] = (double)requests;
    fields[FIELD_READS] = (double)t->requests[ACCESS_READ];
    fields[FIELD_WRITES] = (double)t->requests[ACCESS_WRITE];
    fields[FIELD_ATOMICS] = (double)t->requests[ACCESS_ATOMIC];
    fields[FIELD_BYTES] = (double)requests * line_bytes;
    fields[FIELD_LINES] = (double)t->lines;
    if (t->cta_sharing) {
        fields[FIELD_CTA_SHARED_LINES] = (double)t->cta_shared_lines;
        fields[FIELD_CTA_LINE_PAIRS] = (double)t->cta_line_pairs;
    }
    if (requests)
        fields[FIELD_R_LOCAL] = (double)local / (double)requests;
    fields[FIELD_LSU_MEMORY_SIDE] = tally_uniformity(t->home_slices, n_slices);
    fields[FIELD_LSU_SM_SIDE] = tally_uniformity(t->own_slices, n_slices);
}
