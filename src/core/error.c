/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors as values. */
#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static void error_copy(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

/* Keeps a window of the source line that contains the column. Long lines (a
 * trace line may have megabytes) are cut; control characters become blanks. */
static void error_keep_source(struct error *error, const struct mark *mark)
{
    error->source[0] = '\0';
    error->source_column = 0;
    if (!mark->source || mark->column < 1)
        return;
    size_t length = strcspn(mark->source, "\r\n");
    size_t column = (size_t)mark->column - 1;
    size_t from = 0, room = sizeof error->source - 1;
    if (column > length)
        column = length;
    if (column >= room - 20)
        from = column - room / 2;
    size_t count = length - from < room ? length - from : room;
    for (size_t i = 0; i < count; i++) {
        char c = mark->source[from + i];
        error->source[i] = (unsigned char)c < ' ' ? ' ' : c;
    }
    error->source[count] = '\0';
    error->source_column = (long)(column - from) + 1;
}

void error_place(struct error *error, const struct mark *mark)
{
    if (error->line > 0 || !mark)
        return;
    error_copy(error->file, sizeof error->file, mark->file);
    error->line = mark->line;
    error->column = mark->column;
    error_keep_source(error, mark);
}

__attribute__((format(printf, 4, 0))) static int error_fill(struct error *error, int status,
                                                            const struct mark *mark,
                                                            const char *format, va_list list)
{
    memset(error, 0, sizeof *error);
    error->status = status;
    vsnprintf(error->text, sizeof error->text, format, list);
    error_place(error, mark);
    return status;
}

int error_set(struct error *error, int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    error_fill(error, status, NULL, format, list);
    va_end(list);
    return status;
}

int error_at(struct error *error, int status, const struct mark *mark, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    error_fill(error, status, mark, format, list);
    va_end(list);
    return status;
}

/* A list of names that is too long ends where a word does, and shows that it goes on. */
static void cut(char *text, size_t size)
{
    static const char more[] = " ...";
    char *end = text + size - sizeof more;
    while (end > text && *end != ' ')
        end--;
    if (end > text)
        memcpy(end, more, sizeof more);
}

int error_hint(struct error *error, const char *format, ...)
{
    if (error->hint[0])
        return error->status;
    va_list list;
    va_start(list, format);
    if (vsnprintf(error->hint, sizeof error->hint, format, list) >= (int)sizeof error->hint)
        cut(error->hint, sizeof error->hint);
    va_end(list);
    return error->status;
}

void error_context(struct error *error, const char *format, ...)
{
    char context[512];
    char *text = memory_strdup(error->text);
    va_list list;
    va_start(list, format);
    vsnprintf(context, sizeof context, format, list);
    va_end(list);
    /* Cutting an over-long message is right here: it is for a reader. */
    snprintf(error->text, sizeof error->text, "%s: %s", context, text);
    free(text);
}

int error_errno(struct error *error, const char *verb, const char *path)
{
    int reason = errno;
    if (reason == 0) /* it is lost: better no reason than "Success" */
        return error_set(error, STATUS_IO, "cannot %s %s", verb, path);
    return error_set(error, reason == ENOENT || reason == EISDIR ? STATUS_INPUT : STATUS_IO,
                     "cannot %s %s: %s", verb, path, strerror(reason));
}

size_t error_format(const struct error *error, char *buffer, size_t size)
{
    size_t used = 0, place;
#define ERROR_PUT(...)                                                                             \
    do {                                                                                           \
        int n_ = snprintf(buffer + used, size - used, __VA_ARGS__);                                \
        used = n_ < 0 || (size_t)n_ >= size - used ? size - 1 : used + (size_t)n_;                 \
    } while (0)
    if (error->file[0] && error->line > 0 && error->column > 0)
        ERROR_PUT("%s:%ld:%ld: ", error->file, error->line, error->column);
    else if (error->file[0] && error->line > 0)
        ERROR_PUT("%s:%ld: ", error->file, error->line);
    else if (error->file[0])
        ERROR_PUT("%s: ", error->file);
    place = used;
    ERROR_PUT("error: %s", error->text);
    if (error->source[0]) {
        ERROR_PUT("\n%6ld | %s\n       | ", error->line, error->source);
        for (long i = 1; i < error->source_column; i++)
            ERROR_PUT(" ");
        ERROR_PUT("^");
    }
    if (error->hint[0])
        ERROR_PUT("\nhint: %s", error->hint);
#undef ERROR_PUT
    return place;
}

int error_exit_status(int status)
{
    switch (status) {
#define STATUS_CASE(symbol, code, exit_status, text)                                               \
    case symbol:                                                                                   \
        return exit_status;
        STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    default:
        return 1;
    }
}
