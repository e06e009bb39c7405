/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks of a trace in the binary form (trace/binary_format.h), one after
 * the other, and the numbers in them. */
#ifndef BANDSCAPE_TRACE_BINARY_BLOCKS_H
#define BANDSCAPE_TRACE_BINARY_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "trace/binary_format.h"
#include "trace/input/byte_reader.h"

/* The payload of the current block. Behind it stand BINARY_PADDING zero bytes:
 * whoever decodes a record may run over the end by that much before he looks. */
enum { BINARY_PADDING = 512 };
struct binary_blocks {
    const char *path;
    struct byte_reader *bytes;
    uint64_t offset; /* of the current block in the file */
    uint64_t next;   /* of what follows it */
    uint32_t kind;   /* enum binary_kind */
    const uint8_t *payload, *end;
    uint8_t *buffer; /* header, payload, padding */
    size_t room;     /* for the payload */
};

/* Reads the header of the file. `path` must live as long as the blocks. */
int binary_blocks_open(struct binary_blocks *blocks, const char *path, struct error *error);
void binary_blocks_close(struct binary_blocks *blocks); /* legal on zeroed blocks */

/* Moves to the next block and checks it: 1, 0 behind the end record, or a negative
 * status. */
int binary_blocks_next(struct binary_blocks *blocks, struct error *error);

/* Sets an input error at a place of the payload: "byte N: ...". */
int binary_error(struct error *error, const struct binary_blocks *blocks, const uint8_t *at,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Takes a number. One of more than 64 bits sets *wrong. */
static inline uint64_t binary_get(const uint8_t **at, bool *wrong)
{
    uint64_t value = **at & 0x7f;
    for (unsigned shift = 7; *(*at)++ & 0x80; shift += 7) {
        uint64_t bits = **at & 0x7f;
        if (shift > 63 || bits << shift >> shift != bits) {
            *wrong = true;
            return 0;
        }
        value |= bits << shift;
    }
    return value;
}

/* As two's complement, so that sums wrap around. */
static inline uint64_t binary_get_signed(const uint8_t **at, bool *wrong)
{
    uint64_t value = binary_get(at, wrong);
    return (value >> 1) ^ ((uint64_t)0 - (value & 1));
}

/* Takes a NAME: its length, and where it begins; not NUL-terminated. */
int binary_get_name(const struct binary_blocks *blocks, const uint8_t **at, const char **name,
                    size_t *length, struct error *error);

#endif
