/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fixed mapping of addresses to channels in which bits of the page's address take part, so that
 * no stride finds the same channel for ever. The published one gathers those bits that differ most
 * within an application; a hash takes all of them, which evens channels out at least as well. */
#include "profile/homes/placement.h"

#include "core/hash.h"

static int pae_setup(void *state, const struct placement_context *context, struct error *error)
{
    (void)state;
    if (context->interleave_bytes)
        return 0;
    return error_set(error, STATUS_UNKNOWN_FIELD,
                     "page.policy pae needs page.interleave, which is not known");
}

static uint64_t pae_unit(const struct placement_context *context)
{
    return context->interleave_bytes;
}

static uint32_t pae_home(void *state, const struct placement_context *context, uint64_t address,
                         uint32_t toucher)
{
    (void)state;
    (void)toucher;
    return hash_reduce(hash_fmix64(address / context->interleave_bytes), context->n_homes);
}

const struct placement placement_pae = {
    .plugin = {"placement", "pae",
               "addresses are hashed over the chips or partitions, page.interleave at a time",
               "Liu et al., ISCA 2018 (page address entropy), as used in NUBA, ASPLOS 2023", NULL},
    .setup = pae_setup,
    .home = pae_home,
    .unit = pae_unit,
};
