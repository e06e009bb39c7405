/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What organisations of the last-level cache set. */
#include "machine/organisation.h"

#include <string.h>

static const char *const paths[] = {"llc.scope", "llc.side", "llc.filter", "llc.split",
                                    "noc.misses"};
enum { PATHS = sizeof paths / sizeof *paths };

bool organisation_sets(const char *path)
{
    for (int i = 0; i < PATHS; i++)
        if (strcmp(paths[i], path) == 0)
            return true;
    return false;
}

int organisation_set(struct machine *machine, const char *side, const char *split,
                     const char *misses, struct error *error)
{
    const char *const values[PATHS] = {organisation_scope(machine), side, "all", split, misses};
    int status = 0;
    for (int i = 0; i < PATHS && !status; i++)
        if (paths[i][0] != 'n' || machine_has(machine, "noc"))
            status = machine_set(machine, paths[i], values[i], NULL, error);
    return status;
}
