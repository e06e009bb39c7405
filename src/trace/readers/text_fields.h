/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of a line of the text form (trace/text_format.h): numbers, names and
 * `key=value`, with errors that point at the field. */
#ifndef BANDSCAPE_TRACE_TEXT_FIELDS_H
#define BANDSCAPE_TRACE_TEXT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/file_form.h"
#include "core/memory.h"
#include "trace/input/line_reader.h"

struct text_line {
    struct line_reader *lines;
    const char *at; /* what comes next */
};

/* Moves to the next line that holds something: 1, 0 at the end, or an error. */
int text_line_next(struct text_line *line, struct error *error);

/* "expected <wanted>, got ..." at a place of the line; returns STATUS_INPUT. */
int text_expected(const struct text_line *line, const char *at, const char *wanted,
                  struct error *error);

/* An error where more than a comment is left. */
int text_line_end(struct text_line *line, struct error *error);

/* A number at *at, decimal or 0x...; it stops behind the last digit. */
bool text_scan_number(const char **at, uint64_t *out);

/* A whole field from `min` to `max`. `wanted` is for the message. */
int text_number(struct text_line *line, const char *wanted, uint64_t min, uint64_t max,
                uint64_t *out, struct error *error);
int text_signed(struct text_line *line, const char *wanted, int64_t *out, struct error *error);
int text_hex(struct text_line *line, const char *wanted, uint64_t max, uint64_t *out,
             struct error *error);
/* "X[,Y[,Z]]"; what is missing becomes 1. */
int text_dimensions(struct text_line *line, uint32_t out[3], struct error *error);
/* A bare or quoted name; replaces `out`. */
int text_name(struct text_line *line, struct text *out, struct error *error);

/* One of the words of a table that ends with name NULL; "stride=" takes a value, which
 * is then at line->at. Returns its index, or TEXT_LINE_ENDED, or another
 * negative status with an error that offers the nearest word. `seen` (NULL:
 * any number of times) keeps which came: twice is an error. */
enum { TEXT_LINE_ENDED = -1 };
int text_word(struct text_line *line, const struct file_key *words, unsigned *seen,
              const char *what, struct error *error);

#endif
