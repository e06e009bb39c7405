/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of the binary form (trace/binary_format.h), encoded into memory. All
 * inline, because the run-time library of src/tracer uses it and links nothing
 * of Bandscape. */
#ifndef BANDSCAPE_TRACE_BINARY_ENCODE_H
#define BANDSCAPE_TRACE_BINARY_ENCODE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

#include "trace/binary_format.h"

/* What later accesses may be like. */
struct binary_recent {
    uint64_t base, shape; /* all but base, stride and instructions, packed */
    int64_t stride;
    uint32_t instructions;
    uint8_t ahead;
};

struct binary_block {
    uint8_t *data; /* the caller's, of a size that suffices */
    size_t size;   /* used, with the header */
    struct binary_recent recent[BINARY_RECENT];
    unsigned next; /* in recent, modulo its size */
};

static inline struct binary_recent binary_recent(const struct warp_access *access)
{
    return (struct binary_recent){access->base,
                                  (uint64_t)access->mask << 32 | (uint64_t)access->path << 24 |
                                      (unsigned)access->flags << 16 | (unsigned)access->kind << 8 |
                                      access->bytes,
                                  access->stride, access->instructions, access->ahead};
}

static inline void binary_store(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static inline void binary_file_header(uint8_t out[BINARY_FILE_HEADER])
{
    memcpy(out, BINARY_FORMAT_MAGIC, 8);
    binary_store(out + 8, BINARY_FORMAT_VERSION, 4);
    binary_store(out + 12, 0, 4);
}

static inline void binary_block_begin(struct binary_block *block, enum binary_kind kind)
{
    binary_store(block->data + 8, kind, 4);
    block->size = BINARY_BLOCK_HEADER;
    const struct warp_access first = binary_first_access();
    for (int i = 0; i < BINARY_RECENT; i++)
        block->recent[i] = binary_recent(&first);
    block->next = 0;
}

/* Completes the header of a block that will stand at this offset of the file. */
static inline void binary_block_end(struct binary_block *block, uint64_t offset)
{
    binary_store(block->data + 12, block->size - BINARY_BLOCK_HEADER, 4);
    binary_store(block->data, XXH3_64bits_withSeed(block->data + 8, block->size - 8, offset), 8);
}

static inline void binary_put_byte(struct binary_block *block, unsigned byte)
{
    block->data[block->size++] = (uint8_t)byte;
}

static inline void binary_put(struct binary_block *block, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        binary_put_byte(block, (unsigned)(value & 0x7f) | 0x80);
    binary_put_byte(block, (unsigned)value);
}

static inline uint64_t binary_zigzag(uint64_t value)
{
    return (value << 1) ^ ((uint64_t)0 - (value >> 63));
}

static inline void binary_put_name(struct binary_block *block, const char *name, size_t length)
{
    binary_put(block, length);
    memcpy(block->data + block->size, name, length);
    block->size += length;
}

static inline void binary_put_allocation(struct binary_block *block, uint64_t base, uint64_t bytes,
                                         const char *name, size_t length)
{
    binary_put_byte(block, BINARY_ALLOCATION);
    binary_put(block, base);
    binary_put(block, bytes);
    binary_put_name(block, name, length);
}

/* grid and block of 0, 0, 0: see trace/binary_format.h. */
static inline void binary_put_kernel(struct binary_block *block, unsigned flags,
                                     const uint32_t grid[3], const uint32_t cta[3],
                                     uint32_t shared_bytes, const char *name, size_t length)
{
    binary_put_byte(block, flags);
    for (int i = 0; i < 3; i++)
        binary_put(block, grid[i]);
    for (int i = 0; i < 3; i++)
        binary_put(block, cta[i]);
    binary_put(block, shared_bytes);
    binary_put_name(block, name, length);
}

static inline void binary_put_warp(struct binary_block *block, uint64_t cta, uint32_t warp)
{
    binary_put_byte(block, BINARY_WARP);
    binary_put(block, cta);
    binary_put(block, warp);
}

static inline void binary_put_dropped(struct binary_block *block,
                                      const struct stream_dropped *dropped)
{
    binary_put_byte(block, BINARY_DROPPED);
    binary_put(block, dropped->local);
    binary_put(block, dropped->bulk);
    binary_put(block, dropped->unknown);
}

static inline bool binary_same_shape(const struct binary_recent *a, const struct binary_recent *b)
{
    return a->shape == b->shape && a->stride == b->stride;
}

static inline unsigned binary_length(uint64_t value)
{
    return (unsigned)(70 - __builtin_clzll(value | 1)) / 7;
}

/* How far back the access is that makes the record short: two or three bytes,
 * which is what loops need, or else as short as possible. */
static inline unsigned binary_choose(const struct binary_block *block,
                                     const struct binary_recent *access)
{
    unsigned best = 0, best_cost = UINT32_MAX;
    for (unsigned back = 0; back < BINARY_RECENT && best_cost > 2; back++) {
        const struct binary_recent *last = &block->recent[(block->next - 1 - back) % BINARY_RECENT];
        unsigned cost = binary_length(binary_zigzag(access->base - last->base)) +
                        (binary_same_shape(access, last) ? 0 : 3) +
                        (access->instructions != last->instructions) +
                        (access->ahead != last->ahead);
        if (cost < best_cost) {
            best = back;
            best_cost = cost;
        }
    }
    return best;
}

static inline void binary_put_shape(struct binary_block *block, const struct warp_access *access)
{
    static const uint8_t codes[33] = {
        [1] = 0, [2] = 1, [4] = 2, [8] = 3, [12] = 4, [16] = 5, [32] = 6};
    bool all = access->mask == UINT32_MAX;
    unsigned more = access->path | (access->flags & ACCESS_LOCAL ? BINARY_LOCAL : 0U) |
                    (access->flags & ACCESS_PART ? BINARY_PART : 0U) |
                    (access->flags & ACCESS_BULK ? BINARY_BULK : 0U);
    binary_put_byte(block, (unsigned)(access->kind | codes[access->bytes] << 2 |
                                      (access->flags & ACCESS_BYPASS_L1 ? BINARY_BYPASS : 0) |
                                      (all ? BINARY_ALL_LANES : 0) | (more ? BINARY_PATH : 0)));
    if (more)
        binary_put_byte(block, more);
    if (!all)
        binary_put(block, access->mask);
    binary_put(block, binary_zigzag((uint64_t)access->stride));
}

/* An access in the normal form of spool_normalise. Takes at most
 * BINARY_RECORD_MAX bytes. */
static inline void binary_put_access(struct binary_block *block, const struct warp_access *access)
{
    const struct binary_recent recent = binary_recent(access);
    if (access->think) {
        binary_put_byte(block, BINARY_THINK);
        binary_put(block, access->think);
    }
    unsigned back = binary_choose(block, &recent);
    const struct binary_recent *last = &block->recent[(block->next - 1 - back) % BINARY_RECENT];
    bool same = binary_same_shape(&recent, last);
    bool instructions = access->instructions != last->instructions;
    binary_put_byte(block, back | (same ? 0 : BINARY_SHAPE) |
                               (instructions ? BINARY_INSTRUCTIONS : 0) |
                               (access->ahead != last->ahead ? BINARY_AHEAD : 0) |
                               (access->addresses ? BINARY_LIST : 0));
    binary_put(block, binary_zigzag(access->base - last->base));
    if (!same)
        binary_put_shape(block, access);
    if (instructions)
        binary_put(block, access->instructions);
    if (access->ahead != last->ahead)
        binary_put(block, access->ahead);
    for (int k = 1; access->addresses && k < __builtin_popcount(access->mask); k++)
        binary_put(block, binary_zigzag(access->addresses[k] - access->addresses[k - 1]));
    block->recent[block->next++ % BINARY_RECENT] = recent;
}

#endif
