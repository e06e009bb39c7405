/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SM-side LLC: each chip (partition, where chips have them) caches any line that its own SMs
 * ask for. */
#include "machine/organisation.h"

static int sm_side_rewrite(struct machine *machine, struct error *error)
{
    int status = machine_set(machine, "llc.scope", organisation_scope(machine), NULL, error);
    if (!status)
        status = machine_set(machine, "llc.side", "requester", NULL, error);
    if (!status)
        status = machine_set(machine, "llc.filter", "all", NULL, error);
    return status;
}

const struct organisation organisation_sm_side = {
    .plugin = {"organisation", "sm-side",
               "a line is cached by every chip that asks: up to one copy a chip", "SAC, ISCA 2023",
               NULL},
    .rewrite = sm_side_rewrite,
};
