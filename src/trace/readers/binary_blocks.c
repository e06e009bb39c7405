/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and checks blocks of the binary form. */
#include "trace/readers/binary_blocks.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/memory.h"
#include "core/parallel.h"

static uint64_t binary_load(const uint8_t *from, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static int binary_error_at(struct error *error, const struct binary_blocks *blocks, uint64_t offset,
                           const char *text)
{
    struct mark mark = {blocks->path, 0, 0, NULL};
    return error_at(error, STATUS_INPUT, &mark, "byte %llu: %s", (unsigned long long)offset, text);
}

int binary_error(struct error *error, const struct binary_blocks *blocks, const uint8_t *at,
                 const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return binary_error_at(error, blocks,
                           blocks->offset + BINARY_BLOCK_HEADER + (uint64_t)(at - blocks->payload),
                           text);
}

static int binary_cut_off(const struct binary_blocks *blocks, uint64_t offset, struct error *error)
{
    binary_error_at(error, blocks, offset,
                    "the trace is cut off: it ends here, without its end "
                    "record");
    error_hint(error, "the program that wrote it was killed or is still running, the disk was "
                      "full, or the copy is incomplete; write it again");
    return STATUS_INPUT;
}

/* Reads up to `size` bytes; fewer only at the end of the file. */
static int binary_fill(struct binary_blocks *blocks, uint8_t *to, size_t size, size_t *filled,
                       struct error *error)
{
    *filled = 0;
    while (*filled < size) {
        size_t got;
        int status = byte_reader_read(blocks->bytes, to + *filled, size - *filled, &got, error);
        if (status)
            return status;
        if (got == 0)
            break;
        *filled += got;
    }
    return 0;
}

static int binary_file_head(struct binary_blocks *blocks, struct error *error)
{
    uint8_t header[BINARY_FILE_HEADER];
    struct mark mark = {blocks->path, 0, 0, NULL};
    size_t filled;
    int status = binary_fill(blocks, header, sizeof header, &filled, error);
    if (status)
        return status;
    if (memcmp(header, BINARY_FORMAT_MAGIC, filled < 8 ? filled : 8) != 0)
        return error_at(error, STATUS_INPUT, &mark,
                        "this is no trace in the binary form, whatever its name says");
    if (filled < sizeof header)
        return binary_cut_off(blocks, filled, error);
    uint64_t version = binary_load(header + 8, 4);
    bool before = version >= BINARY_FORMAT_OLDEST && version <= BINARY_FORMAT_BEFORE;
    if ((version != BINARY_FORMAT_VERSION && !before) || binary_load(header + 12, 4) != 0) {
        error_at(error, STATUS_INPUT, &mark,
                 "this trace has version %llu of the binary form; versions %d to %d and %d are "
                 "known",
                 (unsigned long long)version, BINARY_FORMAT_OLDEST, BINARY_FORMAT_BEFORE,
                 BINARY_FORMAT_VERSION);
        return error_hint(error, "a newer bandscape may read it, or the file is damaged");
    }
    return 0;
}

static void binary_make_room(struct binary_blocks *blocks, size_t payload)
{
    if (payload > blocks->room) {
        blocks->buffer =
            memory_resize(blocks->buffer, BINARY_BLOCK_HEADER + payload + BINARY_PADDING, 1);
        blocks->room = payload;
    }
    blocks->payload = blocks->end = blocks->buffer + BINARY_BLOCK_HEADER;
}

int binary_blocks_open(struct binary_blocks *blocks, const char *path, struct error *error)
{
    *blocks = (struct binary_blocks){.path = path, .next = BINARY_FILE_HEADER};
    int status = byte_reader_open(path, &blocks->bytes, error);
    if (status)
        return status;
    binary_make_room(blocks, BINARY_BLOCK_BYTES);
    status = binary_file_head(blocks, error);
    if (status) {
        status = byte_reader_blame(blocks->bytes, status, error);
        binary_blocks_close(blocks);
    }
    return status;
}

void binary_blocks_close(struct binary_blocks *blocks)
{
    byte_reader_close(blocks->bytes);
    free(blocks->buffer);
    *blocks = (struct binary_blocks){0};
}

/* Behind the end record: nothing may follow. */
static int binary_file_tail(struct binary_blocks *blocks, struct error *error)
{
    size_t filled;
    uint8_t byte;
    int status = binary_fill(blocks, &byte, 1, &filled, error);
    if (!status && filled)
        status =
            binary_error_at(error, blocks, blocks->next, "there is more behind the end record");
    return status;
}

int binary_blocks_next(struct binary_blocks *blocks, struct error *error)
{
    size_t filled;
    if (interrupt_requested())
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    if (blocks->kind == BINARY_END)
        return binary_file_tail(blocks, error);
    blocks->offset = blocks->next;
    int status = binary_fill(blocks, blocks->buffer, BINARY_BLOCK_HEADER, &filled, error);
    if (status)
        return status;
    if (filled < BINARY_BLOCK_HEADER)
        return binary_cut_off(blocks, blocks->offset + filled, error);
    uint64_t checksum = binary_load(blocks->buffer, 8);
    blocks->kind = (uint32_t)binary_load(blocks->buffer + 8, 4);
    size_t size = binary_load(blocks->buffer + 12, 4);
    if (size > BINARY_PAYLOAD_MAX)
        return binary_error_at(error, blocks, blocks->offset,
                               "the block that begins here is damaged: its size is impossible");
    binary_make_room(blocks, size);
    uint8_t *payload = blocks->buffer + BINARY_BLOCK_HEADER;
    status = binary_fill(blocks, payload, size, &filled, error);
    if (status)
        return status;
    if (filled < size)
        return binary_cut_off(blocks, blocks->offset + BINARY_BLOCK_HEADER + filled, error);
    if (XXH3_64bits_withSeed(blocks->buffer + 8, size + 8, blocks->offset) != checksum)
        return binary_error_at(error, blocks, blocks->offset,
                               "the block that begins here is damaged: its checksum is wrong");
    if (blocks->kind < BINARY_RANGES || blocks->kind > BINARY_END)
        return binary_error_at(error, blocks, blocks->offset, "this kind of block is unknown");
    blocks->end = blocks->payload + size;
    memset(payload + size, 0, BINARY_PADDING);
    blocks->next = blocks->offset + BINARY_BLOCK_HEADER + size;
    return blocks->kind == BINARY_END ? binary_file_tail(blocks, error) : 1;
}

int binary_get_name(const struct binary_blocks *blocks, const uint8_t **at, const char **name,
                    size_t *length, struct error *error)
{
    bool wrong = false;
    const uint8_t *begin = *at;
    uint64_t size = binary_get(at, &wrong);
    if (wrong || size > BINARY_NAME_MAX || *at > blocks->end ||
        size > (uint64_t)(blocks->end - *at) || memchr(*at, '\0', size))
        return binary_error(error, blocks, begin, "expected a name");
    *name = (const char *)*at;
    *length = size;
    *at += size;
    return 0;
}
