/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helps, out of the descriptors of commands. */
#ifndef BANDSCAPE_CLI_HELP_H
#define BANDSCAPE_CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"
#include "cli/topics.h"

/* What there is, in a few lines. */
void help_overview(FILE *out);

/* Of one command, or topic, to stdout. */
void help_command(const struct command *command);
void help_topic(const struct topic *topic);

/* The help of a command or topic of that name, to stdout. */
int help_about(const char *name, struct error *error);

/* The command of that name, or an error that suggests one. */
int help_find_command(const char *name, const struct command **out, struct error *error);

/* The parts of a description: prose, whose lines may be broken anew, and lines that stand as they
 * are: those that begin with two blanks, or that a backslash joins. Empty lines are between. */
struct help_block {
    const char *text; /* lines with their ends, but for the last one of the description */
    size_t length;
    bool verbatim;
    bool apart; /* an empty line is before it */
};
/* The one at *at, which moves on; false at the end. */
bool help_next_block(const char **at, struct help_block *out);

#endif
