/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors as values: what went wrong, where in which file, and what to do.
 *
 * The last argument of every function that can fail is a `struct error *`
 * (never NULL). The function that notices the problem calls error_set or
 * error_at; each level above may add context once with error_context. The
 * command line prints error_format's text:
 *
 *     spaces/x.yaml:12:9: error: llc.capacity: expected a size, got "32q"
 *        12 |   llc.capacity: 32q
 *           |                 ^
 *     hint: sizes look like 4 MiB or 128 KiB
 */
#ifndef BANDSCAPE_CORE_ERROR_H
#define BANDSCAPE_CORE_ERROR_H

#include <stddef.h>

#include "core/status.h"

/* A place in a text. Lines and columns count from 1; line 0: no place known.
 * `source` is the text of that line (not owned; may be NULL). */
struct mark {
    const char *file;
    long line, column;
    const char *source;
};

struct error {
    int status;
    char file[512];
    long line, column;
    char source[160]; /* the line of the text, cut to a window around the column */
    long source_column;
    char text[1024];
    char hint[512];
};

/* All return `status`, so that a caller may write `return error_set(...)`. */
int error_set(struct error *error, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int error_at(struct error *error, int status, const struct mark *mark, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds what to do about it. The first hint stays. Returns the status of the error. */
int error_hint(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "context: " in front of the text, and gives the error a place if it has none. */
void error_context(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void error_place(struct error *error, const struct mark *mark);

/* Sets an IO error from errno: "cannot <verb> <path>: <reason>". */
int error_errno(struct error *error, const char *verb, const char *path);

/* The whole message, with the line and the caret; no trailing newline. Returns how many characters
 * of it name the place, before "error: "; 0: there is none. */
size_t error_format(const struct error *error, char *buffer, size_t size);

/* Status of the process: 0 done, 1 failed, 2 wrong usage or input, 130 interrupted. */
int error_exit_status(int status);

#endif
