/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC: memory-side or SM-side, decided for each kernel by the EAB model. It has the one
 * crossbar of a memory-side LLC, so that in SM-side mode misses pass through it again. */
#include "machine/organisation.h"

static int sac_rewrite(struct machine *machine, struct error *error)
{
    return machine_has(machine, "noc") ? machine_set(machine, "noc.misses", "shared", NULL, error)
                                       : 0;
}

const struct organisation organisation_sac = {
    .plugin = {"organisation", "sac",
               "SM-side for kernels whose EAB gains more than llc.theta, else memory-side",
               "SAC, ISCA 2023", NULL},
    .rewrite = sac_rewrite,
    .usual = "memory-side",
    .other = "sm-side",
};
