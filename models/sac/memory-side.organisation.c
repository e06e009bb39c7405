/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory-side LLC: each chip (partition, where chips have them) caches only lines whose home
 * is its own memory. */
#include "machine/organisation.h"

static int memory_side_rewrite(struct machine *machine, struct error *error)
{
    int status = machine_set(machine, "llc.scope", organisation_scope(machine), NULL, error);
    if (!status)
        status = machine_set(machine, "llc.side", "home", NULL, error);
    if (!status)
        status = machine_set(machine, "llc.filter", "all", NULL, error);
    return status;
}

const struct organisation organisation_memory_side = {
    .plugin = {"organisation", "memory-side",
               "a line is cached at its home only: one copy in the system", "SAC, ISCA 2023", NULL},
    .rewrite = memory_side_rewrite,
};
