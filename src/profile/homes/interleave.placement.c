/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interleaving: the address decides, page.interleave bytes at a time. */
#include "profile/homes/placement.h"

static int interleave_setup(void *state, const struct placement_context *context,
                            struct error *error)
{
    (void)state;
    if (context->interleave_bytes)
        return 0;
    return error_set(error, STATUS_UNKNOWN_FIELD,
                     "page.policy interleave needs page.interleave, which is not known");
}

static uint64_t interleave_unit(const struct placement_context *context)
{
    return context->interleave_bytes;
}

static uint32_t interleave_home(void *state, const struct placement_context *context,
                                uint64_t address, uint32_t toucher)
{
    (void)state;
    (void)toucher;
    return (uint32_t)(address / context->interleave_bytes % context->n_homes);
}

const struct placement placement_interleave = {
    .plugin = {"placement", "interleave",
               "addresses go round the chips or partitions, page.interleave at a time",
               "MCM-GPU, ISCA 2017, section 3", NULL},
    .setup = interleave_setup,
    .home = interleave_home,
    .unit = interleave_unit,
};
