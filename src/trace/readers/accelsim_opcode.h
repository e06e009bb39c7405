/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a SASS opcode that has an address means to the memory system. */
#ifndef BANDSCAPE_TRACE_ACCELSIM_OPCODE_H
#define BANDSCAPE_TRACE_ACCELSIM_OPCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/stream.h"

enum opcode_space {
    OPCODE_GLOBAL,
    OPCODE_GENERIC, /* the address decides: global, shared or local */
    OPCODE_ON_CHIP, /* shared memory, barriers, cache control */
    OPCODE_LOCAL,
    OPCODE_BULK, /* tensor memory accelerator; kind none: a prefetch, or which way is not known */
    OPCODE_UNKNOWN
};

struct opcode {
    enum opcode_space space;
    uint8_t kind;  /* enum access_kind; of what goes to memory */
    uint8_t flags; /* enum access_flag */
    uint8_t bytes; /* per lane */
    uint8_t path;  /* enum access_path: of loads of constant memory and by texture units */
};

/* Reads a dotted opcode ("LDG.E.128.CONSTANT") of that length. */
struct opcode opcode_read(const char *text, size_t length);

/* Where the addresses of LD, ST, ATOM and RED count as global: fills kind, flags, path and bytes of
 * an access and counts one that is left out, as those to local memory are too. Whether it goes to
 * global memory. */
bool opcode_access(const char *text, size_t length, struct warp_access *access,
                   struct stream_dropped *dropped);

#endif
