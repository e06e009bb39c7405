/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One instruction line of an Accel-Sim trace:
 *
 *     [tbx tby tbz warp [columns]]  [line]  PC mask  n R*n  OPCODE  n R*n
 *      placed                       lineinfo = 1
 *     width  [mode addresses]  [immediates]
 */
#ifndef BANDSCAPE_TRACE_ACCELSIM_INSTRUCTION_H
#define BANDSCAPE_TRACE_ACCELSIM_INSTRUCTION_H

#include <stdint.h>

#include "trace/readers/accelsim_header.h"
#include "trace/readers/accelsim_opcode.h"
#include "trace/stream.h"

/* Columns between the warp and what follows (struct accelsim_header). */
enum {
    ACCELSIM_CORE = 2,   /* sm_id warpid_sm: core tracing */
    ACCELSIM_CLUSTER = 7 /* cluster x y z, CTA in the cluster x y z, its rank */
};

/* R0 to R255 (which is none), then UR0 and so on; others are not told apart. */
enum { ACCELSIM_UNIFORM = 256, ACCELSIM_REGISTERS = ACCELSIM_UNIFORM + 64, ACCELSIM_NAMES = 8 };

/* The first registers of a list. */
struct accelsim_names {
    uint32_t count;
    uint16_t numbers[ACCELSIM_NAMES];
};

struct accelsim_instruction {
    uint32_t place[4]; /* tbx, tby, tbz, warp; only if placed */
    uint32_t sm;       /* only with ACCELSIM_CORE columns */
    uint32_t mask;
    struct accelsim_names written, read;
    const char *opcode; /* in the line */
    uint32_t opcode_length;
    uint32_t width;        /* as printed; 0: no address */
    const char *addresses; /* behind the width */
};

/* Addresses are read into `access`; lists into `list`. */
struct accelsim_addresses {
    struct warp_access access; /* base, stride, addresses, mask */
    uint64_t list[WARP_LANES];
    bool bulk; /* a mode of bulk copies: nothing was read */
};

/* NULL, or what was expected at *at. */
const char *accelsim_instruction_read(const char **at, const struct accelsim_header *header,
                                      struct accelsim_instruction *out);

/* Reads "mode addresses" for the lanes of `mask` (not 0). NULL, or what was
 * expected at *at. */
const char *accelsim_addresses_read(const char **at, uint32_t mask, struct accelsim_addresses *out);

#endif
