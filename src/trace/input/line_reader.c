/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of plain and compressed files. One buffer: what is left of it moves to its
 * front when no whole line remains, and the next piece is read behind. It grows
 * when a line does not fit. */
#include "trace/input/line_reader.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "trace/input/byte_reader.h"

enum { PIECE = 1 << 16, INTERRUPT_LINES = 4096 };

struct line_reader {
    const char *path;
    struct byte_reader *bytes;
    bool ended; /* nothing more to read */
    bool held;
    long line_number;
    char *line; /* the current one, in buffer */
    char *buffer;
    size_t capacity;
    size_t at, end; /* unread bytes */
};

int line_reader_open(const char *path, struct line_reader **out, struct error *error)
{
    struct byte_reader *bytes;
    *out = NULL;
    int status = byte_reader_open(path, &bytes, error);
    if (status)
        return status;
    struct line_reader *reader = memory_zero(1, sizeof *reader);
    reader->path = path;
    reader->bytes = bytes;
    reader->capacity = 2 * PIECE;
    reader->buffer = memory_alloc(reader->capacity);
    reader->buffer[0] = '\0';
    reader->line = reader->buffer;
    *out = reader;
    return 0;
}

void line_reader_close(struct line_reader *reader)
{
    if (!reader)
        return;
    byte_reader_close(reader->bytes);
    free(reader->buffer);
    free(reader);
}

/* Reads at least one byte behind what is there, or sets `ended`. */
static int line_reader_refill(struct line_reader *reader, struct error *error)
{
    size_t rest = reader->end - reader->at, got;
    memmove(reader->buffer, reader->buffer + reader->at, rest);
    reader->at = 0;
    reader->end = rest;
    if (rest + PIECE >= reader->capacity) { /* one byte is for a final NUL */
        reader->capacity *= 2;
        reader->buffer = memory_resize(reader->buffer, reader->capacity, 1);
    }
    int status = byte_reader_read(reader->bytes, reader->buffer + rest, PIECE, &got, error);
    reader->end += got;
    reader->ended = got == 0;
    if (status && error->file[0]) { /* of the compression: say behind which line */
        struct mark mark = {reader->path, reader->line_number + 1, 0, NULL};
        error_place(error, &mark);
    }
    return status;
}

int line_reader_head(struct line_reader *reader, const char **head, size_t *size,
                     struct error *error)
{
    int status = 0;
    if (reader->end == 0 && !reader->ended)
        status = line_reader_refill(reader, error);
    *head = reader->buffer;
    *size = reader->end;
    return status;
}

static int line_reader_too_long(struct line_reader *reader, struct error *error)
{
    reader->buffer[reader->end] = '\0';
    struct mark mark = {reader->path, reader->line_number + 1, 1, reader->buffer + reader->at};
    error_at(error, STATUS_INPUT, &mark, "the line is too long: more than 1 MiB");
    return error_hint(error, "is this a text trace?");
}

int line_reader_next(struct line_reader *reader, const char **line, struct error *error)
{
    if (reader->held) {
        reader->held = false;
        *line = reader->line;
        return 1;
    }
    if (reader->line_number % INTERRUPT_LINES == 0 && interrupt_requested())
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    char *newline;
    size_t searched = 0; /* of the unread bytes */
    while (!(newline = memchr(reader->buffer + reader->at + searched, '\n',
                              reader->end - reader->at - searched))) {
        searched = reader->end - reader->at;
        if (searched > LINE_LIMIT)
            return line_reader_too_long(reader, error);
        if (reader->ended)
            break;
        int status = line_reader_refill(reader, error);
        if (status)
            return status;
    }
    if (!newline && searched == 0) {
        reader->line = reader->buffer + reader->end;
        *reader->line = '\0';
        *line = reader->line;
        return 0;
    }
    char *begin = reader->buffer + reader->at;
    char *end = newline ? newline : begin + searched;
    if (end - begin > LINE_LIMIT)
        return line_reader_too_long(reader, error);
    *end = '\0';
    if (end > begin && end[-1] == '\r')
        end[-1] = '\0';
    reader->at = (size_t)(end - reader->buffer) + (newline != NULL);
    reader->line = begin;
    reader->line_number++;
    *line = begin;
    return 1;
}

int line_reader_next_filled(struct line_reader *reader, const char **line, struct error *error)
{
    int status;
    while ((status = line_reader_next(reader, line, error)) > 0) {
        while (**line == ' ' || **line == '\t')
            ++*line;
        if (**line)
            break;
    }
    return status;
}

int line_reader_blame(struct line_reader *reader, int status, struct error *error)
{
    return byte_reader_blame(reader->bytes, status, error);
}

void line_reader_hold(struct line_reader *reader)
{
    reader->held = true;
}

struct mark line_reader_mark(const struct line_reader *reader, const char *at)
{
    return (struct mark){reader->path, reader->line_number, at - reader->line + 1, reader->line};
}

int line_reader_error(const struct line_reader *reader, const char *at, struct error *error,
                      const char *format, ...)
{
    char text[sizeof error->text];
    struct mark mark = line_reader_mark(reader, at);
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return error_at(error, STATUS_INPUT, &mark, "%s", text);
}

int line_reader_expected(const struct line_reader *reader, const char *at, const char *wanted,
                         struct error *error)
{
    return line_reader_error(reader, at, error, "expected %s", wanted);
}
