/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of CSV text as of RFC 4180: where they end, what is in them, and
 * where an error is. Headers, rows and numbers are the business of those who
 * read a file (core/csv.h, profile/files/ncu_table.h). */
#ifndef BANDSCAPE_CORE_CSV_FIELDS_H
#define BANDSCAPE_CORE_CSV_FIELDS_H

#include "core/error.h"
#include "core/memory.h"

enum { CSV_CELL_LIMIT = 10 << 20 }; /* bytes */

/* A whole text without its byte order mark; a NUL stands at `end`, none before. */
struct csv_text {
    const char *file; /* for messages */
    const char *begin, *end;
};

/* A cell in the text, quotes included. */
struct csv_field {
    const char *begin, *end;
};

/* `data` has a NUL at data[size]; another one before is an error. */
int csv_text_init(struct csv_text *text, const char *file, const char *data, size_t size,
                  struct error *error);

/* Passes over the cell that begins at *at, to a comma, a line end or the end. An
 * error, with its place: quotes that are not closed or stand inside an unquoted
 * cell, a carriage return without a line feed, a cell above CSV_CELL_LIMIT. */
int csv_field_pass(const struct csv_text *text, const char **at, struct error *error);

/* Behind the line end that stands at `at`, if one does; behind all of them. */
const char *csv_line_end_pass(const struct csv_text *text, const char *at);
const char *csv_empty_lines_pass(const struct csv_text *text, const char *at);

/* Replaces `out` by what is in the cell, doubled quotes made single. */
void csv_field_unquote(struct csv_field field, struct text *out);

/* The place of a character. Counts lines from the beginning: for errors alone. */
struct mark csv_text_mark(const struct csv_text *text, const char *at);
int csv_text_refuse(const struct csv_text *text, const char *at, struct error *error,
                    const char *message);

#endif
