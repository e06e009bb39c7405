/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a sweep will take, and whether to go on with what is long. */
#ifndef BANDSCAPE_CLI_SWEEP_ASK_H
#define BANDSCAPE_CLI_SWEEP_ASK_H

#include "cli/command.h"
#include "explore/sweep/sweep.h"

/* What is sure to be long, before anything is profiled or built. */
int sweep_ask_size(const struct invocation *inv, const struct space *space, struct error *error);
/* Says how long the sweep will take, and asks when that is long. After sweep_columns. */
int sweep_ask_time(const struct invocation *inv, const struct sweep *sweep, struct error *error);

#endif
