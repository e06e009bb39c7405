/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Editing of lines, where the program is built with readline. */
#ifndef BANDSCAPE_CLI_SHELL_EDITING_H
#define BANDSCAPE_CLI_SHELL_EDITING_H

#include "cli/shell/lines.h"

const char *editing_name(void); /* "none" without */
bool editing_reads(void);       /* false without: lines are read otherwise */

/* Whose completion it is, and the history of earlier sessions. */
void editing_open(lines_complete *complete, void *context);
void editing_close(void);

/* As lines_read. What is read is added to the history, in its file as well. */
int editing_read(const char *prompt, char **line, struct error *error);

#endif
