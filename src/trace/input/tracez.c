/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/input/tracez.h"

#include "core/file.h"

bool tracez_is(const char *path)
{
    return file_ends_in(path, ".tracez");
}

#ifdef BANDSCAPE_ZSTD
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "core/memory.h"

enum {
    BUFFER = 1 << 16,
    HEADER_MAX = 1 << 20, /* bytes: of a kernel there is not one KiB */
    BLOCK_WORDS = 11,     /* u32 of a thread block in the index */
    WORD = 4,
    OFFSET = 8 /* bytes of a place in the file */
};

struct tracez {
    const char *path;
    int file;
    uint64_t size;
    uint64_t at;                   /* what is read next */
    uint64_t buffer_at;            /* where `buffer` is from */
    size_t buffered;               /* bytes in it */
    uint8_t *buffer, *index;       /* index: all of it */
    size_t index_size, index_next; /* bytes; where the reading is */
    uint32_t blocks, warps;        /* left: of the index, of the block */
    uint32_t warp, pieces;         /* number of the next warp; left of the present one */
    uint64_t piece_end;            /* in the file; 0: between pieces */
    bool in_block, line_open;      /* of the output: its last line has no end yet */
    struct text text;              /* what is to come out next */
    size_t text_next;
    void *dictionary;
    ZSTD_DCtx *zstd;
};

/* --- the file ------------------------------------------------------------------------------ */

static int tracez_damaged(const struct tracez *z, struct error *error, const char *what)
{
    struct mark mark = {z->path, 0, 0, NULL};
    error_at(error, STATUS_INPUT, &mark, "%s", what);
    return error_hint(error,
                      "the trace is damaged or was cut; Accel-Sim's traceDsm reads whole ones");
}

/* What is buffered from z->at on, at least one byte, unless the file ends. */
static int tracez_fill(struct tracez *z, const uint8_t **from, size_t *count, struct error *error)
{
    if (z->at < z->buffer_at || z->at >= z->buffer_at + z->buffered) {
        ssize_t n = pread(z->file, z->buffer, BUFFER, (off_t)z->at);
        if (n < 0)
            return error_errno(error, "read", z->path);
        z->buffer_at = z->at;
        z->buffered = (size_t)n;
    }
    *from = z->buffer + (z->at - z->buffer_at);
    *count = (size_t)(z->buffer_at + z->buffered - z->at);
    return *count ? 0 : tracez_damaged(z, error, "the file ends early");
}

static int tracez_take(struct tracez *z, void *to, size_t size, struct error *error)
{
    uint8_t *out = to;
    while (size > 0) {
        const uint8_t *from;
        size_t count;
        int status = tracez_fill(z, &from, &count, error);
        if (status)
            return status;
        count = count < size ? count : size;
        memcpy(out, from, count);
        out += count;
        size -= count;
        z->at += count;
    }
    return 0;
}

static uint64_t little(const uint8_t *bytes, int count)
{
    uint64_t value = 0;
    while (count-- > 0)
        value = value << 8 | bytes[count];
    return value;
}

static int tracez_word(struct tracez *z, uint32_t *out, struct error *error)
{
    uint8_t bytes[WORD];
    int status = tracez_take(z, bytes, sizeof bytes, error);
    *out = status ? 0 : (uint32_t)little(bytes, WORD);
    return status;
}

/* --- its beginning and its index ----------------------------------------------------------- */

static int tracez_header(struct tracez *z, struct error *error)
{
    uint8_t byte = 1;
    while (byte) {
        int status = z->at < HEADER_MAX && z->at < z->size ? tracez_take(z, &byte, 1, error) : 1;
        if (status > 0 || byte >= 0x80) {
            struct mark mark = {z->path, 0, 0, NULL};
            error_at(error, STATUS_INPUT, &mark,
                     "this is no trace of Accel-Sim 2, whatever its name says");
            return error_hint(error, "such a file begins with the header of a kernel and a byte 0");
        }
        if (status)
            return status;
        if (byte)
            text_append_bytes(&z->text, (const char *)&byte, 1);
    }
    text_append(&z->text, "\n");
    return 0;
}

static int tracez_dictionary(struct tracez *z, struct error *error)
{
    uint32_t size, piece;
    int status = tracez_word(z, &size, error);
    if (!status)
        status = tracez_word(z, &piece, error);
    if (status || size == 0)
        return status;
    if (size > z->size - z->at)
        return tracez_damaged(z, error, "the dictionary is longer than the file");
    z->dictionary = memory_alloc(size);
    status = tracez_take(z, z->dictionary, size, error);
    if (!status && ZSTD_isError(ZSTD_DCtx_loadDictionary(z->zstd, z->dictionary, size)))
        return tracez_damaged(z, error, "the dictionary is none of zstd's");
    return status;
}

static int tracez_index(struct tracez *z, struct error *error)
{
    uint8_t place[OFFSET];
    uint64_t behind = z->at;
    if (z->size < behind + OFFSET + WORD)
        return tracez_damaged(z, error, "the file ends early");
    z->at = z->size - OFFSET;
    int status = tracez_take(z, place, sizeof place, error);
    uint64_t begin = little(place, OFFSET), end = z->size - OFFSET;
    if (status)
        return status;
    if (begin < behind || begin > end - WORD)
        return tracez_damaged(z, error, "the index, which the last 8 bytes tell of, is not there");
    z->index_size = (size_t)(end - begin);
    z->index = memory_alloc(z->index_size);
    z->at = begin;
    status = tracez_take(z, z->index, z->index_size, error);
    z->blocks = (uint32_t)little(z->index, WORD);
    z->index_next = WORD;
    return status;
}

/* So many words of the index; NULL: it ends before. */
static const uint8_t *tracez_entry(struct tracez *z, uint64_t words)
{
    if (words * WORD > z->index_size - z->index_next)
        return NULL;
    z->index_next += (size_t)words * WORD;
    return z->index + z->index_next - words * WORD;
}

/* --- what comes out ------------------------------------------------------------------------ */

static int tracez_block(struct tracez *z, struct error *error)
{
    const uint8_t *words = tracez_entry(z, BLOCK_WORDS);
    if (!words)
        return tracez_damaged(z, error, "the index ends early");
    text_printf(&z->text, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", (unsigned)little(words, WORD),
                (unsigned)little(words + WORD, WORD), (unsigned)little(words + 2 * WORD, WORD));
    z->warps = (uint32_t)little(words + (BLOCK_WORDS - 1) * WORD, WORD);
    z->warp = 0;
    z->blocks--;
    z->in_block = true;
    return 0;
}

static int tracez_warp(struct tracez *z, struct error *error)
{
    enum { WARP_WORDS = 4 };
    const uint8_t *words = tracez_entry(z, WARP_WORDS);
    uint32_t pieces = words ? (uint32_t)little(words + WORD, WORD) : 0, instructions;
    if (!words || !tracez_entry(z, pieces))
        return tracez_damaged(z, error, "the index ends early");
    uint64_t begin = little(words + 2 * WORD, OFFSET);
    if (begin > z->size)
        return tracez_damaged(z, error, "the index tells of a warp beyond the file's end");
    z->at = begin;
    int status = tracez_word(z, &instructions, error);
    if (!status)
        status = tracez_word(z, &z->pieces, error);
    if (!status && (instructions != little(words, WORD) || z->pieces != pieces))
        return tracez_damaged(z, error, "a warp is not what the index says of it");
    text_printf(&z->text, "\nwarp = %u\ninsts = %u\n", z->warp, instructions);
    z->warp++;
    z->warps--;
    return status;
}

static int tracez_piece(struct tracez *z, struct error *error)
{
    uint32_t size;
    int status = tracez_word(z, &size, error);
    if (status)
        return status;
    if (size > z->size - z->at)
        return tracez_damaged(z, error, "a piece is longer than the file");
    ZSTD_DCtx_reset(z->zstd, ZSTD_reset_session_only);
    z->piece_end = z->at + size;
    z->pieces--;
    return 0;
}

/* Lines of a piece; none where it has ended. */
static int tracez_decode(struct tracez *z, void *to, size_t room, size_t *got, struct error *error)
{
    ZSTD_outBuffer out = {to, room, 0};
    size_t code = 1;
    while (code != 0 && out.pos == 0) {
        const uint8_t *from = NULL;
        size_t count = 0;
        int status = z->at < z->piece_end ? tracez_fill(z, &from, &count, error) : 0;
        if (status)
            return status;
        if (count > z->piece_end - z->at)
            count = (size_t)(z->piece_end - z->at);
        ZSTD_inBuffer in = {from, count, 0};
        code = ZSTD_decompressStream(z->zstd, &out, &in);
        z->at += in.pos;
        if (ZSTD_isError(code) || (code && in.pos == 0 && out.pos == 0))
            return tracez_damaged(z, error, "the compressed lines of a warp are corrupt");
    }
    *got = out.pos;
    if (out.pos)
        z->line_open = ((const char *)to)[out.pos - 1] != '\n';
    if (code == 0) { /* the frame is whole */
        if (z->at != z->piece_end)
            return tracez_damaged(z, error, "a piece has more than one frame of zstd");
        z->piece_end = 0;
        if (z->line_open)
            text_append(&z->text, "\n");
        z->line_open = false;
    }
    return 0;
}

/* Goes on to the next text or piece; at the end there is neither. */
static int tracez_step(struct tracez *z, struct error *error)
{
    z->text_next = 0;
    z->text.length = 0;
    if (z->pieces)
        return tracez_piece(z, error);
    if (z->in_block && z->warps)
        return tracez_warp(z, error);
    if (z->in_block) {
        text_append(&z->text, "\n#END_TB\n");
        z->in_block = false;
        return 0;
    }
    return z->blocks ? tracez_block(z, error) : 0;
}

int tracez_read(struct tracez *z, void *to, size_t room, size_t *got, struct error *error)
{
    int status = 0;
    *got = 0;
    while (!status && *got == 0) {
        size_t left = z->text.length - z->text_next;
        if (left) {
            *got = left < room ? left : room;
            memcpy(to, z->text.data + z->text_next, *got);
            z->text_next += *got;
        } else if (z->piece_end) {
            z->text_next = z->text.length;
            status = tracez_decode(z, to, room, got, error);
        } else {
            if (!z->pieces && !z->in_block && !z->blocks)
                break;
            status = tracez_step(z, error);
        }
    }
    return status;
}

int tracez_open(const char *path, int file, struct tracez **out, struct error *error)
{
    struct stat info;
    *out = NULL;
    if (fstat(file, &info) != 0)
        return error_errno(error, "read", path);
    struct tracez *z = memory_zero(1, sizeof *z);
    z->path = path;
    z->file = file;
    z->size = (uint64_t)info.st_size;
    z->buffer = memory_alloc(BUFFER);
    z->zstd = ZSTD_createDCtx();
    int status =
        z->zstd ? tracez_header(z, error) : error_set(error, STATUS_FAILED, "zstd cannot begin");
    if (!status)
        status = tracez_dictionary(z, error);
    if (!status)
        status = tracez_index(z, error);
    if (status)
        tracez_close(z);
    else
        *out = z;
    return status;
}

void tracez_close(struct tracez *z)
{
    if (!z)
        return;
    ZSTD_freeDCtx(z->zstd);
    free(z->dictionary);
    free(z->buffer);
    free(z->index);
    text_free(&z->text);
    free(z);
}
#else
int tracez_open(const char *path, int file, struct tracez **out, struct error *error)
{
    (void)file;
    *out = NULL;
    error_set(error, STATUS_INPUT, "%s: this program was built without zstd", path);
    return error_hint(error, "Accel-Sim's traceDsm makes a .traceg of it");
}

void tracez_close(struct tracez *tracez)
{
    (void)tracez;
}

int tracez_read(struct tracez *tracez, void *to, size_t room, size_t *got, struct error *error)
{
    (void)tracez, (void)to, (void)room;
    *got = 0;
    return error_set(error, STATUS_FAILED, "built without zstd");
}
#endif
