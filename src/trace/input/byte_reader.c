/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plain files are read as they are, others through their decoder; those that have to be read here
 * and there, through what knows them. */
#include "trace/input/byte_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "trace/input/decoder.h"
#include "trace/input/tracez.h"

enum { COMPRESSED_PIECE = 1 << 16 };

struct byte_reader {
    const char *path;
    int file;
    bool ended;                    /* nothing more to read */
    const struct decoder *decoder; /* NULL: the file is plain */
    void *state;
    struct decoder_buffers buffers;
    bool compressed_end; /* of the compressed bytes */
    uint8_t *compressed;
    struct tracez *tracez; /* NULL: none */
};

static int byte_reader_begin(struct byte_reader *reader, struct error *error)
{
    const struct decoder *decoder = decoder_of(reader->path);
    if (tracez_is(reader->path))
        return tracez_open(reader->path, reader->file, &reader->tracez, error);
    if (!decoder)
        return 0;
    reader->state = decoder->begin ? decoder->begin() : NULL;
    if (!reader->state) {
        error_set(error, STATUS_INPUT, "%s: this program was built without %s", reader->path,
                  decoder->name);
        return error_hint(error, "decompress it: %s -d %s", decoder->name, reader->path);
    }
    reader->decoder = decoder;
    reader->compressed = memory_alloc(COMPRESSED_PIECE);
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
    int status = byte_reader_begin(reader, error);
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
    if (reader->state)
        reader->decoder->end(reader->state);
    tracez_close(reader->tracez);
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

static int byte_reader_decoder_error(struct byte_reader *reader, enum decoder_status code,
                                     struct error *error)
{
    struct mark mark = {reader->path, 0, 0, NULL};
    const char *name = reader->decoder->name;
    switch (code) {
    case DECODER_CUT:
        error_at(error, STATUS_INPUT, &mark, "the compressed file ends early");
        break;
    case DECODER_FOREIGN:
        error_at(error, STATUS_INPUT, &mark, "this is no %s file, whatever its name says", name);
        break;
    case DECODER_OPTIONS:
        error_at(error, STATUS_INPUT, &mark, "the file uses unknown options of %s, or is corrupt",
                 name);
        break;
    case DECODER_MEMORY:
        error_at(error, STATUS_INPUT, &mark, "decompression would need more than 1 GiB of memory");
        break;
    case DECODER_CORRUPT:
        error_at(error, STATUS_INPUT, &mark, "the compressed file is corrupt");
        break;
    default:
        return error_at(error, STATUS_FAILED, &mark, "decompression failed");
    }
    error_hint(error, "check it with: %s --test %s", name, reader->path);
    return STATUS_INPUT;
}

static int byte_reader_decode(struct byte_reader *reader, void *to, size_t room, size_t *got,
                              struct error *error)
{
    struct decoder_buffers *buffers = &reader->buffers;
    buffers->out = to;
    buffers->out_size = room;
    while (buffers->out_size == room && !reader->ended) {
        if (buffers->in_size == 0 && !reader->compressed_end) {
            size_t size = 0;
            int status =
                byte_reader_read_file(reader, reader->compressed, COMPRESSED_PIECE, &size, error);
            if (status)
                return status;
            buffers->in = reader->compressed;
            buffers->in_size = size;
            reader->compressed_end = size == 0;
        }
        enum decoder_status code =
            reader->decoder->step(reader->state, buffers, reader->compressed_end);
        if (code == DECODER_ENDED)
            reader->ended = true;
        else if (code != DECODER_MORE)
            return byte_reader_decoder_error(reader, code, error);
    }
    *got = room - buffers->out_size;
    return 0;
}

int byte_reader_read(struct byte_reader *reader, void *to, size_t room, size_t *got,
                     struct error *error)
{
    *got = 0;
    if (reader->ended)
        return 0;
    int status = reader->tracez    ? tracez_read(reader->tracez, to, room, got, error)
                 : reader->decoder ? byte_reader_decode(reader, to, room, got, error)
                                   : byte_reader_read_file(reader, to, room, got, error);
    reader->ended |= status || *got == 0; /* a decoder that failed must not be called again */
    return status;
}

int byte_reader_blame(struct byte_reader *reader, int status, struct error *error)
{
    enum { PIECE = 1 << 16 };
    struct error other;
    size_t got = 1;
    if (status != STATUS_INPUT || (!reader->decoder && !reader->tracez))
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
