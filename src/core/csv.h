/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CSV as of RFC 4180, both ways.
 *
 * Writing: cells are quoted where they must be, numbers are the shortest text
 * that reads back to the same double, lines end in \n.
 *
 * Reading: a header row and rows of as many cells. Quoted cells (with doubled
 * quotes, commas and line breaks), CRLF or LF and a UTF-8 byte order mark are
 * understood; empty lines are skipped. The text of every row is kept as it
 * was, so that rows can be printed unchanged. Errors name file:line:column. */
#ifndef BANDSCAPE_CORE_CSV_H
#define BANDSCAPE_CORE_CSV_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/csv_fields.h"
#include "core/error.h"
#include "core/memory.h"

/* --- writing: errors of the stream are sticky (file_writer_commit sees them) */

struct csv_writer {
    FILE *stream;
    size_t column; /* cells written in this row */
};

void csv_write_text(struct csv_writer *writer, const char *text);
void csv_write_number(struct csv_writer *writer, double value); /* also "nan", "inf" */
void csv_write_known(struct csv_writer *writer, double value);  /* an empty cell for NaN */
void csv_write_integer(struct csv_writer *writer, uint64_t value);
void csv_end_row(struct csv_writer *writer);

/* --- reading */

struct csv {
    char *name; /* of the file, for messages */
    char *data; /* the whole text, NUL-terminated */
    size_t size;
    struct csv_text text; /* the same without its byte order mark */
    char **titles;        /* the header's cells, unquoted */
    size_t columns;
    size_t *starts; /* where each row begins in data; rows + 1 of them */
    size_t rows;    /* without the header */
};

/* A piece of text, not terminated. */
struct csv_slice {
    const char *data;
    size_t length;
};

/* Reads a file; "-" is the standard input. Refused with a place: an empty file,
 * empty or duplicate column names, rows with more or fewer cells than the
 * header, quotes that are not closed or stand inside an unquoted cell, NUL
 * bytes, cells above CSV_CELL_LIMIT. */
int csv_load(const char *path, struct csv **out, struct error *error);
int csv_parse(const char *name, const char *text, size_t size, struct csv **out,
              struct error *error);
void csv_destroy(struct csv *csv);

/* "a, b, c, ...": the titles, for a message. */
void csv_list_titles(const struct csv *csv, struct text *out);

/* The index of a column; an error with "did you mean" when there is none. */
int csv_column(const struct csv *csv, const char *title, size_t *out, struct error *error);

/* The header (row -1) or a row as it was, without its line end. */
struct csv_slice csv_row(const struct csv *csv, long row);

/* The value of a cell (unquoted) in a scratch text; valid until its next use. */
const char *csv_cell(const struct csv *csv, size_t row, size_t column, struct text *scratch);

/* Where a cell begins (the first character inside the quotes); `source` is its line. */
struct mark csv_mark(const struct csv *csv, size_t row, size_t column);

/* A whole column as finite doubles into out[rows]; blanks around a number are
 * allowed. An empty cell, NaN, infinity or anything else is an error at the
 * cell that names the column. */
int csv_numbers(const struct csv *csv, size_t column, double *out, struct error *error);

#endif
