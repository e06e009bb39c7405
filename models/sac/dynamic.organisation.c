/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dynamic LLC: as static, with as many ways for remote lines as balance the use of the
 * incoming links against that of the local memory. */
#include "machine/organisation.h"

static int dynamic_rewrite(struct machine *machine, struct error *error)
{
    return organisation_set(machine, "home", "dynamic", "shared", error);
}

const struct organisation organisation_dynamic = {
    .plugin = {"organisation", "dynamic",
               "remote lines get as many ways as balance links against local memory",
               "Milic et al., MICRO 2017, as compared with in SAC, ISCA 2023", NULL},
    .rewrite = dynamic_rewrite,
    .parts = "remote",
};
