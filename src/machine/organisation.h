/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An organisation of the last-level cache rewrites the machine's levels. One
 * file `<name>.organisation.c`, ending in its descriptor. */
#ifndef BANDSCAPE_MACHINE_ORGANISATION_H
#define BANDSCAPE_MACHINE_ORGANISATION_H

#include "core/plugin.h"
#include "machine/machine.h"

/* How an organisation chooses between two others, launch by launch: `other` where the metric of it
 * exceeds (1 + threshold) times that of `usual`. Nothing else names a model: who
 * makes the choice for a simulation, or explains it, finds here what decides. */
struct organisation_choice {
    const char *usual, *other; /* names of organisations */
    const char *model,
        *metric;           /* that decide, whatever model predicts the bandwidth of the choice */
    const char *symbol;    /* of the metric, in explanations */
    const char *threshold; /* path of the parameter */
};

struct organisation {
    struct plugin plugin; /* kind "organisation" */
    /* Sets the level's scope, side, filter and split. Of an organisation that chooses
     * between others per kernel: what it changes in them; may be NULL. */
    int (*rewrite)(struct machine *machine, struct error *error);
    const struct organisation_choice *choice; /* of one that chooses; NULL: it does not */
    const char *parts; /* of profiles that it needs, "remote"; NULL: the base ones */
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

/* Sets scope, side and split of "llc" (its filter is "all"), and where its misses go when the
 * machine has a crossbar. */
int organisation_set(struct machine *machine, const char *side, const char *split,
                     const char *misses, struct error *error);
/* Whether that writes the parameter, so that setting it otherwise has no effect. */
bool organisation_sets(const char *path);

#endif
