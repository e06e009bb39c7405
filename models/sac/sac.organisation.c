/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SAC: memory-side or SM-side, decided for each kernel by the EAB model. */
#include "machine/organisation.h"

const struct organisation organisation_sac = {
    .plugin = {"organisation", "sac",
               "SM-side for kernels whose EAB gains more than llc.theta, else memory-side",
               "SAC, ISCA 2023", NULL},
    .usual = "memory-side",
    .other = "sm-side",
};
