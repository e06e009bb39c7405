/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power of the on-chip network under an organisation of the LLC. */
#include "sac/noc_cost.h"

static int llc_noc_power_build(struct model_builder *b)
{
    return noc_cost_term(b, NOC_COST_POWER);
}

const struct cost cost_llc_noc_power = {
    .plugin = {"cost", "llc_noc_power", "power of the NoC that an LLC's organisation needs",
               "SAC, ISCA 2023", NULL},
    .relative = "the NoC of a memory-side LLC",
    .page = "memory-side 1; sm-side 1.21, for its second network; sac 1.016, for the paths past\n"
            "the LLC. Published figures of 4 chips with 38 x 22 crossbars; static and dynamic\n"
            "have none.",
    .build = llc_noc_power_build,
};
