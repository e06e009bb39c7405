/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of plain and xz files. One buffer: what is left of it moves to its
 * front when no whole line remains, and the next piece is read behind. It grows
 * when a line does not fit. */
#include "trace/line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

enum { PIECE = 1 << 16, COMPRESSED_PIECE = 1 << 16 };

/* xz -9 needs 65 MiB; a damaged header may ask for 4 GiB. */
static const uint64_t lzma_memory_limit = (uint64_t)1 << 30;

struct line_reader {
    const char *path;
    int file;
    bool ended; /* nothing more to read */
    bool held;
    long line_number;
    char *line; /* the current one, in buffer */
    char *buffer;
    size_t capacity;
    size_t at, end; /* unread bytes */
    lzma_stream *lzma;
    bool compressed_end; /* of the compressed bytes */
    uint8_t *compressed;
};

static bool line_reader_is_xz(const char *path)
{
    size_t length = strlen(path);
    return length >= 3 && strcmp(path + length - 3, ".xz") == 0;
}

static int line_reader_open_xz(struct line_reader *reader, struct error *error)
{
    static const lzma_stream start = LZMA_STREAM_INIT;
    reader->lzma = memory_zero(1, sizeof *reader->lzma);
    *reader->lzma = start;
    reader->compressed = memory_alloc(COMPRESSED_PIECE);
    if (lzma_stream_decoder(reader->lzma, lzma_memory_limit, LZMA_CONCATENATED) != LZMA_OK)
        return error_set(error, STATUS_FAILED, "cannot start the xz decoder");
    return 0;
}

int line_reader_open(const char *path, struct line_reader **out, struct error *error)
{
    struct stat info;
    *out = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        return error_errno(error, "open", path);
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(file);
        error_set(error, STATUS_INPUT, "%s is not a regular file", path);
        error_hint(error, "a trace is read several times: write it to a file first");
        return STATUS_INPUT;
    }
    struct line_reader *reader = memory_zero(1, sizeof *reader);
    reader->path = path;
    reader->file = file;
    reader->capacity = 2 * PIECE;
    reader->buffer = memory_alloc(reader->capacity);
    reader->buffer[0] = '\0';
    reader->line = reader->buffer;
    int status = line_reader_is_xz(path) ? line_reader_open_xz(reader, error) : 0;
    if (status)
        line_reader_close(reader);
    else
        *out = reader;
    return status;
}

void line_reader_close(struct line_reader *reader)
{
    if (!reader)
        return;
    if (reader->lzma)
        lzma_end(reader->lzma);
    free(reader->lzma);
    free(reader->compressed);
    free(reader->buffer);
    close(reader->file);
    free(reader);
}

static int line_reader_read(struct line_reader *reader, void *to, size_t room, size_t *got,
                            struct error *error)
{
    ssize_t n;
    do
        n = read(reader->file, to, room);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return error_errno(error, "read", reader->path);
    *got = (size_t)n;
    return 0;
}

static int line_reader_xz_error(struct line_reader *reader, lzma_ret code, struct error *error)
{
    struct mark mark = {reader->path, reader->line_number + 1, 0, NULL};
    reader->ended = true; /* the decoder must not be called again */
    switch (code) {
    case LZMA_BUF_ERROR:
        error_at(error, STATUS_INPUT, &mark, "the compressed file ends early");
        break;
    case LZMA_FORMAT_ERROR:
        error_at(error, STATUS_INPUT, &mark, "this is not an xz file, whatever its name says");
        break;
    case LZMA_OPTIONS_ERROR:
        error_at(error, STATUS_INPUT, &mark, "the file uses unknown options of xz, or is corrupt");
        break;
    case LZMA_MEMLIMIT_ERROR:
        error_at(error, STATUS_INPUT, &mark, "decompression would need more than 1 GiB of memory");
        break;
    case LZMA_DATA_ERROR:
        error_at(error, STATUS_INPUT, &mark, "the compressed file is corrupt");
        break;
    default:
        return error_at(error, STATUS_FAILED, &mark, "decompression failed (liblzma code %d)",
                        (int)code);
    }
    error_hint(error, "check it with: xz --test %s", reader->path);
    return STATUS_INPUT;
}

static int line_reader_refill_xz(struct line_reader *reader, size_t room, struct error *error)
{
    lzma_stream *lzma = reader->lzma;
    lzma->next_out = (uint8_t *)reader->buffer + reader->end;
    lzma->avail_out = room;
    while (lzma->avail_out == room && !reader->ended) {
        if (lzma->avail_in == 0 && !reader->compressed_end) {
            size_t got = 0;
            int status =
                line_reader_read(reader, reader->compressed, COMPRESSED_PIECE, &got, error);
            if (status)
                return status;
            lzma->next_in = reader->compressed;
            lzma->avail_in = got;
            reader->compressed_end = got == 0;
        }
        lzma_ret code = lzma_code(lzma, reader->compressed_end ? LZMA_FINISH : LZMA_RUN);
        if (code == LZMA_STREAM_END)
            reader->ended = true;
        else if (code != LZMA_OK)
            return line_reader_xz_error(reader, code, error);
    }
    reader->end += room - lzma->avail_out;
    return 0;
}

/* Reads at least one byte behind what is there, or sets `ended`. */
static int line_reader_refill(struct line_reader *reader, struct error *error)
{
    size_t rest = reader->end - reader->at, got = 0;
    memmove(reader->buffer, reader->buffer + reader->at, rest);
    reader->at = 0;
    reader->end = rest;
    if (rest + PIECE >= reader->capacity) { /* one byte is for a final NUL */
        reader->capacity *= 2;
        reader->buffer = memory_resize(reader->buffer, reader->capacity, 1);
    }
    if (reader->lzma)
        return line_reader_refill_xz(reader, PIECE, error);
    int status = line_reader_read(reader, reader->buffer + rest, PIECE, &got, error);
    reader->end += got;
    reader->ended = !status && got == 0;
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
    error_hint(error, "is this a text trace?");
    return STATUS_INPUT;
}

int line_reader_next(struct line_reader *reader, const char **line, struct error *error)
{
    if (reader->held) {
        reader->held = false;
        *line = reader->line;
        return 1;
    }
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
    struct error other;
    if (status != STATUS_INPUT || !reader->lzma)
        return status;
    while (!reader->ended) {
        reader->at = reader->end = 0;
        if (line_reader_refill_xz(reader, PIECE, &other)) {
            *error = other;
            return other.status;
        }
    }
    return status;
}

void line_reader_hold(struct line_reader *reader)
{
    reader->held = true;
}

struct mark line_reader_mark(const struct line_reader *reader, const char *at)
{
    return (struct mark){reader->path, reader->line_number, at - reader->line + 1, reader->line};
}
