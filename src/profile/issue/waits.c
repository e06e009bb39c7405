/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines on their way, by the clocks of those who wait for them. */
#include "profile/issue/waits.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "core/memory.h"

/* All but what is behind the last wait. */
enum {
    LAST_OF = offsetof(struct wait_clock, last) / sizeof(uint64_t),
    LATE_FROM = offsetof(struct wait_clock, late) / sizeof(uint64_t),
    NUMBERS = sizeof(struct wait_clock) / sizeof(uint64_t)
};

static bool goes_on(size_t number)
{
    return number < LAST_OF || number >= LATE_FROM;
}

void wait_clock_add(struct wait_clock *to, const struct wait_clock *now,
                    const struct wait_clock *from)
{
    uint64_t *sum = (uint64_t *)to;
    for (size_t i = 0; i < NUMBERS; i++)
        if (goes_on(i))
            sum[i] += ((const uint64_t *)now)[i] - ((const uint64_t *)from)[i];
}

void wait_clock_go_on(struct wait_clock *clock, const struct wait_clock *sum, uint64_t of,
                      uint64_t accesses)
{
    uint64_t *now = (uint64_t *)clock;
    double times = of ? (double)accesses / (double)of : 0;
    for (size_t i = 0; i < NUMBERS; i++)
        if (goes_on(i))
            now[i] += (uint64_t)llround((double)((const uint64_t *)sum)[i] * times);
}

void waits_init(struct waits *waits, uint32_t caches, size_t each)
{
    waits->each = each;
    waits->lines = memory_table(caches * each, sizeof *waits->lines);
}

void waits_fini(struct waits *waits)
{
    free(waits->lines);
    waits->lines = NULL;
}

void waits_asked_init(struct waits_asked *waits, uint32_t caches, size_t each)
{
    waits->each = each;
    waits->lines = memory_table(caches * each, sizeof *waits->lines);
}

void waits_asked_fini(struct waits_asked *waits)
{
    free(waits->lines);
    waits->lines = NULL;
}
