/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a text file, plain or compressed (trace/input/decoder.h; decompressed as it is
 * read, in constant memory). Keeps the line number for messages; in a compressed file
 * it is the line of the decompressed text. */
#ifndef BANDSCAPE_TRACE_LINE_READER_H
#define BANDSCAPE_TRACE_LINE_READER_H

#include <stddef.h>

#include "core/error.h"

/* Longer lines are refused: no trace line has a megabyte, but a binary or a
 * damaged file may look as if it had. */
enum { LINE_LIMIT = 1 << 20 };

struct line_reader;

/* The file must be a regular one. `path` must live as long as the reader. */
int line_reader_open(const char *path, struct line_reader **out, struct error *error);
void line_reader_close(struct line_reader *reader); /* NULL is legal */

/* The beginning of the file, before the first line is read. */
int line_reader_head(struct line_reader *reader, const char **head, size_t *size,
                     struct error *error);

/* Moves to the next line: 1 and the line without its end (NUL-terminated, valid
 * until the next call), 0 and an empty line at the end of the file, or a
 * negative status, STATUS_INTERRUPTED after Ctrl-C. */
int line_reader_next(struct line_reader *reader, const char **line, struct error *error);
/* The same, past blank lines; *line points to the first character that is not blank. */
int line_reader_next_filled(struct line_reader *reader, const char **line, struct error *error);

/* What is wrong with the text of a compressed file may be due to the compression:
 * decompressed bytes come before their checksum. Given the status and error of
 * whoever reads the text, decompresses the rest if that is an input error, and
 * returns the error of the decompression instead if there is one. */
int line_reader_blame(struct line_reader *reader, int status, struct error *error);

/* The next call of line_reader_next returns the current line again. */
void line_reader_hold(struct line_reader *reader);

/* The place of a character of the current line. At the end of the file: the
 * last line. */
struct mark line_reader_mark(const struct line_reader *reader, const char *at);

/* An error there: any, or "expected <wanted>"; both return STATUS_INPUT. */
int line_reader_error(const struct line_reader *reader, const char *at, struct error *error,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));
int line_reader_expected(const struct line_reader *reader, const char *at, const char *wanted,
                         struct error *error);

#endif
