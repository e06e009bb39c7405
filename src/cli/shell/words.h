/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of a line of the shell. Blanks part them, unless in quotes or behind a backslash;
 * ";" ends a statement, "#" at the beginning of a word the line. There are no variables, globs or
 * pipes: "*2" is a word. */
#ifndef BANDSCAPE_CLI_SHELL_WORDS_H
#define BANDSCAPE_CLI_SHELL_WORDS_H

#include <stdbool.h>

#include "core/error.h"
#include "core/memory.h"

struct word {
    char *text; /* in the arena */
    long column;
};

struct words {
    struct word *items;
    size_t count, capacity;
};

/* The next statement of a line, from *at on, which moves behind it; VECTOR_FREE the words, also
 * after an error. *more: whether there was one (false at the end of the line). An error, a quote
 * that does not end, is placed at `mark` with the column. */
int words_next(const char *line, size_t *at, const struct mark *mark, struct arena *arena,
               struct words *out, bool *more, struct error *error);

/* What is being typed: the words of the last statement of a line that is cut at `length`, the last
 * of which, perhaps empty, is unfinished. */
void words_unfinished(const char *line, size_t length, struct arena *arena, struct words *out);

/* As a statement would have it, in quotes if need be. */
void words_quote(const char *text, struct text *out);

#endif
