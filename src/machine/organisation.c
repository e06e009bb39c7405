/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What organisations of the last-level cache set. */
#include "machine/organisation.h"

int organisation_set(struct machine *machine, const char *side, const char *split,
                     const char *misses, struct error *error)
{
    const struct {
        const char *path, *value;
    } settings[] = {{"llc.scope", organisation_scope(machine)},
                    {"llc.side", side},
                    {"llc.filter", "all"},
                    {"llc.split", split},
                    {"noc.misses", misses}};
    int status = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && !status; i++)
        if (settings[i].path[0] != 'n' || machine_has(machine, "noc"))
            status = machine_set(machine, settings[i].path, settings[i].value, NULL, error);
    return status;
}
