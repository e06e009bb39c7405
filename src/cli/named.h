/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions are quick to ask: `bandscape why sac bfs` is `why --machine sac --workload bfs`. */
#ifndef BANDSCAPE_CLI_NAMED_H
#define BANDSCAPE_CLI_NAMED_H

#include <stdbool.h>

struct command;
struct error;
struct invocation;

/* For helps; of the command's name. */
#define NAMED_HELP "Shipped machines and workloads need no option: bandscape %s sac bfs"

/* Whether it asks for a machine and for workloads by options, and has no arguments of its own. */
bool command_takes_names(const struct command *command);

/* Of such a command, arguments that are names of shipped machines and workloads become values of
 * the options; no name is both. All others stay: files need the option, so that a mistyped name is
 * never taken for one. */
void invocation_take_names(struct invocation *invocation);

/* What the first argument that is left may have meant; returns the status of the error. */
int hint_name(const struct invocation *invocation, struct error *error);

#endif
