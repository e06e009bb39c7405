/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of what NVBit's tool mem_trace prints:
 *
 *     MEMTRACE: CTX 0x... - LAUNCH - Kernel pc 0x... - Kernel name NAME
 *         - grid launch id N - grid size X,Y,Z - block size X,Y,Z
 *         - nregs N - shmem BYTES - cuda stream id N          (NVBit 1.5 and later)
 *     MEMTRACE: CTX 0x... - grid_launch_id N - CTA x,y,z - warp w - OPCODE - 0x... (32 times)
 *
 * The program's own output goes to the same place: it may stand between these
 * lines, and before one on the same line. */
#ifndef BANDSCAPE_TRACE_NVBIT_LINE_H
#define BANDSCAPE_TRACE_NVBIT_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/stream.h"

#define NVBIT_MAGIC "MEMTRACE: CTX "

enum nvbit_line_kind { NVBIT_OTHER, NVBIT_LAUNCH, NVBIT_ACCESS };

/* %warpid is a place of the SM, and no SM has had more than 64 of them. */
enum { NVBIT_SLOTS = 64 };

struct nvbit_line {
    enum nvbit_line_kind kind;
    uint64_t launch; /* grid launch id: trace/readers/nvbit_counting.h */
    /* Of a launch. */
    const char *name; /* in the line, without the list of parameters */
    size_t name_length;
    struct stream_kernel stated; /* without a name */
    /* Of an access. */
    const char *place;  /* "x,y,z" in the line */
    uint32_t cta[3];    /* within the limits of CUDA: below 2^31, 2^16, 2^16 */
    uint32_t slot;      /* below NVBIT_SLOTS */
    const char *opcode; /* in the line */
    size_t opcode_length;
    const char *addresses;
};

/* Reads a line up to the addresses. NULL, or what was expected at *at. */
const char *nvbit_line_read(const char **at, struct nvbit_line *out);

/* Reads the addresses of an access: a lane whose address is 0 is not active.
 * Fills addresses (`list`, WARP_LANES long) and mask. NULL, or what was expected
 * at *at. */
const char *nvbit_addresses_read(const char **at, uint64_t *list, struct warp_access *out);

#endif
