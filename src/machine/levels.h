/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cache levels between L1 and the LLC: any section of a machine with a scope and a side of its
 * own. A request meets smaller scopes first, and levels of one scope in the order in which the
 * machine lists them.
 *
 * No name is special but those that a published model asks for (core/plugin.h, `levels`): records,
 * stations, metrics ("utilisation_l15") and tables take the machine's. */
#ifndef BANDSCAPE_MACHINE_LEVELS_H
#define BANDSCAPE_MACHINE_LEVELS_H

#include "machine/machine.h"

enum { MACHINE_LEVELS_MAX = 6 };

struct machine_levels {
    const char *names[MACHINE_LEVELS_MAX]; /* of the sections: live as long as the machine */
    int n;
};

/* Those that are there: with a capacity that is known and not 0. `given`: those without one too,
 * which a setting may give. STATUS_INPUT where there are more than MACHINE_LEVELS_MAX. */
int machine_levels(const struct machine *machine, bool given, struct machine_levels *out,
                   struct error *error);

/* True when the machine has that level, and its capacity is known and not 0. */
bool machine_has_level(const struct machine *machine, const char *name);

#endif
