/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The binary form of a trace: the same content as the text form
 * (trace/text_format.h) in about a sixth of the space, and read about four times as
 * fast (`make bench`). `bandscape trace convert` turns one into the other without loss;
 * programs traced with src/tracer write it.
 *
 * All fixed numbers are little-endian. A *number* below is an unsigned LEB128
 * of up to 64 bits: seven bits a byte, low ones first, the top bit set in all
 * bytes but the last. A *signed* is a number n that stands for n / 2 when even
 * and -(n + 1) / 2 when odd (zigzag).
 *
 *  File
 *      16 bytes: 89 42 53 54 52 45 41 4d ("\x89BSTREAM"), u32 version (4: no
 *      other is one damaged bit away; in 1 nothing goes ahead, in 1 and 2 no access
 *      comes after work), u32 zero. Then blocks up to the end of the file; the last
 *      one, and no other, is of kind END. (Paths came later: whoever does not know them
 *      refuses the access that has one.)
 *
 *  Block
 *      u64 checksum   XXH3-64 of all that follows in the block, seeded with the
 *                     offset of the block in the file: a damaged, moved or
 *                     missing block is noticed, and the error says where
 *      u32 kind       BINARY_RANGES, _KERNEL, _ACCESSES or _END
 *      u32 size       of the payload, at most BINARY_PAYLOAD_MAX
 *      payload        a sequence of records that ends with the block
 *      A block stands for itself, its warp named and its accesses referring to no
 *      other block: threads of a traced program fill blocks at the same time,
 *      without locks, and append them one after the other.
 *
 *  BINARY_RANGES, anywhere
 *      01, number base, number bytes, NAME    an allocation; "" has no name
 *      02, number base, number bytes, number domain (0 to 65535)    a home
 *      with NAME = number length, then that many bytes, none of them zero
 *
 *  BINARY_KERNEL begins a kernel launch
 *      byte flags (BINARY_ORDER: the order of the accesses is recorded;
 *      BINARY_SMS: every CTA says its SM), three numbers grid, three numbers
 *      block, number shared memory of a CTA in bytes, NAME. A grid or a block of
 *      0, 0, 0 is as large as the CTAs and warps that come (at most 2^24 CTAs).
 *
 *  BINARY_ACCESSES belongs to the kernel block before it
 *      80, number CTA, number warp, with BINARY_SMS number SM (0 to 65535)
 *          The accesses that follow are of this warp. Stands before the first
 *          access of each block. CTAs are numbered x fastest, then y, then z.
 *          Without accesses it says that the CTA is there and makes none: CTAs of
 *          the grid that are not named are taken for missing ones.
 *      81, number n
 *          n > 0 warp instructions without an access, at the end of a warp.
 *      82, number local, number bulk, number unknown
 *          Memory instructions that the trace lacks (struct stream_dropped);
 *          the records of a kernel add up.
 *      83, number n (1 to 2^32 - 1)
 *          The access that follows, in this block and next to it, comes after so
 *          many cycles of work (struct warp_access).
 *      00 .. 7f, an access: bits of the byte
 *          0-2  r: like the access r + 1 before this one. A block begins as if
 *               eight reads had come: 4 bytes a lane, 32 lanes, stride 4, base
 *               0, number of instructions unknown, ahead of none
 *          3    BINARY_SHAPE: the shape follows, else it is like that access
 *          4    BINARY_INSTRUCTIONS: the number of instructions follows, ditto
 *          5    BINARY_LIST: the address of every active lane follows
 *          6    BINARY_AHEAD: how many accesses it goes ahead of follows, else it
 *               goes ahead of as many as that access (struct warp_access)
 *          and then, in this order
 *          signed   address of the first active lane, less that of the access
 *                   r + 1 before
 *          shape    byte: bits 0-1 kind (1 read, 2 write, 3 atomic), 2-4 index
 *                   of the bytes a lane in 1, 2, 4, 8, 12, 16, 32, 5 bypasses
 *                   L1, 6 all lanes are active, 7 BINARY_PATH; with
 *                   bit 7: byte, bits 0-1 path of a read (0 ordinary, 1 scalar,
 *                   2 constant, 3 texture), 2 BINARY_LOCAL, 3 BINARY_PART, 4
 *                   BINARY_BULK (enum access_flag; the address of one to local
 *                   memory is a place in its warp's frame, trace/local.h);
 *                   unless bit 6: number mask; signed stride in bytes from one
 *                   active lane to the next
 *          number   instructions since the last access of this warp, this one
 *                   included; 0: unknown
 *          number   accesses before it that may be under way, 0 to 63
 *          signeds  with BINARY_LIST, for each active lane but the first: its
 *                   address less that of the lane before; the stride is then 0
 *
 *  BINARY_END has no payload. A file without it was cut off.
 *
 * The file may be compressed; then its name ends in .xz, .gz or .zst, and the
 * offsets of checksums and messages are those of the decompressed bytes. */
#ifndef BANDSCAPE_TRACE_BINARY_FORMAT_H
#define BANDSCAPE_TRACE_BINARY_FORMAT_H

#include <stdio.h>

#include "core/error.h"
#include "trace/stream.h"

#define BINARY_FORMAT_MAGIC                                                                        \
    "\x89"                                                                                         \
    "BSTREAM"
#define BINARY_FORMAT_SUFFIX ".bstream" /* what names of such files end in */

enum {
    BINARY_FORMAT_VERSION = 8, /* one flipped bit makes no known version of it, nor it of one */
    BINARY_FORMAT_OLDEST = 1,  /* that is read, up to */
    BINARY_FORMAT_BEFORE = 4,
    BINARY_FILE_HEADER = 16,
    BINARY_BLOCK_HEADER = 16,
    BINARY_PAYLOAD_MAX = 1 << 21,
    BINARY_NAME_MAX = 1 << 20,
    BINARY_BLOCK_BYTES = 1 << 16, /* of blocks of accesses, about */
    BINARY_RECORD_MAX = 384,      /* no record of accesses is longer */
    BINARY_RECENT = 8
};

enum binary_kind { BINARY_RANGES = 1, BINARY_KERNEL, BINARY_ACCESSES, BINARY_END };

enum {
    BINARY_ORDER = 1, /* flags of a kernel */
    BINARY_SMS = 2,

    BINARY_ALLOCATION = 0x01, /* records of ranges */
    BINARY_HOME = 0x02,

    BINARY_WARP = 0x80, /* records of accesses */
    BINARY_REST = 0x81,
    BINARY_DROPPED = 0x82,
    BINARY_THINK = 0x83,
    BINARY_BACK = 0x07,
    BINARY_SHAPE = 0x08,
    BINARY_INSTRUCTIONS = 0x10,
    BINARY_LIST = 0x20,
    BINARY_AHEAD = 0x40,

    BINARY_BYPASS = 0x20, /* of a shape */
    BINARY_ALL_LANES = 0x40,
    BINARY_PATH = 0x80,

    BINARY_PATHS = 0x03, /* of the byte behind it */
    BINARY_LOCAL = 0x04,
    BINARY_PART = 0x08,
    BINARY_BULK = 0x10
};

/* What every block of accesses begins with: eight times this. */
static inline struct warp_access binary_first_access(void)
{
    return (struct warp_access){.stride = 4, .mask = UINT32_MAX, .bytes = 4, .kind = ACCESS_READ};
}

/* Writes any source: CTAs and warps in order, or the recorded order. Reading it
 * gives the same streams as reading what trace_write_text writes. The caller
 * commits or closes the stream; a full disk or a closed pipe is an error here. */
int trace_write_binary(const struct source *source, FILE *stream, struct error *error);

#endif
