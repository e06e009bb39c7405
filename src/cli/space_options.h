/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What options put in place of a space's own: sweep, search and uncertainty have them. */
#ifndef BANDSCAPE_CLI_SPACE_OPTIONS_H
#define BANDSCAPE_CLI_SPACE_OPTIONS_H

#include "cli/command.h"
#include "explore/space/space.h"

/* Workloads, inputs and models. */
int space_options_lists(const struct invocation *inv, struct space *space, struct error *error);

/* Settings of the space's machine. One that the space sets or varies is refused: it would be
 * undone. */
int space_options_settings(const struct invocation *inv, struct space *space, struct error *error);

/* The space that is the only argument, with all of these. */
int space_options_open(const struct invocation *inv, const char *command, struct space **out,
                       struct error *error);

#endif
