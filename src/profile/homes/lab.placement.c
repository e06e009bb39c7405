/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local and balanced (LAB): first touch as long as the homes have about as many
 * pages each, else the home that has the fewest. */
#include <stdlib.h>

#include "core/memory.h"
#include "profile/homes/placement.h"

struct lab {
    uint64_t *pages; /* of each home */
};

static int lab_setup(void *state, const struct placement_context *context, struct error *error)
{
    (void)error;
    ((struct lab *)state)->pages = memory_zero(context->n_homes, sizeof(uint64_t));
    return 0;
}

static void lab_finish(void *state)
{
    free(((struct lab *)state)->pages);
}

/* NPB > threshold: the toucher; else the fewest pages, the lowest number among equals.
 * No pages yet count as balanced (the paper does not say): NPB is not a number then. */
static uint32_t lab_home(void *state, const struct placement_context *context, uint64_t address,
                         uint32_t toucher)
{
    uint64_t *pages = ((struct lab *)state)->pages;
    uint32_t home = toucher;
    (void)address;
    if (placement_balance(pages, context->n_homes) <= context->threshold) {
        home = 0;
        for (uint32_t i = 1; i < context->n_homes; i++)
            home = pages[i] < pages[home] ? i : home;
    }
    pages[home]++;
    return home;
}

const struct placement placement_lab = {
    .plugin = {"placement", "lab",
               "first touch while pages are balanced (page.threshold), else the fewest pages",
               "NUBA, ASPLOS 2023, section 4", NULL},
    .state_size = sizeof(struct lab),
    .setup = lab_setup,
    .finish = lab_finish,
    .home = lab_home,
};
