/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion in shells. The scripts know nothing: they hand the words of the command line to
 * `bandscape help --complete -- WORD...`, which answers out of the tables of options. */
#ifndef BANDSCAPE_CLI_COMPLETION_H
#define BANDSCAPE_CLI_COMPLETION_H

#include "cli/command.h"

/* The script of "bash", "zsh" or "fish" to stdout. */
int completion_script(const char *shell, struct error *error);

/* What may stand in the place of the last argument, which may be empty, after the others; one a
 * line, to stdout. One that ends in "=" goes on. None: file names.
 *
 * Of `values` in the tables, "@KIND" stands for the plug-ins of a kind and
 *   @machines @workloads @spaces   those that are shipped; of workloads also NAME:input=INPUT
 *   @settings @parameters          PATH=, and its names; PATH: of the machine that --machine names
 *   @metrics @fields @parts @algorithms @topics
 *   @lists @listed                 what `list` takes, and the names that its first argument has */
void completion_print(const struct invocation *invocation);

/* The same one by one: of words (a command's name first, the last one is completed), and of values
 * as the tables have them, for a machine (NULL: the one that parameters are listed of). */
typedef void completion_found(void *context, const char *word);
void completion_find(const char *const *words, size_t count, completion_found *found,
                     void *context);
void completion_values(const char *values, const char *machine, const char *word,
                       completion_found *found, void *context);

#endif
