/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One command of the program from its words to its end, for main and for the shell. */
#ifndef BANDSCAPE_CLI_EXECUTE_H
#define BANDSCAPE_CLI_EXECUTE_H

#include "core/error.h"

/* Runs a command: argv[0] is its name, options and arguments follow. Afterwards no bar is on the
 * terminal, what was printed has arrived (else that is the error), and no unfinished file is left.
 */
int execute_command(int argc, char **argv, struct error *error);

/* The same end for what is no command. */
int execute_finish(int status, struct error *error);

/* Prints an error to stderr; the exit status that it stands for. */
int execute_tell_error(const struct error *error);

#endif
