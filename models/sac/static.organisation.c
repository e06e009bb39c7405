/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Static LLC (the L1.5 of MCM-GPU within the LLC): llc.remote_share of the ways cache remote
 * lines at the requester, the others local lines at home. */
#include "machine/organisation.h"

static int static_rewrite(struct machine *machine, struct error *error)
{
    return organisation_set(machine, "home", "static", "shared", error);
}

const struct organisation organisation_static = {
    .plugin = {"organisation", "static",
               "half of the ways (llc.remote_share) hold remote lines, the others local ones",
               "MCM-GPU, ISCA 2017, as compared with in SAC, ISCA 2023", NULL},
    .rewrite = static_rewrite,
    .parts = "remote",
};
