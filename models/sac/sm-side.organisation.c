/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SM-side LLC: each chip (partition, where chips have them) caches any line that its own SMs
 * ask for. Its misses have a crossbar of their own, beside that of the SMs. */
#include "machine/organisation.h"

static int sm_side_rewrite(struct machine *machine, struct error *error)
{
    return organisation_set(machine, "requester", "none", "own", error);
}

const struct organisation organisation_sm_side = {
    .plugin = {.kind = "organisation",
               .name = "sm-side",
               .summary = "a line is cached by every chip that asks: up to one copy a chip",
               .reference = "SAC, ISCA 2023",
               .preferred = 2},
    .rewrite = sm_side_rewrite,
};
