/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plain files are read as they are, xz files through liblzma. */
#include "trace/input/byte_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"

enum { COMPRESSED_PIECE = 1 << 16 };

/* xz -9 needs 65 MiB; a damaged header may ask for 4 GiB. */
static const uint64_t lzma_memory_limit = (uint64_t)1 << 30;

struct byte_reader {
    const char *path;
    int file;
    bool ended; /* nothing more to read */
    lzma_stream *lzma;
    bool compressed_end; /* of the compressed bytes */
    uint8_t *compressed;
};

static int byte_reader_open_xz(struct byte_reader *reader, struct error *error)
{
    static const lzma_stream start = LZMA_STREAM_INIT;
    reader->lzma = memory_zero(1, sizeof *reader->lzma);
    *reader->lzma = start;
    reader->compressed = memory_alloc(COMPRESSED_PIECE);
    if (lzma_stream_decoder(reader->lzma, lzma_memory_limit, LZMA_CONCATENATED) != LZMA_OK)
        return error_set(error, STATUS_FAILED, "cannot start the xz decoder");
    return 0;
}

int byte_reader_open(const char *path, struct byte_reader **out, struct error *error)
{
    struct stat info;
    *out = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        return error_errno(error, "open", path);
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(file);
        if (S_ISDIR(info.st_mode)) {
            error_set(error, STATUS_INPUT, "%s is a folder", path);
            return error_hint(error, "name a file of it, such as its kernelslist.g");
        }
        error_set(error, STATUS_INPUT, "%s is not a regular file", path);
        return error_hint(error, "a trace is read several times: write it to a file first");
    }
    struct byte_reader *reader = memory_zero(1, sizeof *reader);
    reader->path = path;
    reader->file = file;
    int status = file_ends_in(path, ".xz") ? byte_reader_open_xz(reader, error) : 0;
    if (status)
        byte_reader_close(reader);
    else
        *out = reader;
    return status;
}

void byte_reader_close(struct byte_reader *reader)
{
    if (!reader)
        return;
    if (reader->lzma)
        lzma_end(reader->lzma);
    free(reader->lzma);
    free(reader->compressed);
    close(reader->file);
    free(reader);
}

static int byte_reader_read_file(struct byte_reader *reader, void *to, size_t room, size_t *got,
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

static int byte_reader_xz_error(struct byte_reader *reader, lzma_ret code, struct error *error)
{
    struct mark mark = {reader->path, 0, 0, NULL};
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

static int byte_reader_read_xz(struct byte_reader *reader, void *to, size_t room, size_t *got,
                               struct error *error)
{
    lzma_stream *lzma = reader->lzma;
    lzma->next_out = to;
    lzma->avail_out = room;
    while (lzma->avail_out == room && !reader->ended) {
        if (lzma->avail_in == 0 && !reader->compressed_end) {
            size_t size = 0;
            int status =
                byte_reader_read_file(reader, reader->compressed, COMPRESSED_PIECE, &size, error);
            if (status)
                return status;
            lzma->next_in = reader->compressed;
            lzma->avail_in = size;
            reader->compressed_end = size == 0;
        }
        lzma_ret code = lzma_code(lzma, reader->compressed_end ? LZMA_FINISH : LZMA_RUN);
        if (code == LZMA_STREAM_END)
            reader->ended = true;
        else if (code != LZMA_OK)
            return byte_reader_xz_error(reader, code, error);
    }
    *got = room - lzma->avail_out;
    return 0;
}

int byte_reader_read(struct byte_reader *reader, void *to, size_t room, size_t *got,
                     struct error *error)
{
    *got = 0;
    if (reader->ended)
        return 0;
    int status = reader->lzma ? byte_reader_read_xz(reader, to, room, got, error)
                              : byte_reader_read_file(reader, to, room, got, error);
    reader->ended |= status || *got == 0; /* a decoder that failed must not be called again */
    return status;
}

int byte_reader_blame(struct byte_reader *reader, int status, struct error *error)
{
    enum { PIECE = 1 << 16 };
    struct error other;
    size_t got = 1;
    if (status != STATUS_INPUT || !reader->lzma)
        return status;
    char *piece = memory_alloc(PIECE);
    while (got > 0)
        if (byte_reader_read(reader, piece, PIECE, &got, &other)) {
            *error = other;
            status = other.status;
        }
    free(piece);
    return status;
}
