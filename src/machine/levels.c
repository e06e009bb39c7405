/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels between L1 and the LLC, in order. */
#include "machine/levels.h"

#include <stdio.h>
#include <string.h>

bool machine_has_level(const struct machine *machine, const char *name)
{
    struct error ignored;
    char path[128];
    double capacity = 0;
    snprintf(path, sizeof path, "%s.capacity", name);
    return machine_has(machine, name) && machine_number(machine, path, &capacity, &ignored) == 0 &&
           capacity > 0;
}

static bool of_scope(const struct machine *machine, const char *name, const char *scope)
{
    struct error ignored;
    char path[128];
    const char *own = "";
    snprintf(path, sizeof path, "%s.scope", name);
    return machine_name(machine, path, &own, &ignored) == 0 && strcmp(own, scope) == 0;
}

int machine_levels(const struct machine *machine, bool given, struct machine_levels *out,
                   struct error *error)
{
    static const char *const scopes[] = {"cluster", "partition",
                                         "chip"}; /* of requester-side levels */
    out->n = 0;
    for (size_t s = 0; s < sizeof scopes / sizeof *scopes; s++)
        for (size_t i = 0; i < machine->n_sections; i++) {
            const char *name = machine->sections[i].name;
            if (strcmp(machine->sections[i].schema->kind, "front") != 0 ||
                !of_scope(machine, name, scopes[s]) || !(given || machine_has_level(machine, name)))
                continue;
            if (out->n == MACHINE_LEVELS_MAX)
                return error_set(error, STATUS_INPUT, "%s: at most %d levels before the LLC", name,
                                 MACHINE_LEVELS_MAX);
            out->names[out->n++] = name;
        }
    return 0;
}
