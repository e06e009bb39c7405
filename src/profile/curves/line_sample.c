/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of sampled lines: rank in a bitmap that grows at its end. */
#include "profile/curves/line_sample.h"

#include <stdlib.h>

#include "core/memory.h"

void line_sample_init(struct line_sample *sample, double rate, bool nominal)
{
    *sample = (struct line_sample){.shards = shards_begin(rate), .nominal = nominal};
}

void line_sample_fini(struct line_sample *sample)
{
    free(sample->bits);
    free(sample->before);
    *sample = (struct line_sample){0};
}

size_t line_sample_bytes(const struct line_sample *sample)
{
    return ((size_t)sample->lines + 63) / 64 * (sizeof *sample->bits + sizeof *sample->before);
}

void line_sample_add(struct line_sample *sample, uint64_t line)
{
    uint32_t word = sample->lines / 64;
    if (word == sample->capacity) {
        sample->capacity += sample->capacity / 2 + 64;
        sample->bits = memory_resize(sample->bits, sample->capacity, sizeof *sample->bits);
        sample->before = memory_resize(sample->before, sample->capacity, sizeof *sample->before);
    }
    if (sample->lines % 64 == 0) {
        sample->bits[word] = 0;
        sample->before[word] = sample->sampled;
    }
    if (shards_takes(&sample->shards, line)) {
        struct spread_place place = spread_place(&sample->shards, line);
        sample->balance[place.group] += place.sign;
        sample->bits[word] |= 1ULL << sample->lines % 64;
        sample->sampled++;
    }
    sample->lines++;
    if (!sample->nominal)
        shards_observe(&sample->shards, sample->lines, sample->sampled);
}
