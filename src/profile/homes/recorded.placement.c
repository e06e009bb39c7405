/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded homes: pages live where the input says. A page that it does not
 * name is an error rather than a guess. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "profile/homes/placement.h"

struct recorded {
    struct stream_home *homes; /* by base */
    size_t count;
};

static int compare_homes(const void *a, const void *b)
{
    const struct stream_home *x = a, *y = b;
    return x->base < y->base ? -1 : x->base > y->base;
}

static int recorded_setup(void *state, const struct placement_context *context, struct error *error)
{
    struct recorded *recorded = state;
    const struct source *source = context->source;
    if (source->homes.count == 0) {
        error_set(error, STATUS_INPUT, "page.policy recorded: the input records no homes of pages");
        error_hint(error, "take another page.policy, such as first-touch");
        return STATUS_INPUT;
    }
    recorded->count = source->homes.count;
    recorded->homes = memory_alloc(recorded->count * sizeof *recorded->homes);
    memcpy(recorded->homes, source->homes.items, recorded->count * sizeof *recorded->homes);
    qsort(recorded->homes, recorded->count, sizeof *recorded->homes, compare_homes);
    for (size_t i = 0; i < recorded->count; i++)
        if (recorded->homes[i].home >= context->n_homes)
            return error_set(error, STATUS_INPUT,
                             "page.policy recorded: address 0x%llx lives on chip %u, the machine "
                             "has chips 0 to %u",
                             (unsigned long long)recorded->homes[i].base, recorded->homes[i].home,
                             context->n_homes - 1);
    return 0;
}

static void recorded_finish(void *state)
{
    struct recorded *recorded = state;
    free(recorded->homes);
}

/* The first recorded range that shares bytes with the page. */
static uint32_t recorded_home(void *state, const struct placement_context *context,
                              uint64_t address, uint32_t toucher)
{
    const struct recorded *recorded = state;
    size_t low = 0, high = recorded->count;
    (void)toucher;
    while (low < high) { /* the first that ends above the page's first byte */
        size_t middle = low + (high - low) / 2;
        const struct stream_home *home = &recorded->homes[middle];
        if (home->base <= address && address - home->base >= home->bytes)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == recorded->count || (recorded->homes[low].base > address &&
                                   recorded->homes[low].base - address >= context->page_bytes))
        return PLACEMENT_NONE;
    return recorded->homes[low].home;
}

const struct placement placement_recorded = {
    .plugin = {"placement", "recorded", "pages live where the input says", NULL, NULL},
    .state_size = sizeof(struct recorded),
    .setup = recorded_setup,
    .finish = recorded_finish,
    .home = recorded_home,
};
