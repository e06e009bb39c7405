/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC: memory-side or SM-side, decided for each kernel by the EAB model. It has the one
 * crossbar of a memory-side LLC, so that in SM-side mode misses pass through it again. */
#include "machine/organisation.h"

static int sac_rewrite(struct machine *machine, struct error *error)
{
    return machine_has(machine, "noc") ? machine_set(machine, "noc.misses", "shared", NULL, error)
                                       : 0;
}

static const struct organisation_choice sac_choice = {
    .usual = "memory-side",
    .other = "sm-side",
    .model = "eab",
    .metric = "effective_bandwidth",
    .symbol = "EAB",
    .threshold = "llc.theta",
};

const struct organisation organisation_sac = {
    .plugin = {.kind = "organisation",
               .name = "sac",
               .summary =
                   "SM-side for kernels whose EAB gains more than llc.theta, else memory-side",
               .reference = "SAC, ISCA 2023",
               .preferred = 3},
    .rewrite = sac_rewrite,
    .choice = &sac_choice,
};
