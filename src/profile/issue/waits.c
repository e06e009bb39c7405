/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines on their way, by the clocks of those who wait for them. */
#include "profile/issue/waits.h"

#include <stdlib.h>

#include "core/memory.h"

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
