/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Static LLC (the L1.5 of MCM-GPU within the LLC): llc.remote_share of the ways cache remote
 * lines at the requester; what misses them looks up the others, at home. */
#include "machine/organisation.h"

static int static_rewrite(struct machine *machine, struct error *error)
{
    return organisation_set(machine, "home", "static", "shared", error);
}

const struct organisation organisation_static = {
    .plugin = {"organisation", "static",
               "half of the ways (llc.remote_share) hold remote lines, before the home's others",
               "MCM-GPU, ISCA 2017, as compared with in SAC, ISCA 2023", NULL},
    .rewrite = static_rewrite,
    .parts = "remote",
};
