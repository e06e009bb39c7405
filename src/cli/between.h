/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two designs that a command line sets against each other: --between
 *
 *     llc.organisation=memory-side,sm-side   two values of a parameter
 *     memory-side,sm-side                    the same of llc.organisation
 *     sac,sac-2chip                          two machines, in place of --machine */
#ifndef BANDSCAPE_CLI_BETWEEN_H
#define BANDSCAPE_CLI_BETWEEN_H

#include "cli/command.h"
#include "machine/machine.h"

struct between {
    struct arena *arena;
    char path[128];              /* of the parameter; "": two machines */
    const char *names[2];        /* values, or machines */
    struct machine *machines[2]; /* with every --set */
};

/* `command` stands in messages. To be closed even when it fails. */
int between_open(const struct invocation *invocation, const char *command, struct between *out,
                 struct error *error);
void between_close(struct between *between);

#endif
