/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Template of a page placement: copy it to src/profile/homes/<name>.placement.c,
 * replace "template" by <name>, and say which domain is the home of a page.
 *
 * This one hashes the page's address. */
#include "core/hash.h"
#include "profile/homes/placement.h"

static uint32_t template_home(void *state, const struct placement_context *context,
                              uint64_t address, uint32_t toucher)
{
    (void)state;   /* none: state_size is 0 */
    (void)toucher; /* the chip that touches the page first */
    return hash_reduce(hash_fmix64(address / context->page_bytes), context->n_homes);
}

const struct placement placement_template = {
    .plugin = {"placement", "template", "homes by a hash of the page's address", NULL, NULL},
    .home = template_home,
};
