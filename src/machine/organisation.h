/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An organisation of the last-level cache rewrites the machine's levels. One
 * file `<name>.organisation.c`, ending in its descriptor. */
#ifndef BANDSCAPE_MACHINE_ORGANISATION_H
#define BANDSCAPE_MACHINE_ORGANISATION_H

#include "core/plugin.h"
#include "machine/machine.h"

struct organisation {
    struct plugin plugin; /* kind "organisation" */
    /* Sets the level's scope, side and filter. NULL for an organisation that chooses
     * between others per kernel. */
    int (*rewrite)(struct machine *machine, struct error *error);
    /* The organisations it chooses between: `usual`, and `other` when the model's
     * EAB of `other` exceeds (1 + llc.theta) times that of `usual`. */
    const char *usual, *other;
};

/* What has SMs, slices and memory of its own: the scope of an LLC on either side. */
static inline const char *organisation_scope(const struct machine *machine)
{
    struct error ignored;
    double partitions = 1;
    return machine_number(machine, "partitions", &partitions, &ignored) == 0 && partitions > 1
               ? "partition"
               : "chip";
}

#endif
