/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of the shell: from a terminal, with editing, history and completion where the program was
 * built with readline; from files and pipes as they are. */
#ifndef BANDSCAPE_CLI_SHELL_LINES_H
#define BANDSCAPE_CLI_SHELL_LINES_H

#include <stdbool.h>

#include "core/error.h"
#include "core/memory.h"

/* What edits lines: "readline 8.2", "none". */
const char *lines_editing(void);

/* Completes the last word of a line that is cut at the cursor: gives each word that may stand
 * there. True: file names may stand there as well. */
typedef void lines_offer(void *context, const char *word);
typedef bool lines_complete(void *context, const char *line, size_t length, lines_offer *offer,
                            void *offer_context);

struct lines {
    int file;     /* descriptor; -1: there is only what `rest` has */
    bool prompts; /* a terminal: prompts, and editing where it is built in */
    struct text rest;
    size_t at; /* of rest, what is not read yet */
    bool ended;
};

/* From a terminal, with a history that is kept in a file where that can be written. */
void lines_open_terminal(struct lines *lines, lines_complete *complete, void *context);
/* From a file; `path` "-" is the standard input. From a text. */
int lines_open_file(struct lines *lines, const char *path, struct error *error);
void lines_open_text(struct lines *lines, const char *text);
void lines_close(struct lines *lines);

/* The next line, without its end; free() it. *line NULL: there is none. STATUS_INTERRUPTED on
 * Ctrl-C, which leaves nothing of what was typed. */
int lines_read(struct lines *lines, const char *prompt, char **line, struct error *error);

#endif
