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

/* The help of a command, a topic or a kind of file of that name, to stdout: for a terminal, as a
 * manual page (not of topics), as Markdown (of files alone). */
enum help_form { HELP_TERMINAL, HELP_MAN, HELP_MARKDOWN };
int help_about(const char *name, enum help_form form, struct error *error);

/* The command of that name, or an error that suggests one. */
int help_find_command(const char *name, const struct command **out, struct error *error);

/* Words from the first column on, broken into lines; a term with its text beside it. */
void help_print_words(const char *text, size_t length);
void help_print_entry(const char *left, const char *text);
/* A line that is not broken, below such a text, or as far to the left as it needs. */
void help_print_whole(const char *line);

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
