/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory-side LLC: each chip (partition, where chips have them) caches only lines whose home
 * is its own memory. */
#include "machine/organisation.h"

static int memory_side_rewrite(struct machine *machine, struct error *error)
{
    return organisation_set(machine, "home", "none", "shared", error);
}

const struct organisation organisation_memory_side = {
    .plugin = {.kind = "organisation",
               .name = "memory-side",
               .summary = "a line is cached at its home only: one copy in the system",
               .reference = "SAC, ISCA 2023",
               .preferred = 1},
    .rewrite = memory_side_rewrite,
};
