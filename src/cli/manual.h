/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manual pages in man(7), out of descriptors, topics and the tables of files. */
#ifndef BANDSCAPE_CLI_MANUAL_H
#define BANDSCAPE_CLI_MANUAL_H

struct command;   /* cli/command.h */
struct reference; /* cli/reference.h */

/* To stdout: bandscape(1), bandscape-COMMAND(1), bandscape-FILE(5). */
void manual_print(void);
void manual_print_command(const struct command *command);
void manual_print_reference(const struct reference *reference);

#endif
